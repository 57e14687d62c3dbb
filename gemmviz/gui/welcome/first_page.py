"""The first page: lessons first, then the reader's own kernel and results, then the examples."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import pairwise

from PySide6.QtCore import QPoint, Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QPushButton, QScrollArea, QVBoxLayout, QWidget

from gemmviz.catalogue.examples import Example
from gemmviz.catalogue.lessons import Lesson
from gemmviz.gui.commands.entries import Entry
from gemmviz.gui.files.recent_files import RecentFile
from gemmviz.gui.lessons.progress import LessonProgress
from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.welcome.card import CardButton, CardKind, CardWords
from gemmviz.gui.welcome.examples import ExamplesSection
from gemmviz.gui.welcome.lesson_card import LessonCard
from gemmviz.gui.widgets.named import named
from gemmviz.gui.widgets.plain_label import PlainLabel
from gemmviz.gui.widgets.plain_text import action_text

TITLE = "See what a matrix-multiplication kernel really does"
PROMISE = "Short lessons, played from real recordings. No GPU needed."
CARDS = (
    CardWords(CardKind.SESSION, "Back to your session", ""),
    CardWords(
        CardKind.KERNEL, "Your own kernel", "Open or drop a .cu, .cl, .ptx or .py file. gemmviz runs and records it."
    ),
    CardWords(
        CardKind.EXPERIMENT,
        "New experiment",
        "Choose kernels, such as naive and tiled, and a size. Run them and compare their times.",
    ),
    CardWords(CardKind.OPEN, "Open results", "Open saved results; the original device is not needed."),
)
_SEARCHED = {kind: ("experiment",) if kind is CardKind.EXPERIMENT else () for kind in CardKind}
"""Words by which the command palette finds a card before all else."""
MOST_RECENT = 4
WIDEST = 1320
"""Pixels of the page at most."""
NARROW = 720
"""Below this width, in pixels, cards stand one below the other."""


class FirstPage(QScrollArea):
    """Says what asks for attention."""

    lesson_asked = Signal(str)
    """The id of a lesson."""
    open_asked = Signal()
    kernel_asked = Signal()
    experiment_asked = Signal()
    session_asked = Signal()
    recent_asked = Signal(str)
    """The path of a file opened lately."""

    def __init__(
        self,
        lessons: Sequence[Lesson],
        theme: Theme,
        examples: Sequence[Example] = (),
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("firstPage")
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._lessons = tuple(LessonCard(lesson, theme) for lesson in lessons)
        self._cards = tuple(self._card_button(card, theme) for card in CARDS)
        self.examples = ExamplesSection(examples)
        self._columns = 0
        self._recent_files: tuple[RecentFile, ...] = ()
        self._lesson_grid, self._card_grid = QGridLayout(), QGridLayout()
        self._recent = QHBoxLayout()
        self._recent.setSpacing(4)
        for card in self._lessons:
            card.clicked.connect(lambda _checked=False, lesson=card.lesson: self.lesson_asked.emit(lesson.id))
        page = QWidget()
        self.setWidget(page)
        around = QHBoxLayout(page)
        around.setContentsMargins(40, 18, 40, 28)
        inner = QWidget()
        inner.setMaximumWidth(WIDEST)
        for button in self._cards:  # also those that no layout holds yet
            button.setParent(inner)
        around.addStretch(1)
        around.addWidget(inner, 100)
        around.addStretch(1)
        self._lay_out(QVBoxLayout(inner))
        self.examples.moved.connect(self._keep_heading_whole)
        self._mark_next()
        self.show_session("")
        for before, after in pairwise((*self._lessons, *self._cards, *self.examples.buttons)):
            QWidget.setTabOrder(before, after)

    def entries(self) -> list[Entry]:
        """What can be done here besides lessons and examples, for the command palette."""
        cards = [card for card in self._cards if not card.isHidden()]
        recent = [row for row in self._recent_files if row.exists]
        return [
            *(
                Entry(
                    "First page", each.card.title, each.click, each.accessibleDescription(), _SEARCHED[each.card.kind]
                )
                for each in cards
            ),
            *(Entry("Recent", row.name, partial(self.recent_asked.emit, row.path), row.folder) for row in recent),
        ]

    def show_opening(self, lesson_id: str) -> None:
        """Say on a lesson's card that it is being opened; "" for none."""
        for card in self._lessons:
            card.show_opening(card.lesson.id == lesson_id)

    def show_progress(self, lesson_id: str, progress: LessonProgress) -> None:
        """Show on a lesson's card how far a person has come."""
        for card in self._lessons:
            if card.lesson.id == lesson_id:
                card.show_progress(progress)
        self._mark_next()

    def _mark_next(self) -> None:
        """Mark the first lesson that is not read, else the first that is not done; none where all are."""
        following = self._next_lesson()
        for card in self._lessons:
            card.show_is_next(card is following)

    def _next_lesson(self) -> LessonCard | None:
        left = [card for card in self._lessons if not card.progress.is_done]
        return next((card for card in left if not card.progress.is_read), left[0] if left else None)

    def show_session(self, words: str) -> None:
        """Offer the way back to a session that holds this; "" for one that holds nothing."""
        card = self._cards[0]
        card.show_words(words)
        card.setVisible(bool(words))
        self._arrange(max(self._columns, 1), again=True)

    def show_recent(self, rows: Sequence[RecentFile]) -> None:
        """List the files opened lately; nothing at all if there is none."""
        self._recent_files = tuple(rows[:MOST_RECENT])
        while (item := self._recent.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        for number, row in enumerate(self._recent_files, start=1):
            if number == 1:
                self._recent.addWidget(named(PlainLabel("Recent:"), role="muted"))
            self._recent.addWidget(self._recent_button(row, number))
        self._recent.addStretch(1)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not event.spontaneous():
            self.show_lessons()
        else:
            self._focus_next()

    def show_lessons(self) -> None:
        """Show the beginning of the page, where the lessons are; the one to take next gets the keyboard."""
        self.verticalScrollBar().setValue(0)
        self._focus_next()

    def _focus_next(self) -> None:
        if self._lessons:
            (self._next_lesson() or self._lessons[0]).setFocus(Qt.FocusReason.OtherFocusReason)

    def set_theme(self, theme: Theme) -> None:
        for lesson in self._lessons:
            lesson.set_theme(theme)
        for card in self._cards:
            card.set_theme(theme)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange(1 if event.size().width() < NARROW else 2)
        self._keep_heading_whole()

    @Slot()
    def _keep_heading_whole(self) -> None:
        """The lower edge of the page at its top cuts no letters of a heading."""
        page = self.widget()
        if page is not None:
            top = self.examples.mapTo(page, QPoint()).y()
            self.examples.keep_head_whole(self.viewport().height() - top)

    def _lay_out(self, column: QVBoxLayout) -> None:
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addStretch(1)
        column.addWidget(named(PlainLabel(TITLE, wordWrap=True), role="display"))
        column.addWidget(named(PlainLabel(PROMISE, wordWrap=True), role="lead"))
        column.addSpacing(8)
        for grid in (self._lesson_grid, self._card_grid):
            grid.setSpacing(10)
            column.addLayout(grid)
            column.addSpacing(6)
        column.addLayout(self._recent)
        column.addWidget(self.examples)
        column.addStretch(2)

    def _arrange(self, columns: int, *, again: bool = False) -> None:
        """Lessons in so many columns; the cards that are shown in a row, or one below the other."""
        if columns == self._columns and not again:
            return
        self._columns = columns
        cards = tuple(card for card in self._cards if not card.isHidden())
        for card in self._cards:
            self._card_grid.removeWidget(card)
        for grid, widgets, across in (
            (self._lesson_grid, self._lessons, columns),
            (self._card_grid, cards, len(cards) if columns > 1 else 1),
        ):
            for place, widget in enumerate(widgets):
                grid.removeWidget(widget)
                grid.addWidget(widget, place // across, place % across)
            for column in range(len(self._cards)):
                grid.setColumnStretch(column, int(column < across))

    def _card_button(self, card: CardWords, theme: Theme) -> CardButton:
        button = CardButton(card, theme)
        button.setObjectName(f"{card.kind}Card")
        button.clicked.connect(self._on_card_clicked)
        return button

    def _recent_button(self, row: RecentFile, number: int) -> QPushButton:
        gone = "" if row.exists else "   (no longer there)"
        words, says = action_text(row.name) + gone, f"Open {row.name} in {row.folder}{gone}"
        button = named(QPushButton(words), f"firstRecent{number}", row.path, says, "quiet")
        button.setEnabled(row.exists)
        button.clicked.connect(lambda _checked=False, path=row.path: self.recent_asked.emit(path))
        return button

    @Slot()
    def _on_card_clicked(self) -> None:
        button = self.sender()
        if not isinstance(button, CardButton):
            return
        match button.card.kind:
            case CardKind.SESSION:
                self.session_asked.emit()
            case CardKind.OPEN:
                self.open_asked.emit()
            case CardKind.KERNEL:
                self.kernel_asked.emit()
            case CardKind.EXPERIMENT:
                self.experiment_asked.emit()
