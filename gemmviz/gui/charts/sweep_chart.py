"""The chart of a sweep: time over the choices of a kernel's parameters."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QWidget

from gemmviz.domain.result import RunResult
from gemmviz.domain.visible_text import visible
from gemmviz.gui.charts.chart import Chart
from gemmviz.gui.charts.figure import Figure, PlotTable
from gemmviz.gui.charts.sweep_figure import sweep_figure, sweep_table, sweep_words, sweeps_of
from gemmviz.gui.fields import ComboBox
from gemmviz.gui.looks.theme import LIGHT, Theme
from gemmviz.gui.work.last_work import Asked


class SweepChart(Chart):
    """Shows one sweep among those of the runs, the newest unasked."""

    filled_by = frozenset({Asked.SWEEP})

    def __init__(self, theme: Theme = LIGHT, parent: QWidget | None = None) -> None:
        super().__init__("sweepChart", "Times of a sweep", theme, parent)
        self._runs: tuple[RunResult, ...] = ()
        self._sweeps: tuple[int, ...] = ()
        self._combo = ComboBox()
        self._combo.setObjectName("sweepCombo")
        self._combo.setAccessibleName("Sweep to show")
        self._combo.setToolTip("Which sweep to show")
        self._combo.setMinimumWidth(240)
        self._combo.currentIndexChanged.connect(self._on_chosen)
        self.controls_layout.addWidget(self._combo)
        self.controls_layout.addStretch(1)
        self.set_tab_order(self._combo)
        self.show_runs(())

    @property
    def sweep(self) -> int | None:
        """The number of the sweep that is shown; None where there is none."""
        place = self._combo.currentIndex()
        return self._sweeps[place] if 0 <= place < len(self._sweeps) else None

    def show_runs(self, runs: Sequence[RunResult]) -> None:
        """Show the newest sweep, or the one a person chose as long as no new one came."""
        kept = self.sweep
        self._runs = tuple(runs)
        sweeps = sweeps_of(self._runs)
        self._combo.blockSignals(True)
        self._combo.clear()
        self._combo.addItems([visible(sweep_words(self._runs, sweep)) for sweep in sweeps])
        is_known = sweeps == self._sweeps and kept in sweeps
        self._sweeps = sweeps
        self._combo.setCurrentIndex(sweeps.index(kept) if is_known and kept is not None else len(sweeps) - 1)
        self._combo.blockSignals(False)
        self.controls.setVisible(len(sweeps) > 1)
        self.renew()

    @property
    def is_blank(self) -> bool:
        return not self._sweeps

    def tables(self) -> tuple[PlotTable, ...]:
        """The choices of the sweep that is shown."""
        return (sweep_table(self._runs, self.sweep),)

    def set_for_picture(self, wanted: bool, width: int = 0) -> None:
        super().set_for_picture(wanted, width)
        self.controls.setVisible(not wanted and len(self._sweeps) > 1)

    def make_figure(self) -> Figure:
        return sweep_figure(self._runs, self.sweep)

    @Slot(int)
    def _on_chosen(self, place: int) -> None:
        del place
        self.renew()
