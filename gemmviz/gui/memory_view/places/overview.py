"""Where the whole layout is seen small while one is near."""

from __future__ import annotations

from gemmviz.gui.memory_view.places.box import Box
from gemmviz.gui.memory_view.places.legend import STRIP_HEIGHT
from gemmviz.gui.memory_view.scene import Scene

OVERVIEW = 168.0


def overview_box(scene: Scene) -> Box:
    """Where the overview stands: at the lower right, in the window's proportions."""
    window = scene.window
    height = OVERVIEW * window.height / max(window.width, 1.0)
    return Box(window.right - OVERVIEW - 12, window.bottom - STRIP_HEIGHT - height - 8, OVERVIEW, height)
