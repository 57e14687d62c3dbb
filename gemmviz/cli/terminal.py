"""The one place where the command line writes: what it is told is text, never markup and never a terminal's commands.

No other module of the command line prints; `tests/test_house.py` holds it.
"""

from __future__ import annotations

import json
import math
import os
import re
import sys
import traceback
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any

from rich.console import Console, Group
from rich.padding import Padding
from rich.style import Style
from rich.table import Column, Table
from rich.text import Text

from gemmviz.domain.visible_text import full_stop, visible, visible_layout, visible_lines, without_surrogates

PIPED_WIDTH = 100
"""Columns of a report that no terminal reads and no COLUMNS limits."""

_LEAST_WIDTH = 12
_LEAST_WORDS = 14
"""Columns that a wrapping column of a table needs at least; with less the table becomes a list."""

_FILLING = re.compile(r" +$", re.MULTILINE)

Part = str | tuple[str, str]
"""Text, or text and its style."""


class Terminal(Console):
    """A console that reads no markup, no emoji codes and no escape sequences in what it prints."""

    def render_str(self, text: str, *, style: str | Style = "", **layout: Any) -> Text:
        """The text as it is, hidden characters written out."""
        plain = {name: value for name, value in layout.items() if name in ("justify", "overflow")}
        return Text(visible_lines(text), style, **plain)

    def print(self, *objects: Any, **how: Any) -> None:
        """Print as rich does, on anything but a terminal without the blanks that fill lines."""
        if self.is_terminal:
            super().print(*objects, **how)
            return
        with self.capture() as printed:
            super().print(*objects, **how)
        self.file.write(_FILLING.sub("", printed.get()))

    def print_words(self, *parts: Part, indent: int = 0, style: str = "") -> None:
        """Print parts of a line, each in its style; what does not fit goes on in the next line."""
        self.print(
            Padding(words(*parts), (0, 0, 0, indent), expand=False) if indent else words(*parts), style=style or None
        )

    def print_hanging(self, *head: Part, hanging: Part = "") -> None:
        """Print the beginning of a line, and text whose further lines begin where its first one does."""
        begin, text = words(*head), words(hanging)
        room = max(self.width - begin.cell_len, 1)
        for place, line in enumerate(text.wrap(self, room, overflow="fold") or [text]):
            self.print(Text.assemble(begin if place == 0 else " " * begin.cell_len, line))

    def print_table(
        self, table: Table, *, names: Sequence[str] = (), unknown: str = "", may_turn: bool = False
    ) -> None:
        """Print a table or, where its figures do not fit side by side, its rows below each other: then `names` stand
        above them in place of their first cells, and cells that say `unknown` are left out. With `may_turn` its rows
        become columns, as many beside each other as fit, where at least two do.
        """
        for column in table.columns:
            column.overflow = "fold"
        if _least_width(self, table) <= self.width:
            self.print(table)
        elif may_turn and (turned := _turned(self, table)):
            for number, part in enumerate(turned):
                if number:
                    self.print()
                self.print(part)
        else:
            self.print(_as_list(self, table, names, unknown))


def _least_width(terminal: Terminal, table: Table) -> int:
    """Columns that a table needs so that no figure in it is broken."""
    least = 0
    for column in table.columns:
        cells = [*([column.header] if table.show_header else []), *column.cells]
        least += max((_width(terminal, cell, column) for cell in cells), default=0)
        least += table.padding[1] + table.padding[3]
    return least


def _width(terminal: Terminal, cell: Any, column: Column) -> int:
    found = terminal.measure(cell)
    return found.maximum if column.no_wrap else max(min(found.minimum, _LEAST_WORDS), column.min_width or 0)


def _turned(terminal: Terminal, table: Table) -> list[Table]:
    """Tables with the columns as rows and as many rows as fit as columns; none where two do not fit."""
    found: list[Table] = []
    heads, *columns = table.columns
    cells = list(zip(heads.cells, *(column.cells for column in columns), strict=True))
    done = 0
    while done < len(cells):
        counts = range(len(cells) - done, 0, -1)
        parts = (_turned_part(table, cells, range(done, done + count)) for count in counts)
        part = next((one for one in parts if _least_width(terminal, one) <= terminal.width), None)
        if part is None or (not found and len(part.columns) == 2 < len(cells) + 1):
            return []
        found.append(part)
        done += len(part.columns) - 1
    return found


def _turned_part(table: Table, cells: Sequence[Sequence[Any]], rows: range) -> Table:
    first, *others = table.columns
    part = Table(box=None, padding=table.padding, header_style=table.header_style)
    part.add_column(first.header, no_wrap=True)
    for row in rows:
        part.add_column(str(cells[row][0]), justify="right", no_wrap=True, style=table.rows[row].style or "")
    for place, column in enumerate(others, 1):
        part.add_row(str(column.header), *(cells[row][place] for row in rows))
    return part


def _as_list(terminal: Terminal, table: Table, names: Sequence[str], unknown: str) -> Group:
    """The rows of a table below each other, each cell with its column's name."""

    def text(cell: Any) -> Text:
        return cell if isinstance(cell, Text) else terminal.render_str(str(cell))

    heads = [text(column.header) if table.show_header else Text() for column in table.columns]
    lines: list[Text | Padding] = [] if table.title is None else [text(table.title)]
    for place, row in enumerate(zip(*(column.cells for column in table.columns), strict=True)):
        name, *rest = map(text, row)
        lines.append(text(names[place]) if names else name)
        cells = zip(heads[1:], rest, strict=True)
        told = ((head, cell) for head, cell in cells if cell.plain.strip() not in ("", unknown))
        lines += [
            Padding(Text.assemble(head, ": ", cell) if head.plain else cell, (0, 0, 0, 2), expand=False)
            for head, cell in told
        ]
    return Group(*lines)


def words(*parts: Part) -> Text:
    """Parts of a line as text, each in its style, hidden characters written out."""
    return Text.assemble(*(visible(part) if isinstance(part, str) else (visible(part[0]), part[1]) for part in parts))


def report_terminal(piped_width: int = PIPED_WIDTH) -> Terminal:
    """The terminal of a report: as wide as it is or, of any other output, as COLUMNS says."""
    if sys.stdout.isatty():
        return Terminal(emoji=False, markup=False, highlight=False)
    given = os.environ.get("COLUMNS", "")
    width = max(int(given), _LEAST_WIDTH) if given.isascii() and given.isdigit() else piped_width
    return Terminal(width=width, emoji=False, markup=False, highlight=False)


def error_terminal() -> Terminal:
    """The terminal on standard error, for what is shown while work goes on."""
    return Terminal(stderr=True, emoji=False, markup=False, highlight=False)


def print_line(text: str) -> None:
    """One line on standard output, however long."""
    sys.stdout.write(visible(text) + "\n")


def print_code(text: str) -> None:
    """A text of many lines on standard output as it is laid out, hidden characters written out."""
    sys.stdout.write(visible_layout(text))


def print_error(text: str) -> None:
    """Lines on standard error, at once, those after the first one indented; other white space becomes one space."""
    lines = (" ".join(line.split()) for line in text.splitlines())
    told = "\n  ".join(visible(full_stop(line)) for line in lines if line)
    sys.stderr.write(f"gemmviz: {told}\n")
    sys.stderr.flush()


def print_unforeseen(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """What nobody foresaw, on standard error, as Python has it; for sys.excepthook."""
    sys.stderr.write(visible_lines("".join(traceback.format_exception(kind, error, trace))))


def print_json(document: Mapping[str, Any]) -> None:
    """A document on standard output, as every reader of JSON takes it: figures that are none are null."""
    sys.stdout.write(json.dumps(_plain(document), indent=2, allow_nan=False) + "\n")


def _plain(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, str):
        return without_surrogates(value)
    if isinstance(value, Mapping):
        return {without_surrogates(str(name)): _plain(one) for name, one in value.items()}
    return [_plain(one) for one in value] if isinstance(value, list | tuple) else value
