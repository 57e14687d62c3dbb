"""The table of settings: a row for each, sorted by any of its figures."""

from __future__ import annotations

import math
from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QTableWidget, QTableWidgetItem

from gemmviz.domain.visible_text import visible
from gemmviz.explain.figures.settings import OF_BLOCK, SETTING_FIGURES, SettingRow, head_of, same_figures
from gemmviz.explain.source.version_figures import UNKNOWN
from gemmviz.gui.looks.fonts import SMALL, figures
from gemmviz.gui.looks.theme import LIGHT, Theme
from gemmviz.gui.results.frozen_column import FrozenColumn
from gemmviz.gui.widgets.plain_text import plain_text

_ROW_HEIGHT = 24
_PADDING, _HEAD_PADDING = 28, 22
"""Pixels of a column beside the text of a cell, and beside its heading."""
_PLACE = Qt.ItemDataRole.UserRole
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


_ALWAYS = 2
"""The columns of the result and of hazards are never hidden."""


def _goes_first(column: int, *, is_zero: bool) -> tuple[bool, bool, bool, int]:
    """By what the columns are ordered that go where there is no room: result and hazards stay to the end, and of the
    others one that has nothing but zeros goes before those that tell settings apart.
    """
    return column <= _ALWAYS, SETTING_FIGURES[column - 1].name not in OF_BLOCK, not is_zero, -column


class _Figure(QTableWidgetItem):
    """A cell that is sorted by its value, what is not known last."""

    def __init__(self, text: str, value: float) -> None:
        super().__init__(visible(text))
        self.value = math.inf if math.isnan(value) else value

    def __lt__(self, other: QTableWidgetItem) -> bool:
        return self.value < other.value if isinstance(other, _Figure) else super().__lt__(other)


class SettingsTable(QTableWidget):
    """Shows SettingRows. Columns of which nothing is known are hidden, and those that are the same in all rows. Where
    the window is narrow a person scrolls, and the names of the settings stay in sight; in a picture those by which
    settings do not compare are left out.

    Signals:
        columns_fitted(): more or fewer columns have room in a picture than before.
    """

    columns_fitted = Signal()

    def __init__(self) -> None:
        super().__init__(0, 1 + len(SETTING_FIGURES))
        self.setObjectName("settingsTable")
        self.setAccessibleName("Settings and their figures")
        self._theme, self._rows, self._head = LIGHT, tuple[SettingRow, ...](), "setting"
        self._without_room: frozenset[int] = frozenset()
        self._is_picture = False
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setTabKeyNavigation(False)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setSortingEnabled(True)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(_ROW_HEIGHT)
        self.horizontalHeader().setHighlightSections(False)
        self.horizontalHeader().setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        for column, figure in enumerate(SETTING_FIGURES, 1):
            item = QTableWidgetItem(head_of(figure).replace("/", "\n/"))
            item.setTextAlignment(_RIGHT)
            item.setToolTip(plain_text(f"{figure.name}\n{figure.tip}"))
            item.setData(Qt.ItemDataRole.AccessibleTextRole, figure.name)
            self.setHorizontalHeaderItem(column, item)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.frozen = FrozenColumn(self, 0, "settingsFrozen", "Names of the settings")

    @property
    def chosen_place(self) -> int | None:
        """The place, in the order given, of the setting that a person chose; None for none."""
        places = self.selectionModel().selectedRows()
        return int(places[0].data(_PLACE)) if places else None

    @property
    def columns_without_room(self) -> int:
        """How many columns of which something is known are left out of a picture."""
        return len(self._without_room)

    def set_for_picture(self, wanted: bool) -> None:
        """Leave out what has no room, as a picture does not scroll."""
        self._is_picture = wanted
        policy = Qt.ScrollBarPolicy.ScrollBarAlwaysOff if wanted else Qt.ScrollBarPolicy.ScrollBarAsNeeded
        self.setVerticalScrollBarPolicy(policy)
        self.setHorizontalScrollBarPolicy(policy)
        self._leave_out()

    def show_rows(self, head: str, rows: Sequence[SettingRow]) -> None:
        """Show these in place of the last; `head` is what their names are."""
        chosen = self.chosen_place
        self._rows, self._head = tuple(rows), head
        self.setSortingEnabled(False)
        self.setRowCount(len(rows))
        self.setHorizontalHeaderItem(0, QTableWidgetItem(visible(head)))
        for place, row in enumerate(rows):
            for column, (text, value) in enumerate(zip((row.name, *row.cells), (place, *row.values), strict=True)):
                self.setItem(place, column, self._item(place, row, column, text, value))
        self.setSortingEnabled(True)
        self._fit_columns()
        self._leave_out()
        for line in range(self.rowCount()):
            item = self.item(line, 0)
            if chosen is not None and item is not None and item.data(_PLACE) == chosen:
                self.selectRow(line)

    def _fit_columns(self) -> None:
        """Make every column as wide as its texts: the style's own hint keeps room for an arrow in each head."""
        heads = QFontMetrics(self.horizontalHeader().font())
        cells = QFontMetrics(figures(SMALL + 0.5))
        for column in range(self.columnCount()):
            head = self.horizontalHeaderItem(column)
            texts = (item.text() for line in range(self.rowCount()) if (item := self.item(line, column)) is not None)
            lines = head.text().split("\n") if head is not None else []
            widest = max(
                *(heads.horizontalAdvance(line) + _HEAD_PADDING for line in lines),
                *(cells.horizontalAdvance(text) + _PADDING for text in texts),
                _PADDING,
                _HEAD_PADDING,
            )
            self.setColumnWidth(column, widest)

    def _leave_out(self) -> None:
        """Hide the columns of which nothing is known or which do not differ, and for a picture as many of the others
        as have no room.
        """
        same = same_figures(self._rows)
        known = [
            column
            for column in range(1, self.columnCount())
            if column <= _ALWAYS
            or (column - 1 not in same and not all(row.cells[column - 1] == UNKNOWN for row in self._rows))
        ]
        for column in range(1, self.columnCount()):
            self.setColumnHidden(column, column not in known)  # a hidden one tells no width
        width = sum(map(self.columnWidth, (0, *known)))
        hidden = set[int]()
        for column in sorted(known, key=lambda one: _goes_first(one, is_zero=self._is_zero(one))):
            if not self._is_picture or width <= self.viewport().width() or column <= _ALWAYS:
                break
            hidden.add(column)
            width -= self.columnWidth(column)
            self.setColumnHidden(column, True)
        if hidden != self._without_room:
            self._without_room = frozenset(hidden)
            self.columns_fitted.emit()
        if self._is_picture:
            self.updateGeometries()  # else the range of the scroll bar waits for the event loop, and a picture does not
        self.frozen.place()

    def _is_zero(self, column: int) -> bool:
        return all(not row.values[column - 1] > 0 for row in self._rows)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._leave_out()

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._theme = theme
        self.show_rows(self._head, self._rows)

    def _item(self, place: int, row: SettingRow, column: int, text: str, value: float) -> QTableWidgetItem:
        item = _Figure(text, value)
        font = figures(SMALL + 0.5)
        font.setStrikeOut(not column and row.is_refuted)
        item.setFont(font)
        item.setData(_PLACE, place)
        if column:
            item.setTextAlignment(_RIGHT)
        why = row.why_unknown(column - 1) if column else ""
        item.setToolTip(plain_text("\n".join(filter(None, (why, *row.faults, row.note)))))
        is_wrong = row.is_wrong_in(column - 1) if column else not (row.is_sound or row.is_compiled_only)
        colour = self._theme.hazard if is_wrong else self._theme.muted if text == UNKNOWN else self._theme.text
        item.setForeground(QColor(colour))
        return item
