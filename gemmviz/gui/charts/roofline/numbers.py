"""Numbers for marks whose names have no room in the plane, one for marks that lie together.

Lengths are pixels. No Qt.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from gemmviz.gui.charts.roofline.labels import LINE, Box, Label, Place, boxes_along, crosses
from gemmviz.gui.charts.roofline.names import GAP, LED_GAP, WidthOf, columns_placed, lines_to

MOST = 30
"""Marks that get a number at most: of more nobody would look up the names, and to find places takes long."""
_APART = (5.0, 8.0, 12.0, 18.0, 26.0, 40.0)
"""Marks no farther apart than this, from the top, have one number; the first at which every number finds a place."""
_ACROSS = 12.0
"""And no farther apart across."""
_DOWNS = tuple(sorted((6.0 * step for step in range(-16, 17)), key=abs))
"""How far a number is moved up or down where there is none beside its mark."""
_LED = LED_GAP, 2 * LED_GAP, 3 * LED_GAP, 4 * LED_GAP
_AS_BESIDE = 6.0
"""Moved no farther than this, a number needs no line to its mark."""
Placed = list[tuple[Label, Place]]


def numbers_beside(
    marks: Sequence[Label], area: Box, blocked: Sequence[Box], avoided: Sequence[Box], width_of: WidthOf
) -> tuple[Placed, dict[str, str]]:
    """The left end and the middle of each number, and the number of each mark by its name. Numbers are consecutive,
    1 for the topmost; marks that lie together have one.
    """
    best: Placed = []
    best_groups: list[list[Label]] = []
    for apart in _APART if len(marks) <= MOST else ():
        groups = _groups(marks, apart)
        if len(groups) == len(best_groups):
            continue
        labels = [_numbered(number, group, width_of) for number, group in enumerate(groups, 1)]
        placed = _placed(labels, area, blocked, avoided)
        if _count(placed) > _count(best):
            best, best_groups = placed, groups
        if len(placed) == len(groups):
            break
    best.sort(key=lambda one: int(one[0].words[1:-1]))
    # Groups without a place for their number leave no gap.
    numbers = {label.words: _words(place) for place, (label, _) in enumerate(best, 1)}
    given = ((numbers.get(_words(place)), group) for place, group in enumerate(best_groups, 1))
    keys = {mark.words: number for number, group in given if number is not None for mark in group}
    return [_renumbered(label, at, numbers[label.words], width_of) for label, at in best], keys


def _placed(labels: Sequence[Label], area: Box, blocked: Sequence[Box], avoided: Sequence[Box]) -> Placed:
    """Places of numbers: beside their marks, else at the end of a line, else wherever there is room near them, if there
    is any off what is `avoided`.
    """
    tried = (columns_placed(labels, area, blocked, avoided, with_lines) for with_lines in (False, True))
    placed = max(tried, key=_count)
    taken = [*blocked, *(box for label, at in placed for box in _covered(label, at))]
    said = {label.words for label, _ in placed}
    for label in labels:
        if label.words in said:
            continue
        at = _near(label, area, taken, avoided)
        if at is not None:
            placed.append((label, at))
            taken += _covered(label, at)
    return placed


def _near(label: Label, area: Box, taken: Sequence[Box], avoided: Sequence[Box]) -> Place | None:
    """The first place near a mark where its number covers nothing and its line crosses nothing that is taken, if there
    is one off what is `avoided`.
    """
    taken, avoided = _within_reach(label, taken), _within_reach(label, avoided)
    second_best: Place | None = None
    for at in _places(label):
        box = left, top, right, bottom = label.box_at(*at)
        is_within = area[0] <= left and area[1] <= top and right <= area[2] and bottom <= area[3]
        if not is_within or crosses(box, taken):
            continue
        is_off = not crosses(box, avoided)
        if (is_off or second_best is None) and not any(crosses(one, taken) for one in _lines(label, at)):
            if is_off:
                return at
            second_best = at
    return second_best


def _within_reach(label: Label, boxes: Sequence[Box]) -> list[Box]:
    """The boxes that a number or its lines can meet."""
    across, down = _LED[-1] + label.width + _ACROSS, abs(_DOWNS[-1]) + LINE
    left, right, top, bottom = label.x - across, label.x + across, min(label.ys) - down, max(label.ys) + down
    return [box for box in boxes if box[0] < right and left < box[2] and box[1] < bottom and top < box[3]]


def _places(label: Label) -> Iterator[Place]:
    yield from ((label.x - label.width / 2, y) for y in (min(label.ys) - LINE, max(label.ys) + LINE))
    for down in _DOWNS:
        for gap in (GAP, *_LED) if abs(down) <= _AS_BESIDE else _LED:
            yield label.x + gap, label.y + down
            yield label.x - gap - label.width, label.y + down


def _covered(label: Label, at: Place) -> list[Box]:
    return [label.box_at(*at), *_lines(label, at)]


def _lines(label: Label, at: Place) -> list[Box]:
    return [box for line in lines_to(label, at) for box in boxes_along(*line, 0.5)]


def _count(placed: Placed) -> int:
    return sum(len(label.ys) for label, _ in placed)


def _groups(marks: Sequence[Label], apart: float) -> list[list[Label]]:
    found: list[list[Label]] = []
    for mark in sorted(marks, key=lambda mark: (mark.y, mark.x)):
        near = (group for group in found if mark.y - group[0].y <= apart and abs(mark.x - group[0].x) <= _ACROSS)
        group = next(near, None)
        if group is None:
            found.append([mark])
        else:
            group.append(mark)
    return found


def _words(number: int) -> str:
    return f"({number})"


def _numbered(number: int, group: Sequence[Label], width_of: WidthOf) -> Label:
    """A number as wide as any, so that its place does not depend on those before it."""
    words, ys = _words(number), tuple(mark.y for mark in group)
    return Label(words, group[0].x, sum(ys) / len(ys), width_of(_words(MOST)), words, ys)


def _renumbered(label: Label, at: Place, words: str, width_of: WidthOf) -> tuple[Label, Place]:
    """Another number in the place of one, at the end of it that is nearer to the mark."""
    left, y = at
    width = width_of(words)
    return replace(label, words=words, width=width), (left + label.width - width if left < label.x else left, y)
