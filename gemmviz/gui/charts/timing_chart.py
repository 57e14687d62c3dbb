"""The chart of times: kernel time, whole run, rate, speed-up."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from enum import IntEnum
from functools import partial

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QPushButton, QWidget

from gemmviz.domain import figures
from gemmviz.domain.device import Device
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.runs.baselines import Baseline
from gemmviz.domain.runs.result import RunResult, Session, timed_runs
from gemmviz.domain.runs.roof import Roofs
from gemmviz.domain.runs.roof_words import LOWERED_NOTE
from gemmviz.explain.figures.circumstances import SEPARATOR
from gemmviz.explain.figures.figure import Figure, Look, PlotTable
from gemmviz.explain.figures.roofline.bytes import IN_SHORT
from gemmviz.explain.figures.roofline.device_roofs import DevicesHere, roofs_offer, sharing_roofs, without_roofs
from gemmviz.explain.figures.roofline.roofline import NOWHERE, roofline_figure, roofline_of, roofline_table
from gemmviz.explain.figures.roofline.spoken_of import with_spoken_of
from gemmviz.explain.figures.timing.kernel import kernel_time_figure, kernel_time_table
from gemmviz.explain.figures.timing.ladder import RULE, left_out_note, left_out_words, shown_first
from gemmviz.explain.figures.timing.rate import KernelComparison, rate_figure, rate_table
from gemmviz.explain.figures.timing.samples import samples_figure, samples_table
from gemmviz.explain.figures.timing.speedup_figure import speedup_figure, speedup_table
from gemmviz.explain.figures.timing.whole import whole_time_figure, whole_time_table
from gemmviz.gui.charts.baseline_choice import BaselineChoice
from gemmviz.gui.charts.chart import MOST_ROWS, Chart
from gemmviz.gui.charts.newest_runs import with_newest_points
from gemmviz.gui.charts.page_spec import ChartSpec, PageSpec
from gemmviz.gui.charts.plot.crowding import GOOD_PLANE, Crowding, crowding_of_plane
from gemmviz.gui.charts.plot_table import Charted, Plot
from gemmviz.gui.charts.roofline.plot import RooflinePlot
from gemmviz.gui.charts.runs_chart import with_left_out
from gemmviz.gui.charts.timing_segments import SEGMENTS, SPEEDUP
from gemmviz.gui.looks.theme import LIGHT, Theme
from gemmviz.gui.widgets.named import named
from gemmviz.gui.widgets.on_screen import only_on_screen
from gemmviz.gui.widgets.plain_text import plain_text
from gemmviz.gui.widgets.segments import Segments

_LARGE_PLANE = 327.0
"""Units of the height of a roofline on the whole screen, so that its letters are large."""
_WITH_WORDS, _LEAST_ALL = 660, 76
"""Pixels of a chart in which the button that shows all runs has all its words, and those of the button without them."""


class TimingView(IntEnum):
    """What the chart of times shows; the places of its segments."""

    KERNEL = 0
    WHOLE = 1
    RATE = 2
    SPEEDUP = 3
    SAMPLES = 4
    ROOFLINE = 5


class TimingChart(Chart):
    """Shows runs in the order given."""

    view_changed = Signal(int)
    """The TimingView that a person chose."""

    def __init__(self, theme: Theme = LIGHT, parent: QWidget | None = None) -> None:
        super().__init__("timingChart", "Times of the runs", theme, parent)
        self._timed: tuple[RunResult, ...] = ()
        self._runs: tuple[RunResult, ...] = ()
        """Those of the timed runs that are shown."""
        self._others: tuple[RunResult, ...] = ()
        self._folds = False
        self._left_out = 0
        self._roofs: tuple[Roofs, ...] = ()
        self._traces: tuple[TraceRun, ...] = ()
        self._here = NOWHERE
        self._compared: KernelComparison | None = None
        self._segments = Segments(SEGMENTS, theme)
        self._segments.setAccessibleName("What the chart shows")
        self._segments.chosen.connect(self._on_view_chosen)
        self._against = BaselineChoice()
        self._against.changed.connect(self._fold)
        only_on_screen(self._against)
        self._show_all = named(QPushButton(), "timingShowAll", role="quiet")
        self._show_all.setCheckable(True)
        self._show_all.setMinimumWidth(_LEAST_ALL)
        self._words_for_all = "", ""
        self._show_all.setStyleSheet("padding-right: 0px")  # its words end where those below it do
        self._show_all.toggled.connect(lambda _: self._fold())
        self.controls_layout.addWidget(self._segments)
        self.controls_layout.addStretch(1)
        self.controls_layout.addWidget(self._show_all)
        # Beside the title, as the segments leave too little room.
        self.head_layout.insertWidget(1, self._against)
        self.measure_roofs = named(QPushButton(), "measureRoofs", says="Measure roofs")
        only_on_screen(self.measure_roofs)
        self.head_layout.insertWidget(1, self.measure_roofs)
        self._roofline = RooflinePlot(theme)
        self._roofline.hide()
        self.body.insertWidget(0, self._roofline, 1)
        self.set_tab_order(*self._segments.buttons, self._show_all, self.measure_roofs, self._against.combo)
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
        return self._against.baseline

    @property
    def wanted_baseline(self) -> Baseline | None:
        """What speed-ups are against where it is among the runs, also where others are shown now."""
        return self._against.wanted

    @property
    def shows_all(self) -> bool:
        """Whether a person wants to see every one of many runs."""
        return self._show_all.isChecked()

    def show_runs(
        self,
        runs: Sequence[RunResult],
        roofs: Sequence[Roofs] = (),
        traces: Sequence[TraceRun] = (),
        others: Sequence[RunResult] = (),
        *,
        folds: bool = False,
    ) -> None:
        """Show those of these runs that were timed, below the measured roofs of their devices; recordings tell the
        bytes that kernels move. Of many runs the telling ones stand for all if it `folds`. Others stand back in the
        roofline. The baseline stays where it is still among the runs, and comes back with them.
        """
        self._timed, self._roofs, self._traces = timed_runs(runs), tuple(roofs), tuple(traces)
        self._others, self._folds = timed_runs(others), folds
        self._left_out = len(runs) - len(self._timed)
        self._against.show_runs(self._timed)
        self._fold()

    def choose(self, baseline: Baseline | None, *, shows_all: bool) -> None:
        """Compare with a baseline wherever it is among the runs, None for the first there is; show all of many runs, or
        the telling ones.
        """
        with QSignalBlocker(self._show_all):
            self._show_all.setChecked(shows_all)
        self._against.want(baseline)
        self._fold()

    @Slot()
    def _fold(self) -> None:
        """Show all runs, or the telling ones of many."""
        telling = shown_first(self._timed, self.baseline) if self._folds else self._timed
        self._runs = self._timed if self.shows_all else telling
        hides_some = len(telling) < len(self._timed)
        count = figures.counted(len(self._timed), "run")
        words = f"Show {len(telling)} of {count}" if self.shows_all else f"Show all {count}"
        self._words_for_all = words, words.removesuffix(" runs").removeprefix("Show ").capitalize()
        self._write_show_all()
        self._show_all.setToolTip(plain_text(f"{words}. First shown are {RULE}"))
        self._show_all.setAccessibleName(words)
        self._show_all.setVisible(hides_some)
        self._renew()

    def _write_show_all(self) -> None:
        """In few words where little room is left beside the views."""
        words = self._words_for_all[self.width() < _WITH_WORDS]
        if words != self._show_all.text():
            self._show_all.setText(words)
            self.controls_layout.invalidate()
            self.controls_layout.activate()  # it would keep the width of the former words

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._write_show_all()
        super().resizeEvent(event)

    def begin_anew(self) -> None:
        """Show the view that a window begins with; the next runs decide what speed-ups are against."""
        self.choose(None, shows_all=False)
        self._against.forget()
        self.set_view(TimingView.KERNEL)

    def light(self, run: object) -> None:
        """Let the marks of a run stand out in the roofline; of none for what it does not show."""
        if self.view is TimingView.ROOFLINE:
            places = (place for place, one in enumerate((*self._runs, *self._standing_back)) if one is run)
            self._roofline.light_run(next(places, -1))

    def set_comparison(self, compared: KernelComparison | None) -> None:
        """Let rates show which kernels are spoken of, and how many times as fast they are; a roofline has rings around
        their marks.
        """
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
            about = self._compared.about if self._compared is not None else ()
            found = roofline_of(self._runs, self._roofs, self._traces, self._standing_back)
            found = with_spoken_of(found, self._runs, about)
            self._roofline.show_roofline(with_newest_points(found, self._figure) if self._figure else found)
            self._roofline.setAccessibleName(self._title.whole)
            self._roofline.setAccessibleDescription(self.plot.accessibleDescription())

    def height_without_notes(self, width: int) -> float:
        height = super().height_without_notes(width)
        if self.shows_plot or not self._runs:
            return height
        plane: float = max(480, width * 3 // 5)
        if self.has_picture_height or self.is_crowded_picture:
            plane = _LARGE_PLANE if self.is_crowded_picture else GOOD_PLANE
        return height - self.plot.natural_height(MOST_ROWS) + round(plane)

    def set_large(self, wanted: bool) -> None:
        super().set_large(wanted)
        self._roofline.set_large(wanted)

    def _show_controls(self) -> None:
        super()._show_controls()
        self._against.setVisible(self._compares)
        self.measure_roofs.setVisible(self._lacks_roofs)

    @property
    def is_blank(self) -> bool:
        return not self._timed

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
                return (speedup_table(self._runs, self.baseline, self._not_shown),)

    def restyle(self, theme: Theme) -> None:
        super().restyle(theme)
        self._segments.set_theme(theme)
        self._roofline.set_theme(theme)
        self._against.set_theme(theme)

    def make_figure(self) -> Figure:
        figure = with_left_out(self._make_figure(), self._left_out)
        if len(self._runs) == len(self._timed):
            return figure
        few = left_out_words(len(self._runs), len(self._timed))
        notes = (*figure.notes, left_out_note(self._runs, self._timed))
        return replace(figure, notes=notes, essential=(*figure.essential, few))

    def words_for_empty(self, idle: str) -> str:
        return idle if self._left_out else super().words_for_empty(idle)

    def _make_figure(self) -> Figure:
        match self.view:
            case TimingView.KERNEL:
                return kernel_time_figure(self._runs, self._roofs)
            case TimingView.SAMPLES:
                return samples_figure(self._runs)
            case TimingView.ROOFLINE:
                figure = roofline_figure(self._runs, self._roofs, self._traces, self._here, self._standing_back)
                lowered = tuple(note for note in figure.notes if note == LOWERED_NOTE)
                return replace(figure, notes=(*lowered, *IN_SHORT)) if self._is_bare else figure
            case TimingView.WHOLE:
                return whole_time_figure(self._runs)
            case TimingView.RATE:
                return rate_figure(self._runs, self._roofs, self._compared)
            case TimingView.SPEEDUP:
                figure = speedup_figure(self._runs, self.baseline, self._not_shown, with_series=not self._is_bare)
                lacking = self._against.lacking
                if lacking is None or not figure.rows:
                    return figure
                words = f"{lacking.words} is not among these runs"
                return replace(figure, subtitle=SEPARATOR.join(filter(None, (figure.subtitle, words))))

    @property
    def _not_shown(self) -> tuple[RunResult, ...]:
        """The runs that are not shown, among which baselines may be."""
        shown = {id(run) for run in self._runs}
        return tuple(run for run in (*self._timed, *self._others) if id(run) not in shown)

    @property
    def _standing_back(self) -> tuple[RunResult, ...]:
        """The runs that a roofline shows without names: those that have a roof in common with one that is shown."""
        return sharing_roofs(self._runs, self._not_shown)

    @property
    def _compares(self) -> bool:
        is_alone = self._for_picture or self._is_bare
        return self.view is TimingView.SPEEDUP and not self._against.is_empty and not is_alone

    @property
    def _lacks_roofs(self) -> bool:
        """Whether the roofline has a run whose device's roofs were not measured."""
        is_alone = self._for_picture or self._is_bare
        return self.view is TimingView.ROOFLINE and not is_alone and bool(without_roofs(self._runs, self._roofs))

    @property
    def offered_device(self) -> Device | None:
        """The device whose roofs the button measures."""
        return self._here.offered(without_roofs(self._runs, self._roofs))

    def _show_roofs_offer(self) -> None:
        """Whose roofs the button measures, or why it measures none."""
        lacking = without_roofs(self._runs, self._roofs)
        self.measure_roofs.setVisible(self._lacks_roofs)
        words, tip, reason = roofs_offer(lacking, self._here)
        self.measure_roofs.setText(words)
        self.measure_roofs.setEnabled(not reason)
        self.measure_roofs.setToolTip(plain_text(f"{tip}\n{reason}" if reason else tip))
        self.measure_roofs.setAccessibleDescription(reason or tip)

    def _renew(self) -> None:
        self._against.setVisible(self._compares)
        self._show_roofs_offer()
        # In line with the list beside it, else with the title.
        side = Qt.AlignmentFlag.AlignVCenter if self._compares else Qt.AlignmentFlag.AlignBottom
        self.head_layout.setAlignment(self._evidence, side)
        self.renew()

    @Slot(int)
    def _on_view_chosen(self, place: int) -> None:
        self._renew()
        self.view_changed.emit(place)


def _show_charted(chart: TimingChart, session: Session, charted: Charted) -> None:
    chart.show_runs(charted.runs, session.roofs, session.traces, charted.others, folds=charted.folds)
    if charted.baseline is not None:
        chart.choose(charted.baseline, shows_all=not charted.folds)


TIMING_CHART = ChartSpec(
    TimingChart,
    _show_charted,
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
