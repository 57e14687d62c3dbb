"""The line that says by how much the totals of two presented blocks differ."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from PySide6.QtGui import QColor, QImage, QPainter

from gemmviz.explain.block.running_totals import TotalsSoFar
from gemmviz.gui.looks.theme import DARK
from gemmviz.gui.memory_view.places.box import Box
from gemmviz.gui.presentation.paint_ratios import (
    RATIOS_HEIGHT,
    _advance,
    fitting_parts,
    paint_ratios,
    ratio_words,
    so_far_words,
)
from gemmviz.gui.presentation.slide import SlideText

pytestmark = pytest.mark.usefixtures("qapp")

TOTALS = TotalsSoFar(wavefronts=9, excess_wavefronts=3), TotalsSoFar(wavefronts=9, excess_wavefronts=9)


def said_of(*texts: SlideText) -> str:
    return " ".join(part.words for part in ratio_words(TOTALS, texts))


def test_that_the_advantage_of_a_racing_kernel_names_its_race() -> None:
    racing = SlideText("mine", fault="race")
    assert said_of(racing, SlideText("other")) == "mine (race), whole block: a third of the excess wavefronts"
    assert said_of(SlideText("mine"), racing) == "mine, whole block: a third of the excess wavefronts"


def test_that_a_factor_between_two_forms_of_code_names_both() -> None:
    written, compiled = SlideText("mine", form="as written", fault="race"), SlideText("other", form="as compiled")
    assert said_of(written, compiled) == (
        "mine as written (race) against other as compiled, whole block: a third of the excess wavefronts"
    )
    titled = SlideText("mine  ·  as written", form="as written"), SlideText("mine  ·  as compiled", form="as compiled")
    assert said_of(*titled).startswith("mine  ·  as written against mine  ·  as compiled, whole block:")


def test_that_excess_wavefronts_so_far_are_those_of_both_pictures() -> None:
    texts, now = (SlideText("mine"), SlideText("other")), tuple(replace(each, excess_wavefronts=1) for each in TOTALS)
    said = " ".join(part.words for part in ratio_words(TOTALS, texts, now))
    assert said == "mine, whole block: a third of the excess wavefronts so far: left 1 right 1"
    assert ratio_words(TOTALS, texts, (now[0], None)) == ratio_words(TOTALS, texts), "while they are counted"
    alike = TOTALS[0], TOTALS[0]
    assert ratio_words(alike, texts, alike) == ratio_words(alike, texts)


def test_that_a_film_counts_what_differs_in_the_end() -> None:
    texts, now = (SlideText("mine"), SlideText("other")), (TotalsSoFar(loads=7, excess_wavefronts=2), TotalsSoFar())

    def said(*totals: TotalsSoFar) -> str:
        return " ".join(part.words for part in so_far_words(now, totals, texts))

    assert said(*TOTALS) == "Excess wavefronts so far: mine 2 other 0"
    few, many = TotalsSoFar(loads=7), TotalsSoFar(loads=700)
    assert said(few, many) == said(few, few) == "Values loaded from global memory so far: mine 7 other 0"


@pytest.mark.parametrize("width", [1000.0, 868.0])
def test_that_no_figure_is_painted_without_the_race_before_it(width: float) -> None:
    long = SlideText("kernel_of_mine", form="as written", fault="race"), SlideText("another", form="as compiled")
    image = QImage(1000, 42, QImage.Format.Format_RGB32)
    image.fill(QColor(DARK.canvas))
    with QPainter(image) as painter:
        paint_ratios(painter, Box(0.0, 0.0, width, RATIOS_HEIGHT), ratio_words(TOTALS, long), DARK)
    at = {
        name: [x for x in range(1000) if any(image.pixelColor(x, y).name() == colour for y in range(42))]
        for name, colour in (("race", DARK.hazard), ("figure", DARK.accent))
    }
    assert at["race"]
    assert at["figure"]
    assert max(at["race"]) < min(at["figure"])


LONG = (
    SlideText("register_2d BM=64 BN=64 BK=16 TM=4 TN=4 of a kernel file with a long name", form="as written"),
    SlideText("mysgemm_with_a_name_of_many_words BM=64 BN=64 BK=8 TM=8 TN=8, padded by one", form="as compiled"),
)


def test_that_names_are_shortened_and_no_figure_that_is_compared() -> None:
    now = TotalsSoFar(loads=1024), TotalsSoFar(loads=16384)
    for parts, figures in (
        (ratio_words(TOTALS, LONG), ["a third"]),
        (so_far_words(now, now, LONG), ["1 024", "16 384"]),
    ):
        size, fitting = fitting_parts(parts, 860.0)
        assert [part.words.replace("\u202f", " ") for part in fitting if part.is_large] == figures
        words = " ".join(part.words for part in fitting)
        assert "…" in words
        assert "as written" in words
        assert "as compiled" in words
        image = QImage(860, 42, QImage.Format.Format_RGB32)
        image.fill(QColor(DARK.canvas))
        with QPainter(image) as painter:
            paint_ratios(painter, Box(0.0, 0.0, 860.0, RATIOS_HEIGHT), parts, DARK)
        painted = [x for x in range(860) if any(image.pixelColor(x, y).name() == DARK.accent for y in range(42))]
        gaps = sum(right - left > 20 for left, right in pairwise(painted))
        assert gaps == len(figures) - 1, f"each figure is there, in words of {size} units"


def test_that_names_that_have_room_are_whole() -> None:
    parts = ratio_words(TOTALS, (SlideText("mine"), SlideText("other")))
    assert fitting_parts(parts, 900.0) == (17, parts)


def test_that_nothing_moves_sideways_when_a_figure_gets_more_digits() -> None:
    """The second name of a film stands at one place from the first picture to the last."""
    texts, ends = (SlideText("naive"), SlideText("tiled")), (TotalsSoFar(loads=16_384), TotalsSoFar(loads=1_024))
    places = set()
    for loads in (0, 7, 111, 4_096, 16_384):
        parts = so_far_words((TotalsSoFar(loads=loads), TotalsSoFar(loads=loads // 16)), ends, texts)
        places.add(sum(_advance(part, 17) for part in parts[:3]))
    assert len(places) == 1
