"""By how much the totals of two blocks differ: of what one of them needs only a part. Pure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from gemmviz.domain.figures import count
from gemmviz.explain.block.running_totals import TotalsSoFar

LOADS, MOVED, EXCESS = "values loaded from global memory", "bytes moved", "excess wavefronts"
_FIGURES: dict[str, Callable[[TotalsSoFar], int]] = {
    LOADS: lambda totals: totals.loads,
    MOVED: lambda totals: totals.bytes_moved,
    EXCESS: lambda totals: totals.excess_wavefronts,
}
_ORDINALS = (
    *("half", "a third", "a quarter", "a fifth", "a sixth", "a seventh", "an eighth", "a ninth", "a tenth"),
    *("an eleventh", "a twelfth", "a thirteenth", "a fourteenth", "a fifteenth", "a sixteenth"),
)
"""Of two parts, of three, and so on."""


@dataclass(frozen=True, slots=True)
class TotalsRatio:
    """A figure that is lower in one of two blocks: its place, 0 or 1, what part it is, "a sixteenth" or "no", the words
    behind that, and its name.
    """

    place: int
    part: str
    words: str
    name: str


def totals_ratios(first: TotalsSoFar, second: TotalsSoFar) -> tuple[TotalsRatio, ...]:
    """The figures in which two blocks differ, the most telling one first. A figure of which one block has nothing is
    left out, but for excess wavefronts of two blocks that both use shared memory; these, too, where a GPU's are others.
    """
    found = []
    for name in (LOADS, MOVED):
        sizes = total_of(name, first), total_of(name, second)
        low, high = sorted(sizes)
        if low > 0 and round(high / low, 1) > 1.0:
            found.append(TotalsRatio(sizes.index(low), part_words(low, high), f"of the {name}", name))
    excess = first.excess_wavefronts, second.excess_wavefronts
    low, high = sorted(excess)
    is_of_ptx = first.is_of_ptx or second.is_of_ptx
    if low < high and min(first.wavefronts, second.wavefronts) and not is_of_ptx:
        part, words = (
            (part_words(low, high), f"of the {EXCESS}") if low else ("no", f"{EXCESS} instead of {count(high)}")
        )
        found.append(TotalsRatio(excess.index(low), part, words, EXCESS))
    return tuple(found)


def total_of(name: str, totals: TotalsSoFar) -> int:
    """The figure of that name, one of LOADS, MOVED and EXCESS."""
    return _FIGURES[name](totals)


def part_words(low: int, high: int) -> str:
    """Which part of `high` the smaller `low` is: "half", "a sixteenth", "1/32", else in per cent: "15 %"."""
    ratio = high / low
    parts = round(ratio)
    if parts > 1 and abs(ratio - parts) < 0.05:
        return _ORDINALS[parts - 2] if parts - 2 < len(_ORDINALS) else f"1/{count(parts)}"
    percent = 100 / ratio
    return f"{percent:.0f} %" if percent >= 1 else f"{percent:.1g} %"
