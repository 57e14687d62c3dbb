"""What the first lines of a PTX text ask for that does not exist: a version of the language, or a target."""

from __future__ import annotations

import re

_VERSION = re.compile(r"^[ \t]*\.version[ \t]+(\d+)\.(\d+)", re.MULTILINE)
_TARGET = re.compile(r"^[ \t]*\.target[ \t]+sm_(\d+)[af]?\b", re.MULTILINE)
_NEWEST = (9, 5)
"""Of CUDA 13.5, whose compiler comes with gemmviz."""
_TARGETS = frozenset(
    {
        *(10, 11, 12, 13, 20, 21, 30, 32, 35, 37, 50, 52, 53, 60, 61, 62, 70, 72, 75, 80, 86, 87, 88, 89, 90),
        *(100, 101, 103, 110, 120, 121),
    }
)
"""NVIDIA, PTX ISA, "PTX Module Directives: .target", and the older ones."""


def unknown_header(text: str) -> str:
    """What a PTX text without comments asks for that CUDA 13.5 does not have, with its lines; "" for nothing."""
    version, target, found = _VERSION.search(text), _TARGET.search(text), []
    if version is not None and (int(version[1]), int(version[2])) > _NEWEST:
        known = ".".join(map(str, _NEWEST))
        words = f"`.version {version[1]}.{version[2]}` (line {_line(text, version)}) is newer than {known}"
        found.append(f"{words}, the newest that gemmviz knows")
    if target is not None and int(target[1]) not in _TARGETS:
        found.append(f"gemmviz knows no GPU with the target sm_{target[1]} (line {_line(text, target)})")
    return f"{' and '.join(found)}: a GPU may refuse it" if found else ""


def _line(text: str, found: re.Match[str]) -> int:
    return text.count("\n", 0, found.start()) + 1
