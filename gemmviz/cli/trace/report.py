"""The report of `gemmviz trace` for a person: the source with figures in the margin, totals, reuse, hazards."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from rich.table import Table

from gemmviz.cli.run.printed import print_printed
from gemmviz.cli.terminal import Terminal, report_terminal, words
from gemmviz.compiler.nvidia.unwritten import unwritten_words
from gemmviz.domain import figures
from gemmviz.domain.places import place_words
from gemmviz.domain.recordings.executed import ExecutedSum, by_kind, by_line
from gemmviz.domain.recordings.hazard import Hazard, by_gravity
from gemmviz.domain.recordings.machine_accesses import MachineAccesses
from gemmviz.domain.recordings.multiply_adds import multiply_adds_of
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.recordings.trace_tables import element_loads
from gemmviz.domain.spec import format_params
from gemmviz.domain.terms import CodeForm
from gemmviz.explain.figures.traffic.recorded import ideal_words
from gemmviz.explain.runs.recorded_extent import searched_words
from gemmviz.explain.source.machine_words import (
    lines_words,
    machine_has,
    machine_note,
    machine_sentences,
    merged_sentences,
)
from gemmviz.explain.source.recorded_lines import copies_note, helper_words, outside_note
from gemmviz.trace.explain import (
    accesses_in_calls,
    helper_lines,
    lines_of,
    totals_of,
    what_is_left_out,
    what_the_size_hides,
)
from gemmviz.trace.register_sums import register_sums

Block = tuple[int, int, int]

_PIPED_WIDTH = 120
_LEAST_CODE = 40
"""Columns left beside the figures; with fewer the figures of a line stand above it."""
_MOST_LINES = 10
"""Whose instructions are told."""
_NOTE = "req: warp requests; sect/req: 32-byte sectors per request; excess: wavefronts added by bank conflicts"
_MARKED = "!: a line with a hazard; each hazard is listed below"


@dataclass(frozen=True, slots=True)
class Margin:
    """A column left of the source: the memory it is about, its head, a text for each line that has one."""

    space: str
    head: str
    cells: dict[int, str]

    @property
    def width(self) -> int:
        return max(map(len, (self.head, *self.cells.values())))


def print_trace(run: TraceRun, block: Block | None = None) -> None:
    """Print a recording on standard output; `block` is the one that was recorded, where the recording keeps none."""
    terminal = report_terminal(_PIPED_WIDTH)
    which = which_blocks(run, block)
    what = (
        format_params(run.spec.params),
        f"{run.spec.shape}, {which}, {figures.counted(run.accesses, 'access', 'accesses')}",
    )
    terminal.print_words((run.spec.kernel, "bold"), *(f" {part}" for part in what if part))
    if run.spec.computes:
        terminal.print_words(f"computes {run.spec.computes}")
    terminal.print_words(f"recorded on {place_words(run.device, run.finished)}")
    if run.blocks and run.blocks_recorded > 1:
        terminal.print_words(kept_words(run))
    of_ptx = machine_note(run) if run.form is CodeForm.AS_COMPILED else ""
    only_so = unwritten_words(run.source_text) if of_ptx else ""
    for note in (of_ptx, only_so, what_is_left_out(run)):
        if note:
            terminal.print_words(note, style="yellow")
    terminal.print()
    _print_source(terminal, run)
    terminal.print()
    terminal.print_table(_totals(run, which))
    for note in filter(None, (outside_note(run), copies_note(run))):
        terminal.print_words(note, style="dim")
    terminal.print()
    terminal.print_table(_reuse(run))
    if run.executed:
        _print_executed(terminal, run)
    print_printed(terminal, run.spec.kernel, run.printed)
    _print_hazards(terminal, run)


def which_blocks(run: TraceRun, block: Block | None) -> str:
    """The blocks that were recorded, in words."""
    grid, count = run.launch.grid, figures.count(run.blocks_in_grid)
    if run.blocks_in_grid == 1:
        return "its only block"
    if run.blocks_recorded == run.blocks_in_grid:
        return f"all {count} blocks"
    block = block or only_block(run)
    if block is None:
        return f"{figures.count(run.blocks_recorded)} of {count} blocks"
    sizes = " x ".join(figures.count(size) for size in grid[: 2 if grid[2] == 1 else 3])
    return f"block {_place(block)} in a grid of {sizes}"


def kept_words(run: TraceRun) -> str:
    """How many of several recorded blocks are kept, and how to keep others."""
    if len(run.blocks) == run.blocks_recorded:
        return f"All {figures.count(len(run.blocks))} blocks are kept and can be played."
    kept, verb = figures.count(len(run.blocks)), "is" if len(run.blocks) == 1 else "are"
    return (
        f"{kept} of {figures.count(run.blocks_recorded)} recorded blocks {verb} kept and can be played. "
        "--block records another one."
    )


def only_block(run: TraceRun) -> Block | None:
    """The one block that was recorded, if the recording keeps it."""
    return run.blocks[0].block if run.blocks_recorded == 1 and run.blocks else None


def _place(block: Block) -> str:
    """A block as `--block` takes it."""
    return ",".join(str(number) for number in (block if block[2] else block[:2]))


def _print_source(terminal: Terminal, run: TraceRun) -> None:
    margins = _margins(run)
    note = _NOTE if any(margin.space == "shared" for margin in margins) else _NOTE.rpartition("; ")[0]
    at_fault = {one.line for one in run.hazards if not one.kind.is_of_equal_values}
    print_listing(terminal, run.source_text, margins, at_fault, note)
    for line, accesses in accesses_in_calls(run).items():
        terminal.print_words(f"{f'line {line} calls' if line else 'several lines call'} {'; '.join(accesses)}")
    for helper in helper_lines(run):
        terminal.print_words(f"line {helper.line} is {helper_words(helper)}")
    _print_machine(terminal, run.machine)
    for told in register_sums(run):
        terminal.print_words(told)


def _print_machine(terminal: Terminal, machine: MachineAccesses | None) -> None:
    """What SASS has otherwise, line by line, and what merged accesses cost."""
    if machine is None:
        return
    for one in machine.differing:
        last = [merged for merged in machine.merged if merged.sort is one.sort and merged.lines[-1] in one.lines]
        told = " ".join((*machine_sentences((one,)), *merged_sentences(last)))
        terminal.print_words(f"{lines_words(one.lines)}: {told}", style="dim")


def print_listing(
    terminal: Terminal, text: str, margins: Sequence[Margin], at_fault: Collection[int], note: str
) -> None:
    """The kernel from its first line behind the header; figures stand left of the lines that cause them, or above.
    `at_fault` are lines with a hazard, `note` says what the figures are.
    """
    counted = {line for margin in margins for line in margin.cells}
    source = text.splitlines()
    digits = max(len(str(len(source))), len("line"))
    heads = "  ".join(margin.head.rjust(margin.width) for margin in margins)
    is_wide = terminal.width - len(heads) - digits >= _LEAST_CODE
    if is_wide:
        terminal.print_hanging((f"{_spaces(margins)} ", "dim"))
        terminal.print_hanging((f"{heads}   {'line'.rjust(digits)}  ", "dim"))
    for number in range(_first_line(source), len(source) + 1):
        style = "bold red" if number in at_fault else "" if number in counted else "dim"
        mark = "!" if number in at_fault else " "
        code = (source[number - 1].replace("\t", "    "), style)
        if is_wide:
            cells = "  ".join(margin.cells.get(number, "").rjust(margin.width) for margin in margins)
            terminal.print_hanging(f"{cells} {mark} ", (f"{str(number).rjust(digits)}  ", "dim"), hanging=code)
            continue
        if number in counted:
            of_line = (margin for margin in margins if number in margin.cells)
            told = ", ".join(f"{margin.space} {margin.head} {margin.cells[number]}" for margin in of_line)
            terminal.print_words(f"line {number}: {told}", style="dim")
        terminal.print_hanging(f"{mark} ", (f"{number}  ", "dim"), hanging=code)
    if margins:
        terminal.print_words(note, style="dim")
    if at_fault:
        terminal.print_words(_MARKED, style="dim")


def _margins(run: TraceRun) -> list[Margin]:
    """The columns that this kernel has figures for."""
    lines = lines_of(run)
    in_global = [line for line in lines if line.global_requests]
    in_shared = [line for line in lines if line.shared_requests]
    margins = [
        Margin("global", "req", {line.line: figures.count(line.global_requests) for line in in_global}),
        Margin("global", "sect/req", {line.line: f"{line.sectors_per_request:.2f}" for line in in_global}),
        Margin("shared", "req", {line.line: figures.count(line.shared_requests) for line in in_shared}),
        Margin("shared", "excess", {line.line: figures.count(line.excess_wavefronts) for line in in_shared}),
    ]
    machine = run.machine.differing if run.machine is not None else ()
    changed = {one.line: machine_has(each for each in machine if each.line == one.line) for one in machine}
    return [margin for margin in (*margins, Margin("SASS", "has", changed)) if margin.cells]


def _spaces(margins: Sequence[Margin]) -> str:
    """The line above the heads: each memory over its columns."""
    widths: dict[str, int] = {}
    for margin in margins:
        widths[margin.space] = widths.get(margin.space, -2) + 2 + margin.width
    return "  ".join(space.rjust(width) for space, width in widths.items())


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
        title=words((f"Totals of {which}, recorded {run.form}", "bold")),
        title_justify="left",
        title_style="none",
        box=None,
        padding=(0, 2, 0, 0),
        header_style="dim",
    )
    table.add_column("")
    for column in ("requests", "sectors", "per request", "wavefronts", "ideal", "excess"):
        table.add_column(column, justify="right")
    for name, requests, sectors in totals.of_global:
        per = f"{sectors / requests:.3f}" if requests else ""
        table.add_row(name, figures.count(requests), figures.count(sectors), per, "", "", "")
    for name, requests, wavefronts, ideal in totals.of_shared:
        excess = figures.count(wavefronts - ideal)
        table.add_row(name, figures.count(requests), "", "", figures.count(wavefronts), figures.count(ideal), excess)
    if totals.async_copy_requests or totals.async_copy_wavefronts:
        more = totals.async_copy_wavefronts - totals.async_copy_ideal_wavefronts
        per = f"{totals.async_copy_sectors / totals.async_copy_requests:.3f}" if totals.async_copy_requests else ""
        table.add_row(
            "asynchronous copies",
            figures.count(totals.async_copy_requests),
            figures.count(totals.async_copy_sectors),
            per,
            figures.count(totals.async_copy_wavefronts),
            figures.count(totals.async_copy_ideal_wavefronts),
            figures.count(more),
        )
    return table


def _reuse(run: TraceRun) -> Table:
    totals = totals_of(run)
    table = Table(box=None, padding=(0, 2, 0, 0), show_header=False)
    table.add_column(style="dim")
    table.add_column(justify="right")
    table.add_column(style="dim")
    rows = [
        ("bytes asked for", totals.bytes_asked, "distinct bytes per request"),
        ("bytes moved", totals.bytes_moved, "32 bytes per sector read or written"),
    ]
    if totals.copy_engine_bytes:
        rows.append(("read by the TMA", totals.copy_engine_bytes, "part of the bytes above"))
        rows.append(("written by the TMA", totals.copy_engine_written_bytes, "into shared memory, in whole boxes"))
    if totals.tensor_core_bytes:
        rows.append(("read by tensor cores", totals.tensor_core_bytes, "from shared memory"))
    if totals.bytes_ideal is not None:
        rows.append(("bytes ideal", totals.bytes_ideal, ideal_words(run)))
    for name, nbytes, note in rows:
        table.add_row(name, figures.count(nbytes), note)
    counted = multiply_adds_of(run)
    if counted:
        per = figures.number(totals.bytes_moved / counted)
        table.add_row("moved per multiply-add", per, f"bytes, over {figures.count(counted)} multiply-adds")
    for name, loads in (("A", run.a_loads), ("B", run.b_loads)):
        found = element_loads(loads)
        table.add_row(f"loads per element of {name}", f"{found.median:g}", found.median_words)
    return table


def _print_executed(terminal: Terminal, run: TraceRun) -> None:
    """The instructions of a warp by kind, and of the lines that most come from, in the order of the source."""
    kinds, lines = by_kind(run.executed, run.warps_recorded), by_line(run.executed, run.warps_recorded)
    most = sorted(list(lines)[:_MOST_LINES])
    some = f", the {len(most)} of {len(lines)} with the most" if len(most) < len(lines) else ""
    named = {f"line {line}" if line else "no line": lines[line] for line in most}
    for title, sums in ((f"PTX instructions of a warp, {run.form}", kinds), (f"The same by line{some}", named)):
        terminal.print()
        terminal.print_words((title, "bold"))
        terminal.print_table(_executed(sums))


def _executed(sums: Mapping[str, ExecutedSum]) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("")
    for column in ("on average", "share", "active lanes"):
        table.add_column(column, justify="right")
    for name, one in sums.items():
        table.add_row(name, figures.average(one.per_warp), figures.percent(one.share), f"{one.lanes:.1f}")
    return table


def hazard_words(hazard: Hazard) -> str:
    """What follows the name of a hazard's kind: where it is, and the first of them in a sentence."""
    parts = (f"line {hazard.line}", hazard.times_words, hazard.block_words, hazard.warp_words)
    return f" {', '.join(filter(None, parts))}: {hazard.detail}"


def rest_words(run: TraceRun) -> str:
    """How to search the blocks that were not recorded, behind where hazards were searched for; "" for none."""
    return "; --all-blocks searches the rest" if run.blocks_recorded < run.blocks_in_grid else ""


def _print_hazards(terminal: Terminal, run: TraceRun) -> None:
    terminal.print()
    if not run.hazards and run.skipped:
        places = "1 place was" if len(run.skipped) == 1 else f"{len(run.skipped)} places were"
        terminal.print_words(
            f"No hazards found {searched_words(run)}{rest_words(run)}; {places} not recorded, and a hazard there would "
            "not be seen.",
            style="yellow",
        )
    elif not run.hazards:
        terminal.print_words(f"No hazards found {searched_words(run)}{rest_words(run)}.", style="green")
        if limits := what_the_size_hides(run):
            terminal.print_words(limits, style="dim")
    if 0 < run.blocks_searched < run.blocks_recorded:
        terminal.print_words(
            f"Races and uninitialised reads were searched for in {figures.count(run.blocks_searched)} of "
            f"{figures.count(run.blocks_recorded)} blocks, other hazards in all blocks.",
            style="dim",
        )
    for hazard in by_gravity(run.hazards):
        terminal.print_words((hazard.kind.words, "bold red"), hazard_words(hazard))
    for skipped in run.skipped:
        terminal.print_words(f"not recorded: line {skipped.line}, {skipped.text}: {skipped.reason}", style="dim")
