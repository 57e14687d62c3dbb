"""The view of a recorded kernel's source, with its figures in the margin and its hazards hatched."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, Qt
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFont,
    QFontMetrics,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QShowEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from gemmviz.gui.fonts import SMALL, figures
from gemmviz.gui.recording_lines import SourceLine, first_of_interest
from gemmviz.gui.recording_model import HEADS, Column, Role, SourceModel
from gemmviz.gui.theme import LIGHT, Theme, blend

ROW_HEIGHT = 19
PADDING = 6
DIGITS = {Column.NUMBER: 4, Column.REQUESTS: 9, Column.SECTORS: 8, Column.SHARED: 9, Column.EXCESS: 8}
"""Widths in digits; the code takes what is left."""
POINTS = SMALL + 0.5
LEAD = 3
"""Lines shown before the first that matters."""
DEEPEST = 12
"""Columns of indentation that are shown at most; only continued lines have more."""


class SourceView(QTableView):
    """Shows lines of source; a chosen line stays in view."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("recordingSource")
        self.setAccessibleName("Source with its recorded figures")
        self._lines = SourceModel(self)
        self._first = -1
        self.setModel(self._lines)
        self._delegate = LineDelegate(self)
        self.setItemDelegate(self._delegate)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setWordWrap(False)
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().setDefaultSectionSize(ROW_HEIGHT)
        self.horizontalHeader().setStyleSheet(f"QHeaderView::section {{ padding: 6px {PADDING}px; }}")
        self.horizontalHeader().setHighlightSections(False)
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.horizontalHeader().setSectionResizeMode(Column.CODE, QHeaderView.ResizeMode.Stretch)
        # The hazard's name stands at the end of its line of code; a column of its own would take the code's room.
        self.setColumnHidden(Column.MARK, True)
        digit = QFontMetrics(figures(POINTS)).horizontalAdvance("0")
        for column, digits in DIGITS.items():
            self.setColumnWidth(column, digits * digit + 2 * PADDING)

    def show_lines(self, lines: tuple[SourceLine, ...]) -> None:
        """Show these lines, from shortly before the first that touches memory."""
        self._lines.set_lines(lines)
        self._first = max(self._lines.row_of(first_of_interest(lines)) - LEAD, 0)
        if self.isVisible():
            self._go_to_first()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._go_to_first()

    def _go_to_first(self) -> None:
        """Scroll once to where a new source begins to matter; a view that was never seen has no place to scroll to."""
        if self._first >= 0:
            self.scrollTo(self._lines.index(self._first, 0), QAbstractItemView.ScrollHint.PositionAtTop)
        self._first = -1

    def show_line(self, number: int) -> bool:
        """Choose a line by its number and bring it into view; False where it is not shown."""
        row = self._lines.row_of(number)
        if row < 0:
            return False
        self.selectRow(row)
        self.scrollTo(self._lines.index(row, 0), QAbstractItemView.ScrollHint.PositionAtCenter)
        return True

    def chosen_text(self) -> str:
        """The chosen lines, or all, as text: the figures and the code, tabs between."""
        rows = sorted({index.row() for index in self.selectionModel().selectedRows()}) or range(len(self._lines.lines))
        lines = [self._lines.lines[row] for row in rows]
        heads = "\t".join(head.title for head in HEADS.values())
        return "\n".join([heads, *("\t".join(head.text(line) for head in HEADS.values()) for line in lines)])

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._delegate.set_theme(theme)
        self.viewport().update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            QGuiApplication.clipboard().setText(self.chosen_text())
        else:
            super().keyPressEvent(event)


class LineDelegate(QStyledItemDelegate):
    """Paints a cell of a line: code and figures in one face, a hatch over lines with a hazard."""

    def __init__(self, view: SourceView) -> None:
        super().__init__(view)
        self._theme = LIGHT
        self._font = figures(POINTS)
        self._bold = figures(POINTS, QFont.Weight.DemiBold)

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._theme = theme

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        line, column = index.data(Role.LINE), Column(index.column())
        painter.save()
        self._paint_ground(painter, option, bool(line.hazards))
        self._paint_words(painter, option.rect, line, column, str(index.data()))
        painter.restore()

    def _paint_ground(self, painter: QPainter, option: QStyleOptionViewItem, at_fault: bool) -> None:
        theme, rect = self._theme, option.rect
        if bool(option.state & QStyle.StateFlag.State_Selected):
            painter.fillRect(rect, QColor(theme.selected))
        if at_fault:
            # The lines of a hatch start at the corner of the window, so that they run on from cell to cell.
            painter.fillRect(rect, QBrush(QColor(blend(theme.panel, theme.hazard, 0.36)), Qt.BrushStyle.BDiagPattern))

    def _paint_words(self, painter: QPainter, rect: QRect, line: SourceLine, column: Column, text: str) -> None:
        inside = rect.adjusted(PADDING, 0, -PADDING, 0)
        if column is Column.CODE:
            if line.mark:
                inside.setRight(self._paint_mark(painter, inside, line.mark))
            code = text.lstrip()
            text = " " * min(len(text) - len(code), DEEPEST) + code
        has_excess = line.counts is not None and line.counts.excess_wavefronts > 0
        painter.setFont(self._bold if column is Column.EXCESS and has_excess else self._font)
        painter.setPen(QColor(self._colour(line, column)))
        side = Qt.AlignmentFlag.AlignLeft if column is Column.CODE else Qt.AlignmentFlag.AlignRight
        elided = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, inside.width())
        painter.drawText(inside, side | Qt.AlignmentFlag.AlignVCenter, elided)

    def _paint_mark(self, painter: QPainter, inside: QRect, mark: str) -> int:
        """The hazard's name at the right end of the code; where the code has to stop."""
        painter.setFont(self._bold)
        width = min(painter.fontMetrics().horizontalAdvance(mark) + 1, inside.width() // 2)
        place = QRect(inside.right() - width, inside.top(), width, inside.height())
        painter.fillRect(place.adjusted(-PADDING, 1, PADDING, -1), QColor(self._theme.panel))
        painter.setPen(QColor(self._theme.hazard))
        elided = painter.fontMetrics().elidedText(mark, Qt.TextElideMode.ElideRight, width + 1)
        painter.drawText(place, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, elided)
        return place.left() - 2 * PADDING

    def _colour(self, line: SourceLine, column: Column) -> str:
        theme = self._theme
        if column is Column.NUMBER:
            return theme.faint
        code = line.code.strip()
        return theme.muted if column is Column.CODE and code.startswith(("//", "/*", "*")) else theme.text
