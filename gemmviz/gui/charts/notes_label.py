"""The notes below a plot: whole, or all in one line that is cut off where it ends."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from gemmviz.domain.doubts import NOISY, NOT_GPU_TIMES, TIME_RAN_OUT
from gemmviz.domain.visible_text import visible
from gemmviz.gui.plain_label import PlainLabel
from gemmviz.gui.plain_text import plain_text

_FIRST = (NOT_GPU_TIMES, NOISY, TIME_RAN_OUT)
"""What makes figures doubtful comes first in a line that may be cut off."""


class NotesLabel(PlainLabel):
    """`text` are the whole notes whichever is shown, so that they are read aloud; in one line they are its tooltip."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.setWordWrap(True)
        self._line = ""
        self._is_brief = False

    @property
    def is_brief(self) -> bool:
        """Whether all notes stand in one line."""
        return self._is_brief

    @property
    def line(self) -> str:
        """The notes in one line, what is doubtful first, as far as it reaches."""
        return self.fontMetrics().elidedText(self._line, Qt.TextElideMode.ElideRight, self.contentsRect().width())

    def write(self, notes: Sequence[str]) -> None:
        """Sentences, each in a line of its own where there is room."""
        notes = tuple(map(visible, notes))
        self.setText("\n".join(map(_sentence, notes)))
        ordered = sorted(notes, key=lambda note: _FIRST.index(note) if note in _FIRST else len(_FIRST))
        self._line = " ".join(map(_sentence, ordered))
        self._tell()

    def set_brief(self, wanted: bool) -> None:
        """Have one line, or as many as it takes."""
        if wanted != self._is_brief:
            self._is_brief = wanted
            self._tell()
            self.updateGeometry()
            self.update()

    def whole_height(self, width: int) -> int:
        """The height of the whole notes at a width."""
        return max(0, super().heightForWidth(width)) if self.text() else 0

    def hasHeightForWidth(self) -> bool:
        return not self._is_brief and bool(super().hasHeightForWidth())

    def heightForWidth(self, width: int) -> int:
        return self.fontMetrics().height() if self._is_brief else int(super().heightForWidth(width))

    def sizeHint(self) -> QSize:
        return self._one_line() if self._is_brief else super().sizeHint()

    def minimumSizeHint(self) -> QSize:
        return self._one_line() if self._is_brief else super().minimumSizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self._is_brief:
            super().paintEvent(event)
            return
        painter = QPainter(self)
        painter.setPen(self.palette().color(self.foregroundRole()))
        place = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(self.contentsRect(), int(place) | int(Qt.TextFlag.TextSingleLine), self.line)
        painter.end()

    def _one_line(self) -> QSize:
        return QSize(120, self.fontMetrics().height())

    def _tell(self) -> None:
        whole = self.text() if self._is_brief else ""
        self.setToolTip(plain_text(whole))
        self.setAccessibleDescription(whole)


def _sentence(note: str) -> str:
    return note[:1].upper() + note[1:] + "."
