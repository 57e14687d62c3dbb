"""The source view: what it shows of a recording, of a kernel, of nothing; what it emits; what it can be told."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction, QContextMenuEvent, QGuiApplication, QStandardItemModel
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QLabel,
    QMenu,
    QPlainTextEdit,
    QToolButton,
    QToolTip,
)
from pytestqt.qtbot import QtBot

from gemmviz.catalogue.kernel import Kernel
from gemmviz.catalogue.loader import load_catalogue
from gemmviz.domain.recordings.executed import Executed
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.runs.result import Session
from gemmviz.domain.session.session import load_session, save_session
from gemmviz.domain.terms import COMPILED_NOTE
from gemmviz.explain.source.line_figures import FigureSet
from gemmviz.gui.looks.theme import DARK, LIGHT
from gemmviz.gui.source.code_table import CodeTable
from gemmviz.gui.source.frame_lines import lines_of_frame
from gemmviz.gui.source.source_model import CODE, FIRST_FIGURE, SourceModel, SourceRole
from gemmviz.gui.source.source_view import EMPTY, ON_HOST, UNRECORDED, SourceView
from gemmviz.trace.frames.frames import Frames

Record = Callable[..., TraceRun]


@pytest.fixture
def view(qtbot: QtBot) -> SourceView:
    view = SourceView()
    qtbot.addWidget(view)
    view.resize(420, 700)
    view.show()
    qtbot.waitExposed(view)
    return view


def table(view: SourceView) -> CodeTable:
    return view.findChild(CodeTable, "sourceLines")


def label(view: SourceView, name: str) -> QLabel:
    return view.findChild(QLabel, name)


def combo(view: SourceView) -> QComboBox:
    return view.findChild(QComboBox, "sourceFigures")


def action(view: SourceView, name: str) -> QAction:
    return next(one for one in view.findChild(QMenu, "sourceMenu").actions() if one.objectName() == name)


def headings(view: SourceView) -> list[str]:
    shown = table(view)
    return [
        " ".join(shown.model().headerData(column, Qt.Orientation.Horizontal).split()).replace("/ ", "/")
        for column in range(FIRST_FIGURE, shown.model().columnCount())
        if not shown.isColumnHidden(column)
    ]


def running(view: SourceView) -> list[int]:
    model = table(view).model()
    return [row + 1 for row in range(model.rowCount()) if model.index(row, CODE).data(SourceRole.RUNS)]


def cells(view: SourceView) -> list[tuple[str, ...]]:
    model = table(view).model()
    assert isinstance(model, SourceModel)
    return [model.cells(row) for row in range(model.rowCount())]


def test_that_an_empty_view_says_what_to_do(view: SourceView) -> None:
    assert label(view, "sourceNote").text() == EMPTY
    assert not table(view).isVisible()
    assert not combo(view).isVisible()
    assert not view.findChild(QToolButton, "sourceMore").isEnabled()
    assert not view.show_line(1)
    view.show_instrumented("text")
    assert view.findChild(QPlainTextEdit, "instrumentedText") is None


@pytest.mark.parametrize("kernel", load_catalogue().kernels, ids=lambda kernel: kernel.id)
def test_that_a_kernel_shows_its_source_before_anything_is_recorded(view: SourceView, kernel: Kernel) -> None:
    view.show_kernel(kernel)
    assert label(view, "sourceName").accessibleName() == kernel.path.name
    assert label(view, "sourceNote").text() == (ON_HOST if kernel.runs_on_host else UNRECORDED)
    assert table(view).header_lines > 5
    assert table(view).isVisible()
    assert headings(view) == []
    assert table(view).text(whole=True).split() == kernel.text.split()
    assert not action(view, "sourceInstrumented").isEnabled()
    assert action(view, "sourceCopyAll").isEnabled()


def test_that_a_note_explains_why_a_line_stores_less_often_than_it_adds(
    view: SourceView, recorded: Callable[..., TraceRun]
) -> None:
    run = recorded("tiled", TILE=4)
    line = next(site.line for site in run.sites if site.array == "C")
    kinds = ("fused multiply-adds", 8), ("global stores", 2)
    executed = tuple(Executed(line, kind, count, 32 * count) for kind, count in kinds)
    note = view.findChild(QLabel, "sourceNote")
    view.show_trace(replace(run, executed=executed))
    assert note.isHidden()
    view.show_trace(replace(run, executed=executed, instrumented_text=".target sm_90a"))
    assert note.text().startswith(f"{COMPILED_NOTE}\nLine {line}: the warps execute 8 multiply-adds and 2 stores to C")
    assert not note.isHidden()


@pytest.mark.parametrize(("made_of", "said"), [("", "Figures are as written"), (".target sm_90a", COMPILED_NOTE)])
def test_that_figures_say_of_which_form_of_the_kernel_they_are(
    view: SourceView, recorded: Record, made_of: str, said: str
) -> None:
    view.show_trace(replace(recorded("tiled", TILE=4), instrumented_text=made_of))
    model = table(view).model()
    assert isinstance(model, SourceModel)
    rows = [row.figures for row in model.rows if row.figures]
    assert {said in found.explanation for row in rows for found in row.values()} == {True}


def test_that_a_recording_goes_before_the_kernel_and_the_kernel_comes_back(view: SourceView, recorded: Record) -> None:
    kernel = load_catalogue().get("naive")
    view.show_kernel(kernel)
    view.show_trace(recorded("tiled", TILE=4))
    assert label(view, "sourceName").accessibleName() == "tiled.cu"
    assert label(view, "sourceFacts").text() == "recorded"
    assert "1 of " in label(view, "sourceFacts").toolTip()
    assert not label(view, "sourceNote").isVisible()
    view.show_kernel(load_catalogue().get("dot"))
    assert label(view, "sourceName").accessibleName() == "tiled.cu"
    view.show_trace(None)
    assert label(view, "sourceName").accessibleName() == "dot.cu"
    view.show_kernel(None)
    assert label(view, "sourceNote").text() == EMPTY


def test_that_the_combo_chooses_the_figures(view: SourceView, recorded: Record) -> None:
    view.show_trace(recorded("tiled", TILE=4))
    seen = {}
    for row, chosen in enumerate(FigureSet):
        combo(view).setCurrentIndex(row)
        seen[chosen] = headings(view)
    del seen[FigureSet.ALL]
    assert seen == {
        FigureSet.COST: ["sect/req", "excess"],
        FigureSet.REQUESTS: ["global", "shared"],
        FigureSet.SECTORS: ["sect/req"],
        FigureSet.EXCESS: ["wavefr.", "excess"],
        FigureSet.BYTES: ["asked", "moved"],
        FigureSet.INSTRUCTIONS: ["instr.", "lanes"],
        FigureSet.FORMS: [],
    }
    combo(view).setCurrentIndex(list(FigureSet).index(FigureSet.BYTES))
    view.show_trace(recorded("naive"))
    assert headings(view) == ["asked", "moved"], "the choice stays with the next recording"


def test_that_figures_that_a_kernel_does_not_have_cannot_be_chosen(view: SourceView, recorded: Record) -> None:
    def choosable() -> list[str]:
        model = combo(view).model()
        assert isinstance(model, QStandardItemModel)
        return [model.item(row).text() for row in range(model.rowCount()) if model.item(row).isEnabled()]

    view.show_trace(recorded("naive"))
    assert FigureSet.EXCESS.value not in choosable()
    assert len(choosable()) == len(FigureSet) - 2
    run = replace(recorded("tiled", TILE=4), executed=())
    view.show_trace(run)
    assert {chosen.value for chosen in FigureSet} - set(choosable()) == {
        FigureSet.INSTRUCTIONS.value,
        FigureSet.FORMS.value,
    }
    view.show_trace(replace(run, executed=(Executed(40, "moves", 8, 128),)))
    assert {chosen.value for chosen in FigureSet} - set(choosable()) == {FigureSet.FORMS.value}


def test_that_the_header_unfolds_at_a_button(view: SourceView, recorded: Record, qtbot: QtBot) -> None:
    view.show_trace(recorded("tiled", TILE=4))
    button = view.findChild(QToolButton, "sourceHeader")
    assert button.accessibleName() == f"Show the header, lines 1 to {table(view).header_lines}"
    assert table(view).isRowHidden(0)
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert not table(view).isRowHidden(0)
    assert button.accessibleName().startswith("Hide the header")
    qtbot.keyClick(button, Qt.Key.Key_Space)
    assert table(view).isRowHidden(0)
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    view.show_trace(recorded("naive"))
    assert table(view).isRowHidden(0), "the next source begins folded"


def test_that_a_source_without_a_header_has_no_button_for_it(view: SourceView, make_recording: Record) -> None:
    view.show_trace(make_recording(source="a\nb\nc\nd\nx = A[i];\nAs[i] = x;\n"))
    assert not view.findChild(QToolButton, "sourceHeader").isVisible()
    view.show_trace(make_recording())
    assert view.findChild(QToolButton, "sourceHeader").isVisible()


def test_that_lines_are_lit_frame_by_frame(view: SourceView, recorded: Record) -> None:
    run = recorded("tiled", TILE=4)
    view.show_trace(run)
    frames = Frames(run.blocks[0].trace(run.sites, run.arrays))
    for index in range(len(frames)):
        lines = lines_of_frame(frames.frame(index))
        view.show_frame_lines(lines, run)
        assert running(view) == list(lines)
        top = table(view).visualRect(table(view).model().index(lines[0] - 1, CODE)).top()
        assert 0 <= top < table(view).viewport().height()
    view.show_frame_lines((), run)
    assert running(view) == []


def test_that_lines_are_lit_in_the_source_of_their_recording_alone(view: SourceView, recorded: Record) -> None:
    run, other = recorded("tiled", TILE=4), recorded("naive")
    view.show_trace(other)
    view.show_frame_lines((40,), run)
    assert (running(view), view.lit_lines()) == ([], ())
    view.show_trace(run)
    assert (running(view), view.lit_lines()) == ([40], (40,))


def test_that_the_same_recording_again_changes_nothing(view: SourceView, recorded: Record) -> None:
    run = recorded("tiled", TILE=4)
    view.show_trace(run)
    view.show_frame_lines((40,), run)
    view.show_trace(run)
    assert running(view) == [40]
    view.show_trace(replace(run))
    assert running(view) == []


def test_that_a_clicked_line_is_told(view: SourceView, recorded: Record, qtbot: QtBot) -> None:
    run = recorded("tiled", TILE=4)
    view.show_trace(run)
    line = run.sites[0].line
    assert view.show_line(line)
    place = table(view).visualRect(table(view).model().index(line - 1, CODE)).center()
    with qtbot.waitSignal(view.line_chosen) as told:
        qtbot.mouseClick(table(view).viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert told.args == [line]


def test_that_the_figures_say_whether_they_are_of_a_block_or_of_the_grid(view: SourceView, recorded: Record) -> None:
    """Block (0, 0) of 15 blocks; of a product that one block makes it is the whole grid."""

    def head() -> str | None:
        return table(view).model().headerData(CODE, Qt.Orientation.Horizontal)

    assert head() is None
    view.show_trace(recorded("tiled", "33x17x9", TILE=8))
    assert head() == "of this block"
    view.show_trace(recorded("tiled", "4x4x4", TILE=8))
    assert head() == "of the whole grid"
    view.show_trace(None)
    assert head() is None


def test_that_everything_is_there_again_in_a_session_that_is_opened(
    view: SourceView, recorded: Record, tmp_path: Path
) -> None:
    run = recorded("tiled_transposed", TILE=16)
    view.show_trace(run)
    before = cells(view)
    save_session(Session("2026-01-01T00:00:00", "1", run.device, 0.0, traces=(run,)), tmp_path / "one.gemmviz")
    opened = load_session(tmp_path / "one.gemmviz").traces[0]
    view.show_trace(None)
    view.show_trace(opened)
    assert cells(view) == before
    assert sum(any(row[2:]) for row in before) >= 4


def test_that_the_menu_copies(view: SourceView, make_recording: Record) -> None:
    view.show_trace(make_recording())
    view.show_line(6)
    action(view, "sourceCopyLine").trigger()
    assert QGuiApplication.clipboard().text() == "    As[i] = x;"
    action(view, "sourceCopyAll").trigger()
    assert QGuiApplication.clipboard().text().splitlines()[0] == "/*---"
    action(view, "sourceCopyFigures").trigger()
    head, *lines = QGuiApplication.clipboard().text().splitlines()
    assert head.startswith("line\tsource\t")
    assert len(lines) == 7
    assert lines[5].endswith("\t5\t\t20\t15" + 9 * "\t")


def test_that_the_menu_explains_a_figure(view: SourceView, make_recording: Record, qtbot: QtBot) -> None:
    view.show_trace(make_recording())
    table(view).setCurrentIndex(table(view).model().index(4, FIRST_FIGURE + 2))
    action(view, "sourceExplain").trigger()
    qtbot.waitUntil(QToolTip.isVisible)
    assert "5.70 sectors per request" in QToolTip.text()
    QToolTip.hideText()


@pytest.mark.parametrize("by", ["button", "key", "pointer"])
def test_that_the_menu_opens_where_it_is_asked_for(
    view: SourceView, make_recording: Record, qtbot: QtBot, by: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    view.show_trace(make_recording())
    view.show_line(5)
    opened: list[tuple[str, QPoint]] = []
    monkeypatch.setattr(QMenu, "popup", lambda menu, place: opened.append((menu.objectName(), place)))
    viewport, more = table(view).viewport(), view.findChild(QToolButton, "sourceMore")
    cell = table(view).visualRect(table(view).currentIndex())
    pointer = viewport.mapToGlobal(QPoint(9, 9))
    reasons = {"key": QContextMenuEvent.Reason.Keyboard, "pointer": QContextMenuEvent.Reason.Mouse}
    if by == "button":
        qtbot.mouseClick(more, Qt.MouseButton.LeftButton)
    else:
        QApplication.sendEvent(viewport, QContextMenuEvent(reasons[by], QPoint(9, 9), pointer))
    places = {
        "button": more.mapToGlobal(more.rect().bottomLeft()),
        "key": viewport.mapToGlobal(cell.bottomLeft()),
        "pointer": pointer,
    }
    assert opened == [("sourceMenu", places[by])]


def test_that_the_recorded_code_is_shown_on_request(view: SourceView, recorded: Record) -> None:
    run = recorded("tiled", TILE=4)
    view.show_trace(run)
    view.set_theme(DARK)
    action(view, "sourceInstrumented").trigger()
    shown = view.findChild(QPlainTextEdit, "instrumentedText")
    assert shown.toPlainText().split() == run.instrumented_text.split()
    assert ".entry sgemm_tiled" in shown.toPlainText()
    view.show_instrumented("other")
    assert shown.toPlainText() == "other"
    view.set_theme(LIGHT)
    shown.window().close()


def test_that_every_control_is_named(view: SourceView) -> None:
    for name in ("sourceFigures", "sourceMore", "sourceHeader"):
        control = view.findChild(QToolButton, name) or view.findChild(QComboBox, name)
        assert control.accessibleName(), name
        assert control.toolTip(), name
        assert control.focusPolicy() & Qt.FocusPolicy.TabFocus, name


@pytest.mark.parametrize("figures", [FigureSet.SECTORS, FigureSet.EXCESS, FigureSet.BYTES])
def test_that_headings_of_figures_are_not_cut(view: SourceView, recorded: Record, figures: FigureSet) -> None:
    view.show_trace(recorded("tiled", TILE=4))
    combo(view).setCurrentIndex(list(FigureSet).index(figures))
    head = table(view).horizontalHeader()
    shown = [place for place in range(FIRST_FIGURE, head.count()) if not head.isSectionHidden(place)]
    assert shown
    for place in shown:
        assert head.sectionSizeHint(place) <= head.sectionSize(place)


@pytest.mark.parametrize("width", [300, 240])
def test_that_the_name_of_the_file_is_whole_before_anything_else_beside_it(
    view: SourceView, recorded: Record, width: int
) -> None:
    """In a window of 1440 pixels the panel has 300; where even that is too little, the tooltip says the rest."""
    view.setMinimumWidth(0)
    view.resize(width, 400)
    for name in ("race_broken.cu", "tiled_transposed.cu"):
        view.show_trace(replace(recorded("tiled", TILE=4), source_name=name))
        QApplication.processEvents()
        said, facts = label(view, "sourceName"), label(view, "sourceFacts")
        assert said.text() == name or not facts.isVisible()
        assert facts.isVisible() or "1 of " in said.toolTip()
    if width == 300:
        assert said.text() == "tiled_transposed.cu"
