"""Whether the recorded accesses of a kernel have hazards."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import prod

from gemmviz.catalogue.claims.recorded_size import dimensions_of_one_block
from gemmviz.compiler.opencl.weak_barriers import weak_barriers
from gemmviz.compiler.ptx.arrivals import UNFOLLOWED, uses_arrivals
from gemmviz.domain.figures import count, counted
from gemmviz.domain.listing import listed
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Language
from gemmviz.referee.evidence import Recordings
from gemmviz.referee.examination import Needs, by_cases, not_examined
from gemmviz.referee.fault_beginnings import beginning_sentence
from gemmviz.referee.finding import Case, Finding
from gemmviz.referee.other_values import OtherValues, of_other_values, other_parameters
from gemmviz.referee.recordings import cases_of, concern_in, grid_words, large_recordings_of, part_words, recordings_of
from gemmviz.referee.subject import Subject
from gemmviz.trace.hazards.race_words import equal_in_all
from gemmviz.trace.hazards.rules.rule import Concern
from gemmviz.trace.hazards.rules.table import concern_of

_MOST_LINES, _MOST_ARRAYS, _MOST_EQUAL = 4, 6, 4
_MOST_SIZES, _MOST_PARTS = 10, 3


@dataclass(frozen=True, slots=True)
class Hazards:
    """Records every block of a small grid (`recorded_size`), as written and as compiled, and where nothing is found of
    the largest ones that can be (`large_sizes`), and of a small one with every other value of its parameters. Looks for
    races within and between blocks, barriers that some threads do not reach and copies that nobody waits for.
    """

    name: str = "Free of races and barrier errors"
    asks: str = "Are all accesses ordered by barriers, and does every thread reach these?"
    needs: Needs = Needs.RECORDINGS

    def examine(self, subject: Subject) -> Finding:
        if uses_arrivals(subject.kernel.text):
            return replace(not_examined(self, f"{UNFOLLOWED}."), caveat="races were not looked for")
        found = recordings_of(subject)
        if not found.runs:
            could_race = subject.kernel.has_accesses and not subject.kernel.runs_on_host
            unsearched = "races were not looked for" if could_race else ""
            return replace(not_examined(self, "; ".join(found.missing)), caveat=unsearched)
        cases = cases_of(subject, Concern.ORDER)
        larger = ""
        if not any(case.failed for case in cases):
            larger = _at_large_sizes(large_recordings_of(subject))
            cases = [*cases_of(subject, Concern.ORDER), *_outside_at(subject, large_recordings_of(subject))]
        others = OtherValues()
        if not any(case.failed for case in cases):
            others = of_other_values(
                subject, other_parameters(subject), lambda one: [partial(_of_other_value, subject, one)]
            )
            cases += others.cases
        without = f" Not recorded {'; '.join(found.missing)}." if found.missing else ""
        runs = (*found.runs, *(subject.large_recordings.runs if subject.large_recordings is not None else ()))
        undecided = [one for run in runs for one in run.hazards if concern_in(run, one) is Concern.UNDECIDED_ORDER]
        if undecided and not any(case.failed for case in cases):
            found_words = f"Possible race in line {undecided[0].line}: {undecided[0].detail}"
            return replace(not_examined(self, found_words, cases), caveat="blocks may race")
        has_faults = any(concern_of(one) is Concern.BOUNDS for run in found.runs for one in run.hazards)
        beyond = " Recordings continue after accesses at which a launch ends." if has_faults else ""
        not_tried, are_blocks_left = _not_tried(subject, found.runs[0])
        equal = equal_in_all(hazard for run in runs for hazard in run.hazards)
        beyond += "".join(f" {words[:1].upper()}{words[1:]}." for words in [*equal.values()][:_MOST_EQUAL])
        with_others = f" None either with {others.words}." if others.judged else ""
        words = f"{_searched(found.runs)}{larger}{with_others}{others.caveat_sentence}{not_tried}{beyond}{without}"
        kernel = subject.kernel
        weak = weak_barriers(kernel.text, kernel.entry) if kernel.language is Language.OPENCL else ""
        between = "races between blocks were not looked for" if are_blocks_left else ""
        caveats = (extent_words(subject.right_at, runs), between, others.caveat, weak)
        finding = by_cases(self, cases, words)
        is_own = any(case.failed and not case.other_value for case in cases)
        begins = beginning_sentence(subject) if is_own else ""
        return replace(finding, reason=f"{finding.reason}{begins}", caveat=" and ".join(filter(None, caveats)))


def _of_other_value(subject: Subject, other: Subject) -> list[Case]:
    """The cases of a kernel with other values; its recordings are kept for the examinations behind this one."""
    subject.other_recordings[other.params] = recordings_of(other)
    return cases_of(other, Concern.ORDER)


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


def _at_large_sizes(large: Recordings) -> str:
    """At which larger sizes no hazard is, and at which nothing was recorded; "" where there are no larger sizes."""
    words = ""
    whole = [run for run in large.runs if run.blocks_recorded == run.launch.blocks]
    if whole:
        blocks = max(run.launch.blocks for run in whole)
        sizes = listed([str(run.spec.shape) for run in whole], _MOST_SIZES)
        words = f" None at {sizes} either, {whole[0].form}, with up to {counted(blocks, 'block')}"
    in_part = [run for run in large.runs if run.blocks_recorded < run.launch.blocks]
    for run in in_part[:_MOST_PARTS]:
        beside = f"{words}, nor" if words else " None either"
        words = f"{beside} in {part_words(run)} at {run.spec.shape}"
    if len(in_part) > _MOST_PARTS:
        words += f", nor in a part of the blocks at {counted(len(in_part) - _MOST_PARTS, 'other size')}"
    if words:
        words += ": races were looked for at no other size."
        parts = [run for run in whole if run.blocks_searched < run.blocks_recorded]
        if parts:
            some = [f"{run.blocks_searched} of {run.blocks_recorded} at {run.spec.shape}" for run in parts]
            words += f" Within blocks some were searched: {listed(some)}."
    return words + (f" Not recorded at {'; '.join(large.missing)}." if large.missing else "")


def extent_words(compared: Iterable[Shape], runs: Iterable[TraceRun]) -> str:
    """Up to which M, N or K races were looked for, where results were compared at larger ones: "races were looked for
    with K up to 2080 only"; "" where that is not so.
    """
    right = [(one.m, one.n, one.k) for one in compared]
    recorded = [(one.spec.shape.m, one.spec.shape.n, one.spec.shape.k) for one in runs]
    reached = [
        f"{name} up to {max(sizes)}"
        for name, most, sizes in zip("MNK", zip(*right, strict=True), zip(*recorded, strict=True), strict=False)
        if max(sizes) < max(most)
    ]
    return f"races were looked for with {listed(reached)} only" if reached else ""


def _outside_at(subject: Subject, large: Recordings) -> list[Case]:
    """The large recordings with accesses outside arrays, where no other examination has seen any."""
    shapes = {str(run.spec.shape) for run in large.runs}
    outside = [case for case in cases_of(subject, Concern.BOUNDS) if case.failed]
    is_told = any(one.is_access for one in subject.endings or ()) or any(case.shape not in shapes for case in outside)
    return [] if is_told else outside


def _not_tried(subject: Subject, run: TraceRun) -> tuple[str, bool]:
    """Of which blocks nothing is known, since no two of them ran: a sentence, "" where there are none, and whether that
    leaves out blocks that a kernel has at a larger size.
    """
    narrow = dimensions_of_one_block(subject.claims, run.spec.shape)
    if run.launch.blocks == 1:
        more = "" if narrow else ", and the kernel has no more at any size that was looked at"
        return f" Only one block ran{more}: races between blocks were not looked for.", bool(narrow)
    if narrow:
        return f" Along {listed(narrow)} only one block ran: races between blocks there were not looked for.", True
    return "", False
