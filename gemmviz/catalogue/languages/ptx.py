"""PTX files: the kernels they define, and the blocks that these are made for."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

from gemmviz.catalogue.languages.row import LanguageRow
from gemmviz.domain.terms import Language

_SILENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_ENTRY = re.compile(r"\.entry\s+(?P<name>[\w$]+)\s*(?:\([^)]*\))?(?P<directives>[^{;]*)\{")
_FILE = re.compile(r"^\s*\.file\s+(?P<number>\d+)\s+\"(?P<path>[^\"\n]*)\"", re.MULTILINE)
_LOC = re.compile(r"^\s*\.loc\s+(?P<number>\d+)\s", re.MULTILINE)
_BLOCK = r"\.{}\s+(\d+)(?:\s*,\s*(\d+))?(?:\s*,\s*(\d+))?"


def kernels_of(text: str, path: Path | None = None) -> tuple[str, ...]:
    """The symbols of a text's kernels, in their order."""
    del path
    return tuple(_directives(text))


def block_of(text: str, entry: str) -> tuple[str, ...]:
    """The threads of a block in x, y, z by `.reqntid`, else the most by `.maxntid`; () where neither is there."""
    return _threads(text, entry, "reqntid") or _threads(text, entry, "maxntid")


def needs_block(text: str, entry: str) -> bool:
    """Whether a kernel takes no other blocks than those of `.reqntid`."""
    return bool(_threads(text, entry, "reqntid"))


def source_file(text: str, entry: str) -> str:
    """The name, without folders, of the file that the lines of a kernel are those of; "" where it has no lines."""
    found = next((match for match in _ENTRY.finditer(plain(text)) if match["name"] == entry), None)
    first = _LOC.search(text, found.end()) if found is not None else None
    if (
        found is None
        or first is None
        or ((following := _ENTRY.search(plain(text), found.end())) and following.start() < first.start())
    ):
        return ""
    files = {match["number"]: match["path"] for match in _FILE.finditer(text)}
    return files.get(first["number"], "").replace("\\", "/").rpartition("/")[2]


def plain(text: str) -> str:
    """A text with blanks for its comments, every line in its place."""
    return _SILENT.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)


def _threads(text: str, entry: str, directive: str) -> tuple[str, ...]:
    found = re.search(_BLOCK.format(directive), _directives(text).get(entry, ""))
    return tuple(number for number in found.groups() if number) if found is not None else ()


@lru_cache(maxsize=8)
def _directives(text: str) -> dict[str, str]:
    """The kernels, and what stands between the parameters and the body of each."""
    return {match["name"]: match["directives"] for match in _ENTRY.finditer(plain(text))}


PTX = LanguageRow(Language.PTX, "PTX", kernels_of, block_of, needs_block)
