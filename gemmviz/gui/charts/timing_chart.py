"""The chart of times: kernel time, whole run, rate, speed-up."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from enum import IntEnum
from functools import partial

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.runs.baselines import Baseline, comparable_of
from gemmviz.domain.runs.result import RunResult, timed_runs
from gemmviz.domain.runs.roof import Roofs
from gemmviz.domain.visible_text import visible
from gemmviz.explain.figures.circumstances import SEPARATOR
from gemmviz.explain.figures.figure import Figure, Look, PlotTable
from gemmviz.explain.figures.roofline.bytes import IN_SHORT
from gemmviz.explain.figures.roofline.device_roofs import DevicesHere, reason_against, without_roofs
from gemmviz.explain.figures.roofline.roofline import NOWHERE, roofline_figure, roofline_of, roofline_table
from gemmviz.explain.figures.timing.kernel import kernel_time_figure, kernel_time_table
from gemmviz.explain.figures.timing.rate import KernelComparison, rate_figure, rate_table
from gemmviz.explain.figures.timing.samples import samples_figure, samples_table
from gemmviz.explain.figures.timing.speedup import speedup_figure, speedup_table
from gemmviz.explain.figures.timing.whole import whole_time_figure, whole_time_table
from gemmviz.gui.charts.chart import MOST_ROWS, Chart
from gemmviz.gui.charts.page_spec import ChartSpec, PageSpec
from gemmviz.gui.charts.plot.crowding import CROWDED_NOTE_LINES, GOOD_PLANE, Crowding, crowding_of_plane
from gemmviz.gui.charts.plot_table import Plot
from gemmviz.gui.charts.roofline.plot import RooflinePlot
from gemmviz.gui.charts.runs_chart import with_left_out
from gemmviz.gui.looks.fonts import SMALL, words
from gemmviz.gui.looks.theme import LIGHT, Theme
from gemmviz.gui.widgets.fields import ComboBox
from gemmviz.gui.widgets.named import named
from gemmviz.gui.widgets.on_screen import only_on_screen
from gemmviz.gui.widgets.plain_label import PlainLabel
from gemmviz.gui.widgets.plain_text import plain_text
from gemmviz.gui.widgets.segments import Segment, Segments

SPEEDUP = "Speed-up"
_WIDEST_CHOICE = 340
"""Pixels of the list of what speed-ups are against, so that the title beside it has room."""


class TimingView(IntEnum):
    """What the chart of times shows; the places of its segments."""

    KERNEL = 0
    WHOLE = 1
    RATE = 2
    SPEEDUP = 3
    SAMPLES = 4
    ROOFLINE = 5


_SEGMENTS = (
    Segment("timingViewKernel", "Kernel time", "Median kernel time of each run, both clocks, logarithmic"),
    Segment(
        "timingViewWhole",
        "End to end",
        "A run end to end, part by part: A and B in, the kernel, launching and waiting, C out",
    ),
    Segment("timingViewRate", "Rate", "GFLOP/s: 2·M·N·K over the median kernel time"),
    Segment("timingViewSpeedup", SPEEDUP, "How many times as fast as the GPU vendor's library, or as a CPU kernel"),
    Segment("timingViewSamples", "Samples", "Every sample in the order taken, and where the clock was throttled"),
    Segment(
        "timingViewRoofline",
        "Roofline",
        "GFLOP/s against operations per byte, ideal and recorded, with the measured roofs",
    ),
)


class TimingChart(Chart):
    """Shows runs in the order given.

    Signals:
        view_changed(int): the TimingView a person chose.
    """

    view_changed = Signal(int)

    def __init__(self, theme: Theme = LIGHT, parent: QWidget | None = None) -> None:
        super().__init__("timingChart", "Times of the runs", theme, parent)
        self._runs: tuple[RunResult, ...] = ()
        self._left_out = 0
        self._roofs: tuple[Roofs, ...] = ()
        self._traces: tuple[TraceRun, ...] = ()
        self._baselines: tuple[Baseline, ...] = ()
        self._wanted: Baseline | None = None
        """What speed-ups are against where it is among the runs."""
        self._here = NOWHERE
        self._compared: KernelComparison | None = None
        self._segments = Segments(_SEGMENTS, theme)
        self._segments.setAccessibleName("What the chart shows")
        self._segments.chosen.connect(self._on_view_chosen)
        self._against = PlainLabel("against")
        self._against.setFont(words(SMALL))
        self._combo = ComboBox()
        self._combo.setObjectName("speedupBaseline")
        self._combo.setAccessibleName("Library or kernel to compare with")
        self._combo.setToolTip(
            "What speed-ups are against: the GPU vendor's library in each kernel's own arithmetic, or a CPU kernel; "
            "where neither has run, the slowest kernel or another one"
        )
        self._combo.setMinimumWidth(96)
        self._combo.setMaximumWidth(_WIDEST_CHOICE)
        self._combo.setSizeAdjustPolicy(ComboBox.SizeAdjustPolicy.AdjustToContents)
        self._combo.currentIndexChanged.connect(self._on_baseline_chosen)
        self._against.setBuddy(self._combo)
        self._choice = QWidget()
        beside = QHBoxLayout(self._choice)
        beside.setContentsMargins(0, 0, 0, 0)
        beside.setSpacing(6)
        beside.addWidget(self._against)
        beside.addWidget(self._combo)
        only_on_screen(self._choice)
        self.controls_layout.addWidget(self._segments)
        self.controls_layout.addStretch(1)
        # Beside the title, as the segments leave too little room.
        self.head_layout.insertWidget(1, self._choice)
        self.measure_roofs = named(QPushButton("Measure roofs"), "measureRoofs", says="Measure roofs")
        only_on_screen(self.measure_roofs)
        self.head_layout.insertWidget(1, self.measure_roofs)
        self._roofline = RooflinePlot(theme)
        self._roofline.hide()
        self.body.insertWidget(0, self._roofline, 1)
        self.set_tab_order(*self._segments.buttons, self.measure_roofs, self._combo)
        self.show_runs(())

    @property
    def view(self) -> TimingView:
        """What is shown now."""
        return TimingView(self._segments.current)

    def set_view(self, view: TimingView) -> None:
        """Show another view."""
        self._segments.choose(view)

    @property
    def baseline(self) -> Baseline | None:
        """What speed-ups are against; None where there is nothing."""
        place = self._combo.currentIndex()
        return self._baselines[place] if 0 <= place < len(self._baselines) else None

    def show_runs(
        self, runs: Sequence[RunResult], roofs: Sequence[Roofs] = (), traces: Sequence[TraceRun] = ()
    ) -> None:
        """Show those of these runs that were timed, below the measured roofs of their devices; recordings tell the
        bytes that kernels move. The baseline stays where it is still among the runs, and comes back with them.
        """
        self._runs, self._roofs, self._traces = timed_runs(runs), tuple(roofs), tuple(traces)
        self._left_out = len(runs) - len(self._runs)
        baselines = comparable_of(self._runs)
        if baselines != self._baselines:
            self._baselines = baselines
            self._combo.blockSignals(True)
            self._combo.clear()
            self._combo.addItems([visible(baseline.words) for baseline in baselines])
            place = baselines.index(self._wanted) if self._wanted in baselines else 0 if baselines else -1
            self._combo.setCurrentIndex(place)
            self._combo.blockSignals(False)
        if not self._lacks_baseline:
            self._wanted = self.baseline
        self._renew()

    def begin_anew(self) -> None:
        """Show the view that a window begins with; the next runs decide what speed-ups are against."""
        self._wanted = None
        self.set_view(TimingView.KERNEL)

    def set_comparison(self, compared: KernelComparison | None) -> None:
        """Let rates show which kernels are spoken of, and how many times as fast they are."""
        if compared != self._compared:
            self._compared = compared
            self.renew()

    def show_devices(self, here: DevicesHere) -> None:
        """Say of the devices without roofs whether theirs can be measured now."""
        if here != self._here:
            self._here = here
            self._show_roofs_offer()
            if self.view is TimingView.ROOFLINE:
                self.renew()

    @property
    def short_title(self) -> str:
        return SPEEDUP if self._compares else ""

    @property
    def shows_plot(self) -> bool:
        return self.view is not TimingView.ROOFLINE

    def crowding_of(self, figure: Figure, room: float, notes: float) -> Crowding:
        return super().crowding_of(figure, room, notes) if self.shows_plot else crowding_of_plane(room, notes)

    def fill(self) -> None:
        super().fill()
        has_rows = self._figure is not None and bool(self._figure.rows)
        self._roofline.setVisible(has_rows and not self.shows_plot)
        if self._roofline.isVisibleTo(self):
            self.plot.scroll_bar.hide()
            self._roofline.show_roofline(roofline_of(self._runs, self._roofs, self._traces))
            self._roofline.setAccessibleName(self._title.whole)
            self._roofline.setAccessibleDescription(self.plot.accessibleDescription())

    def height_without_notes(self, width: int) -> float:
        height = super().height_without_notes(width)
        if self.shows_plot or not self._runs:
            return height
        plane = GOOD_PLANE if self.has_picture_height or self.is_crowded_picture else max(480, width * 3 // 5)
        return height - self.plot.natural_height(MOST_ROWS) + round(plane)

    @property
    def most_note_lines(self) -> int:
        """The roofline has much to say of its bytes: on a slide what the marks mean, the rest in the window."""
        return 0 if self.shows_plot else CROWDED_NOTE_LINES

    def _show_controls(self) -> None:
        super()._show_controls()
        self._choice.setVisible(self._compares)
        self.measure_roofs.setVisible(self._lacks_roofs)

    @property
    def is_blank(self) -> bool:
        return not self._runs

    def rehearsal(self) -> tuple[Callable[[], object], ...]:
        """Steps that make the marks of the first run (`gui/window/warm_up.py`): it is this chart that shows it."""
        looks = (Look.GPU, Look.GPU_WAITED, Look.CPU, Look.CPU_WAITED)
        return tuple(partial(self.plot.items_shown.prepare, look) for look in looks)

    def tables(self) -> tuple[PlotTable, ...]:
        """The data of the view that is shown."""
        match self.view:
            case TimingView.KERNEL:
                return (kernel_time_table(self._runs),)
            case TimingView.SAMPLES:
                return (samples_table(self._runs),)
            case TimingView.ROOFLINE:
                return (roofline_table(self._runs, self._roofs, self._traces),)
            case TimingView.WHOLE:
                return (whole_time_table(self._runs),)
            case TimingView.RATE:
                return (rate_table(self._runs, self._roofs),)
            case TimingView.SPEEDUP:
                return (speedup_table(self._runs, self.baseline),)

    def restyle(self, theme: Theme) -> None:
        super().restyle(theme)
        self._segments.set_theme(theme)
        self._roofline.set_theme(theme)
        self._against.set_colour(theme.muted)

    def make_figure(self) -> Figure:
        return with_left_out(self._make_figure(), self._left_out)

    def words_for_empty(self, idle: str) -> str:
        return idle if self._left_out else super().words_for_empty(idle)

    def _make_figure(self) -> Figure:
        match self.view:
            case TimingView.KERNEL:
                return kernel_time_figure(self._runs, self._roofs)
            case TimingView.SAMPLES:
                return samples_figure(self._runs)
            case TimingView.ROOFLINE:
                figure = roofline_figure(self._runs, self._roofs, self._traces, self._here)
                return replace(figure, notes=IN_SHORT) if self._is_bare else figure
            case TimingView.WHOLE:
                return whole_time_figure(self._runs)
            case TimingView.RATE:
                return rate_figure(self._runs, self._roofs, self._compared)
            case TimingView.SPEEDUP:
                figure = speedup_figure(self._runs, self.baseline, with_series=not self._is_bare)
                if self._wanted is None or not (self._lacks_baseline and figure.rows):
                    return figure
                lacking = f"{self._wanted.words} is not among these runs"
                return replace(figure, subtitle=SEPARATOR.join(filter(None, (figure.subtitle, lacking))))

    @property
    def _lacks_baseline(self) -> bool:
        """Whether speed-ups are against another kernel because the wanted one is not among the runs."""
        wanted = self._wanted
        return wanted is not None and not any(wanted.includes(run) for run in self._runs)

    @property
    def _compares(self) -> bool:
        return self.view is TimingView.SPEEDUP and bool(self._baselines) and not (self._for_picture or self._is_bare)

    @property
    def _lacks_roofs(self) -> bool:
        """Whether the roofline has a run whose device's roofs were not measured."""
        is_alone = self._for_picture or self._is_bare
        return self.view is TimingView.ROOFLINE and not is_alone and bool(without_roofs(self._runs, self._roofs))

    def _show_roofs_offer(self) -> None:
        """Whose roofs the button measures, or why it measures none."""
        lacking = without_roofs(self._runs, self._roofs)
        self.measure_roofs.setVisible(self._lacks_roofs)
        reason = reason_against(lacking, self._here)
        whose = next((device.name for device in lacking if self._here.is_chosen(device)), "a device")
        tip = f"Measure how fast {whose} copies and computes, for the roofline"
        self.measure_roofs.setEnabled(not reason)
        self.measure_roofs.setToolTip(plain_text(f"{tip}\n{reason}" if reason else tip))
        self.measure_roofs.setAccessibleDescription(reason or tip)

    def _renew(self) -> None:
        self._choice.setVisible(self._compares)
        self._show_roofs_offer()
        # In line with the list beside it, else with the title.
        side = Qt.AlignmentFlag.AlignVCenter if self._compares else Qt.AlignmentFlag.AlignBottom
        self.head_layout.setAlignment(self._evidence, side)
        self.renew()

    @Slot(int)
    def _on_view_chosen(self, place: int) -> None:
        self._renew()
        self.view_changed.emit(place)

    @Slot(int)
    def _on_baseline_chosen(self, place: int) -> None:
        del place
        self._wanted = self.baseline
        self._renew()


TIMING_CHART = ChartSpec(
    TimingChart,
    lambda chart, session, charted: chart.show_runs(charted.runs, session.roofs, session.traces),
    {
        Plot.KERNEL_TIME: TimingView.KERNEL,
        Plot.END_TO_END_TIME: TimingView.WHOLE,
        Plot.RATE: TimingView.RATE,
        Plot.SPEEDUP: TimingView.SPEEDUP,
        Plot.SAMPLES: TimingView.SAMPLES,
        Plot.ROOFLINE: TimingView.ROOFLINE,
    },
    lambda chart: chart.view,
    lambda chart, view: chart.set_view(view),
)
TIMING_PAGE = PageSpec("Timing", (TIMING_CHART,), compares_chosen=True, reset=lambda chart: chart.begin_anew())
