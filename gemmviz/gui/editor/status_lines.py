"""The lines below the figures: what goes on, and what is wrong with the version; many of them are scrolled."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, QUrl, Signal, Slot
from PySide6.QtGui import QDesktopServices, QResizeEvent
from PySide6.QtWidgets import QFrame, QPushButton, QScrollArea, QVBoxLayout, QWidget

from gemmviz.gui.kernels.described import DESCRIBE
from gemmviz.gui.widgets.focus_ring import FocusRing
from gemmviz.gui.widgets.named import named
from gemmviz.gui.widgets.plain_label import PlainLabel
from gemmviz.gui.widgets.plain_text import action_text, plain_text

_SPACING = 4
"""Pixels between the labels."""
MOST_HEIGHT = 96
"""Pixels that the lines take at most, so that the figures above keep some; the rest is scrolled to."""


class StatusLines(QScrollArea):
    """Says what is examined, what is wrong, and how the file gets a description. Its height is that of its text, up to
    MOST_HEIGHT.
    """

    describe_asked = Signal()
    """To find out what the file computes, and describe it."""

    def __init__(self) -> None:
        super().__init__()
        self._status = named(PlainLabel(wordWrap=True), "examinationStatus", role="muted")
        self._faults = named(PlainLabel(wordWrap=True), "versionFaults", role="hazard")
        self._describe = named(QPushButton(DESCRIBE), "describeFile", "Run its kernels on the PTX machine, confined")
        self._describe.setAutoDefault(False)
        self._describe.clicked.connect(lambda _checked=False: self.describe_asked.emit())
        self._description: Path | None = None
        self._open = named(
            QPushButton("Open"), "openDescription", "Open it in the editor of this desktop", role="outlined"
        )
        self._open.setAutoDefault(False)
        self._open.clicked.connect(self._open_description)
        self._open.hide()
        self.setObjectName("examinationLines")
        self.setAccessibleName("What is examined, and what is wrong")
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        inside = QWidget()
        column = self._column = QVBoxLayout(inside)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(_SPACING)
        column.addWidget(self._status)
        column.addWidget(self._describe, 0, Qt.AlignmentFlag.AlignLeft)
        column.addWidget(self._open, 0, Qt.AlignmentFlag.AlignLeft)
        column.addWidget(self._faults)
        column.addStretch(1)
        self.setWidget(inside)
        FocusRing(self)

    def show_status(self, words: str, *, is_fault: bool, is_describable: bool, description: Path | None = None) -> None:
        """Say what goes on, or in the colour of errors why there is nothing to show. `description` is the file beside
        the kernel that is wrong, None for none.
        """
        self._status.setText(words)
        self._describe.setVisible(is_describable)
        self._description = description
        self._open.setVisible(description is not None)
        self._open.setText(action_text(f"Open {description.name}" if description is not None else "Open"))
        if is_fault != (self._status.property("role") == "refusal"):
            self._status.setProperty("role", "refusal" if is_fault else "muted")
            self._status.style().polish(self._status)
        self._reserve()

    def show_faults(self, words: str, tip: str) -> None:
        """Say what is wrong with the version; "" for nothing."""
        self._faults.setText(words)
        self._faults.setToolTip(plain_text(tip))
        self._faults.setVisible(bool(words))
        self._reserve()

    @Slot()
    def _open_description(self) -> None:
        if self._description is not None:
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._description.absolute())))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Text of another width needs another height."""
        if event.size().width() != event.oldSize().width():
            self._reserve()
        super().resizeEvent(event)

    def _reserve(self) -> None:
        self._column.invalidate()
        needed = self._column.heightForWidth(self.width()) if self.width() else 0
        self.setFixedHeight(min(needed, MOST_HEIGHT))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus if needed > MOST_HEIGHT else Qt.FocusPolicy.NoFocus)
