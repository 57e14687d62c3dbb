"""The notes below a plot: each in lines of its own, or as many whole sentences as fit into few lines."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QToolTip, QWidget

from gemmviz.domain.runs.doubts import NOISY, NOT_GPU_TIMES, TIME_RAN_OUT
from gemmviz.domain.visible_text import visible
from gemmviz.gui.widgets.plain_label import PlainLabel
from gemmviz.gui.widgets.plain_text import plain_text

FIRST = (NOT_GPU_TIMES, NOISY, TIME_RAN_OUT)
"""What makes figures doubtful comes first where not all is said."""
_LAST = ("measured on ", "recorded on ", "roofs measured on ")
"""Drivers and versions come last: the device and the day stand below the title."""
_WRAPPED = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop) | int(Qt.TextFlag.TextWordWrap)


class NotesLabel(PlainLabel):
    """`text` are the whole notes whichever is shown, so that they are read aloud; brief ones have them as tooltip."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.setWordWrap(True)
        self._ordered: tuple[str, ...] = ()
        self._lines = 0

    @property
    def is_brief(self) -> bool:
        """Whether not every note has lines of its own."""
        return self._lines > 0

    def brief(self, width: int) -> str:
        """The sentences that few lines of a width hold, what is doubtful first, and how many more there are."""
        for count in range(len(self._ordered), -1, -1):
            left = len(self._ordered) - count
            words = " ".join((*self._ordered[:count], *((_more(left, count),) if left else ())))
            if self._wrapped_height(words, width) <= self._lines * self.fontMetrics().lineSpacing():
                return words
        return _more(len(self._ordered), 0)

    def write(self, notes: Sequence[str]) -> None:
        """Sentences, each in lines of its own where there is room."""
        notes = tuple(map(visible, notes))
        self.setText("\n".join(map(_sentence, notes)))
        self._ordered = tuple(map(_sentence, sorted(notes, key=rank)))
        self._tell()

    def set_brief(self, lines: int) -> bool:
        """Have at most so many lines, or with 0 as many as it takes; whether that changes anything."""
        if lines == self._lines:
            return False
        self._lines = lines
        self._tell()
        self.updateGeometry()
        self.update()
        return True

    def height_of(self, notes: Sequence[str], width: int) -> int:
        """The height that such notes would have at a width, each in lines of its own."""
        return self._wrapped_height("\n".join(_sentence(visible(note)) for note in notes), width) if notes else 0

    def whole_height(self, width: int) -> int:
        """The height of the whole notes at a width."""
        return max(0, super().heightForWidth(width)) if self.text() else 0

    def hasHeightForWidth(self) -> bool:
        return bool(super().hasHeightForWidth())

    def heightForWidth(self, width: int) -> int:
        return self._wrapped_height(self.brief(width), width) if self.is_brief else int(super().heightForWidth(width))

    def sizeHint(self) -> QSize:
        return self._one_line() if self.is_brief else super().sizeHint()

    def minimumSizeHint(self) -> QSize:
        return self._one_line() if self.is_brief else super().minimumSizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self.is_brief:
            super().paintEvent(event)
            return
        painter = QPainter(self)
        painter.setPen(self.palette().color(self.foregroundRole()))
        painter.drawText(self.contentsRect(), _WRAPPED, self.brief(self.contentsRect().width()))
        painter.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if self.is_brief:
            QToolTip.showText(event.globalPosition().toPoint(), plain_text(self.text()), self)
        else:
            super().mousePressEvent(event)

    def _one_line(self) -> QSize:
        return QSize(120, self.fontMetrics().lineSpacing())

    def _wrapped_height(self, words: str, width: int) -> int:
        return self.fontMetrics().boundingRect(QRect(0, 0, max(width, 1), 10_000), _WRAPPED, words).height()

    def _tell(self) -> None:
        whole = self.text() if self.is_brief else ""
        self.setToolTip(plain_text(whole))
        self.setAccessibleDescription(whole)


def rank(note: str) -> int:
    """Where a note stands among others that may be left out from the last on."""
    if note in FIRST:
        return FIRST.index(note)
    return len(FIRST) + note.startswith(_LAST)


def _more(left: int, shown: int) -> str:
    return f"Point here for {left} {'more ' if shown else ''}note{'' if left == 1 else 's'}."


def _sentence(note: str) -> str:
    return note[:1].upper() + note[1:] + "."
