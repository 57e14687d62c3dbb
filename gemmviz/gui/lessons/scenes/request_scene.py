"""One warp request, large: its banks or its sectors, with a title above."""

from __future__ import annotations

from abc import abstractmethod

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from gemmviz.catalogue.lesson_scenes import Banks, Sectors
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.terms import Evidence
from gemmviz.explain.figures.circumstances import SEPARATOR
from gemmviz.explain.requests.what_if import NewLayout, Swizzle
from gemmviz.gui.lessons.lesson_data import LessonData
from gemmviz.gui.lessons.scenes.scene import LessonScene, SceneMoment
from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.memory_view.text.place import lesson_labels
from gemmviz.gui.player.schedule import arrival_after, frame_seconds, motion_seconds
from gemmviz.gui.recording.block_names import picture_title
from gemmviz.gui.stages.bank_stage import BankStage
from gemmviz.gui.stages.coalescing_stage import CoalescingStage
from gemmviz.gui.stages.own_keys import Keys
from gemmviz.gui.stages.request_stage import RequestStage
from gemmviz.gui.widgets.elided_label import ElidedLabel
from gemmviz.gui.widgets.named import named
from gemmviz.gui.widgets.plain_label import PlainLabel

NOT_RUN = f"{Evidence.MODELLED}: this layout was not run"
_ROUNDING = 1e-9
"""Of a step: seconds are no whole numbers."""
TO_SOURCE = 4
"""Pixels between the panel and the line below it."""


class RequestScene(LessonScene):
    """Shows a stage for the request that a step names."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.stage = self.make_stage(theme)
        self.stage.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the lesson has the keys
        self.stage.set_words_visible(False)  # the lesson has words of its own
        self.stage.set_choices_visible(False)  # it has chosen the request, and its page has the button that plays
        self._title = named(PlainLabel(), f"{self.stage.objectName()}LessonTitle", role="title")
        self._title.setContentsMargins(0, 0, 0, 2)
        self._source = named(ElidedLabel(), f"{self.stage.objectName()}LessonSource", role="evidence")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        inner = self.stage.layout()
        if inner is not None:
            inner.setContentsMargins(0, 4, 0, 0)  # the page has margins of its own
        column.addWidget(self._title)
        column.addWidget(self.stage, 1)
        column.addSpacing(TO_SOURCE)
        column.addWidget(self._source)
        self._run: TraceRun | None = None
        self.stage.player.playing_changed.connect(self.playing_changed)

    @property
    def run(self) -> TraceRun | None:
        """The recording that the request is of."""
        return self._run

    @abstractmethod
    def make_stage(self, theme: Theme) -> RequestStage:
        """The stage that is shown."""

    def show_request(self, wanted: Banks | Sectors, data: LessonData) -> None:
        """Choose the request a step names."""
        run = data.traces[wanted.show]
        self._title.setText(wanted.title)
        self._source.show_text(source_words(run))
        if run is not self._run:
            self._run = run
            self.stage.show_block(run, run.blocks[0].trace(run.sites, run.arrays))
        site = next(each for each in run.sites if (each.array, each.kind.value) == (wanted.array, wanted.kind))
        self.stage.choose_request(site.index, 0)

    @property
    def can_play(self) -> bool:
        return True

    @property
    def is_playing(self) -> bool:
        return self.stage.is_playing

    @property
    def controls(self) -> tuple[QWidget, ...]:
        return (self.stage.controls,)

    @property
    def seconds(self) -> float:
        player = self.stage.player
        return (player.count - 1) * frame_seconds(player.speed) if player.count else 0.0

    @property
    def moment(self) -> SceneMoment:
        return SceneMoment(self.stage.player.index)

    @property
    def has_ended(self) -> bool:
        return self.stage.player.index >= self.stage.player.count - 1

    def moment_at(self, seconds: float) -> SceneMoment:
        """The request waits before its first step, which begins with a motion."""
        player = self.stage.player
        each, lasts = frame_seconds(player.speed), motion_seconds(player.speed)
        steps = min(int(seconds / each + _ROUNDING) + 1, player.count - 1) if seconds > 0.0 else 0
        return SceneMoment(steps, arrival_after(seconds - (steps - 1) * each, lasts) if steps else 1.0)

    def show_moment(self, moment: SceneMoment) -> None:
        self.stage.player.show_at(moment.place, moment.arrival)

    def keep_still(self) -> None:
        self.stage.gathers_at_once = True

    def replay(self) -> None:
        self.stage.restart()
        self.stage.play()

    def toggle(self) -> None:
        if self.stage.is_playing:
            self.stage.pause()
        else:
            self.stage.play()

    def step(self, frames: int) -> None:
        if frames > 0:
            self.stage.player.step_forward()
        else:
            self.stage.player.step_back()

    def stop(self) -> None:
        self._run = None
        self.stage.show_block(None, None)

    def set_magnification(self, factor: float) -> None:
        self.stage.picture.set_magnification(factor)

    def set_reduced_motion(self, is_reduced: bool) -> None:
        self.stage.set_reduced_motion(is_reduced)

    def set_theme(self, theme: Theme) -> None:
        self.stage.set_theme(theme)


def source_words(run: TraceRun, *, is_modelled: bool = False) -> str:
    """Where a request comes from: "tiled TILE=16 · 64×64×64 · recorded while a CPU executed the kernel, 2026-11-20";
    in a layout that a reader tries "modelled: this layout was not run".
    """
    whence = NOT_RUN if is_modelled else lesson_labels(run)[0]
    return SEPARATOR.join((picture_title(run), run.spec.shape.words, whence))


class BanksScene(RequestScene):
    """The banks of a request to shared memory; a reader may change the layout where the step says so."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        assert isinstance(self.stage, BankStage)
        self._layouts = self.stage.layouts
        self.stage.layout_changed.connect(lambda _: self._say_source())
        self._layouts.name_keys()
        self.stage.compares_layouts = False  # the layout that a reader tries is read from the back of a room
        self._has_controls = False

    @property
    def tab_stops(self) -> tuple[QWidget, ...]:
        return self._layouts.tab_stops if self._has_controls else ()

    @property
    def keys(self) -> Keys:
        return self._layouts.keys if self._has_controls else {}

    @property
    def layout_tried(self) -> NewLayout:
        """The layout that the request is shown in."""
        assert isinstance(self.stage, BankStage)
        return self.stage.new_layout

    def try_layout(self, layout: NewLayout) -> None:
        """Show the request in another layout."""
        assert isinstance(self.stage, BankStage)
        self.stage.set_layout(layout)

    def set_magnification(self, factor: float) -> None:
        super().set_magnification(factor)
        self._layouts.set_magnification(factor)

    def make_stage(self, theme: Theme) -> RequestStage:
        return BankStage(theme)

    def show_banks(self, wanted: Banks, data: LessonData) -> None:
        """Show the request in the layout a step names, whatever a reader has tried before."""
        self.show_request(wanted, data)
        assert isinstance(self.stage, BankStage)
        self._has_controls = wanted.controls
        self.stage.set_controls_visible(wanted.controls)
        self.stage.set_layout(NewLayout(wanted.padding, Swizzle(wanted.swizzle)))
        self.replay() if wanted.plays else self.stage.show_end()
        self._say_source()

    def _say_source(self) -> None:
        """A layout that a reader tries is modelled, whatever was recorded."""
        if self._run is not None and isinstance(self.stage, BankStage):
            self._source.show_text(source_words(self._run, is_modelled=not self.stage.new_layout.is_as_recorded))


class SectorsScene(RequestScene):
    """The sectors of a request to global memory."""

    def make_stage(self, theme: Theme) -> RequestStage:
        return CoalescingStage(theme)

    def show_sectors(self, wanted: Sectors, data: LessonData) -> None:
        """Show the request a step names."""
        self.show_request(wanted, data)
        self.stage.set_controls_visible(False)
        self.replay() if wanted.plays else self.stage.show_end()
