"""How an export goes: a bar and a sentence, in room that is kept for them from the beginning."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QProgressBar, QVBoxLayout, QWidget

from gemmviz.gui.export.form import field_label
from gemmviz.gui.widgets.named import named

LINES = 2
"""Lines of the longest sentence: that of a failure, with a folder in it."""
_SPACING = 4


class ExportStatus(QWidget):
    """Stands beside the buttons of the dialog, which stay where they are whatever it shows."""

    def __init__(self) -> None:
        super().__init__()
        self._progress = named(QProgressBar(), "exportProgress", "Files written so far", "Progress")
        self._progress.setTextVisible(False)
        self._message = field_label("", "")
        self._message.setObjectName("exportMessage")
        self._message.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(_SPACING)
        column.addWidget(self._progress)
        column.addWidget(self._message, 1)
        bar, sentence = self._progress.sizeHint().height(), LINES * self._message.fontMetrics().lineSpacing()
        self.setMinimumHeight(bar + _SPACING + sentence)
        self.set_busy(False)

    @property
    def text(self) -> str:
        """What is said."""
        return self._message.text()

    def set_busy(self, busy: bool) -> None:
        """Whether an export goes on: then there is a bar."""
        self._progress.setVisible(busy)

    def fill(self, done: int, total: int) -> None:
        """So much of the bar is full."""
        self._progress.setMaximum(max(total, 1))
        self._progress.setValue(done)

    def tell(self, text: str, role: str) -> None:
        """Say something in the look of a role; "" for nothing."""
        self._message.setText(text)
        self._message.setVisible(bool(text))
        if self._message.property("role") != role:
            self._message.setProperty("role", role)
            self._message.style().polish(self._message)
