"""The window on the whole screen: in a lesson without its menus, tool bars and status bar."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QMainWindow, QToolBar, QWidget


class FullScreen(QObject):
    """Takes the screen until it is given back: after a lesson, too, where the window has its own parts again. Esc gives
    the screen back where nothing else takes that key.
    """

    changed = Signal()
    """The window has taken the screen, or is a window again: it may be told so after its parts have their new sizes."""

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._hidden: list[int] = []
        """Which of the window's own parts are away, by their places."""
        self._is_on = self._was_maximized = False
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
        self.show_bars()
        if self._was_maximized:
            self._window.showMaximized()
        else:
            self._window.showNormal()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Esc, which no part of the window has taken, leaves the screen."""
        if event.type() is QEvent.Type.WindowStateChange:
            self.changed.emit()
        is_key = event.type() is QEvent.Type.KeyPress and isinstance(event, QKeyEvent)
        if self._is_on and is_key and isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape:
            self.leave()
            return True
        return super().eventFilter(watched, event)
