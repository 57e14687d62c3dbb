"""Which parts of a chart belong to the screen only: its switches and combos are no part of a picture."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtWidgets import QMainWindow, QWidget

_PROPERTY, _LEFT_OUT = "onlyOnScreen", "leftOut"


def only_on_screen(widget: QWidget) -> None:
    """Leave a widget out of pictures of what it belongs to."""
    widget.setProperty(_PROPERTY, True)


def is_left_out(part: QWidget) -> bool:
    """Whether a picture is made now that this part is not in: whoever lays it out may not show it."""
    return bool(part.property(_LEFT_OUT))


@contextmanager
def screen_only_parts_hidden(widget: QWidget) -> Iterator[None]:
    """Inside, parts that a picture leaves out are hidden; of a whole window none."""
    is_whole = isinstance(widget, QMainWindow)
    parts = [] if is_whole else [part for part in widget.findChildren(QWidget) if part.property(_PROPERTY)]
    hidden = [part for part in parts if part.isVisibleTo(widget)]
    for part in parts:
        part.setProperty(_LEFT_OUT, True)
    for part in hidden:
        part.hide()
    layout = widget.layout()
    if hidden and layout is not None:
        layout.activate()
    try:
        yield
    finally:
        for part in parts:
            part.setProperty(_LEFT_OUT, False)
        for part in hidden:
            part.show()
