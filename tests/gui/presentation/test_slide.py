"""The form of a presentation: where everything stands, and type that fits."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QFontMetricsF, QImage, QPainter

from gemmviz.catalogue.examples import examples_folder
from gemmviz.catalogue.kernel_names import kernel_name
from gemmviz.domain.places import place_words
from gemmviz.domain.session.session import load_session
from gemmviz.gui.looks.fonts import words
from gemmviz.gui.looks.theme import LIGHT
from gemmviz.gui.presentation import slide
from gemmviz.gui.presentation.slide import (
    CAPTION_UNITS,
    TITLE_UNITS,
    SlideText,
    caption_lines,
    paint_words,
    plan_slide,
    slide_text,
    title_details,
    title_units,
)

pytestmark = pytest.mark.usefixtures("qapp")


@pytest.mark.parametrize("size", [(1920, 1080), (1280, 720), (3840, 2160), (1024, 1366), (320, 240)])
@pytest.mark.parametrize("pictures", [1, 2])
def test_that_all_of_it_is_on_the_slide_and_pictures_have_most_of_it(size: tuple[int, int], pictures: int) -> None:
    plan = plan_slide(*size, pictures)
    assert plan.width * plan.scale == pytest.approx(size[0])
    assert plan.height * plan.scale == pytest.approx(size[1])
    assert len(plan.panes) == pictures
    for pane in plan.panes:
        assert pane.title.bottom <= pane.picture.y
        assert pane.picture.bottom <= pane.caption.y
        assert pane.caption.bottom <= plan.height + 0.01
    assert sum(pane.picture.width * pane.picture.height for pane in plan.panes) > 0.75 * plan.width * plan.height
    assert not any(left.picture.meets(right.picture) for left, right in zip(plan.panes, plan.panes[1:], strict=False))


def test_that_type_on_a_large_screen_is_read_from_afar() -> None:
    plan = plan_slide(1920, 1080)
    assert CAPTION_UNITS[0] * plan.scale >= 32
    assert TITLE_UNITS[0] * plan.scale >= 40


def test_that_a_slide_needs_a_picture() -> None:
    with pytest.raises(ValueError, match="at least one"):
        plan_slide(1920, 1080, 0)


def test_that_words_of_a_frame_become_those_of_a_slide() -> None:
    run = load_session(examples_folder() / "cpu-four.gemmviz").traces[0]
    text = slide_text(run, (0, 0, 0), "Step 2 of 4", "load A[0, 1]")
    assert text.title.startswith(f"{run.spec.kernel} ")
    assert (text.size, text.about) == ("M×N×K = 4×4×4  ·  block (0, 0)", kernel_name(run.spec.kernel).title)
    assert (text.head, text.sentence) == ("Step 2 of 4", "load A[0, 1]")
    assert text.note == f"recorded as written on {place_words(run.device, run.finished)}"
    assert SlideText("a\nb").title == "a\\nb"


def test_that_a_long_caption_gets_smaller_type_and_in_the_end_dots() -> None:
    short = caption_lines(SlideText(head="Step 1 of 2", sentence="load A[0, 0]"), 500, 60)
    long = caption_lines(SlideText(head="Step 1 of 2", sentence="load A[0, 0] " * 12), 500, 60)
    endless = caption_lines(SlideText(head="Step 1 of 2", sentence="load A[0, 0] " * 99), 500, 60)
    assert short == (CAPTION_UNITS[0], ["Step 1 of 2: load A[0, 0]"])
    assert short[0] > long[0] >= endless[0]
    assert not long[1][-1].endswith("…")
    assert endless[1][-1].endswith("…")
    assert len(endless[1]) * endless[0] <= 60


def test_that_a_long_title_gets_smaller_type() -> None:
    sizes = [title_units(SlideText(title="tiled" * often, size="4×4×4"), 500) for often in (1, 8, 9, 50)]
    assert sizes == sorted(sizes, reverse=True)
    assert (sizes[0], sizes[-1]) == (TITLE_UNITS[0], TITLE_UNITS[-1])


def test_that_what_a_title_means_is_left_out_before_its_block_is_cut() -> None:
    text = SlideText(title="tiled", size="M×N×K = 4×4×4  ·  block (1, 1)", about="Shared-memory tiles")
    metrics = QFontMetricsF(words())
    whole = f"{text.size}  ·  {text.about}"
    assert title_details(text, metrics, metrics.horizontalAdvance(whole) + 1) == whole
    assert title_details(text, metrics, metrics.horizontalAdvance(whole) - 1) == text.size
    assert title_details(text, metrics, metrics.horizontalAdvance(text.size) - 1).endswith("…")


def test_that_captions_of_two_pictures_have_one_size_of_type(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[int, int]] = []
    real = slide.caption_lines

    def lines(text: SlideText, width: float, height: float, largest: int = slide.CAPTION_UNITS[0]) -> object:
        found = real(text, width, height, largest)
        asked.append((largest, found[0]))
        return found

    monkeypatch.setattr(slide, "caption_lines", lines)
    plan = plan_slide(1920, 1080, 2)
    image = QImage(1920, 1080, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    paint_words(painter, plan, (SlideText(sentence="short"), SlideText(sentence="a long sentence " * 9)), LIGHT)
    painter.end()
    measured, painted = asked[:2], asked[2:]
    assert measured[0][1] > measured[1][1]
    assert {size for _, size in painted} == {measured[1][1]}
