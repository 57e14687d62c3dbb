"""The tabs of the window's pages, which stand closer where there is little room."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QEvent
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QApplication, QTabBar, QTabWidget, QWidget

IS_TIGHT = "isTight"
"""The property of a bar whose tabs stand closer; the style sheet gives these narrower margins."""


class PageTabs(QTabWidget):
    """Pages, each by its title. Tabs that do not fit side by side stand closer, so that the last one is not cut."""

    def __init__(self, pages: Iterable[tuple[str, QWidget]]) -> None:
        super().__init__()
        self.setTabBar(_TabBar())
        self.setDocumentMode(True)
        self.setAccessibleName("Views")
        self.tabBar().setAccessibleName("Views")
        for title, widget in pages:
            self.addTab(widget, title)


class _TabBar(QTabBar):
    """Tabs with the usual margins wherever these have room."""

    def __init__(self) -> None:
        super().__init__()
        self._usual_width = 0
        self._is_restyled = False

    def tabInserted(self, index: int) -> None:  # Qt's name
        super().tabInserted(index)
        self._measure()

    def tabRemoved(self, index: int) -> None:  # Qt's name
        super().tabRemoved(index)
        self._measure()

    def resizeEvent(self, event: QResizeEvent) -> None:  # Qt's name
        super().resizeEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:  # Qt's name
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange) and not self._is_restyled:
            self._measure()

    def _measure(self) -> None:
        """Find out how wide all tabs are with the usual margins."""
        self._set_tight(False)
        self._usual_width = sum(self.tabSizeHint(index).width() for index in range(self.count()))
        self._fit()

    def _fit(self) -> None:
        self._set_tight(self._usual_width > self.width())

    def _set_tight(self, is_tight: bool) -> None:
        if bool(self.property(IS_TIGHT)) == is_tight:
            return
        self.setProperty(IS_TIGHT, is_tight)
        self.style().polish(self)
        self._is_restyled = True
        QApplication.sendEvent(self, QEvent(QEvent.Type.StyleChange))  # Qt lays tabs out anew for nothing less
        self._is_restyled = False
