"""Where the names of marks stand so that none covers another and each is read as its mark's: beside it, or at the end
of a line that leads to it. Lengths are pixels. No Qt.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from gemmviz.gui.charts.roofline.labels import LINE, Box, Label, Place, boxes_along, crosses

GAP, LED_GAP = 14.0, 28.0
"""Between a mark and its name: beside it, and at the end of a line."""
SEPARATOR = ", "
"""Between the names of a label."""
MOST, _MOST_TOGETHER = 30, 4
"""Marks that get a name at most, from the top, and names of one label at most."""
TOGETHER = (5.0, 8.0, 12.0)
"""Marks no farther apart than this, which cover each other, have one label with all their names."""
_BESIDE = (0.0, -2.0, 2.0, -4.0, 4.0, -6.0, 6.0)
_ALONE = (*_BESIDE, -10.0, 10.0)
_LED = tuple(sorted((4.0 * step for step in range(-10, 11)), key=abs))
"""How far a name is moved up or down, the nearest first: what still reads as beside the mark, the same where
no other is near, and with a line."""
_COLUMN = 24.0
"""Marks no farther apart across than this stand in one column, whose names keep the order of the marks."""
_BEAM, _LEFT_OUT, _CROSSED = 40, 1000.0, 60.0
"""Ways that are followed at a time, what a name that is left out costs, and one whose line crosses a roof."""
_START, _END = 8.0, 4.0
"""From the mark to where its line begins, and from where it ends to the name."""


@dataclass(frozen=True, slots=True)
class _Tried:
    """Labels of a column placed so far, what they cost, and how low the last on either side stands."""

    placed: tuple[tuple[Label, Place], ...] = ()
    cost: float = 0.0
    left: float = -math.inf
    right: float = -math.inf


WidthOf = Callable[[str], float]


def names_beside(
    marks: Sequence[Label], area: Box, blocked: Sequence[Box], avoided: Sequence[Box], width_of: WidthOf
) -> list[tuple[Label, Place]]:
    """The left end and the middle of each label; names for which there is no room near their marks are left out.

    All beside their marks if that names every one; else, in columns of several labels, at the ends of lines. Marks of
    one `kind` that lie together have one label with all their names; the less room there is, the farther apart they may
    be. No name stands on what is `avoided`, where it would read as the name of another mark; lines to names cross it
    only where there is no other place.
    """
    marks = sorted(marks, key=lambda mark: mark.y)[:MOST]
    best: list[tuple[Label, Place]] = []
    for apart in TOGETHER if len(marks) < MOST else TOGETHER[-1:]:
        for with_lines in (False, True):
            placed = columns_placed(_groups(marks, apart, width_of), area, blocked, avoided, with_lines)
            if _count(placed) > _count(best):
                best = placed
            if _count(best) == len(marks):
                return best
    return best


def names_of(label: Label) -> list[str]:
    """The names of a label's marks."""
    return label.words.split(SEPARATOR)


def lines_to(label: Label, at: Place) -> list[tuple[Place, Place]]:
    """The lines that lead from the marks of a label to it; none where it stands beside them."""
    is_right = at[0] > label.x
    away = at[0] - label.x if is_right else label.x - at[0] - label.width
    if away <= GAP + 1.0:
        return []
    end = (at[0] - _END if is_right else at[0] + label.width + _END), at[1]
    start = _START if is_right else -_START
    return [((label.x + start, y), end) for y in label.ys or (label.y,)]


def _groups(marks: Sequence[Label], apart: float, width_of: WidthOf) -> list[Label]:
    """Marks of one kind, from the top, no farther from the first of their group than `apart`; a label for each."""
    found: list[list[Label]] = []
    for mark in sorted(marks, key=lambda mark: (mark.y, mark.x)):
        near = (
            group
            for group in found
            if len(group) < _MOST_TOGETHER
            and group[0].kind == mark.kind
            and math.dist((group[0].x, group[0].y), (mark.x, mark.y)) <= apart
        )
        group = next(near, None)
        if group is None:
            found.append([mark])
        else:
            group.append(mark)
    return [_together(group, width_of) for group in found]


def _together(group: Sequence[Label], width_of: WidthOf) -> Label:
    words, ys = SEPARATOR.join(mark.words for mark in group), tuple(mark.y for mark in group)
    return Label(words, group[0].x, sum(ys) / len(ys), width_of(words), group[0].kind, ys)


def columns_placed(
    labels: Sequence[Label],
    area: Box,
    blocked: Sequence[Box],
    avoided: Sequence[Box],
    with_lines: bool,
) -> list[tuple[Label, Place]]:
    """The left end and the middle of each label that finds room beside its marks or, `with_lines`, at the end of lines;
    a label alone in its column at the end of one wherever it has no room beside its mark.

    Columns with few marks come first, as those with many can do without a name more easily.
    """
    columns: list[list[Label]] = []
    for label in sorted(labels, key=lambda label: label.x):
        if columns and label.x - columns[-1][0].x <= _COLUMN:
            columns[-1].append(label)
        else:
            columns.append([label])
    placed: list[tuple[Label, Place]] = []
    taken = list(blocked)
    for column in sorted(columns, key=len):
        is_alone = len(column) == 1
        found = _column_placed(column, area, taken, avoided, with_lines and not is_alone)
        if is_alone and not found:
            found = _column_placed(column, area, taken, avoided, with_lines=True)
        placed += found
        for label, at in found:
            taken.append(label.box_at(*at))
            taken += [box for line in lines_to(label, at) for box in boxes_along(*line, 1.0)]
    return placed


def _column_placed(
    column: Sequence[Label],
    area: Box,
    taken: Sequence[Box],
    avoided: Sequence[Box],
    with_lines: bool,
) -> tuple[tuple[Label, Place], ...]:
    """The best of several ways at a time, from the top; names of either side keep the order of their marks."""
    tried, gap = [_Tried()], LED_GAP if with_lines else GAP
    for label in sorted(column, key=lambda label: label.y):
        near, kept_off = _level_with(label, taken), _level_with(label, avoided)
        downs = _LED if with_lines else _ALONE if len(column) == 1 else _BESIDE
        left_out = _LEFT_OUT * len(names_of(label))
        ways = list(_ways(label, area, near, kept_off, gap, downs))
        further = {(one.left, one.right): _Tried(one.placed, one.cost + left_out, one.left, one.right) for one in tried}
        for one in tried:
            for (x, y), cost in ways:
                is_right = x > label.x
                if y < (one.right if is_right else one.left) + LINE:
                    continue
                left, right = (one.left, y) if is_right else (y, one.right)
                known = further.get((left, right))
                if known is None or one.cost + cost < known.cost:
                    further[left, right] = _Tried((*one.placed, (label, (x, y))), one.cost + cost, left, right)
        tried = sorted(further.values(), key=lambda one: one.cost)[:_BEAM]
    return tried[0].placed


def _level_with(label: Label, boxes: Sequence[Box]) -> list[Box]:
    """The boxes that a label can cover wherever it is moved up or down."""
    reach = abs(_LED[-1]) + LINE
    return [box for box in boxes if box[1] - reach < label.y < box[3] + reach]


def _ways(
    label: Label, area: Box, taken: Sequence[Box], avoided: Sequence[Box], gap: float, downs: Sequence[float]
) -> Iterator[tuple[Place, float]]:
    """Where a label may stand, and what each place costs: how far off it is, and more beyond what is avoided."""
    heights = label.ys or (label.y,)  # what is long and level with a mark is the arrow to it
    beyond = [box for box in avoided if box[2] - box[0] < LINE or not any(box[1] <= y <= box[3] for y in heights)]
    for side, x in enumerate((label.x + gap, label.x - gap - label.width)):
        for down in downs:
            box = label.box_at(x, label.y + down)
            is_within = area[0] <= box[0] and area[1] <= box[1] and box[2] <= area[2] and box[3] <= area[3]
            if not is_within or crosses(box, taken) or crosses(box, avoided):
                continue
            lines = lines_to(label, (x, label.y + down))
            if not any(_is_crossed(start, end, taken) for start, end in lines):
                is_beyond = any(_is_crossed(start, end, beyond) for start, end in lines)
                yield (x, label.y + down), abs(down) + 0.1 * side + _CROSSED * is_beyond


def _is_crossed(start: Place, end: Place, taken: Sequence[Box]) -> bool:
    """Whether a line to a name runs over what is taken."""
    left, right, top, bottom = (
        min(start[0], end[0]),
        max(start[0], end[0]),
        min(start[1], end[1]),
        max(start[1], end[1]),
    )
    near = [
        box for box in taken if box[0] < right + 1 and left - 1 < box[2] and box[1] < bottom + 1 and top - 1 < box[3]
    ]
    return bool(near) and any(crosses(one, near) for one in boxes_along(start, end, 0.5))


def _count(placed: Sequence[tuple[Label, Place]]) -> int:
    return sum(len(names_of(label)) for label, _ in placed)
