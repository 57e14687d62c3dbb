"""The one palette of a GIF: few colours stay as they are, of many the flat ones do, and none is far off."""

from __future__ import annotations

import numpy as np

from gemmviz.gui.export.film.palette import MOST, Colours, Matcher, colours_of, palette_of
from gemmviz.gui.looks.theme import DARK


def shown(palette: Colours, picture: Colours) -> Colours:
    return palette[Matcher(palette).indices(picture)]


def test_that_pixels_become_colours() -> None:
    pixels = np.array([[[0x1A, 0x6D, 0xBE, 255], [0, 0, 1, 7]]], np.uint8)
    assert colours_of(pixels).tolist() == [[0x1A6DBE, 0x000001]]


def test_that_few_colours_are_exact_in_every_picture() -> None:
    first, second = (np.arange(begin, begin + 100, dtype=np.uint32).reshape(10, 10) * 777 for begin in (0, 100))
    palette = palette_of([first, second])
    assert palette.size == 200
    for picture in (first, second):
        assert np.array_equal(shown(palette, picture), picture)


def test_that_of_many_colours_the_flat_ones_are_exact_and_the_others_close() -> None:
    flat = [int(colour[1:], 16) for colour in (DARK.canvas, DARK.panel, DARK.a, DARK.b, DARK.c, DARK.text)]
    edges = np.random.default_rng(3).integers(0, 1 << 24, 3000).astype(np.uint32)
    picture = np.concatenate([np.repeat(np.array(flat, np.uint32), 500), edges]).reshape(100, 60)
    palette = palette_of([picture])
    assert palette.size == MOST
    found = shown(palette, picture)
    assert np.array_equal(found[np.isin(picture, flat)], picture[np.isin(picture, flat)])
    far = [np.abs((found >> s & 255).astype(int) - (picture >> s & 255).astype(int)).max() for s in (0, 8, 16)]
    assert max(far) <= 56


def test_that_the_closest_colour_is_taken_and_kept() -> None:
    palette = np.array([0x000000, 0x404040, 0xFFFFFF], np.uint32)
    matcher = Matcher(palette)
    picture = np.array([[0x101010, 0x3F4140], [0xFFFFFE, 0x212121]], np.uint32)
    for _ in range(2):
        assert matcher.indices(picture).tolist() == [[0, 1], [2, 1]]
