"""Which lines of a text are new, and which line of an older text each one was. No Qt."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher

MOST_COMPARED = 4000
"""Lines between the first and the last difference that are compared one by one; of more, all count as changed."""


def same_lines(before: Sequence[str], after: Sequence[str]) -> dict[int, int]:
    """For each line of `after` that was in `before` the line that it was, both from 1. A line that was moved by others
    above it is the same line, whatever its number.
    """
    head = 0
    while head < min(len(before), len(after)) and before[head] == after[head]:
        head += 1
    tail, most = 0, min(len(before), len(after)) - head
    while tail < most and before[-1 - tail] == after[-1 - tail]:
        tail += 1
    same = {number: number for number in range(1, head + 1)}
    old, new = before[head : len(before) - tail], after[head : len(after) - tail]
    if len(old) <= MOST_COMPARED and len(new) <= MOST_COMPARED:
        for at_old, at_new, size in SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks():
            same |= {head + at_new + step + 1: head + at_old + step + 1 for step in range(size)}
    same |= {len(after) - step: len(before) - step for step in range(tail)}
    return same


def pairs_of_lines(before: Sequence[str], after: Sequence[str]) -> dict[int, int]:
    """As `same_lines`, with the lines that were rewritten: where as many lines stand in the place of others, each is
    taken for the one that it replaced.
    """
    pairs = same_lines(before, after)
    gap: list[int] = []
    last = 0
    for number in range(1, len(after) + 2):
        old = pairs.get(number, len(before) + 1 if number > len(after) else 0)
        if not old:
            gap.append(number)
            continue
        if len(gap) == old - last - 1:
            pairs |= {new: last + 1 + place for place, new in enumerate(gap)}
        gap, last = [], old
    return pairs


def changed_lines(before: Sequence[str], after: Sequence[str]) -> frozenset[int]:
    """The lines of `after`, from 1, that were not in `before`."""
    same = same_lines(before, after)
    return frozenset(number for number in range(1, len(after) + 1) if number not in same)


def has_same_code(before: Sequence[str], after: Sequence[str]) -> bool:
    """Whether two texts have the same lines but for empty ones, and for spaces at the ends of lines."""
    return _written(before) == _written(after)


def _written(lines: Sequence[str]) -> list[str]:
    return [line.rstrip() for line in lines if line.strip()]
