"""The example sessions on the first page: a small card for each, in as many columns as there is room for."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QMoveEvent, QResizeEvent
from PySide6.QtWidgets import QGridLayout, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from gemmviz.catalogue.examples import Example
from gemmviz.gui.widgets.named import named
from gemmviz.gui.widgets.plain_label import PlainLabel

HEAD = "Examples: ready-made results"
WIDE_ENOUGH = 290
"""Pixels of a card; below that there is one column less."""
MOST_COLUMNS = 4
ABOVE_HEAD, BELOW_HEAD = 12, 8
"""Pixels above the heading, and between it and the cards."""


def measured_words(example: Example) -> str:
    """Where and when its figures come from: "NVIDIA H200 · 2026-11-22"."""
    return f"{example.device} · {example.date[:10]}"


class ExampleButton(QPushButton):
    """An example as a button: title, what it shows, and where it was measured; as high as its words need."""

    def __init__(self, example: Example, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.example = example
        named(self, f"example_{example.id}", f"{example.text}\n{example.look}.", example.title, "card")
        self.setAccessibleDescription(f"{example.text} {measured_words(example)}")
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.setAutoDefault(True)
        column = self._column = QVBoxLayout(self)
        column.setContentsMargins(12, 8, 12, 8)
        column.setSpacing(2)
        labels = []
        for words, role in (
            (example.title, "strong"),
            (example.text, "muted"),
            (measured_words(example), "evidence"),
        ):
            label = named(PlainLabel(words, wordWrap=True), role=role)
            label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
            column.addWidget(label)
            labels.append(label)
        self._lines = labels[0], labels[1]
        column.insertStretch(2, 1)

    def sizeHint(self) -> QSize:
        return QSize(WIDE_ENOUGH, self.height_at(max(self.width(), WIDE_ENOUGH // 2)))

    def minimumSizeHint(self) -> QSize:
        return QSize(WIDE_ENOUGH // 2, self.height_at(max(self.width(), WIDE_ENOUGH // 2)))

    def height_at(self, width: int) -> int:
        """What its words need at a width."""
        layout = self.layout()
        return layout.heightForWidth(width) if layout is not None else 0

    @property
    def height_of_first_lines(self) -> int:
        """Down to the end of the first line of what it shows, in pixels; of a title that has one line."""
        title, text = self._lines
        margins = self._column.contentsMargins()
        lines = title.fontMetrics().height() + text.fontMetrics().height()
        return margins.top() + lines + self._column.spacing()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()


class ExamplesSection(QWidget):
    """The cards under their heading; nothing at all where there is no example."""

    asked = Signal(object)
    """The Example that was chosen."""
    moved = Signal()
    """It stands elsewhere on its page."""

    def __init__(self, examples: Sequence[Example], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("examplesSection")
        self._columns = 0
        self._grid = QGridLayout()
        self._grid.setSpacing(8)
        self._buttons = [ExampleButton(example, self) for example in examples]
        for button in self._buttons:
            button.clicked.connect(lambda _checked=False, one=button.example: self.asked.emit(one))
        self._head = named(PlainLabel(HEAD), role="head")
        around = self._around = QVBoxLayout(self)
        around.setContentsMargins(0, ABOVE_HEAD, 0, 0)
        around.setSpacing(BELOW_HEAD)
        around.addWidget(self._head)
        around.addLayout(self._grid)
        if not examples:
            self.hide()
        self._arrange(MOST_COLUMNS)

    @property
    def buttons(self) -> tuple[ExampleButton, ...]:
        """The cards in their order."""
        return tuple(self._buttons)

    def keep_head_whole(self, room: int) -> None:
        """Let a heading begin below the first `room` pixels from its top, where these would cut it or leave less of the
        cards than their titles and a line, by which it is seen that they go on.
        """
        seen = max((button.height_of_first_lines for button in self._buttons), default=0)
        needed = ABOVE_HEAD + self._head.sizeHint().height() + BELOW_HEAD + seen
        above = max(room, ABOVE_HEAD) if 0 < room < needed else ABOVE_HEAD
        if above != self._around.contentsMargins().top():
            self._around.setContentsMargins(0, above, 0, 0)

    def moveEvent(self, event: QMoveEvent) -> None:
        super().moveEvent(event)
        self.moved.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange(max(1, min(MOST_COLUMNS, event.size().width() // WIDE_ENOUGH)))

    def _arrange(self, columns: int) -> None:
        """The cards in reading order; columns that are not used any more take no room."""
        if columns == self._columns:
            return
        for button in self._buttons:
            self._grid.removeWidget(button)
        for number, button in enumerate(self._buttons):
            self._grid.addWidget(button, number // columns, number % columns)
        for column in range(MOST_COLUMNS):
            self._grid.setColumnStretch(column, int(column < columns))
        self._columns = columns
