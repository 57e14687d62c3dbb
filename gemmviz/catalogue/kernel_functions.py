"""Which kernels a source file has, by their names: what can be the entry."""

from __future__ import annotations

import re

_SILENT = re.compile(r"/\*.*?(?:\*/|\Z)|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"", re.DOTALL)
_KERNEL = re.compile(
    r"(?:__global__|\b__kernel\b|\bkernel\b)[^;{}()]{0,300}(?:\((?:[^()]|\([^()]{0,200}\)){0,300}\)[^;{}()]{0,300}){0,3}?"
    r"\b(?P<name>[A-Za-z_]\w{0,200})\s{0,100}\((?:[^(){};]|\([^()]{0,300}\)){0,4000}\)\s{0,100}"
    r"(?:__launch_bounds__\s*\([^()]{0,300}\)\s{0,100})?\{"
)
"""Every part has a bound, so that no text takes long."""
MOST_READ = 1_000_000
"""Characters of a source that are looked at."""


def kernel_functions(text: str) -> tuple[str, ...]:
    """The names of the kernels that a CUDA C or OpenCL C source defines, in their order, each once; macros are not
    expanded.
    """
    return tuple(dict.fromkeys(match["name"] for match in _KERNEL.finditer(_plain(text))))


def line_of_kernel(text: str, entry: str) -> int:
    """The line that names a kernel of a source, given with or without its namespace and template arguments; 0 where
    that is not found.
    """
    name = entry.partition("<")[0].rpartition("::")[2].strip()
    plain = _plain(text)
    match = next((match for match in _KERNEL.finditer(plain) if match["name"] == name), None)
    return plain.count("\n", 0, match.start("name")) + 1 if match is not None else 0


def _plain(text: str) -> str:
    """The beginning of a source with blanks for comments and texts, every line in its place."""
    return _SILENT.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text[:MOST_READ])
