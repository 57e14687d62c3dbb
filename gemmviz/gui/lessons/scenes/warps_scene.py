"""The warps of one SM at work: which wait and which compute, as the time goes on."""

from __future__ import annotations

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QWidget

from gemmviz.catalogue.lesson_scenes import Warps
from gemmviz.explain.runs.warp_timeline import WarpsFigure
from gemmviz.gui.lessons.lesson_data import LessonData
from gemmviz.gui.lessons.scenes.card_scene import CardScene
from gemmviz.gui.looks.projector import words_magnification
from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.schedule.warps_view import WarpsView, panels_of
from gemmviz.gui.widgets.named import named

TICK_MS = 40
TICKS = 450
"""Of a sweep over the whole picture: 18 seconds."""
STEPS = 60
"""How often a key must be pressed to step through the picture."""


class WarpsScene(CardScene):
    """The picture with its title, and the size, the device and the day of the measurement."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        view = named(WarpsView(theme), "lessonWarpsView", says="Warps of one SM, a row each; time goes right")
        super().__init__(theme, "lessonWarps", view, parent)
        self.view = view
        self._is_reduced = False
        self._timer = QTimer(self, interval=TICK_MS)
        self._timer.timeout.connect(self._advance)

    def show_warps(self, wanted: Warps, data: LessonData) -> None:
        """Show the timelines a step names, and let the time run from their first cycle."""
        figure = WarpsFigure(data.warp_timelines(wanted))
        where = f"{figure.subtitle}  ·  measured by the clock of SM {figure.timelines[0].unit}"
        self.show_words(wanted.title, where)
        self.view.show_panels(panels_of(figure, wanted.rows), wanted.cycles)
        self._set_playing(is_playing=False)
        if wanted.plays:
            self.replay()

    @property
    def can_play(self) -> bool:
        return True

    @property
    def is_playing(self) -> bool:
        return self._timer.isActive()

    def replay(self) -> None:
        if not self._is_reduced:
            self.view.show_until(self.view.span[0])
            self._set_playing(is_playing=True)

    def toggle(self) -> None:
        if self.view.until >= self.view.span[1]:
            self.replay()
        else:
            self._set_playing(is_playing=not self.is_playing)

    def step(self, frames: int) -> None:
        self._set_playing(is_playing=False)
        self._move(frames, STEPS)

    def stop(self) -> None:
        self._set_playing(is_playing=False)

    def set_reduced_motion(self, is_reduced: bool) -> None:
        self._is_reduced = is_reduced

    def set_magnification(self, factor: float) -> None:
        self.view.set_magnification(words_magnification(self, factor))

    def set_theme(self, theme: Theme) -> None:
        self.view.set_theme(theme)

    def _set_playing(self, *, is_playing: bool) -> None:
        if is_playing != self.is_playing:
            self._timer.start() if is_playing else self._timer.stop()
            self.playing_changed.emit(is_playing)

    def _advance(self) -> None:
        self._move(1, TICKS)
        if self.view.until >= self.view.span[1]:
            self._set_playing(is_playing=False)

    def _move(self, times: int, parts: int) -> None:
        """Let the time go on by so many of the equal parts of the picture."""
        first, last = self.view.span
        self.view.show_until(self.view.until + times * max((last - first) // parts, 1))
