"""The chart of a sweep: time over the choices of a kernel's parameters."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QPushButton, QWidget

from gemmviz.domain.device import DeviceKind
from gemmviz.domain.runs.baselines import is_cpu_run
from gemmviz.domain.runs.result import RunResult
from gemmviz.domain.shape import Shape
from gemmviz.domain.spec import Params, format_params
from gemmviz.domain.visible_text import visible
from gemmviz.explain.figures.figure import Figure, PlotTable
from gemmviz.explain.figures.run_facts import describe
from gemmviz.explain.figures.sweep import (
    FASTEST,
    SweepChoice,
    choices_of,
    fastest_of,
    sweep_figure,
    sweep_table,
    sweep_words,
    sweeps_of,
    verdict_words,
)
from gemmviz.gui.charts.chart import Chart
from gemmviz.gui.charts.page_spec import ChartSpec
from gemmviz.gui.charts.plot_table import Plot
from gemmviz.gui.looks.theme import LIGHT, Theme
from gemmviz.gui.widgets.fields import ComboBox
from gemmviz.gui.widgets.named import named
from gemmviz.gui.widgets.plain_label import PlainLabel
from gemmviz.gui.widgets.plain_text import action_text, plain_text
from gemmviz.gui.work.last_work import Asked

_LONGEST = 48
"""Letters of the button; what it sets up stands in its tooltip too."""
CPU_ANSWER = "A GPU may prefer another setting: record this one to see its bank conflicts."


class SweepChart(Chart):
    """Shows one sweep among those of the runs, the newest unasked.

    Signals:
        settings_asked(object): the run whose settings the experiment should take.
        record_asked(): it has them, and the kernel should be recorded so.
    """

    settings_asked = Signal(object)
    record_asked = Signal()

    filled_by = frozenset({Asked.SWEEP})

    def __init__(self, theme: Theme = LIGHT, parent: QWidget | None = None) -> None:
        super().__init__("sweepChart", "Times of a sweep", theme, parent)
        self._runs: tuple[RunResult, ...] = ()
        self._sweeps: tuple[int, ...] = ()
        self._choices: tuple[SweepChoice, ...] = ()
        self._set: tuple[str, Shape, Params] | None = None
        self._combo = ComboBox()
        self._combo.setObjectName("sweepCombo")
        self._combo.setAccessibleName("Sweep to show")
        self._combo.setToolTip("Which sweep to show")
        self._combo.setMinimumWidth(240)
        self._combo.currentIndexChanged.connect(self._on_chosen)
        self.controls_layout.addWidget(self._combo)
        self._use = named(QPushButton(), "useFastest", role="outlined")
        self._use.setAutoDefault(False)
        self._use.clicked.connect(self._on_use)
        self.controls_layout.addWidget(self._use)
        self._whose = named(PlainLabel(CPU_ANSWER, wordWrap=True), "cpuAnswer", role="muted")
        self.controls_layout.addWidget(self._whose, 1)
        self.controls_layout.addStretch(0)  # for where there is no such sentence
        self.set_tab_order(self._combo, self._use)
        self.show_runs(())

    @property
    def sweep(self) -> int | None:
        """The number of the sweep that is shown; None where there is none."""
        place = self._combo.currentIndex()
        return self._sweeps[place] if 0 <= place < len(self._sweeps) else None

    @property
    def wants_controls(self) -> bool:
        return self.fastest is not None or len(self._sweeps) > 1

    @property
    def fastest(self) -> RunResult | None:
        """The run of the setting with the lowest median; None where there is no sweep or nothing was varied."""
        found = fastest_of(self._choices)
        return found.fact.run if found is not None and found.params else None

    @property
    def _is_set(self) -> bool:
        """Whether the experiment has the fastest setting."""
        run = self.fastest
        return run is not None and (run.spec.kernel, run.spec.shape, run.spec.params) == self._set

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
        self._combo.setVisible(len(sweeps) > 1)
        self._offer()
        self.renew()

    def show_set(self, kernel: str, shape: Shape, params: Params) -> None:
        """What the experiment is set to: of a setting that is set already the button offers the recording."""
        if (kernel, shape, params) != self._set:
            self._set = kernel, shape, params
            self._offer()

    @property
    def is_blank(self) -> bool:
        return not self._sweeps

    def tables(self) -> tuple[PlotTable, ...]:
        """The choices of the sweep that is shown."""
        return (sweep_table(self._runs, self.sweep),)

    def make_figure(self) -> Figure:
        return sweep_figure(self._runs, self.sweep)

    @Slot(int)
    def _on_chosen(self, place: int) -> None:
        del place
        self._offer()
        self.renew()

    @Slot()
    def _on_use(self) -> None:
        if self._is_set:
            self.record_asked.emit()
        elif self.fastest is not None:
            self.settings_asked.emit(self.fastest)

    def _offer(self) -> None:
        """Let the button name the fastest setting of the sweep that is shown."""
        self._choices = choices_of(self._runs, self.sweep) if self.sweep is not None else ()
        run = self.fastest
        self._use.setVisible(run is not None)
        self._whose.setVisible(run is not None and run.device.kind is DeviceKind.CPU and not is_cpu_run(run))
        is_clear = any(choice.words == FASTEST for choice in self._choices)
        self._whose.setText(f"{'Fastest' if is_clear else 'Lowest median'} on this CPU. {CPU_ANSWER}")
        self._show_controls()
        if run is not None:
            named_params, deed = format_params(run.spec.params), "Record" if self._is_set else "Use"
            words = f"{deed} {named_params}"
            if len(words) > _LONGEST:
                words = f"{deed} the fastest setting"
            self._use.setText(action_text(words))
            self._use.setAccessibleName(visible(words))
            setting = f"{describe(run.spec)}, {run.spec.shape.words},"
            does = "which is set up, to see its memory accesses" if self._is_set else "in the experiment"
            tip = f"{'Record' if self._is_set else 'Set up'} {setting} {does}."
            verdicts = verdict_words(self._choices)
            more = f"\n{verdicts[:1].upper()}{verdicts[1:]}." if verdicts else ""
            self._use.setToolTip(plain_text(tip + more))


SWEEP_CHART = ChartSpec(
    SweepChart,
    lambda chart, session, _charted: chart.show_runs(session.runs),
    {Plot.SWEEP: None},
    show_number=lambda chart, session, sweep: chart.show_runs([run for run in session.runs if run.sweep == sweep]),
)
