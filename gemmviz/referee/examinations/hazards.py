"""Whether the recorded accesses of a kernel have hazards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from gemmviz.domain.figures import count, counted
from gemmviz.domain.listing import listed
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.referee.examination import Needs, by_cases, not_examined
from gemmviz.referee.finding import Finding
from gemmviz.referee.recorded_size import dimensions_of_one_block
from gemmviz.referee.recordings import cases_of, grid_words, recordings_of
from gemmviz.referee.subject import Subject
from gemmviz.trace.hazards.rules.rule import Concern
from gemmviz.trace.hazards.rules.table import concern_of

_MOST_LINES, _MOST_ARRAYS = 4, 6


@dataclass(frozen=True, slots=True)
class Hazards:
    """Records every block of a small grid (`recorded_size`), as written and as compiled, and looks for races within and
    between blocks, barriers that some threads do not reach, uninitialised reads of shared memory and copies that nobody
    waits for.
    """

    name: str = "Free of races"
    asks: str = "Are all accesses ordered by barriers, and all shared memory written before it is read?"
    needs: Needs = Needs.RECORDINGS

    def examine(self, subject: Subject) -> Finding:
        found = recordings_of(subject)
        if not found.runs:
            return not_examined(self, "; ".join(found.missing))
        cases = cases_of(subject, Concern.ORDER)
        without = f" Not recorded {'; '.join(found.missing)}." if found.missing else ""
        undecided = [one for run in found.runs for one in run.hazards if concern_of(one) is Concern.UNDECIDED_ORDER]
        if undecided and not any(case.failed for case in cases):
            return not_examined(self, f"Possible race in line {undecided[0].line}: {undecided[0].detail}", cases)
        has_faults = any(concern_of(one) is Concern.BOUNDS for run in found.runs for one in run.hazards)
        beyond = " Recordings continue after accesses at which a launch ends." if has_faults else ""
        return by_cases(self, cases, f"{_searched(found.runs)}{_not_tried(subject, found.runs[0])}{beyond}{without}")


def _searched(runs: Sequence[TraceRun]) -> str:
    """Where no hazard is: "None among 256 threads of a block and 9 blocks (3x3) at 37x41x19, in A (line 12), As (lines
    12 and 15) and C (line 19); 40 accesses were compared, between blocks those to what the
    kernel writes."
    """
    lines: dict[str, set[int]] = {}
    for site in (site for run in runs for site in run.sites if site.array):
        lines.setdefault(site.array, set()).add(site.line)
    places = [
        f"{array} ({'line' if len(of) == 1 else 'lines'} {listed([str(line) for line in sorted(of)], _MOST_LINES)})"
        for array, of in lines.items()
    ]
    if not places:
        return "None: no access was recorded."
    run, accesses = runs[0], count(sum(run.accesses for run in runs))
    threads = counted(prod(run.launch.block), "thread")
    who = f"{threads} of a block and {grid_words(run.launch.grid)} at {run.spec.shape}"
    recordings = f" of {counted(len(runs), 'recording')}" if len(runs) > 1 else ""
    compared = f"{accesses} accesses{recordings} were compared, between blocks those to what the kernel writes."
    return f"None among {who}, in {listed(places, _MOST_ARRAYS)}; {compared}"


def _not_tried(subject: Subject, run: TraceRun) -> str:
    """Of which blocks nothing is known, since no two of them ran: a sentence, "" where there are none."""
    narrow = dimensions_of_one_block(subject.claims, run.spec.shape)
    if run.launch.blocks == 1:
        more = "" if narrow else ", and the kernel has no more at any size that was looked at"
        return f" Only one block ran{more}: races between blocks were not looked for."
    if narrow:
        return f" Along {listed(narrow)} only one block ran: races between blocks there were not looked for."
    return ""
