"""A dialog over a window in which something may play: it pauses behind the dialog and goes on afterwards."""

from __future__ import annotations

from PySide6.QtWidgets import QDialog, QWidget

from gemmviz.gui.lessons.scenes.timed_scene import TimedScene
from gemmviz.gui.player.player import Player


def open_over(window: QWidget, dialog: QDialog) -> None:
    """Open a dialog that is deleted once it has closed. What plays in the window shows meanwhile the frame that it had
    come to, and goes on once the dialog has closed.
    """
    for player in window.findChildren(Player):
        if player.playing:
            player.hold()
            dialog.finished.connect(player.release)
    for scene in window.findChildren(TimedScene):
        if scene.is_playing:
            scene.stop()
            dialog.finished.connect(scene.resume)
    dialog.finished.connect(dialog.deleteLater)
    dialog.open()
