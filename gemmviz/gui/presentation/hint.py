"""A line of keys that is shown for a while and fades, at the bottom of a screen."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from PySide6.QtCore import QEasingCurve, QPropertyAnimation, QRect, QTimer
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QGraphicsOpacityEffect, QWidget

from gemmviz.gui.looks.fonts import LARGE
from gemmviz.gui.memory_view.text.text_item import lines_that_fit
from gemmviz.gui.widgets.plain_label import PlainLabel

STRIP = 52 / 1080
"""The part of its height that one line of keys takes at the bottom of a screen of 1920 x 1080 pixels."""
SHOWN_MS, FADE_MS = 5000, 800
LEAVE = "F1  all keys", "Esc or F11  leave"
PAGE_KEY = "Alt+"
"""With a number behind it, it chooses a page."""
_APART = "   "
_BETWEEN = f" {_APART}"
_SMALL_SCREEN = 800
"""Pixels of height up to which a screen has the usual type; on a higher one it grows with all other type."""
_SIDE, _ABOVE, _LOW = 12, 5, 0
"""Pixels between the line and the sides of the screen, above and below it in its strip, and below it over a slide."""


def page_keys(actions: Iterable[QAction]) -> tuple[str, ...]:
    """What the keys that choose a page are called; nothing where there are none."""
    keys = (action.shortcut().toString().removeprefix(PAGE_KEY) for action in actions)
    numbers = [int(key) for key in keys if key.isdigit()]
    return (f"{PAGE_KEY}1 … {max(numbers)}  page",) if numbers else ()


class FadingHint(PlainLabel):
    """Names keys until it has faded; `show_hint` brings it back. It has a strip of its own, or is one line that covers
    what stands at the very bottom.
    """

    def __init__(self, keys: Sequence[str], parent: QWidget, *, fades: bool = True) -> None:
        super().__init__(parent=parent)
        self._keys, self._lines = tuple(keys), ""
        self.setObjectName("presentationHint")
        self.setProperty("role", "hint")
        self._effect = QGraphicsOpacityEffect(self)
        self.setGraphicsEffect(self._effect)
        self._fade = QPropertyAnimation(self._effect, b"opacity", self)
        self._fade.setDuration(FADE_MS if fades else 0)
        self._fade.setStartValue(1.0)
        self._fade.setEndValue(0.0)
        self._fade.setEasingCurve(QEasingCurve.Type.InOutQuad)
        self._fade.finished.connect(self.hide)
        self._wait = QTimer(self, singleShot=True, interval=SHOWN_MS)
        self._wait.timeout.connect(self._fade.start)

    def set_keys(self, keys: Sequence[str]) -> None:
        """Name these keys once the line is placed again."""
        self._keys = tuple(keys)

    def show_hint(self) -> None:
        """Show the line, and fade it after SHOWN_MS."""
        self._write(self._lines)
        self._fade.stop()
        self._effect.setOpacity(1.0)
        self.show()
        self.raise_()
        self._wait.start()

    def say(self, words: str) -> None:
        """Show these words in place of the keys until the keys are shown again."""
        self.show_hint()
        self._write(words)

    def _write(self, words: str) -> None:
        """Show a text that ends where the line ended before."""
        if words != self.text():
            corner = self.geometry().bottomRight()
            self.setText(words)
            self.adjustSize()
            self.move(corner.x() + 1 - self.width(), corner.y() + 1 - self.height())

    def place(self, screen: QRect) -> QRect:
        """Stand at the bottom of a screen, in as many lines as the keys need; what is left of it above."""
        self._fit_type(screen)
        first, *others = self._keys
        lines = lines_that_fit(
            (first, *(_APART + each for each in others)), self.fontMetrics().horizontalAdvance, self._room(screen)
        )
        self._stand("\n".join(map(str.strip, lines)), screen, _ABOVE)
        strip = self.height() + 2 * _ABOVE
        return screen.adjusted(0, 0, 0, -min(strip, screen.height() - 1))

    def place_over(self, screen: QRect) -> None:
        """Stand over the bottom of a screen, from side to side, in one line: the keys it has room for, and LEAVE."""
        self._fit_type(screen)
        room, measure = self._room(screen), self.fontMetrics().horizontalAdvance
        others = list(self._keys[: -len(LEAVE)])
        while others and measure(_BETWEEN.join((*others, *LEAVE))) > room:
            others.pop()
        self.setMinimumWidth(screen.width() - 2 * _SIDE)
        self._stand(_BETWEEN.join((*others, *LEAVE)), screen, _LOW)

    def _fit_type(self, screen: QRect) -> None:
        """Have type as large as the screen is high."""
        points = LARGE * max(screen.height() / _SMALL_SCREEN, 1.0)
        self.setStyleSheet(f"font-size: {points:.1f}pt;")

    def _room(self, screen: QRect) -> float:
        """The width of a line of keys on a screen."""
        self.ensurePolished()
        self.setMinimumWidth(0)
        self.setText(" ")
        frame = self.sizeHint().width() - self.fontMetrics().horizontalAdvance(" ")
        return screen.width() - frame - 2 * _SIDE

    def _stand(self, lines: str, screen: QRect, above: int) -> None:
        """Show lines at the right, so many pixels above the bottom of a screen."""
        self._lines = lines
        self.setText(lines)
        self.adjustSize()
        self.move(screen.right() + 1 - _SIDE - self.width(), screen.bottom() + 1 - above - self.height())
