"""The choice of what speed-ups are against: a library, a CPU kernel, or where neither has run another kernel."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QWidget

from gemmviz.domain.runs.baselines import Baseline, comparable_of
from gemmviz.domain.runs.result import RunResult
from gemmviz.domain.visible_text import visible
from gemmviz.gui.looks.fonts import SMALL, words
from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.widgets.fields import ComboBox
from gemmviz.gui.widgets.named import named
from gemmviz.gui.widgets.plain_label import PlainLabel

_WIDEST = 340
"""Pixels of the list, so that the title beside it has room."""
_TIP = (
    "What speed-ups are against: the GPU vendor's library in each kernel's own arithmetic, or a CPU kernel; where "
    "neither has run, the slowest kernel or another one"
)


class BaselineChoice(QWidget):
    """Offers what some runs can be compared with. A baseline stays where it is still among the runs, and comes back
    with them.
    """

    changed = Signal()
    """A person chose another one."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._runs: tuple[RunResult, ...] = ()
        self._baselines: tuple[Baseline, ...] = ()
        self._wanted: Baseline | None = None
        self._against = PlainLabel("against")
        self._against.setFont(words(SMALL))
        self.combo = named(ComboBox(), "speedupBaseline", _TIP, says="Library or kernel to compare with")
        self.combo.setMinimumWidth(96)
        self.combo.setMaximumWidth(_WIDEST)
        self.combo.setSizeAdjustPolicy(ComboBox.SizeAdjustPolicy.AdjustToContents)
        self.combo.currentIndexChanged.connect(self._on_chosen)
        self._against.setBuddy(self.combo)
        beside = QHBoxLayout(self)
        beside.setContentsMargins(0, 0, 0, 0)
        beside.setSpacing(6)
        beside.addWidget(self._against)
        beside.addWidget(self.combo)

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to compare with."""
        return not self._baselines

    @property
    def baseline(self) -> Baseline | None:
        """What speed-ups are against; None where there is nothing."""
        place = self.combo.currentIndex()
        return self._baselines[place] if 0 <= place < len(self._baselines) else None

    @property
    def wanted(self) -> Baseline | None:
        """What speed-ups are against wherever it is among the runs; None until there is something."""
        return self._wanted

    @property
    def lacking(self) -> Baseline | None:
        """What is wanted, where it is not among the runs."""
        wanted = self._wanted
        return None if wanted is None or any(map(wanted.includes, self._runs)) else wanted

    def show_runs(self, runs: Sequence[RunResult]) -> None:
        """Offer what these runs can be compared with."""
        self._runs = tuple(runs)
        baselines = comparable_of(self._runs)
        if baselines != self._baselines:
            self._baselines = baselines
            with QSignalBlocker(self.combo):
                self.combo.clear()
                self.combo.addItems([visible(baseline.words) for baseline in baselines])
        self.want(self._wanted)

    def want(self, wanted: Baseline | None) -> None:
        """Compare with this one wherever it is among the runs; None for the first that there is."""
        self._wanted = wanted
        place = self._baselines.index(wanted) if wanted in self._baselines else 0 if self._baselines else -1
        with QSignalBlocker(self.combo):
            self.combo.setCurrentIndex(place)
        if self.lacking is None:
            self._wanted = self.baseline

    def forget(self) -> None:
        """Let the next runs decide what speed-ups are against."""
        self._wanted = None

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._against.set_colour(theme.muted)

    @Slot(int)
    def _on_chosen(self, place: int) -> None:
        del place
        self._wanted = self.baseline
        self.changed.emit()
