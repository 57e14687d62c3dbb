"""Takes printf out of a kernel that is proven: each thread of each run would print, and no result hears of it."""

from __future__ import annotations

import re

from gemmviz.compiler.nvidia.nvidia_log import source_line
from gemmviz.compiler.source import SOURCE_NAME
from gemmviz.domain.listing import listed

_CALL = re.compile(r"\bcall(?:\.uni)?\s*(?:\(\s*(?P<result>\w+)\s*\)\s*,\s*)?vprintf\s*,\s*\([^()]*\)\s*;")


def without_printing(ptx: str) -> str:
    """PTX whose kernels print nothing: printf returns 0."""
    return _CALL.sub(lambda call: f"st.param.b32 [{call['result']}+0], 0;" if call["result"] else "", ptx)


def printing_words(ptx: str) -> str:
    """That what the kernel prints was left out, with its lines; "" for a kernel that prints nothing."""
    ends = [one.end() for one in _CALL.finditer(ptx)]
    if not ends:
        return ""
    lines = sorted({source_line(ptx, ptx.count("\n", 0, end) + 1, SOURCE_NAME) or 0 for end in ends} - {0})
    where = f" (line{'s'[: len(lines) != 1]} {listed([*map(str, lines)])})" if lines else ""
    return f"it prints{where}: printf was left out of the runs that prove it, in which every thread would print"
