"""The goals of the ladder, and how far each was reached."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gpu_record.measured import Found, Measured


@dataclass(frozen=True, slots=True)
class Goal:
    """At least `least` times the speed of `against` at one size, by the fastest of `kernels` that is right."""

    words: str
    kernels: tuple[str, ...]
    size: str
    against: str
    least: float


def _cube(edge: int) -> str:
    return f"{edge}x{edge}x{edge}"


_TF32 = ("wgmma_tf32", "mma_tf32", "wmma_tf32")
_BF16 = ("wgmma_bf16", "wgmma_bf16_late")

GOALS = (
    *(
        Goal("`sgemm_best` against cuBLAS, float32", ("sgemm_best",), _cube(edge), "cublas_fp32", 1.03)
        for edge in (4096, 8192)
    ),
    *(
        Goal("`sgemm_best` against cuBLAS, float32", ("sgemm_best",), size, "cublas_fp32", 1.0)
        for size in (_cube(1024), _cube(2048), "1037x1031x1055")
    ),
    Goal("the TF32 rung against cuBLAS, TF32", _TF32, _cube(4096), "cublas_tf32", 0.95),
    Goal("the bf16 rung against cuBLAS, bf16", _BF16, _cube(4096), "cublas_bf16", 1.0),
    Goal("the bf16 rung against cuBLAS, bf16", _BF16, _cube(8192), "cublas_bf16", 1.03),
    *(
        Goal("`tf32x3` against cuBLAS, float32, within float32's bound", ("tf32x3",), _cube(edge), "cublas_fp32", 2.0)
        for edge in (4096, 8192)
    ),
)


def goals_first(ids: Sequence[str], size: str, goals: Sequence[Goal] = GOALS) -> list[str]:
    """Kernels in the order in which they are measured at a size: if the time does not suffice for all, then for goals.

    >>> goals_first(["naive", "cublas_fp32", "tf32x3"], "8192x8192x8192")
    ['cublas_fp32', 'tf32x3', 'naive']
    """
    wanted = {name for goal in goals if goal.size == size for name in (*goal.kernels, goal.against)}
    return sorted(ids, key=lambda one: one not in wanted)


def goal_rows(found: Sequence[Found], goals: Sequence[Goal] = GOALS) -> list[tuple[str, ...]]:
    """One row for each goal whose size was measured: goal, size, asked for, reached, by which kernel, verdict."""
    sizes = {one.size for one in found}
    return [_row(goal, found) for goal in goals if goal.size in sizes]


def _row(goal: Goal, found: Sequence[Found]) -> tuple[str, ...]:
    asked = f"{goal.least:g}"
    right = [
        one
        for one in found
        if isinstance(one, Measured)
        and one.size == goal.size
        and one.kernel in goal.kernels
        and one.against == goal.against
        and one.passed
        and one.ratio == one.ratio
    ]
    if not right:
        return goal.words, goal.size, asked, "not measured", "", "unknown"
    best = max(right, key=lambda one: one.ratio)
    reached = f"{best.ratio:.3f} ({best.low:.3f} to {best.high:.3f})"
    return goal.words, goal.size, asked, reached, f"`{best.kernel}` {best.params}".rstrip(), verdict(best, goal.least)


def verdict(one: Measured, least: float) -> str:
    """Whether a ratio reaches what was asked for: by its median, with the interval saying how sure that is."""
    if one.ratio >= least:
        return "reached" if not one.low < least else "reached by the median; the interval goes below"
    return "not reached" if not one.high >= least else "not reached by the median; the interval goes above"
