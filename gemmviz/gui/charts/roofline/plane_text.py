"""The words in the plane of a roofline, as values: of roofs, of slopes, the names of marks; in pixels. No Qt."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from gemmviz.explain.figures.roofline.roofline import RoofLine, Roofline
from gemmviz.gui.charts.roofline.labels import (
    Box,
    Label,
    Place,
    boxes_along,
    crosses,
    words_of_roofs,
)
from gemmviz.gui.charts.roofline.names import lines_to, names_beside, names_of
from gemmviz.gui.charts.roofline.numbers import MOST as MOST_NUMBERS
from gemmviz.gui.charts.roofline.numbers import numbers_beside

MARK, IDEAL, QUIET = 6.0, 2.5, 3.0
"""Half of what a run's main mark covers, of what the small one at its ideal bytes does, and of what the mark of a run
does that stands back.
"""
_OFF = 10.0
"""Between a mark and the words of a roof, and between a name and a number."""
_ROOMY = 24.0
"""Between a mark and the words of a slope, so that its name or number has room."""
_RIDGE = 2.0
"""Half of what a ridge, where a roof begins, covers."""
_ASIDE, _HALF, _AROUND = 11.0, 8.0, 4.0
"""From a slope to the middle of its words, half their height, and how far off their ends other words stay."""
_ABOVE, _BELOW = 1.0, -1.0
_STANDS = tuple((part, side) for side in (_ABOVE, _BELOW) for part in (0.5, 0.3, 0.7, 0.1, 0.9, 0.2, 0.4, 0.6, 0.8))
"""Where on a slope the middle of its words may be: at first above its middle, then where they leave the roofs their
words.
"""
_REACHES = 12.0, 20.0, 32.0, 64.0, 128.0
"""How near the marks lie that give up their names for a mark that has found no room, less and less near."""
PlaceOf = Callable[[float, float], Place]
"""The pixel of operations per byte and GFLOP/s."""
WidthOf = Callable[[str], float]
BETWEEN = "  ·  "
"""Between the name of the axis and the names that are listed behind it."""
LISTED, _ALSO = ", ", "also: "


@dataclass(frozen=True, slots=True)
class SlopeWords:
    """Words along a slope that begin beside the pixel `start`, turned by `degrees`, above it or below, and what they
    cover.
    """

    words: str
    start: Place
    degrees: float
    covered: tuple[Box, ...]
    is_below: bool = False


@dataclass(frozen=True, slots=True)
class Written:
    """The words of roofs with what they cover; those of slopes; names with their left end and middle.

    A label may hold the names of several marks; names that found no room are `left_out`, from the top. Their marks have
    a number instead, those that lie together the same: `keys` holds the numbers by the names.
    """

    roofs: tuple[tuple[Label, Box], ...]
    slopes: tuple[SlopeWords, ...]
    names: tuple[tuple[Label, Place], ...]
    left_out: tuple[str, ...] = ()
    keys: Mapping[str, str] = field(default_factory=dict)


def write(
    shown: Roofline, area: Box, place_of: PlaceOf, name_width: WidthOf, note_width: WidthOf, *, with_names: bool = True
) -> Written:
    """Slopes first, but so that all roofs have room, then roofs, then names, each off the marks and what was placed
    before. Without names every mark has a number.
    """
    at = [(point, *place_of(point.stand, point.gflops)) for point in shown.points]
    told = [(point, x, y) for point, x, y in at if not point.is_quiet]
    arrows = list(
        dict.fromkeys((place_of(point.intensity, point.gflops), (x, y)) for point, x, y in told if point.moved)
    )
    halves = dict.fromkeys(((x, y) for point, x, y in at if point.is_quiet), QUIET)
    halves |= dict.fromkeys((start for start, _ in arrows), IDEAL) | dict.fromkeys(((x, y) for _, x, y in told), MARK)
    marks = [(x - half, y - half, x + half, y + half) for (x, y), half in halves.items()]
    lines = list({box: None for line in shown.lines for box in _line_boxes(shown, line, place_of)})
    flat = [
        Label(line.words, *place_of(max(line.ridge, shown.x.low), line.gflops), note_width(line.words))
        for line in shown.lines
        if line.ridge < shown.x.high
    ]
    # Not so near to a mark that they read as its name.
    around = [(left - _OFF, top, right + _OFF, bottom) for left, top, right, bottom in marks]
    ridges = [(roof.x - _RIDGE, roof.y - _RIDGE, roof.x + _RIDGE, roof.y + _RIDGE) for roof in flat]
    placed: list[tuple[list[tuple[Label, Box]], list[SlopeWords], list[Box]]] = []
    shafts = [box for start, end in arrows for box in boxes_along(start, end, 1.0)]
    # Words of a slope cover an arrow, or come near to marks, whose names need room, only where some roof else has none.
    roomy = [(left - _ROOMY, top, right + _ROOMY, bottom) for left, top, right, bottom in marks]
    for kept_free, stand in itertools.product(([*roomy, *shafts], roomy, [*marks, *shafts], marks), _STANDS):
        slopes = _slopes(shown, area, place_of, note_width, kept_free, stand)
        if any(slopes == tried for _, tried, _ in placed):
            continue
        beside = [box for slope in slopes for box in slope.covered]
        placed.append((words_of_roofs(flat, area, [*around, *beside], lines, ridges), slopes, beside))
        if len(placed[-1][0]) == len(flat):
            break
    roofs, slopes, beside = max(placed, key=lambda each: len(each[0]))
    taken = [*marks, *beside, *(box for _, box in roofs)]
    # Runs of one name at one place have one label.
    named = list(
        dict.fromkeys(Label(point.name, x, y, name_width(point.name), point.look.value) for point, x, y in told)
    )
    if not with_names:
        named = [replace(label, width=math.inf) for label in named]
    avoided = [*lines, *shafts]
    for reach in _REACHES:
        names, left, numbers, keys = _named(named, area, taken, avoided, name_width)
        without = [label for label in left if label.words not in keys]
        if not without or len(left) > MOST_NUMBERS:
            break
        # Their neighbours give up their names: numbers need less room.
        named = [replace(label, width=math.inf) if _is_near(label, without, reach) else label for label in named]
    return Written(tuple(roofs), tuple(slopes), (*names, *numbers), tuple(label.words for label in left), keys)


def _named(
    marks: Sequence[Label], area: Box, taken: Sequence[Box], avoided: Sequence[Box], width_of: WidthOf
) -> tuple[list[tuple[Label, Place]], list[Label], list[tuple[Label, Place]], dict[str, str]]:
    """Names with their places; the marks that got none, from the top; numbers for those, and the numbers by name."""
    names = names_beside([mark for mark in marks if mark.width < math.inf], area, taken, avoided, width_of)
    said = {name for label, _ in names for name in names_of(label)}
    unnamed = [label for label in sorted(marks, key=lambda label: label.y) if label.words not in said]
    # With room beside them, so that no number reads as a part of a name.
    boxes = [label.box_at(*at) for label, at in names]
    covered = [(left - _OFF, top, right + _OFF, bottom) for left, top, right, bottom in boxes]
    covered += [box for label, at in names for line in lines_to(label, at) for box in boxes_along(*line, 1.0)]
    numbers, keys = numbers_beside(unnamed, area, [*taken, *covered], avoided, width_of)
    return names, unnamed, numbers, keys


def _is_near(label: Label, others: Sequence[Label], reach: float) -> bool:
    return any(math.dist((label.x, label.y), (other.x, other.y)) <= reach for other in others)


def key_words(written: Written) -> list[str]:
    """The names that found no room in the plane: "(1) one, other" for each number, and those without one."""
    groups: dict[str, list[str]] = {}
    for name in written.left_out:
        groups.setdefault(written.keys.get(name, ""), []).append(name)
    without = groups.pop("", [])
    numbered = [f"{number} {LISTED.join(groups[number])}" for number in sorted(groups, key=lambda key: int(key[1:-1]))]
    return [*numbered, *((f"{_ALSO}{LISTED.join(without)}",) if without else ())]


def names_listed(words: str) -> list[str]:
    """The names in one of the `key_words`."""
    return words.split(" ", 1)[1].split(LISTED)


def _line_boxes(shown: Roofline, line: RoofLine, place_of: PlaceOf) -> list[Box]:
    """Those of a roof, its slope and its flat part."""
    ridge = place_of(max(line.ridge, shown.x.low), line.gflops)
    end = place_of(shown.x.high, line.gflops)
    found = boxes_along(ridge, end, 1.0)
    if line.gb_per_s > 0:
        found += boxes_along(place_of(shown.x.low, line.gb_per_s * shown.x.low), ridge, 1.0)
    return found


def _slopes(
    shown: Roofline, area: Box, place_of: PlaceOf, width_of: WidthOf, taken: Sequence[Box], first: tuple[float, float]
) -> list[SlopeWords]:
    """The words of each slope, once for each device, where they cover nothing `taken`: if there is room at the part of
    the slope and on the side of it that are named `first`.
    """
    found: list[SlopeWords] = []
    flats = [
        box
        for line in shown.lines
        for box in boxes_along(
            place_of(max(line.ridge, shown.x.low), line.gflops), place_of(shown.x.high, line.gflops), 1.0
        )
    ]
    for line in {line.slope_words: line for line in shown.lines if line.gb_per_s > 0}.values():
        low = max(shown.x.low, shown.y.low / line.gb_per_s)
        high = min(line.ridge, shown.x.high)
        if low >= high:
            continue
        start, end = place_of(low, line.gb_per_s * low), place_of(high, line.gb_per_s * high)
        length, width = math.dist(start, end), width_of(line.slope_words)
        across, down = (end[0] - start[0]) / length, (end[1] - start[1]) / length
        covered = [*taken, *(box for slope in found for box in slope.covered)]
        for part, side in (first, *_STANDS):
            ahead, aside = part * (length - width), side * _ASIDE
            begin = start[0] + ahead * across, start[1] + ahead * down
            middle = begin[0] + aside * down, begin[1] - aside * across
            ends = [(middle[0] + far * across, middle[1] + far * down) for far in (-_AROUND, width + _AROUND)]
            boxes = boxes_along(ends[0], ends[1], _HALF)
            fits = (
                width <= length - 16
                and min(box[1] for box in boxes) >= area[1]
                and max(box[3] for box in boxes) <= area[3]
            )
            off = covered if side == _ABOVE else [*covered, *flats]
            if fits and not any(crosses(box, off) for box in boxes):
                degrees = math.degrees(math.atan2(down, across))
                found.append(SlopeWords(line.slope_words, begin, degrees, tuple(boxes), side == _BELOW))
                break
    return found
