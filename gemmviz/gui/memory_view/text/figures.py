"""What the block has asked for so far: words, figures and bars, left of A. They tell why tiles help."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from gemmviz.domain.figures import count, counted
from gemmviz.domain.terms import Evidence
from gemmviz.explain.block.load_counters import LoadCounter
from gemmviz.gui.memory_view.paint.looks import Face, Looks
from gemmviz.gui.memory_view.places.box import Box
from gemmviz.gui.memory_view.scene import Scene
from gemmviz.gui.memory_view.text.text_item import LineSide, TextItem, text_in

WIDEST = 300.0
HEAD, LINE, BAR, REMARK, APART = 22.0, 18.0, 8.0, 17.0, 7.0
COLUMNS_APART, COLUMNS_FROM = 20.0, 260.0
MEMORIES, LONGEST_NAME, USUAL = 2, "shared memory", 9_999_999
USUAL_REMARK, USUAL_TIMES, USUAL_SHORT = "each read 16 times", "16 times", "16×"
_TIMES, _SHORT = re.compile(r"once|twice|\d+ times"), re.compile(r"\d+×")
OVER = 24.0
"""How far they may reach below A, beside its caption."""


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar in its groove: `box` is the groove, `share` (0 to 1) of it is filled; `is_far` for global memory. `tip`
    says what it is full at.
    """

    box: Box
    share: float
    is_far: bool
    tip: str = ""


@dataclass(frozen=True, slots=True)
class Figures:
    """What stands left of A."""

    words: tuple[TextItem, ...] = ()
    bars: tuple[Bar, ...] = ()
    bottom: float = 0.0


def block_figures(scene: Scene, looks: Looks, *, short: bool = False, has_below: bool = False) -> Figures:
    """The loads from either memory, each with a bar that is full at what is loaded from it in the end.

    Below the last one stands what a full bar is, in a line of its own unless something else `has_below` its place.

    `short` leaves the bars out and says all of a memory on one line; so do figures with little height, which keep their
    bars where these have room. Of compared pictures both have the same form and
    the same names of memories, as if each had a line for both memories.
    """
    stands, load_counters = scene.figures, scene.load_counters
    if stands is None or load_counters is None:
        return Figures()
    lines = load_counters.lines
    face = Face.COUNTER if scene.notes.least_label else Face.FIGURES_STRONG
    place = replace(scene.camera.seen(stands), width=stands.width, height=stands.height)  # writing keeps its size
    rows = max(len(lines), MEMORIES * scene.is_compared)
    is_below = scene.layout.figures is not None
    has_room = place.height + OVER >= _height(rows) if is_below else place.width >= COLUMNS_FROM
    columns = 1 if is_below else rows
    usual = USUAL if scene.is_compared else max(line.total for line in lines)
    if (scene.is_compared and (short or not has_room)) or not _has_names(looks, _column(place, columns), usual, face):
        lines = tuple(replace(line, name=line.name.split()[0]) for line in lines)
    evidence = str(Evidence.RECORDED)
    if short or not has_room:
        name, most = LONGEST_NAME.split()[0], max(line.total for line in lines)
        if looks.width(name, Face.SMALL) + 8 + looks.width(count(most), face) > min(place.width, WIDEST):
            face = Face.FIGURES_STRONG  # no name is cut
        has_bars = not short and is_below and place.height + OVER >= HEAD + rows * (LINE + BAR)
        return _short(looks, place, lines, evidence, face, is_compared=scene.is_compared if has_bars else None)
    if not is_below:
        return _beside(looks, place, lines, evidence, face, is_compared=scene.is_compared)
    has_own_line = not (scene.is_compared or has_below) and place.height + OVER >= _height(rows) + REMARK
    return _below(looks, place, lines, evidence, face, is_compared=scene.is_compared, has_own_line=has_own_line)


def bar_tip(line: LoadCounter, *, is_compared: bool) -> str:
    """What a bar shows and what it is full at, as sentences."""
    of = " of both pictures" if is_compared else ""
    full = f"A full bar is {counted(line.total, 'value')}, the largest total{of} at the end."
    memory = f"{line.name.removesuffix(' memory')} memory"
    return f"{counted(line.loads, 'value')} loaded from {memory} so far. {full}"


def end_of_two(scene: Scene, *, short: bool) -> float:
    """Where the figures of two memories end, so that what is below has one place in compared pictures."""
    stands = scene.layout.figures
    line = LINE if short else LINE + BAR + 1 + REMARK + APART
    return scene.camera.seen(stands).y + HEAD + 2 * line if stands is not None else 0.0


def _short(
    looks: Looks,
    place: Box,
    lines: tuple[LoadCounter, ...],
    evidence: str,
    face: Face,
    *,
    is_compared: bool | None,
) -> Figures:
    """One line of words and a figure for each memory, under a head; each with its bar below, but for None."""
    place = replace(place, width=min(place.width, WIDEST))
    words, bars, y = _head(looks, place, evidence), list[Bar](), place.y + HEAD
    for line in lines:
        loads = count(line.loads)
        left = place.width - looks.width(count(line.total), face) - 8  # the same words from the first frame to the last
        said = _shortened(looks, line, left)
        room = Box(place.x, y, left, LINE)
        words.append(text_in(looks, said, room, Face.SMALL, looks.theme.text))
        at = Box(place.x, y, place.width, LINE)
        words.append(text_in(looks, loads, at, face, looks.theme.text, LineSide.RIGHT))
        y += LINE
        if is_compared is not None:
            groove = Box(place.x, y + 1, place.width, BAR - 2)
            bars.append(Bar(groove, line.share, line is lines[0], bar_tip(line, is_compared=is_compared)))
            y += BAR
    return Figures(tuple(words), tuple(bars), y)


def _shortened(looks: Looks, line: LoadCounter, room: float) -> str:
    """The name of a memory and what its loads mean, in as many words as there is room for."""
    name = line.name.split()[0]
    labels = [f"{called}, {remark}" for remark in line.remarks for called in (line.name, name)] or [line.name]
    return next((said for said in labels if _widest(looks, said, Face.SMALL) <= room), name)


def _widest(looks: Looks, remark: str, face: Face) -> float:
    """The width of a remark, or of the same with a usual count if that is wider: one form for tiles of any size."""
    usual = _SHORT.sub(USUAL_SHORT, _TIMES.sub(USUAL_TIMES, remark))
    return max(looks.width(each, face) for each in (remark, usual))


def _height(lines: int) -> float:
    return HEAD + lines * (LINE + BAR + REMARK + APART) - APART


def _column(place: Box, columns: int) -> float:
    """The width of one of so many columns."""
    return min((place.width - COLUMNS_APART * (columns - 1)) / columns, WIDEST)


def _has_names(looks: Looks, width: float, loads: int, face: Face) -> bool:
    """Whether a line so wide has room for the whole name of a memory beside so many loads."""
    return looks.width(LONGEST_NAME, Face.WORDS) + 8 + looks.width(count(loads), face) <= width


def _below(
    looks: Looks,
    place: Box,
    lines: Sequence[LoadCounter],
    evidence: str,
    face: Face,
    *,
    is_compared: bool,
    has_own_line: bool,
) -> Figures:
    """One line below the other, with bars; what these are full at in a line of its own, or beside the last remark."""
    place = replace(place, width=min(place.width, WIDEST))
    words, bars = _head(looks, place, evidence), []
    y, scale = place.y + HEAD, scale_words(lines[-1], is_compared=is_compared)
    for number, line in enumerate(lines):
        beside = scale if line is lines[-1] and not has_own_line else ()
        said, bar, y = _line(looks, Box(place.x, y, place.width, LINE), line, number == 0, face, is_compared, beside)
        words += said
        bars.append(bar)
    if has_own_line:
        words += _scale(looks, Box(place.x, y - APART, place.width, REMARK), scale, LineSide.LEFT)
        y += REMARK
    return Figures(tuple(words), tuple(bars), y)


def _beside(
    looks: Looks, place: Box, lines: Sequence[LoadCounter], evidence: str, face: Face, *, is_compared: bool
) -> Figures:
    """Lines in columns, where there is little height, with bars."""
    width = _column(place, len(lines))
    words, bars = _head(looks, Box(place.x, place.y, width, place.height), evidence), []
    bottom = place.y
    for number, line in enumerate(lines):
        at = Box(place.x + number * (width + COLUMNS_APART), place.y + HEAD, width, LINE)
        scale = scale_words(line, is_compared=is_compared) if line is lines[-1] else ()
        said, bar, end = _line(looks, at, line, number == 0, face, is_compared, scale)
        words += said
        bars.append(bar)
        bottom = max(bottom, end)
    return Figures(tuple(words), tuple(bars), bottom)


def _head(looks: Looks, place: Box, whence: str) -> list[TextItem]:
    """The head, and `whence` the figures are where that has room."""
    theme, at = looks.theme, Box(place.x, place.y, place.width, HEAD - 4)
    heads = ("Values this block has loaded", "Values loaded so far", "Values loaded")
    room = place.width - looks.width(whence, Face.SMALL) - 10
    head = next((head for head in heads if looks.width(head, Face.HEAD) <= room), heads[-1])
    found = [text_in(looks, head, at, Face.HEAD, theme.muted)]
    if looks.width(head, Face.HEAD) <= room:
        found.append(text_in(looks, whence, at, Face.SMALL, theme.muted, LineSide.RIGHT))
    return found


def scale_words(line: LoadCounter, *, is_compared: bool) -> tuple[str, ...]:
    """What a full bar is, longer and shorter; none where nothing will be loaded."""
    if not line.total:
        return ()
    total = count(line.total)
    plain = f"a full bar shows {total}", f"full bar: {total}"
    if is_compared:
        return f"a full bar shows {total}, the larger total", *plain
    values = f"all {total} values from {line.full_of}"
    return f"a full bar shows {values}", f"full bar: {values}", *plain


def _scale(looks: Looks, room: Box, scale: Sequence[str], side: LineSide) -> list[TextItem]:
    """What a full bar is, in as many words as there is room for."""
    fitting = [way for way in scale if looks.width(way, Face.SMALL) <= room.width]
    return [text_in(looks, way, room, Face.SMALL, looks.theme.muted, side) for way in fitting[:1]]


def _line(
    looks: Looks,
    at: Box,
    line: LoadCounter,
    is_far: bool,
    of_loads: Face,
    is_compared: bool,
    scale: Sequence[str],
) -> tuple[list[TextItem], Bar, float]:
    """A line with its bar, what the loads mean, and at the right below the bar its `scale`."""
    theme, loads = looks.theme, count(line.loads)
    width = looks.width(loads, of_loads)
    name, face = line.name, Face.WORDS
    if looks.width(name, face) > at.width - width - 8:
        name = name.split()[0]
    words = [
        text_in(looks, name, Box(at.x, at.y, at.width - width - 8, LINE), face, theme.text),
        text_in(looks, loads, at, of_loads, theme.text, LineSide.RIGHT),
    ]
    bar = Bar(Box(at.x, at.y + LINE + 1, at.width, BAR - 2), line.share, is_far, bar_tip(line, is_compared=is_compared))
    y = at.y + LINE + BAR + 1
    said = next((way for way in line.remarks if _widest(looks, way, Face.SMALL_STRONG) <= at.width), "")
    if said:
        words.append(text_in(looks, said, Box(at.x, y, at.width, REMARK), Face.SMALL_STRONG, theme.text))
    taken = max(looks.width(each, Face.SMALL_STRONG) for each in (said, USUAL_REMARK)) + 10  # one form in all frames
    words += _scale(looks, Box(at.x + taken, y, max(at.width - taken, 0.0), REMARK), scale, LineSide.RIGHT)
    return words, bar, y + REMARK + APART
