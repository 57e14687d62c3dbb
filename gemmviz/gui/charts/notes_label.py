"""The notes below a plot: whole where there is room, else in few lines, with a link that opens all of them in place."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from PySide6.QtCore import QEvent, QRect, QSize, Qt, Signal, Slot
from PySide6.QtGui import QFont, QKeyEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QPushButton, QScrollArea, QVBoxLayout, QWidget

from gemmviz.catalogue.term_words import explained
from gemmviz.domain.figures import counted
from gemmviz.domain.runs.doubts import DOUBTS, NOT_GPU_TIMES
from gemmviz.domain.runs.roof_words import LOWERED
from gemmviz.domain.unbroken_text import unbroken
from gemmviz.domain.visible_text import visible
from gemmviz.explain.figures.run_facts import WRONG_NOTE
from gemmviz.gui.looks.fonts import SMALL, words
from gemmviz.gui.widgets.named import named
from gemmviz.gui.widgets.on_screen import is_left_out, only_on_screen
from gemmviz.gui.widgets.plain_label import PlainLabel, WrappedHeights
from gemmviz.gui.widgets.plain_text import plain_text

FIRST = (WRONG_NOTE, NOT_GPU_TIMES, *DOUBTS, LOWERED)
"""How notes begin of what makes figures doubtful. They come first and are always seen, at least their beginning."""
_LAST = ("measured on ", "recorded on ", "roofs measured on ")
"""Drivers and versions come last: the device and the day stand below the title."""
_HEADS = ("What to be careful about", "How to read the chart", "Where it was measured")
_LEAST_CLAUSE = 4
"""Words of the begin of a sentence that is said by itself."""
CLOSE = "Close notes"
HOVER = "Hover over a note: its terms are explained."
_WRAPPED = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop) | int(Qt.TextFlag.TextWordWrap)
_GAP, _APART = 14, 6
"""Pixels between the link and the notes beside it, and between the link and the list below it."""


class NotesLabel(PlainLabel):
    """`text` are the whole notes whichever is shown, so that they are read aloud.

    Where some are left out, a link before the brief ones opens a list of all below it, which scrolls; the link or
    Escape closes it. Who lays it out says with `set_brief` and `set_most` how much room there is, and with `set_calm`
    that only what makes figures doubtful is to be seen beside the link, however much there is.
    """

    toggled = Signal()
    """The list was opened or closed, so that the height is another."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.setWordWrap(True)
        self._heights = WrappedHeights()
        self._ordered: tuple[str, ...] = ()
        self._doubts: tuple[str, ...] = ()
        """Those of the notes that tell what is doubtful, in short."""
        self._lines, self._most = 0, 0
        self._is_open = self._is_calm = False
        self._link = named(
            QPushButton(self), "notesLink", "Show all notes below the chart, or close them", role="quiet"
        )
        self._link.setProperty("inText", True)
        only_on_screen(self._link)
        self._link.setCursor(Qt.CursorShape.PointingHandCursor)
        self._link.clicked.connect(self._toggle)
        self._list = NotesList(self)
        self._list.hide()
        self._link.hide()

    @property
    def stops(self) -> tuple[QWidget, QWidget]:
        """Where Tab stops if they are seen: the link, then the list. A focus proxy in its place ends Qt's way to what
        comes after it."""
        return self._link, self._list

    @property
    def notes(self) -> tuple[str, ...]:
        """All of them, the gravest first."""
        return self._ordered

    @property
    def is_brief(self) -> bool:
        """Whether not every note has lines of its own."""
        return self._lines > 0 or self.is_calm

    @property
    def is_calm(self) -> bool:
        """Whether notes on how to read the chart wait in the list; in a picture, which has no link, none do."""
        return self._is_calm and not is_left_out(self._link)

    @property
    def is_open(self) -> bool:
        """Whether the list of all notes is open."""
        return self._is_open and self.is_brief

    def brief(self, width: int) -> str:
        """The sentences that few lines of a width hold, what is doubtful first. Doubts without room are said in short,
        in as many lines as it takes; without doubts the begin of the first sentence up to its colon, if that says
        something by itself.
        """
        if not self._hides_some(width):
            return " ".join(self._ordered)
        if self.is_calm and not self._lines:
            return " ".join(self._ordered[: len(self._doubts)])
        room, beside = self._lines * self.fontMetrics().lineSpacing(), self._beside_link(width)
        most = len(self._doubts) if self.is_calm else len(self._ordered) - 1
        for count in range(most, max(1, len(self._doubts)) - 1, -1):
            words = " ".join(self._ordered[:count])
            if self._height_of(words, beside) <= room:
                return words
        clause = next(iter(self._ordered), "").partition(":")[0].removesuffix(".") + "."
        is_told = len(clause.split()) >= _LEAST_CLAUSE and self._height_of(clause, beside) <= room
        return clause if is_told and not self._doubts and not self.is_calm else " ".join(self._doubts)

    def write(self, notes: Sequence[str]) -> None:
        """Sentences, each in lines of its own where there is room."""
        notes = tuple(map(visible, notes))
        self._heights.forget()
        ordered = sorted(notes, key=rank)
        self._ordered = tuple(map(_sentence, ordered))
        self.setText("\n".join(self._ordered))
        begun = (first for first in FIRST if any(note.startswith(first) for note in notes))
        self._doubts = tuple(_sentence(first.partition(";")[0]) for first in begun)
        self._list.write(ordered)
        self._tell()

    def set_brief(self, lines: int) -> bool:
        """Have at most so many lines, or with 0 as many as it takes; whether that changes anything."""
        if lines == self._lines:
            return False
        self._lines = lines
        self._tell()
        self.updateGeometry()
        self.update()
        return True

    def set_calm(self, is_calm: bool) -> None:
        """Whether notes on how to read the chart are only in the list that the link opens."""
        if is_calm == self._is_calm:
            return
        self._is_calm = is_calm
        self._tell()
        self.updateGeometry()
        self.update()

    def set_most(self, pixels: int) -> bool:
        """Let the open list be so high at most; whether that changes anything."""
        if pixels == self._most:
            return False
        self._most = pixels
        self.updateGeometry()
        return True

    def height_of(self, notes: Sequence[str], width: int) -> int:
        """The height that such notes would have at a width, each in lines of its own."""
        return self._height_of("\n".join(_sentence(visible(note)) for note in notes), width) if notes else 0

    def whole_height(self, width: int) -> int:
        """The height of the whole notes at a width."""
        return max(0, super().heightForWidth(width)) if self.text() else 0

    def hasHeightForWidth(self) -> bool:
        return bool(super().hasHeightForWidth())

    def heightForWidth(self, width: int) -> int:
        if not self.is_brief:
            return int(super().heightForWidth(width))
        if self.is_open:
            beside = self._link.sizeHint().height() + _APART
            return beside + self._list.height_within(width, max(0, self._most - beside))
        if not self._hides_some(width):
            return self._height_of(self.brief(width), width)
        return max(self._link.sizeHint().height(), self._height_of(self.brief(width), self._beside_link(width)))

    def sizeHint(self) -> QSize:
        return self._one_line() if self.is_brief else super().sizeHint()

    def minimumSizeHint(self) -> QSize:
        if not self.is_brief:
            return super().minimumSizeHint()
        link = self._link.sizeHint().height() if self._link.isVisibleTo(self) else 0
        return self._one_line().expandedTo(QSize(0, link))

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self.is_brief:
            super().paintEvent(event)
        elif not self.is_open:
            room = self.contentsRect()
            width = room.width()
            left = width - self._beside_link(width) if self._link.isVisibleTo(self) else 0
            painter = QPainter(self)
            painter.setPen(self.palette().color(self.foregroundRole()))
            painter.drawText(room.adjusted(left, 0, 0, 0), _WRAPPED, unbroken(self.brief(width)))
            painter.end()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self.is_open and event.key() == Qt.Key.Key_Escape:
            self._toggle()
            self._link.setFocus()
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._heights.forget()
            self._link.setFont(self.font())
            self._list.setFont(self.font())
            self._place()

    def _one_line(self) -> QSize:
        return QSize(120, self.fontMetrics().lineSpacing())

    def _height_of(self, words: str, width: int) -> int:
        return self._heights.of(words, width, self)

    def _hides_some(self, width: int) -> bool:
        """Whether some notes are left out, so that there is a link."""
        if self.is_calm and len(self._doubts) < len(self._ordered):
            return True
        room = self._lines * self.fontMetrics().lineSpacing()
        return self.is_brief and self._height_of(" ".join(self._ordered), width) > room

    def _beside_link(self, width: int) -> int:
        """The width that the link leaves of another."""
        return width - self._link.sizeHint().width() - _GAP

    def _tell(self) -> None:
        self.setToolTip(plain_text(explained(self.text())))
        self.setAccessibleDescription(self.text() if self.is_brief else "")
        self._place()

    @Slot()
    def _toggle(self) -> None:
        self._is_open = not self._is_open
        self._place()
        self.updateGeometry()
        self.update()
        self.toggled.emit()

    def _place(self) -> None:
        """Put link and list where they belong, or hide them."""
        room = self.contentsRect()
        self._link.setText(CLOSE if self.is_open else f"All {counted(len(self._ordered), 'note')}")
        self._link.setAccessibleName(self._link.text())
        self._link.setVisible(self._hides_some(room.width()) and not is_left_out(self._link))
        self._list.setVisible(self.is_open and self._link.isVisibleTo(self))
        size = self._link.sizeHint()
        self._link.setGeometry(QRect(room.topLeft(), size))
        self._list.setGeometry(room.adjusted(0, size.height() + _APART, 0, 0))


class NotesList(QScrollArea):
    """All notes, each with what its terms mean as tooltip, below a heading for each kind where there are several."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        named(self, "notesList", says="All notes of the chart")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._inner, self._labels = QWidget(), list[PlainLabel]()
        self._layout = QVBoxLayout(self._inner)
        self._layout.setContentsMargins(0, 0, 12, 0)
        self._layout.setSpacing(4)
        self._layout.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.setWidget(self._inner)

    def write(self, notes: Sequence[str]) -> None:
        """Show notes, given in the order of their `rank`."""
        for label in self._labels:
            self._layout.removeWidget(label)
            label.deleteLater()
        self._labels.clear()
        kinds = [(kind, list(of_kind)) for kind, of_kind in itertools.groupby(notes, _kind)]
        for kind, of_kind in kinds:
            if len(kinds) > 1:
                head = named(PlainLabel(_HEADS[kind]), role="strong")
                head.setFont(words(SMALL, QFont.Weight.DemiBold))
                head.setContentsMargins(0, 6 if self._labels else 0, 0, 0)
                self._labels.append(head)
            for note in of_kind:
                label = PlainLabel(_sentence(note), wordWrap=True)
                label.explain_terms()
                self._labels.append(label)
        if any(explained(_sentence(note)) for note in notes):
            self._labels.insert(0, named(PlainLabel(HOVER), role="muted"))
        for label in self._labels:
            self._layout.addWidget(label)
            label.show()  # else it has no height until the window has had its turn
        self._take_font()

    def height_within(self, width: int, most: int) -> int:
        """The height that shows all of them at a width, or where that is more than `most`, the lines that are whole."""
        whole = self._layout.heightForWidth(width)
        if whole <= most:
            return whole
        height, below = 0, 0
        for label in self._labels:
            top, line = below + label.contentsMargins().top(), label.fontMetrics().lineSpacing()
            wrapped = label.heightForWidth(width - self._layout.contentsMargins().right())
            below += wrapped if label.wordWrap() else label.sizeHint().height()
            ends = range(top + line, below + 1, line)
            height = max([height, *(end for end in ends if end <= most)])
            below += self._layout.spacing()
        return height

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._take_font()

    def _take_font(self) -> None:
        """Write all in the font of the list, which the style sheet of the window keeps from its labels."""
        for label in self._labels:
            font = QFont(self.font())
            font.setWeight(label.font().weight())
            label.setFont(font)


def rank(note: str) -> int:
    """Where a note stands among others that may be left out from the last on."""
    for place, first in enumerate(FIRST):
        if note.startswith(first):
            return place
    return len(FIRST) + note.startswith(_LAST)


def _kind(note: str) -> int:
    """The place of a note's heading."""
    return max(0, rank(note) - len(FIRST) + 1)


def _sentence(note: str) -> str:
    return note[:1].upper() + note[1:].removesuffix(".") + "."
