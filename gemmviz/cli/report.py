"""The report of `gemmviz run` for a person: times, accuracy, small matrices in full."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from gemmviz.cli import figures
from gemmviz.cli.document import speedups
from gemmviz.cli.request import Request
from gemmviz.domain.device import Device, DeviceKind
from gemmviz.domain.result import RunResult
from gemmviz.domain.session import Session
from gemmviz.domain.terms import StopReason
from gemmviz.measure.bench import Inputs

SMALL = 8
"""Matrices up to this many rows and columns are printed in full, as in the tutorials."""


def print_report(session: Session, request: Request, inputs: Inputs, host_kernels: list[str]) -> None:
    """Print what was found out on standard output."""
    console = Console()
    seed = f", seed {request.seed}" if request.fill in ("uniform", "normal", "integers", "integers_2147") else ""
    shape = request.shape
    product = escape(f"C[{shape.m},{shape.n}] = A[{shape.m},{shape.k}] · B[{shape.k},{shape.n}]")
    made = figures.milliseconds(session.init_ms)
    console.print(f"[bold]{product}[/]  {request.fill}{seed}; A and B made in {made}", highlight=False)
    console.print(_device_line(session.device), style="dim", highlight=False)
    if session.runs:
        console.print()
        console.print(_times(session, request, host_kernels))
        console.print()
        console.print(_accuracy(session))
        _print_mismatches(console, session)
    if max(request.shape.m, request.shape.n, request.shape.k) <= SMALL:
        _print_matrices(console, inputs)
    for error in session.errors:
        console.print()
        console.print(f"[bold]{error.kernel}[/] did not run: ", end="", highlight=False)
        console.print(error.reason.removeprefix(f"{error.kernel}: "), markup=False, highlight=False)
    if request.out is not None:
        console.print()
        console.print(f"saved {request.out}", markup=False, highlight=False)


def _device_line(device: Device) -> str:
    line = f"{device.name}, {device.compute_units} compute units"
    if device.kind is DeviceKind.CPU and device.backend != "host":
        line += ". Times of GPU kernels on a CPU are not GPU times; barriers cost more here than they save."
    return line


def _name(run: RunResult) -> str:
    return " ".join([run.spec.kernel, *(f"{name}={value}" for name, value in run.spec.params)])


def _times(session: Session, request: Request, host_kernels: list[str]) -> Table:
    runs = session.runs
    table = Table(
        title=f"Time, measured, caches {request.mode}", title_justify="left", box=None, padding=(0, 2, 0, 0),
        caption="kernel: median of the device's own times ± IQR · host: the host's clock around launch and wait · "
        "in/out: A and B to the device, C back · whole: in, one launch, out",
        caption_justify="left",
    )  # fmt: skip
    table.add_column("kernel", style="bold", overflow="fold")
    for column in ("kernel time", "± IQR", "n", "host", "in", "out", "whole", "GFLOP/s"):
        table.add_column(column, justify="right", no_wrap=True)
    compared = [name for name in host_kernels if any(run.spec.kernel == name for run in runs)]
    for name in compared:
        table.add_column(f"× {name}", justify="right", no_wrap=True)
    for run in runs:
        timing = run.timing
        kernel_ms = timing.kernel_ms
        ratio = speedups(run, runs, host_kernels)
        limited = "*" if timing.stopped_by in (StopReason.TIME_LIMIT, StopReason.CANCELLED) else ""
        table.add_row(
            _name(run),
            figures.milliseconds(kernel_ms.median),
            figures.milliseconds(kernel_ms.iqr),
            f"{kernel_ms.n}{limited}",
            figures.milliseconds(timing.host_clock_ms.median),
            figures.milliseconds(timing.h2d_ms),
            figures.milliseconds(timing.d2h_ms),
            figures.milliseconds(timing.end_to_end_ms),
            figures.number(run.gflops),
            *(figures.number(ratio[name]) if name in ratio else "" for name in compared),
        )
    return table


def _accuracy(session: Session) -> Table:
    table = Table(
        title="Accuracy, derived from the float64 product of the same inputs", title_justify="left", box=None,
        padding=(0, 2, 0, 0),
        caption="equal elements need not be all: summation order and fused multiply-adds round differently",
        caption_justify="left",
    )  # fmt: skip
    table.add_column("kernel", style="bold", overflow="fold")
    for column in ("‖C-R‖ / ‖R‖", "max |C-R| / (u·G)", "bound"):
        table.add_column(column, justify="right", no_wrap=True)
    table.add_column("")
    table.add_column("equal elements", justify="right")
    table.add_column("built as", overflow="fold", style="dim")
    for run in session.runs:
        accuracy = run.accuracy
        exact = (
            f"{figures.count(accuracy.exact_matches)} of {figures.count(accuracy.elements)}"
            if accuracy.elements
            else accuracy.method
        )
        table.add_row(
            _name(run),
            figures.scientific(accuracy.relative_frobenius),
            figures.number(accuracy.max_error_over_ug),
            figures.number(accuracy.bound),
            "[green]passed[/]" if accuracy.passed else "[bold red]WRONG[/]",
            exact,
            run.build,
        )
    return table


def _print_mismatches(console: Console, session: Session) -> None:
    for run in session.runs:
        accuracy = run.accuracy
        if accuracy.unwritten:
            console.print(f"{_name(run)}: {figures.count(accuracy.unwritten)} elements of C were never written")
        if accuracy.first_mismatches and (not accuracy.passed or len(session.runs) == 1):
            console.print(f"\n{_name(run)}, first elements that differ from {accuracy.exact_reference}:", style="dim")
            for wrong in accuracy.first_mismatches[:5]:
                console.print(
                    rf"  C\[{wrong.row},{wrong.column}] = {wrong.got:.9g}, there {wrong.expected:.9g}", highlight=False
                )


def _print_matrices(console: Console, inputs: Inputs) -> None:
    reference = inputs.reference
    for name, matrix in (("A", inputs.operands.a), ("B", inputs.operands.b)):
        _print_matrix(console, name, matrix)
    if reference is not None:
        _print_matrix(console, "A · B", reference.r)


def _print_matrix(console: Console, name: str, matrix: NDArray[np.floating]) -> None:
    console.print(f"\n[bold]{name}[/]")
    cells = [[f"{value:.6g}" for value in row] for row in matrix]
    width = max(len(cell) for row in cells for cell in row)
    for row in cells:
        console.print("  " + "  ".join(cell.rjust(width) for cell in row), highlight=False)
