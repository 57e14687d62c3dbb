"""The text of the on-chip panel: heads, names, what lies there, the signs of the sum and of the product."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from gemmviz.domain.figures import count, counted
from gemmviz.domain.recordings.access import UNWRITTEN, AccessKind
from gemmviz.domain.terms import Evidence
from gemmviz.explain.block.slot_progress import SlotProgress
from gemmviz.gui.memory_view.motion_paths import has_landed
from gemmviz.gui.memory_view.paint.looks import Face, Looks
from gemmviz.gui.memory_view.places.box import Box
from gemmviz.gui.memory_view.places.hazard_places import out_of_the_way
from gemmviz.gui.memory_view.places.onchip_layout import CAPTION, JOIN, LINE, NAME, PAD, TITLE
from gemmviz.gui.memory_view.places.shared_layout import Lens, SharedArrayPlace
from gemmviz.gui.memory_view.scene import Scene
from gemmviz.gui.memory_view.shared_shades import HELD, Slot
from gemmviz.gui.memory_view.text.labels import (
    IDLE_BLOCK,
    NOT_RECORDED,
    PREPARING,
    SO_FAR,
    TRANSPOSED,
    area_labels,
    block_words,
    direct_words,
    held_labels,
    kept_words,
    onchip_head,
    shared_words,
)
from gemmviz.gui.memory_view.text.remark import Remark
from gemmviz.gui.memory_view.text.single_sum import REGISTERS, words_beside_sum
from gemmviz.gui.memory_view.text.tag_places import tag_places
from gemmviz.gui.memory_view.text.text_item import LineSide, TextItem, text_in, wrapped
from gemmviz.gui.memory_view.text.tree import tree_words

SIGN = 24.0
"""Height of the sign of a sum or product."""
_PART = re.compile("[^,]+(?:, ?|$)")
_INDICES = re.compile(r"\[[^]]*\]")
_NUMBER = re.compile(r"\d+")
_MATRIX_OF = {Slot.A: "A", Slot.B: "B", Slot.OTHER: "C"}


def onchip_words(scene: Scene, looks: Looks) -> list[TextItem]:
    """All of it; nothing while the on-chip panel is out of the window."""
    panel = scene.camera.seen(scene.onchip.panel)
    found: list[TextItem] = []
    of_places, of_lenses = _captions_alike(scene, looks)
    if panel.grown(JOIN).meets(scene.window):
        found += _head(scene, looks, panel)
        found += tree_words(scene, looks)
        if not scene.shows_tree:
            for place, held in zip(scene.places, of_places, strict=True):
                found += _array(scene, looks, place, held)
    for lens, held in zip(scene.lenses, of_lenses, strict=True):
        found += _lens(scene, looks, lens, held)
    registers = scene.onchip.registers
    if registers is not None:
        found += _registers(scene, looks, scene.camera.seen(registers), panel)
    if registers is not None or scene.adds_in_memory:
        found += _times(scene, looks)
    if scene.adds_in_memory:
        found += _adds_to_result(scene, looks, panel)
    return _of_one_size(looks, found)


def _of_one_size(looks: Looks, said: list[TextItem]) -> list[TextItem]:
    """All captions in small figures, if one of them has no room for larger ones."""
    if all(line.face is not Face.TINY for line in said):
        return said
    return [
        text_in(looks, line.text, line.box, Face.TINY, line.colour) if line.face is Face.FIGURES else line
        for line in said
    ]


def _head(scene: Scene, looks: Looks, panel: Box) -> list[TextItem]:
    theme = looks.theme
    inside = Box(panel.x + PAD, panel.y + PAD - 4, panel.width - 2 * PAD, TITLE - 4)
    title, block = onchip_head(scene.run), block_words(scene.block)
    if looks.width(f"{title} · {block}", Face.HEAD) <= inside.width and scene.block[0] >= 0:
        title = f"{title} · {block}"
    found = [text_in(looks, title, inside, Face.HEAD, theme.muted)]
    aside = str(Evidence.RECORDED)
    if scene.picture is None:
        is_idle = scene.analysis is not None and not scene.analysis.trace.slot_site.size
        aside = IDLE_BLOCK if is_idle else PREPARING
    if found[0].box.width + looks.width(aside, Face.SMALL) + 16 <= inside.width:
        found.append(text_in(looks, aside, inside, Face.SMALL, theme.muted, LineSide.RIGHT))
    if scene.picture is None:
        return found
    said, room = direct_words(scene.run, scene.analysis), scene.onchip.lines
    if not said and not scene.shows_tree:
        said, room = shared_words(scene.run), int((_spare(scene, panel) - 4.0) // LINE)
    labels = [wrapped(looks, label, inside.width, Face.SMALL) for label in said]
    lines = next((label for label in labels if len(label) <= room), [])
    top = Box(inside.x, panel.y + PAD + TITLE - 4, inside.width, LINE)
    sentence = [
        text_in(looks, line, replace(top, y=top.y + number * LINE), Face.SMALL, theme.text)
        for number, line in enumerate(lines)
    ]
    plates = [plate for _, _, plate in tag_places(scene, looks)]
    return found if any(line.box.meets(plate) for line in sentence for plate in plates) else found + sentence


def _spare(scene: Scene, panel: Box) -> float:
    """The height between the head of the panel of the factors and their names."""
    top = min((scene.camera.seen(box).y for box in scene.onchip.factors), default=panel.bottom)
    return max(top - NAME - (panel.y + PAD + TITLE - 4), 0.0)


def _registers(scene: Scene, looks: Looks, registers: Box, panel: Box) -> list[TextItem]:
    theme = looks.theme
    inside = Box(registers.x + PAD, registers.y + PAD - 4, registers.width - 2 * PAD, TITLE - 4)
    threads = f"{REGISTERS} · {counted(scene.run.launch.threads_per_block, 'thread')}"
    is_below = scene.onchip.has_sum_below
    title = threads if looks.width(threads, Face.HEAD) <= inside.width and not is_below else REGISTERS
    side = LineSide.RIGHT if is_below else LineSide.LEFT  # the sum is in the line of the head
    found = [text_in(looks, title, inside, Face.HEAD, theme.muted, side)]
    sums = scene.onchip.sums
    if sums is not None:
        at = scene.camera.seen(sums)
        between = Box(registers.right, at.middle_y - SIGN / 2, panel.x - registers.right, SIGN)
        if is_below:
            between = Box(at.x, (panel.bottom + registers.y - SIGN) / 2, at.width, SIGN)
        found.append(text_in(looks, "+=", between, Face.SIGN, theme.muted, LineSide.MIDDLE))
    return found


def _adds_to_result(scene: Scene, looks: Looks, panel: Box) -> list[TextItem]:
    """What the products are added to, left of the factors, where the sums are in no register: "C +="."""
    if scene.shows_tree or not (scene.lenses or scene.places) or not scene.onchip.factors:
        return []
    factor, said = scene.camera.seen(scene.onchip.factors[0]), f"{scene.result} +="
    room = Box(panel.x + PAD, factor.middle_y - SIGN / 2, factor.x - panel.x - 2 * PAD, SIGN)
    if looks.width(said, Face.SIGN) > room.width:
        return []
    return [text_in(looks, said, room, Face.SIGN, looks.words_colour(scene.result), LineSide.RIGHT)]


def _times(scene: Scene, looks: Looks) -> list[TextItem]:
    """The sign of the product between two factors; not where these are so low that their captions are in its way."""
    are_there = bool(scene.places) or {"A", "B"} <= {lens.name for lens in scene.lenses}
    if len(scene.onchip.factors) != 2 or not are_there:
        return []
    left, right = (scene.camera.seen(box) for box in scene.onchip.factors)
    if left.height < SIGN or right.x < left.right:
        return []
    gap = Box(left.right, left.middle_y - SIGN / 2, right.x - left.right, SIGN)
    return [text_in(looks, "×", gap, Face.SIGN, looks.theme.muted, LineSide.MIDDLE)]


def _captions_alike(scene: Scene, looks: Looks) -> tuple[list[tuple[str, ...]], list[tuple[str, ...]]]:
    """What each shared array and each part of a matrix holds, in less and less room; all begin with the first form for
    which all have room. A whole matrix is "all of C" beside any form. "so far" is left out where it has no room.
    """
    places = [] if scene.shows_tree else scene.places
    boxes = [place.box for place in places] + [lens.place.box for lens in scene.lenses]
    captions = [_held(scene, place) for place in places] + [_part(scene, lens) for lens in scene.lenses]
    first = 0
    for box, held in zip(boxes, captions, strict=True):
        area = scene.camera.seen(box)
        room = _room(scene, area, area.bottom, area.bottom + CAPTION)
        fits = (at for at, label in enumerate(held) if _widest(scene, looks, label.replace(SO_FAR, "")) <= room)
        first = max(first, next(fits, len(held) - 1))
    alike = [held if held[0].startswith("all of ") else held[min(first, len(held) - 1) :] for held in captions]
    alike = [
        tuple(dict.fromkeys(form for label in held for form in (label, label.replace(SO_FAR, "")))) for held in alike
    ]
    return alike[: len(places)], alike[len(places) :]


def _part(scene: Scene, lens: Lens) -> tuple[str, ...]:
    array = scene.array(lens.name)
    return area_labels(array, lens.part) if array is not None else ("",)


def _widest(scene: Scene, looks: Looks, label: str) -> float:
    """The width of what a label says in that frame of the block in which its numbers have the most digits, so that all
    frames have the same form.
    """
    shape = scene.run.spec.shape
    digits = len(str(max(shape.m, shape.n, shape.k) - 1))
    return looks.width(_NUMBER.sub(lambda number: number[0].rjust(digits, "0"), label), Face.SMALL)


def _held(scene: Scene, place: SharedArrayPlace) -> tuple[str, ...]:
    shade = scene.picture.shared.get(place.array.name) if scene.picture is not None else None
    if shade is None:
        return ("",)
    contents = shade.contents
    is_filled_first = (contents.before.origin == UNWRITTEN).all()  # its values are in sight while they arrive
    if 0.0 < scene.arrival < 1.0 and not is_filled_first and (contents.before.origin != contents.after.origin).any():
        return ("",)  # some slots hold what lay there, some what comes; its head says that it is filling
    is_before = scene.arrival < 1.0 and not is_filled_first
    snapshot = contents.before if is_before else contents.after
    kept = kept_words(scene.sums.in_shared, snapshot)
    if kept:
        return (kept, "")
    labels = held_labels(snapshot, scene.arrays, shade.pending_before if is_before else shade.pending_after)
    return ("",) if scene.notes.is_in_lesson and labels[0] == NOT_RECORDED else labels


def _array(scene: Scene, looks: Looks, place: SharedArrayPlace, held: tuple[str, ...]) -> list[TextItem]:
    area = scene.camera.seen(place.box)
    if not area.grown(NAME + CAPTION).meets(scene.window):
        return []
    colour = looks.theme.muted
    shade = scene.picture.shared.get(place.array.name) if scene.picture is not None else None
    if shade is not None:
        kinds = np.bincount((shade.after & HELD).reshape(-1), minlength=HELD + 1)
        held_now = [slot for slot in _MATRIX_OF if kinds[slot]]
        if held_now and not {Slot.A, Slot.B} <= {*held_now}:  # an array of both has the colour of neither
            colour = looks.words_colour(_MATRIX_OF[max(held_now, key=lambda slot: int(kinds[slot]))])
    remarks, aside = _done_with(scene, place.array.name), out_of_the_way(scene, place.array.name)
    return _around(scene, looks, area, place.array.name, colour, remarks, held, aside)


def _lens(scene: Scene, looks: Looks, lens: Lens, held: tuple[str, ...]) -> list[TextItem]:
    area = scene.camera.seen(lens.place.box)
    if scene.array(lens.name) is None or not area.grown(NAME + CAPTION).meets(scene.window):
        return []
    is_sum = lens.name == scene.result
    remark = _terms(scene) if is_sum else _done_with(scene, lens.name)
    if not is_sum and not has_landed(scene, lens.name):
        remark, held = tuple(Remark("reading", each.widest) for each in remark), ("",)
    colour = looks.words_colour(lens.name)
    if is_sum and scene.onchip.has_sum_below:
        return words_beside_sum(scene, looks, area, _names_of_sums(scene), colour, remark, held)
    name = _name_of_sums(scene, looks, area) if is_sum else lens.name
    return _around(scene, looks, area, name, colour, remark, held)


def _names_of_sums(scene: Scene) -> tuple[str, ...]:
    """What sums are called, longer and shorter: a sum that one thread adds up from shared memory by that thread."""
    progress = scene.analysis.progress if scene.analysis is not None else None
    if not isinstance(progress, SlotProgress):
        return ("sums",)
    return f"sum of thread {progress.thread}", f"thread {progress.thread}", "sum"


def _name_of_sums(scene: Scene, looks: Looks, area: Box) -> str:
    """What stands above the sums, with room for how far they have come where there is any."""
    names, progress = _names_of_sums(scene), scene.analysis.progress if scene.analysis is not None else None
    room = _room(scene, area, area.y - NAME, area.y) + _spare_left(scene, area)
    depth = progress.depth if progress is not None else 0
    beside = 8 + looks.width(f"{depth}/{depth}", Face.SMALL)
    fitting = [name for extra in (beside, 0.0) for name in names[:2] if looks.width(name, Face.NAME) + extra <= room]
    return next(iter(fitting), names[-1])


def _around(
    scene: Scene,
    looks: Looks,
    area: Box,
    name: str,
    colour: str,
    remarks: tuple[Remark, ...],
    held: tuple[str, ...],
    aside: tuple[float, float] = (0.0, 0.0),
) -> list[TextItem]:
    """The name above an array, what is done with it beside that, and what it holds below, so far `aside`."""
    top, spare = area.y - NAME - aside[0], _spare_left(scene, area)
    room, below = _room(scene, area, area.y - NAME, area.y), _room(scene, area, area.bottom, area.bottom + CAPTION)
    shortest = 8 + looks.width(remarks[-1].widest, Face.SMALL) if remarks else 0.0
    lacks = [looks.width(name, Face.NAME) + extra - max(room, area.width) for extra in (shortest, 0.0)]
    left = area.x - next((max(lacking, 0.0) for lacking in lacks if lacking <= spare), 0.0)
    found = [text_in(looks, name, Box(left, top, room + area.x - left, NAME - 3), Face.NAME, colour)]
    beside = found[0].box.right + 8
    plates = [plate for _, _, plate in tag_places(scene, looks)]
    for remark in remarks:
        if beside + looks.width(remark.widest, Face.SMALL) > area.x + max(room, area.width):
            continue
        width = looks.width(remark.words, Face.SMALL)
        at = Box(max(area.right - width, beside), top, width, NAME - 3)
        if beside + width <= area.x + max(room, area.width) and not any(at.meets(plate) for plate in plates):
            found.append(text_in(looks, remark.words, at, Face.SMALL, looks.theme.muted))
            break
    lacking = _widest(scene, looks, held[-1]) - below
    left = lacking if 0.0 < lacking <= spare else 0.0
    at = Box(area.x - left, area.bottom + 3 + aside[1], below + left, CAPTION - 3)
    boxes = [scene.camera.seen(each.place.box) for each in scene.lenses]
    boxes += [scene.camera.seen(each.box) for each in scene.places]
    ends = (box.y - NAME if box.y > area.bottom else box.bottom for box in boxes if box.bottom > area.bottom + 1)
    most = int((min((*ends, _panel_end(scene, at.x))) - at.y) / at.height)
    lines = _held_lines(scene, looks, held, at.width, most)
    if not lines and lacking <= APART / 2:  # a little to the left rather than not at all
        at = replace(at, x=at.x - lacking, width=at.width + lacking)
        lines = held[-1:]
    for number, line in enumerate(lines):
        found.append(text_in(looks, line, replace(at, y=at.y + number * at.height), Face.SMALL, looks.theme.muted))
    return found


def _spare_left(scene: Scene, area: Box) -> float:
    """How far to the left of the sums their words may begin where they have too little room else: to the margin of
    their panel. Those of other arrays begin where these do.
    """
    registers = scene.onchip.registers
    panel = scene.camera.seen(registers) if registers is not None else None
    return area.x - panel.x - PAD if panel is not None and panel.x <= area.x < panel.right else 0.0


def _panel_end(scene: Scene, x: float) -> float:
    """Where what is written below an array ends at last: at the bottom of its panel, or at the figures there."""
    figures = scene.camera.seen(scene.figures) if scene.figures is not None else None
    end = scene.camera.seen(scene.onchip.panel).bottom
    return figures.y if figures is not None and figures.x <= x < figures.right and figures.y < end else end


def _held_lines(scene: Scene, looks: Looks, held: tuple[str, ...], width: float, most: int) -> Sequence[str]:
    """What an array holds, in the longest form that fits a line, else in few lines; else only that it is transposed. ()
    where there is no room for that either.
    """
    for label in held:
        if _widest(scene, looks, label) <= width:
            return (label,)
    lines = [""]
    for part in _PART.findall(held[-1]):
        if lines[-1] and _widest(scene, looks, f"{lines[-1]}{part}".rstrip()) > width:
            lines.append("")
        lines[-1] += part
    lines = [line.rstrip() for line in lines]
    if len(lines) <= most and all(_widest(scene, looks, line) <= width for line in lines):
        return lines
    is_turned = held[-1].endswith(TRANSPOSED)
    shorter = (_INDICES.sub("", held[-1]), TRANSPOSED.removeprefix(", ")) if is_turned else ()
    return [label for label in shorter if looks.width(label, Face.SMALL) <= width][:1]


APART = 12.0
"""Pixels at least between what is written of two arrays side by side."""


def _room(scene: Scene, area: Box, top: float, bottom: float) -> float:
    """How wide a line from `top` to `bottom` may be that begins where an array does.

    Up to the next array, with what is written above and below it, that is as high or as low; or the end of the panel.
    """
    boxes = [scene.camera.seen(lens.place.box) for lens in scene.lenses]
    boxes += [scene.camera.seen(place.box) for place in scene.places]
    panels = [scene.onchip.panel, *([scene.onchip.registers] if scene.onchip.registers is not None else [])]
    ends = [
        box.x - APART for box in boxes if box.x > area.x + 1 and box.y - NAME < bottom and box.bottom + CAPTION > top
    ]
    for panel in panels:
        seen = scene.camera.seen(panel)
        if seen.x <= area.x < seen.right:
            ends.append(seen.right - 6)
    return min(ends, default=scene.window.right) - area.x


def _done_with(scene: Scene, name: str) -> tuple[Remark, ...]:
    """What a frame does with an array, in words: the same wherever there is room, so that pictures do not differ."""
    if scene.picture is None:
        return ()
    read = scene.picture.frame.touch(name, AccessKind.LOAD)
    if read is None:
        stored = scene.picture.frame.touch(name, AccessKind.STORE)
        said = "filled now" if scene.arrival >= 1.0 else "filling"
        return (Remark(said, "filled now"),) if stored is not None else ()
    least, most = int(read.counts.min()), int(read.counts.max())
    if least != most and scene.notes.is_in_lesson:
        return ()  # the figures say it in words
    times = f"{count(most)}×" if least == most else f"{count(least)}–{count(most)}×"
    return (Remark(f"read {times}", f"read {times}"),)


def _terms(scene: Scene) -> tuple[Remark, ...]:
    """How far the sums have come, longer and shorter, or why nobody knows, until they are stored; each form has room
    for what it says at the end of the block.
    """
    analysis = scene.analysis
    if scene.sums.terms is None or analysis is None or analysis.progress is None or scene.picture is None:
        return ()
    stored = scene.picture.matrices[scene.result].stored(arrived=scene.arrival >= 1.0)
    if scene.sums.unknown and stored.any():
        said = "as stored" if stored.all() else f"{count(int(stored.sum()))} of {count(stored.size)} stored"
        return (Remark(said, "as stored"),)
    if scene.sums.unknown:
        return tuple(Remark(said, said) for said in (f"not known: {scene.sums.unknown}", "not known"))
    least, most = int(scene.sums.terms.min()), int(scene.sums.terms.max())
    done, depth = count(most) if least == most else f"{count(least)}–{count(most)}", count(analysis.progress.depth)
    forms = (
        f"{{}} of {depth} terms, {Evidence.DERIVED}",
        f"{{}} of {depth} terms",
        f"{{}}/{depth} terms",
        f"{{}}/{depth}",
    )
    return tuple(Remark(form.format(done), form.format(depth)) for form in forms)
