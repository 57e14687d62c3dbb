"""What every page of figures has: title, subtitle, evidence, notes, a word while it is empty; filled when seen."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection
from dataclasses import replace

from PySide6.QtCore import Qt, QTimer, Slot
from PySide6.QtGui import QAction, QColor, QFont, QPainter, QPaintEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from gemmviz.catalogue.term_words import explained_evidence, with_terms
from gemmviz.domain.figures import counted
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.runs.result import RunResult
from gemmviz.explain.figures.figure import PlotTable
from gemmviz.gui.charts.notes_label import NotesLabel
from gemmviz.gui.charts.plot.crowding import Crowding
from gemmviz.gui.looks.fonts import LARGE, SMALL, words
from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.widgets.elided_label import ElidedLabel
from gemmviz.gui.widgets.named import named
from gemmviz.gui.widgets.on_screen import only_on_screen
from gemmviz.gui.widgets.plain_label import PlainLabel
from gemmviz.gui.widgets.plain_text import plain_text
from gemmviz.gui.work.empty_notice import EmptyNotice
from gemmviz.gui.work.last_work import WHAT_MAKES_RUNS, Asked, LastWork
from gemmviz.gui.work.words import words_for_empty

_LIST_SHARE = 0.5
"""Of the height for figures and notes an open list of notes has so much, at most."""
_LEAST_LIST = 72
"""Pixels that an open list of notes has at least, its link included: it scrolls."""


class Page(QWidget):
    """Subclasses place the labels, `fill` them, and `restyle` what they add.

    They say with `filled_by` which requests bring what they show, and with `is_blank` whether anything is there. Both
    filling and style sheets take their time, so those of a page that nobody sees wait until it is shown.
    """

    filled_by: Collection[Asked] = WHAT_MAKES_RUNS
    notes_key = ""
    """The key that lists all notes of a picture on the whole screen; "" in pictures for a file."""

    def __init__(self, object_name: str, accessible_name: str, theme: Theme, parent: QWidget | None) -> None:
        super().__init__(parent)
        self.setObjectName(object_name)
        self.setAccessibleName(accessible_name)
        self._theme = theme
        self._last_work: LastWork | None = None
        self._failed = 0
        self._newest: tuple[RunResult | TraceRun, ...] = ()
        self._is_calm = False
        self._is_due, self._is_restyling_due = False, True
        self._later = QTimer(self, singleShot=True, interval=0)
        self._later.timeout.connect(self.refresh)
        self._title = ElidedLabel(mode=Qt.TextElideMode.ElideRight)
        self._subtitle, self._evidence = PlainLabel(), PlainLabel()
        self._empty, self._notes = EmptyNotice(), NotesLabel()
        self._verdict = named(PlainLabel(wordWrap=True), "chartVerdict", role="headline")
        self._verdict.hide()
        only_on_screen(self._verdict)
        self._title.setFont(words(LARGE - 1.0, QFont.Weight.DemiBold))
        self._title.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._subtitle.setFont(words(SMALL))
        self._subtitle.setWordWrap(True)
        self._subtitle.setAccessibleName("Size, device and date")
        self._evidence.setFont(words(SMALL))
        self._notes.setFont(words(SMALL))
        self._notes.toggled.connect(self.on_notes_toggled)

    @property
    def is_blank(self) -> bool:
        """Whether nothing was given to be shown."""
        raise NotImplementedError

    def fill(self) -> None:
        """Show what was given."""
        raise NotImplementedError

    def tables(self) -> tuple[PlotTable, ...]:
        """What is shown, in full precision."""
        raise NotImplementedError

    def set_for_picture(self, wanted: bool, width: int = 0, *, large: bool = False) -> None:
        """Show everything and no controls, for a picture `width` pixels wide; a `large` one fills a screen."""
        raise NotImplementedError

    def set_bare(self, wanted: bool) -> None:
        """Leave the controls out where something else has chosen what is shown; a page may have none to leave out."""

    def picture_height(self, width: int) -> int:
        """The height in pixels that a picture of a width needs to show everything."""
        raise NotImplementedError

    def restyle(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        for label, colour in (
            (self._title, theme.text),
            (self._subtitle, theme.muted),
            (self._evidence, theme.muted),
            (self._empty.words, theme.muted),
            (self._notes, theme.muted),
        ):
            label.set_colour(colour)

    def show_work(self, last: LastWork | None) -> None:
        """Say what is going on while there is nothing to show; whether runs are under way changes notes, too."""
        was_running = self._are_runs_under_way
        self._last_work = last
        self._empty.show_button(last is None or not last.is_running)
        if self.is_blank:
            self._is_due = True
            if self.isVisible():
                self.refresh()  # at once: what is said on it is not true any more, and there is nothing to paint
        elif was_running != self._are_runs_under_way:
            self.renew()

    @property
    def is_repeatable(self) -> bool:
        """Whether a person can make the newest runs again with other settings: not those of a lesson, which has a time
        limit of its own, nor while runs are under way.
        """
        return not self._is_calm and not self._are_runs_under_way

    @property
    def _are_runs_under_way(self) -> bool:
        last = self._last_work
        return last is not None and last.is_running and last.asked in WHAT_MAKES_RUNS

    def offer(self, action: QAction) -> None:
        """Have a button, while there is nothing to show, that does what brings something."""
        self._empty.offer(action)

    @property
    def empty_words(self) -> str:
        """What stands there while there is nothing to show."""
        self.refresh()
        return self._empty.words.text()

    def count_failed(self, count: int) -> None:
        """So many kernels of the session did not run: that is said while there is nothing to show."""
        if count != self._failed:
            self._failed = count
            self.renew()

    def light_newest(self, newest: tuple[RunResult | TraceRun, ...]) -> None:
        """Let the rows of the newest runs and recordings stand out, where rows are of such."""
        if list(map(id, newest)) != list(map(id, self._newest)):
            self._newest = newest
            self.renew()

    def words_for_empty(self, idle: str) -> str:
        """What to say where the figures would be; `idle` is what to do to get some."""
        if self.is_blank and self._failed:
            idle = f"{counted(self._failed, 'kernel')} did not run. The results table says why."
        return words_for_empty(idle, self._last_work, self.filled_by) if self.is_blank else idle

    def renew(self) -> None:
        """Fill the page anew when it can be seen and the window has had its turn."""
        self._is_due = True
        if self.isVisible():
            self._later.start()

    @Slot()
    def refresh(self) -> None:
        """Fill and style the page now where that is due."""
        if self._is_restyling_due:
            self._is_restyling_due = False
            self.restyle(self._theme)
        if self._is_due:
            self._is_due = False
            self.fill()

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme's colours."""
        self._theme = theme
        self._is_restyling_due = True
        if self.isVisible():
            self.refresh()
        self.update()

    def showEvent(self, event: QShowEvent) -> None:
        self.refresh()
        super().showEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        # Painted without being shown: a picture of something in the background. What is shown is painted again anyway.
        if not self._later.isActive() and (self._is_due or self._is_restyling_due):
            self.refresh()
            if (layout := self.layout()) is not None:
                layout.activate()
        painter = QPainter(self)
        painter.fillRect(event.rect(), QColor(self._theme.canvas))
        painter.end()

    def heading(self) -> tuple[QVBoxLayout, QHBoxLayout]:
        """Title and evidence in a row, below it the subtitle; and that row."""
        whole, row = QVBoxLayout(), QHBoxLayout()
        whole.setSpacing(2)
        row.setSpacing(12)
        row.addWidget(self._title, 1)
        row.addWidget(self._evidence, 0, Qt.AlignmentFlag.AlignBottom)
        whole.addLayout(row)
        whole.addWidget(self._subtitle)
        return whole, row

    @property
    def title(self) -> str:
        """What stands above the figures."""
        self.refresh()
        return self._title.whole

    @property
    def words(self) -> str:
        """Title, sizes, devices and dates in one line."""
        return ": ".join(filter(None, (self.title, self.circumstances)))

    @property
    def circumstances(self) -> str:
        """Sizes, devices and dates of what is shown; "" where nothing is."""
        self.refresh()
        return self._subtitle.text()

    @property
    def evidence(self) -> str:
        """How the figures were found out: "measured", "recorded"; "" where nothing is shown."""
        self.refresh()
        return self._evidence.text()

    @property
    def notes_words(self) -> str:
        """All sentences below the figures."""
        self.refresh()
        return self._notes.text()

    def hide_heading(self) -> None:
        """Leave title, subtitle and evidence to what stands above, until the figures are filled anew."""
        for label in (self._title, self._subtitle, self._evidence):
            label.setText("")
            label.hide()

    @property
    def contents_left(self) -> int:
        """Pixels between the left side and the first letter of a line."""
        layout = self.layout()
        return layout.contentsMargins().left() if layout is not None else 0

    def show_title(self, title: str) -> None:
        """Write something else above the figures until they are filled anew; nothing for ""."""
        self._title.show_text(title)
        self._title.setVisible(bool(title))

    def write_title(self, title: str, short: str = "", *others: str) -> None:
        """What stands above the figures, or the `short` one where it has no room. The tooltip says what its terms mean,
        and those of `others`, more words of the figures.
        """
        self._title.show_text(title, short)
        self._title.setToolTip(plain_text(with_terms(title, title, *others)))

    def write_evidence(self, words: str) -> None:
        """Say how the figures were found out; the tooltip says what that means."""
        self._evidence.setText(words)
        self._evidence.setToolTip(plain_text(f"Where these figures come from\n{explained_evidence(words)}".rstrip()))

    def write_subtitle(self, words: str) -> None:
        """Sizes, devices and dates of what is shown; "" hides them."""
        self._subtitle.setText(words)
        self._subtitle.setVisible(bool(words))

    def on_notes_toggled(self) -> None:
        """Share the height out anew: the list of notes was opened or closed. For pages whose notes may be brief."""

    def share_with_notes(
        self, room: float, width: int, share: Callable[[float, float], Crowding], legible: float = 0.0
    ) -> Crowding:
        """How figures and notes `share` so many pixels. An open list of notes has up to half of them, and less where
        figures that are `legible` from so many pixels on would have fewer.
        """
        crowded = share(room, self._notes.whole_height(width))
        self._notes.set_calm(self._is_calm and not crowded.is_spacious)
        if not (self._notes.is_open and (crowded.note_lines or self._notes.is_calm)):
            return crowded
        spared = max(room - legible, _LEAST_LIST)
        self._notes.set_most(math.floor(min(room * _LIST_SHARE, spared)))
        return replace(share(room - self._notes.heightForWidth(width), 0.0), note_lines=crowded.note_lines)

    def show_verdict(self, words: str) -> None:
        """Write above the figures what a lesson's exercise has shown, and leave the notes to it that make it doubtful
        unless all have room; "" is for no lesson.
        """
        if self._is_calm != bool(words):
            self.renew()
        self._is_calm = bool(words)
        self._notes.set_calm(self._is_calm)
        self._verdict.setText(words)
        self._verdict.setVisible(bool(words))

    @property
    def lesson_verdict(self) -> str:
        """What a lesson's exercise has shown; "" for no lesson."""
        return self._verdict.text()

    def write_notes(self, notes: Collection[str]) -> None:
        """Sentences below the figures, each in a line of its own."""
        self._notes.write(tuple(notes))
