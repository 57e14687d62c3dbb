"""How cells of the table of runs are painted: kernels with their titles, and reasons written across empty cells."""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem, QTableView

from gemmviz.catalogue.kernel_names import kernel_name
from gemmviz.domain.runs.result import RunError
from gemmviz.explain.runs.columns import PLACE, Key
from gemmviz.explain.runs.rows import reason_of
from gemmviz.gui.looks.theme import LIGHT, Theme
from gemmviz.gui.results.model import ResultRole

PADDING = 6
INSET = 3
"""Pixels by which Qt sets a cell's text further in than its padding says."""
REASON_FROM, REASON_TO = PLACE[Key.MEDIAN], PLACE[Key.SAMPLES]
"""The columns that what did not run has nothing in; the reason stands there instead."""
SAME_REASON = "as above"


class ReasonDelegate(QStyledItemDelegate):
    """Paints cells, kernels with their titles while `shows_titles`; across the empty ones of what did not run, its
    reason in one line. `places_shown` are the places of the columns that are not hidden, from left to right.
    """

    def __init__(
        self, view: QTableView, places_shown: Callable[[], list[int]], shows_titles: Callable[[], bool]
    ) -> None:
        super().__init__(view)
        self._view, self._places_shown, self._shows_titles = view, places_shown, shows_titles
        self._theme = LIGHT

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._theme = theme

    @property
    def muted(self) -> QColor:
        """The colour of words that stand back."""
        return QColor(self._theme.muted)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        super().paint(painter, option, index)
        if index.column() == PLACE[Key.KERNEL] and self._shows_titles():
            self._paint_title(painter, option, str(index.data()))
        item = index.data(ResultRole.ITEM)
        if isinstance(item, RunError) and REASON_FROM <= index.column() <= REASON_TO:
            self._paint_reason(painter, option, index.column(), self.words_of(index))

    def _paint_title(self, painter: QPainter, option: QStyleOptionViewItem, kernel: str) -> None:
        """The kernel's title beside its id, muted, cut short where there is no room for all of it."""
        left = option.rect.left() + title_left(option.fontMetrics, kernel)
        room = QRect(left, option.rect.top(), option.rect.right() + 1 - PADDING - left, option.rect.height())
        painter.save()
        painter.setFont(self._view.font())
        title = painter.fontMetrics().elidedText(kernel_name(kernel).title, Qt.TextElideMode.ElideRight, room.width())
        painter.setPen(self.muted)
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, title)
        painter.restore()

    def initStyleOption(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> None:
        """Cut parameters short at their end: their first names tell more than the middle of all of them."""
        super().initStyleOption(option, index)
        if index.column() == PLACE[Key.PARAMS]:
            option.textElideMode = Qt.TextElideMode.ElideRight

    def columns_of_reason(self, column: int) -> list[int]:
        """The empty columns that stand next to each other around this one."""
        runs = groupby(self._places_shown(), key=lambda place: REASON_FROM <= place <= REASON_TO)
        return next(places for _, run in runs if column in (places := list(run)))

    def words_of(self, index: QModelIndex | QPersistentModelIndex) -> str:
        """Why the row of an index did not run; rows below each other with one reason say it once."""
        item, above = index.data(ResultRole.ITEM), index.sibling(index.row() - 1, index.column())
        before = above.data(ResultRole.ITEM) if above.isValid() else None
        reason = reason_of(item)
        return SAME_REASON if isinstance(before, RunError) and reason_of(before) == reason else reason

    def _paint_reason(self, painter: QPainter, option: QStyleOptionViewItem, column: int, words: str) -> None:
        """This cell's part of a line that runs across all of them."""
        lefts = {place: self._view.columnViewportPosition(place) for place in self.columns_of_reason(column)}
        left = min(lefts.values())
        right = max(start + self._view.columnWidth(place) for place, start in lefts.items())
        line = QRect(left + PADDING + INSET, option.rect.top(), right - left - 2 * PADDING, option.rect.height())
        painter.save()
        painter.setClipRect(option.rect)
        painter.setFont(self._view.font())
        elided = painter.fontMetrics().elidedText(words, Qt.TextElideMode.ElideRight, line.width())
        painter.setPen(self.muted)
        painter.drawText(line, Qt.AlignmentFlag.AlignVCenter, elided)
        painter.restore()


def title_left(metrics: QFontMetrics, kernel: str) -> int:
    """Where the title of a kernel begins in its cell, in pixels from the left."""
    return PADDING + INSET + metrics.horizontalAdvance(kernel) + 2 * PADDING
