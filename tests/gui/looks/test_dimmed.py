"""What is not spoken of just now stands back, and can be read all the same."""

from __future__ import annotations

import re

import pytest

from gemmviz.gui.lessons.scenes.fragments_view import PALE, dimmed_ink
from gemmviz.gui.looks.style_sheet import style_sheet
from gemmviz.gui.looks.theme import DARK, LIGHT, WORDS_CONTRAST, Theme, blend, contrast
from gemmviz.gui.stages.sector_canvas import unused_colour

THEMES = pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)


@THEMES
def test_that_numbers_of_a_fragment_that_is_not_spoken_of_can_be_read(theme: Theme) -> None:
    for colour in (theme.a, theme.b, theme.c):
        pale = blend(theme.field, colour, PALE)
        assert contrast(dimmed_ink(theme, pale), pale) >= WORDS_CONTRAST


@THEMES
def test_that_a_gap_that_was_tried_in_vain_can_be_read(theme: Theme) -> None:
    found = re.search(r'role="gap"\]:disabled \{ color: (#\w+)', style_sheet(theme))
    assert found is not None
    assert contrast(found[1], theme.panel) >= WORDS_CONTRAST


def test_that_the_hatch_of_bytes_not_used_is_seen_on_a_dark_ground() -> None:
    assert contrast(unused_colour(DARK), DARK.field) >= WORDS_CONTRAST
