"""Whether a dock shows: empty, or in a low window, it gives way to the picture of memory, unless a person wants it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Qt, Slot
from PySide6.QtWidgets import QDockWidget, QMainWindow

ROOMY = 1200
"""Pixels of a window's height from which the dock and the picture have room beside each other."""
_ROWS = (Qt.DockWidgetArea.TopDockWidgetArea, Qt.DockWidgetArea.BottomDockWidgetArea)
_WORDS = {None: "auto", True: "shown", False: "hidden"}


class DockChoice(QObject):
    """Keeps two choices of a person for one dock: beside the picture, and beside everything else.

    What a person does by the menu or by the dock's own button is a choice for the place one is at; without one the
    dock shows everywhere, but beside the picture only with something in it and in a high window, or where it takes no
    height from it.
    """

    def __init__(self, window: QMainWindow, dock: QDockWidget, is_empty: Callable[[], bool] = lambda: False) -> None:
        super().__init__(window)
        self._is_empty = is_empty
        self._window, self._dock = window, dock
        self._beside_picture: bool | None = None
        self._elsewhere = True
        self._is_at_picture = False
        dock.toggleViewAction().triggered.connect(self._on_chosen)
        dock.installEventFilter(self)

    @property
    def beside_picture(self) -> bool | None:
        """What a person chose for the place beside the picture; None where that was left to the window's height."""
        return self._beside_picture

    @property
    def has_made_room(self) -> bool:
        """Whether the dock is hidden for the picture's sake, and not because a person wants that."""
        return self._is_at_picture and self._beside_picture is None and self._elsewhere and self._dock.isHidden()

    def go(self, to_picture: bool) -> None:
        """Be at the picture, or elsewhere: the dock shows, or not, as is wanted there."""
        self._is_at_picture = to_picture
        self._dock.setVisible(self._is_wanted())

    def forget(self) -> None:
        """As if nobody had chosen anything."""
        self._beside_picture, self._elsewhere = None, True
        self._dock.setVisible(self._is_wanted())

    def text(self) -> str:
        """The choice beside the picture, to be kept; the other one is part of the window's state."""
        return _WORDS[self._beside_picture]

    def read(self, text: str) -> None:
        """What `text` gave, once the window's state is restored; what is not understood is left to the height."""
        self._beside_picture = next((choice for choice, word in _WORDS.items() if word == text), None)
        self._elsewhere = not self._dock.isHidden()
        self._dock.setVisible(self._is_wanted())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._dock and event.type() is QEvent.Type.Close:
            self._on_chosen(False)  # its own button; nothing else closes it
        return super().eventFilter(watched, event)

    @Slot(bool)
    def _on_chosen(self, shown: bool) -> None:
        if self._is_at_picture:
            self._beside_picture = shown
        else:
            self._elsewhere = shown

    def _is_wanted(self) -> bool:
        if not self._is_at_picture:
            return self._elsewhere
        if self._beside_picture is not None:
            return self._beside_picture
        takes_height = not self._dock.isFloating() and self._window.dockWidgetArea(self._dock) in _ROWS
        return self._elsewhere and not (takes_height and (self._window.height() < ROOMY or self._is_empty()))
