"""What all scenes have in common: they play, pause, begin again, and take a theme."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QAbstractButton, QWidget

from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.stages.own_keys import Keys


class LessonScene(QWidget):
    """A scene of a lesson. One that does not move leaves the playing methods as they are."""

    playing_changed = Signal(bool)
    """Whether it plays from now on."""
    answered = Signal()
    """A reader found what the scene asks for."""
    failed = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme

    @property
    def can_play(self) -> bool:
        """Whether there is anything to play."""
        return False

    @property
    def is_playing(self) -> bool:
        return False

    @property
    def choices(self) -> tuple[QAbstractButton, ...]:
        """What a reader chooses from, in the order of the number keys."""
        return ()

    @property
    def tab_stops(self) -> tuple[QWidget, ...]:
        """What Tab reaches first, in its order."""
        return self.choices

    @property
    def first_focus(self) -> QWidget | None:
        """What has the focus once the scene is shown; None: the page, whose keys turn the steps."""
        return None

    @property
    def keys(self) -> Keys:
        """What keys do in this scene besides those of the page."""
        return {}

    @property
    def controls(self) -> tuple[QWidget, ...]:
        """What is no part of the picture, and not in an exported one."""
        return ()

    def replay(self) -> None:
        """Play from the beginning."""

    def toggle(self) -> None:
        """Play, or pause."""

    def step(self, frames: int) -> None:
        """Pause, and go so many frames on; back for a negative number."""

    def stop(self) -> None:
        """Leave the scene: nothing moves and nothing is computed any more."""

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""

    def set_magnification(self, factor: float) -> None:
        """Show pictures and their type so many times as large; labels and buttons follow the page."""

    def set_reduced_motion(self, is_reduced: bool) -> None:
        """Whether things jump to their places instead of moving there."""
