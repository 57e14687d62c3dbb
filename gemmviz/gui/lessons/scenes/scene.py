"""What all scenes have in common: they play, pause, begin again, and take a theme."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QAbstractButton, QWidget

from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.stages.own_keys import Keys


@dataclass(frozen=True, slots=True)
class SceneMoment:
    """A moment of a scene that plays: its place among the frames, the steps or the ticks that the scene counts from 0,
    and how far what moves has come there from the place before (0 to 1).
    """

    place: int
    arrival: float = 1.0


NO_MOMENT = SceneMoment(0)
"""That of a scene which does not play."""


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

    @property
    def seconds(self) -> float:
        """How long the scene takes when it plays from its beginning to its end; 0 for one that does not play."""
        return 0.0

    @property
    def moment(self) -> SceneMoment:
        """The moment that shows, with all that moves at its place."""
        return NO_MOMENT

    @property
    def has_ended(self) -> bool:
        """Whether the moment that shows is the last one of playing."""
        return True

    @property
    def rest(self) -> SceneMoment:
        """The moment that a step is about: its last one, or the first one where it does not play by itself."""
        return self.moment_at(self.seconds)

    def moment_at(self, seconds: float) -> SceneMoment:
        """The moment that shows so many seconds after the scene began to play; its last one from its end on."""
        del seconds  # it does not play
        return NO_MOMENT

    def show_moment(self, moment: SceneMoment) -> None:
        """Pause, and show a moment at once."""

    def keep_still(self) -> None:
        """Be for pictures alone, before anything is shown: what a moment needs is made in this thread, at once."""

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
