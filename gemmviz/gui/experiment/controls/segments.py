"""A row of buttons of which one is chosen."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QFont, QFontMetrics, QKeyEvent
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QPushButton, QSizePolicy, QWidget

from gemmviz.gui.widgets.plain_text import plain_text

HEIGHT = 28
_GAP, _PADDING = 4, 10


class Segments(QWidget):
    """`chosen` carries the position of a button that a person chose. A refused choice has a dashed outline and says
    why in its tooltip, but can be chosen.
    """

    chosen = Signal(int)

    def __init__(
        self, texts: Sequence[str], spoken: str, font: QFont, height: int = HEIGHT, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._group = QButtonGroup(self)
        self._index = -1
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(_GAP)
        self._buttons = [_button(text, spoken, font) for text in texts]
        for position, button in enumerate(self._buttons):
            button.setFixedHeight(height)
            self._group.addButton(button, position)
            row.addWidget(button, 1)
            button.stepped.connect(self._on_stepped)
        self._group.idToggled.connect(self._on_toggled)

    @staticmethod
    def width_for(texts: Sequence[str], font: QFont) -> int:
        """The pixels that a row with these texts takes at least."""
        widest = max(QFontMetrics(font).horizontalAdvance(text) for text in texts)
        return len(texts) * (widest + _PADDING) + (len(texts) - 1) * _GAP

    @property
    def index(self) -> int:
        return self._index

    @property
    def buttons(self) -> tuple[QPushButton, ...]:
        return tuple(self._buttons)

    def show_index(self, index: int) -> None:
        """Choose a button; nothing is emitted."""
        self._index = index
        if 0 <= index < len(self._buttons):
            self._buttons[index].setChecked(True)

    def set_words(self, tooltips: Sequence[str], refused: Sequence[bool]) -> None:
        """A tooltip for every button, and which are refused."""
        for button, tooltip, is_refused in zip(self._buttons, tooltips, refused, strict=True):
            button.setToolTip(plain_text(tooltip))
            button.setAccessibleDescription(tooltip)
            if button.property("refused") != is_refused:
                button.setProperty("refused", is_refused)
                button.style().unpolish(button)
                button.style().polish(button)

    @Slot(int)
    def _on_stepped(self, step: int) -> None:
        index = self._index + step
        if 0 <= index < len(self._buttons):
            self._buttons[index].setChecked(True)
            self._buttons[index].setFocus(Qt.FocusReason.TabFocusReason)

    @Slot(int, bool)
    def _on_toggled(self, index: int, is_checked: bool) -> None:
        # One stop for Tab, as in a group of radio buttons; Qt itself sees to that only once a button had the focus.
        policy = Qt.FocusPolicy.StrongFocus if is_checked else Qt.FocusPolicy.ClickFocus
        self._buttons[index].setFocusPolicy(policy)
        if is_checked and index != self._index:
            self._index = index
            self.chosen.emit(index)


class _Segment(QPushButton):
    """As narrow as its text allows, whatever the style thinks of buttons; the arrow keys choose a neighbour."""

    stepped = Signal(int)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
        if (step := steps.get(Qt.Key(event.key()))) is not None:
            self.stepped.emit(step)
        else:
            super().keyPressEvent(event)

    def sizeHint(self) -> QSize:
        return QSize(QFontMetrics(self.font()).horizontalAdvance(self.text()) + _PADDING, HEIGHT)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()


def _button(text: str, spoken: str, font: QFont) -> _Segment:
    button = _Segment(text)
    button.setCheckable(True)
    button.setFont(font)
    button.setProperty("role", "segment")
    button.setProperty("refused", False)
    button.setAccessibleName(f"{spoken} {text}")
    button.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
    button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
    return button
