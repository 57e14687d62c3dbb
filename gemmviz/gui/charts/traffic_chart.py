"""The chart of traffic: bytes asked, fetched and ideal of each recording, per multiply-add unless chosen otherwise."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QGridLayout, QWidget

from gemmviz.domain.trace_run import TraceRun
from gemmviz.gui.charts.chart import Chart
from gemmviz.gui.charts.figure import Figure, PlotTable
from gemmviz.gui.charts.segments import Segment, Segments
from gemmviz.gui.charts.traffic_figure import traffic_figure, traffic_table
from gemmviz.gui.charts.traffic_units import Per, why_no_bytes
from gemmviz.gui.looks.fonts import SMALL, words
from gemmviz.gui.looks.theme import LIGHT, Theme
from gemmviz.gui.plain_label import PlainLabel
from gemmviz.gui.work.last_work import Asked

_SEGMENTS = (
    Segment("trafficPerMultiplyAdd", "Per multiply-add", "Bytes for each multiply-add that the recorded blocks do"),
    Segment("trafficPerElement", "Per element of C", "Bytes for each element of C that the recorded blocks make"),
    Segment("trafficBytes", "Bytes", "All bytes of each recording"),
)


_BESIDE = 320
"""Pixels that the reason needs beside the switch, the margins of the page included."""


class TrafficChart(Chart):
    """Shows recordings in the order given."""

    filled_by = frozenset({Asked.RECORDING})

    def __init__(self, theme: Theme = LIGHT, parent: QWidget | None = None) -> None:
        super().__init__("trafficChart", "Traffic of the recordings", theme, parent)
        self._traces: tuple[TraceRun, ...] = ()
        self._segments = Segments(_SEGMENTS, theme)
        self._segments.setAccessibleName("What bytes are counted for")
        self._segments.chosen.connect(self._on_per_chosen)
        self._why = PlainLabel(wordWrap=True)
        self._why.setFont(words(SMALL))
        self._row = QGridLayout()
        self._row.setHorizontalSpacing(12)
        self._row.addWidget(self._segments, 0, 0)
        self._row.setColumnStretch(1, 1)
        self.controls_layout.addLayout(self._row, 1)
        self._place_reason()
        self.set_tab_order(*self._segments.buttons)
        self.show_traces(())

    @property
    def per(self) -> Per:
        """What bytes are counted for now."""
        return Per(self._segments.current)

    def set_per(self, per: Per) -> None:
        """Count bytes for something else; bytes as they are only where they can be compared."""
        if per is not Per.RECORDING or not why_no_bytes(self._traces):
            self._segments.choose(per)

    def show_traces(self, traces: Sequence[TraceRun]) -> None:
        """Show these recordings."""
        self._traces = tuple(traces)
        reason = why_no_bytes(self._traces)
        if reason and self.per is Per.RECORDING:
            self._segments.choose(Per.MULTIPLY_ADD)
        self._segments.set_reason(Per.RECORDING, reason)
        self._why.setText(reason)
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
        return bool(self._traces)

    @property
    def is_blank(self) -> bool:
        return not self._traces

    def tables(self) -> tuple[PlotTable, ...]:
        """Bytes, requests and sectors of every recording."""
        return (traffic_table(self._traces),)

    def restyle(self, theme: Theme) -> None:
        super().restyle(theme)
        self._segments.set_theme(theme)
        self._why.setStyleSheet(f"background: transparent; color: {theme.muted};")

    def make_figure(self) -> Figure:
        return traffic_figure(self._traces, self.per)

    @Slot(int)
    def _on_per_chosen(self, place: int) -> None:
        del place
        self.renew()
