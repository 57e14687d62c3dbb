"""The large counters below a picture: what a block has asked of memory so far. Pure but for the widget."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QWidget

from gemmviz.domain import figures
from gemmviz.gui.memory.running_totals import TotalsSoFar
from gemmviz.gui.named import named
from gemmviz.gui.plain_label import PlainLabel


@dataclass(frozen=True, slots=True)
class Counter:
    """A figure of the totals so far, and the words beside it."""

    words: str
    figure: Callable[[TotalsSoFar], str]


def _times(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0") + "×"


COUNTERS: Mapping[str, Counter] = {
    "loads": Counter("loads from global memory so far", lambda totals: figures.count(totals.loads)),
    "loads_per_a": Counter("each element of A", lambda totals: _times(totals.loads_per_element)),
    "bytes_fetched": Counter("bytes fetched so far", lambda totals: figures.count(totals.bytes_fetched)),
    "wavefronts": Counter("passes through shared memory so far", lambda totals: figures.count(totals.wavefronts)),
}
"""By the name a lesson's file uses."""


class CounterRow(QWidget):
    """Counters side by side; empty until the totals are counted."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self._counters: tuple[Counter, ...] = ()
        self._figures: list[PlainLabel] = []
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(16, 4, 16, 8)
        self._row.setSpacing(28)

    def show_counters(self, names: Sequence[str]) -> None:
        """Show these counters, without figures yet; none hides the row."""
        while (item := self._row.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        self._counters = tuple(COUNTERS[name] for name in names)
        self._figures = []
        for counter in self._counters:
            pair = QWidget(self)
            grid = QGridLayout(pair)
            grid.setContentsMargins(0, 0, 0, 0)
            grid.setHorizontalSpacing(10)
            figure = named(PlainLabel("–", parent=pair), role="counter")
            words = named(PlainLabel(counter.words, parent=pair), role="lead")
            grid.addWidget(figure, 0, 0, Qt.AlignmentFlag.AlignBottom)
            grid.addWidget(words, 0, 1, Qt.AlignmentFlag.AlignVCenter)
            self._row.addWidget(pair)
            self._figures.append(figure)
        self._row.addStretch(1)
        self.setVisible(bool(self._counters))

    def set_lit(self, is_lit: bool) -> None:
        """Whether the figures stand out, because the text speaks of them."""
        for label in self._figures:
            label.setProperty("lit", is_lit)
            label.style().polish(label)

    def show_totals(self, totals: TotalsSoFar) -> None:
        """Show what was asked so far."""
        for counter, label in zip(self._counters, self._figures, strict=True):
            label.setText(counter.figure(totals))
        self.setAccessibleName("; ".join(f"{each.figure(totals)} {each.words}" for each in self._counters))
