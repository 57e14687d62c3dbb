"""Draws a tree of sums, level below level: who is added into whom."""

from __future__ import annotations

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPen

from gemmviz.domain.figures import count
from gemmviz.gui.looks.fonts import NORMAL, SMALL, figures, words
from gemmviz.gui.looks.theme import blend
from gemmviz.gui.memory_view.box import Box
from gemmviz.gui.memory_view.corner import PAD, TITLE
from gemmviz.gui.memory_view.looks import PALE, Looks
from gemmviz.gui.memory_view.paint_cells import dashed, rect
from gemmviz.gui.memory_view.reduction import Level, ReductionTree
from gemmviz.gui.memory_view.scene import Scene

WORDS_WIDTH = 148.0
"""What stands beside the tree: the number of the level and its threads."""
LEAST_LINE = 13.0
"""Height of a level from which each has its words; else only the one that is added now."""
LEAST_APART = 7.0
"""Pixels between two lines of additions; closer ones are drawn as a sheet."""


def tree_box(scene: Scene) -> Box:
    """Where the tree lies on the stage."""
    panel = scene.corner.panel
    top = panel.y + PAD + TITLE + 20
    bottom = panel.bottom - PAD - scene.stage.foot
    return Box(panel.x + PAD, top, panel.width - WORDS_WIDTH - 2 * PAD, bottom - top)


def slot_box(tree: ReductionTree, box: Box, level: int, slot: int) -> Box:
    """Where a slot is drawn on a level, 0 for the leaves; every level has room for all slots, used or idle."""
    rows = len(tree.levels) + 1
    pitch = box.height / rows
    across = box.width / (max(tree.leaves) + 1)
    return Box(box.x + slot * across, box.y + level * pitch, across, min(pitch * 0.42, 22.0))


def draw_tree(painter: QPainter, scene: Scene, looks: Looks) -> None:
    """The tree of the block, as far as the frame has come."""
    assert scene.material is not None
    assert scene.material.tree is not None
    tree, theme = scene.material.tree, looks.theme
    box = scene.camera.seen(tree_box(scene))
    painter.setFont(figures(NORMAL, QFont.Weight.Bold))
    painter.setPen(QColor(theme.c))
    painter.drawText(QRectF(box.x, box.y - 20, 200, 18), _LEFT, tree.array.name)
    epoch = scene.picture.frame.epoch if scene.picture is not None else -1
    filled = scene.picture is not None and scene.picture.tally.global_loads > 0
    _draw_slots(painter, looks, tree, box, 0, tree.leaves, _state(filled, epoch, _first_epoch(tree) - 1))
    for number, level in enumerate(tree.levels, 1):
        state = _state(scene.picture is not None, epoch, level.epoch)
        _draw_lines(painter, looks, tree, box, number, level, state)
        _draw_slots(painter, looks, tree, box, number, tuple(a.into for a in level.additions), state)
    for number in range(len(tree.levels) + 1):
        _draw_words(painter, looks, tree, box, number, epoch)


def _first_epoch(tree: ReductionTree) -> int:
    return tree.levels[0].epoch


def _state(known: bool, epoch: int, own: int) -> int:
    """-1 for a level to come, 0 for the one of this frame, 1 for one that is past."""
    if not known:
        return -1
    return (epoch > own) - (epoch < own)


def _draw_slots(
    painter: QPainter, looks: Looks, tree: ReductionTree, box: Box, level: int, slots: tuple[int, ...], state: int
) -> None:
    theme = looks.theme
    idle = slot_box(tree, box, level, 0)
    painter.fillRect(QRectF(box.x, idle.y, box.width, idle.height), QColor(theme.field))
    first, last = slot_box(tree, box, level, min(slots)), slot_box(tree, box, level, max(slots))
    whole = Box(first.x, first.y, last.right - first.x, first.height)
    if state < 0:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(dashed(QColor(blend(theme.panel, theme.c, 0.7))))
        painter.drawRect(rect(whole.at_least(3.0)))
        return
    fill = QColor(theme.c if state == 0 else blend(theme.field, theme.c, PALE))
    if first.width < 3.0:
        painter.fillRect(rect(whole.at_least(2.0)), fill)
        return
    for slot in slots:
        cell = slot_box(tree, box, level, slot)
        painter.fillRect(QRectF(cell.x + 0.5, cell.y, cell.width - 1.0, cell.height), fill)
        if cell.width >= 22:
            painter.setFont(figures(SMALL))
            painter.setPen(QColor(theme.on_accent if state == 0 else theme.text))
            painter.drawText(rect(cell), int(Qt.AlignmentFlag.AlignCenter), str(slot))


def _draw_lines(
    painter: QPainter, looks: Looks, tree: ReductionTree, box: Box, number: int, level: Level, state: int
) -> None:
    """From the two slots of the level above to the one they are added into; a sheet where lines would be too dense."""
    across = box.width / (max(tree.leaves) + 1)
    theme = looks.theme
    strength = {-1: 0.22, 0: 1.0, 1: 0.45}[state]
    if across < LEAST_APART and len(level.additions) > 1:
        _draw_sheets(painter, looks, tree, box, number, level, strength)
        return
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(QColor(blend(theme.panel, theme.c, strength)), 1.2 if state == 0 else 1.0))
    lines = []
    for addition in level.additions:
        target = slot_box(tree, box, number, addition.into)
        for slot in addition.read:
            source = slot_box(tree, box, number - 1, slot)
            lines.append(QLineF(QPointF(source.middle_x, source.bottom), QPointF(target.middle_x, target.y)))
    painter.drawLines(lines)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)


def _draw_sheets(
    painter: QPainter, looks: Looks, tree: ReductionTree, box: Box, number: int, level: Level, strength: float
) -> None:
    """From the left half and from the right half of what is added to where it goes."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    first, last = level.additions[0], level.additions[-1]
    left, right = slot_box(tree, box, number, first.into), slot_box(tree, box, number, last.into)
    for half, part in enumerate((0.3, 0.5)):
        start = slot_box(tree, box, number - 1, first.read[half])
        stop = slot_box(tree, box, number - 1, last.read[half])
        painter.setBrush(QColor(blend(looks.theme.panel, looks.theme.c, part * strength)))
        painter.drawPolygon([
            QPointF(start.x, start.bottom), QPointF(stop.right, start.bottom),
            QPointF(right.right, right.y), QPointF(left.x, left.y),
        ])  # fmt: skip
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)


def _draw_words(painter: QPainter, looks: Looks, tree: ReductionTree, box: Box, number: int, epoch: int) -> None:
    """How many threads work on a level, and what they add."""
    theme = looks.theme
    place = slot_box(tree, box, number, 0)
    is_now = number > 0 and tree.levels[number - 1].epoch == epoch
    if not is_now and box.height / (len(tree.levels) + 1) < LEAST_LINE:
        return
    painter.setFont(words(SMALL, QFont.Weight.DemiBold if is_now else QFont.Weight.Normal))
    painter.setPen(QColor(theme.text if is_now else theme.muted))
    if number == 0:
        text = f"{count(len(tree.leaves))} partial sums"
    else:
        additions = tree.levels[number - 1].additions
        apart = additions[0].read[1] - additions[0].read[0]
        threads = "1 thread" if len(additions) == 1 else f"{count(len(additions))} threads"
        text = f"{threads}, {count(apart)} apart"
    painter.drawText(QRectF(box.right + 12, place.y - 4, WORDS_WIDTH, place.height + 8), _LEFT, text)


_LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
