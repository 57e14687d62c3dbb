"""The small window of an animation that is being made: how far it is, what it ended in, and the way to stop it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QDialog, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from gemmviz.domain.figures import count
from gemmviz.gui.export.form import field_label
from gemmviz.gui.export.status import ExportStatus
from gemmviz.gui.widgets.allowed import allow
from gemmviz.gui.widgets.named import named

STOPPING = "Stopping…"
BUSY = "The animation is being made. Wait for it, or stop it."
"""Why no other export is asked for meanwhile."""
MEANWHILE = "You can go on working. Kernels that are timed meanwhile may measure slower."
_WIDTH = 720
_MARGIN = 16
"""Pixels; the margin also to the corner of the window that it belongs to."""


class FilmProgressWindow(QDialog):
    """Stands beside the work: what it belongs to can be used while an animation is made.

    `begin`, then `show_progress`, then `show_done`, `show_failure` or `show_cancelled`.
    """

    stop_asked = Signal()
    """Give up the animation."""
    again_asked = Signal()
    """Ask once more what to export."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("filmWindow")
        self.setWindowTitle("Export of an animation")
        self._busy = False
        self._what = field_label("", "")
        self._what.setObjectName("filmName")
        self._meanwhile = field_label(MEANWHILE, "muted")
        self._status = ExportStatus("film", "Frames made so far")
        self._again = named(
            QPushButton("Export again…"), "filmAgain", "Choose again what to export, with the same choices"
        )
        self._close = named(QPushButton("Close"), "filmClose", "Close, or stop the animation (Esc)")
        self._again.clicked.connect(self.again_asked)
        self._close.clicked.connect(self.reject)
        column, below = QVBoxLayout(self), QHBoxLayout()
        column.setContentsMargins(24, 24, 24, _MARGIN)
        column.setSpacing(8)
        column.addWidget(self._what)
        column.addWidget(self._meanwhile)
        column.addLayout(below)
        below.setSpacing(8)
        below.addWidget(self._status, 1)
        for button in (self._again, self._close):
            button.setAutoDefault(False)
            below.addWidget(button, 0, Qt.AlignmentFlag.AlignBottom)
        self.setMinimumWidth(_WIDTH)

    def begin(self, paths: Sequence[Path]) -> None:
        """An animation begins, which makes these files and folders; stand in the corner of the window, out of the
        way.
        """
        self._what.setText("\n".join(path.name for path in paths))
        self._set_busy(True)
        self._status.fill(0, 0)
        self._status.tell("Preparing the frames…", "muted")
        self.adjustSize()
        parent = self.parentWidget()
        if parent is not None:  # the palette, the list of keys and the pages can be asked for from here, too
            self.addActions(parent.window().actions())
        if parent is not None and not self.isVisible():
            corner = parent.window().geometry().bottomRight()
            self.move(corner.x() - self.width() - _MARGIN, corner.y() - self.height() - 3 * _MARGIN)
        self.show()
        self._close.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_progress(self, done: int, total: int, rest: str = "") -> None:
        """`done` of `total` frames of the film are made; `rest` is how long it still takes, "" where nobody knows."""
        self._status.fill(done, total)
        self._status.tell(f"{count(done)} of {count(total)} video frames{f', {rest}' if rest else ''}", "muted")

    def show_stopping(self) -> None:
        """It is being given up."""
        self._status.tell(STOPPING, "muted")

    def show_done(self, paths: Sequence[Path]) -> None:
        """It is made; these files were written."""
        self._set_busy(False)
        self._status.tell_written(paths)

    def show_failure(self, text: str) -> None:
        """It ended for the reason in `text`."""
        self._set_busy(False)
        self._status.tell(text, "refusal")

    def show_cancelled(self, written: int) -> None:
        """It was stopped; `written` files that were complete before stay."""
        self._set_busy(False)
        self._status.tell_stopped(written)

    def reject(self) -> None:
        """Escape and Close: stop the animation first, close at the second time."""
        if self._busy:
            self.stop_asked.emit()
        else:
            super().reject()

    def closeEvent(self, event: QCloseEvent) -> None:
        if self._busy:
            event.ignore()
            self.stop_asked.emit()
        else:
            super().closeEvent(event)

    def _set_busy(self, busy: bool) -> None:
        self._busy, parent = busy, self.parentWidget()
        self._meanwhile.setVisible(busy)
        self._close.setText("Stop" if busy else "Close")
        self._close.setAccessibleName(self._close.text())
        allow(self._again, BUSY if busy else "")
        self._status.set_busy(busy)
        if not busy and parent is not None and self.isActiveWindow():
            parent.window().activateWindow()  # the work goes on there
