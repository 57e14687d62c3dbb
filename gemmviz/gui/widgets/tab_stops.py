"""Which controls the Tab key goes to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDockWidget, QWidget
from shiboken6 import invalidate

_BY_TAB = (Qt.FocusPolicy.TabFocus, Qt.FocusPolicy.StrongFocus, Qt.FocusPolicy.WheelFocus)
"""Policies with which Tab goes to a control."""


def tab_stops(*pages: QWidget) -> list[QWidget]:
    """The controls of pages of one window that Tab goes to, those of each page together and in the order of Tab, a page
    among its own if it takes the focus.
    """
    chain, control = [pages[0]], _next(pages[0])
    while control is not None and control is not pages[0]:
        chain.append(control)
        control = _next(control)
    found: list[QWidget] = []
    for page in pages:
        inside = [each for each in chain if each is page or page.isAncestorOf(each)]
        stops = [each for each in inside if each.focusPolicy() in _BY_TAB and each.focusProxy() is None]
        begin = set(chain[: chain.index(page)])
        found += sorted(stops, key=begin.__contains__)
    return found


def _next(control: QWidget) -> QWidget | None:
    """The next in the chain. PySide may keep what stood for an item of a layout after Qt has deleted the item, and give
    it out for a widget that Qt has made at its address; once it is invalid, the widget itself is found.
    """
    found: Any = control.nextInFocusChain()
    if found is not None and not isinstance(found, QWidget):
        invalidate(found)
        found = control.nextInFocusChain()
    return found if isinstance(found, QWidget) else None


def to_next_in_sight(goes_on: Callable[[], bool], focused: Callable[[], QWidget | None]) -> bool:
    """Move the focus on until a control has it that can be seen; whether one has. `goes_on` moves it to the next."""
    met = [focused()]
    while goes_on():
        control = focused()
        if control in met or not _is_behind(control):
            return True
        met.append(control)
    return False


def _is_behind(control: QWidget | None) -> bool:
    """Whether a control is in a dock that shares its place with others and has another of them in front."""
    dock = control
    while dock is not None and not isinstance(dock, QDockWidget):
        dock = dock.parentWidget()
    return dock is not None and dock.visibleRegion().isEmpty()
