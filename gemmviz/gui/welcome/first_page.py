"""The page of the first start: one sentence, a picture, and the few ways to begin."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QGridLayout, QPushButton, QScrollArea, QVBoxLayout, QWidget

from gemmviz.catalogue.examples import Example
from gemmviz.gui.files.recent_files import RecentFile
from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.named import named
from gemmviz.gui.plain_label import PlainLabel
from gemmviz.gui.plain_text import action_text
from gemmviz.gui.welcome.card import Card, CardButton, CardKind
from gemmviz.gui.welcome.examples import ExamplesSection
from gemmviz.gui.welcome.paper_picture import PaperPicture

TITLE = "See what a matrix-multiplication kernel really does"
PROMISE = (
    "gemmviz runs a kernel for real, times it against others, checks every element of the result, "
    "and records each memory access it makes."
)
MOST_RECENT = 4
WIDEST = 1200
"""Pixels of the page at most: four examples beside each other, so that all fit into a large window."""
NARROW = 660
"""Below this width, in pixels, the words need the room of the picture."""


class FirstPage(QScrollArea):
    """Says what asks for attention; what a lesson is, only the card's payload knows."""

    lesson_asked = Signal(str)
    """The payload of the lesson's card."""
    open_asked = Signal()
    kernel_asked = Signal()
    recent_asked = Signal(str)
    """The path of a file opened lately."""

    def __init__(
        self, cards: Sequence[Card], theme: Theme, examples: Sequence[Example] = (), parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("firstPage")
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._cards = tuple(self._card_button(card, theme) for card in cards)
        self._picture = PaperPicture(theme)
        self.examples = ExamplesSection(examples)
        self._recent = QVBoxLayout()
        self._recent.setSpacing(0)
        page = QWidget()
        self.setWidget(page)
        around = QGridLayout(page)
        around.setContentsMargins(32, 24, 32, 24)
        inner = QWidget()
        inner.setMaximumSize(QSize(WIDEST, 16777215))
        around.addWidget(inner, 1, 1)
        around.setRowStretch(0, 2)
        around.setRowStretch(2, 3)
        around.setColumnStretch(1, 100)
        around.setColumnStretch(0, 1)
        around.setColumnStretch(2, 1)
        grid = QGridLayout(inner)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(40)
        grid.setColumnStretch(0, 4)
        grid.setColumnStretch(1, 3)
        grid.addLayout(self._words(), 0, 0)
        grid.addWidget(self._picture, 0, 1)
        grid.addWidget(self.examples, 1, 0, 1, 2)

    def show_recent(self, rows: Sequence[RecentFile]) -> None:
        """List the files opened lately; nothing at all if there is none."""
        while (item := self._recent.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        for number, row in enumerate(rows[:MOST_RECENT], start=1):
            if number == 1:
                head = named(PlainLabel("Recent files"), role="head")
                head.setContentsMargins(0, 0, 0, 4)
                self._recent.addWidget(head)
            self._recent.addWidget(self._recent_button(row, number), 0, Qt.AlignmentFlag.AlignLeft)

    def set_theme(self, theme: Theme) -> None:
        self._picture.set_theme(theme)
        for card in self._cards:
            card.set_theme(theme)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._picture.setVisible(event.size().width() >= NARROW)

    def _words(self) -> QVBoxLayout:
        title = named(PlainLabel(TITLE, wordWrap=True), role="display")
        promise = named(PlainLabel(PROMISE, wordWrap=True), role="muted")
        column = QVBoxLayout()
        column.setSpacing(8)
        column.addStretch(1)
        column.addWidget(title)
        column.addWidget(promise)
        column.addSpacing(12)
        for button in self._cards:
            column.addWidget(button)
        column.addSpacing(12)
        column.addLayout(self._recent)
        column.addStretch(1)
        return column

    def _card_button(self, card: Card, theme: Theme) -> CardButton:
        button = CardButton(card, theme)
        button.setObjectName(f"{card.kind}Card_{card.payload}" if card.payload else f"{card.kind}Card")
        button.clicked.connect(self._on_card_clicked)
        return button

    def _recent_button(self, row: RecentFile, number: int) -> QPushButton:
        gone = "" if row.exists else "   (not there any more)"
        words, says = action_text(row.name) + gone, f"Open {row.name} in {row.folder}{gone}"
        button = named(QPushButton(words), f"firstRecent{number}", row.path, says, "quiet")
        button.setProperty("flush", True)
        button.setEnabled(row.exists)
        button.clicked.connect(lambda _checked=False, path=row.path: self.recent_asked.emit(path))
        return button

    @Slot()
    def _on_card_clicked(self) -> None:
        button = self.sender()
        if not isinstance(button, CardButton):
            return
        match button.card.kind:
            case CardKind.LESSON:
                self.lesson_asked.emit(button.card.payload)
            case CardKind.OPEN:
                self.open_asked.emit()
            case CardKind.KERNEL:
                self.kernel_asked.emit()
