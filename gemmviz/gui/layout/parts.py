"""The widgets of the window, made once; they know nothing of each other."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Protocol, runtime_checkable

from gemmviz.catalogue.examples import Example
from gemmviz.catalogue.lessons import Lesson
from gemmviz.catalogue.loader import Catalogue
from gemmviz.catalogue.presets import Preset
from gemmviz.gui.charts.accuracy_page import ACCURACY_PAGE, AccuracyPage
from gemmviz.gui.charts.error_map.view import ERROR_MAP_CHART, ErrorMapView
from gemmviz.gui.charts.sweep_chart import SWEEP_CHART, SweepChart
from gemmviz.gui.charts.timing_chart import TIMING_CHART, TimingChart
from gemmviz.gui.charts.traffic_chart import TRAFFIC_CHART, TrafficChart
from gemmviz.gui.editor.panel import EditorPanel
from gemmviz.gui.editor.source_place import SourcePlace
from gemmviz.gui.experiment.panel import ExperimentPanel
from gemmviz.gui.figures.panel import FiguresPanel
from gemmviz.gui.lessons.lesson_page import LessonPage
from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.memory.frame_panel import FramePanel
from gemmviz.gui.memory.page import MemoryPage
from gemmviz.gui.memory.playing.linked_view import LinkedView
from gemmviz.gui.notices.bar import NoticeBar
from gemmviz.gui.pages.pages import Pages
from gemmviz.gui.player.player_bar import PlayerBar
from gemmviz.gui.recording.view import RecordingView
from gemmviz.gui.referee.page import REFEREE_CHART, RefereePage
from gemmviz.gui.results.table import ResultsTable
from gemmviz.gui.schedule.page import SCHEDULE_CHART, SchedulePage
from gemmviz.gui.source.source_view import SourceView
from gemmviz.gui.sweep.page import SWEEP_PAGE, SweepPage
from gemmviz.gui.sweep.settings_page import SETTINGS_CHART, SettingsPage
from gemmviz.gui.welcome.first_page import FirstPage
from gemmviz.gui.widgets.named import named
from gemmviz.gui.work.device_status import DeviceBadge, ProgressStatus
from gemmviz.gui.work.experiment import Experiment
from gemmviz.gui.work.last_work import LastWork


@runtime_checkable
class Themed(Protocol):
    """A widget that paints colours itself."""

    def set_theme(self, theme: Theme) -> None: ...


@runtime_checkable
class Expectant(Protocol):
    """A widget that says what is going on while it has nothing to show."""

    def show_work(self, last: LastWork | None) -> None: ...


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Parts:
    """Every widget the window wires; Qt keeps weak references to what its signals call."""

    experiment: ExperimentPanel
    memory: LinkedView
    beside: LinkedView
    player_bar: PlayerBar
    recording: RecordingView
    memory_page: MemoryPage
    frame_panel: FramePanel
    pages: Pages
    figures: FiguresPanel
    source: SourceView
    editor: EditorPanel
    source_place: SourcePlace
    results: ResultsTable
    first_page: FirstPage
    lesson_page: LessonPage
    notices: NoticeBar
    badge: DeviceBadge
    progress: ProgressStatus

    # Charts that other parts are wired to.

    @property
    def timing(self) -> TimingChart:
        return self.pages.chart(TIMING_CHART)

    @property
    def accuracy_page(self) -> AccuracyPage:
        page = self.pages.page(ACCURACY_PAGE)
        assert isinstance(page, AccuracyPage)
        return page

    @property
    def error_map(self) -> ErrorMapView:
        return self.pages.chart(ERROR_MAP_CHART)

    @property
    def sweep(self) -> SweepChart:
        return self.pages.chart(SWEEP_CHART)

    @property
    def sweep_page(self) -> SweepPage:
        page = self.pages.page(SWEEP_PAGE)
        assert isinstance(page, SweepPage)
        return page

    @property
    def settings(self) -> SettingsPage:
        return self.pages.chart(SETTINGS_CHART)

    @property
    def traffic(self) -> TrafficChart:
        return self.pages.chart(TRAFFIC_CHART)

    @property
    def schedule(self) -> SchedulePage:
        return self.pages.chart(SCHEDULE_CHART)

    @property
    def referee(self) -> RefereePage:
        return self.pages.chart(REFEREE_CHART)

    def set_theme(self, theme: Theme) -> None:
        """Tell all that paint colours themselves."""
        for field in fields(self):
            widget = getattr(self, field.name)
            if isinstance(widget, Themed):
                widget.set_theme(theme)

    def show_work(self, last: LastWork | None) -> None:
        """Tell all that have nothing to show what is going on. Rows that were chosen before new runs begin would keep
        these out of the charts: they are chosen no more.
        """
        if last is not None and last.begins_runs:
            self.results.select(())
        for field in fields(self):
            widget = getattr(self, field.name)
            if isinstance(widget, Expectant):
                widget.show_work(last)


def make_parts(
    catalogue: Catalogue,
    presets: tuple[Preset, ...],
    experiment: Experiment,
    theme: Theme,
    examples: tuple[Example, ...] = (),
    lessons: tuple[Lesson, ...] = (),
) -> Parts:
    """All of them, empty."""
    memory, beside, player_bar, recording = LinkedView(theme), LinkedView(theme), PlayerBar(theme), RecordingView()
    named(beside, "memoryViewBeside", says="Memory view of the recording beside")
    pages = Pages(theme)
    reference = next((kernel.id for kernel in catalogue.kernels if kernel.is_reference), "")
    results = ResultsTable(reference)
    figures = FiguresPanel()
    pages.chart(SWEEP_CHART).settings_asked.connect(results.settings_asked)
    pages.chart(SCHEDULE_CHART).in_view.connect(figures.follow_schedule)
    source, editor = SourceView(), EditorPanel()
    return Parts(
        experiment=ExperimentPanel(catalogue, presets, experiment, theme),
        memory=memory,
        beside=beside,
        player_bar=player_bar,
        recording=recording,
        memory_page=MemoryPage(memory, beside, player_bar, recording),
        frame_panel=FramePanel(theme),
        pages=pages,
        figures=figures,
        source=source,
        editor=editor,
        source_place=SourcePlace(source, editor),
        results=results,
        first_page=FirstPage(lessons, theme, examples),
        lesson_page=LessonPage(theme),
        notices=NoticeBar(theme),
        badge=DeviceBadge(theme),
        progress=ProgressStatus(),
    )
