"""Draws a tree of sums, level below level: who is added into whom."""

from __future__ import annotations

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPen

from gemmviz.domain.figures import count, counted
from gemmviz.domain.visible_text import visible
from gemmviz.explain.block.reduction import Level, ReductionTree
from gemmviz.gui.looks.fonts import NORMAL, SMALL, figures, words
from gemmviz.gui.looks.theme import blend
from gemmviz.gui.memory_view.paint.cells import dashed, rect
from gemmviz.gui.memory_view.paint.looks import Looks, pale
from gemmviz.gui.memory_view.places.box import Box
from gemmviz.gui.memory_view.places.onchip_layout import WORDS_BESIDE_TREE
from gemmviz.gui.memory_view.places.tree_place import LevelState, TreePlace, level_states, tree_place
from gemmviz.gui.memory_view.scene import Scene

LEAST_LINE = 13.0
"""Height of a level from which each has its words; else only the one that is added now."""
LEAST_APART = 7.0
"""Pixels between two lines of additions; closer ones are drawn as a sheet."""


def draw_tree(painter: QPainter, scene: Scene, looks: Looks) -> None:
    """The tree of the block, as far as the frame has come."""
    assert scene.analysis is not None
    assert scene.analysis.tree is not None
    tree, theme = scene.analysis.tree, looks.theme
    place = tree_place(scene, looks)
    assert place is not None
    box = place.box
    painter.setFont(figures(NORMAL, QFont.Weight.DemiBold))
    painter.setPen(QColor(theme.c))
    painter.drawText(QRectF(box.x, box.y - 20, 200, 18), _LEFT, visible(tree.array.name))
    epoch = scene.picture.frame.epoch if scene.picture is not None else -1
    of_leaves, *of_levels = level_states(scene)
    _draw_slots(painter, looks, place, 0, tree.leaves, of_leaves)
    for number, (level, state) in enumerate(zip(tree.levels, of_levels, strict=True), 1):
        _draw_lines(painter, looks, place, number, level, state)
        _draw_slots(painter, looks, place, number, tuple(a.into for a in level.additions), state)
    if place.form is None or place.form.beside:
        for number in range(len(tree.levels) + 1):
            _draw_words(painter, looks, tree, place, number, epoch)


def _draw_slots(
    painter: QPainter,
    looks: Looks,
    place: TreePlace,
    level: int,
    slots: tuple[int, ...],
    state: LevelState,
) -> None:
    theme = looks.theme
    idle = place.cell(level, 0)
    groove = QRectF(place.box.x, idle.y, place.box.width, idle.height)
    painter.fillRect(groove, QColor(theme.field))
    painter.setPen(QPen(QColor(theme.outline), 1.0))
    painter.drawRect(groove)
    first, last = place.cell(level, min(slots)), place.cell(level, max(slots))
    whole = Box(first.x, first.y, last.right - first.x, first.height)
    if state is LevelState.TO_COME:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(dashed(QColor(theme.c)))
        painter.drawRect(rect(whole.at_least(3.0)))
        return
    fill = QColor(theme.c if state is LevelState.NOW else blend(theme.field, theme.c, pale(theme)))
    if first.width < 3.0:
        painter.fillRect(rect(whole.at_least(2.0)), fill)
        return
    for slot in slots:
        cell = place.cell(level, slot)
        painter.fillRect(QRectF(cell.x + 0.5, cell.y, cell.width - 1.0, cell.height), fill)
        if place.form is None and cell.width >= 22:
            painter.setFont(figures(SMALL))
            painter.setPen(QColor(theme.on_accent if state is LevelState.NOW else theme.text))
            painter.drawText(rect(cell), int(Qt.AlignmentFlag.AlignCenter), str(slot))


def _draw_lines(
    painter: QPainter, looks: Looks, place: TreePlace, number: int, level: Level, state: LevelState
) -> None:
    """From the two slots of the level above to the one they are added into; a sheet where lines would be too dense."""
    theme = looks.theme
    strength = {LevelState.TO_COME: 0.22, LevelState.NOW: 1.0, LevelState.PAST: 0.45}[state]
    if place.across < LEAST_APART and len(level.additions) > 1:
        _draw_sheets(painter, looks, place, number, level, strength)
        return
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(QColor(blend(theme.panel, theme.c, strength)), 1.2 if state is LevelState.NOW else 1.0))
    lines = []
    for addition in level.additions:
        target = place.cell(number, addition.into)
        for slot in addition.read:
            source = place.cell(number - 1, slot)
            lines.append(
                QLineF(QPointF(source.middle_x, source.bottom), QPointF(target.middle_x, place.line_end(number)))
            )
    painter.drawLines(lines)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)


def _draw_sheets(painter: QPainter, looks: Looks, place: TreePlace, number: int, level: Level, strength: float) -> None:
    """From the left half and from the right half of what is added to where it goes."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    first, last = level.additions[0], level.additions[-1]
    left, right = place.cell(number, first.into), place.cell(number, last.into)
    for half, part in enumerate((0.3, 0.5)):
        start = place.cell(number - 1, first.read[half])
        stop = place.cell(number - 1, last.read[half])
        painter.setBrush(QColor(blend(looks.theme.panel, looks.theme.c, part * strength)))
        painter.drawPolygon(
            [
                QPointF(start.x, start.bottom),
                QPointF(stop.right, start.bottom),
                QPointF(right.right, right.y),
                QPointF(left.x, left.y),
            ]
        )
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)


def _draw_words(
    painter: QPainter, looks: Looks, tree: ReductionTree, place: TreePlace, number: int, epoch: int
) -> None:
    """How many threads work on a level, and what they add."""
    theme = looks.theme
    row = place.cell(number, 0)
    is_now = number > 0 and tree.levels[number - 1].epoch == epoch
    if not is_now and place.box.height / (len(tree.levels) + 1) < LEAST_LINE:
        return
    painter.setFont(words(SMALL, QFont.Weight.DemiBold if is_now else QFont.Weight.Normal))
    painter.setPen(QColor(theme.text if is_now else theme.muted))
    if number == 0:
        text = counted(len(tree.leaves), "partial sum")
    else:
        additions = tree.levels[number - 1].additions
        apart = additions[0].read[1] - additions[0].read[0]
        threads = counted(len(additions), "thread")
        text = f"{threads}, {count(apart)} apart"
    painter.drawText(QRectF(place.box.right + 12, row.y - 4, WORDS_BESIDE_TREE, row.height + 8), _LEFT, text)


_LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
