"""The figures of a version of a kernel as a whole, and what became of them since another version. No Qt."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from gemmviz.domain import figures
from gemmviz.domain.kernels.examined_sweep import BlockCounts
from gemmviz.domain.kernels.kernel_version import Compilation, KernelVersion
from gemmviz.domain.recordings.access import Space
from gemmviz.domain.recordings.machine_accesses import MachineAccesses, SharedMemoryCost
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.explain.source.comparability import other_params_words, other_target_words, why_not_compared
from gemmviz.explain.source.line_figures import LineFigureKind
from gemmviz.explain.source.machine_words import differs_in, shared_cost_of, why_no_cost
from gemmviz.explain.source.ptx_worth import worth_in_sass
from gemmviz.explain.source.source_fault import faults_while_running
from gemmviz.explain.source.worth import Worth, change_words, in_ptx, points_words, worth_of
from gemmviz.trace.counts.totals import Totals
from gemmviz.trace.explain import totals_of

UNKNOWN = "–"
RIGHT, WRONG, FAULT, NOT_CHECKED = "correct", "wrong", "fault", "not checked"
NOT_COMPARED, UNKNOWN_BEFORE, UNKNOWN_NOW = "not compared", "not known before", "not known yet"
NOT_DERIVED_BEFORE, NOT_DERIVED = "not derived before", "cannot be derived"
"""In place of a change: the recordings differ in more than the text, or one of the figures is not known, or it is known
that it does not follow from the recording.
"""
HARMLESS = "Neither better nor worse: it does not change how many blocks a multiprocessor holds"
NOT_THE_GPUS = "Not known to be better or worse: SASS accesses shared memory otherwise, and a GPU runs the SASS"
REPAIRED = "The version before raced or was wrong: this is the price of the repair, and no loss"
_RESULTS = {1.0: RIGHT, 0.0: WRONG, -1.0: FAULT}
"""By how good they are: a kernel that ended at a fault has no result at all."""


@dataclass(frozen=True, slots=True)
class Measured:
    """A version with its recording, None for none, or the `block` that is kept of it; `gpu` tells versions apart."""

    version: KernelVersion
    trace: TraceRun | None
    block: BlockCounts | None = None
    gpu: str = ""

    @property
    def counts(self) -> Totals | BlockCounts | None:
        """The requests of the recording, added up."""
        return totals_of(self.trace) if self.trace is not None else self.block

    @property
    def machine(self) -> MachineAccesses | None:
        """What its lines access in PTX and in SASS; None where that is not known."""
        found = self.trace if self.trace is not None else self.block
        return found.machine if found is not None else None


@dataclass(frozen=True, slots=True)
class FigureChange:
    """A row: a figure before and after, how much it changed, what that is worth, and what it means.

    `weight` is by what part it changed, 0.5 for half as much or 1.5 times as much; inf from 0 and for a result or
    hazards, which come before everything else, and 0 where it did not change or that is not known.
    """

    name: str
    before: str
    after: str
    change: str
    worth: Worth
    tip: str
    weight: float = 0.0


@dataclass(frozen=True, slots=True)
class VersionFigure:
    """A figure of a version: how it is read, nan where it is not known, and how it is written."""

    name: str
    tip: str
    value: Callable[[Measured], float]
    text: Callable[[float], str]
    more_is_better: bool | None = False
    is_recorded: bool = False
    is_compiled: bool = False
    limits_as: str = ""
    """What `Occupancy.limited_by` calls it, where it costs nothing until it limits the occupancy."""
    change: Callable[[float, float], str] = change_words
    """How much it changed, in words."""


def _of_code(read: Callable[[Compilation], float]) -> Callable[[Measured], float]:
    def value(measured: Measured) -> float:
        compilation = measured.version.compilation
        return read(compilation) if compilation is not None else math.nan

    return value


def _of_counts(read: Callable[[Totals | BlockCounts], float]) -> Callable[[Measured], float]:
    def value(measured: Measured) -> float:
        counts = measured.counts
        return read(counts) if counts is not None else math.nan

    return value


def _in_sass(read: Callable[[SharedMemoryCost], int]) -> Callable[[Measured], float]:
    def value(measured: Measured) -> float:
        counts = measured.counts
        cost = shared_cost_of(measured.machine, counts) if counts is not None else None
        return read(cost) if cost is not None else math.nan

    return value


def _occupancy(compilation: Compilation) -> float:
    return compilation.occupancy.fraction if compilation.occupancy is not None else math.nan


def _instructions(measured: Measured) -> float:
    if measured.trace is not None:
        executed, warps = instructions_of(measured.trace), measured.trace.warps_recorded
    elif measured.block is not None:
        executed, warps = measured.block.instructions, measured.block.warps
    else:
        executed, warps = 0, 1
    return executed / warps if executed else math.nan


def instructions_of(trace: TraceRun) -> int:
    """The instructions that all recorded warps executed together; 0 where nobody counted."""
    return sum(one.instructions for one in trace.executed)


def _hazards(measured: Measured) -> float:
    if measured.trace is not None:
        return len(measured.trace.hazards)
    return measured.block.hazards if measured.block is not None else math.nan


def _result(measured: Measured) -> float:
    version = measured.version
    if version.check is not None:
        return float(version.check.passed)
    if version.compilation is None and measured.counts is None:
        return math.nan  # nothing of it is known to have run
    return -1.0 if any(faults_while_running(reason) for reason in version.faults) else math.nan


def _count(value: float) -> str:
    return figures.count(round(value))


def _size(value: float) -> str:
    return figures.size(round(value))


_CODE, _BLOCK = "What NVIDIA's compiler makes of the kernel", "Of the recorded block"
REGISTERS = VersionFigure(
    "registers per thread",
    _CODE,
    _of_code(lambda code: code.resources.registers),
    _count,
    is_compiled=True,
    limits_as="registers",
)
SECTORS = VersionFigure(
    "sectors per request",
    f"{_BLOCK}; a row of 32 floats takes 4",
    _of_counts(lambda found: found.sectors_per_request),
    lambda value: f"{value:.2f}",
    is_recorded=True,
)
EXCESS = VersionFigure(
    "excess wavefronts",
    f"{_BLOCK}: passes through shared memory that bank conflicts add",
    _of_counts(lambda found: found.excess_wavefronts),
    _count,
    is_recorded=True,
)
OF_SASS = tuple(
    VersionFigure(
        f"{name} in SASS",
        f"{_BLOCK}: derived for the machine code that a GPU runs, which accesses shared memory otherwise than the PTX",
        _in_sass(read),
        _count,
        is_recorded=True,
    )
    for name, read in (("wavefronts", lambda cost: cost.wavefronts), ("excess wavefronts", lambda cost: cost.excess))
)
"""What a GPU does where its machine code differs from the PTX, of which the other figures are."""
HAZARDS = VersionFigure(
    "hazards",
    f"{_BLOCK}: races, uninitialised reads, accesses outside an array",
    _hazards,
    _count,
    is_recorded=True,
)
RESULT = VersionFigure(
    "result",
    "C of a small product on the PTX machine, compared with the float64 product; "
    f"{FAULT}: the kernel ended with an error",
    _result,
    _RESULTS.__getitem__,
    more_is_better=True,
)
OCCUPANCY = VersionFigure(
    "theoretical occupancy",
    "Warps that a multiprocessor of the target GPU holds at once, as a share of its maximum",
    _of_code(_occupancy),
    figures.percent,
    more_is_better=True,
    is_compiled=True,
    change=points_words,
)
RESIDENT_BLOCKS = VersionFigure(
    "blocks per multiprocessor",
    "Blocks that a multiprocessor of the target GPU holds at once, and what allows no more",
    _of_code(lambda code: code.occupancy.blocks if code.occupancy is not None else math.nan),
    _count,
    None,
    is_compiled=True,
)
FIGURES = (
    REGISTERS,
    VersionFigure(
        "bytes spilled",
        "Bytes that a thread stores to local memory because registers ran out",
        _of_code(lambda code: code.resources.spill_store_bytes),
        _count,
        is_compiled=True,
    ),
    VersionFigure(
        "shared memory per block",
        _CODE,
        _of_code(lambda code: code.shared_bytes),
        _size,
        is_compiled=True,
        limits_as="shared memory",
    ),
    OCCUPANCY,
    RESIDENT_BLOCKS,
    VersionFigure(
        "requests to global memory", _BLOCK, _of_counts(lambda found: found.global_requests), _count, is_recorded=True
    ),
    VersionFigure(
        "sectors",
        f"{_BLOCK}: pieces of 32 bytes of global memory",
        _of_counts(lambda found: found.global_sectors),
        _count,
        is_recorded=True,
    ),
    SECTORS,
    *OF_SASS,
    VersionFigure(
        "requests to shared memory", _BLOCK, _of_counts(lambda found: found.shared_requests), _count, is_recorded=True
    ),
    VersionFigure(
        "wavefronts",
        f"{_BLOCK}: passes through shared memory",
        _of_counts(lambda found: found.wavefronts),
        _count,
        is_recorded=True,
    ),
    EXCESS,
    VersionFigure("instructions per warp", f"{_BLOCK}, of the PTX", _instructions, figures.average, is_recorded=True),
    HAZARDS,
    RESULT,
)
"""What is compared, in the order of the rows."""
_KINDS = {
    "requests to shared memory": LineFigureKind.SHARED_REQUESTS,
    "wavefronts": LineFigureKind.WAVEFRONTS,
    EXCESS.name: LineFigureKind.EXCESS,
}
OF_PTX = tuple(figure for figure in FIGURES if figure.name in _KINDS)
"""Figures that are the GPU's only where SASS accesses shared memory as the PTX does."""


def figure_changes(before: Measured | None, after: Measured) -> tuple[FigureChange, ...]:
    """What became of each figure that either version has. Recordings that are not of the same block at the same size
    or not for one target are not held against each other (`why_not_compared`), nor is what was compiled for different
    targets (`other_target_words`), nor what was compiled or checked with other parameters (`other_params_words`).

    While it is not known whether the later version is right, it has no figure that is better, except fewer hazards,
    which make it so; nor one that is worse than that of a version that is broken. What a repair costs is its price
    (`is_repair`).
    """
    is_checked = before is None or not any(_is_unchecked(one, one.value(before), after) for one in FIGURES)
    repairs, was_broken = is_repair(before, after), before is not None and _is_broken(before)
    hides_recorded = before is not None and bool(why_not_compared(before.trace, after.trace))
    versions = before.version if before is not None else None, after.version
    has_other_params = bool(other_params_words(*versions))
    hides_code = has_other_params or bool(other_target_words(*versions))
    differs = any(differs_in(one.machine, Space.SHARED) for one in (before, after) if one is not None)
    old_trace = before.trace if before is not None else None
    found = []
    for figure in FIGURES:
        hides = (figure.is_recorded and hides_recorded) or (figure.is_compiled and hides_code)
        hides |= figure is RESULT and has_other_params
        old = figure.value(before) if before is not None and not hides else math.nan
        new = figure.value(after)
        is_unchecked = _is_unchecked(figure, old, after)
        why_old, why_new = (_why_not_derived(figure, one, value) for one, value in ((before, old), (after, new)))
        is_empty = math.isnan(old) and math.isnan(new) and not is_unchecked and not why_new
        if is_empty or (figure in OF_SASS and not differs):
            continue
        is_exact = figure in (HAZARDS, RESULT)
        worth = worth_of(old, new, more_is_better=figure.more_is_better, is_exact=is_exact)
        is_judged = worth in (Worth.BETTER, Worth.WORSE)
        is_harmless = before is not None and is_judged and _is_harmless(figure, before, after)
        is_of_ptx = differs and figure in OF_PTX
        worth = Worth.OTHER if is_harmless else worth
        if is_of_ptx and worth is not worth_in_sass(_KINDS[figure.name], old_trace, after.trace):
            worth = in_ptx(worth)
        worth = Worth.PRICE if repairs and worth is Worth.WORSE else worth
        is_early = not is_checked and figure is not HAZARDS
        if is_unchecked or (is_early and (worth is Worth.BETTER or (worth is Worth.WORSE and was_broken))):
            worth = Worth.UNKNOWN
        change = "" if figure is RESULT else figure.change(old, new)
        if before is not None and math.isnan(old) != math.isnan(new) and not is_unchecked:
            worth = Worth.UNKNOWN
            change = (why_old and NOT_DERIVED_BEFORE) or UNKNOWN_BEFORE
            if math.isnan(new):
                change = (why_new and NOT_DERIVED) or UNKNOWN_NOW
            change = NOT_COMPARED if hides else change
        elif before is not None and why_new:
            worth, change = Worth.UNKNOWN, NOT_DERIVED
        texts = text_of(figure, old), NOT_CHECKED if is_unchecked else text_of(figure, new)
        is_open = is_unchecked or (worth is Worth.UNKNOWN and figure in (HAZARDS, RESULT))
        weight = math.inf if is_open else _weight(figure, old, new)
        meaning = REPAIRED if worth is Worth.PRICE else HARMLESS if is_harmless and worth is Worth.OTHER else ""
        not_the_gpus = NOT_THE_GPUS if worth is Worth.OF_PTX else ""
        tip = "\n".join(filter(None, (figure.tip, meaning, not_the_gpus, why_old, why_new)))
        name = f"{figure.name} in PTX" if is_of_ptx else figure.name
        found.append(FigureChange(name, *texts, change, worth, tip, weight))
    return tuple(found)


def _why_not_derived(figure: VersionFigure, measured: Measured | None, value: float) -> str:
    """Why a figure of SASS does not follow from the recording of a version, in a sentence; "" where it does."""
    if figure not in OF_SASS or measured is None or not math.isnan(value):
        return ""
    why = why_no_cost(measured.machine)
    return f"Version {measured.version.number}: {why}." if why else ""


def _is_harmless(figure: VersionFigure, before: Measured, after: Measured) -> bool:
    """Whether that one version takes more of a resource than the other leaves the occupancy as it is, or another
    resource is what lowers it. It does not matter which of them came first.
    """
    less, more = sorted((before, after), key=figure.value)
    codes = [one.version.compilation for one in (less, more)]
    low, high = (code.occupancy if code is not None else None for code in codes)
    if not figure.limits_as or low is None or high is None:
        return False
    return high.fraction >= low.fraction or figure.limits_as not in high.limited_by


def is_repair(before: Measured | None, after: Measured) -> bool:
    """Whether the version before has hazards or a wrong result, or ended at a fault, and the later one has no hazard
    and is right, with the same parameters.
    """
    if before is None or other_params_words(before.version, after.version):
        return False
    return _is_broken(before) and HAZARDS.value(after) == 0 and RESULT.value(after) == 1


def by_weight(changes: Iterable[FigureChange]) -> list[FigureChange]:
    """The changes that matter most first: result and hazards, then by what part a figure changed; the same last."""
    return sorted(changes, key=lambda one: (one.worth is Worth.SAME, -one.weight))


def _is_broken(measured: Measured) -> bool:
    """Whether a version is known to have hazards, a wrong result or none at all."""
    return HAZARDS.value(measured) > 0 or RESULT.value(measured) < 1


def _is_unchecked(figure: VersionFigure, before: float, after: Measured) -> bool:
    """Whether hazards or the result of the later version are not known although they were of the earlier one, or
    although they were to be found out.
    """
    is_expected = not math.isnan(before) or bool(after.version.faults)
    return figure in (HAZARDS, RESULT) and is_expected and math.isnan(figure.value(after))


def _weight(figure: VersionFigure, before: float, after: float) -> float:
    if before == after or math.isnan(before) or math.isnan(after):
        return 0.0
    if before == 0 or figure in (RESULT, HAZARDS):
        return math.inf
    return abs(after - before) / abs(before)


def text_of(figure: VersionFigure, value: float) -> str:
    """A figure as it is written; UNKNOWN where it is not known."""
    return UNKNOWN if math.isnan(value) else figure.text(value)
