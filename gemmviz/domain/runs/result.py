"""What a run found out: its time, its accuracy, and under which circumstances."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.device import Device
from gemmviz.domain.kernels.examined_sweep import ExaminedSweep
from gemmviz.domain.kernels.kernel_version import KernelVersion
from gemmviz.domain.kernels.resources import NO_RESOURCES, Resources
from gemmviz.domain.kernels.version_names import VersionNames
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.runs.gauges import NO_GAUGES, Gauges
from gemmviz.domain.runs.roof import Roofs
from gemmviz.domain.runs.schedule import BlockSchedule
from gemmviz.domain.runs.warp_timeline import WarpTimeline
from gemmviz.domain.runs.whole_runs import NO_WHOLE_RUNS, WholeRuns, WholeTime
from gemmviz.domain.session.column_ranges import ErrorColumn, MillisecondsColumn
from gemmviz.domain.session.field_ranges import (
    Count,
    Dimension,
    ElementValue,
    ErrorBound,
    Index,
    Milliseconds,
    PositiveCount,
    Printed,
    Reason,
    RelativeError,
    Timestamp,
)
from gemmviz.domain.session.shown import Shown
from gemmviz.domain.spec import Launch, Params, RunSpec
from gemmviz.domain.terms import Arithmetic, Mode, StopReason

FloatColumn = NDArray[np.float64]
"""Shape (n,), one figure per sample."""


@dataclass(frozen=True, slots=True)
class Summary:
    """Order statistics of a series, in the unit of the series; iqr = third quartile - first quartile."""

    median: float
    iqr: float
    min: float
    n: int


def summarise(samples: FloatColumn) -> Summary:
    """Median, interquartile range, minimum and count of `samples`, shape (n,).

    Quartiles interpolate linearly (Hyndman and Fan, 1996, definition 7).

    Raises:
        ValueError: there is no sample, or one of them is not a number.
    """
    if samples.size == 0:
        raise ValueError("no samples to summarise")
    if not np.isfinite(samples).all():
        raise ValueError("a sample is not a finite number")
    first, median, third = np.percentile(samples, (25.0, 50.0, 75.0))
    return Summary(float(median), float(third - first), float(samples.min()), int(samples.size))


@dataclass(frozen=True, eq=False)
class Timing:
    """Every sample of a run and the times around it, in milliseconds.

    `kernel_samples_ms` are read from device events, `host_samples_ms` from the host's clock around the same
    launches, synchronisation included; both have shape (n,). `launches_per_sample` is 1 in cold mode.
    `unsynchronised_ms` is what a host clock reads when nobody waits for the device. `whole_runs` are of the ordinary
    memory of the host, `pinned_runs` of page-locked memory, none where those were not timed. `gauges` stand beside the
    samples. Summaries of samples are made once: charts of many runs need each of them often.
    """

    mode: Mode
    kernel_samples_ms: MillisecondsColumn
    host_samples_ms: MillisecondsColumn
    launches_per_sample: PositiveCount
    discarded: Count
    stopped_by: StopReason
    first_launch_ms: Milliseconds
    compile_ms: Milliseconds
    unsynchronised_ms: Milliseconds
    whole_runs: WholeRuns = NO_WHOLE_RUNS
    pinned_runs: WholeRuns = NO_WHOLE_RUNS
    gauges: Gauges = NO_GAUGES

    @cached_property
    def kernel_ms(self) -> Summary:
        return summarise(self.kernel_samples_ms)

    @cached_property
    def host_clock_ms(self) -> Summary:
        return summarise(self.host_samples_ms)

    @property
    def whole(self) -> WholeTime:
        """What every view, report and file tells of a whole run: transfers, launch and kernel."""
        return self.whole_runs.time(self.kernel_samples_ms)

    @property
    def pinned(self) -> WholeTime:
        """The same from and to page-locked memory."""
        return self.pinned_runs.time(self.kernel_samples_ms)


@dataclass(frozen=True, slots=True)
class Mismatch:
    """An element of C that is not bit-equal to the comparison result."""

    row: Index
    column: Index
    got: ElementValue
    expected: ElementValue


@dataclass(frozen=True, slots=True)
class Accuracy:
    """How far C is from the float64 product of the same inputs. Formulas: docs/GLOSSARY.md.

    `method` is "float64" for the full product, "freivalds" for a random projection of it; the exact-equality
    figures compare with `exact_reference` and are 0 of 0 where no full comparison was made.
    """

    relative_frobenius: RelativeError
    max_error_over_ug: RelativeError
    bound: ErrorBound
    passed: bool
    method: str
    unwritten: Count
    max_ulp: RelativeError
    exact_reference: str
    exact_matches: Count
    elements: Count
    first_mismatches: tuple[Mismatch, ...]


@dataclass(frozen=True, slots=True)
class WorstElement:
    """An element of C far from the float64 product; `error_over_ug` is |C−R| / (u·G) there."""

    row: Index
    column: Index
    got: ElementValue
    expected: ElementValue
    error_over_ug: RelativeError


@dataclass(frozen=True, slots=True, eq=False)
class ErrorMap:
    """Where C errs: C cut into `rows` x `columns` cells of `cell_rows` x `cell_columns` elements, the last smaller.

    `values`, shape (rows·columns,), row by row, are the largest |C−R| / (u·G) of each cell; nan where an element is no
    number. `worst` are single elements, the worst first.

    Raises:
        ValueError: the column has another length than the shape says.
    """

    rows: Dimension
    columns: Dimension
    cell_rows: Dimension
    cell_columns: Dimension
    values: ErrorColumn
    worst: tuple[WorstElement, ...]

    def __post_init__(self) -> None:
        if min(self.rows, self.columns, self.cell_rows, self.cell_columns) < 0 or (
            self.values.size != self.rows * self.columns
        ):
            raise ValueError(f"an error map does not have {self.rows} x {self.columns} cells")


NO_ERROR_MAP = ErrorMap(0, 0, 0, 0, np.zeros(0, np.float32), ())
"""Of a run whose result was not compared with a full product."""


@dataclass(frozen=True, slots=True, eq=False)
class RunResult:
    """One finished run.

    `build` says how the source was made to run there ("thread loops", "PoCL workitemrepl", "numba", …). Runs with the
    same `sweep` other than 0 were sampled in turn, so that samples of the same index belong together. `finished` is
    the time it ended, ISO 8601 in UTC, or "". `resources` is what the compiled kernel takes, where a compiler tells,
    `printed` what the kernel printed on the PTX machine. `source_digest` is that of the kernel's file (`digest_of`), ""
    where that is not known.
    """

    spec: RunSpec
    device: Device
    arithmetic: Arithmetic
    launch: Launch
    build: str
    timing: Timing
    accuracy: Accuracy
    error_map: ErrorMap = NO_ERROR_MAP
    sweep: Count = 0
    finished: Timestamp = ""
    resources: Resources = NO_RESOURCES
    printed: Printed = ""
    source_digest: str = ""

    @property
    def is_emulated(self) -> bool:
        """Whether the PTX machine executed the kernel, once; `timing` is then no measurement (see `timed_runs`)."""
        return self.device.is_emulated

    @property
    def gflops(self) -> float:
        """2·M·N·K over the median kernel time, in 10^9 operations per second; inf for a time of zero."""
        median_ms = self.timing.kernel_ms.median
        return self.spec.shape.flop / (median_ms * 1e6) if median_ms > 0 else float("inf")


def timed_runs(runs: Iterable[RunResult]) -> tuple[RunResult, ...]:
    """The runs that were timed: what charts of times, ratios, rooflines and tables of samples are made from."""
    return tuple(run for run in runs if not run.is_emulated)


@dataclass(frozen=True, slots=True)
class RunError:
    """A kernel that was asked for and could not run, and why; with what it was to be run, as far as that is known."""

    kernel: str
    reason: Reason
    params: Params = ()
    size: str = ""
    finished: Timestamp = ""


@dataclass(frozen=True, slots=True)
class Session:
    """Everything of one sitting that views, exports and files are made from; times in ISO 8601, UTC.

    `shown` is what was looked at when it was saved, None where no window saved it; `roofs` bound what
    devices can do. `versions` are texts of kernels that were edited, `sweeps` settings examined without a GPU,
    `warp_timelines` what the warps of an SM did; each the newest last. `file_texts` are kernels by their ids and the
    texts of their files as they are now, which no file of a session has.
    """

    created: Timestamp
    program_version: str
    device: Device
    init_ms: Milliseconds
    runs: tuple[RunResult, ...] = ()
    errors: tuple[RunError, ...] = ()
    traces: tuple[TraceRun, ...] = ()
    shown: Shown | None = None
    roofs: tuple[Roofs, ...] = ()
    schedules: tuple[BlockSchedule, ...] = ()
    versions: tuple[KernelVersion, ...] = ()
    sweeps: tuple[ExaminedSweep, ...] = ()
    warp_timelines: tuple[WarpTimeline, ...] = ()
    file_texts: tuple[tuple[str, str], ...] = ()

    @property
    def version_names(self) -> VersionNames:
        """What its versions of kernels are called, and which of them is the current one, for all that show it."""
        return VersionNames(self.versions, self.traces, self.file_texts)

    @property
    def has_results(self) -> bool:
        """Whether it holds anything of RESULT_FIELDS."""
        return any(getattr(self, name) for name in RESULT_FIELDS)

    def without_results(self) -> Session:
        """The same sitting with nothing but the roofs of its devices."""
        empty = Session(self.created, self.program_version, self.device, self.init_ms)
        return replace(empty, roofs=self.roofs, file_texts=self.file_texts)


RESULT_FIELDS = ("runs", "errors", "traces", "roofs", "schedules", "versions", "sweeps", "warp_timelines")
"""The fields of a Session that hold results."""
