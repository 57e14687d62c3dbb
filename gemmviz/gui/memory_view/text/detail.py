"""How much there is to say about an element, by how large it is seen."""

from __future__ import annotations

from enum import IntEnum

ELEMENTS_FROM = 4.0
VALUES_FROM = 13.6
"""Pixels of the shorter edge of an element. From the second on it holds the smallest numbers of a picture on the whole
screen, which is magnified. What is written is left out where it would still be too small to read.
"""


class Detail(IntEnum):
    """Tiles as areas; single elements, with gaps between them; elements with their names and values."""

    TILES = 0
    ELEMENTS = 1
    VALUES = 2


def detail_of(width: float, height: float) -> Detail:
    """What fits elements of that size, in pixels."""
    edge = min(width, height)
    if edge >= VALUES_FROM:
        return Detail.VALUES
    return Detail.ELEMENTS if edge >= ELEMENTS_FROM else Detail.TILES
