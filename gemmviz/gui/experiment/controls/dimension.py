"""A size that is typed: what is no size stays to be seen, and is refused in words once it is complete."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QValidator
from PySide6.QtWidgets import QWidget

from gemmviz.domain.figures import count
from gemmviz.gui.widgets.plain_fields import Whole

_LONGEST = 16
"""Letters that may be typed."""


class Dimension(Whole):
    """A `Whole` that takes any letters while they are typed; of none of them it makes another number in silence."""

    refused = Signal(str)
    """Why what is typed is no size; "" once there is nothing to say."""
    kept = Signal(str)
    """Why what was typed is no size, and which number came back in its place."""

    def __init__(
        self, name: str, spoken: str, tooltip: str, least: int, most: int, parent: QWidget | None = None
    ) -> None:
        super().__init__(name, spoken, tooltip, least, most, parent)
        self.lineEdit().textEdited.connect(self._on_edited)

    def validate(self, text: str, place: int) -> tuple[QValidator.State, str, int]:
        """Whether it is a size, may become one, or is too long to be typed."""
        if len(text) > _LONGEST:
            return QValidator.State.Invalid, text, place
        state = QValidator.State.Acceptable if self._is_size(text) else QValidator.State.Intermediate
        return state, text, place

    def fixup(self, text: str) -> str:
        """What was typed is no size: it is told, and what was there before comes back."""
        self.kept.emit(f"{self._fault(text)}. {count(self.value())} is kept.")
        return str(self.value())

    def _on_edited(self, text: str) -> None:
        fits = self._is_size(text) or not text.strip()
        self.refused.emit("" if fits else self._fault(text))

    def _is_size(self, text: str) -> bool:
        word = text.strip()
        return word.isascii() and word.isdigit() and self.minimum() <= int(word) <= self.maximum()

    def _fault(self, text: str) -> str:
        word = text.strip()
        if word.isascii() and word.isdigit() and int(word) > self.maximum():
            return f"{count(int(word))} is too large: at most {count(self.maximum())}"
        typed = f"“{word}” is not a size" if word else "A size is missing"
        return f"{typed}. Enter a whole number from {self.minimum()} to {count(self.maximum())}"
