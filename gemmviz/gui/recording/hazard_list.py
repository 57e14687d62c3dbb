"""The hazards of a recording, one below the other, each as high as its sentence needs."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QListWidget, QSizePolicy

from gemmviz.gui.recording.top_delegate import TopDelegate

HAZARDS_HEIGHT = 96
"""Pixels that the list keeps however low the page is."""


class HazardList(QListWidget):
    """Lists hazards and scrolls where they need more room than there is."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("recordingHazards")
        self.setAccessibleName("Hazards")
        self.setItemDelegate(TopDelegate(self))
        self.setToolTip("Click a hazard, or press Enter, to see it happen; the arrow keys show its line")
        self.setWordWrap(True)
        self.setResizeMode(QListWidget.ResizeMode.Adjust)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Ignored)
        self.setMinimumHeight(HAZARDS_HEIGHT)

    def whole_height(self) -> int:
        """Pixels that all hazards need at this width."""
        rows = sum(max(self.sizeHintForRow(row), 0) for row in range(self.count()))
        return rows + 2 * self.frameWidth()
