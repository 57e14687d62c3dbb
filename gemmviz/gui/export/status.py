"""How an export goes: a bar, a sentence and the way to what was written, in room that is kept from the beginning."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt, QUrl, Slot
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QPushButton, QVBoxLayout, QWidget

from gemmviz.domain.figures import counted
from gemmviz.domain.visible_text import sentence
from gemmviz.gui.export.form import field_label
from gemmviz.gui.widgets.allowed import allow
from gemmviz.gui.widgets.named import named

LINES = 2
"""Lines of the longest sentence: that of a failure, with a folder in it."""
_SPACING = 4


EXPORTING = "The export goes on. Wait for it, or stop it."
"""Why nothing can be chosen meanwhile."""


class ExportStatus(QWidget):
    """Stands beside the buttons of a dialog, which stay where they are whatever it shows; `what` the bar counts."""

    def __init__(self, prefix: str, what: str) -> None:
        super().__init__()
        self._progress = named(QProgressBar(), f"{prefix}Progress", what, "Progress")
        self._progress.setTextVisible(False)
        self._message = field_label("", "")
        self._message.setObjectName(f"{prefix}Message")
        self._message.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self._folder: Path | None = None
        self._open = named(
            QPushButton("Open folder"), f"{prefix}OpenFolder", "Open the folder of the files written last"
        )
        self._open.setAutoDefault(False)
        allow(self._open, "Export something first.")
        self._open.clicked.connect(self._on_open)
        whole, column = QHBoxLayout(self), QVBoxLayout()
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(8)
        whole.addLayout(column, 1)
        whole.addWidget(self._open, 0, Qt.AlignmentFlag.AlignBottom)
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

    def tell_written(self, paths: Sequence[Path]) -> None:
        """Say that these files are there, and let a person open their folder."""
        if paths:
            self._folder = paths[0].parent
            allow(self._open, "")
        where = f" to {paths[0].parent}" if paths else ""
        self.tell(f"Wrote {counted(len(paths), 'file')}{where}", "")

    def tell_stopped(self, written: int) -> None:
        """Say that the export was stopped; the files `written` until then stay."""
        said = f"Complete: {counted(written, 'file')}." if written else "No file was written."
        self.tell(f"Stopped. {said}", "muted")

    def tell(self, text: str, role: str) -> None:
        """Say something in the look of a role; "" for nothing."""
        self._message.setText(sentence(text))
        self._message.setVisible(bool(text))
        if self._message.property("role") != role:
            self._message.setProperty("role", role)
            self._message.style().polish(self._message)

    @Slot()
    def _on_open(self) -> None:
        if self._folder is not None:
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._folder)))
