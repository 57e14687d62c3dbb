"""The height of the dock below the charts: what its table needs, as far as the charts have room beside it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QDockWidget, QMainWindow, QWidget

from gemmviz.gui.charts.timing_chart import TimingChart
from gemmviz.gui.memory.page import MEMORY
from gemmviz.gui.pages.table import PAGES
from gemmviz.gui.tasks.deferred import deferred

BOTTOM_HEIGHT, LOW_HEIGHT = 232, 172
"""Pixels that the dock has where its table needs no more, and in a low window: two rows, and 300 pixels of a chart of
rows in a window of 800.
"""
_LOW_WINDOW, _SHARED_FROM = 900, 800
"""A window is low up to the first; of the height that a higher one has beyond the second, charts and table get half."""
_LOW_FOR_PLANES = 1000
"""Pixels of a window's height below which a plane wants the height of the table, too."""
WANT_HEIGHT = (MEMORY, *(page.title for page in PAGES if page.wants_height))
"""The tabs whose pictures want the height that the results have."""
_WHOLE_SHARE = 0.36
"""A table that is whole with this part of the window's height has it."""
_NEAR = 2
"""Pixels by which Qt may miss a height that was asked for."""


def wants_height(tab: str, page: QWidget | None, window_height: int) -> bool:
    """Whether the picture of a tab wants the height that the results have: of charts, a plane in a window that is not
    high.
    """
    is_plane = isinstance(page, TimingChart) and not page.shows_plot
    return tab in WANT_HEIGHT or (is_plane and window_height < _LOW_FOR_PLANES)


def table_height(needed: int, window_height: int) -> int:
    """Pixels of a dock whose table needs so many to show all of its rows, in a window so high."""
    if window_height < _LOW_WINDOW:
        return LOW_HEIGHT
    if needed <= _WHOLE_SHARE * window_height:
        return max(needed, BOTTOM_HEIGHT)
    most = BOTTOM_HEIGHT + (window_height - _SHARED_FROM) // 2
    return min(max(needed, BOTTOM_HEIGHT), most)


class DockHeight(QObject):
    """Keeps the dock as high as its table needs, unless a person gave it another height. `needed` tells the pixels of
    the table with all of its rows.
    """

    def __init__(self, window: QMainWindow, dock: QDockWidget, needed: Callable[[], int]) -> None:
        super().__init__(window)
        self._window, self._dock, self._needed = window, dock, needed
        self._given = {LOW_HEIGHT, BOTTOM_HEIGHT}
        self._is_ours: bool | None = None
        """Whether the height was asked for here when the window was last as high as `_window_height`; None before."""
        self._window_height = 0
        dock.installEventFilter(self)
        self._fit_later, self._note_later = deferred(window, self._fit), deferred(window, self._note)

    def fit(self) -> None:
        """Take the height that is needed now, once the window has had its turn."""
        self._fit_later.start()

    def reset(self) -> None:
        """Take the least height, whatever a person gave it."""
        self._is_ours = True
        self._ask(LOW_HEIGHT)

    def forget(self) -> None:
        """The docks were restored: whether a person gave this one its height is to be seen from it."""
        self._is_ours = None

    def release(self) -> None:
        """Take that height where no person gave another, so that what is kept is a person's choice or none."""
        if self._is_given:
            self._ask(LOW_HEIGHT)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Another height in the same window may be a person's choice; what Qt gives in a smaller window is none. A dock
        that comes back may have the height of another window.
        """
        if watched is self._dock and event.type() is QEvent.Type.Show:
            self.fit()
        is_resized = watched is self._dock and event.type() is QEvent.Type.Resize
        if is_resized and self._is_ours is not None and not self._has_other_height:
            self._is_ours = self._is_given
        return super().eventFilter(watched, event)

    @property
    def _is_given(self) -> bool:
        """Whether the height is one that was asked for here."""
        return any(abs(self._dock.height() - height) <= _NEAR for height in self._given)

    def _fit(self) -> None:
        dock = self._dock
        is_below = self._window.dockWidgetArea(dock) == Qt.DockWidgetArea.BottomDockWidgetArea
        if dock.isVisible() and not dock.isFloating() and is_below:
            self._is_ours = self._is_given or (self._is_ours is True and self._has_other_height)
            self._window_height = self._window.height()
            if self._is_ours:
                around = dock.height() - dock.widget().height()
                self._ask(table_height(self._needed() + around, self._window.height()))

    @property
    def _has_other_height(self) -> bool:
        """Whether the window has another height than when the dock was fitted last."""
        return self._window.height() != self._window_height

    def _ask(self, height: int) -> None:
        self._given.add(height)
        self._window.resizeDocks([self._dock], [height], Qt.Orientation.Vertical)
        self._note_later.start()

    def _note(self) -> None:
        """What Qt gave in place of what was asked for, where the centre has its least, is no person's choice either."""
        self._given.add(self._dock.height())
        self._is_ours = True
