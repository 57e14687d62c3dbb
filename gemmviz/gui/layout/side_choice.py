"""Whether docks at a side show: in a narrow window they make room for two pictures, or for the editor."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtWidgets import QDockWidget, QMainWindow

from gemmviz.gui.layout.dock_strips import DockStrips

ROOMY = 1500
"""Pixels of a window's width from which two pictures, each with its sums, and the docks have room beside each other."""


class SideChoice(QObject):
    """Takes docks away while their room is wanted, and brings back those it took.

    Who opens one of them meanwhile by the menu wants it there: from then on all of them stay.
    """

    def __init__(
        self,
        window: QMainWindow,
        docks: Sequence[QDockWidget],
        strips: DockStrips,
        area: Qt.DockWidgetArea = Qt.DockWidgetArea.RightDockWidgetArea,
    ) -> None:
        super().__init__(window)
        self._area, self._strips = area, strips
        self._window, self._docks = window, tuple(docks)
        self._taken: list[QDockWidget] = []
        self._front: QDockWidget | None = None
        self._are_wanted = False
        for dock in docks:
            dock.toggleViewAction().triggered.connect(self._on_chosen)

    @property
    def has_taken(self) -> bool:
        """Whether docks are away now."""
        return bool(self._taken)

    def go(self, wants_room: bool) -> None:
        """Whether their room is wanted now: the docks go, or come back as they were. The centre is seen to change its
        width once: nothing is painted while the strip of folded docks is not what it will be.
        """
        before, is_painted = self._taken, self._window.updatesEnabled()
        self._window.setUpdatesEnabled(False)
        if not wants_room or self._are_wanted or self._window.width() >= ROOMY:
            self._bring_back()
        elif not self._taken:
            self._taken = [dock for dock in self._docks if self._takes_width(dock)]
            self._front = next((dock for dock in self._taken if not dock.visibleRegion().isEmpty()), None)
            for dock in self._taken:
                dock.hide()
            self._strips.tell_folded(self._taken, made_room=True)
        layout = self._window.layout()
        if self._taken != before and layout is not None:
            self._strips.refresh()
            layout.activate()
        self._window.setUpdatesEnabled(is_painted)

    def forget(self) -> None:
        """As if nobody had wanted or taken any."""
        self._taken, self._front, self._are_wanted = [], None, False

    def _bring_back(self) -> None:
        taken, self._taken = self._taken, []
        for dock in taken:
            dock.show()
        self._strips.tell_folded(taken, made_room=False)
        if taken and self._front is not None:
            self._front.raise_()

    def _takes_width(self, dock: QDockWidget) -> bool:
        beside = self._window.dockWidgetArea(dock) is self._area
        return beside and not dock.isHidden() and not dock.isFloating()

    @Slot(bool)
    def _on_chosen(self, shown: bool) -> None:
        if shown and self._taken:
            self._are_wanted = True
            self._bring_back()
            sender = self.sender()
            for dock in self._docks:
                if dock.toggleViewAction() is sender:
                    dock.raise_()
