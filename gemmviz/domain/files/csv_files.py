"""Rows of figures and words as CSV, RFC 4180, and as files of it; no cell is a formula to a spreadsheet."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO

from gemmviz.domain.files.atomic import WriteError, write_atomically
from gemmviz.domain.visible_text import visible_layout

Row = dict[str, str | int | float]
"""A figure or word for each column's name, in the order of the columns."""


_FORMULA = re.compile(r"^(?=[\t\r])|(?:^|(?<=[;\n\r]))(?=[ \t]*[=+\-@\uff1d\uff0b\uff0d\uff20|%]\s*\S)")
"""Where a cell begins like a formula; after a semicolon and in a new line too, which part cells for some readers."""
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?|[+-]?inf|nan")


class ExportError(Exception):
    """Tables that cannot be written; one line that names the folder or file, the fault and the remedy."""


def csv_text(rows: Sequence[Row], columns: Sequence[str] | None = None) -> str:
    """Rows as RFC 4180 CSV; a float is written so that it reads back as the same number, words as `word_cell` has them.

    `columns` are those of the first row where none are given; they make the heading where there is no row.

    Raises:
        ValueError: a row has other columns.
    """
    names = list(columns if columns is not None else rows[0] if rows else ())
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, names, lineterminator="\r\n")
    if names:
        writer.writerow({name: word_cell(name) for name in names})
    for row in rows:
        if row.keys() != set(names):
            raise ValueError(f"a row with the columns {', '.join(row)} does not fit {', '.join(names)}")
        writer.writerow({name: word_cell(one) if isinstance(one, str) else one for name, one in row.items()})
    return text.getvalue()


def word_cell(text: str) -> str:
    """Words as a cell that no spreadsheet takes for a formula: what begins like one gets an apostrophe in front.

    A number stays one, lines stay lines, hidden characters are written out.
    """
    text = visible_layout(text)
    return text if _NUMBER.fullmatch(text) else _FORMULA.sub("'", text)


def write_csv(
    rows: Sequence[Row], path: Path, columns: Sequence[str] | None = None, *, may_replace: bool = True
) -> None:
    """Write rows as `csv_text` makes them, in UTF-8.

    Raises:
        ExportError: the folder or the file cannot be written.
        ValueError: a row has other columns.
    """
    data = csv_text(rows, columns).encode()

    def write(file: BinaryIO) -> None:
        file.write(data)

    try:
        write_atomically(path, write, may_replace=may_replace)
    except WriteError as error:
        raise ExportError(str(error)) from error
