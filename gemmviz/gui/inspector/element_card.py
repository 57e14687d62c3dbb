"""What is known of one element, one slot of shared memory or one thread, for a card beside the pointer. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain import figures
from gemmviz.domain.access import LANES, OTHER, PADDING, UNWRITTEN, AccessKind, MappedArray, Space
from gemmviz.domain.terms import Evidence
from gemmviz.gui.inspector.lane_costs import BANKS, WORD_BYTES
from gemmviz.gui.inspector.request_words import counted, listed
from gemmviz.gui.last_run import Line
from gemmviz.trace.frame_access import OUT_OF_BOUNDS
from gemmviz.trace.frame_values import Frame, Heat, ThreadPath

MATRICES = "AB"
"""The matrices a snapshot of shared memory speaks of as 0 and 1."""
_NO_ELEMENT = {UNWRITTEN: "nothing yet", PADDING: "a zero that was stored", OTHER: "a computed value"}
_THREADS_NAMED = 6
_ELEMENTS_NAMED = 4


@dataclass(frozen=True, slots=True)
class Card:
    """A title and lines of words, value and evidence."""

    title: str
    lines: tuple[Line, ...]

    @property
    def text(self) -> str:
        """All of it, a line each: for a tooltip, a screen reader and the clipboard."""
        return "\n".join([self.title, *(f"{line.words}: {line.value} ({line.evidence})" for line in self.lines)])


@dataclass(frozen=True, slots=True)
class SharedPlace:
    """A slot of shared memory that holds an element."""

    array: MappedArray
    row: int
    column: int

    @property
    def bank(self) -> int:
        return bank_of(self.array, self.row, self.column)

    @property
    def words(self) -> str:
        """ "As[1,3], bank 19"."""
        return f"{self.array.name}[{self.row},{self.column}], bank {self.bank}"


def bank_of(array: MappedArray, row: int, column: int) -> int:
    """The bank an element of a shared array lies in, that of its first byte."""
    return (array.base + (row * array.columns + column) * array.element_bytes) // WORD_BYTES % BANKS


def shared_places(frame: Frame, name: str, row: int, column: int) -> tuple[SharedPlace, ...]:
    """Where in shared memory an element of A or B lies when the frame ends."""
    array = next((each for each in frame.arrays if each.name == name), None)
    if array is None or name not in MATRICES:
        return ()
    wanted, matrix = row * array.columns + column, MATRICES.index(name)
    places: list[SharedPlace] = []
    for held in frame.shared:
        found = np.nonzero((held.after.origin == wanted) & (held.after.matrix == matrix))
        places += [SharedPlace(held.array, r, c) for r, c in zip(*(axis.tolist() for axis in found), strict=True)]
    return tuple(places)


def element_card(
    frame: Frame, name: str, row: int, column: int, so_far: Heat | None = None, in_all: Heat | None = None
) -> Card:
    """A card for element (row, column) of an array: who touches it in this frame, how often, where it lies.

    `so_far` and `in_all` are the heat of its loads at this frame and at the last; None where they are not known.

    Raises:
        KeyError: the frame has no such array.
    """
    array = next((each for each in frame.arrays if each.name == name), None)
    if array is None:
        raise KeyError(f"there is no array {name}: the frame has {', '.join(a.name for a in frame.arrays)}")
    lines: list[Line] = []
    for kind in AccessKind:
        touch = frame.touch(name, kind)
        threads = touch.threads(row, column) if touch else np.zeros(0, np.int32)
        if threads.size:
            doing = "loaded by" if kind is AccessKind.LOAD else "stored by"
            lines.append(_line(f"{doing} {counted(int(threads.size), 'thread')}", threads_words(threads)))
    if not lines:
        lines.append(_line(f"in this {frame.mode}", "not touched"))
    now, ever = _count(so_far, row, column), _count(in_all, row, column)
    if ever is not None:
        words = "loads by this block" if now is None else "loads by this block so far"
        lines.append(_line(words, _times(now, ever)))
    if array.space is Space.SHARED:
        lines += _slot_lines(frame, array, row, column)
    else:
        places = [place.words for place in shared_places(frame, name, row, column)]
        if places:
            lines.append(_line("in shared memory", "; ".join(places[:_ELEMENTS_NAMED])))
    return Card(f"{name}[{row}, {column}]", tuple(lines))


def thread_card(frame: Frame, path: ThreadPath) -> Card:
    """A card for a thread: what it touches in this frame, and what in all."""
    here = np.flatnonzero(path.frame == frame.index)
    title = f"thread {path.thread}, warp {path.thread // LANES}, lane {path.thread % LANES}"
    lines = []
    for kind, is_store in (("loads", False), ("stores", True)):
        names = _elements(frame.arrays, path, here[path.is_store[here] == is_store])
        if names:
            lines.append(_line(f"{kind} now", listed(names, _ELEMENTS_NAMED)))
    if not lines:
        lines.append(_line(f"in this {frame.mode}", "touches nothing"))
    for kind, is_store in (("loads in all", False), ("stores in all", True)):
        chosen = path.is_store == is_store
        lines.append(_line(kind, f"{figures.count(int(chosen.sum()))} in {_frames(path.frame[chosen])}"))
    return Card(title, tuple(lines))


def threads_words(threads: NDArray[np.integer]) -> str:
    """Ascending threads: "0–15, 32" where they follow each other, the first few where there are many pieces."""
    breaks = np.flatnonzero(np.diff(threads) != 1) + 1
    runs = [(int(run[0]), int(run[-1])) for run in np.split(threads, breaks) if run.size]
    words = [str(first) if first == last else f"{first}–{last}" for first, last in runs]
    if len(words) > _THREADS_NAMED:
        return f"{', '.join(words[:_THREADS_NAMED])}, …"
    return ", ".join(words)


def _times(now: int | None, ever: int) -> str:
    """ "3 of 16 times", "16 times", "never"."""
    if not ever:
        return "never"
    times = f"{figures.count(ever)} {'time' if ever == 1 else 'times'}"
    return times if now is None else f"{figures.count(now)} of {times}"


def _slot_lines(frame: Frame, array: MappedArray, row: int, column: int) -> list[Line]:
    lines = [_line("bank", str(bank_of(array, row, column)), Evidence.DERIVED)]
    held = next((each.after for each in frame.shared if each.array.name == array.name), None)
    if held is not None:
        lines.append(_line("holds", _held(frame, int(held.origin[row, column]), int(held.matrix[row, column]))))
    return lines


def _held(frame: Frame, origin: int, matrix: int) -> str:
    if origin < 0:
        return _NO_ELEMENT.get(origin, "a computed value")
    name = MATRICES[matrix]
    columns = next((each.columns for each in frame.arrays if each.name == name), 0)
    return f"{name}[{origin // columns}, {origin % columns}]" if columns else f"element {origin} of {name}"


def _elements(arrays: Sequence[MappedArray], path: ThreadPath, rows: NDArray[np.intp]) -> list[str]:
    """The names of the elements in those rows of a path, each once, in order."""
    names = dict.fromkeys(
        "out of bounds"
        if path.array[at] == OUT_OF_BOUNDS
        else f"{arrays[path.array[at]].name}[{path.row[at]},{path.column[at]}]"
        for at in rows.tolist()
    )
    return list(names)


def _frames(indices: NDArray[np.int32]) -> str:
    return counted(int(np.unique(indices).size), "frame")


def _count(heat: Heat | None, row: int, column: int) -> int | None:
    if heat is None:
        return None
    if not heat.box.holds(row, column):
        return 0
    return int(heat.counts[row - heat.box.row_start, column - heat.box.column_start])


def _line(words: str, value: str, evidence: Evidence = Evidence.RECORDED) -> Line:
    return Line(words, value, evidence)
