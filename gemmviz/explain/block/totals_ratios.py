"""By how much the totals of two blocks differ: what one of them needs fewer times. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from gemmviz.domain.figures import count
from gemmviz.explain.block.running_totals import TotalsSoFar


@dataclass(frozen=True, slots=True)
class TotalsRatio:
    """A figure that is lower in one of two blocks: its place, 0 or 1, "16× fewer", and of what."""

    place: int
    times: str
    words: str


def totals_ratios(first: TotalsSoFar, second: TotalsSoFar) -> tuple[TotalsRatio, ...]:
    """The figures in which two blocks differ, the most telling one first. A figure of which one block has nothing is
    left out, but for excess wavefronts of two blocks that both use shared memory; these, too, where a GPU's are others.
    """
    found = []
    for words, sizes in (
        ("values loaded from global memory", (first.loads, second.loads)),
        ("bytes moved", (first.bytes_moved, second.bytes_moved)),
    ):
        low, high = sorted(sizes)
        if low > 0 and _times(high / low) != _times(1.0):
            found.append(TotalsRatio(sizes.index(low), f"{_times(high / low)} fewer", words))
    excess = first.excess_wavefronts, second.excess_wavefronts
    low, high = sorted(excess)
    is_of_ptx = first.is_of_ptx or second.is_of_ptx
    if low < high and min(first.wavefronts, second.wavefronts) and not is_of_ptx:
        times, words = (f"{_times(high / low)} fewer", "excess wavefronts") if low else ("no", _instead_of(high))
        found.append(TotalsRatio(excess.index(low), times, words))
    return tuple(found)


def _times(ratio: float) -> str:
    return f"{ratio:.1f}".removesuffix(".0") + "×" if ratio < 1000 else f"{count(round(ratio))}×"


def _instead_of(excess: int) -> str:
    return f"excess wavefronts instead of {count(excess)}"
