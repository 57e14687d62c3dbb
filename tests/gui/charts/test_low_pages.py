"""In a low window pictures shrink, words give way, and nothing covers anything."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest
from gpu_runs import gpu_run, made_roofs
from PySide6.QtCore import QPoint, QRect
from PySide6.QtWidgets import QApplication, QComboBox, QTableView, QWidget
from pytestqt.qtbot import QtBot

from gemmviz.domain.runs.result import ErrorMap
from gemmviz.gui.charts.chart import Chart
from gemmviz.gui.charts.error_map.view import ErrorMapView
from gemmviz.gui.charts.notes_label import NotesLabel
from gemmviz.gui.charts.page import Page
from gemmviz.gui.charts.plot.legend import Legend
from gemmviz.gui.charts.timing_chart import TimingChart, TimingView

HEIGHTS = [(640, 560), (630, 377), (630, 340), (590, 215), (590, 178)]


def parts_of(page: Page) -> list[QWidget]:
    """What is seen of the page and holds nothing else."""
    QApplication.processEvents()
    own = page.findChildren(QWidget)
    seen = [part for part in own if part.isVisibleTo(page) and part.parentWidget() in (page, *_rows_of(page))]
    return [part for part in seen if part not in _rows_of(page)]


def _rows_of(page: Page) -> list[QWidget]:
    return [page.controls] if isinstance(page, Chart) else []


def place_of(part: QWidget, page: Page) -> QRect:
    return QRect(part.mapTo(page, QPoint()), part.size())


def assert_apart(page: Page) -> None:
    """No part covers another, or is lower than what it says needs."""
    parts = parts_of(page)
    for one, other in combinations(parts, 2):
        assert not place_of(one, page).intersects(place_of(other, page)), (one, other)
    assert all(part.height() >= part.minimumSizeHint().height() for part in parts)
    assert all(page.rect().contains(place_of(part, page)) for part in parts)


@pytest.fixture
def error_map(qtbot: QtBot, make_run: Any, wrong_map: ErrorMap) -> ErrorMapView:
    made = ErrorMapView()
    qtbot.addWidget(made)
    made.show_runs([make_run(size=(64, 96, 64), passed=False, error_map=wrong_map) for _ in range(2)])
    made.show()
    return made


@pytest.mark.parametrize("size", HEIGHTS)
def test_that_the_notes_of_a_map_do_not_cover_it(error_map: ErrorMapView, size: tuple[int, int]) -> None:
    error_map.resize(*size)
    assert_apart(error_map)
    assert error_map.image.area().bottom() <= error_map.image.height()


def test_that_a_low_map_is_as_large_as_can_be_and_named_by_its_combo(error_map: ErrorMapView) -> None:
    error_map.resize(590, 178)
    assert_apart(error_map)
    notes, combo = error_map.findChild(NotesLabel), error_map.findChild(QComboBox)
    assert notes is not None
    assert combo is not None
    assert notes.is_brief
    assert combo.isVisible()
    assert error_map.image.height() > 178 / 3
    error_map.resize(900, 700)
    assert_apart(error_map)
    assert not notes.is_brief
    error_map.resize(590, 178)
    error_map.set_for_picture(True, 1200)
    assert not notes.is_brief, "a picture on paper is high enough"


def test_that_no_row_of_the_worst_elements_is_cut_in_a_picture(error_map: ErrorMapView) -> None:
    table = error_map.findChild(QTableView, "worstElements")
    assert isinstance(table, QTableView)
    rows, row = table.model().rowCount(), table.verticalHeader().defaultSectionSize()
    assert rows > 2
    error_map.set_for_picture(True, 900, large=True)
    table.setMaximumHeight(table.horizontalHeader().height() + 2 * row + 6)
    QApplication.processEvents()
    shown = [each for each in range(rows) if not table.isRowHidden(each)]
    assert 0 < len(shown) < rows
    assert len(shown) * row <= table.viewport().height()
    error_map.set_for_picture(False)
    assert not any(table.isRowHidden(each) for each in range(rows)), "on the screen the table scrolls"


@pytest.mark.parametrize("view", list(TimingView))
@pytest.mark.parametrize("size", HEIGHTS[:-1])
def test_that_nothing_covers_anything_in_a_low_chart(qtbot: QtBot, view: TimingView, size: tuple[int, int]) -> None:
    chart = TimingChart()
    qtbot.addWidget(chart)
    chart.show_runs([gpu_run(f"k{number}", (2.0 + number,) * 3) for number in range(20)], (made_roofs(),))
    chart.set_view(view)
    chart.resize(*size)
    chart.show()
    assert_apart(chart)
    legend = chart.findChild(Legend)
    assert legend is not None
    assert legend.isVisible() == legend.has_entries, "what the marks stand for is always said"


def test_that_a_chart_of_any_height_comes_to_rest(qtbot: QtBot) -> None:
    """The subtitle beside the title leaves more room than below it, which must not send it back."""
    chart = TimingChart()
    qtbot.addWidget(chart)
    chart.show_runs([gpu_run(f"k{number}", (2.0 + number,) * 3) for number in range(20)], (made_roofs(),))
    chart.show()
    places = set()
    for height in range(200, 420, 3):
        chart.resize(1100, height)
        chart._share_out()
        place = chart.head_layout.indexOf(chart._subtitle)
        chart._share_out()
        assert chart.head_layout.indexOf(chart._subtitle) == place, height
        places.add(place)
    assert len(places) == 2, "it stands in either place"
