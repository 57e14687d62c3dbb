"""Settings that were examined without a GPU, printed as a table or as entries of a document."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.table import Table

from gemmviz.cli.terminal import Terminal
from gemmviz.domain.figures import counted
from gemmviz.domain.spec import format_params
from gemmviz.explain.figures.param_words import varied_params
from gemmviz.explain.figures.settings import (
    HEADS_MEAN,
    SETTING_FIGURES,
    head_of,
    same_figures,
    same_words,
    setting_rows,
    settings_head,
    settings_table,
)
from gemmviz.explain.figures.settings_code import form_note
from gemmviz.explain.source.version_figures import UNKNOWN, Measured

SETTINGS_WIDTH = 200
"""Columns of a table that goes to a file or to another program."""


def setting_entries(found: Sequence[Measured]) -> list[dict[str, Any]]:
    """An entry for each setting, with every figure in full precision."""
    rows = settings_table(found).rows
    return [
        {"params": dict(one.version.params)}
        | {name: (None if cell == "" else cell) for name, cell in row.items() if not name.startswith("param_")}
        for one, row in zip(found, rows, strict=True)
    ]


def print_settings(
    terminal: Terminal, kernel_id: str, found: Sequence[Measured], words: str, notes: Sequence[str]
) -> None:
    """What was examined, in `words`, the table of the settings, what is the same in all, `notes`, and what is wrong."""
    terminal.print_words((kernel_id, "bold"), f" {counted(len(found), 'setting')}, examined without a GPU")
    if words:
        terminal.print_words(words)
    terminal.print()
    rows = setting_rows(found)
    same = same_figures(rows)
    places = [
        place
        for place in range(len(SETTING_FIGURES))
        if place not in same and any(row.cells[place] != UNKNOWN for row in rows)
    ]
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column(settings_head(found), no_wrap=True)
    for place in places:
        table.add_column(head_of(SETTING_FIGURES[place]), justify="right", no_wrap=True)
    for row in rows:
        table.add_row(row.name, *(row.cells[place] for place in places), style="" if row.is_sound else "yellow")
    varied = varied_params([one.version.params for one in found])
    names = [
        one.gpu
        or format_params(tuple((name, value) for name, value in one.version.params if name in varied))
        or row.name
        for one, row in zip(found, rows, strict=True)
    ]
    terminal.print_table(table, names=names, unknown=UNKNOWN, may_turn=True)
    terminal.print()
    if words := same_words(rows):
        terminal.print_words(f"{words}.")
    terminal.print_words(f"{HEADS_MEAN}.", style="dim")
    for note in filter(None, (*notes, form_note(found))):
        terminal.print_words(f"{note}.", style="dim")
    for row in rows:
        for fault in row.faults:
            terminal.print_words((f"{settings_head(found)} {row.name}: ", "bold"), fault, style="yellow")
