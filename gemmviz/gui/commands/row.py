"""How a command looks in a list: section, name with the meant letters set off, keys at the right."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from gemmviz.gui.commands.commands import Command
from gemmviz.gui.looks.fonts import NORMAL, SMALL, figures, words
from gemmviz.gui.looks.theme import Theme, blend

SECTION_WIDTH, EDGE, GAP = 96, 12, 8


@dataclass(frozen=True, slots=True)
class CommandRow:
    """A command and the places of the letters of its name that were typed."""

    command: Command
    letters: tuple[int, ...] = ()


def pieces(name: str, letters: tuple[int, ...]) -> tuple[tuple[str, bool], ...]:
    """The name cut where it changes between meant letters (True) and others."""
    meant = set(letters)
    cut: list[tuple[str, bool]] = []
    for place, letter in enumerate(name):
        if cut and cut[-1][1] == (place in meant):
            cut[-1] = (cut[-1][0] + letter, cut[-1][1])
        else:
            cut.append((letter, place in meant))
    return tuple(cut)


def letters_after_cut(name: str, shown: str, letters: tuple[int, ...]) -> tuple[int, ...]:
    """The places of letters of a name in what is `shown` of it, which has "…" in place of a part; without those that
    are in that part.
    """
    if shown == name:
        return letters
    head = next((at for at, (one, other) in enumerate(zip(name, shown, strict=False)) if one != other), len(shown))
    less = len(name) - len(shown)
    return tuple(at if at < head else at - less for at in letters if at < head or at - less > head)


class CommandRowPainter(QStyledItemDelegate):
    """Paints the CommandRow that an index has under `role`, `factor` times as large as on a desk."""

    def __init__(
        self, theme: Theme, role: int, height: int, parent: QObject | None = None, *, factor: float = 1.0
    ) -> None:
        super().__init__(parent)
        self._theme, self._role, self._factor = theme, role, factor
        self._height, self._section = round(height * factor), round(SECTION_WIDTH * factor)
        self._edge, self._gap = round(EDGE * factor), round(GAP * factor)

    def sizeHint(self, _option: QStyleOptionViewItem, _index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(200, self._height)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        row = index.data(self._role)
        area: QRect = option.rect
        state: QStyle.StateFlag = option.state
        theme, command = self._theme, row.command
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_ground(painter, area, state)
        left, right = area.left() + self._edge, area.right() - self._edge
        painter.setFont(words(SMALL * self._factor))
        painter.setPen(QColor(theme.muted if command.enabled else theme.faint))
        room = QRect(left, area.top(), self._section - self._gap, area.height())
        section = painter.fontMetrics().elidedText(command.section, Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, _MIDDLE, section)
        right = self._paint_keys(painter, area, right, command)
        self._paint_name(
            painter, QRect(left + self._section, area.top(), right - left - self._section, area.height()), row
        )
        painter.restore()

    def _paint_ground(self, painter: QPainter, area: QRect, state: QStyle.StateFlag) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        if state & QStyle.StateFlag.State_Selected:
            painter.setBrush(QColor(self._theme.selected))
            painter.drawRoundedRect(area, 4, 4)
            painter.setBrush(QColor(self._theme.accent))
            painter.drawRect(QRect(area.left(), area.top() + 4, 3, area.height() - 8))
        elif state & QStyle.StateFlag.State_MouseOver:
            painter.setBrush(QColor(blend(self._theme.panel, self._theme.text, 0.05)))
            painter.drawRoundedRect(area, 4, 4)

    def _paint_keys(self, painter: QPainter, area: QRect, right: int, command: Command) -> int:
        font = figures(SMALL * self._factor)
        measure = QFontMetrics(font)
        painter.setFont(font)
        high = round(20 * self._factor)
        for keys in reversed(command.keys[:2]):
            width = measure.horizontalAdvance(keys) + 12
            cap = QRectF(right - width + 0.5, area.center().y() + 0.5 - high / 2, width, high)
            painter.setPen(QPen(QColor(blend(self._theme.line, self._theme.faint, 0.35)), 1))
            painter.setBrush(QColor(self._theme.field))
            painter.drawRoundedRect(cap, 4, 4)
            painter.setPen(QColor(self._theme.text if command.enabled else self._theme.faint))
            painter.drawText(cap, int(Qt.AlignmentFlag.AlignCenter), keys)
            right -= width + self._gap
        return right

    def _paint_name(self, painter: QPainter, area: QRect, row: CommandRow) -> None:
        """The name, then the detail. A name that is too long loses its middle, since recordings of one kernel differ
        at the end; it leaves room for what the detail has to show.
        """
        theme, command, left = self._theme, row.command, area.left()
        painter.setClipRect(area)
        small, kept = words(SMALL * self._factor), command.kept_detail
        cut = "…" * (kept != command.detail)
        beside = QFontMetrics(small).horizontalAdvance(f"{kept}{cut}") + self._gap if kept else 0
        widest = QFontMetrics(words(NORMAL * self._factor, QFont.Weight.DemiBold))
        shown = widest.elidedText(command.name, Qt.TextElideMode.ElideMiddle, area.width() - beside)
        for text, meant in pieces(shown, letters_after_cut(command.name, shown, row.letters)):
            font = words(NORMAL * self._factor, QFont.Weight.DemiBold if meant else QFont.Weight.Normal)
            painter.setFont(font)
            painter.setPen(QColor((theme.accent if meant else theme.text) if command.enabled else theme.faint))
            width = QFontMetrics(font).horizontalAdvance(text)
            painter.drawText(QRect(left, area.top(), width + 4, area.height()), _MIDDLE, text)
            left += width
        rest = QRect(left + self._gap, area.top(), area.right() + 1 - left - self._gap, area.height())
        if command.detail and (kept or rest.width() > 2 * self._edge):
            painter.setFont(small)
            painter.setPen(QColor(theme.muted if command.enabled else theme.faint))
            detail = QFontMetrics(small).elidedText(command.detail, Qt.TextElideMode.ElideRight, rest.width())
            painter.drawText(rest, _MIDDLE, detail)


_MIDDLE = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
