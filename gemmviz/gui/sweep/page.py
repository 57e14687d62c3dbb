"""The page of sweeps: the times of settings that ran, or the figures of settings that were examined without a GPU."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QStackedWidget, QVBoxLayout, QWidget

from gemmviz.domain.kernels.examined_sweep import ExaminedSweep
from gemmviz.domain.runs.result import Session
from gemmviz.domain.visible_text import visible
from gemmviz.explain.figures.settings import sweep_name
from gemmviz.gui.charts.page import Page
from gemmviz.gui.charts.page_spec import JoinedCharts, PageSpec
from gemmviz.gui.charts.plot_table import Plot
from gemmviz.gui.charts.sweep_chart import SWEEP_CHART, SweepChart
from gemmviz.gui.looks.icons import icon
from gemmviz.gui.looks.theme import LIGHT, Theme
from gemmviz.gui.sweep.settings_chart import SETTINGS_PLOT, SettingsChart
from gemmviz.gui.sweep.settings_page import SETTINGS_CHART, SettingsPage
from gemmviz.gui.widgets.fields import ComboBox
from gemmviz.gui.widgets.named import named
from gemmviz.gui.widgets.segments import Segment, Segments

_SEGMENTS = (
    Segment("sweepTimes", "Times", "The time of each setting, measured on a device"),
    Segment(
        "sweepFigures",
        "Figures without a GPU",
        "Registers, occupancy, requests, bank conflicts and the result of each setting, as a table",
    ),
    Segment(
        "sweepFiguresChart", "Chart of these figures", "One of these figures over the settings, the best one named"
    ),
)
_TIMES, _TABLE, _CHART = range(3)
DELETE_TIP = "Remove this sweep from the session. Undo (Ctrl+Z) brings it back"
_LENGTH_OF_SWEEP = 30
"""Letters of the name of a sweep in the list of them."""


class SweepPage(JoinedCharts):
    """Shows one of the three at a time; table and chart are of the same sweep.

    Signals:
        sweep_changed(): the table and the chart show another sweep than before.
        delete_asked(sweeps): the sweep without a GPU that is shown should leave the session, in a tuple.
    """

    sweep_changed = Signal()
    delete_asked = Signal(object)

    def __init__(
        self, times: SweepChart, settings: SettingsPage, chart: SettingsChart, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("sweepPage")
        self._charts: tuple[Page, ...] = (times, settings, chart)
        self._settings, self._chart = settings, chart
        self._unfinished: ExaminedSweep | None = None
        self._swept: tuple[str, ...] = ()
        self._said: tuple[str, ...] = ()
        self._segments = Segments(_SEGMENTS, LIGHT)
        self._segments.setAccessibleName("What is shown of the settings")
        self._segments.chosen.connect(self._on_chosen)
        self._sweeps = named(ComboBox(), "settingsSweep", "Which sweep without a GPU to show")
        self._sweeps.setSizeAdjustPolicy(ComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self._sweeps.setMinimumContentsLength(_LENGTH_OF_SWEEP)
        self._segments.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._sweeps.currentIndexChanged.connect(self._on_sweep_chosen)
        settings.sweeps_changed.connect(self._on_sweeps_changed)
        self._delete = named(QPushButton("Delete sweep"), "settingsDelete", DELETE_TIP, role="quiet")
        self._delete.setIconSize(QSize(16, 16))
        self._delete.setAutoDefault(False)
        self._delete.clicked.connect(self._on_delete)
        self._stack = QStackedWidget()
        for one in self._charts:
            self._stack.addWidget(one)
        self._of_sweep = QWidget()
        which = QHBoxLayout(self._of_sweep)
        which.setContentsMargins(0, 0, 0, 0)
        which.setSpacing(12)
        which.addWidget(self._sweeps)
        which.addWidget(self._delete)
        which.addStretch(1)
        top = QVBoxLayout()  # two rows: the panels at the sides leave no room for one
        top.setContentsMargins(24, 16, 24, 0)
        top.setSpacing(12)
        top.addWidget(self._segments, 0, Qt.AlignmentFlag.AlignLeft)
        top.addWidget(self._of_sweep)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(top)
        column.addWidget(self._stack, 1)
        self._on_sweeps_changed()

    @property
    def in_front(self) -> Page:
        return self._charts[self._stack.currentIndex()]

    @property
    def sweep(self) -> ExaminedSweep | None:
        """The sweep without a GPU that is shown; None for none."""
        return self._settings.choice.sweep

    def show_plot(self, plot: Plot) -> None:
        self._segments.choose(_CHART if plot is Plot.SWEEP_FIGURES else _TIMES)

    def reset(self) -> None:
        """Show the times, or where nothing was timed the figures, if there are any."""
        is_timed = not self._charts[_TIMES].is_blank or self.sweep is None
        self._segments.choose(_TIMES if is_timed else _TABLE)

    def show_settings(self) -> None:
        """Bring the figures without a GPU to the front."""
        self._segments.choose(_TABLE)

    def show_unfinished(self, sweep: ExaminedSweep | None, swept: Sequence[str] = ()) -> None:
        """Show a sweep that is going on over these parameters in place of those of the session; None once it is not."""
        self._unfinished, self._swept = sweep, tuple(swept)
        self._show_sweep()

    def say(self, said: Sequence[str]) -> None:
        """Say this first below the figures of the sweep that is shown."""
        if tuple(said) != self._said:
            self._said = tuple(said)
            self._show_sweep(is_other=False)

    def set_theme(self, theme: Theme) -> None:
        super().set_theme(theme)
        self._segments.set_theme(theme)
        self._delete.setIcon(icon("trash", theme, theme.muted))

    def _show_sweep(self, *, is_other: bool = True) -> None:
        place = self._sweeps.currentIndex()
        self._settings.show_choice(place, self._unfinished, self._said, self._swept)
        self._chart.show_choice(place, self._unfinished, self._said, self._swept)
        self._show_combo()
        if is_other:
            self.sweep_changed.emit()

    def _show_combo(self) -> None:
        is_wanted = self._stack.currentIndex() != _TIMES and self._unfinished is None
        self._sweeps.setVisible(is_wanted and self._sweeps.count() > 1)
        self._delete.setVisible(is_wanted and self.sweep is not None)
        self._of_sweep.setVisible(is_wanted and self.sweep is not None)

    @Slot()
    def _on_sweeps_changed(self) -> None:
        choice = self._settings.choice
        self._chart.show_sweeps(choice.sweeps)
        self._sweeps.blockSignals(True)
        self._sweeps.clear()
        self._sweeps.addItems([visible(sweep_name(one, number)) for number, one in enumerate(choice.sweeps, 1)])
        self._sweeps.setCurrentIndex(choice.place)
        self._sweeps.blockSignals(False)
        self._show_sweep()
        is_in_front = self._stack.currentIndex() == _TIMES
        if is_in_front and self._charts[_TIMES].is_blank and self.sweep is not None:
            self.show_settings()

    @Slot()
    def _on_delete(self) -> None:
        if self.sweep is not None:
            self.delete_asked.emit((self.sweep,))

    @Slot(int)
    def _on_sweep_chosen(self, place: int) -> None:
        del place
        self._show_sweep()

    @Slot(int)
    def _on_chosen(self, place: int) -> None:
        self._stack.setCurrentIndex(place)
        self._show_combo()


def _is_about_settings(session: Session) -> bool:
    return bool(session.sweeps) and not (session.runs or session.traces or session.schedules)


SWEEP_PAGE = PageSpec(
    "Sweep",
    (SWEEP_CHART, SETTINGS_CHART, SETTINGS_PLOT),
    SweepPage,
    begins_with=_is_about_settings,
    wants_height=True,
    starts=("sweepAction", "settingsAction"),
    reset=lambda page: page.reset(),
)
