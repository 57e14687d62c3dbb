"""How the elements of A and B are made, in words."""

from __future__ import annotations

from gemmviz.domain.terms import Fill

SEEDED = frozenset({Fill.UNIFORM, Fill.NORMAL, Fill.INTEGERS, Fill.INTEGERS_2147})
"""The fills whose elements a seed decides."""


def fill_words(fill: Fill) -> str:
    """A fill within a sentence: "uniform", "row and column"."""
    return {
        Fill.INTEGERS: "small integers",
        Fill.INTEGERS_2147: "integers to 2147",
        Fill.ROW_COLUMN: "row and column",
        Fill.INDEX_TWOS: "index and twos",
    }.get(fill, fill.value)


def input_words(fill: Fill, seed: int) -> str:
    """A fill, and the seed where it decides something: "uniform, seed 0", "ramp"."""
    return f"{fill_words(fill)}, seed {seed}" if fill in SEEDED else fill_words(fill)
