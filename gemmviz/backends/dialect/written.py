"""A text made from another, which knows where each of its bytes comes from: as written by a person, and as parsed."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from dataclasses import dataclass

Piece = tuple[bytes, int, int]
"""Text that stands for the bytes [start, end) of the text before."""


@dataclass(frozen=True, slots=True)
class Written:
    """`text`, and for each of its bytes the part [start, end) of `original` that it stands for."""

    text: bytes
    original: bytes
    starts: array[int]
    ends: array[int]

    def rewritten(self, pieces: Iterable[Piece]) -> Written:
        """The text that the pieces make up; what they leave as it is keeps its places byte by byte."""
        new, starts, ends = bytearray(), array("q"), array("q")
        for text, start, end in pieces:
            new += text
            if text == self.text[start:end]:
                starts += self.starts[start:end]
                ends += self.ends[start:end]
            else:
                first, last = self.span(start, end)
                starts += array("q", [first]) * len(text)
                ends += array("q", [last]) * len(text)
        return Written(bytes(new), self.original, starts, ends)

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The part of the original that the bytes [start, end) stand for."""
        if start >= len(self.starts):
            return len(self.original), len(self.original)
        if start >= end:
            return self.starts[start], self.starts[start]
        return min(self.starts[start:end]), max(self.ends[start:end])

    def place(self, start: int, end: int) -> tuple[int, int, str]:
        """Line and column, from 1, and text of the original that the bytes [start, end) stand for."""
        first, last = self.span(start, end)
        line_start = self.original.rfind(b"\n", 0, first) + 1
        line = self.original.count(b"\n", 0, first) + 1
        return line, first - line_start + 1, self.original[first:last].decode(errors="replace")


def as_written(text: str) -> Written:
    """A text that comes from nowhere else."""
    data = text.encode()
    return Written(data, data, array("q", range(len(data))), array("q", range(1, len(data) + 1)))
