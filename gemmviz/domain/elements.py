"""How an element of an array is written, and a part of one: C[0,0], A[0–15,3], sums[5]."""

from __future__ import annotations


def element_name(array: str, *at: int | str) -> str:
    """An element, each index a number; a part of the array where an index is a span of `index_span`."""
    return f"{array}[{','.join(map(str, at))}]"


def index_span(start: int, stop: int) -> str:
    """The indices from `start` to `stop` - 1: "0–15"; "3" where there is one."""
    return f"{start}" if stop - start == 1 else f"{start}–{stop - 1}"
