"""A note above a recorded source: its file has changed since, or may have."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QPushButton, QVBoxLayout, QWidget

from gemmviz.gui.widgets.allowed import allow
from gemmviz.gui.widgets.named import named
from gemmviz.gui.widgets.plain_label import PlainLabel
from gemmviz.gui.work.words import BUSY

STALE = "Recorded from an earlier version of this file"
NOT_LISTED = "As it was recorded. Its file is not in the list of kernels and may have changed since."
RECORD_AGAIN = "Record again"
RECORD_AGAIN_TIP = "Record the same blocks of the file as it is now, with the same size and parameters"


class StaleNote(QFrame):
    """Says STALE, with a button that records the file as it is now, or NOT_LISTED."""

    record_asked = Signal()
    """A person wants the file recorded as it is now."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        named(self, "sourceStale").setProperty("notice", "warning")
        self._words = PlainLabel(parent=self, wordWrap=True)
        self._record = named(QPushButton(RECORD_AGAIN, self), "sourceRecordAgain", RECORD_AGAIN_TIP, role="quiet")
        self._record.clicked.connect(self.record_asked)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 8, 12, 8)
        column.addWidget(self._words)
        column.addWidget(self._record)
        column.setAlignment(self._record, Qt.AlignmentFlag.AlignLeft)

    def show_doubt(self, words: str) -> None:
        """STALE, NOT_LISTED, or "" for nothing: the note is hidden."""
        self._words.setText(words)
        self._record.setVisible(words == STALE)
        self.setVisible(bool(words))

    def set_busy(self, busy: bool) -> None:
        """Nothing can be recorded while something is at work."""
        allow(self._record, BUSY if busy else "")
