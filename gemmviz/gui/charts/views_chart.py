"""A chart without more to choose than which of its figures is shown."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QWidget

from gemmviz.gui.charts.chart import Chart
from gemmviz.gui.charts.plot_table import Plot
from gemmviz.gui.looks.theme import LIGHT, Theme
from gemmviz.gui.widgets.segments import Segment, Segments


class ViewsChart(Chart):
    """Shows one of its plots, which a segment each chooses; None for the segment of a plot that is the only one."""

    def __init__(
        self,
        object_name: str,
        accessible_name: str,
        plots: Sequence[tuple[Plot, Segment | None]],
        theme: Theme = LIGHT,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(object_name, accessible_name, theme, parent)
        self._plots = tuple(plot for plot, _ in plots)
        self._segments = Segments([segment for _, segment in plots if segment is not None], theme)
        self._segments.setAccessibleName("What the chart shows")
        self._segments.chosen.connect(self._on_view_chosen)
        self.controls_layout.addWidget(self._segments)
        self.controls_layout.addStretch(1)
        self.set_tab_order(*self._segments.buttons)
        self._show_controls()

    @property
    def view(self) -> Plot:
        """The plot that is shown now."""
        return self._plots[self.place]

    @property
    def place(self) -> int:
        """Which of the plots is shown, counted from 0."""
        return max(self._segments.current, 0)

    def set_view(self, plot: Plot) -> None:
        """Show another plot; a chart of one plot shows it already."""
        place = self._plots.index(plot)
        if self.wants_controls:
            self._segments.choose(place)

    @property
    def wants_controls(self) -> bool:
        return len(self._plots) > 1

    def restyle(self, theme: Theme) -> None:
        super().restyle(theme)
        self._segments.set_theme(theme)

    @Slot(int)
    def _on_view_chosen(self, place: int) -> None:
        del place
        self.renew()


def class_name(object_name: str) -> str:
    """The name of the class of a chart: `accuracyChart` is an AccuracyChart."""
    return object_name[:1].upper() + object_name[1:]
