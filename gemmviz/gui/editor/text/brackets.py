"""Finds the bracket that belongs to another one. No Qt."""

from __future__ import annotations

_CLOSES = {"(": ")", "[": "]", "{": "}"}
_OPENS = {close: open_ for open_, close in _CLOSES.items()}
FARTHEST = 100_000
"""Characters that are searched."""


def partner(text: str, place: int) -> int:
    """The place of the bracket that belongs to the one at `place`, counted from 0; -1 where there is none.

    Brackets of other kinds in between are passed over.
    """
    one = text[place : place + 1]
    if one in _CLOSES:
        step, other = 1, _CLOSES[one]
    elif one in _OPENS:
        step, other = -1, _OPENS[one]
    else:
        return -1
    depth, at, last = 0, place, max(min(place + step * FARTHEST, len(text)), -1)
    while at != last:
        depth += (text[at] == one) - (text[at] == other)
        if depth == 0:
            return at
        at += step
    return -1


def pair_at(text: str, cursor: int) -> tuple[int, int] | None:
    """The bracket before or behind a cursor, and the one that belongs to it; -1 where there is none; None for no
    bracket.
    """
    for place in (cursor - 1, cursor):
        if 0 <= place < len(text) and (text[place] in _CLOSES or text[place] in _OPENS):
            return place, partner(text, place)
    return None
