"""How a kernel looks in the list."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QAbstractItemView, QStyledItemDelegate, QStyleOptionViewItem

from gemmviz.gui.experiment.marks import draw_tick_box, draw_warning
from gemmviz.gui.experiment.text import heading_font, wrapped
from gemmviz.gui.kernels.model import ROW_ROLE
from gemmviz.gui.kernels.rows import KernelRow
from gemmviz.gui.looks.fonts import SMALL, figures, words
from gemmviz.gui.looks.theme import Theme

Index = QModelIndex | QPersistentModelIndex
TITLE_POINTS = 9.5
_INSET, _TEXT, _PAD, _BOX, _GAP = 8, 40, 6, 16, 4
_HEADING_HEIGHT = 28
_COMPACT_PAD = 4
_TITLE_LINES = 2
COMPACT_BELOW = 300
"""A list of less height, in pixels, shows titles only: more kernels in view are worth more than what they teach."""


class KernelDelegate(QStyledItemDelegate):
    """Number, title and what a kernel teaches, at the right a box to compare; a bar and a pale ground for the chosen
    one.
    """

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme

    @staticmethod
    def box_area(row: QRect) -> QRect:
        """Where a click ticks the box: the right end of the row."""
        wide = _BOX + 2 * _INSET
        return QRect(row.right() - wide + 1, row.top(), wide, row.height())

    @staticmethod
    def has_room(title: str, width: int) -> bool:
        """Whether a title can be read in one line of a row of this width in pixels, chosen or not."""
        return QFontMetrics(_title_font()).horizontalAdvance(title) <= _text_width(width)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        row: KernelRow = index.data(ROW_ROLE)
        view = option.widget
        width = view.viewport().width() if isinstance(view, QAbstractItemView) else option.rect.width()
        if row.is_heading:
            return QSize(width, _HEADING_HEIGHT)
        if _is_compact(view, row):
            return QSize(width, QFontMetrics(_title_font()).height() + 2 * _COMPACT_PAD)
        titles = wrapped(row.title, _title_font(), _text_width(width), _TITLE_LINES)
        height = len(titles) * QFontMetrics(_title_font()).height() + QFontMetrics(words(SMALL)).height()
        return QSize(width, height + 2 * _PAD)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row: KernelRow = index.data(ROW_ROLE)
        view = option.widget
        painter.save()
        if row.is_heading:
            self._paint_heading(painter, option.rect, row)
        else:
            is_chosen = isinstance(view, QAbstractItemView) and view.currentIndex() == index
            has_focus = isinstance(view, QAbstractItemView) and view.hasFocus()
            if is_chosen:
                self._paint_ground(painter, option.rect, has_focus)
            self._paint_row(painter, option.rect, row, is_chosen, _is_compact(view, row))
        painter.restore()

    def _paint_heading(self, painter: QPainter, area: QRect, row: KernelRow) -> None:
        painter.setFont(heading_font())
        painter.setPen(QColor(self._theme.muted))
        painter.drawText(area.adjusted(2 * _INSET, 0, -_INSET, -_PAD), Qt.AlignmentFlag.AlignBottom, row.title)

    def _paint_ground(self, painter: QPainter, area: QRect, has_focus: bool) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ground = QRectF(area.adjusted(_INSET, 0, 0, 0))
        painter.setBrush(QColor(self._theme.selected))
        painter.setPen(QColor(self._theme.accent) if has_focus else Qt.PenStyle.NoPen)
        painter.drawRoundedRect(ground.adjusted(0.5, 0.5, -0.5, -0.5) if has_focus else ground, 4, 4)
        painter.fillRect(QRectF(ground.x(), ground.y(), 3, ground.height()), QColor(self._theme.accent))

    def _paint_row(self, painter: QPainter, area: QRect, row: KernelRow, is_chosen: bool, is_compact: bool) -> None:
        theme = self._theme
        title_font, small = _title_font(is_chosen), words(SMALL)
        line, width = QFontMetrics(title_font).height(), _text_width(area.width())
        top = area.top() + (_COMPACT_PAD if is_compact else _PAD)
        painter.setFont(figures(SMALL))
        painter.setPen(QColor(theme.accent if is_chosen else theme.faint))
        number = QRect(area.left() + _INSET, top, _TEXT - 2 * _INSET, line)
        painter.drawText(number, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, str(row.number or ""))
        painter.setFont(title_font)
        painter.setPen(QColor(theme.faint if row.lacks_hardware else theme.muted if row.mark else theme.text))
        for title in wrapped(row.title, title_font, width, 1 if is_compact else _TITLE_LINES):
            painter.drawText(
                QRect(area.left() + _TEXT, top, width + _INSET, line), Qt.AlignmentFlag.AlignVCenter, title
            )
            top += line
        box = self.box_area(area)
        frame = QRectF(box.x() + _INSET, area.center().y() - _BOX / 2 + 1, _BOX, _BOX)
        draw_tick_box(painter, frame, theme, is_ticked=row.is_compared, is_enabled=not row.mark)
        if is_compact:
            return
        painter.setFont(small)
        left = area.left() + _TEXT + self._paint_mark(painter, area.left() + _TEXT, top, row)
        rest = area.left() + _TEXT + width - left
        painter.setPen(QColor(theme.muted))
        teaches = QFontMetrics(small).elidedText(row.teaches, Qt.TextElideMode.ElideRight, rest)
        painter.drawText(QRect(left, top, rest, QFontMetrics(small).height()), Qt.AlignmentFlag.AlignVCenter, teaches)

    def _paint_mark(self, painter: QPainter, left: int, top: int, row: KernelRow) -> int:
        """Why it cannot run, behind a sign unless it only lacks the hardware; the width that took."""
        if not row.mark:
            return 0
        metrics = QFontMetrics(painter.font())
        if row.lacks_hardware:  # no fault of anybody's: words alone
            painter.setPen(QColor(self._theme.muted))
            painter.drawText(left, top + metrics.ascent(), row.mark)
            return metrics.horizontalAdvance(row.mark) + 3 * _GAP
        side = metrics.ascent()
        draw_warning(painter, QRectF(left, top + 2, side, side), self._theme.hazard)
        painter.setPen(QColor(self._theme.muted))
        painter.drawText(left + side + _GAP, top + metrics.ascent(), row.mark)
        return side + metrics.horizontalAdvance(row.mark) + 3 * _GAP


def _is_compact(view: QObject | None, row: KernelRow) -> bool:
    """Whether a row shows its title only; one with a word of warning never does."""
    is_low = isinstance(view, QAbstractItemView) and view.height() < COMPACT_BELOW
    return is_low and not row.mark


def _title_font(is_chosen: bool = True) -> QFont:
    return words(TITLE_POINTS, QFont.Weight.DemiBold if is_chosen else QFont.Weight.Medium)


def _text_width(width: int) -> int:
    return max(40, width - _TEXT - _BOX - 2 * _INSET)
