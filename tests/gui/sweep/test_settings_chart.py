"""The page of sweeps: chart and table of one sweep, which one, and what is charted."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QComboBox
from pytestqt.qtbot import QtBot
from settings_figures import make_counts, make_setting, make_sweep

from gemmviz.domain.kernels.examined_sweep import ExaminedSweep
from gemmviz.gui.charts.plot_table import Plot
from gemmviz.gui.charts.sweep_chart import SweepChart
from gemmviz.gui.sweep.page import SweepPage
from gemmviz.gui.sweep.settings_chart import SETTINGS_PLOT, SettingsChart
from gemmviz.gui.sweep.settings_page import SettingsPage
from gemmviz.gui.widgets.segments import Segments

FIRST = make_sweep(make_setting(8, sectors=250), make_setting(16, sectors=125))
SECOND = make_sweep(make_setting(8, 1), make_setting(8, 2))


@pytest.fixture
def chart() -> SettingsChart:
    return SettingsChart()


@pytest.fixture
def page(qtbot: QtBot, chart: SettingsChart) -> SweepPage:
    made = SweepPage(SweepChart(), SettingsPage(), chart)
    qtbot.addWidget(made)
    made.resize(900, 600)
    made.show()
    return made


def give(page: SweepPage, *sweeps: ExaminedSweep) -> SettingsPage:
    settings = page.findChild(SettingsPage)
    settings.show_sweeps(sweeps)
    return settings


def combo(page: SweepPage, name: str) -> QComboBox:
    found = page.findChild(QComboBox, name)
    assert isinstance(found, QComboBox)
    return found


def test_that_table_and_chart_are_of_the_sweep_that_is_chosen(page: SweepPage, chart: SettingsChart) -> None:
    settings = give(page, FIRST, SECOND)
    assert page.in_front is settings, "nothing was timed"
    assert combo(page, "settingsSweep").isVisible()
    assert page.sweep is SECOND
    combo(page, "settingsSweep").setCurrentIndex(0)
    page.show_plot(Plot.SWEEP_FIGURES)
    assert page.in_front is chart
    assert page.sweep is chart.choice.sweep is FIRST
    assert chart.title == "Sectors per 1000 multiply-adds over BM: mine"
    assert [len(table.rows) for table in chart.tables()] == [2]


def test_that_the_views_are_read_whole_above_a_list_of_sweeps(qtbot: QtBot, page: SweepPage) -> None:
    give(page, FIRST, SECOND)
    page.resize(670, 500)
    views = page.findChild(Segments)
    assert views is not None
    qtbot.waitUntil(lambda: combo(page, "settingsSweep").mapTo(page, QPoint()).y() > views.geometry().bottom())
    assert all(button.width() >= button.sizeHint().width() for button in views.buttons)


def test_that_a_sweep_that_goes_on_takes_the_place_of_the_others(page: SweepPage, chart: SettingsChart) -> None:
    give(page, FIRST)
    page.show_unfinished(SECOND)
    assert page.sweep is chart.choice.sweep is SECOND
    page.show_unfinished(None)
    assert page.sweep is chart.choice.sweep is FIRST


def test_that_a_sweep_that_goes_on_is_named_by_all_that_it_sweeps(page: SweepPage, chart: SettingsChart) -> None:
    page.show_settings()
    page.show_unfinished(make_sweep(make_setting(8, 4), make_setting(8, 2)), ("BM", "TN"))
    settings = page.in_front
    settings.refresh()
    assert settings.title == "Figures over BM·TN: mine"
    assert settings.circumstances.startswith("H100 SXM (sm_90a)"), "both differ in the end"
    assert chart.make_figure().title.endswith(" over BM, TN: mine")


def test_that_another_figure_is_charted_and_a_copy_shows_the_same(page: SweepPage, chart: SettingsChart) -> None:
    give(page, FIRST)
    chart.show_axis("registers per thread")
    assert chart.title == "Registers per thread over BM: mine"
    page.say(["The file mine.cu has changed since"])
    twin = SettingsChart()
    assert SETTINGS_PLOT.copy is not None
    SETTINGS_PLOT.copy(chart, twin)
    figure = twin.figure
    assert figure is not None
    assert figure.title == "Sectors per 1000 multiply-adds over BM: mine", "its list is set by who makes the copy"
    assert "The file mine.cu has changed since" in figure.notes


def test_that_a_narrow_table_scrolls_with_the_names_in_sight_and_a_picture_leaves_columns_out(
    page: SweepPage, qtbot: QtBot
) -> None:
    counts = replace(
        make_counts(7), global_requests=11, shared_requests=22, wavefronts=44, excess_wavefronts=5, instructions=600
    )
    settings = give(page, make_sweep(make_setting(8, sectors=500), replace(make_setting(64), block=counts)))
    table = settings.table
    page.resize(420, 500)
    qtbot.waitUntil(lambda: table.horizontalScrollBar().maximum() > 0)
    assert table.columns_without_room == 0
    assert not table.frozen.isVisible()
    table.horizontalScrollBar().setValue(table.horizontalScrollBar().maximum())
    assert table.frozen.isVisible()
    settings.set_for_picture(True)
    assert table.columns_without_room > 0
    assert table.horizontalScrollBar().maximum() == 0
    assert not table.frozen.isVisible()
    assert not table.isColumnHidden(1)
    assert not table.isColumnHidden(2)
    settings.set_for_picture(False)
    assert table.columns_without_room == 0
