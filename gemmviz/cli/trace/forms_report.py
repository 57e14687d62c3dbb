"""The report of `gemmviz trace --as both`: one listing with the figures of both forms, changes, totals, hazards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

from rich.table import Table

from gemmviz.cli.terminal import Terminal, report_terminal, words
from gemmviz.cli.trace.report import Block, Margin, hazard_words, print_listing, rest_words, which_blocks
from gemmviz.domain import figures
from gemmviz.domain.places import place_words
from gemmviz.domain.recordings.hazard import Hazard, gravity_of
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.spec import format_params
from gemmviz.domain.terms import CodeForm
from gemmviz.explain.forms.comparison import FormComparison, FormFigures
from gemmviz.explain.forms.rows import BOTH_FORMS, pair_rows
from gemmviz.explain.forms.sentences import PER_WARP, line_sentences, total_sentence
from gemmviz.explain.runs.recorded_extent import searched_words
from gemmviz.explain.source.machine_words import machine_note
from gemmviz.trace.explain import what_is_left_out, what_the_size_hides

_PIPED_WIDTH = 120
_NOTE = "requests: of warps, loads and stores together; instr.: PTX instructions of a warp, on average"


def print_forms(comparison: FormComparison, block: Block | None = None) -> None:
    """Print both forms of a kernel on standard output; `block` is the one that was recorded, where it is not kept."""
    terminal, run = report_terminal(_PIPED_WIDTH), comparison.compiled
    which = which_blocks(run, block)
    what = (format_params(run.spec.params), f"{run.spec.shape}, {which}, as written and as compiled")
    terminal.print_words((run.spec.kernel, "bold"), *(f" {part}" for part in what if part))
    terminal.print_words(f"recorded on {place_words(run.device, run.finished)}")
    both = (comparison.written, run)
    notes = (machine_note(run), *map(what_is_left_out, both))
    for note in dict.fromkeys(notes):
        if note:
            terminal.print_words(note, style="yellow")
    terminal.print()
    at_fault = {hazard.line for each in both for hazard in each.hazards}
    print_listing(terminal, run.source_text, _margins(comparison), at_fault, _NOTE)
    terminal.print()
    terminal.print_words((total_sentence(comparison), "bold"))
    for sentence in line_sentences(comparison):
        terminal.print_words(sentence)
    if comparison.changes:
        terminal.print_words(PER_WARP, style="dim")
    terminal.print()
    terminal.print_table(_totals(comparison, which))
    terminal.print()
    _print_hazards(terminal, comparison)


def _margins(comparison: FormComparison) -> list[Margin]:
    """A column for each form of requests to global memory, to shared memory, and instructions, where there are any."""
    columns: list[tuple[str, Callable[[FormFigures], float | None], Callable[[float], str]]] = [
        ("global requests", lambda one: one.global_requests, _whole),
        ("shared requests", lambda one: one.shared_requests, _whole),
        ("instr.", lambda one: one.instructions, figures.average),
    ]
    found = []
    for name, figure, text in columns:
        pairs = {line.line: (figure(line.written) or 0, figure(line.compiled) or 0) for line in comparison.lines}
        used = {line: pair for line, pair in pairs.items() if any(pair)}
        for place, head in enumerate(("written", "compiled")):
            found.append(Margin(name, head, {line: text(pair[place]) for line, pair in used.items()}))
    return [margin for margin in found if margin.cells]


def _whole(value: float) -> str:
    return figures.count(round(value))


def _totals(comparison: FormComparison, which: str) -> Table:
    table = Table(
        title=words((f"Totals of {which}", "bold")),
        title_justify="left",
        title_style="none",
        box=None,
        padding=(0, 2, 0, 0),
        header_style="dim",
    )
    table.add_column("")
    for form in CodeForm:
        table.add_column(str(form), justify="right")
    for row in pair_rows(comparison.totals.written, comparison.totals.compiled, forms=BOTH_FORMS):
        table.add_row(row.name, row.first, row.second)
    return table


def _print_hazards(terminal: Terminal, comparison: FormComparison) -> None:
    """The hazards of both forms, each once, with the form where it is in one of them only."""
    both = (comparison.written, comparison.compiled)
    if not any(run.hazards for run in both):
        is_partial = any(run.skipped for run in both)
        found = f"No hazards found in either form {searched_words(comparison.compiled)}"
        rest = rest_words(comparison.compiled)
        terminal.print_words(
            f"{found}, in what was recorded of it{rest}." if is_partial else f"{found}{rest}.",
            style="yellow" if is_partial else "green",
        )
        if limits := what_the_size_hides(comparison.written):
            terminal.print_words(limits, style="dim")
    for hazard, forms in _each_once(both):
        only = f" ({forms[0]})" if len(forms) == 1 else ""
        terminal.print_words((hazard.kind.words, "bold red"), only, hazard_words(hazard))
    places = dict.fromkeys((one.line, one.text, one.reason) for run in both for one in run.skipped)
    for line, text, reason in places:
        terminal.print_words(f"not recorded: line {line}, {text}: {reason}", style="dim")


def _each_once(runs: Iterable[TraceRun]) -> list[tuple[Hazard, list[CodeForm]]]:
    """The hazards of some recordings and the forms that have each, which name the access in words of their own."""
    found: dict[tuple[object, ...], tuple[Hazard, list[CodeForm]]] = {}
    for run in runs:
        alike: Counter[tuple[object, ...]] = Counter()
        for hazard in run.hazards:
            what = (hazard.kind, hazard.line, hazard.block, hazard.threads, hazard.epoch, hazard.count, hazard.blocks)
            alike[what] += 1
            found.setdefault((what, alike[what]), (hazard, []))[1].append(run.form)
    return sorted(found.values(), key=lambda one: gravity_of(one[0]))
