"""How many bytes a run moves between host and device, and how fast that went."""

from __future__ import annotations

from gemmviz.domain import figures
from gemmviz.domain.runs.result import RunResult


def moved_bytes(run: RunResult) -> tuple[int, int]:
    """Bytes of A and B to the device, as kernels of this arithmetic store them, and of C back."""
    shape, element = run.spec.shape, run.arithmetic.operand_bytes
    return element * (shape.m * shape.k + shape.k * shape.n), run.arithmetic.result_bytes * shape.m * shape.n


def gb_per_s(nbytes: int, ms: float) -> float:
    """10^9 bytes a second; 0 where there is no time."""
    return nbytes / (ms * 1e6) if ms > 0 else 0.0


def gb_per_s_words(nbytes: int, ms: float) -> str:
    """ "12.3 GB/s"; "" where there is no time."""
    return f"{figures.number(gb_per_s(nbytes, ms))} GB/s" if ms > 0 else ""
