"""Notes in few lines, and whole."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QToolTip
from pytestqt.qtbot import QtBot

from gemmviz.domain.runs.doubts import NOT_GPU_TIMES, THROTTLED, TIME_RAN_OUT
from gemmviz.explain.figures.run_facts import WRONG_NOTE
from gemmviz.gui.charts.notes_label import NotesLabel

NOTES = ("measured on a GPU", NOT_GPU_TIMES, TIME_RAN_OUT, "median and interquartile range of n samples")


@pytest.fixture
def label(qtbot: QtBot) -> NotesLabel:
    made = NotesLabel()
    qtbot.addWidget(made)
    made.write(NOTES)
    made.resize(300, 100)
    return made


def test_that_whole_notes_have_a_line_each(label: NotesLabel) -> None:
    assert label.text().split("\n")[0] == "Measured on a GPU."
    assert len(label.text().split("\n")) == len(NOTES)
    assert label.heightForWidth(900) >= 4 * label.fontMetrics().height()


def test_that_a_note_that_is_a_sentence_has_one_full_stop(label: NotesLabel) -> None:
    label.write(("the GPU lowered its clock. The roof would be higher.", "median of n samples"))
    assert label.text().split("\n") == ["The GPU lowered its clock. The roof would be higher.", "Median of n samples."]


def test_that_of_brief_notes_nothing_is_lost(label: NotesLabel) -> None:
    whole = label.whole_height(900)
    label.set_brief(1)
    assert label.heightForWidth(900) == label.fontMetrics().height()
    assert label.accessibleDescription() == label.text()
    assert label.toolTip().startswith(label.text())
    assert all(note[1:] in label.text() for note in NOTES)
    assert label.whole_height(900) == whole
    label.set_brief(0)
    assert label.accessibleDescription() == ""
    assert label.heightForWidth(900) == whole


def test_that_what_is_doubtful_comes_first_in_brief_notes(label: NotesLabel) -> None:
    label.set_brief(1)
    assert label.brief(2000).startswith("Times of GPU kernels on a CPU are not GPU times. * time limit reached")
    assert label.brief(2000).endswith("n samples. Measured on a GPU.")


@pytest.mark.parametrize("width", [120, 300, 500, 700, 1400])
@pytest.mark.parametrize("lines", [1, 2, 4])
def test_that_no_note_is_cut_off(label: NotesLabel, width: int, lines: int) -> None:
    label.set_brief(lines)
    words = label.brief(width)
    assert words.endswith(".")
    assert "…" not in words
    shown = [sentence for sentence in label.text().split("\n") if sentence in words]
    if len(shown) < len(NOTES):
        left = len(NOTES) - len(shown)
        more = f"{left}{' more' * bool(shown)} note{'s' * (left > 1)}"
        assert words.endswith(f"Point here for {more}.")
    assert all(doubt in words for doubt in ("are not GPU times.", "* time limit reached")), "doubts are always seen"
    if len(shown) > 2:
        assert label.heightForWidth(width) <= lines * label.fontMetrics().lineSpacing()


def test_that_a_doubt_without_room_for_all_of_it_is_said_in_short(label: NotesLabel) -> None:
    named = f"{THROTTLED} ({', '.join(f'kernel_{place} in 3 of 9' for place in range(4))} samples)"
    label.write(("median of n samples", named, WRONG_NOTE))
    label.set_brief(1)
    assert label.brief(600) == f"WRONG: the result did not pass the check. {THROTTLED}. Point here for 3 notes."
    label.set_brief(9)
    assert named in label.brief(600)


def test_that_brief_notes_are_painted(label: NotesLabel) -> None:
    label.set_brief(1)
    label.resize(300, 20)
    written = label.grab().toImage()
    label.write(())
    assert label.grab().toImage() != written


def test_that_notes_without_room_are_reached_and_opened_by_keys(qtbot: QtBot, label: NotesLabel) -> None:
    assert label.focusPolicy() == Qt.FocusPolicy.NoFocus, "whole notes"
    label.set_brief(1)
    assert label.focusPolicy() == Qt.FocusPolicy.TabFocus
    label.show()
    label.setFocus()
    qtbot.waitUntil(label.hasFocus)
    assert label.brief(300).endswith("Press Enter for 2 more notes.")
    qtbot.keyClick(label, Qt.Key.Key_Return)
    qtbot.waitUntil(QToolTip.isVisible)
    assert all(note[1:] in QToolTip.text() for note in NOTES)
    qtbot.keyClick(label, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not QToolTip.isVisible())
    label.set_brief(9)
    assert label.focusPolicy() == Qt.FocusPolicy.NoFocus, "brief notes that are all seen"


def test_that_the_tooltip_of_notes_says_what_their_terms_mean(label: NotesLabel) -> None:
    label.write(("the roof would be higher", "median of n samples"))
    assert [line.split(" ")[0] for line in label.toolTip().split("\n")] == ["roof:", "The"]
    label.write(("measured yesterday",))
    assert label.toolTip() == ""
