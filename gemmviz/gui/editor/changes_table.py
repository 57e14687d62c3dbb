"""A table of figures before and after a save; what is better or worse is told by colour, sign and word."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QPushButton, QStyle, QTableWidget, QTableWidgetItem

from gemmviz.domain.visible_text import visible
from gemmviz.explain.source.worth import Worth
from gemmviz.gui.looks.fonts import SMALL, figures, words
from gemmviz.gui.looks.theme import LIGHT, Theme
from gemmviz.gui.widgets.named import named
from gemmviz.gui.widgets.plain_text import plain_text

_ROW_HEIGHT, _BUTTON_HEIGHT, _AROUND_LINES = 22, 28, 6
"""Of a row, of one with a button, and what is free above and below a name that takes several lines."""
_PADDING = 8
"""Pixels that the style sheet leaves free at each side of what stands in a cell."""
_HEAD_EDGE = 4
"""Pixels that Qt leaves free around a head besides."""
_COLOURED = 2
"""The last columns of a row, after and change, have the colour of what the change is worth."""


@dataclass(frozen=True, slots=True)
class TableRow:
    """The texts of a row, what the change is worth, its tooltip, what it stands for, and the words of a button in the
    last column, "" for none. `short` stands in the first column where the table is narrow, "" for the same.
    """

    texts: tuple[str, ...]
    worth: Worth = Worth.SAME
    tip: str = ""
    data: object = None
    button: str = ""
    short: str = ""


class ChangesTable(QTableWidget):
    """Rows of text; the column `wide` gets the room that is left, those in `on_left` are words, and `code` is code. A
    head that does not fit loses its end, a name goes on in the next line, code ends in "…", and the tooltip has all.
    """

    chosen = Signal(object)
    """The `data` of a row that a person turned to."""
    button_pressed = Signal(object)
    """The `data` of the row."""

    def __init__(
        self,
        name: str,
        says: str,
        heads: Sequence[str],
        wide: int,
        on_left: Sequence[int],
        code: int = -1,
    ) -> None:
        super().__init__(0, len(heads))
        self.setObjectName(name)
        self.setAccessibleName(says)
        self._theme, self._rows, self._goes_first = LIGHT, tuple[TableRow, ...](), tuple[int, ...]()
        self._on_left, self._code, self._wide, self._wide_head = frozenset(on_left), code, wide, heads[wide]
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setTabKeyNavigation(False)
        self.setShowGrid(False)
        self.setWordWrap(code < 0)  # names of figures go on in a second line, code is one line
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(_ROW_HEIGHT)
        header = self.horizontalHeader()
        header.setSectionsClickable(False)
        header.setHighlightSections(False)
        for column in range(len(heads)):
            mode = QHeaderView.ResizeMode.Stretch if column == wide else QHeaderView.ResizeMode.ResizeToContents
            header.setSectionResizeMode(column, mode)
            head = QTableWidgetItem(heads[column])
            head.setTextAlignment(self._side(column))
            self.setHorizontalHeaderItem(column, head)
        header.sectionResized.connect(lambda column, _, width: self._fit_wide(width) if column == wide else None)
        self.itemSelectionChanged.connect(self._on_chosen)

    @property
    def rows(self) -> tuple[TableRow, ...]:
        """What is shown."""
        return self._rows

    @property
    def chosen_row(self) -> TableRow | None:
        """The row that a person chose; None for none."""
        places = self.selectionModel().selectedRows()
        return self._rows[places[0].row()] if places else None

    def show_rows(self, rows: Sequence[TableRow], goes_first: Sequence[int] = ()) -> None:
        """Show these in place of the last; the row that was chosen stays so, by what it stands for. Where not all
        columns fit, those of `goes_first` are hidden one after the other; the first column gets short there instead.
        """
        was = self.chosen_row
        self._rows, self._goes_first = tuple(rows), tuple(goes_first)
        self.blockSignals(True)
        self.setRowCount(len(rows))
        for place, row in enumerate(rows):
            for column, text in enumerate(row.texts):
                self.setItem(place, column, self._item(row, column, text))
            self._place_button(place, row)
            if was is not None and was.data is not None and row.data == was.data:
                self.selectRow(place)
        self.blockSignals(False)
        self._fit_columns()
        self._fit_rows(self.horizontalHeader().sectionSize(self._wide))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_columns()

    def _fit_columns(self) -> None:
        """Hide what has no room, and only that."""
        if not self._goes_first:
            return
        for column in self._goes_first:
            self._leave_out(column, is_left_out=False)
        for column in self._goes_first:
            header, columns = self.horizontalHeader(), range(self.columnCount())
            shown = [each for each in columns if not self.isColumnHidden(each)]
            needed = sum(max(self.sizeHintForColumn(each), header.sectionSizeHint(each)) for each in shown)
            if needed <= self.viewport().width():
                return
            self._leave_out(column, is_left_out=True)

    def _leave_out(self, column: int, *, is_left_out: bool) -> None:
        if column:
            self.setColumnHidden(column, is_left_out)
            return
        for place, row in enumerate(self._rows):
            item = self.item(place, 0)
            assert item is not None
            item.setText(visible(row.short if is_left_out and row.short else row.texts[0]))

    def show_head(self, column: int, text: str) -> None:
        """Show this above a column."""
        head = self.horizontalHeaderItem(column)
        assert head is not None
        head.setText(text)
        head.setToolTip(plain_text(text))
        if column == self._wide:
            self._wide_head = text
            self._fit_head(self.horizontalHeader().sectionSize(column))

    def _fit_wide(self, width: int) -> None:
        """Fit what stands in the wide column to so many pixels."""
        self._fit_head(width)
        self._fit_rows(width)

    def _fit_rows(self, width: int) -> None:
        """As many lines as the name of a row takes in so many pixels: no name is cut, also not beside a button."""
        if self._code >= 0:
            return
        edge = self.style().pixelMetric(QStyle.PixelMetric.PM_FocusFrameHMargin, None, self) + 1  # Qt's around a text
        room = width - 2 * (_PADDING + edge)
        for place, row in enumerate(self._rows):
            item = self.item(place, self._wide)
            if item is not None:
                metrics, least = QFontMetrics(item.font()), _BUTTON_HEIGHT if row.button else _ROW_HEIGHT
                lines = _lines_of(item.text(), metrics, room)
                needed = lines * metrics.lineSpacing() + _AROUND_LINES
                self.setRowHeight(place, least if lines == 1 else max(least, needed))

    def _fit_head(self, width: int) -> None:
        """The head of the wide column, so many pixels wide: Qt cuts it without a sign. Others are as wide as theirs.
        Where it has no room, what is in brackets goes first, then what follows a comma.
        """
        head, bold = self.horizontalHeaderItem(self._wide), QFontMetrics(words(SMALL, QFont.Weight.DemiBold))
        assert head is not None
        room = width - 2 * _PADDING - _HEAD_EDGE
        shorter = (self._wide_head, *(self._wide_head.rpartition(mark)[0] for mark in (" (", ", ")))
        fitting = (text for text in shorter if text and bold.horizontalAdvance(text) <= room)
        text = next(fitting, min(filter(None, shorter), key=len, default=""))
        head.setText(bold.elidedText(text, Qt.TextElideMode.ElideRight, room))

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._theme = theme
        self.show_rows(self._rows)

    def _item(self, row: TableRow, column: int, text: str) -> QTableWidgetItem:
        item, theme = QTableWidgetItem(visible(text)), self._theme
        is_words = column in self._on_left and column != self._code
        item.setFont(words(SMALL + 0.5) if is_words else figures(SMALL))
        item.setTextAlignment(self._side(column))
        told = text if column == self._wide and text not in row.tip else ""  # the others are as wide as their texts
        item.setToolTip(plain_text("\n".join(filter(None, (told, row.tip)))))
        item.setData(Qt.ItemDataRole.AccessibleDescriptionRole, row.tip)
        colour = {Worth.BETTER: theme.good, Worth.WORSE: theme.hazard}.get(row.worth, theme.text)
        is_coloured = column >= len(row.texts) - _COLOURED
        item.setForeground(QColor(colour if is_coloured else theme.text))
        return item

    def _place_button(self, place: int, row: TableRow) -> None:
        column = self.columnCount() - 1
        self.removeCellWidget(place, column)
        self.setRowHeight(place, _BUTTON_HEIGHT if row.button else _ROW_HEIGHT)
        if not row.button:
            return
        button = named(QPushButton(row.button, self.viewport()), f"{self.objectName()}{place}", row.tip, role="quiet")
        button.setAccessibleName(f"{row.button}: {row.texts[0]}")
        button.setAutoDefault(False)
        button.clicked.connect(lambda _checked=False: self.button_pressed.emit(row.data))
        button.ensurePolished()
        item = self.item(place, column)
        if item is not None:  # the column gets its width from items
            item.setData(Qt.ItemDataRole.SizeHintRole, button.sizeHint() + QSize(2 * _PADDING, 0))
        self.setCellWidget(place, column, button)

    def _side(self, column: int) -> Qt.AlignmentFlag:
        side = Qt.AlignmentFlag.AlignLeft if column in self._on_left else Qt.AlignmentFlag.AlignRight
        return side | Qt.AlignmentFlag.AlignVCenter

    def _on_chosen(self) -> None:
        row = self.chosen_row
        if row is not None:
            self.chosen.emit(row.data)


def _lines_of(text: str, metrics: QFontMetrics, room: int) -> int:
    """How many lines a text takes that is wrapped at its words into so many pixels."""
    lines, line = 0, ""
    for word in text.split():
        longer = f"{line} {word}"
        if line and metrics.horizontalAdvance(longer) <= room:
            line = longer
        else:
            lines, line = lines + 1, word
    return max(lines, 1)
