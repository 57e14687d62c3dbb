"""The columns of the results table: what each means, in what unit, by which evidence. No Qt."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from gemmviz.catalogue.term_words import with_few_terms
from gemmviz.domain.figures import ERROR_FORMULA, ERROR_NAME
from gemmviz.domain.runs.baselines import IN_ITS_OWN
from gemmviz.domain.runs.doubts import DOUBTS
from gemmviz.domain.terms import Evidence
from gemmviz.explain.figures.timing.speedup import UNRANKED, UNSURE


class Key(StrEnum):
    """The columns in their order; the values are their names in settings and tests."""

    KERNEL = "kernel"
    SIZE = "size"
    PARAMS = "params"
    MEDIAN = "median"
    GFLOPS = "gflops"
    TIMES_CPU = "times_cpu"
    ERROR = "error"
    TIMES_LIBRARY = "times_library"
    IQR = "iqr"
    SAMPLES = "samples"
    DEVICE = "device"
    MODE = "mode"
    PASSED = "passed"
    REGISTERS = "registers"
    SPILLS = "spills"
    OCCUPANCY = "occupancy"
    CLOCK = "clock"
    POWER = "power"
    HOST_CLOCK = "host_clock"
    MOVED_IN = "in"
    MOVED_OUT = "out"
    END_TO_END = "end_to_end"
    FILL = "fill"
    SEED = "seed"
    SWEEP = "sweep"
    FINISHED = "finished"
    BUILD = "build"
    ARITHMETIC = "arithmetic"


@dataclass(frozen=True, slots=True)
class Column:
    """One column. `width` is in digits; `is_figure` is set right, in figures.

    One that `comes_with_figures` is in sight only while a row has something in it.
    """

    key: Key
    title: str
    meaning: str
    width: int
    evidence: Evidence | None = None
    is_figure: bool = False
    is_shown: bool = True
    comes_with_figures: bool = False

    @property
    def tip(self) -> str:
        """What the column means, and where its figures come from."""
        return f"{self.meaning}\n{self.evidence}" if self.evidence else self.meaning

    @property
    def head_tip(self) -> str:
        """What a tooltip on the heading says: also what its terms mean, or where that takes many lines, their names."""
        return with_few_terms(self.tip, self.title, self.meaning)


def _figure(key: Key, title: str, meaning: str, width: int, evidence: Evidence | None, is_shown: bool = True) -> Column:
    return Column(key, title, meaning, width, evidence, is_figure=True, is_shown=is_shown)


def _later_figure(key: Key, title: str, meaning: str, width: int, evidence: Evidence) -> Column:
    """In sight only while a run has it."""
    return Column(key, title, meaning, width, evidence, is_figure=True, comes_with_figures=True)


MEASURED, DERIVED = Evidence.MEASURED, Evidence.DERIVED

COLUMNS = (
    Column(Key.KERNEL, "kernel", "The kernel that was run", 20),
    _figure(Key.SIZE, "size", "M × N × K of C[M,N] = A[M,K] · B[K,N]; sorted by the operations it takes", 15, None),
    Column(Key.PARAMS, "params", "The kernel's parameters", 13),
    _figure(
        Key.MEDIAN,
        "median",
        "Kernel time: median of the samples on the device's clock (CPU kernels: the host's)",
        10,
        MEASURED,
    ),
    _figure(Key.GFLOPS, "GFLOP/s", "2·M·N·K / median kernel time", 9, DERIVED),
    _later_figure(
        Key.TIMES_CPU,
        "× CPU",
        "Speed-up over the reference kernel on the CPU: its median time divided by "
        "this one's, from its newest run with the same size, fill and seed",
        8,
        DERIVED,
    ),
    _figure(
        Key.ERROR,
        ERROR_NAME,
        "How far the worst element of C is from the exact result, in rounding errors of one float32 operation: the "
        f"largest {ERROR_FORMULA}. A right kernel stays below its bound",
        17,
        DERIVED,
    ),
    _later_figure(
        Key.TIMES_LIBRARY,
        "× library",
        "How many times as fast as the GPU vendor's library under the same "
        f"conditions, {IN_ITS_OWN}\n{UNSURE} {UNRANKED}",
        10,
        DERIVED,
    ),
    _figure(
        Key.IQR,
        "IQR",
        "The spread of the middle half of 4 samples or more: the smaller, the steadier the time",
        12,
        MEASURED,
    ),
    _figure(Key.SAMPLES, "n", "\n".join(("Number of samples", *DOUBTS)), 6, MEASURED),
    Column(Key.DEVICE, "device", "The device of the run", 8),
    Column(Key.MODE, "mode", "cold: caches overwritten before each sample; hot: batches of launches, no flush", 6),
    Column(
        Key.PASSED,
        "check",
        "passed: the largest error is within the bound. WRONG: it exceeds it, or an element is not a number",
        10,
        evidence=DERIVED,
    ),
    _later_figure(Key.REGISTERS, "regs", "Registers per thread, as the compiler reports", 6, DERIVED),
    _later_figure(Key.SPILLS, "spills", "Bytes per thread spilled to local memory", 8, DERIVED),
    _later_figure(
        Key.OCCUPANCY,
        "occup.",
        "Theoretical occupancy: how full a multiprocessor can be, its resident warps as a share of the most it holds",
        8,
        DERIVED,
    ),
    _later_figure(Key.CLOCK, "clock", "Median GPU clock while sampling\n! throttled", 10, MEASURED),
    _later_figure(Key.POWER, "power", "Median GPU power while sampling", 7, MEASURED),
    _figure(
        Key.HOST_CLOCK, "waited", "Median from launch to completion, with all waiting, by the host clock", 11, MEASURED
    ),
    _figure(Key.MOVED_IN, "in", "Copying A and B to the device, in the median end-to-end run", 9, MEASURED),
    _figure(Key.MOVED_OUT, "out", "Copying the result back, in the median end-to-end run", 9, MEASURED),
    _figure(
        Key.END_TO_END,
        "end to end",
        "Median end-to-end time: A and B in, one launch, the result out, by the host clock",
        10,
        MEASURED,
    ),
    Column(Key.FILL, "fill", "How A and B were filled with numbers", 9),
    _figure(Key.SEED, "seed", "The seed of their random numbers", 6, None),
    _figure(Key.SWEEP, "sweep", "Runs of one sweep were sampled in turn: their samples belong together", 7, None),
    Column(Key.FINISHED, "finished", "When the run ended, in local time", 18),
    Column(Key.BUILD, "built as", "How the source was compiled for the device", 22),
    Column(
        Key.ARITHMETIC,
        "arithmetic",
        "Number format of the products and sums: tf32 and bf16 have fewer digits than fp32",
        10,
        is_shown=False,
    ),
)

PLACE = {column.key: place for place, column in enumerate(COLUMNS)}
"""Where each column stands."""
