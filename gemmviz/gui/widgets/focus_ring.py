"""A frame around a widget that has the focus of the keyboard and paints no sign of it itself."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QRectF, Qt
from PySide6.QtGui import QFocusEvent, QPainter, QPaintEvent, QPalette, QPen
from PySide6.QtWidgets import QWidget

from gemmviz.gui.widgets.on_screen import only_on_screen

WIDTH = 2
"""Pixels of the line."""
_BY_KEYS = Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason, Qt.FocusReason.ShortcutFocusReason
_FOR_A_WHILE = Qt.FocusReason.PopupFocusReason, Qt.FocusReason.ActiveWindowFocusReason
"""Why the focus goes and comes back to the same widget: a menu, another window."""


def is_by_keys(event: QFocusEvent) -> bool:
    """Whether a person brought the focus with keys, who is to see where it is."""
    return event.reason() in _BY_KEYS


class FocusRing(QWidget):
    """Lies over a widget and shows a frame in the accent's colour while keys brought the focus there; a click or
    the program show none. The mouse goes through it, and pictures of the widget leave it out.
    """

    def __init__(self, around: QWidget) -> None:
        super().__init__(around)
        self.setObjectName("focusRing")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        only_on_screen(self)
        self.hide()
        around.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        around = self.parentWidget()
        if watched is not around:
            return False
        if isinstance(event, QFocusEvent) and event.reason() not in _FOR_A_WHILE:
            self.setGeometry(around.rect())
            self.raise_()
            self.setVisible(event.gotFocus() and is_by_keys(event))
        elif event.type() == QEvent.Type.Resize:
            self.setGeometry(around.rect())
        elif event.type() == QEvent.Type.MouseButtonPress:
            self.hide()
        return False

    def paintEvent(self, _event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setPen(QPen(self.palette().color(QPalette.ColorRole.Highlight), WIDTH))
            inside = WIDTH / 2
            painter.drawRect(QRectF(self.rect()).adjusted(inside, inside, -inside, -inside))
