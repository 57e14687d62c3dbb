"""The open list of recordings, in which a name that is typed finds its entry wherever it stands in the title."""

from __future__ import annotations

from PySide6.QtCore import QElapsedTimer, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QGuiApplication, QShowEvent
from PySide6.QtWidgets import QListView, QWidget

NAME = Qt.ItemDataRole.UserRole + 2
"""The role of the name that an entry is found by; where it has none, the first word of its text."""
_WORST = 3


class NameSearchList(QListView):
    """Goes to the entry whose name is what was typed, else begins so, else has a word that begins so. Enter chooses."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._typed, self._since = "", QElapsedTimer()

    def keyboardSearch(self, search: str) -> None:
        interval_ms = QGuiApplication.styleHints().keyboardInputInterval()
        goes_on = self._since.isValid() and self._since.elapsed() <= interval_ms
        self._typed = f"{self._typed if goes_on else ''}{search}".casefold()
        self._since.start()
        model = self.model()
        places = [model.index(row, 0) for row in range(model.rowCount())] if self._typed.strip() else []
        best = min(places, key=self._rank, default=None)
        if best is not None and self._rank(best) < _WORST:
            self.setCurrentIndex(best)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._since.invalidate()  # another name

    def _rank(self, index: QModelIndex | QPersistentModelIndex) -> int:
        """How well an entry matches what was typed, 0 the best; `_WORST` for not at all."""
        if not index.flags() & Qt.ItemFlag.ItemIsEnabled:
            return _WORST
        words = str(index.data() or "").casefold().split()
        name = str(index.data(NAME) or next(iter(words), "")).casefold()
        if name == self._typed:
            return 0
        if name.startswith(self._typed):
            return 1
        return 2 if any(word.startswith(self._typed) for word in words) else _WORST
