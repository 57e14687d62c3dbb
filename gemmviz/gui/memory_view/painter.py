"""Paints a scene on anything: a widget, an image, an SVG."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter

from gemmviz.gui.fonts import NORMAL, words
from gemmviz.gui.memory_view.labels import EMPTY, PREPARING, sum_lines
from gemmviz.gui.memory_view.looks import Looks
from gemmviz.gui.memory_view.paint_cells import rect
from gemmviz.gui.memory_view.paint_matrices import draw_matrices
from gemmviz.gui.memory_view.paint_over import draw_flows, draw_hazards, draw_leads, draw_marks
from gemmviz.gui.memory_view.paint_panels import draw_card, draw_foot, draw_overview, draw_sums
from gemmviz.gui.memory_view.paint_shared import draw_corner
from gemmviz.gui.memory_view.paint_tree import draw_tree
from gemmviz.gui.memory_view.scene import Scene
from gemmviz.gui.theme import Theme


def paint_scene(painter: QPainter, scene: Scene, looks: Looks) -> None:
    """All of it, from the back to the front."""
    painter.fillRect(rect(scene.window), QColor(looks.theme.canvas))
    draw_matrices(painter, scene, looks)
    draw_leads(painter, scene, looks)
    draw_corner(painter, scene, looks)
    if scene.shows_tree:
        draw_tree(painter, scene, looks)
    draw_flows(painter, scene, looks)
    draw_hazards(painter, scene, looks)
    draw_marks(painter, scene, looks)
    if scene.picture is None:
        corner = scene.camera.seen(scene.stage.corner)
        _say(painter, looks.theme, QRectF(corner.x, corner.bottom - 24, corner.width, 20), PREPARING, _LEFT)
    draw_foot(painter, scene, looks)
    if scene.sums and scene.sums_thread is not None:
        draw_sums(painter, scene, looks, sum_lines(scene.sums), f"Thread {scene.sums_thread}, derived")
    draw_overview(painter, scene, looks)
    draw_card(painter, scene, looks)


def paint_empty(painter: QPainter, width: float, height: float, theme: Theme) -> None:
    """What stands where nothing is recorded yet."""
    painter.fillRect(QRectF(0, 0, width, height), QColor(theme.canvas))
    _say(painter, theme, QRectF(0, 0, width, height), EMPTY, int(Qt.AlignmentFlag.AlignCenter))


def _say(painter: QPainter, theme: Theme, place: QRectF, text: str, where: int) -> None:
    painter.setFont(words(NORMAL))
    painter.setPen(QColor(theme.muted))
    painter.drawText(place, where, text)


_LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
