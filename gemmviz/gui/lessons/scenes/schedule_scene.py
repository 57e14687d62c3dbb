"""Which SM ran which block, and when: the timeline of a recorded launch."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from gemmviz.catalogue.lesson_scenes import Schedule
from gemmviz.explain.runs.block_schedule import ColourBy, ScheduleFigure
from gemmviz.gui.lessons.lesson_data import LessonData
from gemmviz.gui.lessons.scenes.card_scene import CardScene, on_card
from gemmviz.gui.lessons.scenes.magnified import Magnified
from gemmviz.gui.looks.fonts import SMALL
from gemmviz.gui.looks.projector import words_magnification
from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.schedule.legend import ScheduleLegend
from gemmviz.gui.schedule.timeline_view import TimelineView
from gemmviz.gui.widgets.named import named


class ScheduleScene(CardScene):
    """The timeline with its title, and the size, the device and the day of the launch. All SMs are in sight, unless a
    step is about some of them.
    """

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        timeline = named(TimelineView(on_card(theme)), "lessonTimeline")
        magnified = Magnified(timeline)
        self.legend = named(ScheduleLegend(on_card(theme)), "lessonScheduleLegend")
        super().__init__(theme, "lessonSchedule", magnified, parent, self.legend)
        self.timeline, self._magnified = timeline, magnified

    def show_schedule(self, wanted: Schedule, data: LessonData) -> None:
        """Show the schedule of the kernel a step names."""
        session = data.sessions[wanted.session]
        figure = ScheduleFigure(next(each for each in session.schedules if each.spec.kernel == wanted.kernel))
        self.show_words(wanted.title, figure.subtitle)
        self.timeline.show_figure(figure, ColourBy.WAVE)
        self.legend.show_figure(figure, ColourBy.WAVE)
        self.timeline.show_every_row(not wanted.idle)
        self.timeline.frame_units(figure.idle_units if wanted.idle else ())
        self._magnified.renew()

    def set_magnification(self, factor: float) -> None:
        """On the whole screen the figures of the axes are as large as the labels of other pictures."""
        self._magnified.set_magnification(words_magnification(self, factor, SMALL))
        self.legend.set_magnification(words_magnification(self, factor))

    def set_theme(self, theme: Theme) -> None:
        self.timeline.set_theme(on_card(theme))
        self.legend.set_theme(on_card(theme))
        self._magnified.renew()
