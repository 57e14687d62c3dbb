"""The table of sums: every digit of it is seen."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from gemmviz.explain.source.recorded_lines import MovedRow, TotalsRow
from gemmviz.gui.recording.totals import RecordingTotals

SUMS = (
    TotalsRow("global loads", "524 288", "4 096 000", "8.00"),
    TotalsRow("shared loads", "512", "", "", "1 024", "0"),
)
MOVED = (MovedRow("TMA, from global", "1 262 144"), MovedRow("tensor cores, from shared", "524 288"))


@pytest.fixture
def totals(qtbot: QtBot) -> RecordingTotals:
    made = RecordingTotals()
    qtbot.addWidget(made)
    made.show()
    return made


def texts(totals: RecordingTotals) -> list[str]:
    return [label.text() for label in totals.findChildren(QLabel) if label.isVisible() and label.text()]


def test_that_bytes_have_a_column_of_their_own(totals: RecordingTotals) -> None:
    totals.show_rows(SUMS, MOVED)
    assert {"TMA, from global", "1 262 144 bytes", "524 288 bytes"} <= set(texts(totals))


def test_that_no_words_and_no_digits_are_cut_at_the_least_width(totals: RecordingTotals) -> None:
    totals.show_rows(SUMS, MOVED)
    totals.resize(totals.minimumSizeHint())
    for label in totals.findChildren(QLabel):
        if label.isVisible():
            assert label.width() >= label.fontMetrics().horizontalAdvance(label.text()), label.text()
            assert totals.rect().contains(label.geometry()), label.text()


def test_that_long_names_below_do_not_make_the_sums_wider(totals: RecordingTotals) -> None:
    totals.show_rows(SUMS)
    before = totals.minimumSizeHint().width()
    totals.show_rows(SUMS, MOVED)
    assert totals.minimumSizeHint().width() == before


def test_that_fewer_rows_leave_none_of_the_old_behind(totals: RecordingTotals) -> None:
    totals.show_rows(SUMS, MOVED)
    totals.show_rows(SUMS[:1])
    assert not {"shared loads", *(row.name for row in MOVED)} & set(texts(totals))


def test_that_columns_without_a_figure_are_left_out(totals: RecordingTotals) -> None:
    totals.show_rows(SUMS[:1])
    assert not {"wavefronts", "excess"} & set(texts(totals))
    totals.show_rows(SUMS)
    assert {"wavefronts", "excess", "1 024", "0"} <= set(texts(totals))


def test_that_every_figure_is_read_aloud_with_its_name(totals: RecordingTotals) -> None:
    totals.show_rows(SUMS, MOVED)
    names = {label.accessibleName() for label in totals.findChildren(QLabel)}
    assert {"Global loads requests 524 288, recorded", "Tensor cores, from shared 524 288 bytes, recorded"} <= names
