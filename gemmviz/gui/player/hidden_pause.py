"""A player whose pictures are hidden pauses: nobody sees it play, and what is around the pictures would go on."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QWidget

from gemmviz.gui.player.player import Player


class HiddenPause(QObject):
    """Pauses `player` when `pictures` are hidden by the program; a window that is minimised plays on."""

    def __init__(self, player: Player, pictures: QWidget) -> None:
        super().__init__(pictures)
        self._player = player
        pictures.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Hide and not event.spontaneous():
            self._player.pause()
        return super().eventFilter(watched, event)
