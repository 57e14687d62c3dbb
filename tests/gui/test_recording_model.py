"""The lines of a kernel as a model, and the view of them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot

from gemmviz.domain.hazard import Hazard, HazardKind
from gemmviz.domain.trace_run import TraceRun
from gemmviz.gui.recording_lines import source_lines
from gemmviz.gui.recording_model import HEADS, Column, SourceModel
from gemmviz.gui.recording_source import SourceView
from gemmviz.gui.theme import DARK, LIGHT

Record = Callable[..., TraceRun]
RACE = Hazard(HazardKind.RACE, 6, "As[i]", (0, 0, 0), (0, 1), 0, 8, "two threads")
FATAL = QAbstractItemModelTester.FailureReportingMode.Fatal


@pytest.fixture
def source(qtbot: QtBot) -> SourceView:
    source = SourceView()
    qtbot.addWidget(source)
    source.resize(700, 300)
    source.show()
    qtbot.waitExposed(source)
    return source


def test_that_the_model_keeps_qts_rules(make_recording: Record) -> None:
    model = SourceModel()
    tester = QAbstractItemModelTester(model, FATAL)
    for lines in ((), source_lines(make_recording()), source_lines(make_recording(hazards=(RACE,))), ()):
        model.set_lines(lines)
        assert model.rowCount() == len(lines)
        assert model.columnCount() == len(HEADS)
    assert tester.model() is model


def test_that_a_row_is_a_line_with_its_figures(make_recording: Record) -> None:
    model = SourceModel()
    model.set_lines(source_lines(make_recording(hazards=(RACE,))))
    row = model.row_of(6)
    texts = {column: model.index(row, column).data() for column in Column}
    assert texts[Column.NUMBER] == "6"
    assert texts[Column.CODE] == "    As[i] = x;"
    assert (texts[Column.REQUESTS], texts[Column.SHARED], texts[Column.EXCESS]) == ("", "20", "15")
    assert texts[Column.MARK] == "! race"
    assert "two threads" in model.index(row, Column.CODE).data(Qt.ItemDataRole.AccessibleTextRole)
    assert model.row_of(1) == -1
    heading = model.headerData(Column.SECTORS, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole)
    assert heading.endswith("recorded")


def test_that_a_line_can_be_brought_into_view(source: SourceView, make_recording: Record) -> None:
    long = "/*---\n---*/\n" + "\n".join(f"line {number};" for number in range(3, 300))
    source.show_lines(source_lines(make_recording(source=long)))
    assert source.show_line(200)
    row = source.selectionModel().selectedRows()[0]
    assert row.data() == "200"
    assert source.viewport().rect().contains(source.visualRect(row))
    assert not source.show_line(0), "the header's lines are not shown"


def test_that_a_long_source_begins_near_its_first_access(qtbot: QtBot, make_recording: Record) -> None:
    view = SourceView()
    qtbot.addWidget(view)
    view.resize(700, 200)
    deep = make_recording(source="\n" * 99 + "x = A[i];\n" + "\n" * 99)
    sites = tuple(type(site)(site.index, 100, *[getattr(site, name) for name in (
        "column", "text", "space", "kind", "width_bytes", "array")]) for site in deep.sites)  # fmt: skip
    view.show_lines(source_lines(make_recording(source=deep.source_text, sites=sites)))
    view.show()
    qtbot.waitExposed(view)
    assert view.model().index(view.rowAt(0), 0).data() == "97"
    view.verticalScrollBar().setValue(0)
    view.hide()
    view.show()
    assert view.model().index(view.rowAt(0), 0).data() == "1", "once seen, it stays where the person left it"


def test_that_lines_are_copied_with_their_figures(source: SourceView, make_recording: Record, qtbot: QtBot) -> None:
    source.show_lines(source_lines(make_recording()))
    source.show_line(5)
    qtbot.keyClick(source, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    heads, line = QGuiApplication.clipboard().text().splitlines()
    assert heads.split("\t")[0] == "line"
    assert line.split("\t") == ["5", "    x = A[i]; // five", "", "10", "5.70", "", ""]


def test_that_a_hazard_is_hatched_in_both_themes(source: SourceView, make_recording: Record) -> None:
    for theme in (LIGHT, DARK):
        source.set_theme(theme)
        pictures = []
        for hazards in ((), (RACE,)):
            source.show_lines(source_lines(make_recording(hazards=hazards)))
            rect = source.visualRect(source.model().index(1, Column.REQUESTS))
            image = source.viewport().grab(rect).toImage()
            pictures.append({image.pixel(x, y) for x in range(image.width()) for y in range(image.height())})
        assert len(pictures[0]) < len(pictures[1]), "the empty cell of a line at fault has the lines of a hatch"
