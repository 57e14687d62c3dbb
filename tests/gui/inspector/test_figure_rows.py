"""Figures in a narrow column."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from gemmviz.domain.terms import Evidence
from gemmviz.gui.figures.last_run import Line, Section, Tone
from gemmviz.gui.inspector.figure_rows import FigureRow, FigureRows
from gemmviz.gui.looks.theme import DARK

ONE = Line("sectors", "92", Evidence.RECORDED, "of 32 bytes")
TWO = Line("wavefronts", "72 → 16 ↓", Evidence.MODELLED, tone=Tone.GOOD, begins_group=True)


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


def test_that_every_figure_is_read_aloud_with_its_evidence(rows: FigureRows) -> None:
    rows.show_section(Section("Head", "", "", (ONE, TWO)))
    names = {label.accessibleName() for label in rows.findChildren(QLabel)}
    assert {"sectors 92, recorded", "wavefronts 72 → 16 ↓, modelled"} <= names
    assert [row.toolTip() for row in rows.findChildren(FigureRow)] == ["of 32 bytes\nrecorded", "modelled"]


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
    image = rows.grab().toImage()
    found = {image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())}
    assert DARK.good in found
