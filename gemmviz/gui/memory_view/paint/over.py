"""Draws over the arrays: what is followed, pointed at or chosen, and hazards where they happen."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPainterPath, QPen

from gemmviz.gui.memory_view.example import rectangles
from gemmviz.gui.memory_view.highlights import Marked
from gemmviz.gui.memory_view.motion_paths import followed_box, onchip_box
from gemmviz.gui.memory_view.paint.cells import rect
from gemmviz.gui.memory_view.paint.looks import Face, Looks
from gemmviz.gui.memory_view.places.box import Box
from gemmviz.gui.memory_view.places.hazard_places import LEAST, mark_boxes, outlines, sign_box
from gemmviz.gui.memory_view.scene import Scene
from gemmviz.gui.memory_view.text.detail import Detail, detail_of
from gemmviz.gui.memory_view.text.tag_places import tag_places
from gemmviz.trace.frames.regions import Rectangle

GROUND = 0.6
"""How much of the panel lies between the colour of a small element and its hatching: on no colour of a matrix alone is
the hatching seen in both themes."""
SPOT_WIDTH = 3.0
EDGE = 0.1
"""The part of an element that hatching takes at the top and at the bottom, where its name and value are written in it:
they may be as wide as the element."""
NOW_SHARE, NOW_WIDTH = 0.1, 3.0
"""The part of an element that the frame around it takes while it is read, and its pixels at most: half of it lies
outside, so that it covers neither its number nor its neighbours'.
"""
FRAME_WIDTH, FRAMED_FROM, LEAST_MARK = 2.0, 5.0, 2.0
"""Pixels of a frame around a thread's elements, of elements that have room for one, and of a mark in its place."""

CUT = 2.0
"""Pixels around the frame of an element that is chosen or pointed at, which cut the frames of rows beside it: without
them its frame would go over into theirs.
"""


def draw_example(painter: QPainter, scene: Scene, looks: Looks) -> None:
    """The row and the column that one thread reads, and the sum they meet in."""
    example, theme = scene.example, looks.theme
    if example is None or scene.shows_tree:
        return
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for name, part in (*example.read, *((scene.result, part) for part in example.made)):
        box = followed_box(scene, name, part)
        if box is not None and box.meets(scene.window):
            frame = rect(box.at_least(3.0))
            painter.setPen(QPen(QColor(theme.panel), 3.0))
            painter.drawRect(frame)
            painter.setPen(QPen(QColor(theme.text), 1.3))
            painter.drawRect(frame)


def draw_factors_now(painter: QPainter, scene: Scene, looks: Looks) -> None:
    """The factors that this thread is at while time runs."""
    theme = looks.theme
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for name, part in scene.example.now if scene.example is not None and not scene.shows_tree else ():
        box = onchip_box(scene, name, part)
        if box is not None and detail_of(box.width, box.height) is not Detail.VALUES:
            painter.fillRect(rect(box.at_least(4.0)), QColor(theme.text))
        elif box is not None:
            width = min(NOW_SHARE * min(box.width, box.height), NOW_WIDTH)
            painter.setPen(QPen(QColor(theme.text), width, j=Qt.PenJoinStyle.MiterJoin))
            painter.drawRect(rect(box))


def draw_marks(painter: QPainter, scene: Scene, looks: Looks) -> None:
    """Frames around the elements of the thread, warp or element in question; dotted ones around a thread's in all
    frames."""
    theme = looks.theme
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for name, box in scene.pointed.marks.path:
        part = scene.part(name, box)
        if part is not None and not _is_tree(scene, name):
            painter.setPen(QPen(QColor(theme.muted), 1.0, Qt.PenStyle.DotLine))
            painter.drawRect(rect(part.at_least(LEAST).grown(2.0)))
    block, grid = scene.hovered_block, scene.blocks.grid
    if block is not None and grid is not None:
        part = scene.part(scene.result, grid.part_of(*block))
        if part is not None:
            painter.setPen(QPen(QColor(theme.c), 1.6, Qt.PenStyle.DashLine))
            painter.drawRect(rect(part.at_least(LEAST)))
    for marked in scene.pointed.marks.now:
        if not _is_tree(scene, marked.name):
            _frame(painter, scene, marked, QColor(theme.text))
    for element, width in ((scene.pointed.chosen, 2.0), (scene.pointed.hovered, 1.4)):
        if element is None or _is_tree(scene, element[0]):
            continue
        name, row, column = element
        for cell in scene.parts(name, Rectangle(row, row + 1, column, column + 1)):
            frame = cell.at_least(LEAST)
            painter.setPen(QPen(QColor(theme.panel), CUT, j=Qt.PenJoinStyle.MiterJoin))
            painter.drawRect(rect(frame.grown((width + CUT) / 2)))
            painter.setPen(QPen(QColor(theme.text), width, j=Qt.PenJoinStyle.MiterJoin))
            painter.drawRect(rect(frame))


def draw_spots(painter: QPainter, scene: Scene, looks: Looks) -> None:
    """Frames around the arrays that a text beside the picture speaks of."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(QColor(looks.theme.spot), SPOT_WIDTH))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for area in scene.spots:
        painter.drawRoundedRect(rect(area.grown(2.0)), 4.0, 4.0)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)


def draw_tags(painter: QPainter, scene: Scene, looks: Looks) -> None:
    """Words on a plate above each element that a text beside the picture speaks of, and a frame around the element."""
    for said, cell, box in tag_places(scene, looks):
        colour, plate = QColor(looks.theme.hazard), rect(box)
        painter.fillRect(plate, colour)
        painter.setFont(looks.faces[Face.SMALL_STRONG])
        painter.setPen(QColor(looks.theme.on_accent))
        painter.drawText(plate, int(Qt.AlignmentFlag.AlignCenter), said)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(colour, SPOT_WIDTH))
        painter.drawRect(rect(cell.at_least(LEAST)))


def draw_hazards(painter: QPainter, scene: Scene, looks: Looks) -> tuple[Box, ...]:
    """Hatch what is wrong in the colour of hazards, around what is written there; where the signs of it stand."""
    if scene.picture is None:
        return ()
    signs = list[Box]()
    colour = QColor(looks.theme.hazard)
    for mark in scene.picture.hazards:
        boxes = mark_boxes(scene, mark)
        if not boxes:
            continue
        ground, shade = QColor(looks.theme.panel), QColor(looks.theme.panel)
        shade.setAlphaF(GROUND)
        for box in boxes:
            path, is_written = hatched(box)  # above and below, where something is written
            painter.fillPath(path, ground if is_written else shade)
            painter.fillPath(path, QBrush(colour, Qt.BrushStyle.BDiagPattern))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(colour, 2.0))
        around = outlines(scene, mark, boxes)
        for box in around:
            painter.drawRect(rect(box))
        signs.append(sign_box(scene, mark, around[0]))
    return tuple(signs)


def hatched(box: Box) -> tuple[QPainterPath, bool]:
    """All of a small element; of one in which name and value are written, which is the second, a strip above and below
    them.
    """
    path, is_written = QPainterPath(), detail_of(box.width, box.height) is Detail.VALUES
    path.addRect(rect(box))
    if is_written:
        path.addRect(QRectF(box.x, box.y + EDGE * box.height, box.width, (1 - 2 * EDGE) * box.height))
    return path, is_written


def draw_hazard_signs(painter: QPainter, signs: Iterable[Box], looks: Looks) -> None:
    """A triangle with an exclamation mark in each of the boxes."""
    for box in signs:
        _draw_sign(painter, rect(box), looks)


def _draw_sign(painter: QPainter, box: QRectF, looks: Looks) -> None:
    colour = QColor(looks.theme.hazard)
    x, y = box.center().x(), box.top() + 8.0
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(QColor(looks.theme.canvas), 1.0))
    painter.setBrush(colour)
    painter.drawPolygon([QPointF(x, y - 8), QPointF(x + 8.5, y + 7), QPointF(x - 8.5, y + 7)])
    painter.setPen(QPen(QColor(looks.theme.canvas), 1.8))
    painter.drawLine(QPointF(x, y - 3), QPointF(x, y + 1.5))
    painter.drawPoint(QPointF(x, y + 4.5))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)


def _frame(painter: QPainter, scene: Scene, marked: Marked, colour: QColor) -> None:
    """Inside of what they frame, so that frames of neighbours have a gap; what has no room for one is filled."""
    for part in rectangles(marked.rows, marked.columns):
        for box in scene.parts(marked.name, part):
            side = min(box.width, box.height)
            if side < FRAMED_FROM:
                painter.fillRect(rect(box.at_least(LEAST_MARK)), colour)
                continue
            width = min(max(side / 10, 1.0), FRAME_WIDTH)
            painter.setPen(QPen(colour, width, j=Qt.PenJoinStyle.MiterJoin))
            painter.drawRect(rect(box.grown(-width / 2)))


def _is_tree(scene: Scene, name: str) -> bool:
    return scene.shows_tree and scene.place(name) is not None
