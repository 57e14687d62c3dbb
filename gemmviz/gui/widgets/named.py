"""Gives a widget what every control has: a name for tests, a tooltip, a name read aloud, a role for its looks."""

from __future__ import annotations

from typing import TypeVar

from PySide6.QtWidgets import QWidget

from gemmviz.gui.widgets.plain_text import plain_text

AnyWidget = TypeVar("AnyWidget", bound=QWidget)


def named(widget: AnyWidget, name: str = "", tip: str = "", says: str = "", role: str = "") -> AnyWidget:
    """The same widget with an objectName, a tooltip, an accessible name (the tooltip if "") and a style role."""
    if name:
        widget.setObjectName(name)
    if tip:
        widget.setToolTip(plain_text(tip))
    if says or tip:
        widget.setAccessibleName(says or tip)
    if role:
        widget.setProperty("role", role)
    return widget
