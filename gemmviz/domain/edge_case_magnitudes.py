"""Numbers of very different magnitudes, with which a kernel is called right only if every element is."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

WIDE, NARROW = 20, 3
"""Exponents of magnitudes: the products of float32 stay far from its ends, those of half within its range."""


def spread_magnitudes(size: tuple[int, int], most: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """Random numbers of both signs whose magnitudes are spread evenly over 2^-most to 2^most."""
    magnitudes = np.exp2(rng.uniform(-most, most, size))
    made: NDArray[np.float64] = magnitudes * rng.choice((-1.0, 1.0), size)
    return made
