"""Labels: one that shows text as it is, and one for markup of our own. No other module makes a QLabel."""

from __future__ import annotations

import re
from typing import Any

from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import QLabel, QWidget

from gemmviz.catalogue.term_words import explained
from gemmviz.domain.unbroken_text import with_plain_spaces, without_lone_word
from gemmviz.domain.visible_text import visible_lines
from gemmviz.gui.widgets.plain_text import plain_text

_LONG = re.compile(r"\S{41,}")
_PIECE = 16
_BREAK = "\u200b"
"""A space without width: there a word may go on in the next line."""
_UNBOUNDED = 16_777_215
"""The largest height of a widget."""


class WrappedHeights:
    """How high texts are in lines of a width, in the font of a widget. Kept, since a layout asks for the same text at
    the same width dozens of times.
    """

    def __init__(self) -> None:
        self._kept: dict[tuple[str, int], int] = {}

    def of(self, text: str, width: int, widget: QWidget) -> int:
        """The height in pixels."""
        if (text, width) not in self._kept:
            lines = QRect(0, 0, max(width, 1), _UNBOUNDED)
            bounds = widget.fontMetrics().boundingRect(lines, int(Qt.TextFlag.TextWordWrap), without_lone_word(text))
            self._kept[text, width] = bounds.height()
        return self._kept[text, width]

    def forget(self) -> None:
        """The font, or what is written, is another one."""
        self._kept.clear()


class PlainLabel(QLabel):
    """Shows text as it is: tags are text, hidden characters are written out, long words are broken where lines are,
    an index or a number and its unit never. A short last word has no line for itself.

    Takes QLabel's properties by name. An `&` marks a key only in a text that was set before `setBuddy`.
    """

    def __init__(self, text: str = "", parent: QWidget | None = None, **properties: Any) -> None:
        super().__init__(parent, textFormat=Qt.TextFormat.PlainText, **properties)
        if text:
            self.setText(text)

    def setText(self, text: str) -> None:
        text = visible_lines(text)
        if self.buddy() is not None:
            text = text.replace("&", "&&")
        super().setText(_LONG.sub(_broken, without_lone_word(text)) if self.wordWrap() else text)

    def text(self) -> str:
        return with_plain_spaces(super().text().replace(_BREAK, ""))

    @property
    def drawn_text(self) -> str:
        """The text as it is broken into lines: with the spaces at which no line ends."""
        return super().text()

    def text_height(self, width: int) -> int:
        """The height of the text in lines of so many pixels; `heightForWidth` is never below the minimum height."""
        words, lines = self.drawn_text, QRect(0, 0, width, _UNBOUNDED)
        return self.fontMetrics().boundingRect(lines, int(Qt.TextFlag.TextWordWrap), words).height() if words else 0

    def explain_terms(self) -> None:
        """Have the tooltip say what the terms of the text mean."""
        self.setToolTip(plain_text(explained(self.text())))

    def set_colour(self, colour: str) -> None:
        """Write in a colour, "#rrggbb", on no ground. The tooltip keeps the theme's colours."""
        # With a selector: without one it holds for the tooltip as well, a QLabel, whose ground would be missing.
        self.setStyleSheet(f"PlainLabel {{ background: transparent; color: {colour}; }}")


def _broken(word: re.Match[str]) -> str:
    text = word[0]
    return _BREAK.join(text[at : at + _PIECE] for at in range(0, len(text), _PIECE))


class RichLabel(QLabel):
    """Shows HTML that the program made; whatever comes from a file is escaped in it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, textFormat=Qt.TextFormat.RichText)
