"""Which kernels a PTX text has, and what parameters each takes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from gemmviz.catalogue.kernel_functions import kernel_functions
from gemmviz.catalogue.overloads import full_names_of
from gemmviz.compiler.source import EntryError
from gemmviz.domain.kernels.mangled_names import plain_name

_ENTRY = re.compile(r"\.entry\s+(?P<name>[\w$]+)\s*\((?P<parameters>[^)]*)\)")
_PARAMETER = re.compile(
    r"\.param\s+(?:\.align\s+(?P<first>\d+)\s+)?\.(?P<kind>[a-z]+)(?P<bits>\d+)"
    r"(?:\s+\.ptr(?:\s+\.\w+)*?(?:\s+\.align\s+\d+)?)?\s+[\w$]+(?:\[(?P<count>\d+)\])?"
)


@dataclass(frozen=True, slots=True)
class PtxParameter:
    """One parameter of a kernel in its launch buffer."""

    nbytes: int
    alignment: int


def entries(ptx: str) -> dict[str, tuple[PtxParameter, ...]]:
    """The kernels of a PTX text by their symbols, with their parameters."""
    return {match["name"]: _parameters(match["parameters"]) for match in _ENTRY.finditer(ptx)}


def _parameters(text: str) -> tuple[PtxParameter, ...]:
    found = []
    for match in _PARAMETER.finditer(text):
        width = int(match["bits"]) // 8
        found.append(PtxParameter(width * int(match["count"] or 1), int(match["first"] or width)))
    return tuple(found)


def symbol_of(entry: str, symbols: tuple[str, ...]) -> str | None:
    """The symbol of a kernel's name: itself, or what C++ makes of it where the source does not say extern "C". Of one
    with a namespace or the arguments of a template ("mine::tile<16>") the one symbol that is called so; None where
    there are several.
    """
    if entry in symbols:
        return entry
    name = entry.partition("<")[0].rpartition("::")[2].strip()
    found = [symbol for symbol in symbols if plain_name(symbol) == name]
    return found[0] if len(found) == 1 or (found and name == entry) else None


def kernel_symbol(path: Path, entry: str, kernels: Mapping[str, tuple[PtxParameter, ...]], text: str = "") -> str:
    """The symbol of the kernel of a file with this text.

    Raises:
        EntryError: the file defines no such kernel; those that it defines.
    """
    symbol = symbol_of(entry, tuple(kernels))
    if symbol is None:
        written = kernel_functions(text)
        if entry in written:
            meant = full_names_of(text, entry)
            if meant:
                instead = f"is in a namespace: name it {' or '.join(meant)}, and give the arguments of a template"
            else:
                instead = "is a template: give its arguments"
            raise EntryError(f"{path}: the entry {entry!r} {instead} as 'template'")
        there = ", ".join(dict.fromkeys((*map(plain_name, kernels), *written))) or "no kernel"
        raise EntryError(f"{path}: the entry {entry!r} is not in the file; it defines {there}")
    return symbol
