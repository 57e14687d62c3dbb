"""Special registers that hold something else on another GPU, or at another time: what reads them may differ there."""

from __future__ import annotations

import re
from collections.abc import Iterable

from gemmviz.machine.ptx.parse import Statement

_UNSTEADY = re.compile(r"%(?:smid|nsmid|warpid|nwarpid|clock(?:64|_hi)?|globaltimer(?:_lo|_hi)?)\b")


def unsteady_reads(statements: Iterable[Statement]) -> str:
    """The unsteady registers that these statements read, each with its lines: "reads %smid (line 3): on another GPU its
    results may differ; not judged"; "" where they read none.
    """
    lines: dict[str, set[int]] = {}
    for one in statements:
        for operand in one.operands:
            for name in _UNSTEADY.findall(operand):
                lines.setdefault(name, set()).add(one.place.line)
    if not lines:
        return ""
    named = [f"{name}{_line_words(sorted(places - {0}))}" for name, places in lines.items()]
    return f"reads {' and '.join(named)}: on another GPU its results may differ; not judged"


def _line_words(lines: list[int]) -> str:
    return f" (line{'s'[: len(lines) != 1]} {', '.join(map(str, lines))})" if lines else ""
