"""Where the names of marks stand so that none covers another: beside the mark, moved up or down as little as needed.

Lengths are pixels. No Qt.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence

from gemmviz.gui.charts.roofline_labels import LINE, Box, Label, Place, crosses, first_free

GAP = 14.0
"""Between a mark and its name."""
SEPARATOR = ", "
MOST, _MOST_TOGETHER = 60, 8
"""Marks that get a name at most, from the top, and names of one label at most."""
TOGETHER = (5.0, 8.0, 12.0, 16.0)
"""Marks no farther apart than this have one label with all their names."""
_STEP, _FARTHEST = 4.0, 40.0
"""A name is moved up or down in such steps, and so far at most."""
_ORDERS: tuple[Callable[[float], float], ...] = (lambda down: -abs(down), lambda down: down, lambda down: -down)
"""From both ends, as those between can do without a name more easily; from the top; from the bottom."""


def names_beside(
    marks: Sequence[Label], area: Box, blocked: Sequence[Box], avoided: Sequence[Box], width_of: Callable[[str], float]
) -> list[tuple[Label, Place]]:
    """The left end and the middle of each label; names for which there is no room near their marks are left out.

    Marks that lie together have one label, and the less room there is, the farther apart they may be. Names keep off
    what is `avoided` unless there is no other room.
    """
    tries = list(itertools.product(TOGETHER, _ORDERS))
    if len(marks) > MOST:
        marks, tries = sorted(marks, key=lambda mark: mark.y)[:MOST], [(TOGETHER[-1], _ORDERS[0])]
    best: list[tuple[Label, Place]] = []
    for apart, order in tries:
        groups = _groups(marks, apart)
        middle = (groups[0][0].y + groups[-1][0].y) / 2 if groups else 0.0
        placed: list[tuple[Label, Place]] = []
        taken = list(blocked)
        for group in sorted(groups, key=lambda group: order(group[0].y - middle)):
            _place(group, area, taken, avoided, width_of, placed)
        if _count(placed) > _count(best):
            best = placed
        if _count(best) == len(marks):
            break
    return _in_order(best, area, blocked)


def _groups(marks: Sequence[Label], apart: float) -> list[list[Label]]:
    """Marks, from the top, no farther from the first of their group than `apart`."""
    found: list[list[Label]] = []
    for mark in sorted(marks, key=lambda mark: (mark.y, mark.x)):
        near = (group for group in found if math.dist((group[0].x, group[0].y), (mark.x, mark.y)) <= apart)
        group = next(near, None)
        if group is None:
            found.append([mark])
        else:
            group.append(mark)
    return found


def _place(
    group: Sequence[Label],
    area: Box,
    taken: list[Box],
    avoided: Sequence[Box],
    width_of: Callable[[str], float],
    placed: list[tuple[Label, Place]],
) -> None:
    """As many names of a group in one label as there is room for, the rest in further ones."""
    count = min(len(group), _MOST_TOGETHER)
    while group:
        room = max(group[0].x - area[0], area[2] - group[0].x) - GAP
        words = SEPARATOR.join(mark.words for mark in group[:count])
        label = Label(words, group[0].x, sum(mark.y for mark in group[:count]) / count, width_of(words))
        if label.width > room and count > 1:
            count -= 1
            continue
        near = [box for box in taken if abs((box[1] + box[3]) / 2 - label.y) <= _FARTHEST + LINE]
        found = first_free(_beside(label), area, [*near, *avoided]) or first_free(_beside(label), area, near)
        if found is not None:
            taken.append(found)
            placed.append((label, (found[0], (found[1] + found[3]) / 2)))
        elif count > 1:
            count -= 1
            continue
        group = group[count:]
        count = min(len(group), _MOST_TOGETHER)


def _count(placed: Sequence[tuple[Label, Place]]) -> int:
    return sum(label.words.count(SEPARATOR) + 1 for label, _ in placed)


def _beside(label: Label) -> Iterator[Box]:
    for away in range(2 * int(_FARTHEST / _STEP) + 1):
        down = (away + 1) // 2 * _STEP * (1 if away % 2 else -1)
        for x in (label.x + GAP, label.x - GAP - label.width):
            yield label.box_at(x, label.y + down)


def _in_order(placed: Sequence[tuple[Label, Place]], area: Box, blocked: Sequence[Box]) -> list[tuple[Label, Place]]:
    """The same labels, two of them in each other's line wherever that brings them nearer to their marks."""
    found = list(placed)
    improved = True
    while improved:
        improved = False
        for one, other in itertools.combinations(range(len(found)), 2):
            (first, at), (second, there) = found[one], found[other]
            now = abs(at[1] - first.y) + abs(there[1] - second.y)
            then = abs(there[1] - first.y) + abs(at[1] - second.y)
            if then >= now - 1.0:
                continue
            swapped = [(first, (at[0], there[1])), (second, (there[0], at[1]))]
            rest = [label.box_at(*place) for n, (label, place) in enumerate(found) if n not in (one, other)]
            boxes = [label.box_at(*place) for label, place in swapped]
            if all(first_free([box], area, [*blocked, *rest]) for box in boxes) and not crosses(boxes[0], boxes[1:]):
                found[one], found[other] = swapped
                improved = True
    return found
