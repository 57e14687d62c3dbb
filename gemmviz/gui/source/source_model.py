"""The lines of a source as a Qt model: number, code, then every figure; which lines run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from html import escape
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from gemmviz.domain.visible_text import visible_lines
from gemmviz.explain.source.line_figures import MEANINGS, LineFigure, LineFigureKind, Row
from gemmviz.explain.source.machine_words import machine_has
from gemmviz.explain.source.recorded_lines import SourceLine
from gemmviz.explain.source.tokens import Tokens
from gemmviz.gui.widgets.plain_text import plain_text

Index = QModelIndex | QPersistentModelIndex
NUMBER, CODE, FIRST_FIGURE = range(3)
"""Columns; from FIRST_FIGURE on, one for each Figure."""
FIGURES = tuple(LineFigureKind)
COLUMNS = FIRST_FIGURE + len(FIGURES)
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_HEADING = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignBottom


@dataclass(frozen=True, slots=True)
class ShownLine:
    """One row: a line, its words, its figures."""

    line: SourceLine
    tokens: Tokens
    figures: Row


class SourceRole(IntEnum):
    """Roles beyond Qt's own."""

    SHOWN = Qt.ItemDataRole.UserRole + 1
    """The Shown of the row."""
    RUNS = Qt.ItemDataRole.UserRole + 2
    """Whether the line runs now."""


class SourceModel(QAbstractTableModel):
    """One row for each line of a file."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: tuple[ShownLine, ...] = ()
        self._running: frozenset[int] = frozenset()
        self._counted = ""
        self.has_whole_heads = False
        """Whether heads of figures are whole words, as in a picture whose code leaves room for them."""

    def set_rows(self, rows: Sequence[ShownLine], counted: str = "") -> None:
        """Show these rows in place of the last; none of them runs. `counted` says of what the figures are."""
        self.beginResetModel()
        self._rows, self._running, self._counted = tuple(rows), frozenset(), counted
        self.endResetModel()

    def set_running(self, numbers: Iterable[int]) -> None:
        """Which lines run now."""
        before, self._running = self._running, frozenset(numbers)
        for number in before ^ self._running:
            row = self.row_of(number)
            if row >= 0:
                self.dataChanged.emit(self.index(row, 0), self.index(row, COLUMNS - 1))

    @property
    def rows(self) -> tuple[ShownLine, ...]:
        """What is shown."""
        return self._rows

    def row_of(self, number: int) -> int:
        """The row of a line by its number in the file; -1 for one that is not there."""
        return number - 1 if 1 <= number <= len(self._rows) else -1

    def figure(self, row: int, column: int) -> LineFigure | None:
        """The figure in a cell, if it has one."""
        return self._rows[row].figures.get(FIGURES[column - FIRST_FIGURE]) if column >= FIRST_FIGURE else None

    def text(self, row: int, column: int) -> str:
        """What a cell says."""
        line = self._rows[row].line
        if column in (NUMBER, CODE):
            return line.code if column == CODE else str(line.number)
        figure = self.figure(row, column)
        return figure.text if figure else ""

    def cells(self, row: int) -> tuple[str, ...]:
        """A row for a spreadsheet: number, code, every figure with all its digits and nothing between them, then what
        SASS has otherwise.
        """
        shown = self._rows[row]
        figures = shown.figures
        exact = (f"{figures[figure].value:.15g}" if figure in figures else "" for figure in FIGURES)
        return (self.text(row, NUMBER), self.text(row, CODE), *exact, machine_has(shown.line.machine))

    def explanation(self, row: int, column: int) -> str:
        """A cell in words: where a figure comes from, or all that is known of the line."""
        figure = self.figure(row, column)
        return f"line {self._rows[row].line.number}: {figure.explanation}" if figure else self._rows[row].line.tip

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - as Qt has it
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else COLUMNS

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row, column = index.row(), index.column()
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return self.text(row, column)
            case Qt.ItemDataRole.ToolTipRole:
                return as_tooltip(self.explanation(row, column))
            case Qt.ItemDataRole.AccessibleTextRole:
                return self._spoken(row, column)
            case Qt.ItemDataRole.AccessibleDescriptionRole:
                return self.explanation(row, column)
            case Qt.ItemDataRole.TextAlignmentRole:
                return Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter if column == CODE else _RIGHT
            case SourceRole.SHOWN:
                return self._rows[row]
            case SourceRole.RUNS:
                return self._rows[row].line.number in self._running
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation is Qt.Orientation.Vertical or not 0 <= section < COLUMNS:
            return None
        if section < FIRST_FIGURE:
            if role == Qt.ItemDataRole.TextAlignmentRole and section == CODE:
                return _HEADING
            if role == Qt.ItemDataRole.DisplayRole and section == CODE:
                return self._counted or None
            says = "line" if section == NUMBER else "source"
            return says if role == Qt.ItemDataRole.AccessibleTextRole else None
        figure = FIGURES[section - FIRST_FIGURE]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return heading_of(figure, is_whole=self.has_whole_heads)
            case Qt.ItemDataRole.ToolTipRole | Qt.ItemDataRole.AccessibleTextRole:
                meaning = MEANINGS[figure]
                return plain_text(f"{meaning.name} · {meaning.evidence}\n{meaning.words}")
            case Qt.ItemDataRole.TextAlignmentRole:
                return _HEADING
        return None

    def _spoken(self, row: int, column: int) -> str:
        """A cell for a screen reader: with what runs and what is wrong, which a sighted person sees."""
        shown = self._rows[row]
        if column >= FIRST_FIGURE:
            figure = self.figure(row, column)
            return figure.explanation.partition("\n")[0] if figure else ""
        runs = ", runs now" if shown.line.number in self._running else ""
        mark = f", {shown.line.mark}" if shown.line.mark else ""
        return f"line {shown.line.number}{runs}{mark}: {shown.line.code.strip()}"


def heading_of(figure: LineFigureKind, *, is_whole: bool = False) -> str:
    """The head of a column of figures, in two lines where it has two words: the code gets what it needs less. One that
    `is_whole` has no abbreviation.
    """
    if is_whole:
        first, _, last = MEANINGS[figure].name.rpartition(" ")
        return f"{first}\n{last}".strip()
    return figure.replace("/", "/\n").replace(" ", "\n")


def as_tooltip(text: str) -> str:
    """Lines of text as a tooltip that keeps them; the first stands out. Code with < and > stays what it is."""
    head, *rest = escape(visible_lines(text), quote=False).split("\n")
    more = "".join(f"<div style='margin-top:3px'>{line}</div>" for line in rest)
    return f"<div style='white-space:pre-wrap'><b>{head}</b>{more}</div>"
