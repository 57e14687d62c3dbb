"""The requests of a block to shared memory in both codes: as recorded (PTX), and with merged ones as SASS has them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from gemmviz.domain.figures import counted
from gemmviz.domain.listing import listed
from gemmviz.domain.recordings.access import BlockTrace, Site, Space
from gemmviz.domain.recordings.machine_accesses import MachineAccesses
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.explain.requests.block_requests import BlockRequests, requests_to
from gemmviz.explain.requests.machine_cost import machine_cost
from gemmviz.explain.requests.request_choice import LaneRequest, request_at
from gemmviz.trace.frames.frames import Frames
from gemmviz.trace.frames.plan import FrameMode
from gemmviz.trace.merged_requests import MachineTrace, machine_trace

Place = tuple[int, int]
"""The index of a site and the place of a request among those of that site."""


class RequestCode(StrEnum):
    """Which code's requests are shown."""

    SASS = "SASS"
    PTX = "PTX"


@dataclass(frozen=True, slots=True, eq=False)
class MachineRequests:
    """A block's requests in SASS beside those of the PTX, where it follows from the recording which were merged."""

    trace: MachineTrace
    recorded: BlockTrace

    def is_merged(self, site: Site) -> bool:
        """Whether a site is that of merged requests."""
        return site in self.trace.sites

    def merged_at(self, warp: int, slot: int) -> LaneRequest | None:
        """The merged request that a recorded one is a piece of; None where that one is no piece."""
        found = int(self.trace.slot_of[warp, slot])
        block = self.trace.block
        site = next((each for each in self.trace.sites if each.index == int(block.slot_site[found])), None)
        return request_at(block, warp, found) if site is not None else None

    def pieces_of(self, request: LaneRequest) -> tuple[LaneRequest, ...]:
        """The recorded requests that a request of SASS was merged from, or the one that it is."""
        slots = np.flatnonzero(self.trace.slot_of[request.warp] == request.slot)
        return tuple(request_at(self.recorded, request.warp, slot) for slot in slots.tolist())

    def first_piece(self, warp: int, slot: int) -> int:
        """The recorded slot of the first piece of a request of SASS."""
        return int(np.argmax(self.trace.slot_of[warp] == slot))

    @property
    def longest_words(self) -> tuple[str, ...]:
        """What `merged_words` says of one request of each site; of the others of that site it says the same."""
        block = self.trace.block
        first = ((int(np.argmax(block.slot_site == site.index)), site) for site in self.trace.sites)
        found = (request_at(block, 0, slot) for slot, site in first if block.slot_site[slot] == site.index)
        return tuple(self.merged_words(request) for request in found)

    def merged_words(self, request: LaneRequest) -> str:
        """What a merged request was: "ptxas merged 4 requests of the PTX (line 30) into this one (derived)."."""
        pieces = self.pieces_of(request)
        lines = sorted({piece.site.line for piece in pieces})
        where = f"{'line' if len(lines) == 1 else 'lines'} {listed([str(line) for line in lines], 4)}"
        return f"ptxas merged {counted(len(pieces), 'request')} of the PTX ({where}) into this one (derived)."

    def place_in(self, code: RequestCode, requests: dict[RequestCode, BlockRequests], place: Place) -> Place | None:
        """The place in `requests[code]` of the request that has `place` in those of the other code."""
        other = RequestCode.PTX if code is RequestCode.SASS else RequestCode.SASS
        found = requests[other].of_site(place[0])
        if found is None or not 0 <= place[1] < len(found):
            return None
        warp, slot = int(found.warps[place[1]]), int(found.slots[place[1]])
        slot = int(self.trace.slot_of[warp, slot]) if code is RequestCode.SASS else self.first_piece(warp, slot)
        return requests[code].place_of(warp, slot)


def machine_requests(run: TraceRun, block: BlockTrace) -> MachineRequests | None:
    """The requests of a recorded block in both codes; None where SASS merged none, or where it is not known which."""
    found = machine_trace(run, block) if run.machine is not None and run.machine.merged else None
    return MachineRequests(found, block) if found is not None else None


def request_codes(
    machine: MachineAccesses | None, block: BlockTrace, merged: MachineRequests | None
) -> dict[int, RequestCode]:
    """The code that the requests of a site are of, by its index, of those that SASS has otherwise than the PTX. `block`
    is that of either code; `merged` knows which of its requests SASS merged.
    """
    found = dict[int, RequestCode]()
    for site in block.sites:
        if merged is not None and merged.is_merged(site):
            found[site.index] = RequestCode.SASS
        elif machine_cost(machine, site) is not None:
            found[site.index] = RequestCode.PTX
    return found


def frames_in_code(
    run: TraceRun, block: BlockTrace, mode: FrameMode, merged: MachineRequests | None, code: RequestCode
) -> Frames:
    """The frames of a recorded block; warp requests are those of `code` where they are known in it."""
    is_of_sass = merged is not None and mode is FrameMode.REQUEST and code is RequestCode.SASS
    shown = merged.trace.block if merged is not None and is_of_sass else block
    return Frames(shown, mode, codes=request_codes(run.machine, shown, merged))


def shared_requests(block: BlockTrace, machine: MachineRequests | None) -> dict[RequestCode, BlockRequests]:
    """The block's requests to shared memory in each code that they are known in."""
    recorded = requests_to(block, Space.SHARED)
    if machine is None:
        return {RequestCode.PTX: recorded}
    return {RequestCode.SASS: requests_to(machine.trace.block, Space.SHARED), RequestCode.PTX: recorded}
