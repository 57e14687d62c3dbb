"""The page of schedules: which SM runs which block, or what the warps of one SM do."""

from __future__ import annotations

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QStackedWidget, QVBoxLayout, QWidget

from gemmviz.domain.runs.result import Session
from gemmviz.domain.shape import Shape
from gemmviz.domain.spec import Params, RunSpec
from gemmviz.explain.runs.block_schedule import ColourBy
from gemmviz.gui.charts.page import Page
from gemmviz.gui.charts.page_spec import JoinedCharts, PageSpec
from gemmviz.gui.charts.plot_table import Plot
from gemmviz.gui.looks.theme import LIGHT, Theme
from gemmviz.gui.schedule.page import SCHEDULE_CHART, SchedulePage
from gemmviz.gui.schedule.warps_page import WARPS_CHART, WarpsPage
from gemmviz.gui.widgets.segments import Segment, Segments

_SEGMENTS = (
    Segment("schedulesBlocks", "Blocks of all SMs", "Which multiprocessor (SM) ran which block, and when"),
    Segment("schedulesWarps", "Warps of one SM", "When each warp of one SM waits for memory, and when it computes"),
)
_PLOTS = Plot.SCHEDULE, Plot.WARPS
_BLOCKS, _WARPS = range(2)


class SchedulesPage(JoinedCharts):
    """Shows blocks or warps; the choice is there where the session has warps, which are shown where it has no more."""

    def __init__(self, blocks: SchedulePage, warps: WarpsPage, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("schedulesPage")
        self._charts: tuple[Page, ...] = (blocks, warps)
        self._segments = Segments(_SEGMENTS, LIGHT)
        self._segments.setObjectName("schedulesWhat")
        self._segments.setAccessibleName("What the schedule is of")
        self._segments.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._segments.chosen.connect(self._on_chosen)
        blocks.presence_changed.connect(self._show_choice)
        warps.presence_changed.connect(self._show_choice)
        blocks.newer_shown.connect(lambda: self._segments.choose(_BLOCKS))
        self._stack = QStackedWidget()
        for one in self._charts:
            self._stack.addWidget(one)
        self._top = QWidget()
        row = QHBoxLayout(self._top)
        row.setContentsMargins(24, 16, 24, 0)
        row.addWidget(self._segments)
        row.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._top)
        column.addWidget(self._stack, 1)
        self._show_choice()

    @property
    def in_front(self) -> Page:
        return self._charts[self._stack.currentIndex()]

    def show_plot(self, plot: Plot) -> None:
        self._segments.choose(_PLOTS.index(plot))
        self._show_choice()

    def reset(self) -> None:
        """Show blocks, coloured by wave; warps where there are no blocks."""
        self._segments.choose(_BLOCKS)
        self._show_choice()
        blocks = self._charts[_BLOCKS]
        assert isinstance(blocks, SchedulePage)
        blocks.colour.choose(ColourBy.WAVE)

    def set_theme(self, theme: Theme) -> None:
        super().set_theme(theme)
        self._segments.set_theme(theme)

    @Slot()
    def _show_choice(self) -> None:
        has_blocks, has_warps = (not chart.is_blank for chart in self._charts)
        self._top.setVisible(has_warps)
        if not has_warps:
            self._segments.choose(_BLOCKS)
        elif not has_blocks:
            self._segments.choose(_WARPS)

    @Slot(int)
    def _on_chosen(self, place: int) -> None:
        self._stack.setCurrentIndex(place)


def _is_about_schedules(session: Session) -> bool:
    """Whether it has schedules, and no run of anything that has none."""
    scheduled = [_what(one.spec) for one in session.schedules]
    return bool(scheduled) and all(_what(run.spec) in scheduled for run in session.runs)


def _what(spec: RunSpec) -> tuple[str, Shape, Params]:
    return spec.kernel, spec.shape, spec.params


SCHEDULE_PAGE = PageSpec(
    "Schedule",
    (SCHEDULE_CHART, WARPS_CHART),
    SchedulesPage,
    wants_height=True,
    starts=("scheduleAction",),
    begins_with=_is_about_schedules,
    reset=lambda page: page.reset(),
)
