"""The report of `gemmviz run` for a person: times, what surrounds them, accuracy, small matrices in full."""

from __future__ import annotations

import sys

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from gemmviz.cli.document import speedups
from gemmviz.cli.request import Request
from gemmviz.domain import figures
from gemmviz.domain.device import Device, DeviceKind
from gemmviz.domain.noise import SHORT_MS, is_noisy
from gemmviz.domain.result import RunResult
from gemmviz.domain.session import Session
from gemmviz.domain.terms import Fill, StopReason
from gemmviz.measure.bench import Inputs, Matrix

SMALL = 8
"""Matrices up to this many rows and columns are printed in full, as in the tutorials."""

_PIPED_WIDTH = 100
_SEEDED = (Fill.UNIFORM, Fill.NORMAL, Fill.INTEGERS, Fill.INTEGERS_2147)

Noted = tuple[Table, str]
"""A table and what its columns mean."""


def print_report(
    session: Session,
    request: Request,
    inputs: Inputs,
    results: list[tuple[str, Matrix]],
    host_kernels: list[str],
    floor_ms: float | None,
) -> None:
    """Print what was found out on standard output; `results` are the C of each kernel, by its name."""
    console = Console(width=None if sys.stdout.isatty() else _PIPED_WIDTH)
    if session.runs:
        _print_experiment(console, session, request)
    if session.runs:
        for table, note in (
            _times(session, request, host_kernels, floor_ms),
            _host_clock(session),
            _surroundings(session),
            _accuracy(session),
        ):
            console.print()
            console.print(table)
            console.print(note, style="dim", highlight=False)
        _print_mismatches(console, session)
    if session.runs and max(request.shape.m, request.shape.n, request.shape.k) <= SMALL:
        _print_matrices(console, inputs, results)
    for error in session.errors if request.is_ladder else ():
        console.print(f"\n[bold]{error.kernel}[/] did not run: ", end="", highlight=False)
        console.print(error.reason.removeprefix(f"{error.kernel}: "), markup=False, highlight=False)
    if request.out is not None:
        console.print(f"\nsaved {request.out}", markup=False, highlight=False)


def _print_experiment(console: Console, session: Session, request: Request) -> None:
    shape = request.shape
    product = escape(f"C[{shape.m},{shape.n}] = A[{shape.m},{shape.k}] · B[{shape.k},{shape.n}]")
    seed = f", seed {request.seed}" if request.fill in _SEEDED else ""
    made = figures.milliseconds(session.init_ms)
    console.print(f"[bold]{product}[/]  {request.fill}{seed}; A and B made in {made}", highlight=False)
    console.print(_device_line(session.device), style="dim", highlight=False)


def _device_line(device: Device) -> str:
    line = f"{device.name}, {device.compute_units} compute units"
    if device.kind is DeviceKind.CPU and device.backend != "host":
        line += ": times of GPU kernels on a CPU are not GPU times."
    return line


def _name(run: RunResult) -> str:
    params = " ".join(f"{name}={value}" for name, value in run.spec.params)
    return f"[bold]{run.spec.kernel}[/]" + (f" [dim]{params}[/]" if params else "")


def _table(title: str) -> Table:
    table = Table(
        title=f"[bold]{title}[/]", title_justify="left", title_style="none", box=None, padding=(0, 2, 0, 0),
        header_style="dim",
    )  # fmt: skip
    table.add_column("kernel", overflow="fold", min_width=12)
    return table


def _add_figures(table: Table, *columns: str) -> None:
    for column in columns:
        table.add_column(column, justify="right", no_wrap=True)


def _times(session: Session, request: Request, host_kernels: list[str], floor_ms: float | None) -> Noted:
    runs = session.runs
    limited = any(run.timing.stopped_by is StopReason.TIME_LIMIT for run in runs)
    notes = ["median and interquartile range of n samples on the device's clock (a CPU kernel's: the host's)"]
    if host_kernels:
        notes.append("× is times faster than")
    if limited:
        notes.append("* the time ran out before the noise was steady")
    if any(is_noisy(run.timing.kernel_ms) for run in runs):
        notes.append("~ noisy: the interquartile range exceeds half the median, so ratios with it mean little")
    if floor_ms is not None and any(run.timing.kernel_ms.median < SHORT_MS for run in runs):
        notes.append(f"an empty kernel takes {figures.milliseconds(floor_ms)} on {session.device.name}")
    table = _table(f"Kernel time, measured, {request.mode} caches")
    _add_figures(table, "median", "IQR", "n", "GFLOP/s")
    ran = [name for name in host_kernels if any(run.spec.kernel == name for run in runs)]
    compared = list(dict.fromkeys([*ran[:1], *ran[-1:]]))  # as many as fit; the JSON document has them all
    _add_figures(table, *(f"× {name}" for name in compared))
    for run in runs:
        kernel_ms = run.timing.kernel_ms
        ratio = speedups(run, runs, host_kernels)
        star = "*" if run.timing.stopped_by is StopReason.TIME_LIMIT else ""
        table.add_row(
            _name(run),
            figures.milliseconds(kernel_ms.median),
            figures.milliseconds(kernel_ms.iqr),
            f"{'~' if is_noisy(kernel_ms) else ''}{kernel_ms.n}{star}",
            figures.number(run.gflops),
            *(figures.number(ratio[name]) if name in ratio else "" for name in compared),
        )
    return table, "; ".join(notes)


def _host_clock(session: Session) -> Noted:
    table = _table("The same launches on the host's clock, measured")
    _add_figures(table, "waited", "not waited", "whole")
    for run in session.runs:
        timing = run.timing
        times_ms = (timing.host_clock_ms.median, timing.unsynchronised_ms, timing.end_to_end_ms)
        table.add_row(_name(run), *(figures.milliseconds(value) for value in times_ms))
    note = (
        "waited: launch and wait for its end; not waited: what a clock reads that nobody made wait; "
        "whole: A and B in, one launch, C out"
    )
    return table, note


def _surroundings(session: Session) -> Noted:
    table = _table("Around the kernel, measured on the host's clock")
    _add_figures(table, "in", "out", "first launch", "build")
    for run in session.runs:
        timing = run.timing
        times_ms = (timing.h2d_ms, timing.d2h_ms, timing.first_launch_ms, timing.compile_ms)
        table.add_row(_name(run), *(figures.milliseconds(value) for value in times_ms))
    return table, "in: A and B to the device; out: C back; build: translating, compiling and choosing a method"


def _accuracy(session: Session) -> Noted:
    table = _table("Accuracy, derived from the float64 product of the same inputs")
    note = (
        "equal: elements equal to another kernel's, or to the float64 product rounded; they need not be, as the order "
        "of a sum and fused multiply-adds round differently"
    )
    _add_figures(table, "‖C-R‖ / ‖R‖", "max |C-R| / (u·G)", "bound")
    table.add_column("")
    table.add_column("equal", justify="right", overflow="fold")
    table.add_column("built as", overflow="fold", style="dim")
    for run in session.runs:
        accuracy = run.accuracy
        equal = accuracy.method
        if accuracy.elements:
            reference = accuracy.exact_reference.split()[0]
            equal = f"{accuracy.exact_matches / accuracy.elements:.1%} of {reference}"
        table.add_row(
            _name(run),
            figures.scientific(accuracy.relative_frobenius),
            figures.number(accuracy.max_error_over_ug),
            figures.count(round(accuracy.bound)),
            "[green]passed[/]" if accuracy.passed else "[bold red]WRONG[/]",
            equal,
            run.build,
        )
    return table, note


def _print_mismatches(console: Console, session: Session) -> None:
    for run in session.runs:
        accuracy = run.accuracy
        if accuracy.unwritten:
            console.print(
                f"\n{_name(run)}: {figures.count(accuracy.unwritten)} elements of C were never written, "
                "or added to without a start value"
            )
        if accuracy.first_mismatches and (not accuracy.passed or len(session.runs) == 1):
            console.print(f"\n{_name(run)}: first elements that differ from {accuracy.exact_reference}")
            for wrong in accuracy.first_mismatches[:5]:
                place = escape(f"C[{wrong.row},{wrong.column}]")
                console.print(f"  {place} = {wrong.got:.9g}, there {wrong.expected:.9g}", highlight=False)


def _print_matrices(console: Console, inputs: Inputs, results: list[tuple[str, Matrix]]) -> None:
    matrices: list[tuple[str, NDArray[np.floating]]] = [("A", inputs.operands.a), ("B", inputs.operands.b)]
    if inputs.reference is not None:
        matrices.append(("A · B in float64", inputs.reference.r))
    matrices += [(f"C by {name}", c) for name, c in results]
    for name, matrix in matrices:
        console.print(f"\n[bold]{name}[/]")
        cells = [[f"{value:.7g}" for value in row] for row in matrix]
        width = max(len(cell) for row in cells for cell in row)
        for row in cells:
            console.print("  " + "  ".join(cell.rjust(width) for cell in row), highlight=False)
