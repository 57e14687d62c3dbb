"""The report of `gemmviz trace` for a person: the source with figures in the margin, totals, reuse, hazards."""

from __future__ import annotations

from dataclasses import dataclass

from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from gemmviz.cli.output import report_console
from gemmviz.domain import figures
from gemmviz.domain.places import place_words
from gemmviz.domain.spec import format_params
from gemmviz.domain.trace_run import TraceRun
from gemmviz.domain.trace_tables import element_loads
from gemmviz.trace.explain import lines_of, totals_of, what_is_left_out, why_past_barriers

Block = tuple[int, int, int]

_PIPED_WIDTH = 120
_NOTE = (
    "req: requests, each of one warp; sect/req: sectors of 32 bytes per request; "
    "excess: wavefronts that bank conflicts add"
)


@dataclass(frozen=True, slots=True)
class _Margin:
    """A column left of the source: the memory it is about, its head, a text for each line that has one."""

    space: str
    head: str
    cells: dict[int, str]

    @property
    def width(self) -> int:
        return max(map(len, (self.head, *self.cells.values())))


def print_trace(run: TraceRun, block: Block | None = None) -> None:
    """Print a recording on standard output; `block` is the one that was recorded, where the recording keeps none."""
    console = report_console(_PIPED_WIDTH)
    which = _which(run, block)
    console.print(
        f"[bold]{escape(run.spec.kernel)}[/] {format_params(run.spec.params)}  {run.spec.shape}, {which}, "
        f"{figures.count(run.accesses)} accesses".replace("  ", " "), highlight=False,
    )  # fmt: skip
    console.print(f"recorded on {escape(place_words(run.device, run.finished))}", highlight=False)
    for note in (why_past_barriers(run), what_is_left_out(run)):
        if note:
            console.print(escape(note), style="yellow", highlight=False)
    console.print()
    _print_source(console, run)
    console.print()
    console.print(_totals(run, which))
    console.print()
    console.print(_reuse(run))
    _print_hazards(console, run)


def _which(run: TraceRun, block: Block | None) -> str:
    """The blocks that were recorded, in words."""
    grid, count = run.launch.grid, figures.count(run.blocks_in_grid)
    if run.blocks_in_grid == 1:
        return "its only block"
    if run.blocks_recorded == run.blocks_in_grid:
        return f"all {count} blocks"
    block = block or only_block(run)
    if block is None:
        return f"{figures.count(run.blocks_recorded)} of {count} blocks"
    return f"block {_place(block)} of {' x '.join(figures.count(size) for size in grid[: 2 if grid[2] == 1 else 3])}"


def only_block(run: TraceRun) -> Block | None:
    """The one block that was recorded, if the recording keeps it."""
    return run.blocks[0].block if run.blocks_recorded == 1 and run.blocks else None


def _place(block: Block) -> str:
    """A block as `--block` takes it."""
    return ",".join(str(number) for number in (block if block[2] else block[:2]))


def _print_source(console: Console, run: TraceRun) -> None:
    """The kernel from its first line behind the header; figures stand left of the lines that cause them."""
    margins = _margins(run)
    at_fault = {hazard.line for hazard in run.hazards}
    counted = {line for margin in margins for line in margin.cells}
    source = run.source_text.splitlines()
    digits = max(len(str(len(source))), len("line"))
    _print_line(console, _spaces(margins), " ", "".rjust(digits), Text(""), "dim")
    heads = "  ".join(margin.head.rjust(margin.width) for margin in margins)
    _print_line(console, heads, " ", "line".rjust(digits), Text(""), "dim")
    for number in range(_first_line(source), len(source) + 1):
        cells = "  ".join(margin.cells.get(number, "").rjust(margin.width) for margin in margins)
        style = "bold red" if number in at_fault else "" if number in counted else "dim"
        mark = "!" if number in at_fault else " "
        _print_line(console, cells, mark, str(number).rjust(digits), Text(source[number - 1], style), "")
    if margins:
        console.print(_NOTE if any(m.space == "shared" for m in margins) else _NOTE.rpartition("; ")[0], style="dim")


def _margins(run: TraceRun) -> list[_Margin]:
    """The columns that this kernel has figures for."""
    lines = lines_of(run)
    in_global = [line for line in lines if line.global_requests]
    in_shared = [line for line in lines if line.shared_requests]
    margins = [
        _Margin("global", "req", {line.line: figures.count(line.global_requests) for line in in_global}),
        _Margin("global", "sect/req", {line.line: f"{line.sectors_per_request:.2f}" for line in in_global}),
        _Margin("shared", "req", {line.line: figures.count(line.shared_requests) for line in in_shared}),
        _Margin("shared", "excess", {line.line: figures.count(line.excess_wavefronts) for line in in_shared}),
    ]
    return [margin for margin in margins if margin.cells]


def _spaces(margins: list[_Margin]) -> str:
    """The line above the heads: each memory over its columns."""
    widths: dict[str, int] = {}
    for margin in margins:
        widths[margin.space] = widths.get(margin.space, -2) + 2 + margin.width
    return "  ".join(space.rjust(width) for space, width in widths.items())


def _print_line(console: Console, cells: str, mark: str, number: str, code: Text, style: str) -> None:
    """One line of source with its margin; what does not fit the width is cut off, never wrapped."""
    line = Text(f"{cells} {mark} ", style).append(number, "dim").append("  ").append_text(code)
    console.print(line, no_wrap=True, overflow="ellipsis", crop=True)


def _first_line(source: list[str]) -> int:
    for number, line in enumerate(source, 1):
        if "---*/" in line:
            while number < len(source) and not source[number].strip():
                number += 1
            return number + 1
    return 1


def _totals(run: TraceRun, which: str) -> Table:
    totals = totals_of(run)
    table = Table(
        title=f"[bold]Totals of {which}, recorded addresses {run.form}[/]", title_justify="left", title_style="none",
        box=None, padding=(0, 2, 0, 0), header_style="dim",
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
    if totals.async_copy_requests or totals.async_copy_wavefronts:
        more = totals.async_copy_wavefronts - totals.async_copy_ideal_wavefronts
        per = f"{totals.async_copy_sectors / totals.async_copy_requests:.3f}" if totals.async_copy_requests else ""
        table.add_row(
            "asynchronous copies", figures.count(totals.async_copy_requests), figures.count(totals.async_copy_sectors),
            per, figures.count(totals.async_copy_wavefronts), figures.count(totals.async_copy_ideal_wavefronts),
            figures.count(more),
        )  # fmt: skip
    return table


def _reuse(run: TraceRun) -> Table:
    totals = totals_of(run)
    table = Table(box=None, padding=(0, 2, 0, 0), show_header=False)
    table.add_column(style="dim")
    table.add_column(justify="right")
    table.add_column(style="dim")
    rows = [
        ("bytes asked for", totals.bytes_asked, "distinct bytes of each request"),
        ("bytes fetched", totals.bytes_fetched, "32 for each sector that is sent"),
    ]
    if totals.copy_engine_bytes:
        rows.append(("copy engine", totals.copy_engine_bytes, "bytes of them by tensor copies (TMA)"))
        rows.append(("  it writes", totals.copy_engine_written_bytes, "bytes into shared memory: whole boxes"))
    if totals.tensor_core_bytes:
        rows.append(("tensor cores", totals.tensor_core_bytes, "bytes that they read from shared memory"))
    if run.blocks_recorded == run.blocks_in_grid:  # what some of the blocks need at least is not known
        rows.append(("bytes ideal", totals.bytes_ideal, "A and B read once, C written once"))
    for name, nbytes, note in rows:
        table.add_row(name, figures.count(nbytes), note)
    for name, loads in (("A", run.a_loads), ("B", run.b_loads)):
        found = element_loads(loads)
        note = f"median; from {found.min} to {found.max}"
        if found.loaded < found.elements:
            note += f"; of {figures.count(found.loaded)} of {figures.count(found.elements)} elements"
        table.add_row(f"loads of an element of {name}", f"{found.median:g}", note)
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
            f"[bold red]{kind}[/] line {hazard.line}, block {_place(hazard.block)}{times}: {escape(hazard.detail)}",
            highlight=False,
        )
    for skipped in run.skipped:
        console.print(f"not recorded: line {skipped.line}, {escape(skipped.text)}: {skipped.reason}", style="dim")
