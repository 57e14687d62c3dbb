"""The line at which a load is written that a compiler attributes to the line that stores what was loaded."""

from __future__ import annotations

import re

_COPY = re.compile(r"(?<![=!<>+\-*/%&|^])=\s*(?P<name>[A-Za-z_]\w*)\s*;\s*$")
_COMMENT = re.compile(r"//.*$|/\*.*?\*/")
_NESTED = re.compile(r"\[[^\]]*\[")
_ACCESS = re.compile(r"\[|\*\s*[A-Za-z_(]")
_MOST_LINES = 8
"""Of a statement."""


def line_of_load(text: str, line: int) -> int:
    """The line at which a load is written, of one that the compiler says is in `line`, from 1.

    Where `*q = v;` follows `float4 v = *p;`, an optimising compiler copies memory in the first. A line that stores
    a variable which is given its value once, in an earlier line, has no load of its own, so that it is written there:
    in the line of that statement that has the access. Any other line is its own.
    """
    lines = [_COMMENT.sub("", one) for one in text.split("\n")]
    if not 0 < line <= len(lines) or _NESTED.search(lines[line - 1]):
        return line
    copy = _COPY.search(lines[line - 1])
    if copy is None:
        return line
    given = re.compile(rf"(?<![\w.\])>])(?:\*\s*)?{copy['name']}(?:\.\w+|\[[^\]]*\])?\s*[-+*/%&|^]?=(?!=)")
    found = [number for number, one in enumerate(lines, 1) if given.search(one)]
    if len(found) != 1 or found[0] >= line:
        return line
    for number in range(found[0], min(found[0] + _MOST_LINES, line)):
        right = lines[number - 1].partition("=")[2] if number == found[0] else lines[number - 1]
        if _ACCESS.search(right):
            return number
        if ";" in right:
            break
    return line
