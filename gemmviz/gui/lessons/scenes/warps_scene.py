"""The warps of one SM at work: which wait and which compute, as the time goes on."""

from __future__ import annotations

from math import ceil

from PySide6.QtWidgets import QWidget

from gemmviz.catalogue.lesson_scenes import Warps
from gemmviz.explain.runs.warp_timeline import WarpsFigure
from gemmviz.gui.lessons.lesson_data import LessonData
from gemmviz.gui.lessons.scenes.card_scene import CardScene
from gemmviz.gui.lessons.scenes.timed_scene import TimedScene
from gemmviz.gui.looks.projector import words_magnification
from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.schedule.warps_view import WarpsView, panels_of
from gemmviz.gui.widgets.named import named

TICK_MS = 40
TICKS = 450
"""Of a sweep over the whole picture: 18 seconds."""
STEPS = 60
"""How often a key must be pressed to step through the picture."""


class WarpsScene(CardScene, TimedScene):
    """The picture with its title, and the size, the device and the day of the measurement."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        view = named(WarpsView(theme), "lessonWarpsView", says="Warps of one SM, one row each; time runs to the right")
        super().__init__(theme, "lessonWarps", view, parent)
        self.view = view
        self.tick_every(TICK_MS)

    def show_warps(self, wanted: Warps, data: LessonData) -> None:
        """Show the timelines a step names, and let the time run from their first cycle."""
        figure = WarpsFigure(data.warp_timelines(wanted))
        where = f"{figure.subtitle}  ·  measured by the clock of SM {figure.timelines[0].unit}"
        self.show_words(wanted.title, where)
        self.view.show_panels(panels_of(figure, wanted.rows), wanted.cycles)
        self.stop()
        if wanted.plays:
            self.replay()

    @property
    def is_at_end(self) -> bool:
        return self.view.until >= self.view.span[1]

    def replay(self) -> None:
        if not self._is_reduced:
            self.view.show_until(self.view.span[0])
            self.set_playing(True)

    @property
    def ticks(self) -> int:
        first, last = self.view.span
        return ceil((last - first) / self._cycles_in(TICKS)) + 1

    @property
    def tick(self) -> int:
        done = (self.view.until - self.view.span[0]) // self._cycles_in(TICKS)
        return self.ticks - 1 if self.is_at_end else done

    def show_tick(self, tick: int) -> None:
        self.view.show_until(self.view.span[0] + tick * self._cycles_in(TICKS))

    def advance(self) -> None:
        self._run(1, TICKS)

    def go_on(self, frames: int) -> None:
        self._run(frames, STEPS)

    def set_magnification(self, factor: float) -> None:
        self.view.set_magnification(words_magnification(self, factor))

    def set_theme(self, theme: Theme) -> None:
        self.view.set_theme(theme)

    def _run(self, times: int, parts: int) -> None:
        """Let the time go on by so many of the equal parts of the picture."""
        self.view.show_until(self.view.until + times * self._cycles_in(parts))

    def _cycles_in(self, parts: int) -> int:
        """The cycles of one of so many equal parts of the picture."""
        first, last = self.view.span
        return max((last - first) // parts, 1)
