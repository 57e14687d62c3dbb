"""The chart of traffic: bytes asked, moved and ideal of each recording, per multiply-add unless chosen otherwise."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QPushButton, QWidget

from gemmviz.domain.kernels.version_names import VersionNames
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.explain.figures.figure import Figure, PlotTable
from gemmviz.explain.figures.traffic.others import NOT_SHOWN, others_words
from gemmviz.explain.figures.traffic.traffic import traffic_figure
from gemmviz.explain.figures.traffic.traffic_table import traffic_table
from gemmviz.explain.figures.traffic.units import Per, why_no_bytes
from gemmviz.gui.charts.chart import Chart
from gemmviz.gui.charts.page_spec import ChartSpec, PageSpec
from gemmviz.gui.charts.plot_table import Plot
from gemmviz.gui.looks.fonts import SMALL, words
from gemmviz.gui.looks.theme import LIGHT, Theme
from gemmviz.gui.widgets.named import named
from gemmviz.gui.widgets.plain_label import PlainLabel
from gemmviz.gui.widgets.segments import Segment, Segments
from gemmviz.gui.work.last_work import Asked

_SEGMENTS = (
    Segment("trafficPerMultiplyAdd", "Per multiply-add", "Bytes for each multiply-add that the recorded blocks do"),
    Segment("trafficPerElement", "Per element of C", "Bytes for each element of C that the recorded blocks make"),
    Segment("trafficBytes", "Bytes", "All bytes of each recording"),
)


_BESIDE = 320
"""Pixels that the reason needs beside the switch, the margins of the page included."""


class TrafficChart(Chart):
    """Shows recordings in the order given: those of one size and one lesson, and others on request."""

    filled_by = frozenset({Asked.RECORDING})

    def __init__(self, theme: Theme = LIGHT, parent: QWidget | None = None) -> None:
        super().__init__("trafficChart", "Traffic of the recordings", theme, parent)
        self._of_one_size: tuple[TraceRun, ...] = ()
        self._of_all_sizes: tuple[TraceRun, ...] = ()
        self._names: VersionNames | None = None
        self._segments = Segments(_SEGMENTS, theme)
        self._segments.setAccessibleName("What bytes are counted for")
        self._segments.chosen.connect(self._on_per_chosen)
        self._why = PlainLabel(wordWrap=True)
        self._why.setFont(words(SMALL))
        self._row = QGridLayout()
        self._row.setHorizontalSpacing(12)
        self._row.addWidget(self._segments, 0, 0)
        self._row.setColumnStretch(1, 1)
        self._sizes_words = named(PlainLabel(), "trafficOtherSizesWords", role="muted")
        self._sizes = named(
            QPushButton(),
            "trafficOtherSizes",
            "Recordings of another size than the one that Memory shows, or of another lesson",
            "",
            "quiet",
        )
        self._sizes.setCheckable(True)
        sizes = QHBoxLayout()
        sizes.addWidget(self._sizes_words)
        sizes.addWidget(self._sizes)
        sizes.addStretch(1)
        self._row.addLayout(sizes, 2, 0, 1, 2)
        self._sizes.toggled.connect(lambda _: self._show_all())
        self.controls_layout.addLayout(self._row, 1)
        self._place_reason()
        self.set_tab_order(*self._segments.buttons, self._sizes)
        self.show_traces(())

    @property
    def traces(self) -> tuple[TraceRun, ...]:
        """The recordings that are shown."""
        return self._of_all_sizes if self._sizes.isChecked() else self._of_one_size

    @property
    def given(self) -> tuple[tuple[TraceRun, ...], tuple[TraceRun, ...], VersionNames | None]:
        """What `show_traces` was given."""
        return self._of_one_size, self._of_all_sizes, self._names

    @property
    def _others(self) -> str:
        """How many recordings are of another size or of another lesson, in words; "" for none."""
        return others_words(self._of_one_size, self._of_all_sizes)

    @property
    def per(self) -> Per:
        """What bytes are counted for now."""
        return Per(self._segments.current)

    def show_traces(
        self,
        traces: Sequence[TraceRun],
        of_all_sizes: Sequence[TraceRun] = (),
        names: VersionNames | None = None,
    ) -> None:
        """Show these recordings; `of_all_sizes` are these and others that a person can include, `names` those of the
        versions of kernels.
        """
        self._names = names
        self._of_one_size = tuple(traces)
        self._of_all_sizes = tuple(of_all_sizes) or self._of_one_size
        self._show_all()

    def _show_all(self) -> None:
        reason = why_no_bytes(self.traces)
        if reason and self.per is Per.RECORDING:
            self._segments.choose(Per.MULTIPLY_ADD)
        self._segments.set_reason(Per.RECORDING, reason)
        self._why.setText(reason)
        self._why.setVisible(bool(reason))
        are_shown = self._sizes.isChecked()
        self._sizes_words.setText(f"{self._others} {'shown too' if are_shown else NOT_SHOWN}.")
        them = "it" if len(self._of_all_sizes) - len(self._of_one_size) == 1 else "them"
        self._sizes.setText(f"{'Hide' if are_shown else 'Show'} {them}")
        for part in (self._sizes_words, self._sizes):
            part.setVisible(bool(self._others))
        self._show_controls()
        self.renew()

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._place_reason()
        super().resizeEvent(event)

    def _place_reason(self) -> None:
        """Beside the switch, or below it where little room is left."""
        is_beside = self.width() - self._segments.sizeHint().width() >= _BESIDE
        if is_beside:
            self._row.addWidget(self._why, 0, 1)
        else:
            self._row.addWidget(self._why, 1, 0, 1, 2)

    @property
    def wants_controls(self) -> bool:
        return bool(self.traces)

    @property
    def is_blank(self) -> bool:
        return not self.traces

    def tables(self) -> tuple[PlotTable, ...]:
        """Bytes, requests and sectors of every recording."""
        return (traffic_table(self.traces, self._names),)

    def restyle(self, theme: Theme) -> None:
        super().restyle(theme)
        self._segments.set_theme(theme)
        self._why.set_colour(theme.muted)

    def make_figure(self) -> Figure:
        are_said = self._sizes.isChecked() or not (self._for_picture or self._is_bare)  # else beside the button
        return traffic_figure(self.traces, self.per, "" if are_said else self._others, self._names)

    @Slot(int)
    def _on_per_chosen(self, place: int) -> None:
        del place
        self.renew()


TRAFFIC_CHART = ChartSpec(
    TrafficChart,
    lambda chart, session, charted: chart.show_traces(charted.traces, charted.all_traces, session.version_names),
    {Plot.TRAFFIC: None},
    copy=lambda live, twin: twin.show_traces(*live.given),
)
TRAFFIC_PAGE = PageSpec("Traffic", (TRAFFIC_CHART,), starts=("recordAction",))
