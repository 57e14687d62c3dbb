"""Why no kernel is found in a file that seems to have one."""

from __future__ import annotations

import re

from gemmviz.catalogue.kernel_functions import MOST_READ, plain_text

_SILENT = re.compile(
    r""""(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|//[^\n]*|/\*.*?\*/|(?P<open>/\*)""",
    re.DOTALL,
)
"""Texts, characters and comments, and a comment without an end."""
_MACRO = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(?P<name>\w+)(?:[^\n\\]|\\.)*", re.MULTILINE | re.DOTALL)


def why_no_kernel(text: str, mark: str) -> str:
    """What keeps a file from having a kernel: a comment without an end, or a `mark` ("__global__") in a macro or
    without a body, with its line; "" where there is none of these.
    """
    comment = next((one for one in _SILENT.finditer(text[:MOST_READ]) if one["open"]), None)
    if comment is not None and len(text) <= MOST_READ:
        return f"the comment that begins in line {_line(text, comment.start())} does not end"
    plain = plain_text(text)
    found = re.search(rf"(?<!\w){re.escape(mark)}(?!\w)", plain)
    if found is None:
        return ""
    macro = next((one for one in _MACRO.finditer(plain) if one.start() < found.start() < one.end()), None)
    if macro is not None:
        where = f"{mark} stands in line {_line(plain, found.start())}, in the macro {macro['name']}"
        return f"{where}, and no use of it in this file makes a whole function: write the function out"
    return f"{mark} stands in line {_line(plain, found.start())}, and no whole function follows it"


def _line(text: str, place: int) -> int:
    return text.count("\n", 0, place) + 1
