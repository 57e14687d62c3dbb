"""The window on the whole screen: in a lesson without its menus, tool bars and status bar."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QMainWindow, QToolBar, QWidget

MOST_STILL = 600
"""Milliseconds that a window is not painted at most while it waits for its new size."""


class FullScreen(QObject):
    """Takes the screen until it is given back: after a lesson, too, where the window has its own parts again. Esc gives
    the screen back where nothing else takes that key. The window is painted once it is laid out in its new size: none
    of its parts is seen at a size between.
    """

    changed = Signal()
    """The window has taken the screen, or is a window again: it may be told so after its parts have their new sizes."""

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._hidden: list[int] = []
        """Which of the window's own parts are away, by their places."""
        self._is_on = self._was_maximized = False
        self._paint_again = QTimer(self, singleShot=True)
        self._paint_again.timeout.connect(lambda: self._paint())
        window.installEventFilter(self)

    @property
    def is_on(self) -> bool:
        """Whether the window takes the whole screen."""
        return self._is_on

    def enter(self) -> None:
        """Take the whole screen."""
        if self._is_on:
            return
        self._is_on, self._was_maximized = True, self._window.isMaximized()
        self._wait_for_size()
        self._window.showFullScreen()

    def hide_bars(self) -> None:
        """Take the window's own parts away for a lesson that is shown on the whole screen."""
        if not self._is_on or self._hidden:
            return
        bars = self._bars()
        self._hidden = [place for place, bar in enumerate(bars) if bar.isVisible()]
        for place in self._hidden:
            bars[place].hide()

    def show_bars(self) -> None:
        """Bring the window's own parts back; it goes on taking the screen."""
        away, self._hidden = self._hidden, []
        bars = self._bars() if away else []
        for place in away:
            bars[place].show()

    def _bars(self) -> list[QWidget]:
        """The window's own parts. They are asked for anew each time, since the window may have got others meanwhile."""
        window = self._window
        return [window.menuBar(), window.statusBar(), *window.findChildren(QToolBar)]

    def leave(self) -> None:
        """Be a window again."""
        if not self._is_on:
            return
        self._is_on = False
        self._wait_for_size()
        self.show_bars()
        if self._was_maximized:
            self._window.showMaximized()
        else:
            self._window.showNormal()

    def _wait_for_size(self) -> None:
        """Paint nothing before the window has its new size, which the window system gives it some time later."""
        self._window.setUpdatesEnabled(False)
        self._paint_again.start(MOST_STILL)

    def _paint(self) -> None:
        """Lay out what is still to be laid out, and paint again."""
        QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)
        self._window.setUpdatesEnabled(True)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Esc, which no part of the window has taken, leaves the screen."""
        if event.type() is QEvent.Type.WindowStateChange:
            self.changed.emit()
        elif event.type() is QEvent.Type.Resize and self._paint_again.isActive():
            self._paint_again.start(0)  # its parts get their sizes first
        is_key = event.type() is QEvent.Type.KeyPress and isinstance(event, QKeyEvent)
        if self._is_on and is_key and isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape:
            self.leave()
            return True
        return super().eventFilter(watched, event)
