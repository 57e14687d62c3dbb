"""What a kernel printed, below the figures of its run or recording, where it can be copied with them. No Qt."""

from __future__ import annotations

from gemmviz.domain import figures
from gemmviz.domain.visible_text import visible

MOST_LINES = 12


def printed_words(printed: str) -> str:
    """How much a kernel printed, as a sentence; "" for nothing."""
    return f"The kernel printed {figures.counted(len(_lines(printed)), 'line')}." if printed else ""


def with_printed(note: str, printed: str) -> str:
    """A note, and below it the head of the lines that a kernel printed."""
    return "\n".join(filter(None, [note, f"{printed_words(printed)[:-1]}:" if printed else ""]))


def shown_lines(printed: str) -> str:
    """The first lines that a kernel printed, in the order in which they came, and how many more there are."""
    lines = _lines(printed)
    left = len(lines) - MOST_LINES
    rest = [f"… and {figures.counted(left, 'more line', 'more lines')}"] if left > 0 else []
    return "\n".join([*(visible(line) for line in lines[:MOST_LINES]), *rest])


def _lines(printed: str) -> list[str]:
    return printed.removesuffix("\n").split("\n")
