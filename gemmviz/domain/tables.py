"""The runs of a session as flat rows, and those as CSV files."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO

from gemmviz.domain.access import SECTOR_BYTES, Site
from gemmviz.domain.atomic import WriteError, describe_write_fault, write_atomically
from gemmviz.domain.result import RunResult, Session
from gemmviz.domain.spec import Params
from gemmviz.domain.trace_run import TraceRun

Row = dict[str, str | int | float]
"""A figure or word for each column's name, in the order of the columns."""

RUNS_CSV = "runs.csv"
SAMPLES_CSV = "samples.csv"
SITES_CSV = "sites.csv"

RUN_COLUMNS = (
    *("kernel", "params", "m", "n", "k", "fill", "seed", "device", "arithmetic", "build"),
    *("grid", "block", "shared_bytes", "mode", "median_ms", "iqr_ms", "min_ms", "samples", "discarded"),
    *("stopped_by", "host_clock_ms", "h2d_ms", "d2h_ms", "end_to_end_ms", "first_launch_ms", "compile_ms"),
    *("gflops", "relative_frobenius", "max_error_over_ug", "bound", "passed", "exact_matches", "elements"),
)
SITE_COLUMNS = (
    *("kernel", "params", "m", "n", "k", "blocks_recorded", "blocks", "line", "column", "text", "space", "kind"),
    *("width_bytes", "array", "accesses", "requests", "sectors", "lines_128", "bytes_asked", "bytes_fetched"),
    *("wavefronts", "ideal_wavefronts"),
)
SAMPLE_COLUMNS = ("run", "kernel", "sample", "kernel_ms", "host_clock_ms")


class ExportError(Exception):
    """Tables that cannot be written; one line that names the folder or file, the fault and the remedy."""


def run_rows(session: Session) -> list[Row]:
    """One row for each run, with RUN_COLUMNS: times in ms, gflops in 10^9 operations per second."""
    return [_run_row(run) for run in session.runs]


def sample_rows(session: Session) -> list[Row]:
    """One row for each sample of each run, with SAMPLE_COLUMNS; `run` and `sample` count from 0."""
    return [
        dict(zip(SAMPLE_COLUMNS, (number, run.spec.kernel, sample, kernel_ms, host_ms), strict=True))
        for number, run in enumerate(session.runs)
        for sample, (kernel_ms, host_ms) in enumerate(
            zip(run.timing.kernel_samples_ms.tolist(), run.timing.host_samples_ms.tolist(), strict=True)
        )
    ]


def site_rows(session: Session) -> list[Row]:
    """One row for each site of each recording, with SITE_COLUMNS; counts are sums over the recorded blocks."""
    return [_site_row(run, site) for run in session.traces for site in run.sites]


def csv_text(rows: Sequence[Row], columns: Sequence[str] | None = None) -> str:
    """Rows as RFC 4180 CSV; a float is written so that it reads back as the same number.

    `columns` are those of the first row where none are given; they make the heading where there is no row.

    Raises:
        ValueError: a row has other columns.
    """
    names = list(columns if columns is not None else rows[0] if rows else ())
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, names, lineterminator="\r\n")
    if names:
        writer.writeheader()
    for row in rows:
        if row.keys() != set(names):
            raise ValueError(f"a row with the columns {', '.join(row)} does not fit {', '.join(names)}")
        writer.writerow(row)
    return text.getvalue()


def write_csv(rows: Sequence[Row], path: Path, columns: Sequence[str] | None = None) -> None:
    """Write rows as `csv_text` makes them, in UTF-8.

    Raises:
        ExportError: the folder or the file cannot be written.
        ValueError: a row has other columns.
    """
    # A name taken from the file system may hold what UTF-8 cannot.
    data = csv_text(rows, columns).encode("utf-8", errors="backslashreplace")

    def write(file: BinaryIO) -> None:
        file.write(data)

    try:
        write_atomically(path, write)
    except WriteError as error:
        raise ExportError(str(error)) from error


def export_csv(session: Session, folder: Path) -> list[Path]:
    """Write the tables into `folder`, which is made where it is missing; the paths written.

    runs.csv and samples.csv, and sites.csv where the session has recordings.

    Raises:
        ExportError: the folder is a file, or cannot be made or written to.
    """
    if folder.exists() and not folder.is_dir():
        raise ExportError(f"cannot write to {folder}: it is not a folder: choose another name")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ExportError(describe_write_fault(folder, error)) from error
    runs, samples = folder / RUNS_CSV, folder / SAMPLES_CSV
    write_csv(run_rows(session), runs, RUN_COLUMNS)
    write_csv(sample_rows(session), samples, SAMPLE_COLUMNS)
    if not session.traces:
        return [runs, samples]
    sites = folder / SITES_CSV
    write_csv(site_rows(session), sites, SITE_COLUMNS)
    return [runs, samples, sites]


def format_params(params: Params) -> str:
    """A kernel's parameters as the command line takes them, with a space between: "BM=64 BN=32"."""
    return " ".join(f"{name}={value}" for name, value in params)


def _site_row(run: TraceRun, site: Site) -> Row:
    shape, counts, i = run.spec.shape, run.counts, site.index
    sectors = int(counts.sectors[i])
    values = (
        run.spec.kernel, format_params(run.spec.params), shape.m, shape.n, shape.k, run.blocks_recorded,
        run.blocks_in_grid, site.line, site.column, site.text, site.space.value, site.kind.value, site.width_bytes,
        site.array, int(counts.accesses[i]), int(counts.requests[i]), sectors, int(counts.lines[i]),
        int(counts.bytes_asked[i]), SECTOR_BYTES * sectors, int(counts.wavefronts[i]),
        int(counts.ideal_wavefronts[i]),
    )  # fmt: skip
    return dict(zip(SITE_COLUMNS, values, strict=True))


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
        "iqr_ms": kernel_ms.iqr,
        "min_ms": kernel_ms.min,
        "samples": kernel_ms.n,
        "discarded": timing.discarded,
        "stopped_by": timing.stopped_by.value,
        "host_clock_ms": timing.host_clock_ms.median,
        "h2d_ms": timing.h2d_ms,
        "d2h_ms": timing.d2h_ms,
        "end_to_end_ms": timing.end_to_end_ms,
        "first_launch_ms": timing.first_launch_ms,
        "compile_ms": timing.compile_ms,
        "gflops": run.gflops,
        "relative_frobenius": accuracy.relative_frobenius,
        "max_error_over_ug": accuracy.max_error_over_ug,
        "bound": accuracy.bound,
        "passed": "true" if accuracy.passed else "false",
        "exact_matches": accuracy.exact_matches,
        "elements": accuracy.elements,
    }
    return {name: values[name] for name in RUN_COLUMNS}
