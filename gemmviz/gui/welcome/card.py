"""A large button of the first page: an icon, a title and a sentence."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from gemmviz.gui.looks.icons import icon_pixmap
from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.widgets.plain_label import PlainLabel
from gemmviz.gui.widgets.plain_text import plain_text


class CardKind(StrEnum):
    """What a card leads to."""

    SESSION = "session"
    OPEN = "open"
    KERNEL = "kernel"
    EXPERIMENT = "experiment"


ICONS = {
    CardKind.SESSION: "undo",
    CardKind.OPEN: "open",
    CardKind.KERNEL: "kernel",
    CardKind.EXPERIMENT: "compare",
}


@dataclass(frozen=True, slots=True)
class CardWords:
    """The words of a card."""

    kind: CardKind
    title: str
    words: str


class CardButton(QPushButton):
    """The card as a button; as high as its words need at its width."""

    def __init__(self, card: CardWords, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.card = card
        self.setProperty("role", "card")
        self.setAccessibleName(card.title)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.setAutoDefault(True)
        self._icon = PlainLabel()
        self._icon.setFixedSize(QSize(24, 24))
        title = PlainLabel(card.title)
        title.setProperty("role", "strong")
        self._words = PlainLabel(wordWrap=True)
        self._words.setProperty("role", "muted")
        column = QVBoxLayout()
        column.setSpacing(2)
        column.addWidget(title)
        column.addWidget(self._words)
        column.addStretch(1)  # the titles of cards side by side stand at one height
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 9, 16, 9)
        row.setSpacing(16)
        row.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignVCenter)
        row.addLayout(column, 1)
        for label in (self._icon, title, self._words):
            label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.set_theme(theme)
        self.show_words(card.words)

    def show_words(self, words: str) -> None:
        """Say this below the title."""
        self._words.setText(words)
        self.setToolTip(plain_text(words))
        self.setAccessibleDescription(words)
        self.updateGeometry()

    def set_theme(self, theme: Theme) -> None:
        self._icon.setPixmap(icon_pixmap(ICONS[self.card.kind], theme.accent, 24, self.devicePixelRatioF()))

    def sizeHint(self) -> QSize:
        return QSize(280, self._height_at(max(self.width(), 240)))

    def minimumSizeHint(self) -> QSize:
        return QSize(200, self._height_at(max(self.width(), 240)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()

    def _height_at(self, width: int) -> int:
        layout = self.layout()
        return layout.heightForWidth(width) if layout is not None else 0
