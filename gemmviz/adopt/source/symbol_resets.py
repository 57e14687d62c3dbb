"""Host code that sets a variable of the device, as a counter that starts at zero before every launch."""

from __future__ import annotations

import re
from collections.abc import Collection

from gemmviz.domain.listing import listed

_COPY = re.compile(r"\b((?:cuda|hip)MemcpyToSymbol(?:Async)?)\s*\(\s*(?:HIP_SYMBOL\s*\(\s*)?(\w+)")
_ADDRESS = re.compile(
    r"\b(?:cuda|hip)GetSymbolAddress\s*\(\s*(?:\([^()]*\)\s*)?&\s*(\w+)\s*,\s*(?:HIP_SYMBOL\s*\(\s*)?(\w+)"
)
_SET = r"\b((?:cuda|hip)(?:Memset|Memcpy)\w*)\s*\(\s*{}\b"


def reset_words(text: str, names: Collection[str]) -> str:
    """Which line of a file sets one of these variables, and by what: "line 12 sets ticket by cudaMemcpyToSymbol"; ""
    where none does.
    """
    for found in _COPY.finditer(text):
        if found[2] in names:
            return f"line {_line(text, found)} sets {found[2]} by {found[1]}"
    for address in _ADDRESS.finditer(text):
        found_set = re.compile(_SET.format(re.escape(address[1]))).search(text, address.end())
        if address[2] in names and found_set is not None:
            return f"line {_line(text, found_set)} sets {address[2]} by {found_set[1]}"
    return ""


def set_by_host_words(text: str, names: Collection[str]) -> str:
    """That host code sets variables among the names that a kernel reads, as text to go on with; "" where none does."""
    found = [one for one in _COPY.finditer(text) if one[2] in names]
    if not found:
        return ""
    lines = list(dict.fromkeys(str(_line(text, one)) for one in found))
    where = f"{'line' if len(lines) == 1 else 'lines'} {listed(lines)}"
    return (
        f"; host code sets {listed([one[2] for one in found])} by {found[0][1]} in {where}, and gemmviz launches the "
        "kernel alone, without what host code sets: give it these values as parameters"
    )


def _line(text: str, found: re.Match[str]) -> int:
    return text.count("\n", 0, found.start()) + 1
