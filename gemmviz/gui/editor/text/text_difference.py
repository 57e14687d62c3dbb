"""The lines of two texts beside each other: what went, what came, and some lines around it. No Qt."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum

AROUND = 3
"""Lines that are shown before and behind a difference."""
MOST_LINES = 8000
"""Of both texts together that are compared line by line; of longer ones the whole middle differs."""


class DifferenceSide(StrEnum):
    """Where a line is; the sign that stands before it."""

    BOTH = " "
    BEFORE = "-"
    AFTER = "+"
    GAP = "…"
    """Not a line: some that both texts share are left out here."""


@dataclass(frozen=True, slots=True)
class DiffLine:
    """A line, and its numbers in the text before and after, from 1; 0 where it is not there."""

    side: DifferenceSide
    text: str
    before: int = 0
    after: int = 0


def difference(before: str, after: str) -> tuple[DiffLine, ...]:
    """What differs between two texts; () for nothing."""
    old, new = before.split("\n"), after.split("\n")
    if old == new:
        return ()
    found: list[DiffLine] = []
    groups = _groups(old, new)
    for group in groups:
        first = group[0]
        if first[1] > 0:
            found.append(DiffLine(DifferenceSide.GAP, ""))
        for tag, old_begin, old_end, new_begin, new_end in group:
            if tag == "equal":
                found += [
                    DiffLine(DifferenceSide.BOTH, old[old_begin + step], old_begin + step + 1, new_begin + step + 1)
                    for step in range(old_end - old_begin)
                ]
                continue
            found += [DiffLine(DifferenceSide.BEFORE, old[at], before=at + 1) for at in range(old_begin, old_end)]
            found += [DiffLine(DifferenceSide.AFTER, new[at], after=at + 1) for at in range(new_begin, new_end)]
        if group is groups[-1] and group[-1][2] < len(old):
            found.append(DiffLine(DifferenceSide.GAP, ""))
    return tuple(found)


def _groups(old: list[str], new: list[str]) -> list[list[tuple[str, int, int, int, int]]]:
    if len(old) + len(new) <= MOST_LINES:
        return [list(group) for group in SequenceMatcher(None, old, new, autojunk=False).get_grouped_opcodes(AROUND)]
    head = next((at for at, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
    most = min(len(old), len(new)) - head
    tail = 0
    while tail < most and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    return [[("replace", head, len(old) - tail, head, len(new) - tail)]]
