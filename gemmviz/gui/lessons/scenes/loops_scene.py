"""CPU loops at work: the order of their accesses, and how often they need another cache line."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QHBoxLayout, QVBoxLayout, QWidget

from gemmviz.catalogue.lesson_scenes import Loops
from gemmviz.domain import figures
from gemmviz.gui.lessons.lesson_data import LessonData
from gemmviz.gui.lessons.scenes.code_excerpt import CodeExcerpt
from gemmviz.gui.lessons.scenes.loops_view import LoopsView
from gemmviz.gui.lessons.scenes.timed_scene import TimedScene
from gemmviz.gui.looks.fonts import SMALL
from gemmviz.gui.looks.projector import words_magnification
from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.widgets.named import named
from gemmviz.gui.widgets.plain_label import PlainLabel
from gemmviz.trace.host_loops import COPY, LoopWalk
from gemmviz.trace.loop_lines import LoopLines

LOOPS = "loops.py"
"""A name that tells the language of the loops."""
TICK_MS = 60
APART = 24
"""Pixels between the name of a kernel and its loops."""
FIRST = 96
"""Accesses that are played one per tick; after that the walk goes faster and faster."""


class LoopsPane(QFrame):
    """One walk in a frame: the kernel and its loops above, the figure below."""

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
        column.addLayout(self._head)
        column.addWidget(self.view, 1)
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
        if walk is not None:
            self.title.setText(walk.kernel)
            self._counted = ("B", COPY) if walk.has_copy else ("B",)
            self._place_code()

    def set_magnification(self, factor: float) -> None:
        self.code.set_magnification(factor)
        self.view.set_magnification(words_magnification(self, factor, SMALL))
        self._place_code()

    def set_theme(self, theme: Theme) -> None:
        self.code.set_theme(theme)
        self.view.set_theme(theme)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_code()

    def _place_code(self) -> None:
        """The loops stand beside the kernel's name, below it where there is no room, and nowhere where they would take
        that of the picture.
        """
        margins = self.contentsMargins() + self._column.contentsMargins()
        room = self.width() - margins.left() - margins.right()
        fits = self.title.sizeHint().width() + APART + self.code.sizeHint().width() <= room
        self._head.setDirection(QBoxLayout.Direction.LeftToRight if fits else QBoxLayout.Direction.TopToBottom)
        self._head.setSpacing(APART if fits else 0)
        title, code = self.title.sizeHint().height(), self.code.sizeHint().height()
        head, below = max(title, code) if fits else title + code, self._figure.sizeHint().height()
        left = self.height() - margins.top() - margins.bottom() - head - below - 2 * self._column.spacing()
        has_room = self.walk is not None and left >= self.view.good_height(self.walk)
        has_room = has_room and self.code.sizeHint().width() <= room
        self.code.setVisible(self._has_code and has_room)

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
        self.tick_every(TICK_MS)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(16)
        for pane in self.panes:
            row.addWidget(pane, 1)

    def show_loops(self, wanted: Loops, data: LessonData) -> None:
        """Show the walks a step names, from their first access."""
        for place, pane in enumerate(self.panes):
            kernel = wanted.show[place] if place < len(wanted.show) else ""
            pane.show_walk(data.walks.get(kernel), data.loops.get(kernel))
        self._length = max(pane.walk.array.size for pane in self.panes if pane.walk is not None)
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

    def advance(self) -> None:
        self.go_on(1 if self._done < FIRST else 1 + (self._done - FIRST) // 24)

    def go_on(self, frames: int) -> None:
        self._go(self._done + frames)

    def set_magnification(self, factor: float) -> None:
        for pane in self.panes:
            pane.set_magnification(factor)

    def set_theme(self, theme: Theme) -> None:
        for pane in self.panes:
            pane.set_theme(theme)

    def _go(self, done: int) -> None:
        self._done = min(max(done, 1), self._length)
        for pane in self.panes:
            # Walks of different lengths keep pace by the share of their work.
            size = pane.walk.array.size if pane.walk is not None else 0
            pane.show_until(round(self._done * size / max(self._length, 1)))
