"""Rows of figures and words as CSV, RFC 4180, and as files of it."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO

from gemmviz.domain.atomic import WriteError, write_atomically

Row = dict[str, str | int | float]
"""A figure or word for each column's name, in the order of the columns."""


class ExportError(Exception):
    """Tables that cannot be written; one line that names the folder or file, the fault and the remedy."""


def csv_text(rows: Sequence[Row], columns: Sequence[str] | None = None) -> str:
    """Rows as RFC 4180 CSV; a float is written so that it reads back as the same number.

    `columns` are those of the first row where none are given; they make the heading where there is no row.

    Raises:
        ValueError: a row has other columns.
    """
    names = list(columns if columns is not None else rows[0] if rows else ())
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, names, lineterminator="\r\n")
    if names:
        writer.writeheader()
    for row in rows:
        if row.keys() != set(names):
            raise ValueError(f"a row with the columns {', '.join(row)} does not fit {', '.join(names)}")
        writer.writerow(row)
    return text.getvalue()


def write_csv(
    rows: Sequence[Row], path: Path, columns: Sequence[str] | None = None, *, may_replace: bool = True
) -> None:
    """Write rows as `csv_text` makes them, in UTF-8.

    Raises:
        ExportError: the folder or the file cannot be written.
        ValueError: a row has other columns.
    """
    # A name taken from the file system may hold what UTF-8 cannot.
    data = csv_text(rows, columns).encode("utf-8", errors="backslashreplace")

    def write(file: BinaryIO) -> None:
        file.write(data)

    try:
        write_atomically(path, write, may_replace=may_replace)
    except WriteError as error:
        raise ExportError(str(error)) from error
