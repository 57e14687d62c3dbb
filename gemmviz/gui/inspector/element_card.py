"""What is known of one element, one slot of shared memory, one thread or one warp, as a card. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain import figures
from gemmviz.domain.elements import element_name
from gemmviz.domain.figures import counted
from gemmviz.domain.listing import listed
from gemmviz.domain.recordings.access import OTHER, PADDING, UNKNOWN, UNWRITTEN, AccessKind, MappedArray, Space
from gemmviz.domain.recordings.warp import LANES
from gemmviz.domain.terms import Evidence
from gemmviz.explain.block.shared_places import MATRICES, SharedPlace, shared_places
from gemmviz.explain.requests.loads import Loads
from gemmviz.explain.requests.selection import Selection
from gemmviz.explain.runs.figure_lines import Line, Section
from gemmviz.gui.inspector.variable_rows import VariableTable, variable_table
from gemmviz.trace.frames.access import OUT_OF_BOUNDS
from gemmviz.trace.frames.frames import Frames
from gemmviz.trace.frames.regions import bounding, region_words
from gemmviz.trace.frames.thread_variables import BlockVariables
from gemmviz.trace.frames.values import Frame, Heat, ThreadPath
from gemmviz.trace.model.rules import bank_of

_NO_ELEMENT = {
    UNWRITTEN: "nothing yet",
    PADDING: "a zero that was stored",
    OTHER: "a computed value",
    UNKNOWN: "a value not recorded",
}
_THREADS_NAMED = 6
_ELEMENTS_NAMED = 4


@dataclass(frozen=True, slots=True)
class ElementCard:
    """A title and lines of words, value and evidence; of a thread also its variables."""

    title: str
    lines: tuple[Line, ...]
    variables: VariableTable | None = None

    @property
    def text(self) -> str:
        """All of it, a line each: for a tooltip, a screen reader and the clipboard."""
        return "\n".join([self.title, *(f"{line.words}: {line.value} ({line.evidence})" for line in self.lines)])

    @property
    def sentence(self) -> str:
        """The lines in one: "loaded by 1 thread: 2; loads by this block so far: 1 of 1 time"."""
        return "; ".join(f"{line.words}: {line.value}" for line in self.lines)

    @property
    def section(self) -> Section:
        """The card as figures under its title."""
        return Section("", self.title, "", self.lines)


def card_of(
    frames: Frames, frame: Frame, selection: Selection, loads: Loads, variables: BlockVariables | None = None
) -> ElementCard | None:
    """The card of what is chosen; None for nothing, or for what the block does not have. `loads` and `variables` are
    the block's.

    Ask where the frames are made: they are for one thread.
    """
    if selection.thread is not None:
        if not 0 <= selection.thread < frames.trace.threads:
            return None
        card = thread_card(frame, frames.thread_path(selection.thread))
        if variables is None:
            return card
        return replace(card, variables=variable_table(frames, frame.index, variables, selection.thread))
    if selection.warp is not None:
        there = 0 <= selection.warp < frames.trace.addresses.shape[0]
        return warp_card(frame, selection.warp, frames.trace.threads) if there else None
    if selection.element is None or selection.element[0] not in (array.name for array in frame.arrays):
        return None
    name = selection.element[0]
    in_all = loads.in_all(frames, name)
    return element_card(frame, *selection.element, frames.heat(name, frame.index), in_all)


def element_card(
    frame: Frame, name: str, row: int, column: int, so_far: Heat | None = None, in_all: Heat | None = None
) -> ElementCard:
    """A card for element (row, column) of an array: who touches it in this frame, how often, where it lies.

    `so_far` and `in_all` are the heat of its loads at this frame and at the last; None where they are not known.

    Raises:
        KeyError: the frame has no such array.
    """
    array = next((each for each in frame.arrays if each.name == name), None)
    if array is None:
        raise KeyError(f"there is no array {name}: the frame has {', '.join(a.name for a in frame.arrays)}")
    lines = _touch_lines(frame, name, row, column)
    places = shared_places(frame, name, row, column)
    lines += _copy_lines(frame, places, tuple(AccessKind) if not lines else (AccessKind.LOAD,))
    lines = lines or [_line(f"in this {frame.mode.words}", "not touched")]
    now, ever = _count(so_far, row, column), _count(in_all, row, column)
    if ever is not None:
        words = "loads by this block" if now is None else "loads by this block so far"
        lines.append(_line(words, _times(now, ever)))
    if array.space is Space.SHARED:
        lines += _slot_lines(frame, array, row, column)
    else:
        held_at = [place.words for place in places]
        if held_at:
            lines.append(_line("in shared memory", "; ".join(held_at[:_ELEMENTS_NAMED])))
    return ElementCard(array.name_of(row, column), tuple(lines))


def _touch_lines(
    frame: Frame, name: str, row: int, column: int, kinds: Sequence[AccessKind] = tuple(AccessKind), before: str = ""
) -> list[Line]:
    lines = []
    for kind in kinds:
        touch = frame.touch(name, kind)
        threads = touch.threads(row, column) if touch else np.zeros(0, np.int32)
        if threads.size:
            doing = "loaded by" if kind is AccessKind.LOAD else "stored by"
            lines.append(_line(f"{before}{doing} {counted(int(threads.size), 'thread')}", threads_words(threads)))
    return lines


def _copy_lines(frame: Frame, places: Sequence[SharedPlace], kinds: Sequence[AccessKind]) -> list[Line]:
    """Who touches the slots that hold an element."""
    lines: list[Line] = []
    for place in places:
        lines += _touch_lines(frame, place.array.name, place.row, place.column, kinds, f"its copy {place.name} is ")
    return lines[:_ELEMENTS_NAMED]


def thread_card(frame: Frame, path: ThreadPath) -> ElementCard:
    """A card for a thread: what it touches in this frame, and how much in the whole recording."""
    here = np.flatnonzero(path.frame == frame.index)
    title = f"thread {path.thread}, warp {path.thread // LANES}, lane {path.thread % LANES}"
    lines = []
    for kind, is_store in (("loads", False), ("stores", True)):
        names = _elements(frame.arrays, path, here[path.is_store[here] == is_store])
        if names:
            lines.append(_line(f"{kind} now", listed(names, _ELEMENTS_NAMED)))
    if not lines:
        lines.append(_line(f"in this {frame.mode.words}", "touches nothing"))
    loads, stores = (int(np.sum(path.is_store == is_store)) for is_store in (False, True))
    in_all = f"{counted(loads, 'load')} and {counted(stores, 'store')}"
    lines.append(_line("in the whole recording", in_all))
    return ElementCard(title, tuple(lines))


def warp_card(frame: Frame, warp: int, threads: int) -> ElementCard:
    """A card for a warp: what its threads touch in this frame. `threads` are those of the block."""
    first, last = warp * LANES, min(warp * LANES + LANES, threads) - 1
    lines = []
    for touch in frame.touches:
        chosen = (touch.access_thread >= first) & (touch.access_thread <= last)
        if chosen.any():
            distinct = np.unique(touch.access_element[chosen])
            where = region_words(touch.array, bounding(*np.divmod(distinct, touch.array.columns)))
            times = figures.count(int(chosen.sum()))
            often = f", of {counted(int(distinct.size), 'element')}" if chosen.sum() > distinct.size else ""
            lines.append(_line(f"{touch.kind}s {where}", f"{times}{often}"))
    if not lines:
        lines.append(_line(f"in this {frame.mode.words}", "touches nothing"))
    which = f"thread {first}" if first == last else f"threads {first}–{last}"
    return ElementCard(f"warp {warp}, {which}", tuple(lines))


def threads_words(threads: NDArray[np.integer]) -> str:
    """Ascending threads: "0–15, 32" where they follow each other, the first few where there are many pieces."""
    breaks = np.flatnonzero(np.diff(threads) != 1) + 1
    runs = [(int(run[0]), int(run[-1])) for run in np.split(threads, breaks) if run.size]
    words = [str(first) if first == last else f"{first}–{last}" for first, last in runs]
    if len(words) > _THREADS_NAMED:
        return f"{', '.join(words[:_THREADS_NAMED])}, …"
    return ", ".join(words)


def _times(now: int | None, ever: int) -> str:
    """ "3 (16 at the end)", "16", "never"."""
    if not ever:
        return "never"
    return figures.count(ever) if now is None else f"{figures.count(now)} ({figures.count(ever)} at the end)"


def _slot_lines(frame: Frame, array: MappedArray, row: int, column: int) -> list[Line]:
    lines = [_line("bank", str(bank_of(array.address_of(row, column))), Evidence.DERIVED)]
    held = next((each.after for each in frame.shared if each.array.name == array.name), None)
    if held is not None:
        lines.append(_line("holds", _held(frame, int(held.origin[row, column]), int(held.matrix[row, column]))))
    return lines


def _held(frame: Frame, origin: int, matrix: int) -> str:
    if origin < 0:
        return _NO_ELEMENT.get(origin, "a computed value")
    name = MATRICES[matrix]
    columns = next((each.columns for each in frame.arrays if each.name == name), 0)
    return element_name(name, *divmod(origin, columns)) if columns else f"element {origin} of {name}"


def _elements(arrays: Sequence[MappedArray], path: ThreadPath, rows: NDArray[np.intp]) -> list[str]:
    """The names of the elements in those rows of a path, each once, in order."""
    names = dict.fromkeys(
        "out of bounds"
        if path.array[at] == OUT_OF_BOUNDS
        else arrays[path.array[at]].name_of(int(path.row[at]), int(path.column[at]))
        for at in rows.tolist()
    )
    return list(names)


def _count(heat: Heat | None, row: int, column: int) -> int | None:
    if heat is None:
        return None
    if not heat.box.holds(row, column):
        return 0
    return int(heat.counts[row - heat.box.row_start, column - heat.box.column_start])


def _line(words: str, value: str, evidence: Evidence = Evidence.RECORDED) -> Line:
    return Line(words, value, evidence)
