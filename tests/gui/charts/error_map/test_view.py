from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QComboBox, QLabel, QTableView
from pytestqt.qtbot import QtBot

from gemmviz.domain.runs.result import ErrorMap, RunResult, Session, WorstElement
from gemmviz.gui.charts.error_map.view import ErrorMapView
from gemmviz.gui.charts.error_map.worst_model import WorstModel
from gemmviz.gui.looks.error_colours import error_table
from gemmviz.gui.looks.theme import DARK, LIGHT, Theme


@pytest.fixture
def wrong(make_run: Any, wrong_map: ErrorMap) -> RunResult:
    found: RunResult = make_run(size=(64, 96, 64), passed=False, error_map=wrong_map)
    return found


@pytest.fixture
def view(qtbot: QtBot) -> ErrorMapView:
    made = ErrorMapView(LIGHT)
    qtbot.addWidget(made)
    made.resize(900, 600)
    return made


def table(view: ErrorMapView) -> QTableView:
    found = view.findChild(QTableView, "worstElements")
    assert found is not None
    return found


def test_that_the_array_is_the_map_with_row_0_at_the_top(view: ErrorMapView, wrong: RunResult) -> None:
    view.show_run(wrong)
    assert (view.image.image.image == view.picture.levels).all()
    assert view.image.box.yInverted()
    assert view.image.image.axisOrder == "row-major"


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_that_cells_have_the_colours_of_their_levels(view: ErrorMapView, wrong: RunResult, theme: Theme) -> None:
    view.show_run(wrong)
    view.set_theme(theme)
    picture = view.image.grab().toImage()
    area, colours = view.image.area(), error_table(theme)
    for i in range(2):
        for j in range(3):
            # A quarter into the cell: its middle may hold a cross.
            x, y = area.left() + (j + 0.12) * area.width() / 3, area.top() + (i + 0.5) * area.height() / 2
            got = picture.pixelColor(round(x), round(y))
            wanted = QColor(*colours[view.picture.levels[i, j]].tolist())
            assert abs(got.red() - wanted.red()) + abs(got.blue() - wanted.blue()) <= 8, (i, j)


def test_that_a_cell_without_a_number_is_crossed_out(view: ErrorMapView, wrong: RunResult) -> None:
    view.show_run(wrong)
    picture, area = view.image.grab().toImage(), view.image.area()
    x, y = area.left() + 1.5 * area.width() / 3, area.top() + 1.5 * area.height() / 2
    assert picture.pixelColor(round(x), round(y)).lightness() > QColor(LIGHT.hazard).lightness() + 60


def test_that_a_click_chooses_the_worst_element_of_the_cell(view: ErrorMapView, qtbot: QtBot, wrong: RunResult) -> None:
    view.show_run(wrong)
    view.grab()
    area = view.image.area()
    spot = QPoint(round(area.left() + 0.5 * area.width()), round(area.top() + 0.9 * area.height()))
    with qtbot.waitSignal(view.element_chosen) as signal:
        qtbot.mouseClick(view.image.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    assert signal.args == [40, 33]


def test_that_a_click_beside_the_map_chooses_nothing(view: ErrorMapView, qtbot: QtBot, wrong: RunResult) -> None:
    view.show_run(wrong)
    view.grab()
    with qtbot.assertNotEmitted(view.element_chosen):
        qtbot.mouseClick(view.image.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(2, 2))


def test_that_enter_on_a_worst_element_chooses_it(view: ErrorMapView, qtbot: QtBot, wrong: RunResult) -> None:
    view.show_run(wrong)
    worst = table(view)
    worst.setCurrentIndex(worst.model().index(2, 0))
    with qtbot.waitSignal(view.element_chosen) as signal:
        qtbot.keyClick(worst, Qt.Key.Key_Return)
    assert signal.args == [3, 64]


def test_that_worst_elements_are_listed_as_they_are(view: ErrorMapView, wrong: RunResult) -> None:
    view.show_run(wrong)
    model = table(view).model()
    cells = [[model.index(row, column).data() for column in range(5)] for row in range(model.rowCount())]
    assert cells == [
        ["40", "33", "nan", "1.50000000", "not a number"],
        ["41", "70", "inf", "1.50000000", "infinite"],
        ["3", "64", "99.0000000", "1.50000000", "900"],
    ]


@pytest.mark.parametrize("width", [700, 900, 1600])
def test_that_no_column_of_the_worst_elements_is_cut_off(
    view: ErrorMapView, qtbot: QtBot, make_run: Any, width: int
) -> None:
    worst = tuple(WorstElement(511 - i, 500 + i, -3.18303e8 - i, -3.183026e8, 1.25e10) for i in range(40))
    found = ErrorMap(8, 8, 64, 64, np.full(64, 1.25e10, np.float32), worst)
    view.show_run(make_run(size=(512, 512, 512), passed=False, error_map=found))
    view.resize(width, 600)
    with qtbot.waitExposed(view):
        view.show()
    shown = table(view)
    last = shown.model().columnCount() - 1
    assert shown.columnViewportPosition(last) + shown.sizeHintForColumn(last) <= shown.viewport().width()
    assert not shown.horizontalScrollBar().isVisible()
    cells = [shown.model().index(0, column).data() for column in range(5)]
    assert cells == ["511", "500", "-318303000", "-318302600", "1.25e+10"]
    assert shown.geometry().right() < view.width()


def test_that_the_table_stands_beside_the_map_however_wide_the_page(
    view: ErrorMapView, qtbot: QtBot, wrong: RunResult
) -> None:
    view.show_run(wrong)
    view.resize(2400, 600)
    with qtbot.waitExposed(view):
        view.show()
    qtbot.waitUntil(lambda: table(view).x() - (view.image.x() + view.image.area().right()) < 80)


def test_that_a_product_without_errors_is_called_exact(view: ErrorMapView, make_run: Any) -> None:
    view.show_run(make_run(error_map=ErrorMap(2, 2, 32, 32, np.zeros(4, np.float32), ())))
    sentences = [label.text() for label in view.findChildren(QLabel) if label.isVisibleTo(view)]
    assert any(sentence.startswith("Every element is exact") for sentence in sentences)
    assert not view.image.isVisibleTo(view)
    assert len(view.tables()[0].rows) == 4


def test_that_entries_of_a_sweep_differ_in_the_combo(view: ErrorMapView, make_run: Any) -> None:
    view.show_runs([make_run(params=(("TILE", tile),)) for tile in (8, 16)])
    combo = view.findChild(QComboBox, "errorMapCombo")
    assert combo is not None
    assert [combo.itemText(at) for at in range(2)] == ["tiled · TILE=8 · 64×64×64", "tiled · TILE=16 · 64×64×64"]


def test_that_a_hidden_map_takes_on_its_theme_when_it_is_shown(
    view: ErrorMapView, qtbot: QtBot, wrong: RunResult
) -> None:
    view.show_run(wrong)
    view.set_theme(DARK)
    assert DARK.line not in table(view).styleSheet()
    with qtbot.waitExposed(view):
        view.show()
    assert DARK.line in table(view).styleSheet()


def test_that_a_hidden_map_is_made_when_it_is_shown(view: ErrorMapView, qtbot: QtBot, wrong: RunResult) -> None:
    view.show_runs([wrong])
    assert view.run is wrong
    assert table(view).model().rowCount() == 0
    with qtbot.waitExposed(view):
        view.show()
    assert table(view).model().rowCount() == 3


def test_that_the_model_is_sound(qtbot: QtBot, wrong: RunResult) -> None:
    del qtbot
    model = WorstModel()
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    model.show(wrong.error_map.worst)
    model.show(())
    assert model.rowCount() == 0
    assert tester.model() is model


def test_that_without_a_map_it_says_why(view: ErrorMapView, make_run: Any) -> None:
    view.show_runs([make_run(method="freivalds")])
    view.refresh()
    sentences = [label.text() for label in view.findChildren(QLabel) if label.isVisibleTo(view)]
    assert any("Freivalds" in sentence for sentence in sentences)
    assert not view.image.isVisibleTo(view)
    assert view.tables() == ()


def test_that_the_run_is_chosen_in_the_combo_and_stays(
    view: ErrorMapView, qtbot: QtBot, real_session: Session, wrong: RunResult
) -> None:
    runs = [*real_session.runs, wrong]
    view.show_runs(runs)
    assert view.run is wrong
    combo = view.findChild(QComboBox, "errorMapCombo")
    assert combo is not None
    assert "WRONG" in combo.currentText()
    with qtbot.waitSignal(view.run_chosen) as signal:
        combo.setCurrentIndex(1)
    assert signal.args == [runs[1]]
    view.show_runs([runs[1], runs[0]])
    assert view.run is runs[1]
    assert combo.currentIndex() == 0
    view.show_runs([])
    assert view.run is None
    assert view.tables() == ()


def test_that_real_maps_are_shown(view: ErrorMapView, real_session: Session) -> None:
    view.show_runs(real_session.runs)
    assert view.picture.has_map
    assert view.picture.levels.max() < 254
    cells, worst = view.tables()
    assert len(cells.rows) == view.picture.values.size
    assert len(worst.rows) == len(view.picture.worst) > 0


@pytest.mark.parametrize("size", [(1, 1), (1, 4096), (4096, 1), (129, 17)])
def test_that_odd_sizes_are_drawn(view: ErrorMapView, make_run: Any, size: tuple[int, int]) -> None:
    m, n = size
    rows, columns = min(m, 128), min(n, 128)
    cell = (-(-m // rows), -(-n // columns))
    rows, columns = -(-m // cell[0]), -(-n // cell[1])
    found = ErrorMap(rows, columns, *cell, np.ones(rows * columns, np.float32), ())
    view.show_run(make_run(size=(m, n, 64), error_map=found))
    assert not view.grab().isNull()
    assert view.image.element_at(view.image.area().center()) is not None
