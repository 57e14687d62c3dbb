"""One recording played large, or two side by side, each with its title and its counters; source and result beside."""

from __future__ import annotations

from functools import partial

from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from gemmviz.catalogue.lesson_scenes import Pictures
from gemmviz.explain.block.running_totals import TotalsSoFar
from gemmviz.gui.lessons.counters import CounterRow
from gemmviz.gui.lessons.lesson_data import LessonData
from gemmviz.gui.lessons.scenes.played_scene import PlayedScene
from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.memory_view.paired_view import PairedView
from gemmviz.gui.memory_view.spoken_of import SpokenOf
from gemmviz.gui.widgets.named import named
from gemmviz.gui.widgets.plain_label import PlainLabel
from gemmviz.trace.frames.plan import FrameMode
from gemmviz.trace.frames.values import Frame

NO_BARRIER = "// no barrier here"


class PicturePane(QFrame):
    """A picture in a frame: its title above, its counters below, or beside the title where that has the room."""

    def __init__(self, theme: Theme, name: str) -> None:
        super().__init__()
        self.setProperty("role", "picture")
        self.view = named(PairedView(theme, is_in_lesson=True), name)
        self.view.setMinimumSize(280, 200)
        self.title = named(PlainLabel(), f"{name}Title", role="title")
        self.counters = CounterRow(f"{name}Counters")
        self._column, self._head = QVBoxLayout(self), QHBoxLayout()
        self._column.setContentsMargins(1, 1, 1, 1)
        self._column.setSpacing(0)
        self._head.addWidget(self.title, 1)
        self._column.addLayout(self._head)
        self._column.addWidget(self.view, 1)
        self.put_counters(beside_title=False)

    def put_counters(self, *, beside_title: bool) -> None:
        """Where the counters stand from now on."""
        self.title.setContentsMargins(16, 0 if beside_title else 10, 16, 0)
        policy = self.counters.sizePolicy()  # below, long words make no picture wider than the other one
        policy.setHorizontalPolicy(QSizePolicy.Policy.Preferred if beside_title else QSizePolicy.Policy.Ignored)
        self.counters.setSizePolicy(policy)
        if beside_title:
            self._head.addWidget(self.counters)
        else:
            self._column.addWidget(self.counters)


class PicturesScene(PlayedScene):
    """Plays what a step's `Pictures` name."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        self.panes = PicturePane(theme, "lessonViewLeft"), PicturePane(theme, "lessonViewRight")
        super().__init__("lessonPictures", (self.panes[0].view, self.panes[1].view), theme, parent)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(16)
        for pane in self.panes:
            row.addWidget(pane, 3)
        row.addWidget(self.beside, 2)
        self._wanted: Pictures | None = None
        self.player.totals_shown.connect(self._show_totals)
        for place, pane in enumerate(self.panes):
            pane.view.tiles_moved.connect(partial(self._count, place))
        self.player.frame_shown.connect(self._show_tags)

    def show_pictures(self, wanted: Pictures, data: LessonData) -> None:
        """Open the recordings and play them."""
        runs = data.recordings(wanted)
        for place, pane in enumerate(self.panes):
            pane.setVisible(place < len(runs))
            if place < len(runs):
                pane.title.setText(wanted.titles[place])
                pane.counters.show_counters(wanted.counters)
                pane.put_counters(beside_title=len(runs) == 1 and bool(wanted.counters))
                pane.counters.set_lit("counters" in wanted.spot)
                pane.view.show_spoken_of(spoken_of(wanted))
        self._wanted = wanted
        if wanted.code is not None:
            self.code.show_source(
                runs[0].source_name, runs[0].source_text, *wanted.code, missing=(wanted.no_barrier_below, NO_BARRIER)
            )
        self.show_beside(has_code=wanted.code is not None, has_result=wanted.result)
        self.player.show(
            runs,
            FrameMode(wanted.mode),
            start=wanted.start,
            stop=wanted.stop,
            still=wanted.still,
            speed=wanted.speed,
            plays=wanted.plays,
            align=wanted.align,
            thread=wanted.thread,
        )

    def _show_tags(self, place: int, frame: Frame) -> None:
        """Tags speak of the frame that the step begins with; of others they might not be true."""
        wanted = self._wanted
        if wanted is not None and not place and wanted.tags:
            self.panes[0].view.show_spoken_of(spoken_of(wanted, has_tags=frame.index == wanted.start))

    def _count(self, place: int) -> None:
        """Show the figures of the moment that the picture shows, so that both count up together."""
        totals = self.player.totals_so_far(place)
        if totals is not None:
            self._show_totals(place, totals)

    def _show_totals(self, place: int, totals: TotalsSoFar) -> None:
        pane = self.panes[place]
        pane.counters.show_totals(totals, pane.view.picture_state())
        if pane.counters.is_short:
            for each in self.panes:
                each.counters.shorten()


def spoken_of(wanted: Pictures, *, has_tags: bool = False) -> SpokenOf:
    """What the text of a step speaks of."""
    return SpokenOf(
        arrays=tuple(name for name in wanted.spot if name != "counters"),
        tags=tuple((tag.array, tag.row, tag.column, tag.text) for tag in wanted.tags) if has_tags else (),
        follows_thread=wanted.follows_thread,
    )
