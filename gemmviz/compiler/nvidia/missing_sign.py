"""Where a sign is missing: NVIDIA's compilers name the line of what follows it, a person looks for the line before."""

from __future__ import annotations

import re
from collections.abc import Sequence

_EXPECTED = re.compile(r'^expected an? "[^\w"]+"')
_OPENED = re.compile(r'\((?P<line>\d+)\): note(?: #[\w-]+)?: to match this "(?P<sign>[^"]+)"')
_LEFT_OUT = re.compile(r"//[^\n]*|/\*.*?\*/|^[ \t]*#[^\n]*", re.DOTALL | re.MULTILINE)
"""Comments and directives."""


def line_without_sign(message: str, line: int, below: Sequence[str], text: str) -> int:
    """The line that lacks the sign which `message` says is expected; `line` itself for any other message.

    `line` is the line that the compiler names, counted from 1, `below` are the lines of its log behind the message: the
    line of code and a caret under what was found in place of the sign. Where that is the first of its line, the sign
    is missing at the end of the last line of code before it in `text`, the source.
    """
    if not _EXPECTED.match(message) or len(below) < 2 or not text:
        return line
    code, caret = below[:2]
    if caret.strip() != "^" or code[: caret.index("^")].strip():
        return line
    return _last_of_code(text, line - 1) or line


def error_at_end(message: str, below: Sequence[str], text: str) -> tuple[int, str]:
    """Where an error stands that the compiler found behind the last line of `text`, and what it says: the last line of
    code, 0 where there is none. `below` are the lines of its log behind the message, whose first may name the line of
    the brace that is not closed.
    """
    opened = _OPENED.search(below[0]) if below else None
    words = f'{message} to match the "{opened["sign"]}" in line {opened["line"]}' if opened is not None else message
    return _last_of_code(text, text.count("\n") + 1), words


def _last_of_code(text: str, most: int) -> int:
    """The last of the first `most` lines that is more than comments and directives, from 1; 0 for none."""
    bare = _LEFT_OUT.sub(lambda match: "\n" * match[0].count("\n"), text).splitlines()[:most]
    return next((number for number in range(len(bare), 0, -1) if bare[number - 1].strip()), 0)
