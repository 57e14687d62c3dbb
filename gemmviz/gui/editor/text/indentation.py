"""Indentation of code: what a new line begins with, and lines moved to the right or the left. No Qt."""

from __future__ import annotations

from collections.abc import Sequence

WIDTH = 4
"""Columns of a step."""


def leading(line: str) -> str:
    """The white space that a line begins with."""
    return line[: len(line) - len(line.lstrip(" \t"))]


def after(line: str, rest: str = "", opening: str = "{([") -> str:
    """What a line begins with that comes behind `line`: its indentation, one step more behind a sign of `opening`.

    `rest` is what stands behind the cursor and goes to the new line.
    """
    step = "\t" if leading(line).startswith("\t") else " " * WIDTH
    opens = line.rstrip().endswith(tuple(opening))
    closes = rest.lstrip().startswith(("}", ")", "]"))
    return leading(line) + (step if opens and not closes else "")


def to_next_stop(column: int) -> str:
    """The spaces from a column, counted from 0, to the next step."""
    return " " * (WIDTH - column % WIDTH)


def indented(lines: Sequence[str]) -> list[str]:
    """Lines one step to the right; empty ones stay empty."""
    return [(("\t" if line.startswith("\t") else " " * WIDTH) + line) if line.strip() else line for line in lines]


def unindented(lines: Sequence[str]) -> list[str]:
    """Lines one step to the left, as far as they have room."""
    return [line[_step_of(line) :] for line in lines]


def _step_of(line: str) -> int:
    if line.startswith("\t"):
        return 1
    return min(len(line) - len(line.lstrip(" ")), WIDTH)
