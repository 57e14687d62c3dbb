"""The chart of traffic: bytes asked, fetched and ideal of each recording."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QWidget

from gemmviz.domain.trace_run import TraceRun
from gemmviz.gui.charts.chart import Chart
from gemmviz.gui.charts.figure import Figure, PlotTable
from gemmviz.gui.charts.traffic_figure import traffic_figure, traffic_table
from gemmviz.gui.looks.theme import LIGHT, Theme
from gemmviz.gui.work.last_work import Asked


class TrafficChart(Chart):
    """Shows recordings in the order given."""

    filled_by = frozenset({Asked.RECORDING})

    def __init__(self, theme: Theme = LIGHT, parent: QWidget | None = None) -> None:
        super().__init__("trafficChart", "Traffic of the recordings", theme, parent)
        self._traces: tuple[TraceRun, ...] = ()
        self.controls.hide()
        self.show_traces(())

    def show_traces(self, traces: Sequence[TraceRun]) -> None:
        """Show these recordings."""
        self._traces = tuple(traces)
        self.renew()

    @property
    def is_blank(self) -> bool:
        return not self._traces

    def tables(self) -> tuple[PlotTable, ...]:
        """Bytes, requests and sectors of every recording."""
        return (traffic_table(self._traces),)

    def set_for_picture(self, wanted: bool, width: int = 0) -> None:
        super().set_for_picture(wanted, width)
        self.controls.hide()

    def make_figure(self) -> Figure:
        return traffic_figure(self._traces)
