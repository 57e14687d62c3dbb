"""Notes in few lines, and whole."""

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtWidgets import QPushButton, QScrollArea
from pytestqt.qtbot import QtBot

from gemmviz.domain.runs.doubts import NOT_GPU_TIMES, THROTTLED, TIME_RAN_OUT
from gemmviz.explain.figures.run_facts import WRONG_NOTE
from gemmviz.gui.charts.notes_label import HOVER, NotesLabel
from gemmviz.gui.widgets.on_screen import screen_only_parts_hidden
from gemmviz.gui.widgets.plain_label import PlainLabel

NOTES = ("measured on a GPU", NOT_GPU_TIMES, TIME_RAN_OUT, "median and interquartile range of n samples")


@pytest.fixture
def label(qtbot: QtBot) -> NotesLabel:
    made = NotesLabel()
    qtbot.addWidget(made)
    made.write(NOTES)
    made.resize(300, 100)
    return made


def link_of(label: NotesLabel) -> QPushButton:
    link = label.findChild(QPushButton, "notesLink")
    assert isinstance(link, QPushButton)
    return link


def listed(label: NotesLabel) -> list[PlainLabel]:
    area = label.findChild(QScrollArea, "notesList")
    assert isinstance(area, QScrollArea)
    return area.widget().findChildren(PlainLabel)


def test_that_whole_notes_have_a_line_each(label: NotesLabel) -> None:
    assert label.text().split("\n")[0] == "Times of GPU kernels on a CPU are not GPU times.", (
        "what is doubtful is first"
    )
    assert label.text().split("\n")[-1] == "Measured on a GPU."
    assert len(label.text().split("\n")) == len(NOTES)
    assert label.heightForWidth(900) >= 4 * label.fontMetrics().height()


def test_that_a_note_that_is_a_sentence_has_one_full_stop(label: NotesLabel) -> None:
    label.write(("the GPU lowered its clock. The roof would be higher.", "median of n samples"))
    assert label.text().split("\n") == ["The GPU lowered its clock. The roof would be higher.", "Median of n samples."]


def test_that_of_brief_notes_nothing_is_lost(label: NotesLabel) -> None:
    whole = label.whole_height(900)
    label.set_brief(1)
    assert label.heightForWidth(900) < 2 * label.fontMetrics().height()
    assert label.accessibleDescription() == label.text()
    assert all(note[1:] in label.text() for note in NOTES)
    assert label.whole_height(900) == whole
    label.set_brief(0)
    assert label.accessibleDescription() == ""
    assert label.heightForWidth(900) == whole


def test_that_what_is_doubtful_comes_first_in_brief_notes(label: NotesLabel) -> None:
    label.set_brief(1)
    assert label.brief(2000).startswith("Times of GPU kernels on a CPU are not GPU times. * time limit reached")
    assert label.brief(2000).endswith("n samples. Measured on a GPU.")


@pytest.mark.parametrize("width", [220, 300, 500, 700, 1400])
@pytest.mark.parametrize("lines", [1, 2, 4])
def test_that_no_note_is_cut_off(label: NotesLabel, width: int, lines: int) -> None:
    label.set_brief(lines)
    label.show()
    label.resize(width, 100)
    words = label.brief(width)
    assert words.endswith(".")
    assert "…" not in words
    shown = [sentence for sentence in label.text().split("\n") if sentence in words]
    assert link_of(label).isVisibleTo(label) == (len(shown) < len(NOTES))
    assert all(doubt in words for doubt in ("are not GPU times.", "* time limit reached")), "doubts are always seen"
    if len(shown) > 2:
        assert label.heightForWidth(width) <= lines * label.fontMetrics().lineSpacing()


def test_that_a_doubt_without_room_for_all_of_it_is_said_in_short(label: NotesLabel) -> None:
    named = f"{THROTTLED} ({', '.join(f'kernel_{place} in 3 of 9' for place in range(4))} samples)"
    label.write(("median of n samples", named, WRONG_NOTE))
    label.set_brief(1)
    assert label.brief(600) == f"WRONG: the result did not pass the check. {THROTTLED}."
    label.set_brief(9)
    assert named in label.brief(600)


def test_that_without_doubts_the_begin_of_the_first_sentence_is_said_where_it_says_something(label: NotesLabel) -> None:
    rest = "a" + " long explanation" * 20
    label.write((f"all 27 results are right: {rest}", "measured on a GPU"))
    label.set_brief(1)
    assert label.brief(500) == "All 27 results are right."
    label.write((f"error bars: {rest}", "measured on a GPU"))
    assert label.brief(500) == ""


def test_that_brief_notes_are_painted(label: NotesLabel) -> None:
    label.set_brief(1)
    label.resize(300, 20)
    written = label.grab().toImage()
    label.write(())
    assert label.grab().toImage() != written


def test_that_a_link_opens_all_notes_in_place_and_closes_them(label: NotesLabel) -> None:
    label.set_brief(1)
    label.set_most(400)
    link, area = link_of(label), label.findChild(QScrollArea, "notesList")
    assert isinstance(area, QScrollArea)
    closed = label.heightForWidth(300)
    assert link.text() == "All 4 notes"
    assert not area.isVisibleTo(label)
    link.click()
    assert link.text() == "Close notes"
    assert area.isVisibleTo(label)
    assert closed < label.heightForWidth(300) <= 400
    label.set_most(90)
    assert 90 - label.fontMetrics().lineSpacing() - 6 <= label.heightForWidth(300) <= 90, "the list scrolls"
    link.click()
    assert label.heightForWidth(300) == closed


def test_that_the_list_has_each_note_below_the_heading_of_its_kind(label: NotesLabel) -> None:
    words = [one.text() for one in listed(label)]
    assert words[:2] == [HOVER, "What to be careful about"]
    assert words[4:6] == ["How to read the chart", "Median and interquartile range of n samples."]
    assert words[6:] == ["Where it was measured", "Measured on a GPU."]
    hover = listed(label)[0]
    assert hover.parentWidget().layout().indexOf(hover) == 0, "once, above all of them"
    label.write(("the roof would be higher", "median of n samples"))
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    assert [one.text() for one in listed(label)] == [
        HOVER,
        "The roof would be higher.",
        "Median of n samples.",
    ]
    assert listed(label)[1].toolTip().startswith("A roof is"), "each note explains its terms"
    label.write(("measured yesterday",))
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    assert [one.text() for one in listed(label)] == ["Measured yesterday."], "nothing is explained"


def test_that_calm_notes_show_what_is_doubtful_and_have_the_rest_in_the_list(label: NotesLabel) -> None:
    label.resize(1000, 100)
    label.set_calm(True)
    doubts = label.brief(1000)
    assert "Median" not in doubts
    assert "Measured" not in doubts
    assert all(note[1:] in doubts for note in (NOT_GPU_TIMES, TIME_RAN_OUT))
    assert link_of(label).isVisibleTo(label)
    label.write(("median of n samples", "measured on a GPU"))
    assert label.brief(1000) == ""
    assert link_of(label).text() == "All 2 notes"
    with screen_only_parts_hidden(label):
        assert not label.is_brief, "a picture has no link"
    label.set_calm(False)
    assert not link_of(label).isVisibleTo(label)


def test_that_keys_open_and_close_the_list(qtbot: QtBot, label: NotesLabel) -> None:
    assert not link_of(label).isVisibleTo(label), "whole notes"
    label.set_brief(1)
    label.set_most(400)
    label.show()
    link_of(label).setFocus()
    qtbot.waitUntil(link_of(label).hasFocus)
    qtbot.keyClick(link_of(label), Qt.Key.Key_Space)
    assert label.is_open
    qtbot.keyClick(link_of(label), Qt.Key.Key_Escape)
    assert not label.is_open


def test_that_the_tooltip_of_notes_says_what_their_terms_mean(label: NotesLabel) -> None:
    label.write(("the roof would be higher", "median of n samples"))
    assert [line.split(" ")[:2] for line in label.toolTip().split("\n")] == [["A", "roof"], ["The", "median"]]
    label.write(("measured yesterday",))
    assert label.toolTip() == ""
