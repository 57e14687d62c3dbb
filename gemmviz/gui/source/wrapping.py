"""Where a line of source is broken so that all of it can be read in a narrow column. No Qt."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from unicodedata import east_asian_width

HANG = 2
"""Columns by which what follows a break is indented further than the line itself."""
NARROW = 44
"""In fewer columns the indentation takes half of its width."""
LEAST = 8
"""Columns that a piece gets at least."""
_BEHIND = (" ", ",;({[&|+-*/?:=")
"""A line is broken behind one of the first, else of the second, where that fills more than a third of the room."""


@dataclass(frozen=True, slots=True)
class Piece:
    """The characters `start` to `end` (not included) of a line, painted from column `indent`."""

    start: int
    end: int
    indent: int


@lru_cache(4096)
def wrapped_line(code: str, first: int, rest: int) -> tuple[Piece, ...]:
    """The pieces of a line, the first at most `first` columns wide, with its indentation, the others at most `rest`.

    Joined they are the line without white space at its ends and at its breaks; an empty line is one empty piece.
    """
    end = len(code.rstrip())
    start = len(code[:end]) - len(code[:end].lstrip())
    indent = min(start // 2 if first < NARROW else start, max(first - LEAST, 0))
    pieces: list[Piece] = []
    while True:
        room = max((rest if pieces else first) - indent, LEAST)
        cut = _cut(code, start, end, room)
        pieces.append(Piece(start, cut, indent))
        start = cut + len(code[cut:end]) - len(code[cut:end].lstrip())
        if start >= end:
            return tuple(pieces)
        if len(pieces) == 1:
            indent = min(indent + HANG, max(rest - LEAST, 0))


def _cut(code: str, start: int, end: int, room: int) -> int:
    """Where a piece that begins at `start` and has `room` columns ends."""
    at, taken = start, 0
    while at < end:
        taken += 2 if east_asian_width(code[at]) in "WF" else 1
        if taken > room:
            break
        at += 1
    if at == end or code[at] == " ":
        return at
    for signs in _BEHIND:
        behind = next((place + 1 for place in range(at - 1, start, -1) if code[place] in signs), start)
        if behind - start > room // 3:
            return behind
    return max(at, start + 1)
