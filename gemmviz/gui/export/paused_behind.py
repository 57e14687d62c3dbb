"""A dialog over a window in which something may play: it pauses behind the dialog and goes on afterwards."""

from __future__ import annotations

from PySide6.QtWidgets import QDialog, QWidget

from gemmviz.gui.lessons.scenes.timed_scene import TimedScene
from gemmviz.gui.player.player import Player


class PausedBehind:
    """Pauses what plays in a window, at once: what a dialog shows of it is what is seen behind the dialog."""

    def __init__(self, window: QWidget) -> None:
        self._players = [player for player in window.findChildren(Player) if player.playing]
        self._scenes = [scene for scene in window.findChildren(TimedScene) if scene.is_playing]
        for player in self._players:
            player.pause()
        for scene in self._scenes:
            scene.stop()

    def open(self, dialog: QDialog) -> None:
        """Open a dialog that is deleted once it has closed; what was paused goes on then."""
        for player in self._players:
            dialog.finished.connect(player.play)
        for scene in self._scenes:
            dialog.finished.connect(scene.resume)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()
