"""A line of keys that is shown for a while and fades."""

from __future__ import annotations

from PySide6.QtCore import QEasingCurve, QPropertyAnimation, QTimer
from PySide6.QtWidgets import QGraphicsOpacityEffect, QWidget

from gemmviz.gui.plain_label import PlainLabel

SHOWN_MS, FADE_MS = 5000, 800


class FadingHint(PlainLabel):
    """Stands over what is behind it until it has faded; `show_hint` brings it back."""

    def __init__(self, text: str, parent: QWidget, *, fades: bool = True) -> None:
        super().__init__(text, parent)
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

    def show_hint(self) -> None:
        """Show the line, and fade it after SHOWN_MS."""
        self._fade.stop()
        self._effect.setOpacity(1.0)
        self.adjustSize()
        self.show()
        self.raise_()
        self._wait.start()
