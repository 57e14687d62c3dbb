"""How much larger type is where a window takes the whole screen, so that it is read from the back of a room."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

USUAL_HEIGHT = 720.0
"""Pixels of a screen on which type has its usual size."""


def projector_scale(widget: QWidget) -> float:
    """1 in a window; on the whole screen as much as that is higher than USUAL_HEIGHT."""
    window = widget.window()
    return max(window.height() / USUAL_HEIGHT, 1.0) if window.isFullScreen() else 1.0
