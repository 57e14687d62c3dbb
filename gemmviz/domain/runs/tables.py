"""The runs of a session as flat rows, and those as CSV files."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from gemmviz.domain.figures import has_quartiles
from gemmviz.domain.files.atomic import describe_write_fault
from gemmviz.domain.files.csv_files import ExportError, Row, csv_text, write_csv
from gemmviz.domain.places import PLACE_COLUMNS, place_cells
from gemmviz.domain.recordings.trace_tables import SITE_COLUMNS, TRACE_TABLES, site_rows, tables_of
from gemmviz.domain.runs.baselines import is_library_run
from gemmviz.domain.runs.result import RunResult, Session
from gemmviz.domain.runs.whole_words import PINNED_COLUMNS, WHOLE_COLUMNS, whole_cells
from gemmviz.domain.spec import format_params

__all__ = [
    "RUN_COLUMNS",
    "SAMPLE_COLUMNS",
    "SITE_COLUMNS",
    "ExportError",
    "Row",
    "csv_text",
    "export_csv",
    "format_params",
    "run_rows",
    "sample_rows",
    "site_rows",
    "write_csv",
]

RUNS_CSV = "runs.csv"
SAMPLES_CSV = "samples.csv"

_LAUNCH_COLUMNS = ("grid", "block", "shared_bytes")
_RESOURCE_COLUMNS = ("registers", "local_bytes", "spill_store_bytes", "spill_load_bytes")
RUN_COLUMNS = (
    *("kernel", "params", "m", "n", "k", "fill", "seed", "device", "arithmetic", "build"),
    *_LAUNCH_COLUMNS,
    *("mode", "median_ms", "iqr_ms", "min_ms", "samples", "discarded"),
    *("stopped_by", "host_clock_ms", *WHOLE_COLUMNS, "first_launch_ms", "compile_ms"),
    *("gflops", "relative_frobenius", "max_error_over_ug", "bound", "passed", "exact_matches", "exact_reference"),
    *("elements", *PINNED_COLUMNS, *_RESOURCE_COLUMNS, "throttled", "emulated"),
    *PLACE_COLUMNS,
)
SAMPLE_COLUMNS = (
    *("run", "kernel", "params", "m", "n", "k", "sample", "kernel_ms", "host_clock_ms"),
    *("clock_mhz", "memory_clock_mhz", "temperature_c", "power_w", "throttled"),
    *PLACE_COLUMNS,
)


def run_rows(session: Session) -> list[Row]:
    """One row for each run, with RUN_COLUMNS: times in ms, gflops in 10^9 operations per second. A library's launch
    and what no compiler reported are "". Where `emulated` is "true" the times are those of the PTX machine and
    gflops is "".
    """
    return [_run_row(run) for run in session.runs]


def sample_rows(session: Session) -> list[Row]:
    """One row for each sample of each timed run, with SAMPLE_COLUMNS; `run` counts all runs from 1, `sample` from 0.
    The gauges of a device that has none are "".
    """
    numbered = [(number, run) for number, run in enumerate(session.runs, 1) if not run.is_emulated]
    return [row for number, run in numbered for row in _sample_rows(number, run)]


def _sample_rows(number: int, run: RunResult) -> list[Row]:
    timing, gauges, place = run.timing, run.timing.gauges, place_cells(run.device, run.finished)
    spec, shape = run.spec, run.spec.shape
    which = (spec.kernel, format_params(spec.params), shape.m, shape.n, shape.k)
    throttled = ["true" if is_throttled else "false" for is_throttled in gauges.throttled.tolist()]
    columns: list[list[str | int | float]] = [
        timing.kernel_samples_ms.tolist(),
        timing.host_samples_ms.tolist(),
        gauges.clock_mhz.tolist(),
        gauges.memory_clock_mhz.tolist(),
        gauges.temperature_c.tolist(),
        gauges.power_w.tolist(),
        list(throttled),
    ]
    return [
        dict(
            zip(
                SAMPLE_COLUMNS,
                (number, *which, sample, *(c[sample] if c else "" for c in columns), *place),
                strict=True,
            )
        )
        for sample in range(timing.kernel_samples_ms.size)
    ]


def export_csv(
    session: Session, folder: Path, files: Collection[str] | None = None, *, may_replace: bool = True, prefix: str = ""
) -> list[Path]:
    """Write the tables into `folder`, which is made where it is missing; the paths written.

    runs.csv and samples.csv and, where the session has recordings, theirs (`tables_of`), whose names begin with
    `prefix`; of these only `files`, which are named without it.

    Raises:
        ExportError: the folder is a file, or cannot be made or written to.
    """
    if folder.exists() and not folder.is_dir():
        raise ExportError(f"cannot write to {folder}: it is not a folder. Choose another name")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ExportError(describe_write_fault(folder, error)) from error
    own = {table.file for table in TRACE_TABLES}
    tables: list[tuple[str, list[Row], tuple[str, ...]]] = [
        (RUNS_CSV, run_rows(session), RUN_COLUMNS),
        (SAMPLES_CSV, sample_rows(session), SAMPLE_COLUMNS),
    ]
    names = session.version_names
    tables += [(one.file, one.rows(session.traces, names), one.columns) for one in tables_of(session.traces)]
    tables = [table for table in tables if files is None or table[0] in files]
    written = [folder / f"{prefix if name in own else ''}{name}" for name, _, _ in tables]
    for path, (_, rows, columns) in zip(written, tables, strict=True):
        write_csv(rows, path, columns, may_replace=may_replace)
    return written


def _run_row(run: RunResult) -> Row:
    spec, shape, launch, timing, accuracy = run.spec, run.spec.shape, run.launch, run.timing, run.accuracy
    kernel_ms = timing.kernel_ms
    values: dict[str, str | int | float] = {
        "kernel": spec.kernel,
        "params": format_params(spec.params),
        "m": shape.m,
        "n": shape.n,
        "k": shape.k,
        "fill": spec.fill.value,
        "seed": spec.seed,
        "device": run.device.id,
        "arithmetic": run.arithmetic.value,
        "build": run.build,
        "grid": "x".join(map(str, launch.grid)),
        "block": "x".join(map(str, launch.block)),
        "shared_bytes": launch.shared_bytes,
        "mode": timing.mode.value,
        "median_ms": kernel_ms.median,
        "iqr_ms": kernel_ms.iqr if has_quartiles(kernel_ms.n) else "",
        "min_ms": kernel_ms.min,
        "samples": kernel_ms.n,
        "discarded": timing.discarded,
        "stopped_by": timing.stopped_by.value,
        "host_clock_ms": timing.host_clock_ms.median,
        "first_launch_ms": timing.first_launch_ms,
        "compile_ms": timing.compile_ms,
        "gflops": "" if run.is_emulated else run.gflops,
        "relative_frobenius": accuracy.relative_frobenius,
        "max_error_over_ug": accuracy.max_error_over_ug,
        "bound": accuracy.bound,
        "passed": "true" if accuracy.passed else "false",
        "exact_matches": accuracy.exact_matches,
        "exact_reference": accuracy.exact_reference,
        "elements": accuracy.elements,
        "registers": run.resources.registers,
        "local_bytes": run.resources.local_bytes,
        "spill_store_bytes": run.resources.spill_store_bytes,
        "spill_load_bytes": run.resources.spill_load_bytes,
        "throttled": int(timing.gauges.throttled.sum()),
        "emulated": "true" if run.is_emulated else "false",
    }
    values |= zip(WHOLE_COLUMNS, whole_cells(timing.whole), strict=True)
    values |= zip(PINNED_COLUMNS, whole_cells(timing.pinned), strict=True)
    values |= zip(PLACE_COLUMNS, place_cells(run.device, run.finished), strict=True)
    if not run.resources.are_known:
        values |= dict.fromkeys(_RESOURCE_COLUMNS, "")
    if is_library_run(run):
        values |= dict.fromkeys(_LAUNCH_COLUMNS, "")
    return {name: values[name] for name in RUN_COLUMNS}
