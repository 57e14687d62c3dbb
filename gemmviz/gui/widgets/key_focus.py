"""Marks the control that a person brought the focus to with keys, so that the style sheet frames it and no other."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QAbstractButton, QAbstractSlider, QApplication, QComboBox, QTabBar, QWidget

BY_KEYS = "byKeys"
"""The property of a control that keys brought the focus to."""
_FRAMED = QAbstractButton, QAbstractSlider, QComboBox, QTabBar


class KeyFocus(QObject):
    """Sets BY_KEYS as the focus goes. A click shows where the focus is, and what the program does asks for no frame."""

    def __init__(self, application: QApplication) -> None:
        super().__init__(application)
        application.focusChanged.connect(self._on_changed)

    def _on_changed(self, old: QWidget | None, new: QWidget | None) -> None:
        if old is not None:
            _mark(old, False)
        if new is not None:
            _mark(new, new.window().testAttribute(Qt.WidgetAttribute.WA_KeyboardFocusChange))


def focus_by_keys(widget: QWidget) -> None:
    """Give a widget the focus because a key asked for it that is not Tab."""
    widget.setFocus(Qt.FocusReason.TabFocusReason)
    _mark(widget, True)


def _mark(widget: QWidget, is_marked: bool) -> None:
    if isinstance(widget, _FRAMED) and bool(widget.property(BY_KEYS)) != is_marked:
        widget.setProperty(BY_KEYS, is_marked)
        widget.style().polish(widget)
        widget.update()
