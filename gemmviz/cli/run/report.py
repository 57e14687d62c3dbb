"""The report of `gemmviz run` for a person: times, what surrounds them, accuracy, small matrices in full."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from rich.table import Table
from rich.text import Text

from gemmviz.cli.run.gpu_report import (
    COMPILER_NOTES,
    SENSOR_NOTES,
    fill_gpu_table,
    have_facts,
    have_sensors,
    throttle_notes,
)
from gemmviz.cli.run.names import device_lines, names_of
from gemmviz.cli.run.printed import print_printed
from gemmviz.cli.run.request import CheckedRun
from gemmviz.cli.run.speedups import is_against_itself, speedups_of
from gemmviz.cli.run.sweep_verdicts import sweep_verdicts
from gemmviz.cli.terminal import Terminal, report_terminal, words
from gemmviz.domain import figures
from gemmviz.domain.device import Device
from gemmviz.domain.input_words import input_words
from gemmviz.domain.listing import listed
from gemmviz.domain.runs.baselines import IN_ITS_OWN, Baseline
from gemmviz.domain.runs.doubts import EMULATED, NOISY, STEADIER, TIME_RAN_OUT
from gemmviz.domain.runs.noise import SHORT_MS, is_noisy
from gemmviz.domain.runs.result import RunError, RunResult, timed_runs
from gemmviz.domain.runs.tables import format_params
from gemmviz.domain.runs.whole_words import (
    MEANING,
    NOT_KNOWN,
    parts_notes,
    spread_cells,
    why_kernel_differs,
    why_launch_differs,
)
from gemmviz.domain.runs.wrong_elements import SEARCHED, wrong_elements, wrong_lines
from gemmviz.domain.session.session import Session
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Fill, Mode, StopReason, Verdict
from gemmviz.explain.figures.sweep import meanings_of
from gemmviz.explain.figures.timing.speedup import UNRANKED, UNSURE, Speedup
from gemmviz.explain.runs.reference import reference_words, scaling_words
from gemmviz.measure.bench import Inputs, Matrix

SMALL = 8
"""Matrices up to this many rows and columns are printed in full, as in the tutorials."""

READ_BEFORE_WRITTEN = (
    "If it finds that the kernel reads C before writing it: C begins as NaN where nothing says that it is read, and C "
    "times beta stays NaN even where beta is 0. Give the parameter `beta` in 'args', or say start = \"zero\" in "
    "[operands.C]."
)
"""About an element that is no number, behind what `gemmviz trace` is for."""

Noted = tuple[Table, Sequence[str]]
"""A table and notes on its columns, each a line of its own."""
Names = Mapping[RunResult, Text]
"""What each run is called in a table, in their order."""
Speedups = Mapping[Baseline, Sequence[Speedup | None]]
"""Under each baseline one for each run."""


@dataclass(frozen=True, slots=True)
class CommonSetup:
    """What runs must have in common to stand in one table."""

    shape: Shape
    fill: Fill
    seed: int
    mode: Mode


def experiments_of(runs: Iterable[RunResult]) -> dict[CommonSetup, tuple[RunResult, ...]]:
    """Runs by experiment, both in the order of the runs."""
    found: dict[CommonSetup, tuple[RunResult, ...]] = {}
    for run in runs:
        spec = run.spec
        experiment = CommonSetup(spec.shape, spec.fill, spec.seed, run.timing.mode)
        found[experiment] = (*found.get(experiment, ()), run)
    return found


def print_report(
    session: Session,
    request: CheckedRun,
    inputs: Inputs,
    results: list[tuple[str, Matrix]],
    floor_ms: float | None,
) -> None:
    """Print what was found out on standard output; `results` are the C of each kernel, by its name."""
    terminal = report_terminal()
    for experiment, runs in experiments_of(session.runs).items():
        floor = "" if floor_ms is None else _floor_note(floor_ms, session.device)
        print_runs(terminal, experiment, runs, session.init_ms, floor, f"; {STEADIER} a larger --budget")
    if session.runs and max(request.shape.m, request.shape.n, request.shape.k) <= SMALL:
        _print_matrices(terminal, inputs, results)
    for kernel, params in request.jobs:
        if values := kernel.untried(params):
            terminal.print_words(
                f"{kernel.id} with {listed([f'{name}={value}' for name, value in values])} was not tried when it was "
                "described: the check above is what is known of it."
            )
    print_errors(terminal, session.errors if request.is_ladder else ())
    if request.out is not None:
        terminal.print()
        terminal.print_words(f"saved {request.out}")


def print_runs(
    terminal: Terminal,
    experiment: CommonSetup,
    runs: tuple[RunResult, ...],
    init_ms: float | None = None,
    floor_note: str = "",
    advice: str = "",
) -> None:
    """Print the runs of one experiment; `init_ms` is the time it took to make A and B, where it is known, `advice` what
    can be done about a time that the limit cut short.
    """
    _print_experiment(terminal, experiment, runs, init_ms)
    names = names_of(runs)
    timed = {run: names[run] for run in timed_runs(runs)}
    times = [_times(timed, floor_note, advice), _host_clock(timed), _whole_runs(timed)] if timed else []
    emulated = [_emulated({run: names[run] for run in runs if run.is_emulated})] if len(timed) < len(runs) else []
    gpu = [_gpu(names)] if have_facts(runs) else []
    for table, notes in (*times, *emulated, *gpu, _accuracy(names)):
        terminal.print()
        terminal.print_table(table)
        for note in notes:
            terminal.print_words(note, style="dim")
    _print_mismatches(terminal, names)
    for run, name in names.items():
        print_printed(terminal, str(name), run.printed)


def print_errors(terminal: Terminal, errors: Iterable[RunError]) -> None:
    """Print why kernels did not run."""
    for error in errors:
        params = "".join(f" {word}" for word in (*format_params(error.params).split(), error.size) if word)
        reason, *others = error.reason.removeprefix(f"{error.kernel}: ").splitlines() or [""]
        terminal.print()
        terminal.print_words((error.kernel, "bold"), f"{params} did not run: {reason}")
        for line in others:
            terminal.print_words(line, indent=2)


def _print_experiment(
    terminal: Terminal, experiment: CommonSetup, runs: tuple[RunResult, ...], init_ms: float | None
) -> None:
    shape = experiment.shape
    product = f"C[{shape.m},{shape.n}] = A[{shape.m},{shape.k}] · B[{shape.k},{shape.n}]"
    stored = {run.spec.computes.partition("; ")[2] for run in runs}  # how matrices lie, where that is not row by row
    if len(stored) == 1 and (how := stored.pop()):
        product = f"{product}; {how}"
    made = "" if init_ms is None else f"; A and B made in {figures.milliseconds(init_ms)}"
    terminal.print_words((product, "bold"), f"  {input_words(experiment.fill, experiment.seed)}{made}")
    for line in device_lines(runs):
        terminal.print_words(line, style="dim")


def _floor_note(floor_ms: float, device: Device) -> str:
    return f"An empty kernel takes {figures.milliseconds(floor_ms)} on {device.name}."


def _table(title: str) -> Table:
    table = Table(
        title=words((title, "bold")),
        title_justify="left",
        title_style="none",
        box=None,
        padding=(0, 2, 0, 0),
        header_style="dim",
    )
    table.add_column("kernel", overflow="fold", min_width=12)
    return table


def _add_figures(table: Table, *columns: str) -> None:
    for column in columns:
        table.add_column(column, justify="right", no_wrap=True)


def _times(names: Names, floor_note: str, advice: str) -> Noted:
    runs = tuple(names)
    against = _shown(speedups_of(runs))
    notes = [
        "median, IQR: median and interquartile range of n samples (fewer than 4: –), by the device clock (host clock "
        "for CPU kernels)"
    ]
    notes += _speedup_notes(runs, against)
    if any(run.timing.stopped_by is StopReason.TIME_LIMIT for run in runs):
        notes.append(f"{TIME_RAN_OUT}{advice}")
    if any(is_noisy(run.timing.kernel_ms) for run in runs):
        notes.append(NOISY)
    if floor_note and any(run.timing.kernel_ms.median < SHORT_MS for run in runs):
        notes.append(floor_note)
    verdicts = sweep_verdicts(runs)
    if verdicts:
        notes.append(
            "; ".join(
                (
                    "in turn: the settings of one sweep, sampled in rounds of random order, each compared with the one "
                    "of the lowest median by pairs of samples",
                    *meanings_of(verdicts.values()),
                )
            )
        )
    table = _table(f"Kernel time, measured, {runs[0].timing.mode} caches")
    _add_figures(table, "median", "IQR", "n", "GFLOP/s", *(f"× {baseline.words}" for baseline in against))
    if verdicts:
        table.add_column("in turn", no_wrap=True)
    unit = figures.time_unit(run.timing.kernel_ms.median for run in runs)
    for place, run in enumerate(runs):
        kernel_ms = run.timing.kernel_ms
        star = "*" if run.timing.stopped_by is StopReason.TIME_LIMIT else ""
        marks = f"{'~' if is_noisy(kernel_ms) else ''}{star}"
        table.add_row(
            names[run],
            figures.milliseconds(kernel_ms.median, unit),
            figures.spread(kernel_ms.iqr, kernel_ms.median, kernel_ms.n, unit),
            f"{kernel_ms.n} {marks}".rstrip(),
            figures.number(run.gflops),
            *(_ratio(run, speedups[place]) for speedups in against.values()),
            *((verdicts[run].words if run in verdicts else "",) if verdicts else ()),
        )
    return table, notes


def _emulated(names: Names) -> Noted:
    """What the PTX machine took, apart from all measured times."""
    table = _table("Emulated: executed once")
    _add_figures(table, "in", "build")
    times_ms = [(run.timing.kernel_ms.median, run.timing.compile_ms) for run in names]
    for name, cells in zip(names.values(), _time_cells(times_ms), strict=True):
        table.add_row(name, *cells)
    return table, (EMULATED,)


def _shown(speedups: Speedups) -> Speedups:
    """Speed-ups over the libraries, the first and the last CPU kernel: as many as fit. A JSON document has all."""
    of_cpu = [baseline for baseline in speedups if not baseline.is_library]
    left_out = of_cpu[1:-1]
    return {baseline: found for baseline, found in speedups.items() if baseline not in left_out}


def _speedup_notes(runs: tuple[RunResult, ...], against: Speedups) -> list[str]:
    notes = ["× NAME: speed-up, the median time of NAME divided by this kernel's"] if against else []
    notes += [
        f"× {baseline.words}: speed-up over {baseline.words} {IN_ITS_OWN}"
        for baseline in against
        if baseline.is_library
    ]
    ratios = (_ratio(run, one) for found in against.values() for run, one in zip(runs, found, strict=True))
    if any(ratio.startswith(UNSURE) for ratio in ratios):
        notes.append(f"{UNSURE} {UNRANKED}")
    return notes


def _ratio(run: RunResult, speedup: Speedup | None) -> str:
    if speedup is None:
        return ""
    if is_against_itself(run, speedup):
        return figures.number(1.0)
    return f"{UNSURE if speedup.verdict is Verdict.CANNOT_TELL else ''}{speedup.figure}"


def _host_clock(names: Names) -> Noted:
    table = _table("Around the kernel, measured by the host clock")
    _add_figures(table, "waited", "not waited", "first launch", "build")
    timings = [run.timing for run in names]
    times_ms = [
        (each.host_clock_ms.median, each.unsynchronised_ms, each.first_launch_ms, each.compile_ms) for each in timings
    ]
    for name, cells in zip(names.values(), _time_cells(times_ms), strict=True):
        table.add_row(name, *cells)
    notes = (
        "waited: launch and wait for completion; not waited: launch only, as a program that forgets to wait "
        "measures it",
        "first launch: the very first one, with all lazy initialisation; build: translating, compiling, "
        "choosing a method",
    )
    return table, notes


def _time_cells(rows_ms: Sequence[Sequence[float]]) -> Iterator[tuple[str, ...]]:
    """The cells of a table of times, row by row, each column in one unit; NOT_KNOWN for what is no number."""
    units = [figures.time_unit(column) for column in zip(*rows_ms, strict=True)]
    for row in rows_ms:
        cells = zip(row, units, strict=True)
        yield tuple(NOT_KNOWN if math.isnan(ms) else figures.milliseconds(ms, unit) for ms, unit in cells)


def _whole_runs(names: Names) -> Noted:
    table = _table("End-to-end time, measured")
    _add_figures(table, "in", "kernel", "waiting", "out", "end to end", "IQR", "n")
    wholes = [run.timing.whole for run in names]
    times_ms = [(*whole.parts, whole.median) for whole in wholes]
    unit = figures.time_unit(whole.median for whole in wholes)
    for name, whole, cells in zip(names.values(), wholes, _time_cells(times_ms), strict=True):
        in_ms, kernel_ms, waiting_ms, out_ms, median = cells
        if whole.is_estimate and kernel_ms != NOT_KNOWN:
            kernel_ms, waiting_ms = f"≈ {kernel_ms}", f"≈ {waiting_ms}"
        table.add_row(name, in_ms, kernel_ms, waiting_ms, out_ms, median, *spread_cells(whole, unit))
    whys = ((name, why_kernel_differs(run.timing) or why_launch_differs(run.timing)) for run, name in names.items())
    differs = (f"{name}: {why}" for name, why in whys if why)
    return table, (MEANING, *parts_notes(run.timing.whole for run in names), *differs)


def _gpu(names: Names) -> Noted:
    runs = list(names)
    with_sensors = have_sensors(runs)
    table = _table("On the GPU, from its compiler and its sensors" if with_sensors else "From the compiler")
    fill_gpu_table(table, runs, list(names.values()))
    return table, (*COMPILER_NOTES, *(SENSOR_NOTES if with_sensors else ()), *throttle_notes(runs))


def _accuracy(names: Names) -> Noted:
    table = _table("Accuracy, derived from the result of the same inputs in float64")
    notes = (
        f"‖C−R‖ / ‖R‖: relative error. {reference_words(run.spec for run in names)}",
        f"{figures.ERROR_NAME}: the largest {figures.ERROR_FORMULA} of an element of C; u: unit round-off, 2^-24; "
        f"{scaling_words(run.spec for run in names)}",
        "equal: elements that equal the reference bit for bit; not all need to, because another order of summation and "
        "fused multiply-adds round differently",
        *(f"{name}: computes {run.spec.computes}" for run, name in names.items() if run.spec.computes),
    )
    _add_figures(table, "‖C−R‖ / ‖R‖", figures.ERROR_NAME, "bound")
    table.add_column("")
    table.add_column("equal", justify="right", overflow="fold")
    table.add_column("built as", overflow="fold", style="dim")
    for run, name in names.items():
        accuracy = run.accuracy
        equal = accuracy.method
        if accuracy.elements:
            reference = accuracy.exact_reference.split()[0]
            equal = f"{accuracy.exact_matches / accuracy.elements:.1%} of {reference}"
        table.add_row(
            name,
            figures.scientific(accuracy.relative_frobenius),
            figures.number(accuracy.max_error_over_ug),
            figures.count(round(accuracy.bound)) if accuracy.bound >= 1 else figures.number(accuracy.bound),
            words(("passed", "green") if accuracy.passed else ("WRONG", "bold red")),
            equal,
            run.build,
        )
    return table, notes


def _print_mismatches(terminal: Terminal, names: Names) -> None:
    for run, name in names.items():
        accuracy = run.accuracy
        if accuracy.unwritten:
            terminal.print()
            terminal.print_words(
                f"{name.plain}: {figures.count(accuracy.unwritten)} elements of C were never written, "
                "or were added to without being initialised; a kernel that adds to C says in its header that "
                '`c_begins = "zero"`'
            )
        head, *elements = wrong_lines(run) or ("",)
        if elements:
            terminal.print()
            terminal.print_words((name.plain, "bold"), f"  {head}")
            for element in elements:
                terminal.print_words(element, indent=2)
            terminal.print_words(f"`gemmviz trace` searches the same kernel and size for {SEARCHED}.", style="dim")
        if any(math.isnan(one.got) for one in wrong_elements(run)) and not accuracy.unwritten:
            terminal.print_words(READ_BEFORE_WRITTEN, style="dim")


def _print_matrices(terminal: Terminal, inputs: Inputs, results: list[tuple[str, Matrix]]) -> None:
    matrices: list[tuple[str, NDArray[np.floating]]] = [("A", inputs.operands.a), ("B", inputs.operands.b)]
    if inputs.reference is not None:
        matrices.append(("A · B in float64", inputs.reference.r))
    matrices += [(f"C by {name}", c) for name, c in results]
    for name, matrix in matrices:
        terminal.print()
        terminal.print_words(name, style="bold")
        cells = [[f"{value:.7g}" for value in row] for row in matrix]
        width = max(len(cell) for row in cells for cell in row)
        for row in cells:
            terminal.print_words("  ".join(cell.rjust(width) for cell in row), indent=2)
