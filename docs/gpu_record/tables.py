"""Tables in Markdown, as docs/RECORD.md has them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np

from gemmviz.domain import figures
from gemmviz.domain.shape import Shape
from gpu_record.measured import Found, Measured, NotMeasured

LADDER_COLUMNS = (
    "kernel",
    "median, IQR",
    "TFLOP/s",
    "times the speed of",
    "clock",
    "held down",
    "registers",
    "occupancy",
    "error, bound",
    "passed",
)
GOAL_COLUMNS = ("goal", "size", "asked for", "reached (95 %)", "by", "verdict")


def markdown(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; a bar within a cell is kept from ending it."""
    lines = [columns, ["---"] * len(columns), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def ladder_row(one: Measured) -> tuple[str, ...]:
    """The row of a kernel, with LADDER_COLUMNS."""
    time = one.time
    return (
        f"`{one.kernel}` {one.params}".rstrip() + (f" (of {one.tried} tried)" if one.tried > 1 else ""),
        f"{figures.milliseconds(time.median)}, {figures.spread(time.iqr, time.median, time.n)}",
        figures.number(one.tflops),
        against_words(one),
        f"{float(np.median(one.clock_mhz)):.0f} MHz" if one.clock_mhz.size else "",
        f"{100 * float(one.throttled.mean()):.0f} %" if one.throttled.size else "",
        str(one.registers) if one.registers else "",
        one.occupancy,
        f"{figures.number(one.error)} of {figures.number(one.bound)}"
        + (" (projected)" if one.method == "freivalds" else ""),
        "yes" if one.passed else "NO",
    )


def against_words(one: Measured) -> str:
    """ "cublas_fp32 1.034 (1.031 to 1.036)"; "" for a kernel without a rival."""
    if not one.against:
        return ""
    if math.isnan(one.ratio):
        return f"{one.against}: cannot tell"
    interval = "" if math.isnan(one.low) else f" ({one.low:.3f} to {one.high:.3f})"
    return f"{one.against} {one.ratio:.3f}{interval}"


def ladder_tables(found: Sequence[Found]) -> str:
    """A table for each size, the smallest first; below it what was left out and why."""
    parts = []
    for size in sorted({one.size for one in found}, key=lambda size: Shape.parse(size).flop):
        here = [one for one in found if one.size == size]
        rows = [ladder_row(one) for one in here if isinstance(one, Measured)]
        left_out = [f"- `{one.kernel}`: {one.reason}" for one in here if isinstance(one, NotMeasured)]
        parts.append(f"### {size}\n\n{markdown(LADDER_COLUMNS, rows)}")
        if left_out:
            parts.append("\n".join(left_out))
    return "\n\n".join(parts)
