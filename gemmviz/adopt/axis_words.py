"""Blocks and grids in words."""

from __future__ import annotations

from collections.abc import Sequence


def axis_words(sizes: Sequence[object]) -> str:
    """Sizes along x, y and z without the last ones that are 1: "16 × 16", "256", "1" where all are."""
    texts = [str(one) for one in sizes]
    while len(texts) > 1 and texts[-1] == "1":
        texts.pop()
    return " × ".join(texts)
