"""Whether a kernel reads shared memory that nothing was written to."""

from __future__ import annotations

from dataclasses import dataclass, replace

from gemmviz.compiler.ptx.arrivals import UNFOLLOWED, uses_arrivals
from gemmviz.domain.figures import counted
from gemmviz.domain.recordings.access import Space
from gemmviz.domain.recordings.hazard import HazardKind
from gemmviz.referee.examination import Needs, by_cases, not_examined
from gemmviz.referee.finding import Case, Finding
from gemmviz.referee.other_values import other_parameters
from gemmviz.referee.recordings import cases_in, cases_of, recordings_of
from gemmviz.referee.subject import Subject
from gemmviz.trace.hazards.rules.rule import Concern


@dataclass(frozen=True, slots=True)
class Initialised:
    """Looks through the recordings that there are, also those of large sizes and of other values of its parameters, for
    reads of shared memory that no thread has written. What another thread writes between the same barriers is a race.
    """

    name: str = "Reads no uninitialised memory"
    asks: str = "Is all shared memory written before it is read?"
    needs: Needs = Needs.RECORDINGS

    def examine(self, subject: Subject) -> Finding:
        if uses_arrivals(subject.kernel.text):
            return not_examined(self, f"{UNFOLLOWED}.")
        found = recordings_of(subject)
        if not found.runs:
            return not_examined(self, "; ".join(found.missing))
        cases = [*cases_of(subject, Concern.INITIALISED), *_with_other_values(subject)]
        sites = {site.line for run in found.runs for site in run.sites if site.reads and site.space is Space.SHARED}
        recordings = counted(len(cases), "recording")
        if not sites:
            return by_cases(self, cases, f"It reads no shared memory, in {recordings}.")
        missed = [one for run in found.runs for one in run.hazards if one.kind is HazardKind.DIVERGENT_BARRIER]
        if missed and not any(case.failed for case in cases):
            where = f"Some threads miss the barrier in line {missed[0].line}"
            return not_examined(self, f"{where}, and what is read after it follows from that.", cases)
        lines = counted(len(sites), "line")
        words = f"In {recordings} each read of shared memory ({lines}) finds what a thread of its block has written."
        return by_cases(self, cases, words)


def _with_other_values(subject: Subject) -> list[Case]:
    """The recordings with other values, which the examination of races has made."""
    cases = []
    for _, params, words in other_parameters(subject):
        other = subject.other_recordings.get(params)
        made = cases_in(other.runs, subject, Concern.INITIALISED) if other is not None else []
        cases += [replace(case, tried=f"{case.tried}, {words}", other_value=words) for case in made]
    return cases
