"""The picture of the warps of an SM, and the page with the choice between it and the blocks of all SMs."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QFontInfo
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot
from scheduling import simulated
from warps import warp_timeline

from gemmviz.domain.runs.result import Session
from gemmviz.domain.spec import Launch
from gemmviz.explain.runs.warp_timeline import Phase
from gemmviz.gui.charts.plot_table import Plot
from gemmviz.gui.export.pictures.chart_picture import filled_twin, head_height
from gemmviz.gui.looks.theme import DARK, LIGHT, Theme, contrast
from gemmviz.gui.presentation.hint import STRIP as STRIP_OF_KEYS
from gemmviz.gui.schedule.page import SchedulePage
from gemmviz.gui.schedule.schedules_page import SchedulesPage
from gemmviz.gui.schedule.warps_page import WarpsPage
from gemmviz.gui.schedule.warps_view import LEAST_ROW, LINE, STRIP, WarpsPanel, WarpsView, bar_in, colour_of
from gemmviz.gui.widgets.widget_image import settle

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")
EMPTY = Session("", "", warp_timeline().device, 0.0)


def view_of(qtbot: QtBot, *panels: WarpsPanel, theme: Theme = LIGHT, height: int = 400) -> WarpsView:
    view = WarpsView(theme)
    qtbot.addWidget(view)
    view.resize(600, height)
    view.show_panels(panels)
    return view


def colours_in(view: WarpsView) -> set[str]:
    image = view.grab().toImage()
    return {QColor(image.pixel(x, y)).name() for x in range(45, 580, 4) for y in range(0, image.height(), 2)}


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_that_each_phase_has_its_colour_and_none_is_shown_before_its_time(qtbot: QtBot, theme: Theme) -> None:
    view = view_of(qtbot, WarpsPanel(warp_timeline()), theme=theme)
    assert {colour_of(theme, phase) for phase in Phase} <= colours_in(view)
    assert view.words_of(WarpsPanel(warp_timeline())) == "At least one warp computes 50 % of the 100 cycles shown"
    view.show_until(0)
    assert view.words_of(WarpsPanel(warp_timeline())) == ""
    assert view.until == 0


def test_that_the_legend_names_the_line_of_the_time_while_there_is_one(qtbot: QtBot) -> None:
    view = view_of(qtbot, WarpsPanel(warp_timeline()))
    legends = []
    for cycle in (sum(view.span) // 2, view.span[1]):
        view.show_until(cycle)
        image = view.grab().toImage()
        legends.append(image.copy(0, 0, image.width(), round(LINE)))
    assert legends[0] != legends[1]


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_that_a_waiting_warp_stands_out_from_the_empty_row_and_the_card(theme: Theme) -> None:
    for phase in (Phase.LOADS, Phase.WAITS):
        assert min(contrast(colour_of(theme, phase), ground) for ground in (theme.field, theme.panel)) >= 3


@pytest.mark.parametrize("height", [1.5, 3.0, 30.0])
def test_that_the_wait_for_others_is_a_line_and_each_other_phase_fills_its_row(height: float) -> None:
    row = QRectF(10, 20, 50, height)
    assert bar_in(row, Phase.LOADS) == bar_in(row, Phase.COMPUTES) == row
    line = bar_in(row, Phase.WAITS)
    assert (line.left(), line.right(), line.center().y()) == (row.left(), row.right(), row.center().y())
    assert 1 <= line.height() <= max(height / 3, 1)


def test_that_a_share_of_time_that_still_goes_on_says_so(qtbot: QtBot) -> None:
    panel = WarpsPanel(warp_timeline())
    view = view_of(qtbot, panel)
    view.show_until(40)
    assert view.words_of(panel) == "So far, at least one warp has computed 50 % of the time"
    assert "So far" in view.accessibleDescription()
    view.show_until(100)
    assert view.words_of(panel) == "At least one warp computes 50 % of the 100 cycles shown"


def test_that_the_two_headings_of_a_panel_never_meet(qtbot: QtBot) -> None:
    panel = WarpsPanel(warp_timeline())
    view = view_of(qtbot, panel)
    view.resize(1000, 400)
    assert view.headings() == (
        ("2 warps (1 block) on the SM", "At least one warp computes 50 % of the 100 cycles shown"),
    )
    view.resize(400, 400)
    assert view.headings() == (("2 warps (1 block) on the SM", "computes 50 % here"),)
    view.show_until(40)
    assert view.headings() == (("2 warps (1 block) on the SM", "computed 50 %"),)
    view.resize(240, 400)
    ((left, right),) = view.headings()
    assert left.endswith("…")
    assert right == "computed 50 %"


def test_that_the_line_of_the_present_crosses_no_words(qtbot: QtBot) -> None:
    view = view_of(qtbot, WarpsPanel(warp_timeline()))
    view.show_until(50)
    image, x = view.grab().toImage(), round(view.x_of(50))
    inked = [y for y in range(view.height()) if QColor(image.pixel(x, y)).name() == LIGHT.text]
    assert inked == list(range(inked[0], inked[-1] + 1))
    assert len(inked) < view.row_height * 2 + STRIP + LINE


def test_that_only_a_panel_of_all_warps_says_when_the_sm_computes(qtbot: QtBot) -> None:
    one, both = WarpsPanel(warp_timeline(), 1), WarpsPanel(warp_timeline())
    assert (one.has_strip, both.has_strip) == (False, True)
    assert one.heading == "1 warp of 2 on the SM"
    assert both.heading == "2 warps (1 block) on the SM"
    assert "1 warp of 2 on the SM: The warp computes 40 %" in view_of(qtbot, one).accessibleDescription()


def test_that_the_first_and_the_last_of_many_panels_are_left_where_there_is_no_room_for_more(qtbot: QtBot) -> None:
    panels = [WarpsPanel(warp_timeline(blocks_per_unit=blocks)) for blocks in (1, 2, 4)]
    view = view_of(qtbot, *panels)
    assert view.panels_in_sight == tuple(panels)
    view.resize(600, 150)
    assert view.panels_in_sight == (panels[0], panels[2])


def test_that_a_slide_has_all_panels_and_words_as_large_as_those_of_other_slides(qtbot: QtBot) -> None:
    page = WarpsPage(LIGHT)
    qtbot.addWidget(page)
    tiles = [(row, row // 8, 0, 10, 20, 40) for row in range(64)]
    timelines = tuple(
        warp_timeline(tiles[: 8 * blocks], blocks_per_unit=blocks, launch=Launch((4, 4, 1), (16, 16, 1)))
        for blocks in (1, 2, 4, 8)
    )
    page.show_timelines(timelines)
    size = 1920, 1080 - head_height((1920, 1080)) - round(1080 * STRIP_OF_KEYS)
    with filled_twin(page, replace(EMPTY, warp_timelines=timelines), (), size, LIGHT, page.title, large=True) as (
        slide,
        scale,
    ):
        settle(slide)
        assert isinstance(slide, WarpsPage)
        assert QFontInfo(slide.sentence.font()).pixelSize() * scale >= 23
        assert QFontInfo(slide._notes.font()).pixelSize() * scale >= 21
        assert len(slide.view.panels_in_sight) == 4
        assert slide.view.row_height >= LEAST_ROW


def page_with(qtbot: QtBot) -> tuple[SchedulesPage, SchedulePage, WarpsPage]:
    blocks, warps = SchedulePage(LIGHT), WarpsPage(LIGHT)
    page = SchedulesPage(blocks, warps)
    qtbot.addWidget(page)
    page.resize(900, 600)
    page.show()
    return page, blocks, warps


def test_that_the_choice_is_there_where_there_are_warps(qtbot: QtBot) -> None:
    page, blocks, warps = page_with(qtbot)
    choice = page.findChild(QPushButton, "schedulesWarps")
    assert not choice.isVisible()
    warps.show_timelines([warp_timeline()])
    assert choice.isVisible()
    assert page.in_front is warps, "there are no blocks to show"
    assert warps.title == "Warps of one SM: tiled TILE=16"
    assert "by the clock of SM 3: 100 cycles" in warps.accessibleDescription()
    assert warps.picture_height(900) > warps.view.good_height()
    warps.show_timelines([])
    assert page.in_front is blocks


def test_that_an_empty_view_is_shown_only_to_those_who_choose_it(qtbot: QtBot) -> None:
    page, blocks, warps = page_with(qtbot)
    blocks.show_schedules([simulated()])
    warps.show_timelines([warp_timeline()])
    assert page.in_front is blocks
    blocks.show_schedules([])
    assert page.in_front is warps
    page.findChild(QPushButton, "schedulesBlocks").click()
    assert page.in_front is blocks, "from here blocks are recorded"
    page.reset()
    assert page.in_front is warps
    page.show_plot(Plot.SCHEDULE)
    assert page.in_front is warps


def test_that_a_new_schedule_of_blocks_comes_to_the_front(qtbot: QtBot) -> None:
    page, blocks, warps = page_with(qtbot)
    warps.show_timelines([warp_timeline()])
    page.show_plot(Plot.WARPS)
    assert page.in_front is warps
    blocks.show_schedules([simulated()])
    assert page.in_front is blocks


def test_that_a_session_with_warps_has_their_picture_and_table() -> None:
    assert not list(Plot.WARPS.spec.pictures(EMPTY))
    assert list(Plot.WARPS.spec.pictures(replace(EMPTY, warp_timelines=(warp_timeline(),)))) == [("warps", 0)]
