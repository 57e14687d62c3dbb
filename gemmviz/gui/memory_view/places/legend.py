"""What stands below the picture: the legend of its colours and signs, and the scale of the heat.

Below them a line that is the same in every frame: where the recording was made (`words_place`), what is not to scale.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from gemmviz.domain.figures import count
from gemmviz.explain.block.heat_maps import HeatMap
from gemmviz.gui.memory_view.paint.looks import Face, Looks
from gemmviz.gui.memory_view.paint.painted import legend_of
from gemmviz.gui.memory_view.places.box import Box
from gemmviz.gui.memory_view.places.matrix_layout import MARGIN, PLACE_LINE
from gemmviz.gui.memory_view.scene import Scene
from gemmviz.gui.memory_view.text.signs import LegendEntry, Sign, is_same_thread, merged
from gemmviz.gui.memory_view.text.text_item import TextItem, text_in

STRIP_HEIGHT, LEGEND_HEIGHT = 40.0, 24.0
"""Heights of the strip at the bottom of the window, and of the legend in it."""
LIFTS, MOST_LIFT = (4.0, 2.0, 0.0), 6.0
"""Pixels that a legend of one, two or three lines stands higher than its strip, apart from what stands below it, where
LABEL_ROOM is left below the matrices; at most where BELOW_MATRICES is.
"""
BELOW_MATRICES, LABEL_ROOM = 31.0, 27.0
"""Pixels of captions below matrices with the air below them, and without what lines have above their letters."""
SWATCH, STRIPE, TO_WORD = 12.0, 8.0, 5.0
APART, CLOSE = 18.0, 14.0
"""Pixels between entries of a legend in one line, and in more lines."""
ROW, SMALL_SWATCH, MOST_LINES, MOST_USUAL = 14.0, 10.0, 3, 2
"""Of a legend in more than one line: the height of a line and of a swatch, how many lines there are at most, and how
many for what other frames usually show.
"""
LEAST_BALANCED = 3
"""Of fewer entries in two lines the last one stands alone in any case."""
_FORMS = (
    (1, Face.WORDS, APART),
    (1, Face.SMALL, APART),
    *((lines, Face.SMALL, CLOSE) for lines in range(1, MOST_LINES + 1)),
)
"""Lines and letters of a legend, and pixels between its entries, from the one that is read best."""
_USUAL = (
    LegendEntry(Sign.NOW, Sign.NOW.value, ("A", "B")),
    LegendEntry(Sign.BEFORE, Sign.BEFORE.value, ("A", "B", "C")),
    LegendEntry(Sign.TO_COME, Sign.TO_COME.value, ("A", "B")),
    LegendEntry(Sign.SUM, Sign.SUM.value, ("C",)),
    LegendEntry(Sign.THREAD, "example: thread 100"),
    LegendEntry(Sign.BLOCK, Sign.BLOCK.value, ("C",)),
)
"""What some frame of nearly every recording shows."""
Form = tuple[int, Face, float]
RAMP_WIDTH, RAMP_HEIGHT, GAP = 150.0, 7.0, 18.0


@dataclass(frozen=True, slots=True)
class Swatch:
    """What an entry of the legend looks like: its sign, in the colours of so many matrices, in a box."""

    sign: Sign
    box: Box
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PictureLegend:
    """Writing, swatches of the legend, and the place of the ramp of colours, None without heat; `top` of the strip.
    `faint` and `faint_words` are of what other frames paint. It has room for so many `lines`.
    """

    words: tuple[TextItem, ...]
    swatches: tuple[Swatch, ...] = ()
    ramp: Box | None = None
    top: float = 0.0
    faint: tuple[Swatch, ...] = ()
    faint_words: tuple[TextItem, ...] = ()
    lines: int = 1


@dataclass(frozen=True, slots=True)
class _Lines:
    """Entries of the legend in lines, what is left of the last line, and the top of the strip that they need.
    `placed` counts those that have a place.
    """

    placed: int
    swatches: list[Swatch]
    words: list[TextItem]
    rest: Box
    top: float
    faint: tuple[Swatch, ...]
    faint_words: tuple[TextItem, ...]
    count: int


def with_legends_alike(scenes: Sequence[Scene], looks: Looks) -> list[Scene]:
    """Scenes that stand beside each other, with as many lines for the legend of each as one of them needs: legends that
    begin at one height.
    """
    lines = max((picture_legend(scene, looks).lines for scene in scenes), default=1)
    return [replace(scene, notes=replace(scene.notes, legend_lines=lines)) for scene in scenes]


def picture_legend(scene: Scene, looks: Looks) -> PictureLegend:
    """The legend, after the scale of the heat and what is counted if there is heat."""
    heat = scene.picture.heat if scene.picture is not None else None
    return _scale(scene, looks, heat) if heat is not None else _key(scene, looks)


def strip_top(scene: Scene) -> float:
    """Where a legend of one line begins: lower where nothing is said below it."""
    return scene.window.bottom - STRIP_HEIGHT + (0.0 if _has_place_line(scene) else PLACE_LINE)


def _has_place_line(scene: Scene) -> bool:
    return scene.notes.names_device or bool(scene.layout.notes)


def _entries(scene: Scene, looks: Looks, x: float, end: float) -> _Lines:
    """The entries of the legend from `x` to `end`: in one line, with smaller letters if need be, else in more lines.
    Pictures that are compared have letters of one size, and on the page so have all frames of a recording: with room
    for what other frames usually show. What finds no room in MOST_LINES is left out. What the scene keeps has a place
    in any case, so that no entry moves when another one comes or goes; what other frames paint stands there faintly, so
    that the line has no holes. A lesson, which has little room, names only what is painted where all does not fit into
    one line.
    """
    painted = legend_of(scene)
    kept = _placed(scene, painted)
    forms = [form for form in _FORMS[scene.is_compared :] if form[0] >= scene.notes.legend_lines]
    usual = _usual(scene, painted)
    of_kept = [(form, kept) for form in forms if form[0] == 1 or not scene.notes.is_in_lesson]
    of_painted = [(form, painted) for form in forms if scene.notes.is_in_lesson]
    fitting: _Lines | None = None
    for form, entries in (*of_kept, *of_painted):
        found = _in_lines(scene, looks, entries, painted, (x, end), form)
        if found.placed == len(entries):
            fitting = fitting or found
            room = _in_lines(scene, looks, usual, usual, (x, end), form).placed
            if found.count <= MOST_USUAL and room == len(usual):
                return found
    return fitting or found


def _usual(scene: Scene, painted: Sequence[LegendEntry]) -> tuple[LegendEntry, ...]:
    """What the legend has room for in all frames of a recording on the page; () where other frames decide nothing."""
    heat = scene.picture.heat if scene.picture is not None else None
    if scene.notes.kept_legend or scene.notes.is_in_lesson or scene.is_compared or scene.shows_tree or heat is not None:
        return ()
    others = [LegendEntry(Sign.HELD, Sign.HELD.value, ("A", "B"))] if scene.places else []
    others += [LegendEntry(Sign.HAZARD, Sign.HAZARD.value)] if scene.run.hazards else []
    return merged(painted, _USUAL, others)


def _placed(scene: Scene, painted: Sequence[LegendEntry]) -> tuple[LegendEntry, ...]:
    """The entries that have a place: what any frame paints, as the scene keeps them, and then what else is painted."""
    kept = scene.notes.kept_legend
    shown = _shown(kept, painted)
    placed = [entry if now is None else _with_colours(entry, now) for entry, now in zip(kept, shown, strict=True)]
    return *placed, *(entry for entry in painted if entry not in shown)


def _with_colours(entry: LegendEntry, now: LegendEntry) -> LegendEntry:
    return replace(entry, names=tuple(sorted({*entry.names, *now.names})))


def _shown(entries: Sequence[LegendEntry], painted: Sequence[LegendEntry]) -> list[LegendEntry | None]:
    """For each entry what is painted of it: the same, else the same thread, which may be chosen in one frame and
    followed in another, else what has its sign, such as another chosen thread; None for nothing.
    """
    shown: list[LegendEntry | None] = [None] * len(entries)
    rest = list(painted)
    for is_meant in (_is_same, is_same_thread, _has_sign_of):
        for place, entry in enumerate(entries):
            found = next((each for each in rest if is_meant(entry, each)), None) if shown[place] is None else None
            if found is not None:
                shown[place] = found
                rest.remove(found)
    return shown


def _words_of(entry: LegendEntry, shown: LegendEntry | None) -> str:
    """What is said in the place of an entry; of a thread that is chosen not that it is an example."""
    if shown is None or shown.sign is entry.sign:
        return (shown or entry).words
    return min(entry.words, shown.words, key=len)


def _has_sign_of(one: LegendEntry, other: LegendEntry) -> bool:
    return one.sign is other.sign


def _is_same(one: LegendEntry, other: LegendEntry) -> bool:
    return (one.sign, one.words) == (other.sign, other.words)


def _in_lines(
    scene: Scene,
    looks: Looks,
    entries: Sequence[LegendEntry],
    painted: Sequence[LegendEntry],
    across: tuple[float, float],
    form: Form,
) -> _Lines:
    """As many of the entries as fit into the lines; the last one stands right above the line of the place. None stands
    alone in a last line: lines are about equally long then.
    """
    most, face, apart = form
    high, size = (LEGEND_HEIGHT, SWATCH) if most == 1 else (ROW, SMALL_SWATCH)
    lift = _lift(scene, most, high)
    top = strip_top(scene) - max(high * most - LEGEND_HEIGHT + lift, 0.0) * (most > 1)
    y = strip_top(scene) + LEGEND_HEIGHT - high * most - lift
    (start, end), x, lines = across, across[0], 1
    shown_now = _shown(entries, painted)
    widths = [
        max(size, STRIPE * len(entry.names))
        + TO_WORD
        + max(looks.width(each, face) for each in (entry.words, _words_of(entry, shown)))
        for entry, shown in zip(entries, shown_now, strict=True)
    ]
    end = start + _balanced(widths, end - start, apart, most)
    placed, swatches = 0, list[Swatch]()
    words, faint, faint_words = list[TextItem](), list[Swatch](), list[TextItem]()
    for entry, shown, whole in zip(entries, shown_now, widths, strict=True):
        if x + whole > end:
            if lines == most or x == start:
                break
            x, y, lines = start, y + high, lines + 1
        if x + whole > end:
            break
        wide, said = max(size, STRIPE * len(entry.names)), _words_of(entry, shown)
        width = whole - wide - TO_WORD
        placed += 1
        at, own = Box(x + wide + TO_WORD, y, width, high), Box(x, y + (high - size) / 2, wide, size)
        label = text_in(looks, said, at, face, looks.theme.muted)
        if shown is None:
            faint.append(Swatch(entry.sign, own, entry.names))
            faint_words.append(label)
        else:
            swatches.append(Swatch(shown.sign, own, shown.names))  # fewer colours have wider stripes
            words.append(label)
        x = float(round(at.right + apart))
    rest = Box(x, y, max(across[1] - x, 0.0), high)
    return _Lines(placed, swatches, words, rest, top, tuple(faint), tuple(faint_words), most)


def _balanced(widths: Sequence[float], room: float, apart: float, most: int) -> float:
    """How long lines for entries of these widths are, `room` at most: where one alone would stand in the last line, as
    short as they can be in equally many lines.
    """
    lines = _line_counts(widths, room, apart)
    if not 1 < len(lines) <= most or lines[-1] > 1 or len(widths) < LEAST_BALANCED:
        return room
    wanted = room
    for start in range(len(widths)):
        for end in range(start, len(widths)):
            length = sum(widths[start : end + 1]) + (apart + 1.0) * (end - start)  # entries begin at whole pixels
            if max(widths) <= length < wanted and len(_line_counts(widths, length, apart)) == len(lines):
                wanted = length
    return wanted


def _line_counts(widths: Sequence[float], room: float, apart: float) -> list[int]:
    """How many entries of these widths stand in each line, as in `_in_lines`."""
    counts, x = list[int](), 0.0
    for width in widths:
        if counts and x + width <= room:
            counts[-1] += 1
        else:
            counts.append(1)
            x = 0.0
        x = float(round(x + width + apart))
    return counts


def _lift(scene: Scene, lines: int, high: float) -> float:
    """How much higher than its strip a legend stands, whose lines are so `high`."""
    if not _has_place_line(scene):
        return 0.0
    least, top = LIFTS[lines - 1], strip_top(scene) - max(high * lines - LEGEND_HEIGHT, 0.0)
    if not scene.camera.shows_all:
        return least
    room = top - max((box.bottom for box in scene.layout.places.values()), default=0.0)
    return float(int(max(0.0, min(least, room - LABEL_ROOM), min(room - BELOW_MATRICES, MOST_LIFT))))


def _key(scene: Scene, looks: Looks) -> PictureLegend:
    found = _entries(scene, looks, MARGIN, scene.window.right - MARGIN)
    painted = tuple(found.words), tuple(found.swatches)
    return PictureLegend(*painted, None, found.top, found.faint, found.faint_words, found.count)


def _scale(scene: Scene, looks: Looks, heat: HeatMap) -> PictureLegend:
    """What the colours count, in full where the entries of the legend have room behind it, else by its name."""
    window, theme = scene.window, looks.theme
    y, end, wanted = strip_top(scene), window.right - MARGIN, len(_placed(scene, legend_of(scene)))
    for said in (heat.note, heat.title) if heat.layers else (heat.title,):
        most = max(end - MARGIN - GAP - RAMP_WIDTH, 0.0)
        title = text_in(looks, said, Box(MARGIN, y, most, LEGEND_HEIGHT), Face.SMALL_STRONG, theme.text)
        ramp = Box(title.box.right + GAP, y + LEGEND_HEIGHT - RAMP_HEIGHT - 3, RAMP_WIDTH, RAMP_HEIGHT)
        found = _entries(scene, looks, ramp.right + GAP, end)
        if title.text == said and found.placed == wanted and found.top >= y:
            break
    words = [title]
    for mark in heat.marks:
        text, at = count(mark), ramp.x + heat.place(mark) * ramp.width
        width = looks.width(text, Face.TINY)
        room = Box(at - width / 2, y, width, LEGEND_HEIGHT - RAMP_HEIGHT - 5)
        words.append(text_in(looks, text, room, Face.TINY, theme.text))
    words += found.words
    x, y = found.rest.x, found.rest.y
    if not heat.layers and x + looks.width(heat.note, Face.SMALL) <= end:  # why there is nothing to count
        room = Box(x, y, looks.width(heat.note, Face.SMALL), found.rest.height)
        words.append(text_in(looks, heat.note, room, Face.SMALL, theme.muted))
        x = room.right + GAP
    evidence, wide = str(heat.evidence), looks.width(str(heat.evidence), Face.SMALL)
    if x + wide <= end:
        words.append(text_in(looks, evidence, Box(x, y, wide, found.rest.height), Face.SMALL, theme.muted))
    painted = tuple(words), tuple(found.swatches)
    return PictureLegend(*painted, ramp, found.top, found.faint, found.faint_words, found.count)
