"""The buttons that play a stage."""

from __future__ import annotations

from enum import Enum

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QToolButton, QWidget

from gemmviz.gui.looks.icons import icon
from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.player.player_icons import end_icon
from gemmviz.gui.stages.own_keys import Keys
from gemmviz.gui.widgets.allowed import allow
from gemmviz.gui.widgets.named import named
from gemmviz.gui.widgets.plain_text import plain_text

NOTHING_TO_PLAY = "There is no request to play. Record a block that accesses this memory."


class Shows(Enum):
    """What is to be shown of a request as soon as it is there."""

    START = "start"
    PLAY = "play"
    END = "end"


class Transport(QWidget):
    """Back to the start, play or pause, to the end."""

    restart_asked = Signal()
    play_asked = Signal()
    """Play, or pause."""
    end_asked = Signal()

    def __init__(self, name: str, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._is_playing, self._is_possible = False, True
        self._restart = named(QToolButton(), f"{name}Restart", "Back to the start (Home)", "Back to the start")
        self._play = named(QPushButton("Play"), f"{name}Play", "Play (Space)", "Play")
        self._end = named(QToolButton(), f"{name}End", "Show the finished picture (End)", "Show the end")
        self._play.setMinimumWidth(self._play.fontMetrics().horizontalAdvance("Pause") + 44)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        for button, asked in (
            (self._restart, self.restart_asked),
            (self._play, self.play_asked),
            (self._end, self.end_asked),
        ):
            button.setIconSize(QSize(16, 16))
            button.clicked.connect(asked)
            row.addWidget(button)
        self.set_theme(theme)

    @property
    def keys(self) -> Keys:
        """What keys do the same as the buttons."""
        key = Qt.Key
        asked = {key.Key_Space: self.play_asked, key.Key_Home: self.restart_asked, key.Key_End: self.end_asked}
        return {(each, False): signal.emit for each, signal in asked.items()}

    def set_possible(self, possible: bool) -> None:
        """Whether there is something to play."""
        self._is_possible = possible
        for button in (self._restart, self._end):
            allow(button, "" if possible else NOTHING_TO_PLAY)
        self.show_playing(self._is_playing)

    def show_playing(self, playing: bool) -> None:
        """Whether it plays."""
        self._is_playing = playing
        says = "Pause" if playing else "Play"
        self._play.setText(says)
        why_not = "" if self._is_possible else f"\n{NOTHING_TO_PLAY}"
        self._play.setEnabled(self._is_possible)
        self._play.setToolTip(plain_text(f"{says} (Space){why_not}"))
        self._play.setAccessibleName(says)
        self._play.setIcon(icon("pause" if playing else "run", self._theme))

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._theme = theme
        self._restart.setIcon(end_icon(theme, last=False))
        self._end.setIcon(end_icon(theme, last=True))
        self.show_playing(self._is_playing)
