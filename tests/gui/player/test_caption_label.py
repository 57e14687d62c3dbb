"""The caption: what it says, and what it does where it does not fit."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from gemmviz.gui.looks.theme import DARK, LIGHT, Theme
from gemmviz.gui.player.caption_label import CaptionLabel, split_caption

LONG = "load rows 16–31, columns 320–335 of A and rows 320–335, columns 48–63 of B into shared memory"


@pytest.mark.parametrize(
    ("caption", "parts"),
    [
        ("barrier interval 3 of 66: load rows 0–3 of A", ("Barrier interval 3 of 66", "load rows 0–3 of A")),
        ("warp request 1 of 5: warp 0, 4 lanes: load A", ("Warp request 1 of 5", "warp 0, 4 lanes: load A")),
        ("wait", ("Wait", "")),
        ("", ("", "")),
    ],
)
def test_that_a_caption_is_a_head_and_a_sentence(caption: str, parts: tuple[str, str]) -> None:
    assert split_caption(caption) == parts


@pytest.fixture
def label(qtbot: QtBot) -> CaptionLabel:
    label = CaptionLabel()
    qtbot.addWidget(label)
    label.show_caption("Barrier interval 41 of 133", LONG)
    label.resize(900, 24)
    label.show()
    return label


def test_that_all_of_it_is_there_as_text(label: CaptionLabel) -> None:
    assert label.text() == f"Barrier interval 41 of 133: {LONG}"
    assert label.accessibleName() == label.text()
    assert not label.is_cut
    assert label.text() not in label.toolTip()
    label.show_caption("preparing frames…")
    assert label.text() == "preparing frames…"


def test_that_a_line_that_does_not_fit_is_told_whole_in_the_tooltip(label: CaptionLabel) -> None:
    label.resize(300, 24)
    assert label.is_cut
    assert label.toolTip().startswith(label.text())
    label.show_caption("Barrier interval 1 of 2", "store C[0,0]")
    assert not label.is_cut
    assert label.text() not in label.toolTip()


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_that_head_and_sentence_have_the_themes_colours(label: CaptionLabel, theme: Theme) -> None:
    label.set_theme(theme)
    image = label.grab().toImage()
    found = {image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())}
    assert {theme.text, theme.muted} <= found


def test_that_it_asks_for_little_room(label: CaptionLabel) -> None:
    label.resize(40, 24)
    assert label.minimumSizeHint().width() <= 80
    assert not label.grab().isNull()


def test_that_a_sentence_goes_on_in_a_second_line_where_there_are_two(qtbot: QtBot) -> None:
    flowing = CaptionLabel(lines=2)
    qtbot.addWidget(flowing)
    assert flowing.sizeHint().height() == 2 * CaptionLabel().sizeHint().height()
    flowing.show_caption("Barrier interval 41 of 133", LONG)
    needed = next(width for width in range(100, 900) if not _is_cut(flowing, width))
    beside = CaptionLabel()
    qtbot.addWidget(beside)
    beside.show_caption("Barrier interval 41 of 133", LONG)
    alone = next(width for width in range(100, 900) if not _is_cut(beside, width))
    assert 0.5 * alone < needed < 0.7 * alone
    flowing.show()
    flowing.resize(needed - 40, 40)
    assert flowing.toolTip().startswith(flowing.text())
    assert not flowing.grab().isNull()


def _is_cut(label: CaptionLabel, width: int) -> bool:
    label.resize(width, 40)
    return label.is_cut


def test_that_the_indices_of_an_array_are_in_one_line_at_every_width(label: CaptionLabel) -> None:
    said = "store C[0–15,0–15] and read As[3,4]"
    label.set_lines(3)
    label.show_caption("Step 3 of 8", said)
    for width in range(60, 400, 7):
        layout = label._flowing(label._flowing_text(), width)
        lines = [layout.lineAt(number) for number in range(layout.lineCount())]
        shown = [layout.text()[line.textStart() : line.textStart() + line.textLength()] for line in lines]
        assert all(line.count("[") == line.count("]") for line in shown), shown
    assert label.accessibleName() == f"Step 3 of 8: {said}", "as it is said, not as it is set"


def test_that_the_tooltip_says_what_a_barrier_interval_is(label: CaptionLabel) -> None:
    label.show_caption("Barrier interval 1 of 65", "load rows")
    assert "A barrier interval is the time between two barriers of a block." in label.toolTip()
