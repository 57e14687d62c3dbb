"""In which order samplers take turns, drawn so that none of them gains from its position.

A clock may read one launch in four long, always the same one (seen on an H200 and an H100 with flushed caches), and a
device may get warmer. In a fixed order A B A B one partner gets all the long launches, and always the cooler device.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

Round = tuple[int, ...]
"""Every sampler once, by number, in the order in which they are to be launched."""


def balanced_block(count: int, rng: np.random.Generator) -> tuple[Round, Round]:
    """Two rounds of `count` samplers: a permutation drawn by `rng`, and the same reversed.

    Any two of the samplers stand once in the order A B and once in the order B A, so that a drift costs both the same.
    A permutation and its reverse are equally likely: which of the two comes first is the toss of a coin.
    """
    first = tuple(int(place) for place in rng.permutation(count))
    return first, first[::-1]


def balanced_rounds(count: int, rng: np.random.Generator) -> Iterator[Round]:
    """Block after block without end, each drawn on its own."""
    while True:
        yield from balanced_block(count, rng)
