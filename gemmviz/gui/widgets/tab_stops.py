"""Which controls the Tab key goes to."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDockWidget, QWidget


def tab_stops(page: QWidget) -> list[QWidget]:
    """The controls of a page that Tab goes to, `page` among them if it takes the focus, in the order of Tab."""
    chain, control = [page], page.nextInFocusChain()
    while control is not None and control is not page:
        chain.append(control)
        control = control.nextInFocusChain()
    inside = (each for each in chain if each is page or page.isAncestorOf(each))
    return [each for each in inside if each.focusPolicy() & Qt.FocusPolicy.TabFocus and each.focusProxy() is None]


def is_behind(control: QWidget) -> bool:
    """Whether a control is in a dock that shares its place with others and has another of them in front."""
    dock: QWidget | None = control
    while dock is not None and not isinstance(dock, QDockWidget):
        dock = dock.parentWidget()
    return dock is not None and dock.visibleRegion().isEmpty()
