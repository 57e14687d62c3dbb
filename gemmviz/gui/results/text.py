"""Rows of the results table as text for other programs: tab-separated, and an HTML table. No Qt."""

from __future__ import annotations

import html
from collections.abc import Sequence

from gemmviz.domain.files.csv_files import word_cell
from gemmviz.domain.runs.result import RunError
from gemmviz.explain.runs.cells import Cell
from gemmviz.explain.runs.columns import COLUMNS, Column, Key
from gemmviz.explain.runs.rows import RunRow, reason_of


def as_tabs(rows: Sequence[RunRow], columns: Sequence[Column] = COLUMNS) -> str:
    """One line for each row below a heading with units; figures in full, so that they read back the same."""
    return "".join("\t".join(line) + "\n" for line in _lines(rows, columns))


def as_html(rows: Sequence[RunRow], columns: Sequence[Column] = COLUMNS) -> str:
    """The same as an HTML table, which is what spreadsheets and word processors take first."""
    head, *body = ([html.escape(text) for text in line] for line in _lines(rows, columns))
    lines = ["<tr>" + "".join(f"<th>{text}</th>" for text in head) + "</tr>"]
    lines += ["<tr>" + "".join(f"<td>{text}</td>" for text in line) + "</tr>" for line in body]
    return '<meta charset="utf-8"><table>\n' + "\n".join(lines) + "\n</table>"


def _lines(rows: Sequence[RunRow], columns: Sequence[Column]) -> list[list[str]]:
    heading = [column.heading for column in columns]
    return [heading, *([_plain(row, column) for column in columns] for row in rows)]


def _plain(row: RunRow, column: Column) -> str:
    if column.key is Key.PASSED and isinstance(row.item, RunError):
        return word_cell(" ".join(f"{row.cell(column.key).text}: {reason_of(row.item)}".split()))
    return _one_line(row.cell(column.key))


def _one_line(cell: Cell) -> str:
    text = cell.text if cell.value is None else str(cell.value)
    return word_cell(" ".join(text.split()))
