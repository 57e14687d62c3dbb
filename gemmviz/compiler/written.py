"""A text made from another, which knows where each of its bytes comes from: as written by a person, and as parsed."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

Piece = tuple[bytes, int, int]
"""Text that stands for the bytes [start, end) of the text before."""


@dataclass(frozen=True, slots=True)
class WrittenText:
    """`text`, and for each of its bytes the part [start, end) of `original` that it stands for."""

    text: bytes
    original: bytes
    starts: array[int]
    ends: array[int]

    def rewritten(self, pieces: Iterable[Piece]) -> WrittenText:
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
        return WrittenText(bytes(new), self.original, starts, ends)

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


_SIGNS = b"+-*/%&|^=!<>:.#"
_WORD = re.compile(rb"\w")


def apart(source: bytes, pieces: Iterable[Piece]) -> Iterator[Piece]:
    """The pieces that replace parts of `source`, with a blank where two tokens would become one: `int` and `c`."""
    before, is_new_before = b"", False
    for text, start, end in pieces:
        is_new = text != source[start:end]
        if text and before and (is_new or is_new_before) and _would_join(before, text):
            yield b" ", start, start
        yield text, start, end
        before, is_new_before = text or before, is_new if text else is_new_before or is_new


def _would_join(left: bytes, right: bytes) -> bool:
    last, first = left[-1:], right[:1]
    if last in _SIGNS and first in _SIGNS:
        return True
    begins_word = _is_word(first) or (first == b"." and right[1:2].isdigit())
    return (_is_word(last) and (begins_word or first in b"\"'")) or (last in b"\"'" and _is_word(first))


def _is_word(sign: bytes) -> bool:
    return _WORD.match(sign) is not None or sign > b"\x7f"


def as_written(text: str) -> WrittenText:
    """A text that comes from nowhere else."""
    data = text.encode()
    return WrittenText(data, data, array("q", range(len(data))), array("q", range(1, len(data) + 1)))
