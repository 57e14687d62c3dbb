"""A frame as text, to be compared to the letter."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest

import numpy as np

from gemmviz.domain.recordings.access import (
    INACTIVE,
    OTHER,
    PADDING,
    UNKNOWN,
    UNWRITTEN,
    AccessKind,
    MappedArray,
    SharedSnapshot,
    Space,
)
from gemmviz.trace.frames.regions import touched_words
from gemmviz.trace.frames.values import Frame, Request

MOST_ROWS = 32
MOST_COLUMNS = 32
"""Larger arrays are not drawn: the rectangles that are touched are named instead."""

_UNTOUCHED, _READ, _WRITTEN, _BOTH = ".rwx"
_NOTHING_KNOWN = {UNWRITTEN: "-", PADDING: "0", OTHER: "*", UNKNOWN: "?"}


def frame_text(frame: Frame, *, digits: bool = False) -> str:
    """A frame in a few lines, without a line break at the end.

    First the caption, then block, epoch and slots; the sites that ran, in order, with their lines; A, B, C and the
    shared arrays side by side: "." untouched, "r" read, "w" written, "x" both, or with `digits` how often each element
    was touched ("+" for more than nine). Below them what each shared array holds when the frame ends: "A[0,1]", "-"
    unwritten, "0" padding, "*" a computed value, "?" a value nobody looked at. A request
    says at last which lane touches what.
    """
    return "\n".join(line.rstrip() for line in _lines(frame, digits))


def _lines(frame: Frame, digits: bool) -> Iterator[str]:
    yield frame.caption
    first, last = frame.slots
    slots = f"slot {first}" if last - first == 1 else f"slots {first}-{last - 1}"
    yield f"block {frame.block}, epoch {frame.epoch}, {slots}{', barrier' if frame.ends_at_barrier else ''}"
    for site in frame.sites:
        yield f"line {site.line}: {site.kind} {site.text}"
    drawn = [a for a in frame.arrays if _is_small(a)]
    yield from _beside([[a.name, *_grid(frame, a, digits)] for a in drawn])
    for array in frame.arrays:
        if not _is_small(array):
            yield f"{array.name} {array.rows}x{array.columns}: {_summary(frame, array)}"
    for contents in frame.shared:
        if _is_small(contents.array):
            yield f"{contents.array.name} holds"
            yield from _held(frame, contents.after)
    if frame.out_of_bounds.thread.size:
        yield f"out of bounds: threads {' '.join(str(t) for t in np.unique(frame.out_of_bounds.thread))}"
    if frame.request is not None:
        yield from _lanes(frame, frame.request)


def _is_small(array: MappedArray) -> bool:
    return array.rows <= MOST_ROWS and array.columns <= MOST_COLUMNS


def _grid(frame: Frame, array: MappedArray, digits: bool) -> list[str]:
    """One line of characters for each row of the array."""
    cells = np.zeros((2, array.rows, array.columns), np.int64)
    for i, kind in enumerate(AccessKind):
        touch = frame.touch(array.name, kind)
        if touch is not None:
            cells[i, touch.rows, touch.columns] = touch.counts
    if digits:
        return ["".join(_digit(count) for count in row) for row in cells.sum(axis=0).tolist()]
    signs = np.array([_UNTOUCHED, _READ, _WRITTEN, _BOTH])
    return ["".join(row) for row in signs[(cells[0] > 0) + 2 * (cells[1] > 0)].tolist()]


def _digit(count: int) -> str:
    if count == 0:
        return _UNTOUCHED
    return str(count) if count < 10 else "+"


def _beside(columns: list[list[str]]) -> Iterator[str]:
    """Columns of lines side by side, two blanks apart."""
    widths = [max(len(line) for line in column) for column in columns]
    for lines in zip_longest(*columns, fillvalue=""):
        yield "  ".join(line.ljust(width) for line, width in zip(lines, widths, strict=True))


def _summary(frame: Frame, array: MappedArray) -> str:
    touched = [t for t in frame.touches if t.array.name == array.name]
    signs = {AccessKind.LOAD: _READ, AccessKind.STORE: _WRITTEN}
    said = [f"{signs[t.kind]} {touched_words(array, t.box, t.rows.size)}" for t in touched]
    return ", ".join(said) or _UNTOUCHED


def _held(frame: Frame, snapshot: SharedSnapshot) -> list[str]:
    """The names of what lies in each slot, in aligned columns, indented."""
    columns = {a.name: a.columns for a in frame.arrays if a.space is Space.GLOBAL}
    names = [
        [_origin(int(o), "AB"[m], columns) for o, m in zip(origins, matrices, strict=True)]
        for origins, matrices in zip(snapshot.origin.tolist(), snapshot.matrix.tolist(), strict=True)
    ]
    width = max(len(name) for row in names for name in row)
    return ["  " + " ".join(name.ljust(width) for name in row) for row in names]


def _origin(origin: int, matrix: str, columns: dict[str, int]) -> str:
    if origin < 0:
        return _NOTHING_KNOWN[origin]
    row, column = divmod(origin, columns[matrix])
    return f"{matrix}[{row},{column}]"


def _lanes(frame: Frame, request: Request) -> Iterator[str]:
    """Eight lanes to a line: "lane 0 A[2,0], 1 A[2,0]"; a wide access shows its first and last element."""
    active = [lane for lane in range(request.addresses.size) if request.addresses[lane] != INACTIVE]
    for begin in range(0, len(active), 8):
        yield "lane " + ", ".join(f"{lane} {_element(frame, request, lane)}" for lane in active[begin : begin + 8])


def _element(frame: Frame, request: Request, lane: int) -> str:
    if request.array[lane] < 0:
        return "out of bounds"
    array, row, column = frame.arrays[request.array[lane]], int(request.row[lane]), int(request.column[lane])
    span = int(request.span[lane])
    if span == 1:
        return f"{array.name}[{row},{column}]"
    first, beside = np.array([row * array.columns + column]), np.array([span - 1])
    last = divmod(int(array.numbers_beside(first, beside)[0]), array.columns)
    return f"{array.name}[{row},{column}]..[{last[0]},{last[1]}]"
