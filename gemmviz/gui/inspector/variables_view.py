"""The table of a thread's variables under the card of the thread."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QSizePolicy,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from gemmviz.domain.terms import Evidence
from gemmviz.gui.inspector.variable_rows import VariableRow, VariableTable
from gemmviz.gui.looks.fonts import SMALL, figures, words
from gemmviz.gui.looks.own_sheet import set_sheet
from gemmviz.gui.looks.theme import LIGHT, Theme
from gemmviz.gui.widgets.named import named
from gemmviz.gui.widgets.plain_label import PlainLabel
from gemmviz.gui.widgets.plain_text import plain_text

COLUMNS = ("", "name", "value", "type")
CHANGED = "•"
"""Beside what has changed since the frame before."""
_EXPLAINED = f"{CHANGED} changed since the frame before"
_NAME, _VALUE, _TYPE = 1, 2, 3
MARK_WIDTH, PADDING = 14, 10
"""Pixels of the mark's column, and around a text."""
LEAST, MOST = 40, (0.45, 0.3)
"""Pixels that names and types have at least, and the part of the width that they have at most."""
_FIGURES = 9.0
"""Points of names and values."""


class VariablesView(QWidget):
    """Shows a VariableTable as high as its rows; hidden while there is none."""

    def __init__(self, theme: Theme = LIGHT, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("variables")
        self._theme = theme
        self._table: VariableTable | None = None
        self._title = named(PlainLabel(), "variablesTitle", role="strong")
        self._evidence = named(PlainLabel(str(Evidence.RECORDED)), "variablesEvidence", role="evidence")
        self._where = named(PlainLabel(), "variablesWhere", role="muted")
        self._note = named(PlainLabel(), "variablesNote", role="muted")
        for label in (self._title, self._where, self._note):
            label.setWordWrap(True)
        self.cells = _Cells()
        head = QHBoxLayout()
        head.addWidget(self._title, 1)
        head.addWidget(self._evidence, 0, Qt.AlignmentFlag.AlignTop)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 8, 0, 0)
        column.setSpacing(4)
        column.addLayout(head)
        for widget in (self._where, self.cells, self._note):
            column.addWidget(widget)
        self.set_theme(theme)
        self.show_table(None)

    @property
    def table(self) -> VariableTable | None:
        """What is shown."""
        return self._table

    def show_table(self, table: VariableTable | None) -> None:
        """Show this in place of the last; None hides it."""
        self._table = table
        self.setVisible(table is not None)
        if table is None:
            return
        self._title.setText(table.title)
        for label, text in ((self._where, table.where), (self._note, table.note)):
            label.setText(text)
            label.setVisible(bool(text))
        self._evidence.setVisible(bool(table.rows))
        self.cells.show_rows(table.rows, self._theme)
        self.cells.setAccessibleDescription(table.text)

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._theme = theme
        set_sheet(
            self.cells,
            f"QTableView {{ background: transparent; color: {theme.text}; border: none; outline: none; }}"
            f"QTableView::item {{ border-bottom: 1px solid {theme.line}; padding: 0; }}"
            f"QHeaderView, QHeaderView::section {{ background: transparent; padding: 2px 3px; }}",
        )
        if self._table is not None:
            self.cells.show_rows(self._table.rows, theme)


class _Cells(QTableWidget):
    """As high as its rows, which wrap: what is around it scrolls."""

    def __init__(self) -> None:
        super().__init__(0, len(COLUMNS))
        self.setObjectName("variablesTable")
        self.setAccessibleName("Variables of the chosen thread")
        self.setHorizontalHeaderLabels(COLUMNS)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setShowGrid(False)
        self.setWordWrap(True)
        for policy in (self.setVerticalScrollBarPolicy, self.setHorizontalScrollBarPolicy):
            policy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.verticalHeader().hide()
        self.verticalHeader().setMinimumSectionSize(1)
        header = self.horizontalHeader()
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setSectionsClickable(False)
        header.setMinimumSectionSize(MARK_WIDTH)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)

    def show_rows(self, rows: tuple[VariableRow, ...], theme: Theme) -> None:
        """Show these in place of the last."""
        self.setVisible(bool(rows))
        self.setRowCount(len(rows))
        for place, row in enumerate(rows):
            colours = (theme.accent, theme.text, theme.accent if row.is_changed else theme.text, theme.muted)
            texts = (CHANGED if row.is_changed else "", row.name, row.value, row.type)
            for column, (text, colour) in enumerate(zip(texts, colours, strict=True)):
                cell = QTableWidgetItem(text)
                cell.setToolTip(plain_text(f"{row.tip}\n{_EXPLAINED}" if row.is_changed else row.tip))
                cell.setData(Qt.ItemDataRole.AccessibleTextRole, row.spoken if column == _NAME else text)
                cell.setTextAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
                cell.setForeground(QColor(colour))
                cell.setFont(_font(column, is_strong=column == _VALUE and row.is_changed))
                self.setItem(place, column, cell)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Give names and types what they need, the values the rest, and every row the lines it wraps to."""
        header, room = self.horizontalHeader(), self.viewport().width() - MARK_WIDTH
        needed = [
            max(map(_advance, self._cells(range(self.rowCount()), (column,))), default=0) for column in (_NAME, _TYPE)
        ]
        widths = [min(max(need, LEAST) + PADDING, round(most * room)) for need, most in zip(needed, MOST, strict=True)]
        sizes = (MARK_WIDTH, widths[0], room - sum(widths), widths[1])
        for column, size in enumerate(sizes):
            header.resizeSection(column, max(size, MARK_WIDTH))
        for row in range(self.rowCount()):
            heights = [
                _height(cell, sizes[cell.column()] - PADDING) for cell in self._cells([row], (_NAME, _VALUE, _TYPE))
            ]
            self.setRowHeight(row, max(heights) + PADDING)
        self.setFixedHeight(header.height() + self.verticalHeader().length() + 2)

    def _cells(self, rows: Iterable[int], columns: Iterable[int]) -> list[QTableWidgetItem]:
        found = (self.item(row, column) for row, column in product(rows, columns))
        return [cell for cell in found if cell is not None]


def _font(column: int, *, is_strong: bool) -> QFont:
    if column == _TYPE:
        return words(SMALL)
    return figures(_FIGURES, QFont.Weight.DemiBold if is_strong else QFont.Weight.Normal)


def _advance(cell: QTableWidgetItem) -> int:
    """The pixels of a text; one more, since Qt rounds."""
    return QFontMetrics(cell.font()).horizontalAdvance(cell.text()) + 1


def _height(cell: QTableWidgetItem, width: int) -> int:
    metrics = QFontMetrics(cell.font())
    around = QRect(0, 0, max(width, 1), 10_000)
    return max(metrics.boundingRect(around, Qt.TextFlag.TextWordWrap, cell.text()).height(), metrics.height())
