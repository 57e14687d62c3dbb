"""Judges a kernel: every examination in turn, each with what the ones before it found out."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace

from gemmviz.backends.base import BackendError, EntryError
from gemmviz.backends.launch_arguments import MisfitRefusal
from gemmviz.catalogue.claims.claims import Claims, NoSizeError
from gemmviz.catalogue.kernel import Kernel, Refusal
from gemmviz.domain.clock import timestamp
from gemmviz.domain.device import Device
from gemmviz.domain.kernels.call import Call, Factor
from gemmviz.domain.listing import listed
from gemmviz.domain.memory import MemoryRefusal
from gemmviz.domain.spec import Params
from gemmviz.domain.terms import InitialC
from gemmviz.measure.bench import Watch
from gemmviz.measure.cancel import CancelledError
from gemmviz.measure.sampling import MeasurementError
from gemmviz.referee.evidence import RUNS_TO_ITS_END
from gemmviz.referee.examination import Examination, Needs, failed, not_examined
from gemmviz.referee.examinations.answers import Answers
from gemmviz.referee.examinations.bounds import Bounds
from gemmviz.referee.examinations.computes_in import UNEXPLAINED, ComputesIn
from gemmviz.referee.examinations.determinism import Determinism
from gemmviz.referee.examinations.ends import Ends
from gemmviz.referee.examinations.hazards import Hazards
from gemmviz.referee.examinations.initialised import Initialised
from gemmviz.referee.examinations.inputs_kept import InputsKept
from gemmviz.referee.examinations.not_finite import NotFinite
from gemmviz.referee.examinations.plain_inputs import PlainInputs, SingleElements
from gemmviz.referee.examinations.random_inputs import RandomInputs
from gemmviz.referee.examinations.sizes import SUGGESTED_SIZES, ClaimedSizes, OddSizes
from gemmviz.referee.examinations.speed import Speed
from gemmviz.referee.examinations.stale_c import StaleC
from gemmviz.referee.finding import FactorValues, Finding, Outcome, Reach, Ruling
from gemmviz.referee.inputs import SEED, whole_numbers
from gemmviz.referee.recordings import follows_from, part_words, race_words
from gemmviz.referee.subject import KernelFaultedError, Subject
from gemmviz.referee.suggested_sizes import SUGGESTED, has_suggested_sizes, with_suggested_sizes

_ENDS, _ANSWERS, _BOUNDS, _HAZARDS, _SIZES = Ends(), Answers(), Bounds(), Hazards(), ClaimedSizes()
_INITIALISED = Initialised()
_DECISIVE: dict[Needs, Examination] = {Needs.LAUNCHES: _ENDS, Needs.ANSWERS: _ANSWERS}
"""The examinations that others need."""
_WHY_NOT = {
    Needs.LAUNCHES: f"Not tried: a time limit ended a launch (see “{RUNS_TO_ITS_END}”), and others may take as long.",
    Needs.ANSWERS: f"Not judged: its results do not follow its inputs (see “{_ANSWERS.name}”).",
}
"""Why an examination is not made where one failed that it needs."""
EXAMINATIONS: tuple[Examination, ...] = (
    _ENDS,
    _BOUNDS,
    StaleC(),
    _ANSWERS,
    ComputesIn(),
    _SIZES,
    OddSizes(),
    PlainInputs(),
    SingleElements(),
    RandomInputs(),
    NotFinite(),
    InputsKept(),
    _HAZARDS,
    _INITIALISED,
    Determinism(),
    Speed(),
)
"""In this order: what the first find out explains what the later ones see."""
_CAUSES = (_HAZARDS.name, _BOUNDS.name, _INITIALISED.name)
"""The examinations whose failure is told before every other: wrong results and faults follow from it."""
_OF_RECORDINGS = (_HAZARDS.name, _INITIALISED.name)
"""The examinations that recordings alone decide, those of the gravest hazards first."""
_INPUTS = {
    PlainInputs().name: "small whole numbers, halves, zeros and ones",
    SingleElements().name: "one element that is not zero",
    RandomInputs().name: "random numbers, also small and widely spread ones",
    NotFinite().name: "NaN and infinity",
}
"""The examinations that are about inputs, and what they try."""
OUT_OF_TIME = "The time limit was reached; a longer one examines more."


def judge(
    kernel: Kernel,
    params: Params,
    device: Device,
    watch: Watch | None = None,
    limit_s: float = 30.0,
    budget_s: float = math.inf,
    *,
    is_alone: bool = False,
) -> Ruling:
    """The verdict on a kernel. `limit_s` is the longest time that one launch may take; what `budget_s` seconds do not
    suffice for is not examined. With `is_alone` no other values of its parameters are.

    Raises:
        CancelledError: stopped by the `watch`.
    """
    begin = time.monotonic()
    given = watch if watch is not None else Watch()

    def is_late() -> bool:
        return time.monotonic() - begin > budget_s

    watch = replace(given, should_cancel=lambda: is_late() or given.should_cancel())
    given_kernel, kernel = kernel, with_suggested_sizes(kernel, params, device)
    subject = Subject(kernel, params, device, watch, limit_s, lambda: begin + budget_s - time.monotonic())
    subject.is_judged_alone = is_alone
    findings: list[Finding] = []
    fault, claims, is_misdescribed = "", "", False
    try:
        home = subject.claims.home
        call = subject.prepared(home).call
        findings += _examined(subject)
        words = subject.claims.words
        sizes = words if kernel is given_kernel else f"no sizes (examined at {words}: {SUGGESTED})"
        claims = f"{_computed(call, adds_to_c=subject.adds_to_c)}, {kernel.arithmetic}, {sizes}"
        fault = _doubt(subject.claims)
    except NoSizeError as error:
        fault = str(error)
    except (BackendError, Refusal, MemoryRefusal, MeasurementError) as error:
        fault = str(error).removeprefix(f"{kernel.id}: ")
        is_misdescribed = isinstance(error, EntryError | MisfitRefusal)
        fault = kernel.placed_entry(fault) if isinstance(error, EntryError) else fault
    except CancelledError:
        if given.should_cancel():
            raise
        fault = f"The time limit of {budget_s:g} s was reached before anything was examined"
    finally:
        subject.release()
    if any(finding.reason == OUT_OF_TIME for finding in findings):
        fault = f"The time limit of {budget_s:g} s was reached; `gemmviz referee --time-limit` gives more"
    seconds = time.monotonic() - begin
    return Ruling(
        kernel.id,
        params,
        device.name,
        claims,
        causes_first(without_consequences(findings, race_words(subject) if subject.recordings is not None else "")),
        fault,
        subject.found_arithmetic,
        timestamp(),
        seconds,
        is_misdescribed,
        reach=_reach(subject, findings),
    )


_OF_SIZES = {_SIZES.name, SUGGESTED_SIZES.name, OddSizes().name}
"""The examinations that say at how many sizes results were right."""
_OF_RESULTS = {*_OF_SIZES, *_INPUTS}
"""The examinations that compare results with the product."""


def _reach(subject: Subject, findings: Sequence[Finding]) -> Reach:
    """How far the examinations went."""
    recorded = [
        f"{run.spec.shape}{f' ({part_words(run)})' if run.blocks_recorded < run.launch.blocks else ''}"
        for part in (subject.recordings, subject.large_recordings)
        for run in (part.runs if part is not None else ())
    ]
    inputs = [_INPUTS[one.name] for one in findings if one.outcome is Outcome.HELD and one.name in _INPUTS]
    sizes = tuple(map(str, subject.right_at))
    return Reach(sizes, tuple(inputs), tuple(dict.fromkeys(recorded)), sizes_by(findings, sizes), *_factors(subject))


def _factors(subject: Subject) -> tuple[str, tuple[FactorValues, ...]]:
    """Which of alpha and beta a kernel takes, and the values with which results were right."""
    taken = [place for place, factor in enumerate(Factor) if factor in subject.kernel.call.arguments]
    if not taken or not subject.right_with:
        return "", ()
    found: dict[str, float] = {}
    for pair, error in subject.right_with.items():
        values = ", ".join(f"{pair[place]:g}" for place in taken)
        values = f"({values})" if len(taken) > 1 else values
        found[values] = max(error, found.get(values, 0.0))
    return listed([[*Factor][place] for place in taken]), tuple(FactorValues(*one) for one in found.items())


def sizes_by(findings: Sequence[Finding], sizes: Sequence[str]) -> tuple[tuple[str, int], ...]:
    """How many of the sizes the examinations of sizes tried, each size counted once, and all others together."""
    left, found = set(sizes), list[tuple[str, int]]()
    for finding in findings:
        if finding.name in _OF_SIZES:
            own = left & {case.shape for case in finding.cases if not case.other_value}
            left -= own
            found.append((finding.name, len(own)))
    return tuple((name, count) for name, count in (*found, ("", len(left))) if count)


def _doubt(claims: Claims) -> str:
    """Why no kernel is called right by what was examined: sizes without a launch, or trivial ones; "" if right."""
    if claims.gap or not claims.untelling:
        return claims.gap
    place = claims.place_of()
    words = f"It was not examined at telling sizes: {claims.untelling} could only be 1 at the sizes found"
    return f"{f'{place}: ' if place else ''}{words}; write its rules so that larger ones follow, as in N == M * M"


def _computed(call: Call, *, adds_to_c: bool) -> str:
    """What a description claims in words; of a C that begins as zeros also whether the kernel adds to it."""
    words = call.words or call.formula
    if call.has_d or call.c_begins is not InitialC.ZERO:
        return words
    return words.replace(call.formula, f"{call.formula}{' + C' * adds_to_c} (C begins as zeros)", 1)


def without_consequences(findings: Sequence[Finding], race: str) -> list[Finding]:
    """The findings of a kernel with a `race`, "" for none: an error that no arithmetic explains is not judged where a
    race that was found later does, and those of wrong results say that the gravest hazard that was recorded at a size
    at which they are wrong may be the cause.
    """
    recorded = [
        case
        for finding in findings
        if finding.name in _OF_RECORDINGS
        for case in finding.cases
        if case.failed and case.shape and not case.other_value
    ]

    def cause_of(finding: Finding) -> str:
        shapes = {case.shape for case in finding.cases if case.failed}
        seen = [fault for case in recorded if case.shape in shapes for fault in case.faults]
        gravest = min(seen, key=lambda fault: fault.gravity, default=None)
        return " in ".join(filter(None, (gravest.kind, gravest.place))) if gravest is not None else ""

    def judged(finding: Finding) -> Finding:
        if finding.outcome is not Outcome.FAILED:
            return finding
        if race and finding.reason.startswith(UNEXPLAINED):
            cases = tuple(replace(case, failed=False) for case in finding.cases)
            return replace(finding, outcome=Outcome.NOT_EXAMINED, reason=follows_from(race), cases=cases)
        cause = cause_of(finding) if finding.name in _OF_RESULTS else ""
        return replace(finding, reason=f"{finding.reason} The {cause} may be the cause.") if cause else finding

    return [judged(one) for one in findings]


def causes_first(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """The findings in the order in which they are told: races, accesses outside arrays and uninitialised reads that
    were found lead, since the others follow from them; the rest stays in the order of the examinations.
    """

    def place(finding: Finding) -> int:
        is_cause = finding.name in _CAUSES and finding.outcome is Outcome.FAILED
        return _CAUSES.index(finding.name) if is_cause else len(_CAUSES)

    return tuple(sorted(findings, key=place))


def _examined(subject: Subject) -> Iterator[Finding]:
    lost, failed_before, was_exact = "", Needs.RECORDINGS, False
    for number, usual in enumerate(EXAMINATIONS):
        examination = SUGGESTED_SIZES if usual is _SIZES and has_suggested_sizes(subject.kernel) else usual
        subject.step = f"{number + 1} of {len(EXAMINATIONS)}, “{examination.name}”"
        subject.watch.say(subject.step)
        subject.watch.advance(number / len(EXAMINATIONS))
        why = lost
        if not why and failed_before is not Needs.RECORDINGS and examination.needs >= failed_before:
            why = _WHY_NOT[failed_before]
        try:
            if not why and examination.needs >= Needs.RIGHT_PRODUCT:
                why = _why_not(subject, was_exact=was_exact)
            if why:
                yield not_examined(examination, why)
                continue
            finding, lost = _one(subject, examination)
        except CancelledError:
            if number == 0:
                raise
            lost = OUT_OF_TIME
            yield not_examined(examination, lost)
            continue
        if failed_before is Needs.RECORDINGS and is_decisive(subject, finding):
            failed_before = next((need for need, one in _DECISIVE.items() if one is examination), failed_before)
        was_exact |= finding.name == PlainInputs().name and finding.outcome is Outcome.HELD
        yield finding


def is_decisive(subject: Subject, finding: Finding) -> bool:
    """Whether a finding ends what needs it. Faults do not, unless a time limit ended the launch: launches at other
    sizes may have none. Elements that are constant do not while others follow the inputs.
    """
    if finding.outcome is not Outcome.FAILED or (finding.name == _ANSWERS.name and subject.follows_in_part):
        return False
    return finding.name != RUNS_TO_ITS_END or any(one.is_late for one in subject.endings or ())


def _one(subject: Subject, examination: Examination) -> tuple[Finding, str]:
    """A finding, and why nothing else can be examined, "" where it can."""
    try:
        return examination.examine(subject), ""
    except KernelFaultedError as error:
        words = f"A launch at {error.shape} ended at a fault"
        if error.is_lost:
            return failed(examination, f"{words}: {error}."), "The device was lost with the launch before."
        if name := subject.fault_named_by(error.shape):
            return not_examined(examination, f"{words}, which “{name}” names."), ""
        return failed(examination, f"{words}: {error}. With other inputs or sizes it did not."), ""


def _why_not(subject: Subject, *, was_exact: bool) -> str:
    """Why results at the home say nothing more; "" where the product of small whole numbers is right there.
    `was_exact`: such products were exact in earlier launches.
    """
    shape = subject.claims.home
    try:
        result = subject.judge(subject.launch(whole_numbers(shape, SEED).operands))
    except KernelFaultedError as error:
        name = subject.fault_named_by(shape)
        reason = f", which “{name}” names" if name else f": {error}"
        return f"A launch at {shape} ended at a fault{reason}."
    is_right = result.is_exact if subject.is_plain else result.is_within
    if is_right:
        return ""
    if was_exact:
        race = race_words(subject)
        kept = ": the kernel keeps something from launch to launch" if subject.keeps_something else ""
        why = f": results follow from the {race}" if race else kept
        words = f"is wrong by now, and was right in earlier launches{why}."
        return f"The product of small whole numbers at {shape} {words}"
    return f"The product of small whole numbers is wrong at {shape} already."
