"""The size of the window when it is first shown: on a small screen with its frame, so that nothing is cut."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QRect, QSize
from PySide6.QtWidgets import QMainWindow

FIRST_SIZE = QSize(1280, 800)


class FirstSize(QObject):
    """Gives a window its first size, and makes it lower once its frame is known, where both are higher than the screen.
    A size that a person chose stays.
    """

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window)
        self._window = window
        window.resize(FIRST_SIZE)
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """An active window has its frame."""
        if event.type() is QEvent.Type.WindowActivate and watched is self._window:
            self._window.removeEventFilter(self)
            if self._window.size() == FIRST_SIZE and not self._window.isMaximized():
                available = self._window.screen().availableGeometry()
                self._window.setGeometry(fitted(self._window.geometry(), self._window.frameGeometry(), available))
        return super().eventFilter(watched, event)


def fitted(inner: QRect, frame: QRect, available: QRect) -> QRect:
    """Where a window goes whose frame is cut at the bottom of a screen: up, then lower, as far as it must."""
    over = frame.bottom() - available.bottom()
    if over <= 0:
        return inner
    up = min(over, max(frame.top() - available.top(), 0))
    return QRect(inner.x(), inner.y() - up, inner.width(), inner.height() - (over - up))
