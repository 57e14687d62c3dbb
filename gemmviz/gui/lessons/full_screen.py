"""A lesson on the whole screen: the window without its menus, tool bars and status bar."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QMainWindow, QToolBar, QWidget


class FullScreen(QObject):
    """Takes the window's own parts away and brings back those that were there."""

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._hidden: list[QWidget] = []
        self._is_on = self._was_maximized = False

    @property
    def is_on(self) -> bool:
        """Whether the window takes the whole screen."""
        return self._is_on

    def toggle(self) -> None:
        """Take the whole screen, or give it back."""
        if self._is_on:
            self.leave()
        else:
            self.enter()

    def enter(self) -> None:
        """Take the whole screen."""
        if self._is_on:
            return
        window = self._window
        bars: list[QWidget] = [window.menuBar(), window.statusBar(), *window.findChildren(QToolBar)]
        self._hidden = [bar for bar in bars if bar.isVisible()]
        self._is_on, self._was_maximized = True, window.isMaximized()
        for bar in self._hidden:
            bar.hide()
        window.showFullScreen()

    def leave(self) -> None:
        """Be a window again."""
        if not self._is_on:
            return
        self._is_on = False
        for bar in self._hidden:
            bar.show()
        self._hidden.clear()
        if self._was_maximized:
            self._window.showMaximized()
        else:
            self._window.showNormal()
