"""The chart of the settings that were examined without a GPU: one figure of each, the best one named."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QWidget

from gemmviz.domain.kernels.examined_sweep import ExaminedSweep
from gemmviz.domain.runs.result import Session
from gemmviz.domain.visible_text import visible
from gemmviz.explain.figures.figure import Figure, PlotTable
from gemmviz.explain.figures.settings import settings_of_sweep, settings_table
from gemmviz.explain.figures.settings_figure import SettingAxis, known_axes, settings_figure, telling_axis
from gemmviz.gui.charts.chart import Chart
from gemmviz.gui.charts.page_spec import ChartSpec
from gemmviz.gui.charts.plot_table import Plot
from gemmviz.gui.looks.theme import LIGHT, Theme
from gemmviz.gui.sweep.shown_sweep import ShownSweep
from gemmviz.gui.widgets.fields import ComboBox
from gemmviz.gui.widgets.named import named


class SettingsChart(Chart):
    """Shows one sweep of those that a session keeps, the newest unasked, by a figure that a person chooses."""

    filled_by = frozenset()

    def __init__(self, theme: Theme = LIGHT, parent: QWidget | None = None) -> None:
        super().__init__("settingsChart", "Chart of the settings", theme, parent)
        self._choice = ShownSweep()
        self._said: tuple[str, ...] = ()
        self._axes: tuple[SettingAxis, ...] = ()
        self._wanted: SettingAxis | None = None
        self._combo = named(ComboBox(), "settingsAxis", "Which figure of the settings the chart shows")
        self._combo.currentIndexChanged.connect(self._on_chosen)
        self.controls_layout.addWidget(self._combo)
        self.controls_layout.addStretch(1)
        self.set_tab_order(self._combo)
        self._offer()

    @property
    def choice(self) -> ShownSweep:
        """The sweeps to show."""
        return self._choice

    @property
    def said(self) -> tuple[str, ...]:
        """What is said first below the figures."""
        return self._said

    @property
    def axis(self) -> SettingAxis | None:
        """The figure that is shown; None where there is none."""
        place = self._combo.currentIndex()
        return self._axes[place] if 0 <= place < len(self._axes) else None

    def show_axis(self, name: str) -> None:
        """Show the figure of that name; one that is not known changes nothing."""
        names = [axis.figure.name for axis in self._axes]
        if name in names:
            self._combo.setCurrentIndex(names.index(name))

    def show_sweeps(self, sweeps: Sequence[ExaminedSweep]) -> None:
        """Show the newest of these, or the one that a person chose as long as no other came."""
        if self._choice.take(sweeps):
            self._offer()

    def show_choice(
        self, place: int, unfinished: ExaminedSweep | None, said: Sequence[str], swept: Sequence[str] = ()
    ) -> None:
        """Show the sweep at a place, or one that is not finished and sweeps these parameters, and say this of it."""
        self._choice.choose(place)
        self._choice.unfinished, self._choice.swept, self._said = unfinished, tuple(swept), tuple(said)
        self._offer()

    @property
    def is_blank(self) -> bool:
        return self._choice.sweep is None

    @property
    def wants_controls(self) -> bool:
        return len(self._axes) > 1

    def tables(self) -> tuple[PlotTable, ...]:
        sweep = self._choice.sweep
        return (settings_table(settings_of_sweep(sweep)),) if sweep is not None else ()

    def make_figure(self) -> Figure:
        return settings_figure(self._choice.sweep, self.axis, self._said, self._choice.swept)

    def _offer(self) -> None:
        """Let a person choose among the figures that are known; what was chosen stays where it is among them."""
        self._axes = known_axes(self._choice.sweep)
        self._combo.blockSignals(True)
        self._combo.clear()
        self._combo.addItems([visible(axis.words[:1].upper() + axis.words[1:]) for axis in self._axes])
        shown = self._wanted if self._wanted in self._axes else telling_axis(self._choice.sweep)
        self._combo.setCurrentIndex(self._axes.index(shown) if shown is not None else -1)
        self._combo.blockSignals(False)
        self._show_controls()
        self.renew()

    @Slot(int)
    def _on_chosen(self, place: int) -> None:
        self._wanted = self._axes[place] if 0 <= place < len(self._axes) else None
        self.renew()


def _show_number(chart: SettingsChart, session: Session, number: int) -> None:
    chart.show_sweeps(session.sweeps[number - 1 : number])


def _copy(live: SettingsChart, twin: SettingsChart) -> None:
    sweep = live.choice.sweep
    twin.show_sweeps((sweep,) if sweep is not None else ())
    twin.show_choice(0, None, live.said, live.choice.swept)


SETTINGS_PLOT = ChartSpec(
    SettingsChart,
    lambda chart, session, _charted: chart.show_sweeps(session.sweeps),
    {Plot.SWEEP_FIGURES: None},
    show_number=_show_number,
    copy=_copy,
)
