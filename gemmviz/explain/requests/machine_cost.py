"""What a GPU's machine code (SASS) makes of a recorded request to shared memory, in words. No Qt."""

from __future__ import annotations

from dataclasses import dataclass

from gemmviz.domain import figures
from gemmviz.domain.recordings.access import Site
from gemmviz.domain.recordings.machine_accesses import MachineAccesses, MachineChange, MergedRequests
from gemmviz.domain.recordings.sass_cells import sort_of
from gemmviz.explain.source.machine_words import lines_words, machine_sentences

NO_CONFLICT = "no bank conflict"


@dataclass(frozen=True, slots=True)
class MachineCost:
    """What SASS makes of the accesses of a site that it has otherwise than the PTX. `head` and `below` are the cost of
    its requests, "" where that is not known; `has_excess`: bank conflicts add wavefronts; `sentence` says it in full.
    """

    head: str
    below: str
    has_excess: bool
    sentence: str

    @property
    def is_known(self) -> bool:
        """Whether the cost follows from the recording."""
        return bool(self.head)


IN_OTHER_LAYOUT = MachineCost("", "", False, "SASS has other requests here: their cost is known as recorded only.")
"""Where the array is laid out otherwise: how the assembler would merge its accesses is not known."""


def machine_cost(machine: MachineAccesses | None, site: Site) -> MachineCost | None:
    """What SASS makes of the requests of a site; None where it has them as the PTX, or where that is unknown."""
    sort = sort_of(site)
    if machine is None or sort is None:
        return None
    found = [one for one in machine.of_line(site.line) if one.sort is sort and one.change is not MachineChange.NONE]
    if not found:
        return None
    merged = next((one for one in machine.merged_with(site.line) if one.sort is sort), None)
    if merged is None or not merged.requests:
        return MachineCost("", "", False, f"{' '.join(machine_sentences(found))} What it costs is not known.")
    wavefronts = _per_request(merged.wavefronts, merged)
    ideal = _per_request(merged.ideal, merged)
    below = f"{ideal} would be ideal" if merged.excess else NO_CONFLICT
    head = f"{wavefronts} {'wavefront' if wavefronts == '1' else 'wavefronts'}"
    takes = f"a request takes {head}, {f'not {ideal}' if merged.excess else 'without a bank conflict'}"
    sentence = f"In SASS the {sort} of {lines_words(merged.lines)} are merged: {takes} (derived)."
    return MachineCost(head, f"{below} (derived)", merged.excess > 0, sentence)


def _per_request(amount: int, merged: MergedRequests) -> str:
    return figures.average(amount / merged.requests)
