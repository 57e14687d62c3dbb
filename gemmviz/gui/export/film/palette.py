"""One palette for all pictures of a GIF, in which the colours of flat areas are exactly those of the theme. Pure."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

Colours = NDArray[np.uint32]
"""0xRRGGBB each."""
Indices = NDArray[np.uint8]

MOST = 255
"""Colours of a palette: a GIF has one more, which stands for "as before"."""
_STEPS = (0, 3, 6, 10, 16, 24, 36, 56, 96, 448)
"""How far a colour may be from its stand-in; the last is farther than any two are."""
_CHUNK = 4096


def colours_of(pixels: NDArray[np.uint8]) -> Colours:
    """RGBA, shape (height, width, 4), as colours, shape (height, width)."""
    whole = np.ascontiguousarray(pixels).view(">u4")[:, :, 0]
    found: Colours = whole.astype(np.uint32) >> np.uint32(8)
    return found


def palette_of(pictures: Iterable[Colours]) -> Colours:
    """At most MOST colours for some pictures: the most frequent ones as they are, for the others one close by.

    How close is the smallest of _STEPS with which they suffice, so where pictures have few colours all are exact.
    What room is left then goes to the most frequent colours that would have a stand-in.
    """
    counts: dict[int, int] = {}
    for picture in pictures:
        for colour, count in zip(*(found.tolist() for found in np.unique(picture, return_counts=True)), strict=True):
            counts[colour] = counts.get(colour, 0) + count
    order = sorted(counts, key=lambda colour: (-counts[colour], colour))
    colours = np.array(order, np.uint32)
    for step in _STEPS:
        chosen = _covering(colours, step)
        if chosen is not None:
            others = colours[~np.isin(colours, chosen)]
            return np.concatenate([chosen, others[: MOST - chosen.size]])
    raise AssertionError("the last step covers everything")


class Matcher:
    """Finds for colours the closest of a palette; those it has met it knows."""

    def __init__(self, palette: Colours) -> None:
        self._palette = palette
        self._known = np.full(1 << 24, -1, np.int16)

    def indices(self, picture: Colours) -> Indices:
        """The places of the colours in the palette, same shape."""
        found = self._known[picture]
        if found.min() < 0:
            new = np.unique(picture[found < 0])
            for begin in range(0, new.size, _CHUNK):
                some = new[begin : begin + _CHUNK]
                self._known[some] = _distances(some, self._palette).argmin(axis=1)
            found = self._known[picture]
        return found.astype(np.uint8)


def _covering(colours: Colours, step: int) -> Colours | None:
    """Colours, the first ones first, so that every colour is within `step` of one of them; None if MOST do not do."""
    chosen: list[int] = []
    left = colours
    while left.size:
        if len(chosen) == MOST:
            return None
        chosen.append(int(left[0]))
        left = left[_distances(left, left[:1])[:, 0] > step * step]
    return np.array(chosen, np.uint32)


def _distances(colours: Colours, others: Colours) -> NDArray[np.int32]:
    """Squared distances between colours, shape (colours, others)."""
    total = np.zeros((colours.size, others.size), np.int32)
    for shift in (16, 8, 0):
        one, other = ((some >> shift & 0xFF).astype(np.int32) for some in (colours, others))
        total += (one[:, np.newaxis] - other) ** 2
    return total
