"""The notes below a plot: each in lines of its own, or as many whole sentences as fit into few lines."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QToolTip, QWidget

from gemmviz.catalogue.term_words import explained, with_terms
from gemmviz.domain.runs.doubts import DOUBTS, NOT_GPU_TIMES
from gemmviz.domain.runs.roof_words import LOWERED
from gemmviz.domain.unbroken_text import unbroken
from gemmviz.domain.visible_text import visible
from gemmviz.explain.figures.run_facts import WRONG_NOTE
from gemmviz.gui.widgets.plain_label import PlainLabel
from gemmviz.gui.widgets.plain_text import plain_text

FIRST = (WRONG_NOTE, NOT_GPU_TIMES, *DOUBTS, LOWERED)
"""How notes begin of what makes figures doubtful. They come first and are always seen, at least their beginning."""
_LAST = ("measured on ", "recorded on ", "roofs measured on ")
"""Drivers and versions come last: the device and the day stand below the title."""
_OPEN_KEYS = Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space
_WRAPPED = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop) | int(Qt.TextFlag.TextWordWrap)


class NotesLabel(PlainLabel):
    """`text` are the whole notes whichever is shown, so that they are read aloud; brief ones have them as tooltip.

    Tab reaches notes of which some are left out; Enter or a click then shows all of them.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.setWordWrap(True)
        self._ordered: tuple[str, ...] = ()
        self._doubts: tuple[str, ...] = ()
        """Those of the notes that tell what is doubtful, in short."""
        self._lines = 0

    @property
    def is_brief(self) -> bool:
        """Whether not every note has lines of its own."""
        return self._lines > 0

    def brief(self, width: int) -> str:
        """The sentences that few lines of a width hold, what is doubtful first, and how many more there are. Doubts
        without room are said in short, in as many lines as it takes.
        """
        return self._brief_in(width)[0]

    def _brief_in(self, width: int) -> tuple[str, int]:
        """The brief notes in a width, and how many of them have all their words there."""
        room = self._lines * self.fontMetrics().lineSpacing()
        for count in range(len(self._ordered), max(1, len(self._doubts)) - 1, -1):
            left = len(self._ordered) - count
            more = (_more(left, count, by_key=self.hasFocus()),) if left else ()
            words = " ".join((*self._ordered[:count], *more))
            if self._wrapped_height(words, width) <= room:
                return words, count
        shown = len(self._doubts)
        left = len(self._ordered) - shown if self._doubts == self._ordered[:shown] else len(self._ordered)
        more = (_more(left, shown if left < len(self._ordered) else 0, by_key=self.hasFocus()),) if left else ()
        return " ".join((*self._doubts, *more)), len(self._ordered) - left

    def write(self, notes: Sequence[str]) -> None:
        """Sentences, each in lines of its own where there is room."""
        notes = tuple(map(visible, notes))
        self.setText("\n".join(map(_sentence, notes)))
        self._ordered = tuple(map(_sentence, sorted(notes, key=rank)))
        begun = (first for first in FIRST if any(note.startswith(first) for note in notes))
        self._doubts = tuple(_sentence(first.partition(";")[0]) for first in begun)
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
        painter.drawText(self.contentsRect(), _WRAPPED, unbroken(self.brief(self.contentsRect().width())))
        if self.hasFocus():
            painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
        painter.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if self.is_brief:
            QToolTip.showText(event.globalPosition().toPoint(), plain_text(self.text()), self)
        else:
            super().mousePressEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self.is_brief and event.key() in _OPEN_KEYS:
            QToolTip.showText(self.mapToGlobal(QPoint(0, self.height())), plain_text(self.text()), self)
        elif event.key() == Qt.Key.Key_Escape and QToolTip.isVisible():
            QToolTip.hideText()
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        QToolTip.hideText()
        super().focusOutEvent(event)
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._allow_focus()

    def _one_line(self) -> QSize:
        return QSize(120, self.fontMetrics().lineSpacing())

    def _wrapped_height(self, words: str, width: int) -> int:
        return self.fontMetrics().boundingRect(QRect(0, 0, max(width, 1), 10_000), _WRAPPED, unbroken(words)).height()

    def _tell(self) -> None:
        whole = self.text() if self.is_brief else ""
        self.setToolTip(plain_text(with_terms(whole, self.text()) if whole else explained(self.text())))
        self.setAccessibleDescription(whole)
        self._allow_focus()

    def _allow_focus(self) -> None:
        """Let Tab reach the notes while some have no room."""
        hides_some = self.is_brief and self._brief_in(self.contentsRect().width())[1] < len(self._ordered)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus if hides_some else Qt.FocusPolicy.NoFocus)


def rank(note: str) -> int:
    """Where a note stands among others that may be left out from the last on."""
    for place, first in enumerate(FIRST):
        if note.startswith(first):
            return place
    return len(FIRST) + note.startswith(_LAST)


def _more(left: int, shown: int, *, by_key: bool) -> str:
    """How to see the others; with the focus, by which key."""
    how = "Press Enter" if by_key else "Point here"
    return f"{how} for {left} {'more ' if shown else ''}note{'' if left == 1 else 's'}."


def _sentence(note: str) -> str:
    return note[:1].upper() + note[1:].removesuffix(".") + "."
