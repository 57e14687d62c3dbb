"""A chart with more rows than two lines each have room for."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from gemmviz.explain.figures.figure import Form, Look, Series
from gemmviz.explain.figures.timing.kernel import kernel_time_figure
from gemmviz.gui.charts.accuracy_chart import ACCURACY_CHART
from gemmviz.gui.charts.plot.hidden_rows import hint_area
from gemmviz.gui.charts.plot.layout import (
    AXIS_DENSE,
    DENSE_ROW,
    HEAD,
    LEAST_ROW,
    MOST_ROW_OF_PICTURE,
    TIGHT_ROW,
    plot_layout,
)
from gemmviz.gui.charts.plot.view import PlotView
from gemmviz.gui.charts.sweep_chart import SweepChart
from gemmviz.gui.charts.timing_chart import TimingChart, TimingView
from gemmviz.gui.looks.theme import LIGHT

ROWS = 27
LOW, HIGH = (676, 415), (1098, 738)
"""A page in a window of 1280 x 800, and in one of 1920 x 1080."""


@pytest.fixture
def ladder(make_run: Any, cpu_run: Any) -> list[Any]:
    """Many kernels, which lie far apart."""
    return [cpu_run(), *(make_run(f"kernel_{n}", ms=2.0 ** (n / 3)) for n in range(ROWS - 1))]


@pytest.fixture
def chart(qtbot: QtBot) -> TimingChart:
    made = TimingChart(LIGHT)
    qtbot.addWidget(made)
    made.resize(*LOW)
    with qtbot.waitExposed(made):
        made.show()
    return made


def shown(chart: TimingChart, runs: list[Any], size: tuple[int, int] = LOW) -> TimingChart:
    chart.show_runs(runs)
    chart.refresh()
    resized(chart, *size)
    return chart


def resized(chart: TimingChart, width: int, height: int) -> None:
    """What the window's next turn does is done now."""
    layout = chart.layout()
    assert layout is not None
    layout.activate()
    chart.resize(width, height)
    layout.activate()


def rows_in_sight(chart: TimingChart) -> float:
    layout = chart.plot.plot_layout()
    return layout.plot.height / layout.cell


@pytest.mark.parametrize("view", [view for view in TimingView if view is not TimingView.ROOFLINE])
@pytest.mark.parametrize(("size", "least"), [(LOW, 9), (HIGH, ROWS)])
def test_that_a_ladder_is_seen(
    chart: TimingChart, ladder: list[Any], view: TimingView, size: tuple[int, int], least: int
) -> None:
    chart.set_view(view)
    assert rows_in_sight(shown(chart, ladder, size)) >= least


def test_that_few_rows_have_two_lines(chart: TimingChart, ladder: list[Any]) -> None:
    layout = shown(chart, ladder[:3]).plot.plot_layout()
    assert not layout.dense
    assert layout.cell > LEAST_ROW


def test_that_more_rows_have_one_line_where_they_fit_so(chart: TimingChart, ladder: list[Any]) -> None:
    layout = shown(chart, ladder[:7]).plot.plot_layout()
    assert layout.dense
    assert layout.overflow == 0


def test_that_notes_are_whole_where_rows_leave_them_room(chart: TimingChart, ladder: list[Any]) -> None:
    shown(chart, ladder[:2])
    assert not chart._notes.is_brief
    assert chart._notes.height() >= chart._notes.whole_height(chart._notes.width())
    assert chart._notes.text() not in chart._notes.toolTip()


@pytest.mark.parametrize("rows", [7, ROWS])
def test_that_notes_have_two_lines_at_most_beside_many_rows(chart: TimingChart, ladder: list[Any], rows: int) -> None:
    shown(chart, ladder[:rows])
    assert chart._notes.is_brief
    assert chart._notes.height() < 40
    assert chart._notes.brief(chart._notes.width()).endswith(".")
    assert chart.figure is not None
    assert all(note[1:] in chart._notes.text() for note in chart.figure.notes)


def test_that_an_open_list_of_notes_takes_half_of_the_room_at_most_and_covers_nothing(
    chart: TimingChart, ladder: list[Any]
) -> None:
    shown(chart, ladder)
    closed, link = chart._notes.height(), chart.findChild(QPushButton, "notesLink")
    assert isinstance(link, QPushButton)
    link.click()
    QApplication.processEvents()
    assert closed < chart._notes.height() <= chart.height() / 2
    assert chart.plot.mapTo(chart, chart.plot.rect().bottomLeft()).y() < chart._notes.y()
    link.click()
    QApplication.processEvents()
    assert chart._notes.height() == closed


@pytest.mark.parametrize("rows", [3, 7, 12, ROWS])
def test_that_rows_do_not_flip_while_a_window_grows(chart: TimingChart, ladder: list[Any], rows: int) -> None:
    shown(chart, ladder[:rows])
    seen = []
    for height in (*range(340, 1500, 20), *range(1500, 340, -20)):
        resized(chart, 676, height)
        seen.append((height, chart.plot.plot_layout().dense, chart._notes.is_brief))
    up, down = seen[: len(seen) // 2], seen[len(seen) // 2 :]
    for place in (1, 2):
        assert [step[place] for step in up] == sorted((step[place] for step in up), reverse=True)
    assert up[1:] == down[::-1][:-1]
    assert not up[-1][1]


def test_that_no_notes_lie_on_the_rows_of_a_low_chart(chart: TimingChart, ladder: list[Any]) -> None:
    shown(chart, ladder, (640, 260))
    assert chart.height() == 260
    assert chart.plot.geometry().bottom() < chart._notes.geometry().top()
    assert rows_in_sight(chart) >= 1


def test_that_a_row_is_found_under_the_mouse_in_dense_rows(chart: TimingChart, ladder: list[Any]) -> None:
    plot = shown(chart, ladder).plot
    layout = plot.plot_layout()
    assert layout.overflow > 0
    assert [plot.row_at(5, layout.plot.top + layout.cell * (n + 0.5)) for n in range(9)] == list(range(9))


def test_that_keys_scroll_dense_rows(chart: TimingChart, qtbot: QtBot, ladder: list[Any]) -> None:
    plot = shown(chart, ladder).plot
    qtbot.keyClick(plot, Qt.Key.Key_Down)
    assert plot.scroll_bar.value() == round(plot.plot_layout().cell)
    qtbot.keyClick(plot, Qt.Key.Key_End)
    assert plot.row_at(5, plot.plot_layout().plot.bottom - 1) == ROWS - 1


def test_that_the_row_at_the_top_stays_there(chart: TimingChart, ladder: list[Any]) -> None:
    plot = shown(chart, ladder).plot
    plot.scroll_bar.setValue(round(5 * plot.plot_layout().cell))
    plot.show_dense(False)
    assert plot.row_at(5, plot.plot_layout().plot.top + 1) == 5


def test_that_marks_of_a_row_keep_apart_in_less_height(chart: TimingChart, ladder: list[Any]) -> None:
    dots = (chart.plot.items_shown.item("dots", look) for look in (Look.GPU, Look.GPU_WAITED))
    plot = shown(chart, ladder).plot
    above, below = dots
    apart = (below.getData()[1] - above.getData()[1]) * plot.plot_layout().cell
    assert (apart >= 0.9 * (above.opts["size"] + below.opts["size"]) / 2).all()


def test_that_marks_of_three_kinds_stay_in_their_row(qtbot: QtBot, make_run: Any) -> None:
    plot, shifts = PlotView(LIGHT), {Look.ASKED: -0.26, Look.MOVED: 0.0, Look.IDEAL: 0.26}
    qtbot.addWidget(plot)
    plot.resize(700, 460)
    places = np.arange(ROWS, dtype=np.intp)
    series = tuple(Series(look, str(look), Form.DOTS, places, np.ones(ROWS), shift=at) for look, at in shifts.items())
    figure = replace(kernel_time_figure([make_run(f"k{place}") for place in range(ROWS)]), series=series)
    plot.show_figure(figure)
    plot.show_dense(True)
    cell = plot.plot_layout().cell
    assert cell < DENSE_ROW
    for look in shifts:
        dots = plot.items_shown.item("dots", look)
        within = dots.getData()[1] - places
        half = dots.opts["size"] / 2 / cell
        assert (within - half >= 1.0 / cell).all(), "clear of the rule above"
        assert (within + half <= 1.0 - 1.0 / cell).all()


def test_that_what_tells_rows_apart_has_its_room(chart: TimingChart, make_run: Any) -> None:
    runs = [make_run("sgemm_best", ms=1.0 + n, params=(("BM", 64 + n), ("BN", 256 + n))) for n in range(ROWS)]
    plot = shown(chart, runs).plot
    columns, layout = plot._columns(), plot.plot_layout()
    assert columns is not None
    assert columns.lines[1].beside == "BM=65 BN=257"
    assert layout.labels.width >= columns.left
    assert layout.plot.width >= 0.4 * plot.width()


def test_that_a_wide_plot_says_more_and_a_very_wide_one_all(chart: TimingChart, ladder: list[Any]) -> None:
    said = []
    for width in (460, 740, 1800):
        plot = shown(chart, ladder, (width, 415)).plot
        columns = plot._columns()
        assert columns is not None
        assert plot.plot_layout().plot.width >= 0.4 * plot.width()
        said.append((columns.lines[1].beside, columns.lines[1].note))
    assert chart.figure is not None
    row = chart.figure.rows[1]
    assert said == [("", ""), ("", row.note), (row.detail, row.note)]


def test_that_a_picture_has_two_lines_and_all_notes(chart: TimingChart, ladder: list[Any]) -> None:
    shown(chart, ladder)
    chart.set_for_picture(True, 900)
    chart.resize(900, chart.picture_height(900))
    layout = chart.plot.plot_layout()
    assert (layout.dense, chart._notes.is_brief) == (False, False)
    assert layout.content <= layout.plot.height
    assert chart._notes.height() == chart._notes.whole_height(900 - 48)
    chart.set_for_picture(False)
    shown(chart, ladder)
    assert (chart.plot.plot_layout().dense, chart._notes.is_brief) == (True, True)


def test_that_a_picture_is_the_same_from_whichever_screen(chart: TimingChart, ladder: list[Any]) -> None:
    pictures = []
    for size in (LOW, (900, 1800)):
        shown(chart, ladder, size)
        height = chart.picture_height(900)
        chart.set_for_picture(True, 900)
        chart.resize(900, height)
        pictures.append(chart.grab().toImage())
        chart.set_for_picture(False)
    assert pictures[0] == pictures[1]


def test_that_a_wrong_run_says_so_in_one_line(qtbot: QtBot, make_run: Any) -> None:
    chart = ACCURACY_CHART.make(LIGHT)
    qtbot.addWidget(chart)
    chart.show_runs([make_run(f"k{n}", worst=9000.0 * n, passed=n == 0) for n in range(ROWS)])
    chart.resize(*LOW)
    chart.grab()
    columns = chart.plot._columns()
    assert columns is not None
    assert [line.note.split(" ")[0] for line in columns.lines[1:]] == ["WRONG"] * (ROWS - 1)


def test_that_words_at_an_edge_are_read_over_the_marks_below_them(chart: TimingChart, make_run: Any) -> None:
    chart.set_view(TimingView.SAMPLES)
    samples = (*(1.0 + n * 37 % 400 / 4000 for n in range(400)), 90.0)
    plot = shown(chart, [make_run(f"k{n}", ms=samples) for n in range(ROWS)]).plot
    layout = plot.plot_layout()
    image, ratio = plot.grab().toImage(), plot.devicePixelRatioF()
    edge = int(layout.plot.right) - 17
    words = range(edge - 24, edge)
    rows = [round(layout.plot.top + layout.cell * n + layout.cell / 2) for n in range(9)]
    marks = QColor(LIGHT.accent)
    at = [image.pixelColor(round(x * ratio), round(y * ratio)) for y in rows for x in words]
    assert marks not in at
    assert len(set(map(QColor.rgb, at))) > 5, "the words are there"


def test_that_an_upright_plot_is_never_dense(qtbot: QtBot, make_run: Any) -> None:
    chart = SweepChart(LIGHT)
    qtbot.addWidget(chart)
    chart.show_runs([make_run(ms=tile, params=(("TILE", tile),), sweep=1) for tile in range(1, 13)])
    chart.resize(676, 240)
    chart.grab()
    assert chart.figure is not None
    assert chart.figure.upright
    assert not chart.plot.plot_layout().dense


def test_that_a_dense_picture_has_all_rows_in_one_line_each(chart: TimingChart, ladder: list[Any]) -> None:
    shown(chart, ladder)
    chart.set_for_picture(True, 1067)
    roomy = chart.picture_height(1067)
    chart.set_for_picture(True, 1067, dense=True)
    assert chart.picture_height(1067) < 0.6 * roomy
    resized(chart, 1067, chart.picture_height(1067))
    layout = chart.plot.plot_layout()
    assert layout.dense
    assert layout.overflow == 0
    assert DENSE_ROW <= layout.cell <= LEAST_ROW
    chart.set_for_picture(False)
    resized(chart, *HIGH)
    assert rows_in_sight(chart) >= 20


@pytest.mark.parametrize("height", range(160, 620, 37))
def test_that_no_row_is_cut_where_not_all_have_room(height: int) -> None:
    layout = plot_layout(900.0, float(height), ROWS, 120.0, 120.0, upright=False, dense=True)
    seen = layout.plot.height / layout.cell
    assert seen == pytest.approx(round(seen))
    assert layout.cell >= (DENSE_ROW if seen < ROWS else TIGHT_ROW)
    assert height - layout.plot.height - HEAD - AXIS_DENSE < max(seen, 1.0) or seen == ROWS


@pytest.mark.parametrize("height", [556.0, 568.0, 575.0, 583.0])
def test_that_rows_that_fit_are_all_seen_whatever_a_division_loses(height: float) -> None:
    layout = plot_layout(1250.0, height, ROWS, 341.0, 184.0, upright=False, dense=True)
    assert layout.overflow == 0
    assert layout.plot.height == pytest.approx(ROWS * layout.cell)


def test_that_rows_of_which_not_all_are_seen_have_words_of_the_usual_size(
    chart: TimingChart, ladder: list[Any]
) -> None:
    few = shown(chart, ladder[:7]).plot.text.fonts(tight=False).name.pointSizeF()
    plot = shown(chart, ladder).plot
    assert plot.plot_layout().overflow > 0
    assert not plot._is_tight()
    assert plot.text.fonts(tight=plot._is_tight()).name.pointSizeF() == few


def test_that_the_lowest_rows_have_small_words_and_no_lower_ones(chart: TimingChart, ladder: list[Any]) -> None:
    sizes = {}
    for runs, size in ((ladder, (676, 640)), (ladder[:7], LOW)):
        plot = shown(chart, runs, size).plot
        sizes[plot.plot_layout().cell] = plot.text.fonts(tight=plot._is_tight()).name.pointSizeF()
    (tight, small), (roomy, normal) = sorted(sizes.items())
    assert tight < DENSE_ROW <= roomy
    assert small * 96 / 72 >= 11
    assert small < normal


def test_that_rows_out_of_sight_are_told_and_a_click_shows_them(
    chart: TimingChart, qtbot: QtBot, ladder: list[Any]
) -> None:
    plot = shown(chart, ladder).plot
    seen = round(rows_in_sight(chart))
    assert plot.hidden_rows.words == f"▼ {ROWS - seen} more rows"
    area = hint_area(plot.plot_layout())
    qtbot.mouseClick(plot.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(int(area.left) + 8, int(area.top) + 8))
    assert plot.hidden_rows.above == min(seen, ROWS - seen)
    plot.scroll_bar.setValue(plot.scroll_bar.maximum())
    assert plot.hidden_rows.words == f"▲ {ROWS - seen} rows above"
    qtbot.mouseClick(plot.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(int(area.left) + 8, int(area.top) + 8))
    assert plot.scroll_bar.value() == 0
    assert shown(chart, ladder[:4]).plot.hidden_rows.words == ""


def test_that_two_rows_of_a_picture_have_a_natural_height_and_their_notes_below_them(
    chart: TimingChart, ladder: list[Any]
) -> None:
    shown(chart, ladder[:2])
    chart.set_for_picture(True, 1067)
    resized(chart, 1067, 600)
    layout, notes = chart.plot.plot_layout(), chart._notes.geometry()
    assert layout.cell <= MOST_ROW_OF_PICTURE
    assert notes.top() - chart.plot.geometry().bottom() < 20
    assert notes.bottom() < 450
