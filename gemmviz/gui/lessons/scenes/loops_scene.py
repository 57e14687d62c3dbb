"""CPU loops at work: the order of their accesses, and how often they need another cache line."""

from __future__ import annotations

from bisect import bisect_right
from math import ceil

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QFontInfo, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from gemmviz.catalogue.lesson_scenes import Loops
from gemmviz.domain import figures
from gemmviz.gui.lessons.lesson_data import LessonData
from gemmviz.gui.lessons.scenes.code_excerpt import BRIEF_POINTS, CodeExcerpt
from gemmviz.gui.lessons.scenes.loops_view import GOOD_CELL, LARGE_CELL, LoopsView
from gemmviz.gui.lessons.scenes.timed_scene import TimedScene
from gemmviz.gui.looks.fonts import SMALL
from gemmviz.gui.looks.fonts import figures as font_of_figures
from gemmviz.gui.looks.projector import least_label, projector_scale, words_magnification
from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.widgets.named import named
from gemmviz.gui.widgets.plain_label import PlainLabel
from gemmviz.trace.host_loops import COPY, LoopWalk
from gemmviz.trace.loop_lines import LoopLines

LOOPS = "loops.py"
"""A name that tells the language of the loops."""
TICK_MS = 60
STEP, LEAST_CODE = 0.05, 0.9
"""How finely the size of the loops changes, and the smallest."""
APART = 24
"""Pixels between the name of a kernel and its loops."""
FIRST = 96
"""Accesses that are played one per tick; after that the walk goes faster and faster."""


class LoopsPane(QFrame):
    """One walk in a frame: the kernel and its loops above, the figure below."""

    resized = Signal()
    """The loops may have another room."""

    def __init__(self, theme: Theme, name: str) -> None:
        super().__init__()
        self.setProperty("role", "card")
        self.walk: LoopWalk | None = None
        self._counted: tuple[str, ...] = ()
        self._has_code = False
        self.title = named(PlainLabel(), f"{name}Title", role="title")
        self.code = CodeExcerpt(theme, is_brief=True)
        self.view = named(LoopsView(theme), name, says="Matrices A, B and C, one cache line per row")
        self._figure = named(PlainLabel(), f"{name}Figure", role="counter")
        self._words = named(PlainLabel(), f"{name}Words", role="lead")
        self._column = column = QVBoxLayout(self)
        below = QHBoxLayout()
        column.setContentsMargins(16, 10, 16, 10)
        self._head = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._head.addWidget(self.title, 0, Qt.AlignmentFlag.AlignTop)
        self._head.addWidget(self.code, 1)
        self._above = QGridLayout()
        self._above.setSpacing(column.spacing())
        self._above.addLayout(self._head, 0, 0)
        self._above.setRowStretch(1, 1)
        column.addLayout(self._above, 1)
        self._put_view(is_over=False)
        below.setSpacing(10)
        below.addWidget(self._figure)
        below.addWidget(self._words)
        below.addStretch(1)
        column.addLayout(below)

    def show_walk(self, walk: LoopWalk | None, loops: LoopLines | None = None) -> None:
        """Show this walk below its loops; None hides the pane."""
        self.walk = walk
        self._has_code = loops is not None
        if loops is not None:
            self.code.show_lines(LOOPS, loops.source, loops.numbers)
        self.setVisible(walk is not None)
        self.view.show_walk(walk, 0)  # none either for the picture beside, which is as large as this one allows
        if walk is not None:
            self.title.setText(walk.kernel)
            self._counted = ("B", COPY) if walk.has_copy else ("B",)

    def set_magnification(self, factor: float) -> None:
        self.view.set_magnification(words_magnification(self, factor, SMALL))

    def set_theme(self, theme: Theme) -> None:
        self.code.set_theme(theme)
        self.view.set_theme(theme)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.resized.emit()

    @property
    def _width_inside(self) -> int:
        margins = self.contentsMargins() + self._column.contentsMargins()
        return self.width() - margins.left() - margins.right()

    def fits_beside(self) -> bool:
        """Whether the loops have room beside the kernel's name."""
        return self.title.sizeHint().width() + APART + self.code.sizeHint().width() <= self._width_inside

    def _put_view(self, *, is_over: bool) -> None:
        """The picture below the name and the loops, or behind both, as high as the pane."""
        self._is_over = is_over
        self._above.addWidget(self.view, 0 if is_over else 1, 0, 2 if is_over else 1, 1)

    def fits_over(self) -> bool:
        """Whether the loops have room beside the kernel's name in the corner that the matrices leave, above A."""
        if self.walk is None or self.walk.has_copy or not self._has_code:
            return False
        margins = self.contentsMargins() + self._column.contentsMargins()
        low = self.height() - margins.top() - margins.bottom() - self._figure.sizeHint().height()
        boxes = self.view.boxes_in(self.walk, low - self._column.spacing())
        wide = self.title.sizeHint().width() + 2 * APART + self.code.sizeHint().width()
        high = max(self.title.sizeHint().height(), self.code.sizeHint().height()) + APART
        return wide <= boxes["B"].left() - APART and high <= boxes["A"].top()

    def height_above(self, lines: int, *, is_beside: bool) -> float:
        """Pixels from the top of a picture behind the name and the loops, which have so many pixels of height, to its
        matrices; 0 where its legend has no room at the right of the loops.
        """
        title = self.title.sizeHint()
        head = (max(title.height(), lines) if is_beside else title.height() + lines) + self._column.spacing()
        wide, high = self.view.legend_size
        left, top = (title.width() + APART, 0) if is_beside else (0, title.height())
        right = max(title.width(), left + self.code.right_above(high - top))
        return head if high <= head and right + APART + wide <= self._width_inside else 0.0

    def is_larger_below(self, above: float) -> bool:
        """Whether elements are larger with the legend beside the loops than below these."""
        if self.walk is None or not above:
            return False
        margins = self.contentsMargins() + self._column.contentsMargins()
        low = self.height() - margins.top() - margins.bottom() - self._figure.sizeHint().height()
        inside = low - self._column.spacing()
        return self.view.cell_below(self.walk, above, inside) > self.view.cell_below(self.walk, 0.0, inside - above)

    def has_room(self, lines: int, cell: float, *, is_beside: bool) -> bool:
        """Whether loops of so many pixels of height, beside the kernel's name or below, leave the picture the room for
        elements of so many pixels.
        """
        margins = self.contentsMargins() + self._column.contentsMargins()
        title, below = self.title.sizeHint().height(), self._figure.sizeHint().height()
        head = max(title, lines) if is_beside else title + lines
        left = self.height() - margins.top() - margins.bottom() - head - below - 2 * self._column.spacing()
        has_height = self.walk is not None and self.view.cell_in(self.walk, left) >= cell
        return has_height and self._has_code and self.code.sizeHint().width() <= self._width_inside

    def place_code(
        self, lines: int, *, is_beside: bool, is_seen: bool, is_over: bool = False, above: float = 0.0
    ) -> None:
        """Show the loops in so many pixels of height, or not at all; over the picture, `above` its matrices."""
        self.view.keep_above(above)
        if is_over != self._is_over:
            self._above.removeWidget(self.view)
            self._put_view(is_over=is_over)
        self._head.setDirection(QBoxLayout.Direction.LeftToRight if is_beside else QBoxLayout.Direction.TopToBottom)
        self._head.setSpacing(APART if is_beside else 0)
        self.code.setMinimumHeight(lines)
        self.code.setVisible(is_seen)

    def show_until(self, until: int) -> None:
        """Show the first so many accesses."""
        if self.walk is not None:
            until = min(until, self.walk.array.size)
            self.view.show_walk(self.walk, until)
            changes = sum(self.walk.line_changes(name, until) for name in self._counted)
            self._figure.setText(figures.count(changes))
            visits = "visit" if changes == 1 else "visits"
            self._words.setText(f"{visits} to cache lines of {' and '.join(self._counted)} so far")

    @property
    def figure(self) -> str:
        """What the counter says."""
        return self._figure.text()


class LoopsScene(TimedScene):
    """One walk, or two side by side, step by step."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.setObjectName("lessonLoops")
        self.panes = LoopsPane(theme, "lessonLoopsLeft"), LoopsPane(theme, "lessonLoopsRight")
        self._done, self._length = 0, 0
        self._done_at: tuple[int, ...] = ()
        """The accesses that are shown at each tick, when the walk plays from its first one."""
        self._magnification = 1.0
        self.tick_every(TICK_MS)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(16)
        self.panes[0].view.compare_with(self.panes[1].view)
        for pane in self.panes:
            row.addWidget(pane, 1)
            pane.resized.connect(self._place_code)

    def show_loops(self, wanted: Loops, data: LessonData) -> None:
        """Show the walks a step names, from their first access."""
        for place, pane in enumerate(self.panes):
            kernel = wanted.show[place] if place < len(wanted.show) else ""
            pane.show_walk(data.walks.get(kernel), data.loops.get(kernel))
        self._length = max(pane.walk.array.size for pane in self.panes if pane.walk is not None)
        self._done_at = done_at_ticks(self._length)
        self._place_code()
        if wanted.plays:
            self.replay()
        else:
            self._go(0)

    @property
    def is_at_end(self) -> bool:
        return self._done >= self._length

    def replay(self) -> None:
        self._go(self._length if self._is_reduced else 1)
        if not self._is_reduced:
            self.set_playing(True)

    @property
    def ticks(self) -> int:
        return len(self._done_at)

    @property
    def tick(self) -> int:
        return max(bisect_right(self._done_at, self._done) - 1, 0)

    def show_tick(self, tick: int) -> None:
        self._go(self._done_at[tick])

    def advance(self) -> None:
        self.go_on(_pace(self._done))

    def go_on(self, frames: int) -> None:
        self._go(self._done + frames)

    def set_magnification(self, factor: float) -> None:
        self._magnification = factor
        for pane in self.panes:
            pane.set_magnification(factor)
        self._place_code()

    @Slot()
    def _place_code(self) -> None:
        """The loops of one walk stand in the corner of its picture, where they have room there. Of two walks the loops
        of both are shown or those of none, in equal height, so that the pictures have one scale. On the whole
        screen they are as large as the words of the lesson where elements are LARGE_CELL so, else as large as labels
        where elements are GOOD_CELL so.
        """
        panes = [pane for pane in self.panes if pane.walk is not None]
        usual, least = round(self._magnification / STEP), round(LEAST_CODE / STEP)
        largest = round(words_magnification(self, self._magnification, BRIEF_POINTS) / STEP)
        read = ceil(least_label(self) / QFontInfo(font_of_figures(BRIEF_POINTS)).pixelSize() / STEP)
        large, good = (cell * projector_scale(self) for cell in (LARGE_CELL, GOOD_CELL))
        if len(panes) == 1:
            for steps in range(largest, usual - 1, -1):
                panes[0].code.set_magnification(steps * STEP)
                if panes[0].fits_over():
                    lines = panes[0].code.sizeHint().height()
                    panes[0].place_code(lines, is_beside=True, is_seen=True, is_over=True)
                    return
        tried = [(steps, large) for steps in range(largest, max(usual, read), -1)]
        tried += [(steps, good) for steps in range(read, usual, -1)]
        tried += [(steps, GOOD_CELL) for steps in range(usual, least - 1, -1)]
        for steps, cell in tried:
            for pane in panes:
                pane.code.set_magnification(steps * STEP)
            lines = max(pane.code.sizeHint().height() for pane in panes) if panes else 0
            is_beside = all(pane.fits_beside() for pane in panes)
            is_seen = all(pane.has_room(lines, cell, is_beside=is_beside) for pane in panes)
            if is_seen:
                break
        above = [pane.height_above(lines, is_beside=is_beside) if is_seen else 0.0 for pane in panes]
        larger = [pane.is_larger_below(high) for pane, high in zip(panes, above, strict=True)]
        is_over = all(above) and any(larger)  # both have the scale of the smaller one
        for pane, high in zip(panes, above, strict=True):
            kept = high if is_over else 0.0
            pane.place_code(lines, is_beside=is_beside, is_seen=is_seen, is_over=is_over, above=kept)

    def set_theme(self, theme: Theme) -> None:
        for pane in self.panes:
            pane.set_theme(theme)

    def _go(self, done: int) -> None:
        self._done = min(max(done, 1), self._length)
        for pane in self.panes:
            # Walks of different lengths keep pace by the share of their work.
            size = pane.walk.array.size if pane.walk is not None else 0
            pane.show_until(round(self._done * size / max(self._length, 1)))


def done_at_ticks(length: int) -> tuple[int, ...]:
    """The accesses of a walk of `length` that are shown at each tick: the first, and at last all."""
    found = [1]
    while found[-1] < length:
        found.append(min(found[-1] + _pace(found[-1]), length))
    return tuple(found)


def _pace(done: int) -> int:
    """How many accesses one tick brings after so many."""
    return 1 if done < FIRST else 1 + (done - FIRST) // 24
