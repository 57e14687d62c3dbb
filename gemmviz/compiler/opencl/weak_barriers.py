"""Barriers of OpenCL C that do not order local memory: others may not see what a work-item wrote there."""

from __future__ import annotations

import re

from gemmviz.catalogue.kernel_functions import body_start, plain_text
from gemmviz.domain.listing import listed

_OF_GLOBAL_ALONE = re.compile(r"\b(?:work_group_)?barrier\s*\(\s*CLK_GLOBAL_MEM_FENCE\s*[,)]")
_LOCAL = re.compile(r"\b(?:__)?local\b")


def weak_barriers(text: str, entry: str) -> str:
    """That barriers of a kernel with local arrays order global memory alone, with their lines, as text that goes on
    "right, but"; "" for none.
    """
    plain, start = plain_text(text), body_start(text, entry)
    if start < 0:
        return ""
    first, end = max(0, plain.rfind("kernel", 0, start)), _body_end(plain, start)
    if not _LOCAL.search(plain[first:end]):
        return ""
    lines = {plain.count("\n", 0, one.start()) + 1 for one in _OF_GLOBAL_ALONE.finditer(plain, start, end)}
    if not lines:
        return ""
    which = [str(one) for one in sorted(lines)]
    barriers = (
        f"the barrier in line {which[0]} orders" if len(which) == 1 else f"barriers in lines {listed(which)} order"
    )
    return f"{barriers} global memory alone, and local arrays need CLK_LOCAL_MEM_FENCE"


def _body_end(plain: str, start: int) -> int:
    """Behind the brace that closes the one in front of `start`."""
    depth = 1
    for match in re.compile(r"[{}]").finditer(plain, start):
        depth += 1 if match[0] == "{" else -1
        if not depth:
            return match.end()
    return len(plain)
