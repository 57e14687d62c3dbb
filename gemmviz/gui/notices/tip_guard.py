"""Messages before tips: the status bar shows no tip of what the pointer is over while it has a message to show."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QMainWindow

from gemmviz.gui.notices.bar import NoticeBar


class TipGuard(QObject):
    """Keeps status tips from the status bar of a window, which would hide the messages in it."""

    def __init__(self, window: QMainWindow, notices: NoticeBar) -> None:
        super().__init__(window)
        self._notices = notices
        notices.came.connect(window.statusBar().clearMessage)
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.StatusTip and self._notices.texts():
            return True
        return super().eventFilter(watched, event)
