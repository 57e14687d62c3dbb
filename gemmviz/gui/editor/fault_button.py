"""The lines below the text that say what is wrong first, and lead there."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontMetrics, QResizeEvent, QTextLayout, QTextOption
from PySide6.QtWidgets import QPushButton, QWidget

from gemmviz.domain.visible_text import visible
from gemmviz.gui.widgets.plain_text import plain_text

AIR = 20
"""Pixels that a button keeps around its icon and its text."""
MOST_LINES = 5
MOST_OTHERS = 5
"""Problems that the tooltip names besides the first."""


class FaultButton(QPushButton):
    """Shows its words in as many lines as they take, up to MOST_LINES; the tooltip has them all."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._whole = ""

    def show_words(self, words: str, others: Sequence[str] = ()) -> None:
        """Say this; the tooltip names what `others` there are, too."""
        self._whole = visible(words)
        self.setAccessibleName(self._whole)
        told = [words, *others[:MOST_OTHERS], *(["…"] if len(others) > MOST_OTHERS else [])]
        self.setToolTip(plain_text("\n".join([*told, "Go to the line. F8 in the text goes to the next one"])))
        self._fit()

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        room = self.width() - self.iconSize().width() - AIR
        self.setText("\n".join(_lines(self._whole, self.fontMetrics(), max(room, 1), self)).replace("&", "&&"))


def _lines(words: str, metrics: QFontMetrics, room: int, button: QPushButton) -> list[str]:
    """The words in lines of at most `room` pixels; what is beyond MOST_LINES is elided."""
    layout = QTextLayout(words, button.font())
    layout.setTextOption(_wrapping())
    layout.beginLayout()
    starts: list[int] = []
    while len(starts) < MOST_LINES and (line := layout.createLine()).isValid():
        line.setLineWidth(room)
        starts.append(line.textStart())
    layout.endLayout()
    ends = [*starts[1:], len(words)]
    lines = [words[begin:end].strip() for begin, end in zip(starts, ends, strict=True)]
    return [metrics.elidedText(line, Qt.TextElideMode.ElideRight, room) for line in lines]


def _wrapping() -> QTextOption:
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    return option
