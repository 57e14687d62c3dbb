"""Which parts of a chart belong to the screen only: its switches and combos are no part of a picture."""

from __future__ import annotations

from PySide6.QtWidgets import QMainWindow, QWidget

_PROPERTY = "onlyOnScreen"


def only_on_screen(widget: QWidget) -> None:
    """Leave a widget out of pictures of what it belongs to."""
    widget.setProperty(_PROPERTY, True)


def screen_only_parts(widget: QWidget) -> list[QWidget]:
    """The parts in sight that a picture leaves out; of a whole window none."""
    if isinstance(widget, QMainWindow):
        return []
    return [part for part in widget.findChildren(QWidget) if part.property(_PROPERTY) and part.isVisibleTo(widget)]
