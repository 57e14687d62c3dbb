"""The columns of the source as written and as compiled."""

from __future__ import annotations

import pytest
from form_kernel import AGAIN, FILL, SUM, SUM_LOOP, forms_kernel, in_both_forms
from PySide6.QtCore import Qt
from PySide6.QtGui import QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QComboBox
from pytestqt.qtbot import QtBot

from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.terms import CodeForm
from gemmviz.explain.forms.comparison import compare_forms
from gemmviz.explain.source.line_figures import FigureSet, LineFigureKind, figures_of
from gemmviz.explain.source.recorded_lines import source_lines, titles_of_recordings
from gemmviz.gui.source.code_table import CodeTable
from gemmviz.gui.source.source_view import SourceView

pytestmark = pytest.mark.usefixtures("nvrtc")


@pytest.fixture(scope="module")
def pair(nvrtc: None, tmp_path_factory: pytest.TempPathFactory) -> tuple[TraceRun, TraceRun]:
    """The small kernel as written and as compiled."""
    del nvrtc
    return in_both_forms(forms_kernel(tmp_path_factory.mktemp("forms")))


@pytest.fixture
def view(qtbot: QtBot) -> SourceView:
    made = SourceView()
    qtbot.addWidget(made)
    made.resize(600, 500)
    made.show()
    return made


def entry(view: SourceView) -> QStandardItem:
    """The entry of the combo that chooses both forms."""
    combo = view.findChild(QComboBox, "sourceFigures")
    assert combo is not None
    model = combo.model()
    assert isinstance(model, QStandardItemModel)
    return model.item(list(FigureSet).index(FigureSet.FORMS))


def columns(view: SourceView) -> dict[str, dict[int, str]]:
    """What stands in each column that is shown, line by line, where there is something."""
    table = view.findChild(CodeTable)
    assert table is not None
    model = table.model()
    found: dict[str, dict[int, str]] = {}
    for column in range(2, model.columnCount()):
        if not table.isColumnHidden(column):
            cells = {row + 1: model.index(row, column).data() for row in range(model.rowCount())}
            head = model.headerData(column, Qt.Orientation.Horizontal).replace("\n", " ")
            found[head] = {line: text for line, text in cells.items() if text}
    return found


def test_that_requests_of_both_forms_stand_beside_each_line(view: SourceView, pair: tuple[TraceRun, TraceRun]) -> None:
    written, compiled = pair
    view.show_trace(compiled, written)
    assert entry(view).isEnabled()
    combo = view.findChild(QComboBox, "sourceFigures")
    assert combo is not None
    combo.setCurrentIndex(list(FigureSet).index(FigureSet.FORMS))
    shown = columns(view)
    assert list(shown) == ["written", "compiled", "instr. writ.", "instr. comp."]
    assert {line: (shown["written"][line], shown["compiled"][line]) for line in shown["written"]} == {
        14: ("8", "5"),
        18: ("4", "2"),
        20: ("4", "0"),
        21: ("1", "0"),
        22: ("1", "1"),
        25: ("1", "1"),
    }
    assert (shown["instr. writ."][SUM_LOOP], shown["instr. comp."][SUM_LOOP]) == ("54", "0")


def test_that_the_choice_says_how_to_get_the_other_form(view: SourceView, pair: tuple[TraceRun, TraceRun]) -> None:
    written, compiled = pair
    view.show_trace(written)
    assert not entry(view).isEnabled()
    assert "no recording of the same blocks as compiled" in entry(view).toolTip()
    assert "choose Record both forms." in entry(view).toolTip()
    view.show_trace(written, compiled)
    assert entry(view).isEnabled(), "it has come while the first was in view"
    view.show_trace(written)
    assert not entry(view).isEnabled()


def test_that_a_cell_and_its_line_say_what_the_compiler_did(pair: tuple[TraceRun, TraceRun]) -> None:
    comparison = compare_forms(*pair)
    lines = source_lines(pair[1], comparison)
    rows = figures_of(lines, "1 of 2 blocks", CodeForm.AS_COMPILED)
    fill = rows[FILL - 1]
    said = fill[LineFigureKind.REQUESTS_COMPILED].explanation.splitlines()
    assert said[0] == "5 requests as compiled · recorded"
    assert (
        "Line 14: the compiler merged stores to rows into wider ones: 4 requests per warp as written, 1 as compiled, "
        "for the same bytes."
    ) in said
    assert "The bar is a share of the requests of the form with more; 1 of 2 blocks recorded." in said
    assert said[-1] == CodeForm.AS_COMPILED.meaning
    assert fill[LineFigureKind.REQUESTS_WRITTEN].explanation.splitlines()[-1] == CodeForm.AS_WRITTEN.meaning
    shares = fill[LineFigureKind.REQUESTS_WRITTEN].share, fill[LineFigureKind.REQUESTS_COMPILED].share
    assert shares == pytest.approx((8 / 19, 5 / 19))
    assert "more loads of B: none as written" in lines[SUM - 1].tip
    assert "the compiler makes more of them on line 18" in lines[AGAIN - 1].tip


def test_that_titles_say_which_form_it_is(pair: tuple[TraceRun, TraceRun]) -> None:
    written, compiled = pair
    assert titles_of_recordings(pair) == ("forms  ·  16×64×8  ·  as written", "forms  ·  16×64×8  ·  as compiled")
    assert titles_of_recordings([written]) == ("forms  ·  16×64×8",)
    assert titles_of_recordings([compiled]) == ("forms  ·  16×64×8  ·  as compiled",)
