"""The report of `gemmviz trace` for a person: the source with figures in the margin, totals, reuse, hazards."""

from __future__ import annotations

import sys

from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from gemmviz.domain import figures
from gemmviz.domain.trace_run import TraceRun
from gemmviz.trace.explain import lines_of, totals_of
from gemmviz.trace.reuse import loads_per_element

_PIPED_WIDTH = 120
_MARGIN = (10, 12, 11, 11)
"""Widths of the figures left of the source."""


def print_trace(run: TraceRun) -> None:
    """Print a recording on standard output."""
    console = Console(width=None if sys.stdout.isatty() else _PIPED_WIDTH)
    params = " ".join(f"{name}={value}" for name, value in run.spec.params)
    which = "all" if run.blocks_recorded == run.blocks_in_grid else f"{run.blocks_recorded} of"
    console.print(
        f"[bold]{run.spec.kernel}[/] {params}  {run.spec.shape}, {which} {figures.count(run.blocks_in_grid)} blocks, "
        f"{figures.count(run.accesses)} accesses recorded on {run.device.name}", highlight=False,
    )  # fmt: skip
    if not run.keeps_barriers:
        console.print("recorded with each thread running past the barriers: its control flow allows no other way")
    console.print()
    _print_source(console, run)
    console.print()
    console.print(_totals(run))
    console.print()
    console.print(_reuse(run))
    _print_hazards(console, run)


def _print_source(console: Console, run: TraceRun) -> None:
    """The kernel from its first line behind the header; figures stand left of the lines that cause them."""
    lines = {line.line: line for line in lines_of(run)}
    at_fault = {hazard.line for hazard in run.hazards}
    source = run.source_text.splitlines()
    heads = ("requests", "sectors/req", "shared", "excess")
    _print_line(console, heads, " ", "line", Text(""), "dim")
    for number in range(_first_line(source), len(source) + 1):
        counts = lines.get(number)
        cells = ["", "", "", ""]
        if counts is not None and counts.global_requests:
            cells[:2] = figures.count(counts.global_requests), f"{counts.sectors_per_request:.2f}"
        if counts is not None and counts.shared_requests:
            cells[2:] = figures.count(counts.shared_requests), figures.count(counts.excess_wavefronts)
        style = "bold red" if number in at_fault else "" if counts is not None else "dim"
        mark = "!" if number in at_fault else " "
        _print_line(console, tuple(cells), mark, str(number), Text(source[number - 1], style), "")


def _print_line(console: Console, cells: tuple[str, ...], mark: str, number: str, code: Text, style: str) -> None:
    """One line of source with its margin; what does not fit the width is cut off, never wrapped."""
    margin = "".join(cell.rjust(width) for cell, width in zip(cells, _MARGIN, strict=True))
    line = Text(f"{margin}  {mark} ", style).append(number.rjust(4), "dim").append("  ").append_text(code)
    console.print(line, no_wrap=True, overflow="ellipsis", crop=True)


def _first_line(source: list[str]) -> int:
    for number, line in enumerate(source, 1):
        if "---*/" in line:
            while number < len(source) and not source[number].strip():
                number += 1
            return number + 1
    return 1


def _totals(run: TraceRun) -> Table:
    totals = totals_of(run)
    table = Table(
        title="[bold]Totals, recorded addresses as written[/]", title_justify="left", title_style="none", box=None,
        padding=(0, 2, 0, 0), header_style="dim",
    )  # fmt: skip
    table.add_column("")
    for column in ("requests", "sectors", "per request", "wavefronts", "ideal", "excess"):
        table.add_column(column, justify="right")
    for name, requests, sectors in (
        ("global loads", totals.global_load_requests, totals.global_load_sectors),
        ("global stores", totals.global_store_requests, totals.global_store_sectors),
    ):
        per = f"{sectors / requests:.3f}" if requests else ""
        table.add_row(name, figures.count(requests), figures.count(sectors), per, "", "", "")
    for name, requests, wavefronts, ideal in (
        (
            "shared loads", totals.shared_load_requests, totals.shared_load_wavefronts,
            totals.shared_load_ideal_wavefronts,
        ),
        (
            "shared stores", totals.shared_store_requests, totals.shared_store_wavefronts,
            totals.shared_store_ideal_wavefronts,
        ),
    ):  # fmt: skip
        if requests:
            excess = figures.count(wavefronts - ideal)
            table.add_row(
                name, figures.count(requests), "", "", figures.count(wavefronts), figures.count(ideal), excess
            )
    return table


def _reuse(run: TraceRun) -> Table:
    totals = totals_of(run)
    table = Table(box=None, padding=(0, 2, 0, 0), show_header=False)
    table.add_column(style="dim")
    table.add_column(justify="right")
    table.add_column(style="dim")
    rows = [
        ("bytes asked for", totals.bytes_asked, "distinct bytes of each request"),
        ("bytes fetched", totals.bytes_fetched, "32 for each sector"),
        ("bytes ideal", totals.bytes_ideal, "A and B read once, C written once"),
    ]
    for name, nbytes, note in rows:
        table.add_row(name, figures.count(nbytes), note)
    for name, loads in (("A", run.a_loads), ("B", run.b_loads)):
        found = loads_per_element(loads)
        table.add_row(f"loads of an element of {name}", f"{found.median:g}", f"median; from {found.min} to {found.max}")
    return table


def _print_hazards(console: Console, run: TraceRun) -> None:
    console.print()
    if not run.hazards:
        console.print("no hazards found", style="green")
    if 0 < run.blocks_searched < run.blocks_recorded:
        console.print(
            f"races and unwritten reads were searched in {figures.count(run.blocks_searched)} of "
            f"{figures.count(run.blocks_recorded)} blocks, all else in every block", style="dim", highlight=False,
        )  # fmt: skip
    for hazard in run.hazards:
        kind = str(hazard.kind).replace("_", " ")
        times = f", {figures.count(hazard.count)} times" if hazard.count > 1 else ""
        console.print(
            f"[bold red]{kind}[/] line {hazard.line}, block {hazard.block}{times}: {escape(hazard.detail)}",
            highlight=False,
        )
    for skipped in run.skipped:
        console.print(f"not recorded: line {skipped.line}, {escape(skipped.text)}: {skipped.reason}", style="dim")
