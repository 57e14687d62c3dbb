"""Which SM ran which block, and when: the timeline of a recorded launch."""

from __future__ import annotations

from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from gemmviz.catalogue.lesson_scenes import Schedule
from gemmviz.explain.runs.block_schedule import ColourBy, ScheduleFigure
from gemmviz.gui.lessons.lesson_data import LessonData
from gemmviz.gui.lessons.scenes.magnified import Magnified
from gemmviz.gui.lessons.scenes.scene import LessonScene
from gemmviz.gui.looks.projector import least_label, picture_magnification
from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.schedule.timeline_view import TimelineView
from gemmviz.gui.widgets.named import named
from gemmviz.gui.widgets.plain_label import PlainLabel


class ScheduleScene(LessonScene):
    """The timeline with its title, and the size, the device and the day of the launch. All SMs are in sight, unless a
    step is about some of them.
    """

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.setObjectName("lessonSchedule")
        card = QFrame()
        card.setProperty("role", "card")
        self._title = named(PlainLabel(), "lessonScheduleTitle", role="title")
        self._subtitle = named(PlainLabel(wordWrap=True), "lessonScheduleSubtitle", role="evidence")
        self.timeline = named(TimelineView(theme), "lessonTimeline")
        column = QVBoxLayout(card)
        column.setContentsMargins(16, 10, 16, 12)
        column.setSpacing(4)
        for widget in (self._title, self._subtitle):
            column.addWidget(widget)
        self._magnified = Magnified(self.timeline)
        column.addWidget(self._magnified, 1)
        around = QVBoxLayout(self)
        around.setContentsMargins(0, 0, 0, 0)
        around.addWidget(card)

    def show_schedule(self, wanted: Schedule, data: LessonData) -> None:
        """Show the schedule of the kernel a step names."""
        session = data.sessions[wanted.session]
        figure = ScheduleFigure(next(each for each in session.schedules if each.spec.kernel == wanted.kernel))
        self._title.setText(wanted.title)
        self._subtitle.setText(figure.subtitle)
        self.timeline.show_figure(figure, ColourBy.WAVE)
        self.timeline.show_every_row(not wanted.idle)
        self.timeline.frame_units(figure.idle_units if wanted.idle else ())
        self._magnified.renew()

    def set_magnification(self, factor: float) -> None:
        """On the whole screen the figures of the axes are as large as the labels of other pictures."""
        self._magnified.set_magnification(max(factor, picture_magnification(least_label(self))))

    def set_theme(self, theme: Theme) -> None:
        self.timeline.set_theme(theme)
        self._magnified.renew()
