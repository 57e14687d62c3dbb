"""Which lines a PTX text says that its instructions are of: those of a source, or its own."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gemmviz.compiler.source import SOURCE_NAME

_FUNCTION = re.compile(r"^[ \t]*(?:\.(?:visible|weak|extern)\s+)*\.(?:entry|func)\b[^{;]*\{", re.MULTILINE)
_FILE = re.compile(r"^(?P<head>[ \t]*\.file[ \t]+\d+[ \t]+)\"(?P<path>[^\"\n]*)\"(?P<rest>[^\n]*)", re.MULTILINE)
_LOC = re.compile(r"^[ \t]*\.loc[ \t][^\n]*", re.MULTILINE)
_SECTION = re.compile(r"^[ \t]*\.section[ \t][^{]*\{[^}]*\}", re.MULTILINE)
_DEBUG = re.compile(r"^([ \t]*\.target[ \t]+[^\n]*?),[ \t]*debug\b", re.MULTILINE)
_ADDRESS_SIZE = re.compile(r"^[ \t]*\.address_size[ \t]+\d+[^\n]*", re.MULTILINE)
_SKIPPED = re.compile(r"(?:\s+|//[^\n]*|/\*.*?\*/)+", re.DOTALL)
_LABEL = re.compile(r"[\w$%]+\s*:(?!:)")


def with_lines_of(ptx: str, name: str) -> str:
    """The text with the file of that name, whatever its folder, as the kernel's own."""
    return _FILE.sub(lambda match: _renamed(match, name), ptx)


def _renamed(match: re.Match[str], name: str) -> str:
    is_it = match["path"].replace("\\", "/").rpartition("/")[2] == name
    return f'{match["head"]}"{SOURCE_NAME if is_it else match["path"]}"{match["rest"]}'


def with_own_lines(ptx: str) -> str:
    """The text with every instruction at its own line; what it says of another source is left out."""
    blanked = ptx
    for pattern in (_LOC, _FILE, _SECTION):
        blanked = pattern.sub(lambda match: "\n" * match[0].count("\n"), blanked)
    blanked = _DEBUG.sub(r"\1", blanked)
    pieces, done = [], 0
    for start in _instructions(blanked):
        line = blanked.count("\n", 0, start) + 1
        column = start - (blanked.rfind("\n", 0, start) + 1) + 1
        pieces += [blanked[done:start], f"\n.loc 1 {line} {column}\n"]
        done = start
    made = "".join((*pieces, blanked[done:]))
    return _ADDRESS_SIZE.sub(lambda match: f'{match[0]}\n.file 1 "{SOURCE_NAME}"', made, count=1)


def _instructions(text: str) -> Iterator[int]:
    """Where the instructions of all functions begin."""
    for head in _FUNCTION.finditer(text):
        at, depth = head.end(), 1
        while depth and at < len(text):
            skipped = _SKIPPED.match(text, at)
            at = skipped.end() if skipped is not None else at
            sign = text[at : at + 1]
            if sign in ("{", "}"):
                depth += 1 if sign == "{" else -1
                at += 1
            elif (label := _LABEL.match(text, at)) is not None:
                at = label.end()
            else:
                if sign and sign not in ".;":
                    yield at
                end = text.find(";", at)
                at = end + 1 if end >= 0 else len(text)
