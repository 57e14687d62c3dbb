"""Two pictures beside each other, as wide as each other until a person moves the line between them."""

from __future__ import annotations

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSplitter, QWidget


class EvenSplitter(QSplitter):
    """Gives all its parts the same width at every resize: left to itself, a part that once had its least width would
    stay narrower or wider than the others.
    """

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setObjectName(name)
        self.setChildrenCollapsible(False)
        self._is_divided = False
        self.splitterMoved.connect(self._on_moved)

    def even_out(self) -> None:
        """Give all the same width, also where a person has moved the line."""
        self._is_divided = False
        self._divide()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._divide()

    @Slot(int, int)
    def _on_moved(self, _place: int, _index: int) -> None:
        self._is_divided = True

    def _divide(self) -> None:
        if not self._is_divided:
            self.setSizes([max(self.width(), 1)] * self.count())
