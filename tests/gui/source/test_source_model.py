"""A source as a Qt model: its cells, what is spoken, what is told about lines that run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QTextDocument
from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot

from gemmviz.domain.recordings.hazard import Hazard, HazardKind
from gemmviz.domain.recordings.machine_accesses import AccessSort, LineAccesses, MachineAccesses, WidthCount
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.explain.source.line_figures import FigureSet, LineFigureKind, figures_of
from gemmviz.explain.source.recorded_lines import plain_lines, source_lines
from gemmviz.gui.source.source_model import (
    CODE,
    COLUMNS,
    FIGURES,
    FIRST_FIGURE,
    NUMBER,
    ShownLine,
    SourceModel,
    SourceRole,
    as_tooltip,
    heading_of,
)

Record = Callable[..., TraceRun]
RACE = Hazard(HazardKind.RACE, 6, "As[i]", (0, 0, 0), (0, 1), 0, 8, "two threads")
SECTORS = FIRST_FIGURE + FIGURES.index(LineFigureKind.SECTORS_PER_REQUEST)
EXCESS = FIRST_FIGURE + FIGURES.index(LineFigureKind.EXCESS)
AS_READ, IN_WORDS = Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.AccessibleDescriptionRole


def rows_of(run: TraceRun) -> list[ShownLine]:
    lines = source_lines(run)
    return [ShownLine(line, (), row) for line, row in zip(lines, figures_of(lines, "1 block"), strict=True)]


@pytest.fixture
def model(make_recording: Record) -> SourceModel:
    model = SourceModel()
    model.set_rows(rows_of(make_recording(hazards=(RACE,))))
    return model


def test_that_the_model_keeps_qts_rules(make_recording: Record) -> None:
    model = SourceModel()
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    plain = [ShownLine(line, (), {}) for line in plain_lines("a\nb")]
    for rows in ([], rows_of(make_recording()), plain, rows_of(make_recording(hazards=(RACE,))), []):
        model.set_rows(rows)
        model.set_running([1, 2])
        assert (model.rowCount(), model.columnCount()) == (len(rows), COLUMNS)
    assert tester.model() is model


def test_that_a_row_is_a_line_with_its_figures(model: SourceModel) -> None:
    assert [model.index(4, column).data() for column in (NUMBER, CODE, SECTORS, EXCESS)] == [
        "5",
        "    x = A[i]; // five",
        "5.70",
        "",
    ]
    assert [model.index(5, column).data() for column in (SECTORS, EXCESS)] == ["", "15"]
    assert model.index(4, CODE).data(SourceRole.SHOWN).line.number == 5
    assert (model.row_of(6), model.row_of(0), model.row_of(8)) == (5, -1, -1)


def test_that_a_screen_reader_hears_what_others_see(model: SourceModel) -> None:
    assert model.index(5, CODE).data(AS_READ) == "line 6, ! race: As[i] = x;"
    model.set_running([6])
    assert model.index(5, CODE).data(AS_READ) == "line 6, runs now, ! race: As[i] = x;"
    assert model.index(5, EXCESS).data(AS_READ) == "15 excess wavefronts · recorded"
    assert model.index(4, EXCESS).data(AS_READ) == ""
    assert "= wavefronts - ideal = 20 - 5" in model.index(5, EXCESS).data(IN_WORDS)
    assert "two threads" in model.index(5, CODE).data(IN_WORDS)
    assert model.headerData(CODE, Qt.Orientation.Horizontal, AS_READ) == "source"


def test_that_only_lines_that_begin_or_end_to_run_are_told(model: SourceModel, qtbot: QtBot) -> None:
    told: list[int] = []
    model.dataChanged.connect(lambda first, last: told.extend(range(first.row(), last.row() + 1)))
    model.set_running([5, 6])
    model.set_running([6, 7])
    model.set_running([7, 6])
    assert sorted(told) == [4, 4, 5, 6]
    assert [model.index(row, 0).data(SourceRole.RUNS) for row in range(7)] == [False] * 5 + [True] * 2
    model.set_running([0, 99])
    assert not any(model.index(row, 0).data(SourceRole.RUNS) for row in range(7))
    with qtbot.waitSignal(model.modelReset):
        model.set_rows([])


def test_that_headings_name_figures_with_their_evidence(model: SourceModel) -> None:
    heading = [
        model.headerData(FIRST_FIGURE + place, Qt.Orientation.Horizontal, role)
        for place in range(len(FIGURES))
        for role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole)
    ]
    assert [head.replace("/\n", "/").replace("\n", " ") for head in heading[::2]] == list(FIGURES)
    assert all(" · recorded\n" in tip or " · derived\n" in tip for tip in heading[1::2])
    assert model.headerData(CODE, Qt.Orientation.Horizontal) is None
    assert model.headerData(COLUMNS, Qt.Orientation.Horizontal) is None
    assert model.data(QModelIndex()) is None


def test_that_a_row_goes_to_a_spreadsheet_with_all_its_digits(recorded: Record) -> None:
    model = SourceModel()
    run = recorded("tiled", TILE=16)
    model.set_rows(rows_of(run))
    (line,) = {site.line for site in run.sites if site.array == "A"}
    number, code, *figures, in_sass = model.cells(model.row_of(line))
    assert (number, in_sass) == (str(line), "")
    assert "A[row * K + k0 + tx]" in code
    sectors = run.counts.sectors[[site.index for site in run.sites if site.array == "A"]].sum()
    requests = run.counts.requests[[site.index for site in run.sites if site.array == "A"]].sum()
    assert float(figures[FIGURES.index(LineFigureKind.SECTORS_PER_REQUEST)]) == pytest.approx(
        sectors / requests, rel=1e-14
    )


def test_that_a_row_goes_to_a_spreadsheet_with_what_machine_code_has(recorded: Record) -> None:
    model = SourceModel()
    run = recorded("tiled", TILE=16)
    (line,) = {site.line for site in run.sites if site.array == "A"}
    merged = LineAccesses(line, AccessSort.GLOBAL_LOADS, (WidthCount(4, 4),), (WidthCount(16, 1),))
    model.set_rows(rows_of(replace(run, machine=MachineAccesses("sm_90a", "NVRTC 13.5", (merged,)))))
    assert [model.cells(row)[-1] for row in range(model.rowCount()) if model.cells(row)[-1]] == ["128-bit"]
    assert model.cells(model.row_of(line))[-1] == "128-bit"


def test_that_a_tooltip_shows_code_as_it_is() -> None:
    document = QTextDocument()
    document.setHtml(as_tooltip("line 1: if (a<b && c>d) x<int>();\nmore & more"))
    assert document.toPlainText() == "line 1: if (a<b && c>d) x<int>();\nmore & more"


def test_that_heads_of_a_picture_have_no_abbreviations() -> None:
    whole = {figure: heading_of(figure, is_whole=True) for figure in FigureSet.COST.figures}
    assert list(whole.values()) == ["sectors per\nrequest", "excess\nwavefronts"]
    assert heading_of(LineFigureKind.WAVEFRONTS, is_whole=True) == "wavefronts"
    assert heading_of(LineFigureKind.WAVEFRONTS) == "wavefr."
