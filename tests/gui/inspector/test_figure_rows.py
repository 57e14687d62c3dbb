"""Figures in a narrow column."""

from __future__ import annotations

import pytest
from image_pixels import colours_of
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from gemmviz.domain.terms import Evidence
from gemmviz.explain.runs.figure_lines import Line, Section, ValueTone
from gemmviz.gui.inspector.figure_rows import FigureRows
from gemmviz.gui.looks.theme import DARK
from gemmviz.gui.widgets.figure_row import MOST_WIDTH, FigureRow

ONE = Line("sectors", "92", Evidence.RECORDED, "of 32 bytes")
TWO = Line("wavefronts", "72 → 16 ↓", Evidence.MODELLED, tone=ValueTone.GOOD, begins_group=True)


@pytest.fixture
def rows(qtbot: QtBot) -> FigureRows:
    made = FigureRows("figures")
    qtbot.addWidget(made)
    made.resize(288, 200)
    made.show()
    return made


def visible(rows: FigureRows) -> list[str]:
    return [label.text() for label in rows.findChildren(QLabel) if label.isVisible() and label.text()]


def test_that_the_evidence_of_all_lines_stands_once(rows: FigureRows) -> None:
    rows.show_section(Section("Head", "", "detail", (ONE, ONE), "note"))
    assert sorted(visible(rows)) == sorted(["Head", "recorded", "detail", "note", "sectors", "92", "sectors", "92"])


def test_that_evidence_that_differs_stands_with_each_line(rows: FigureRows) -> None:
    rows.show_section(Section("Head", "", "", (ONE, TWO)))
    assert sorted(visible(rows)) == sorted(["Head", "sectors", "92", "recorded", "wavefronts", "72 → 16 ↓", "modelled"])


SECTOR = "A sector is an aligned piece of 32 bytes."
"""What the glossary says of the term in a row."""


def test_that_every_figure_is_read_aloud_with_its_evidence(rows: FigureRows) -> None:
    rows.show_section(Section("Head", "", "", (ONE, TWO)))
    names = {label.accessibleName() for label in rows.findChildren(QLabel)}
    assert {"sectors 92, recorded", "wavefronts 72 → 16 ↓, modelled"} <= names
    assert [row.toolTip() for row in rows.findChildren(FigureRow)] == [
        f"of 32 bytes\nrecorded\n\n{SECTOR}",
        "modelled\n\nA wavefront is one pass of a request through shared memory, in which each bank "
        "hands out one word.",
    ]


def test_that_fewer_lines_leave_none_of_the_old_behind(rows: FigureRows) -> None:
    rows.show_section(Section("Head", "", "", (ONE, TWO, ONE)))
    rows.show_section(Section("Other", "", "", (TWO,)))
    assert "sectors" not in visible(rows)
    assert len(rows.findChildren(FigureRow)) == 3
    rows.show_section(Section("None", "", "", note="nothing"))
    assert visible(rows) == ["None", "nothing"]
    assert rows.section.note == "nothing"


def test_that_a_good_value_has_the_themes_colour(rows: FigureRows) -> None:
    rows.set_theme(DARK)
    rows.show_section(Section("Head", "", "", (TWO,)))
    assert DARK.good in colours_of(rows.grab().toImage())


LONG = Line("tensor cores, shared loads", "196 608 bytes", Evidence.RECORDED)
LONGER = Line(
    "its copy As[1,3] is " + "loaded by 32 threads, " * 3, "0–15, 32–47, " * 6 + "131 072 / 131 072", Evidence.RECORDED
)


def row_of(rows: FigureRows, line: Line, width: int, *others: Line) -> tuple[FigureRow, QLabel, QLabel]:
    rows.resize(width, 400)
    rows.show_section(Section("Head", "", "", (line, *others)))
    row = rows.findChildren(FigureRow)[0]
    words, value = row.findChildren(QLabel)[:2]
    return row, words, value


def test_that_a_value_stands_beside_its_words_where_both_have_room_and_below_them_elsewhere(rows: FigureRows) -> None:
    for line, width, is_below in ((ONE, 288, False), (LONG, 420, False), (LONG, 230, True), (LONG, 200, True)):
        _, words, value = row_of(rows, line, width)
        assert (value.y() >= words.geometry().bottom()) is is_below, width
        assert words.text() == line.words


def test_that_a_value_stays_near_its_words_in_a_wide_panel(rows: FigureRows) -> None:
    _, words, value = row_of(rows, ONE, 900)
    assert value.geometry().right() <= MOST_WIDTH
    assert words.x() == 0


def test_that_no_width_cuts_a_value(rows: FigureRows) -> None:
    for line in (ONE, LONG, LONGER):
        for width in (500, 288, 260, 200, 160):
            row, _, value = row_of(rows, line, width, TWO)
            needed = value.heightForWidth(value.width()) if value.wordWrap() else value.sizeHint().height()
            one_line = value.fontMetrics().horizontalAdvance(value.text())
            assert value.wordWrap() or one_line <= value.width(), (line.words, width)
            assert row.rect().contains(value.geometry()), (line.words, width)
            assert needed <= value.height(), (line.words, width)


def test_that_words_longer_than_a_line_end_in_dots_and_the_tooltip_has_them_all(rows: FigureRows) -> None:
    row, words, _ = row_of(rows, LONGER, 260)
    assert words.text().endswith("…")
    assert row.toolTip().startswith(LONGER.words)
    row, words, _ = row_of(rows, ONE, 260)
    assert (words.text(), row.toolTip()) == ("sectors", f"of 32 bytes\nrecorded\n\n{SECTOR}")


def test_that_words_make_no_column_wider_than_its_place(rows: FigureRows) -> None:
    row_of(rows, LONGER, 160)
    assert rows.minimumSizeHint().width() <= 160


@pytest.mark.parametrize("width", [420, 300, 260])
def test_that_the_evidence_stands_in_the_line_of_its_value(rows: FigureRows, width: int) -> None:
    other = Line("rate", "1", Evidence.DERIVED)
    row, words, value = row_of(rows, LONG, width, other)
    evidence = row.findChildren(QLabel)[2]
    assert evidence.isVisibleTo(row)
    assert evidence.text() == "recorded"
    assert evidence.y() == value.y()
    assert (value.y() > words.y()) is (width < 420)
