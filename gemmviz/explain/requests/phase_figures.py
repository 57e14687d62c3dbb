"""What a frame does, in figures: requests, sectors, bytes, wavefronts, loads so far. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from gemmviz.domain import figures
from gemmviz.domain.recordings.access import SECTOR_BYTES, AccessKind, AccessPath, BlockTrace, Space
from gemmviz.domain.recordings.machine_accesses import MachineAccesses
from gemmviz.domain.recordings.warp import LANES
from gemmviz.domain.terms import Evidence
from gemmviz.explain.requests.loads import Loads
from gemmviz.explain.requests.machine_requests import MachineRequests, RequestCode, request_codes
from gemmviz.explain.runs.figure_lines import BY_RULES, Line, Section
from gemmviz.trace.frames.frames import Frames
from gemmviz.trace.frames.plan import FrameMode
from gemmviz.trace.frames.values import Frame
from gemmviz.trace.model.site_costs import bytes_of, requests_of, sectors_of, wavefronts_of


@dataclass(frozen=True, slots=True)
class FrameCounts:
    """The requests of one space and kind in a frame, added up. Sectors and bytes are of global memory, wavefronts of
    shared memory. What the TMA and the tensor cores move makes no requests: bytes of shared memory only.
    """

    requests: int = 0
    sectors: int = 0
    bytes_used: int = 0
    wavefronts: int = 0
    ideal_wavefronts: int = 0
    copy_engine_bytes: int = 0
    tensor_core_bytes: int = 0
    sent: int = 0

    @property
    def bytes_moved(self) -> int:
        """32 for each sector that is sent for the requests: more than are counted where copies past L1 write askew."""
        return self.sent * SECTOR_BYTES

    @property
    def excess(self) -> int:
        """Wavefronts that bank conflicts add."""
        return self.wavefronts - self.ideal_wavefronts

    def __add__(self, other: FrameCounts) -> FrameCounts:
        return FrameCounts(
            self.requests + other.requests,
            self.sectors + other.sectors,
            self.bytes_used + other.bytes_used,
            self.wavefronts + other.wavefronts,
            self.ideal_wavefronts + other.ideal_wavefronts,
            self.copy_engine_bytes + other.copy_engine_bytes,
            self.tensor_core_bytes + other.tensor_core_bytes,
            self.sent + other.sent,
        )


SENT = "32 bytes for each sector moved (of copies past L1: sent by L2)"
_MOVED = "Copied as a whole by the TMA: there are no warp requests or wavefronts to count"

Codes = Mapping[tuple[Space, str], RequestCode]
"""Whose requests are counted, by memory and what the accesses are called, where codes differ."""
Counted = dict[tuple[Space, str], FrameCounts]
"""By memory and what the accesses are called (`Site.noun`)."""
_NOUNS = ("load", "store", "atomic")


@dataclass(frozen=True, slots=True)
class LoadsSoFar:
    """How often the elements of A or B that a frame loads have been loaded by the block: `so_far` up to the end of the
    frame and `in_all` in the whole recording, each as the fewest and the most.
    """

    array: str
    so_far: tuple[int, int]
    in_all: tuple[int, int]


def lanes_in(frame: Frame) -> int:
    """The lanes that counting looks at: what it costs to count a frame."""
    return LANES * (frame.slots[1] - frame.slots[0]) * (frame.warps[1] - frame.warps[0])


def count_frame(frame: Frame, block: BlockTrace) -> Counted:
    """The requests of a frame by space and noun; what does not occur is not there. `block` has the requests of the code
    that is counted, in the slots that the frame knows.
    """
    first, last = frame.slots
    in_frame = block.slot_site[first:last]
    counted: Counted = {}
    for site in (block.sites[each.index] for each in frame.sites):
        slots = first + np.flatnonzero(in_frame == site.index)
        requests = requests_of(block, site, range(*frame.warps), slots.tolist()).active
        if site.space is Space.SHARED and not site.path.is_requested:
            moved = int(bytes_of(requests).sum())
            is_engine = site.path is AccessPath.COPY_ENGINE
            found = FrameCounts(copy_engine_bytes=moved * is_engine, tensor_core_bytes=moved * (not is_engine))
        elif site.space is Space.SHARED:
            wavefronts, ideal = (int(figure.sum()) for figure in wavefronts_of(requests))
            found = FrameCounts(len(requests), wavefronts=wavefronts, ideal_wavefronts=ideal)
        else:
            sectors, sent = (int(figure.sum()) for figure in sectors_of(requests))
            asked = len(requests) if site.path.is_requested else 0
            found = FrameCounts(asked, sectors, int(bytes_of(requests).sum()), sent=sent)
        if site.is_counted:
            counted[site.space, site.noun] = counted.get((site.space, site.noun), FrameCounts()) + found
    return counted


def loads_so_far(frames: Frames, frame: Frame, loads: Loads) -> tuple[LoadsSoFar, ...]:
    """Of every global array that a frame of theirs loads from. Ask where the frames are made: they are for one thread.

    `loads` are those of the block.

    Raises:
        IndexError: there is no such frame.
    """
    found = []
    for touch in frame.touches:
        if touch.kind is not AccessKind.LOAD or touch.array.space is not Space.GLOBAL:
            continue
        last, now = loads.in_all(frames, touch.array.name), frames.heat(touch.array.name, frame.index)
        place = touch.rows - now.box.row_start, touch.columns - now.box.column_start
        so_far, in_all = now.counts[place], last.counts[place]
        found.append(
            LoadsSoFar(
                touch.array.name,
                (int(so_far.min()), int(so_far.max())),
                (int(in_all.min()), int(in_all.max())),
            )
        )
    return tuple(found)


def codes_in(frame: Frame, block: BlockTrace, machine: MachineAccesses | None, merged: MachineRequests | None) -> Codes:
    """The code that the figures of a frame count, of those that differ between codes; `block` as in `count_frame`."""
    of_site, found = request_codes(machine, block, merged), dict[tuple[Space, str], RequestCode]()
    for site in frame.sites:
        code = of_site.get(site.index)
        if code is not None and found.get((site.space, site.noun)) is not RequestCode.PTX:
            found[site.space, site.noun] = code
    return found


def counted_block(
    frame: Frame, block: BlockTrace, machine: MachineAccesses | None, merged: MachineRequests | None, code: RequestCode
) -> BlockTrace:
    """The block whose requests the figures of a frame count: that of SASS where `code` is and where it is known of all
    requests of the frame, else the recorded `block`. A frame of one request has those of its own code.
    """
    if merged is None or code is RequestCode.PTX:
        return block
    codes = codes_in(frame, merged.trace.block, machine, merged)
    return block if RequestCode.PTX in codes.values() else merged.trace.block


def figures_section(
    mode: FrameMode,
    counted: Counted,
    loads: tuple[LoadsSoFar, ...] = (),
    where: str = "",
    codes: Codes | None = None,
) -> Section:
    """The figures as lines; `where` is the device the recording was made on, "" if it is not told. `codes`: whose
    requests these are, where codes differ.
    """
    head, codes = f"What this {mode.words} does", codes or {}
    lines = [*_global(counted, codes), *_shared(counted, codes), *_loads(loads)]
    if not lines:
        return Section(head, "", "", note="No memory is touched.")
    lines[0] = replace(lines[0], begins_group=False)
    note = f"Addresses recorded{f' on {where}' if where else ''}. {BY_RULES}"
    return Section(head, "", "", tuple(lines), note)


def _global(counted: Counted, codes: Codes) -> list[Line]:
    lines: list[Line] = []
    for kind in _NOUNS:
        found = counted.get((Space.GLOBAL, kind))
        if found is None:
            continue
        tip = f"Global {kind}s of whole warps"
        used, fetched = figures.count(found.bytes_used), figures.count(found.bytes_moved)
        moved = {"load": "fetched", "store": "written to", "atomic": "changed in"}[kind]
        code = codes.get((Space.GLOBAL, kind))
        asked = [_line(f"global {kind} requests{_of(code)}", figures.count(found.requests), tip)]
        by_engine = [_line(f"global {kind}s", "TMA", "A tensor copy moves a whole box without warp requests")]
        first, *_ = asked if found.requests else by_engine
        lines += [
            replace(first, begins_group=bool(lines)),
            _line("sectors (32 B)", figures.count(found.sectors), f"Distinct 32-byte sectors of each {kind} request"),
            _line(f"bytes used / {moved}", f"{used} / {fetched}", f"Distinct bytes asked for; {SENT}"),
        ]
    return lines


def _shared(counted: Counted, codes: Codes) -> list[Line]:
    lines: list[Line] = []
    for kind in ("store", "load", "atomic"):
        found = counted.get((Space.SHARED, kind))
        if found is None:
            continue
        for words, nbytes in (
            (f"TMA, shared {kind}s", found.copy_engine_bytes),
            ("tensor cores, shared loads", found.tensor_core_bytes),
        ):
            if nbytes:
                lines.append(_line(words, f"{figures.count(nbytes)} bytes", _MOVED, begins_group=True))
        if not found.requests:
            continue
        wavefronts = figures.counted(found.wavefronts, "wavefront")
        tip = f"{wavefronts}, {figures.count(found.ideal_wavefronts)} without conflicts"
        code = codes.get((Space.SHARED, kind))
        evidence = Evidence.DERIVED if code is RequestCode.SASS else Evidence.RECORDED
        excess = f" (+{figures.count(found.excess)})" if found.excess else ""
        of_kind = [
            _line(f"shared {kind} requests{_of(code)}", figures.count(found.requests), tip, begins_group=True),
            _line(f"wavefronts{_of(code)}", f"{figures.count(found.wavefronts)}{excess}", f"{tip}; + is the excess"),
        ]
        lines += [replace(line, evidence=evidence) for line in of_kind]
    return lines


def _of(code: RequestCode | None) -> str:
    """ " in SASS"; "" where both codes have the same."""
    return f" in {code}" if code is not None else ""


def _loads(loads: tuple[LoadsSoFar, ...]) -> list[Line]:
    tip = "How often this block has loaded each of these elements so far, and how often it will have at the end"
    return [
        _line(f"loads / element of {each.array}", _times(each), tip, begins_group=place == 0)
        for place, each in enumerate(loads)
    ]


def _times(loads: LoadsSoFar) -> str:
    """ "3 (65 at the end)"."""
    return f"{_span(loads.so_far)} ({_span(loads.in_all)} at the end)"


def _span(ends: tuple[int, int]) -> str:
    low, high = ends
    return figures.count(low) if low == high else f"{figures.count(low)}–{figures.count(high)}"


def _line(words: str, value: str, tip: str, begins_group: bool = False) -> Line:
    return Line(words, value, Evidence.RECORDED, tip, begins_group=begins_group)
