"""The large counters below a picture: what a block has asked of memory so far. Pure but for the widget."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QWidget

from gemmviz.domain import figures
from gemmviz.explain.block.progress import ProductProgress
from gemmviz.explain.block.running_totals import NONE, TotalsSoFar
from gemmviz.explain.block.tree_values import TreeLeaf, TreeStep
from gemmviz.gui.memory_view.paint.number_room import numbers_of
from gemmviz.gui.memory_view.places.tree_place import LevelState, level_states, stored_until
from gemmviz.gui.memory_view.scene import Scene
from gemmviz.gui.widgets.named import named
from gemmviz.gui.widgets.plain_label import PlainLabel


@dataclass(frozen=True, slots=True)
class Counter:
    """A figure of the totals so far, and the words beside it; `words_in` are those for what a scene shows,
    `words_of_one` those beside a 1. `shortened` are words for a narrow picture.
    """

    words: str
    figure: Callable[[TotalsSoFar, Scene | None], str]
    words_in: Callable[[Scene], str] | None = None
    words_of_one: str = ""
    shortened: Callable[[str], str] = str

    def words_for(self, scene: Scene | None, figure: str = NONE) -> str:
        """The words beside a figure of this scene."""
        if figure == "1" and self.words_of_one:
            return self.words_of_one
        return self.words_in(scene) if self.words_in is not None and scene is not None else self.words


def _times(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0") + "×"


def _shared_per_product(_totals: TotalsSoFar, scene: Scene | None) -> str:
    """Elements loaded from shared memory over products added, of the steps along K that every sum has taken."""
    analysis = scene.analysis if scene is not None else None
    progress = analysis.progress if analysis is not None else None
    if scene is None or scene.picture is None or analysis is None or not isinstance(progress, ProductProgress):
        return NONE
    until = analysis.timeline.span(scene.picture.frame)[1]
    steps, position = progress.whole_steps(until)
    products = steps * progress.part.size
    return f"{analysis.load_counters.before(position).shared_loads / products:.4g}" if products else NONE


def _sum_of_read(_totals: TotalsSoFar, scene: Scene | None) -> str:
    """The sum of a dot product in a register, as the picture shows it; in a tree, what the slot holds in which it
    ends.
    """
    if scene is not None and scene.shows_tree:
        return _sum_in_tree(scene)
    total = next(iter(scene.sums.totals.values()), None) if scene is not None else None
    return numbers_of(scene).result.text(total) if scene is not None and total is not None else NONE


def _sum_in_tree(scene: Scene) -> str:
    known = _sums_in_end(scene)
    is_there = known and level_states(scene)[0] is not LevelState.TO_COME
    return numbers_of(scene).result.text(known[-1]) if is_there else NONE


def _sums_in_end(scene: Scene) -> list[float]:
    """What the slot in which a tree ends has held so far, one value after the other."""
    tree, values = scene.analysis.tree if scene.analysis is not None else None, scene.sums.tree
    if tree is None or values is None:
        return []
    end, until = tree.levels[-1].additions[0].into, stored_until(scene)
    steps: list[TreeLeaf | TreeStep] = [*values.leaves, *(step for level in values.levels for step in level)]
    return [step.total for step in steps if step.into == end and step.since < until]


def _words_of_sum(scene: Scene) -> str:
    """What the figure is: in a tree the slot in which it ends holds only a part of the sum until then."""
    analysis = scene.analysis
    tree, progress = (analysis.tree, analysis.progress) if analysis is not None else (None, None)
    if tree is not None:
        said = f"is in {tree.array.name}[{tree.levels[-1].additions[0].into}]"
        last = scene.sums.tree.levels[-1] if scene.sums.tree is not None else ()
        is_whole = bool(last) and all(step.since < stored_until(scene) for step in last)
        return said if is_whole else f"{said} so far"
    terms = scene.sums.terms
    is_whole = terms is not None and progress is not None and bool((terms >= progress.depth).all())
    return _IS_WHOLE_SUM if is_whole else _IS_SUM


_IS_SUM, _IS_WHOLE_SUM = "is the sum so far", "is the sum"

COUNTERS: Mapping[str, Counter] = {
    "loads": Counter(
        "global memory loads",
        lambda totals, _: figures.count(totals.loads),
        words_of_one="global memory load",
        shortened=lambda words: words.replace(" memory", ""),
    ),
    "loads_per_element": Counter(
        "each element of A and B",
        lambda totals, _: _times(totals.loads_per_input),
        shortened=lambda words: words.removesuffix(" of A and B"),
    ),
    "sum_of_read": Counter(_IS_SUM, _sum_of_read, _words_of_sum),
    "shared_per_product": Counter(
        "values loaded from shared memory per product",
        _shared_per_product,
        words_of_one="value loaded from shared memory per product",
    ),
}
"""By the name a lesson's file uses."""


class CounterRow(QWidget):
    """Counters side by side; empty until the totals are counted. Their words are shorter where they have no room."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self._counters: tuple[Counter, ...] = ()
        self._figures: list[PlainLabel] = []
        self._words: list[PlainLabel] = []
        self._grids: list[QGridLayout] = []
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(16, 4, 16, 8)
        self._row.setSpacing(20)
        self._is_short = False

    def show_counters(self, names: Sequence[str]) -> None:
        """Show these counters, without figures yet; none hides the row."""
        while (item := self._row.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        self._counters = tuple(COUNTERS[name] for name in names)
        self._figures, self._words, self._grids, self._is_short = [], [], [], False
        for counter in self._counters:
            pair = QWidget(self)
            grid = QGridLayout(pair)
            grid.setContentsMargins(0, 0, 0, 0)
            grid.setHorizontalSpacing(10)
            figure = named(PlainLabel(NONE, parent=pair), role="counter")
            words = named(PlainLabel(counter.words, parent=pair), role="lead")
            grid.addWidget(figure, 0, 0, Qt.AlignmentFlag.AlignBottom)
            grid.addWidget(words, 0, 1, Qt.AlignmentFlag.AlignVCenter)
            self._row.addWidget(pair)
            self._figures.append(figure)
            self._words.append(words)
            self._grids.append(grid)
        self._row.addStretch(1)
        self.setAccessibleName("")
        self.setVisible(bool(self._counters))

    def set_lit(self, is_lit: bool) -> None:
        """Whether the figures stand out, because the text speaks of them."""
        for label in self._figures:
            label.setProperty("lit", is_lit)
            label.style().polish(label)

    def show_totals(self, totals: TotalsSoFar, scene: Scene | None) -> None:
        """Show what was asked so far, in the picture of this scene."""
        found = [counter.figure(totals, scene) for counter in self._counters]
        words = [counter.words_for(scene, figure) for counter, figure in zip(self._counters, found, strict=True)]
        self._write(found, words)
        if not self._is_short and self.isVisible() and self._row.sizeHint().width() > self.width():
            self._is_short = True  # for the rest of the step: words that come and go disturb
            self._write(found, words)
        self.setAccessibleName("; ".join(f"{figure} {each}" for figure, each in zip(found, words, strict=True)))

    @property
    def is_short(self) -> bool:
        """Whether the words are the shorter ones."""
        return self._is_short

    def shorten(self) -> None:
        """Have the shorter words from the next totals on, as the counters of the other picture have."""
        self._is_short = True

    def _write(self, found: Sequence[str], words: Sequence[str]) -> None:
        """Write figures and words, and take the room that they need at once."""
        if self._is_short:
            words = [counter.shortened(each) for counter, each in zip(self._counters, words, strict=True)]
        for text, label in zip((*found, *words), (*self._figures, *self._words), strict=True):
            label.setText(text)
        for grid in self._grids:
            grid.activate()  # else a picture is painted while the words have too little room
        self._row.activate()
        self.updateGeometry()  # longer figures need more room beside a title
        if (around := self.parentWidget()) is not None and (layout := around.layout()) is not None:
            layout.activate()
