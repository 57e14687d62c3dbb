"""Draws what stays where it is while one looks nearer: the overview."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from gemmviz.gui.looks.theme import blend
from gemmviz.gui.memory_view.paint.cells import rect
from gemmviz.gui.memory_view.paint.looks import Looks
from gemmviz.gui.memory_view.places.box import Box
from gemmviz.gui.memory_view.places.overview import overview_box
from gemmviz.gui.memory_view.scene import Scene


def draw_overview(painter: QPainter, scene: Scene, looks: Looks) -> None:
    """The whole layout, small, with a frame around what is seen."""
    if scene.camera.shows_all:
        return
    place, theme, window = overview_box(scene), looks.theme, scene.window
    draw_panel(painter, looks, place)
    scale = place.width / window.width

    def small(box: Box) -> QRectF:
        return QRectF(place.x + box.x * scale, place.y + box.y * scale, box.width * scale, box.height * scale)

    for name, box in scene.layout.places.items():
        painter.fillRect(small(box), QColor(blend(theme.panel, looks.colour(name).name(), 0.4)))
    for box in (*(place.box for place in scene.places), *(lens.place.box for lens in scene.lenses)):
        painter.fillRect(small(box), QColor(blend(theme.panel, theme.reference, 0.5)))
    painter.setPen(QPen(QColor(theme.text), 1.4))
    seen = scene.camera.looked_at(window)
    painter.drawRect(small(seen))


def draw_panel(painter: QPainter, looks: Looks, box: Box) -> None:
    """A sheet above the picture, with an edge that is seen on panels too."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(QColor(looks.theme.faint), 1.0))
    painter.setBrush(QColor(looks.theme.panel))
    painter.drawRoundedRect(rect(box).adjusted(0.5, 0.5, -0.5, -0.5), 4.0, 4.0)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
