"""The form of a presentation: where everything stands, and type that fits."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtGui import QColor, QFontInfo, QFontMetricsF, QImage, QPainter

from gemmviz.catalogue.examples import examples_folder
from gemmviz.catalogue.kernel_names import kernel_name
from gemmviz.domain.places import place_words
from gemmviz.domain.session.session import load_session
from gemmviz.domain.shape import Shape
from gemmviz.gui.looks.fonts import SMALL, words
from gemmviz.gui.looks.projector import projector_theme
from gemmviz.gui.looks.theme import LIGHT
from gemmviz.gui.presentation import slide
from gemmviz.gui.presentation.slide import (
    CAPTION_UNITS,
    NOTE_UNITS,
    SIZE_UNITS,
    TITLE_UNITS,
    SlideText,
    caption_lines,
    common_words,
    note_height,
    note_lines,
    paint_words,
    picture_units,
    plan_slide,
    slide_text,
    title_details,
    title_units,
)
from gemmviz.gui.recording.block_names import SIZES_DIFFER

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


def test_that_words_in_a_picture_are_as_large_as_its_values_leave_room() -> None:
    large, small = Shape(64, 64, 64), Shape(4, 4, 4)
    pixels = plan_slide(1920, 1080).scale * QFontInfo(words(SMALL)).pixelSize()
    beside, with_values, alone = (pixels * picture_units(each) for each in ([large, large], [small], [large]))
    assert 22 <= beside == with_values < alone
    assert alone == pytest.approx(28, abs=0.1)


def test_that_a_slide_needs_a_picture() -> None:
    with pytest.raises(ValueError, match="at least one"):
        plan_slide(1920, 1080, 0)


def test_that_words_of_a_frame_become_those_of_a_slide() -> None:
    run = load_session(examples_folder() / "cpu-four.gemmviz").traces[0]
    text = slide_text(run, (0, 0, 0), "Step 2 of 4", "load A[0,1]")
    assert text.title.startswith(f"{run.spec.kernel} ")
    assert (text.size, text.about) == ("M×N×K = 4×4×4  ·  block (0, 0)", kernel_name(run.spec.kernel).title)
    assert (text.head, text.sentence) == ("Step 2 of 4", "load A[0,1]")
    assert text.note == f"recorded as written on {place_words(run.device, run.finished)}"
    assert SlideText("a\nb").title == "a\\nb"


def test_that_a_long_caption_gets_smaller_type_and_in_the_end_dots() -> None:
    short = caption_lines(SlideText(head="Step 1 of 2", sentence="load A[0,0]"), 500, 60)
    long = caption_lines(SlideText(head="Step 1 of 2", sentence="load A[0,0] " * 12), 500, 60)
    endless = caption_lines(SlideText(head="Step 1 of 2", sentence="load A[0,0] " * 99), 500, 60)
    assert short == (CAPTION_UNITS[0], ["Step 1 of 2: load A[0,0]"])
    assert short[0] > long[0] >= endless[0]
    assert not long[1][-1].endswith("…")
    assert endless[1][-1].endswith("…")
    assert len(endless[1]) * endless[0] <= 60


def test_that_a_long_title_gets_smaller_type() -> None:
    sizes = [title_units(SlideText(title="tiled" * often, size="4×4×4"), 500) for often in (1, 8, 9, 50)]
    assert sizes == sorted(sizes, reverse=True)
    assert (sizes[0], sizes[-1]) == (TITLE_UNITS[0], TITLE_UNITS[-1])


def test_that_a_title_above_its_details_is_larger_than_they_are() -> None:
    long = SlideText(title="Sectors per 1000 multiply-adds over BK", size="H100 SXM, block 0,0, 64×64×64, 2026-11-28")
    assert title_units(long, 800) > SIZE_UNITS


def test_that_what_a_title_means_is_left_out_before_its_block_is_cut() -> None:
    text = SlideText(title="tiled", size="M×N×K = 4×4×4  ·  block (1, 1)", about="Shared-memory tiles")
    metrics = QFontMetricsF(words())
    whole = f"{text.size}  ·  {text.about}"
    assert title_details(text, metrics, metrics.horizontalAdvance(whole) + 1) == whole
    assert title_details(text, metrics, metrics.horizontalAdvance(whole) - 1) == text.size
    assert title_details(text, metrics, metrics.horizontalAdvance(text.size) - 1).endswith("…")


def test_that_what_a_title_means_stands_alone_where_the_size_stands_elsewhere() -> None:
    assert title_details(SlideText(title="tiled", about="Tiles"), QFontMetricsF(words()), 500.0) == "Tiles"


def test_that_the_line_between_two_pictures_ends_above_a_caption_of_both() -> None:
    plan = plan_slide(1920, 1080, 2)
    image = QImage(1920, 1080, QImage.Format.Format_RGB32)

    def line_ends(*texts: SlideText) -> int:
        image.fill(QColor(projector_theme(LIGHT).canvas))
        painter = QPainter(image)
        painter.scale(plan.scale, plan.scale)
        paint_words(painter, plan, texts, LIGHT)
        painter.end()
        x = round((plan.panes[0].picture.right + slide.BETWEEN / 2) * plan.scale)
        is_line = [image.pixelColor(x, y) != image.pixelColor(x + 9, y) for y in range(image.height())]
        return max(y for y, is_here in enumerate(is_line) if is_here)

    apart = line_ends(SlideText(head="one"), SlideText(head="two"))
    shared = line_ends(SlideText(head="of both"), SlideText(head="of both"))
    assert shared <= plan.panes[0].caption.y * plan.scale < apart


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


def test_that_a_slide_says_what_keeps_totals_from_being_compared() -> None:
    run = load_session(examples_folder() / "cpu-four.gemmviz").traces[0]
    loads = np.zeros(64, np.int64)
    larger = replace(run, spec=replace(run.spec, shape=Shape.parse("8x8x8")), a_loads=loads, b_loads=loads)
    whole = replace(run, launch=replace(run.launch, grid=(1, 1, 1)))
    notes = [slide_text(run, (0, 0, 0), "", "", beside=beside).note for beside in (None, run, larger, whole)]
    assert notes[:2] == [notes[0]] * 2
    assert notes[2:] == [f"{SIZES_DIFFER}  ·  {notes[0]}", f"Totals of 1 of 4 blocks  ·  {notes[0]}"]
    assert slide_text(whole, (0, 0, 0), "", "", beside=run).note == f"Totals of the only block  ·  {notes[0]}"


def test_that_the_longest_caption_of_a_kernel_fits_below_two_pictures_on_a_small_projector() -> None:
    said = SlideText(
        head="Barrier interval 4 of 9",
        sentence="asynchronously copy rows 0–63, columns 40–47 of A and rows 40–47, columns 0–63 of B into 2 048 of "
        "slots 2080–4159 of buffers; read buffers, each element 16 times: 32 768 values",
        note="recorded as compiled on the PTX machine (sm_90a code on a CPU), 2026-11-26",
    )
    caption = plan_slide(1280, 800, 2).panes[0].caption
    size, notes = note_lines([said.note], caption.width)
    _, lines = caption_lines(said, caption.width, caption.height - note_height(size, notes[0]))
    assert " ".join(lines) == f"{said.head}: {said.sentence}"


def test_that_a_note_is_whole_in_smaller_type_or_in_two_lines() -> None:
    kept = "recorded as compiled on the PTX machine (sm_90a code on a CPU), 2026-11-26"
    width = plan_slide(1280, 800, 2).panes[0].caption.width
    longest = f"{SIZES_DIFFER}  ·  {kept}"
    found = [note_lines(notes, width) for notes in (["recorded"], ["recorded", kept], ["recorded", longest])]
    assert [[len(lines) for lines in notes] for _, notes in found] == [[1], [1, 1], [1, 2]]
    assert NOTE_UNITS[0] == found[0][0] == found[2][0] > found[1][0]
    assert not any(line.endswith("…") for _, notes in found for lines in notes for line in lines)


def test_that_a_title_without_room_for_its_size_stands_above_it_and_both_are_whole() -> None:
    text = SlideText(title="cp_async BM=128 BN=128 BK=8 TM=8 TN=8", size="M×N×K = 64×64×64  ·  block (0, 0)")
    plan = plan_slide(1280, 800, 2)
    rows = [_rows_with_words(plan, SlideText(title=title, size=text.size)) for title in ("cp_async", text.title)]
    assert [len(each) for each in rows] == [1, 2]


def _rows_with_words(plan: slide.SlidePlan, text: SlideText) -> list[int]:
    """The first row of pixels of each line of words in the title of the first picture."""
    image = QImage(1280, 800, QImage.Format.Format_RGB32)
    image.fill(QColor(LIGHT.canvas))
    with QPainter(image) as painter:
        painter.scale(plan.scale, plan.scale)
        paint_words(painter, plan, (text, SlideText()), LIGHT)
    title, ground = plan.panes[0].title, QColor(LIGHT.canvas).rgb()
    right, bottom = round(title.right * plan.scale), round(title.bottom * plan.scale)
    inked = [any(image.pixel(x, y) != ground for x in range(right)) for y in range(bottom)]
    assert not any(image.pixel(right + 2, y) != ground for y in range(bottom))
    # Letters reach below the line that they stand on: dots and gaps of one row do not part two lines.
    return [y for y in range(1, bottom) if inked[y] and not any(inked[max(y - 2, 0) : y])]


def test_that_what_two_pictures_say_alike_stands_once() -> None:
    one = SlideText("naive", "M×N×K = 4×4×4", head="Step 1 of 4", sentence="load A", note="recorded on a device")
    other = replace(one, title="tiled", head="Barrier interval 1 of 4")
    common, texts = common_words((one, other))
    assert (common.note, common.head) == ("M×N×K = 4×4×4  ·  recorded on a device", "")
    assert [(text.title, text.size, text.note) for text in texts] == [("naive", "", ""), ("tiled", "", "")]
    assert common_words((one, replace(one, title="tiled")))[0].sentence == "load A"
    larger = replace(other, size="M×N×K = 8×8×8")
    common, texts = common_words((one, larger))
    assert common.note == "recorded on a device"
    assert [text.size for text in texts] == [one.size, larger.size]
    assert common_words((one, replace(other, note="another day")))[1][0] == one
    assert common_words((one,)) == (SlideText(), (one,))


def test_that_a_head_that_is_a_sentence_has_no_colon() -> None:
    assert caption_lines(SlideText(head="Look here.", sentence="It moves."), 500, 60)[1] == ["Look here. It moves."]
    assert caption_lines(SlideText(head="Step 1", sentence="It moves."), 500, 60)[1] == ["Step 1: It moves."]
