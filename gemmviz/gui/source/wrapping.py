"""Where a line of source is broken so that all of it can be read in a narrow column. No Qt."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from unicodedata import east_asian_width

HANG = 2
"""Columns by which what follows a break is indented further than the line itself."""
NARROW = 44
"""Where code has fewer columns, all its indentation takes half of its width."""
LEAST = 8
"""Columns that a piece gets at least."""
_SIGNS = ",;({[&|+-*/?:="
"""A line is broken behind a space, else behind one of these, where that fills more than a third of the room."""
_PAIRS = ("()", "[]", "{}")
"""No line is broken within an empty pair."""


@dataclass(frozen=True, slots=True)
class Piece:
    """The characters `start` to `end` (not included) of a line, painted from column `indent`."""

    start: int
    end: int
    indent: int


@lru_cache(4096)
def wrapped_line(code: str, first: int, rest: int, columns: int) -> tuple[Piece, ...]:
    """The pieces of a line, the first at most `first` columns wide, with its indentation, the others at most `rest`.

    `columns` has the code of all lines: whether indentation is halved is the same for all, whatever else stands in one.
    Joined they are the line without white space at its ends and at its breaks; an empty line is one empty piece.
    """
    end = len(code.rstrip())
    start = len(code[:end]) - len(code[:end].lstrip())
    indent = min(start // 2 if columns < NARROW else start, max(first - LEAST, 0))
    pieces: list[Piece] = []
    while True:
        room = max((rest if pieces else first) - indent, LEAST)
        hung = indent if pieces else min(indent + HANG, max(rest - LEAST, 0))
        cut = _cut(code, start, end, room, max(rest - hung, LEAST), is_first=not pieces)
        pieces.append(Piece(start, cut, indent))
        start = cut + len(code[cut:end]) - len(code[cut:end].lstrip())
        if start >= end:
            return tuple(pieces)
        indent = hung


def _cut(code: str, start: int, end: int, room: int, next_room: int, *, is_first: bool) -> int:
    """Where a piece that begins at `start` and has `room` columns ends; at `start` where the first one stays empty, as
    all that it could hold is a part of what fits into the next.
    """
    at = start + _fitting(code, start, end, room)
    if at == end or code[at] == " ":
        return at
    space = code.rfind(" ", start, at) + 1
    word = next((place for place in range(at, end) if code[place] == " "), end)
    if space > start and (space - start > room // 3 or _fitting(code, space, word, next_room) == word - space):
        return space
    signs = (place + 1 for place in range(at - 1, start, -1) if code[place] in _SIGNS)
    behind = next((place for place in signs if code[place - 1 : place + 1] not in _PAIRS), start)
    if behind - start > room // 3:
        return behind
    if is_first and space <= start and _fitting(code, start, word, next_room) == word - start:
        return start
    return max(at, start + 1)


def _fitting(code: str, start: int, end: int, room: int) -> int:
    """How many characters from `start` on fit into `room` columns."""
    at, taken = start, 0
    while at < end:
        taken += 2 if east_asian_width(code[at]) in "WF" else 1
        if taken > room:
            break
        at += 1
    return at - start
