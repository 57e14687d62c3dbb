"""The margin of the editor: numbers of the lines, which of them changed, and what a save changed of their figures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QHelpEvent, QMouseEvent, QPainter, QPaintEvent, QTextCursor
from PySide6.QtWidgets import QWidget

from gemmviz.explain.source.line_changes import LineChange
from gemmviz.explain.source.line_figures import MEANINGS
from gemmviz.explain.source.worth import Worth
from gemmviz.gui.looks.theme import Theme

_GAP, _BAR = 8, 3
"""Pixels between the parts, and of the bar beside a line that changed."""
BEFORE_EDITS = "Before your edits: "
"""Begins what is known of an earlier text."""
_ROOM = "480→0"
"""There is room for such a figure from the beginning: the first figures of a save move no line."""


class NumberedText(Protocol):
    """What the margin asks of the text beside it."""

    @property
    def theme(self) -> Theme: ...

    @property
    def changed(self) -> frozenset[int]:
        """The lines that changed since the last save, from 1."""

    @property
    def has_current_faults(self) -> bool: ...

    def fault_at(self, line: int) -> str: ...

    def lines_in_sight(self) -> list[tuple[int, QRect]]:
        """Numbers of lines, from 1, with their places."""

    def fit_margin(self) -> None:
        """Give the margin the width that it wants."""

    def show_tip(self, line: int, place: QPoint, otherwise: str = "") -> None: ...

    def go_to(self, line: int, column: int = 0) -> None: ...

    def blockCount(self) -> int: ...

    def textCursor(self) -> QTextCursor: ...

    def setFocus(self) -> None: ...


class LineMargin(QWidget):
    """Stands at the left of the text and scrolls with it."""

    def __init__(self, edit: NumberedText, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("codeMargin")
        self.setAccessibleName("Line numbers, changed lines, and figures before and after the last save")
        self._edit, self._font = edit, QFont()
        self._changes: Mapping[int, LineChange] = {}
        self._is_current = True

    def set_font(self, font: QFont) -> None:
        """Write in the font of the text."""
        self._font = font
        self.update()

    def show_changes(self, changes: Mapping[int, LineChange], *, is_current: bool = True) -> None:
        """Show for these lines, from 1, what became of a figure; nothing for none. `is_current`: figures of this text,
        not of an earlier one.
        """
        self._changes, self._is_current = changes, is_current
        self._edit.fit_margin()
        self.update()

    @property
    def changes(self) -> Mapping[int, LineChange]:
        """What is shown."""
        return self._changes

    @property
    def heading(self) -> str:
        """Which figure stands beside the lines; "" for none."""
        change = next(iter(self._changes.values()), None)
        if change is None:
            return ""
        name = f"Beside the lines: {MEANINGS[change.figure].name}"
        return name if change.is_alone else f"{name}, before and after the last save"

    def tip_of(self, line: int) -> str:
        """What is known of the figures of a line; "" for nothing."""
        change = self._changes.get(line)
        if change is None:
            return ""
        return change.tip if self._is_current else f"{BEFORE_EDITS}{change.tip}"

    def sizeHint(self) -> QSize:
        numbers = QFontMetrics(self._font).horizontalAdvance("0") * max(len(str(self._edit.blockCount())), 3)
        return QSize(self._figures_width() + numbers + 2 * _GAP + _BAR, 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, painter = self._edit.theme, QPainter(self)
        painter.fillRect(event.rect(), QColor(theme.field))
        painter.setFont(self._font)
        current = self._edit.textCursor().blockNumber() + 1
        figures, right = self._figures_width(), self.width() - _BAR - _GAP
        for line, place in self._edit.lines_in_sight():
            row = QRect(0, place.top(), self.width(), place.height())
            has_fault = self._edit.has_current_faults and bool(self._edit.fault_at(line))
            if line in self._edit.changed:
                painter.fillRect(QRect(self.width() - _BAR, row.top(), _BAR, row.height()), QColor(theme.accent))
            painter.setPen(QColor(theme.hazard if has_fault else theme.text if line == current else theme.muted))
            number = QRect(figures, row.top(), right - figures, row.height())
            painter.drawText(number, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, str(line))
            change = self._changes.get(line)
            if change is not None:
                colour = worth_colour(change.worth, theme.text, theme.good, theme.hazard)
                painter.setPen(QColor(colour if self._is_current else theme.faint))
                box = QRect(_GAP // 2, row.top(), figures - _GAP, row.height())
                painter.drawText(box, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, change.words)
        painter.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        line = self._line_at(event.position().toPoint())
        if line:
            self._edit.go_to(line)
            self._edit.setFocus()

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() is QEvent.Type.ToolTip:
            self._edit.show_tip(self._line_at(event.pos()), event.globalPos(), self.heading)
            return True
        return super().event(event)

    def _line_at(self, place: QPoint) -> int:
        lines = self._edit.lines_in_sight()
        return next((line for line, row in lines if row.top() <= place.y() <= row.bottom()), 0)

    def _figures_width(self) -> int:
        widest = max((_ROOM, *(change.words for change in self._changes.values())), key=len)
        return QFontMetrics(self._font).horizontalAdvance(widest) + _GAP


def worth_colour(worth: Worth, neutral: str, good: str, bad: str) -> str:
    """The colour of a change."""
    return {Worth.BETTER: good, Worth.WORSE: bad}.get(worth, neutral)
