"""How a kernel looks in a list: in one line or two in the panel, with what it teaches in the browser."""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QAbstractItemView, QStyledItemDelegate, QStyleOptionViewItem

from gemmviz.gui.kernels.model import ROW_ROLE
from gemmviz.gui.kernels.rows import KernelRow
from gemmviz.gui.looks.fonts import SMALL, figures, words
from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.widgets.drawn_marks import draw_tick_box, draw_warning
from gemmviz.gui.widgets.wrapped_text import heading_font, wrapped

Index = QModelIndex | QPersistentModelIndex
_INSET, _TEXT, _PAD, _BOX, _GAP = 8, 34, 3, 16, 8
_HEADING_HEIGHT, _LINE_HEIGHT, _TWO_LINES_HEIGHT, _WIDE_HEIGHT = 24, 20, 34, 46
_NAME_WIDTH, _STATE_WIDTH = 250, 200
"""Pixels of two of the browser's columns; what a kernel teaches has what is left."""
_MIDDLE = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
RUNS = "Can run"
RECORDS, NOT_RECORDED = "Can be recorded", "Cannot be recorded"


class KernelDelegate(QStyledItemDelegate):
    """Number, id, title, at the right a box to compare; a bar and a pale ground for the chosen one, which runs anyway:
    its box has a tick in any case, on an empty ground unless it is to be compared with the next choice, too.

    A title without room beside the id stands below it. In a wide list every title does, and beside them stand what the
    kernel teaches, whether it can run and whether it can be recorded.
    """

    def __init__(self, theme: Theme, parent: QObject | None = None, *, is_wide: bool = False) -> None:
        super().__init__(parent)
        self._theme, self._is_wide = theme, is_wide

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme

    @staticmethod
    def box_area(row: QRect) -> QRect:
        """Where a click ticks the box: the right end of the row."""
        wide = _BOX + 2 * _INSET
        return QRect(row.right() - wide + 1, row.top(), wide, row.height())

    @staticmethod
    def has_room(kernel_id: str, width: int) -> bool:
        """Whether an id can be read in a row of this width in pixels, chosen or not."""
        return QFontMetrics(_id_font()).horizontalAdvance(kernel_id) <= width - _TEXT - _BOX - 2 * _INSET

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        row: KernelRow = index.data(ROW_ROLE)
        view = option.widget
        width = view.viewport().width() if isinstance(view, QAbstractItemView) else option.rect.width()
        if row.is_heading:
            return QSize(width, _HEADING_HEIGHT)
        if self._is_wide:
            return QSize(width, _WIDE_HEIGHT)
        return QSize(width, _LINE_HEIGHT if _fits_one_line(row, width) else _TWO_LINES_HEIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row: KernelRow = index.data(ROW_ROLE)
        view, area = option.widget, option.rect
        painter.save()
        if row.is_heading:
            self._paint_heading(painter, area, row)
        else:
            is_chosen = isinstance(view, QAbstractItemView) and view.currentIndex() == index
            has_focus = isinstance(view, QAbstractItemView) and view.hasFocus()
            if is_chosen:
                self._paint_ground(painter, area, has_focus)
            box = self.box_area(area)
            frame = QRectF(box.x() + _INSET, area.center().y() - _BOX / 2 + 1, _BOX, _BOX)
            is_implied = is_chosen and not row.is_compared
            draw_tick_box(
                painter,
                frame,
                self._theme,
                is_ticked=row.is_compared or is_chosen,
                is_enabled=not row.mark,
                is_filled=not is_implied,
            )
            painter.setFont(figures(SMALL))
            painter.setPen(QColor(self._theme.accent if is_chosen else self._theme.muted))
            line = area
            if self._is_wide:
                line = area.adjusted(0, _PAD, 0, -area.height() // 2)
            elif area.height() > _LINE_HEIGHT:
                line = QRect(area.left(), area.top(), area.width(), _LINE_HEIGHT)
            number = QRect(area.left() + _INSET, line.top(), _TEXT - 2 * _INSET, line.height())
            painter.drawText(number, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, str(row.number or ""))
            room = QRect(area.left() + _TEXT, area.top(), box.left() - area.left() - _TEXT, area.height())
            (self._paint_wide if self._is_wide else self._paint_line)(painter, room, row, is_chosen)
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

    def _paint_line(self, painter: QPainter, room: QRect, row: KernelRow, is_chosen: bool) -> None:
        """The id; behind or below it the title, or why the kernel cannot run."""
        line = QRect(room.left(), room.top(), room.width(), _LINE_HEIGHT)
        left = room.left() + self._paint_id(painter, line, row, is_chosen) + _GAP
        if room.height() > _LINE_HEIGHT:
            left, line = room.left(), line.translated(0, room.height() - _LINE_HEIGHT)
        painter.setFont(words(SMALL))
        painter.setPen(QColor(self._theme.muted))
        if row.mark and not row.lacks_hardware:
            left += self._paint_warning(painter, left, line)
        rest = QRect(left, line.top(), room.right() - left, line.height())
        _draw_elided(painter, rest, row.mark or row.title)

    def _paint_wide(self, painter: QPainter, room: QRect, row: KernelRow, is_chosen: bool) -> None:
        half = (room.height() - 2 * _PAD) // 2
        name = QRect(room.left(), room.top() + _PAD, _NAME_WIDTH, half)
        self._paint_id(painter, name, row, is_chosen)
        painter.setFont(words(SMALL))
        painter.setPen(QColor(self._theme.muted))
        _draw_elided(painter, name.translated(0, half), row.title)
        state = QRect(room.right() - _STATE_WIDTH, name.top(), _STATE_WIDTH - _INSET, half)
        teaches = QRect(name.right() + _GAP, name.top(), state.left() - name.right() - 3 * _GAP, half)
        painter.setPen(QColor(self._theme.muted if row.lacks_hardware else self._theme.text))
        for line in wrapped(row.teaches, painter.font(), teaches.width(), 2):
            painter.drawText(teaches, _MIDDLE, line)
            teaches.translate(0, half)
        painter.setPen(QColor(self._theme.muted))
        if row.mark:
            left = state.left() + (0 if row.lacks_hardware else self._paint_warning(painter, state.left(), state))
            lines = wrapped(row.mark[:1].upper() + row.mark[1:], painter.font(), state.right() - left, 2)
        else:
            left, lines = state.left(), [RUNS, NOT_RECORDED if row.recording else RECORDS]
        for line in lines:
            painter.drawText(QRect(left, state.top(), state.right() - left, half), _MIDDLE, line)
            state.translate(0, half)

    def _paint_id(self, painter: QPainter, room: QRect, row: KernelRow, is_chosen: bool) -> int:
        """The pixels that the id took."""
        theme, font = self._theme, _id_font(is_chosen)
        painter.setFont(font)
        painter.setPen(QColor(theme.muted if row.mark else theme.text))
        return _draw_elided(painter, room, row.id)

    def _paint_warning(self, painter: QPainter, left: int, room: QRect) -> int:
        """The pixels that the sign and its gap took."""
        side = QFontMetrics(painter.font()).ascent()
        draw_warning(painter, QRectF(left, room.center().y() - side / 2, side, side), self._theme.hazard)
        return side + _GAP // 2


@lru_cache(maxsize=1024)
def _fits_one_line(row: KernelRow, width: int) -> bool:
    """Whether a row of this width in pixels has room for all its words beside the id, chosen or not."""
    metrics = QFontMetrics(words(SMALL))
    sign = metrics.ascent() + _GAP // 2 if row.mark and not row.lacks_hardware else 0
    beside = sign + metrics.horizontalAdvance(row.mark or row.title)
    room = width - _TEXT - _BOX - 2 * _INSET
    return QFontMetrics(_id_font()).horizontalAdvance(row.id) + _GAP + beside < room


def _draw_elided(painter: QPainter, room: QRect, text: str) -> int:
    metrics = QFontMetrics(painter.font())
    shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, room.width())
    painter.drawText(room, _MIDDLE, shown)
    return metrics.horizontalAdvance(shown)


def _id_font(is_chosen: bool = True) -> QFont:
    return figures(SMALL + 0.5, QFont.Weight.DemiBold if is_chosen else QFont.Weight.Medium)
