"""The tool tips of the bars left of A: what a full one stands for."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QToolTip, QWidget

from gemmviz.gui.memory_view.paint.looks import Looks
from gemmviz.gui.memory_view.scene import Scene
from gemmviz.gui.memory_view.text.text_layer import text_layer
from gemmviz.gui.widgets.plain_text import plain_text

AROUND = 20.0
"""Pixels around a bar in which it is meant: its line of words above, and what it is full at below."""

Shown = Callable[[], tuple[Scene | None, Looks, float]]
"""Finds what a widget shows, with which looks, and how much it is magnified."""


class BarTips(QObject):
    """Shows the tip of the bar below the pointer in a widget."""

    def __init__(self, widget: QWidget, shown: Shown) -> None:
        super().__init__(widget)
        self._widget, self._shown = widget, shown
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not isinstance(event, QHelpEvent) or event.type() is not QEvent.Type.ToolTip:
            return super().eventFilter(watched, event)
        scene, looks, magnification = self._shown()
        x, y = event.pos().x() / magnification, event.pos().y() / magnification
        tip = bar_tip_at(scene, looks, x, y) if scene is not None else ""
        QToolTip.showText(event.globalPos(), plain_text(tip), self._widget)
        return True


def bar_tip_at(scene: Scene, looks: Looks, x: float, y: float) -> str:
    """The tip of the bar at or beside a place of the layout; "" where there is none."""
    return next((bar.tip for bar in text_layer(scene, looks).figures.bars if bar.box.grown(AROUND).holds(x, y)), "")
