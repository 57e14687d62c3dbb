"""The size of the window when it is first shown: most of its screen, on a small one with its frame, so that nothing is
cut.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QRect, QSize
from PySide6.QtWidgets import QMainWindow

LEAST, MOST = QSize(1280, 800), QSize(1920, 1200)
"""The first size on a small screen, and on a very large one."""
PART = 0.9
"""Of the width and the height of a screen that is between them."""


class FirstSize(QObject):
    """Gives a window its first size, and makes it lower once its frame is known, where both are higher than the screen.
    A size that a person chose stays.
    """

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._first = first_size(window.screen().availableSize())
        window.resize(self._first)
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """An active window has its frame."""
        if event.type() is QEvent.Type.WindowActivate and watched is self._window:
            self._window.removeEventFilter(self)
            if self._window.size() == self._first and not self._window.isMaximized():
                available = self._window.screen().availableGeometry()
                self._window.setGeometry(fitted(self._window.geometry(), self._window.frameGeometry(), available))
        return super().eventFilter(watched, event)


def first_size(available: QSize) -> QSize:
    """The first size of a window where a screen has so much room."""
    return (available * PART).boundedTo(MOST).expandedTo(LEAST)


def fitted(inner: QRect, frame: QRect, available: QRect) -> QRect:
    """Where a window goes whose frame is cut at the bottom of a screen: up, then lower, as far as it must."""
    over = frame.bottom() - available.bottom()
    if over <= 0:
        return inner
    up = min(over, max(frame.top() - available.top(), 0))
    return QRect(inner.x(), inner.y() - up, inner.width(), inner.height() - (over - up))
