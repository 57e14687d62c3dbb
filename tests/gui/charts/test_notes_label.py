"""Notes in one line, and whole."""

import pytest
from pytestqt.qtbot import QtBot

from gemmviz.domain.doubts import NOT_GPU_TIMES, TIME_RAN_OUT
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
    assert label.toolTip() == ""


def test_that_brief_notes_have_one_line_and_nothing_is_lost(label: NotesLabel) -> None:
    whole = label.whole_height(900)
    label.set_brief(True)
    assert label.heightForWidth(900) == label.sizeHint().height() == label.fontMetrics().height()
    assert label.toolTip() == label.accessibleDescription() == label.text()
    assert all(note[1:] in label.text() for note in NOTES)
    assert label.whole_height(900) == whole
    label.set_brief(False)
    assert label.toolTip() == label.accessibleDescription() == ""
    assert label.heightForWidth(900) == whole


def test_that_what_is_doubtful_comes_first_in_one_line(label: NotesLabel) -> None:
    label.set_brief(True)
    label.resize(2000, 20)
    assert label.line.startswith("Times of GPU kernels on a CPU are not GPU times. * time limit reached")
    assert label.line.endswith("n samples.")


def test_that_one_line_is_cut_off_with_a_sign(label: NotesLabel) -> None:
    label.set_brief(True)
    assert label.line.endswith("…")
    assert label.fontMetrics().horizontalAdvance(label.line) <= 300


def test_that_the_line_is_painted(label: NotesLabel) -> None:
    label.set_brief(True)
    label.resize(300, 20)
    written = label.grab().toImage()
    label.write(())
    assert label.grab().toImage() != written
