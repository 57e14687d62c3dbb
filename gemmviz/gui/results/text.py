"""Rows of the results table for documents: as they are shown, with their source, as text and as HTML. No Qt."""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass

from gemmviz.catalogue.kernel_names import kernel_name
from gemmviz.domain.figures import ERROR_FORMULA, ERROR_NAME, ERROR_TERMS, counted
from gemmviz.domain.files.csv_files import word_cell
from gemmviz.domain.input_words import fill_words, input_words
from gemmviz.domain.runs.result import RunError, RunResult
from gemmviz.explain.figures.run_facts import describe, facts_of, notes_of
from gemmviz.explain.figures.timing.speedup import UNRANKED, UNSURE
from gemmviz.explain.runs.columns import COLUMNS, PLACE, Column, Key
from gemmviz.explain.runs.rows import SEPARATOR, RunRow, reason_of

_SAID_BELOW = Key.SIZE, Key.DEVICE, Key.MODE, Key.FILL, Key.SEED, Key.FINISHED
"""The columns that a source line takes the place of where all rows agree in them."""
ERROR_NOTE = (
    f"{ERROR_NAME}: the largest {ERROR_FORMULA} of an element of C, in rounding errors of one float32 operation; "
    f"{ERROR_TERMS}"
)
_RIGHT = ' style="text-align: right"'


@dataclass(frozen=True, slots=True)
class CopiedTable:
    """Headings and cells as the window has them, rounded and with units, and the lines below: under which
    circumstances, where and when it was measured, and what figures and marks mean.
    """

    columns: tuple[Column, ...]
    lines: tuple[tuple[str, ...], ...]
    source: tuple[str, ...]


def copied(rows: Sequence[RunRow], columns: Sequence[Column] = COLUMNS) -> CopiedTable:
    """Rows in these columns, but for those that are empty in all rows, and those whose one value the source tells."""
    runs = [row.item for row in rows if isinstance(row.item, RunResult)]
    said = {key for key in _SAID_BELOW if len({_circumstance(run, key) for run in runs}) == 1}
    if len({row.cell(Key.SIZE).text for row in rows}) > 1:  # also of what did not run
        said.discard(Key.SIZE)
    kept = tuple(
        one
        for one in columns
        if one.key is Key.KERNEL or (one.key not in said and any(row.cell(one.key).text for row in rows))
    )
    lines = tuple(tuple(_words(row, column) for column in kept) for row in rows)
    unsure = any(text.startswith(UNSURE) for line in lines for text in line)
    marks = (f"{UNSURE} {UNRANKED}",) if unsure else ()
    notes = notes_of(facts_of(runs)) if runs else ()
    meanings = _meanings(rows, {one.key for one in kept})
    source = filter(None, (_circumstances(runs[0], said) if runs else "", *notes, *meanings, *marks))
    return CopiedTable(kept, lines, tuple(word_cell(f"{one[:1].upper()}{one[1:]}") for one in source))


def copied_words(rows: int, columns: int, shown: int) -> str:
    """What is on the clipboard: "3 rows copied, 9 of 23 columns"; `shown` columns could have been copied."""
    return f"{counted(rows, 'row')} copied{f', {columns} of {shown} columns' if columns < shown else ''}"


def as_tabs(table: CopiedTable) -> str:
    """One line for each row below the headings; the source below an empty line."""
    lines = ["\t".join(line) for line in (tuple(column.title for column in table.columns), *table.lines)]
    return "\n".join([*lines, *(("", *table.source) if table.source else ())]) + "\n"


def as_html(table: CopiedTable) -> str:
    """The same as an HTML table, figures to the right, with the source in paragraphs below: what documents and
    spreadsheets take first.
    """
    head = "".join(f"<th{_side(column)}>{html.escape(column.title)}</th>" for column in table.columns)
    body = (
        "".join(f"<td{_side(one)}>{html.escape(text)}</td>" for one, text in zip(table.columns, line, strict=True))
        for line in table.lines
    )
    rows = "\n".join(f"<tr>{cells}</tr>" for cells in (head, *body))
    below = "".join(f"\n<p>{html.escape(line)}</p>" for line in table.source)
    return f'<meta charset="utf-8"><table>\n{rows}\n</table>{below}'


def _circumstance(run: RunResult, key: Key) -> object:
    spec = run.spec
    return {
        Key.SIZE: spec.shape,
        Key.DEVICE: run.device.id,
        Key.MODE: spec.mode,
        Key.FILL: spec.fill,
        Key.SEED: spec.seed,
        Key.FINISHED: run.finished[:10],
    }[key]


def _circumstances(run: RunResult, said: set[Key]) -> str:
    """What all rows have in common, but for where and when they were measured."""
    spec = run.spec
    fill = input_words(spec.fill, spec.seed) if Key.SEED in said else fill_words(spec.fill)
    told = (
        (Key.SIZE, f"M×N×K = {spec.shape.words}"),
        (Key.MODE, f"{spec.mode.value} caches"),
        (Key.FILL, f"A and B: {fill}"),
    )
    return SEPARATOR.join(words for key, words in told if key in said)


def _meanings(rows: Sequence[RunRow], kept: set[Key]) -> tuple[str, ...]:
    """What figures mean that a reader of the table alone would not know, and what ratios are against."""
    found = [ERROR_NOTE] if Key.ERROR in kept else []
    for key, against in ((Key.TIMES_CPU, "reference"), (Key.TIMES_LIBRARY, "library")):
        baselines: dict[str, list[str]] = {}
        for row in rows if key in kept else ():
            base = getattr(row, against)
            if isinstance(base, RunResult) and isinstance(row.item, RunResult):
                arithmetics = baselines.setdefault(describe(base.spec), [])
                arithmetics += [] if row.item.arithmetic.value in arithmetics else [row.item.arithmetic.value]
        if baselines:
            several = len(baselines) > 1
            named = [f"{name} (kernels in {', '.join(of)})" if several else name for name, of in baselines.items()]
            found.append(f"{COLUMNS[PLACE[key]].title}: how many times as fast as {'; '.join(named)}")
    return tuple(found)


def _side(column: Column) -> str:
    return _RIGHT if column.is_figure else ""


def _words(row: RunRow, column: Column) -> str:
    text = row.cell(column.key).text
    if column.key is Key.KERNEL and (title := kernel_name(str(row.cell(Key.KERNEL).value)).title):
        text = f"{text}{SEPARATOR}{title}"
    if column.key is Key.PASSED and isinstance(row.item, RunError):
        text = f"{text}: {reason_of(row.item)}"
    return word_cell(" ".join(text.split()))
