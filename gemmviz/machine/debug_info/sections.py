"""The debug sections of a PTX text as bytes, and the labels that stand among them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

_SECTION = re.compile(r"^[ \t]*\.section[ \t]+(?P<name>\.\w+)\s*\{(?P<body>[^{}]*)\}", re.MULTILINE)
_DATA = re.compile(r"\.b(?P<bits>8|16|32|64)\s+(?P<values>[^\n]*)")
_SYMBOL = re.compile(r"(?P<name>[.$%A-Za-z_][\w$.%]*)\s*(?:\+\s*(?P<offset>\d+))?")
_LABEL = re.compile(r"^(?P<name>\$L__[\w$]+):", re.MULTILINE)
MOST_BYTES = 1 << 24
"""Of all debug sections of a text together."""


class DebugInfoError(ValueError):
    """The debug information of a PTX text is damaged, or of a form that is not read."""


@dataclass(frozen=True, slots=True)
class Symbol:
    """A label, section or variable in place of a number, and what is added to its address."""

    name: str
    offset: int


@dataclass(slots=True)
class SectionBytes:
    """The bytes of a section, zeros where `symbols` has a symbol, by the offset of its first byte."""

    data: bytearray = field(default_factory=bytearray)
    symbols: dict[int, Symbol] = field(default_factory=dict)


def read_sections(text: str) -> Mapping[str, SectionBytes]:
    """The sections of a PTX text by their names (".debug_info").

    Raises:
        DebugInfoError: a line is neither numbers nor a symbol, or there are more than MOST_BYTES.
    """
    found: dict[str, SectionBytes] = {}
    total = 0
    for match in _SECTION.finditer(text):
        section = found.setdefault(match["name"], SectionBytes())
        before = len(section.data)
        for line in match["body"].splitlines():
            if line.strip():
                _append(section, line.strip())
        total += len(section.data) - before
        if total > MOST_BYTES:
            raise DebugInfoError(f"the debug sections have more than {MOST_BYTES} bytes")
    return found


def labels_of(text: str) -> dict[str, int]:
    """Where in a PTX text each of the compiler's labels stands first; copies of a function repeat them."""
    found: dict[str, int] = {}
    for match in _LABEL.finditer(text):
        found.setdefault(match["name"], match.start())
    return found


def _append(section: SectionBytes, line: str) -> None:
    match = _DATA.fullmatch(line)
    if match is None:
        raise DebugInfoError(f"a debug section has the line {line[:60]!a}")
    nbytes = int(match["bits"]) // 8
    for word in match["values"].split(","):
        word = word.strip()
        if re.fullmatch(r"-?\d{1,20}|0x[0-9a-fA-F]{1,16}", word):
            value = int(word, 0 if word.startswith("0x") else 10)
        elif (symbol := _SYMBOL.fullmatch(word)) is not None and nbytes >= 4:
            section.symbols[len(section.data)] = Symbol(symbol["name"], int(symbol["offset"] or 0))
            value = 0
        else:
            raise DebugInfoError(f"a debug section has the value {word[:60]!a}")
        section.data += (value & ((1 << 8 * nbytes) - 1)).to_bytes(nbytes, "little")
