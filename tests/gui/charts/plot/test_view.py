"""The plot: the data handed to pyqtgraph, then colours of pixels, then what wheel, drag and keys do."""

from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QImage, QWheelEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gemmviz.explain.figures.figure import Axis, Look, Quantity
from gemmviz.explain.figures.sweep import sweep_figure
from gemmviz.explain.figures.timing.kernel import kernel_time_figure
from gemmviz.explain.figures.timing.rate import rate_figure
from gemmviz.gui.charts.plot.series_items import _seen_error_bars
from gemmviz.gui.charts.plot.view import PlotView
from gemmviz.gui.looks.theme import DARK, LIGHT


@pytest.fixture
def plot(qtbot: QtBot) -> PlotView:
    view = PlotView(LIGHT)
    qtbot.addWidget(view)
    view.resize(700, 400)
    return view


def turn_wheel(view: PlotView, steps: int, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> bool:
    """Whether the plot took it."""
    at = QPointF(view.plot_layout().plot.left + 50, 100)
    event = QWheelEvent(
        at,
        QPointF(view.mapToGlobal(at.toPoint())),
        QPoint(),
        QPoint(0, 120 * steps),
        Qt.MouseButton.NoButton,
        modifiers,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(view.viewport(), event)
    return event.isAccepted()


def is_colour(image: QImage, x: float, y: float, colour: str) -> bool:
    got, wanted = image.pixelColor(round(x), round(y)), QColor(colour)
    return max(abs(got.red() - wanted.red()), abs(got.green() - wanted.green()), abs(got.blue() - wanted.blue())) <= 6


def test_that_dots_and_error_bars_are_handed_over_in_logarithms(plot: PlotView, make_run: Any) -> None:
    runs = [make_run(ms=(1.0, 5.5, 10.0, 55.0, 100.0)), make_run("naive", ms=10.0), make_run("mine", ms=1000.0)]
    plot.show_figure(kernel_time_figure(runs))
    dots, error_bars = plot.items_shown.item("dots", Look.GPU), plot.items_shown.item("error bars", Look.GPU)
    x, y = dots.getData()
    assert x.tolist() == pytest.approx([1.0, 1.0, 3.0])
    assert y.tolist() == pytest.approx([0.35, 1.35, 2.35])
    assert error_bars.opts["left"][0] == pytest.approx(1.0 - np.log10(5.5))
    assert error_bars.opts["right"][0] == pytest.approx(np.log10(55.0) - 1.0)


def test_that_bars_begin_at_0(plot: PlotView, make_run: Any, cpu_run: Any) -> None:
    runs = [make_run(ms=1.0), cpu_run(ms=2.0)]
    plot.show_figure(rate_figure(runs))
    bars = plot.items_shown.item("bars", Look.GPU)
    assert bars.opts["x0"].tolist() == [0.0]
    assert bars.opts["x1"].tolist() == pytest.approx([runs[0].gflops])


def test_that_an_error_bar_on_a_bar_has_a_ground_that_tells_it_from_the_bar(plot: PlotView, make_run: Any) -> None:
    plot.show_figure(rate_figure([make_run(ms=(1.0, 5.5, 10.0, 55.0, 100.0))]))
    options = plot.items_shown.item("error bars", Look.GPU).opts
    assert options["halo"].color().name() == LIGHT.panel
    assert options["halo"].widthF() > options["pen"].widthF() + 2.0


def test_that_items_are_kept_and_hidden_where_they_are_not_needed(plot: PlotView, make_run: Any, cpu_run: Any) -> None:
    plot.show_figure(kernel_time_figure([make_run(), cpu_run()]))
    before = len(plot.box.addedItems)
    cpu = plot.items_shown.item("dots", Look.CPU)
    for _ in range(20):
        plot.show_figure(kernel_time_figure([make_run()]))
        plot.show_figure(kernel_time_figure([make_run(), cpu_run()]))
    assert len(plot.box.addedItems) == before
    plot.show_figure(kernel_time_figure([make_run()]))
    assert not cpu.isVisible()


def test_that_marks_are_painted_where_their_values_are(plot: PlotView, make_run: Any) -> None:
    plot.show_figure(kernel_time_figure([make_run(ms=10.0), make_run("naive", ms=1000.0)]))
    image = plot.grab().toImage()
    low, high = plot.value_range
    area, cell = plot.plot_layout().plot, plot.plot_layout().cell
    x = area.left + (1.0 - low) / (high - low) * area.width
    assert is_colour(image, x, area.top + 0.35 * cell, LIGHT.accent)
    assert is_colour(image, area.left + 3, area.top + 0.35 * cell, LIGHT.canvas)


def test_that_bars_of_gpu_and_cpu_differ_in_their_filling(plot: PlotView, make_run: Any, cpu_run: Any) -> None:
    plot.show_figure(rate_figure([make_run(ms=1.0), cpu_run(ms=1.0)]))
    image = plot.grab().toImage()
    area, cell = plot.plot_layout().plot, plot.plot_layout().cell
    assert is_colour(image, area.left + 40, area.top + 0.5 * cell - 4, LIGHT.accent)
    assert not is_colour(image, area.left + 40, area.top + 1.5 * cell - 4, LIGHT.host)


def test_that_a_theme_changes_live(plot: PlotView, make_run: Any) -> None:
    plot.show_figure(kernel_time_figure([make_run()]))
    plot.set_theme(DARK)
    assert is_colour(plot.grab().toImage(), 300, 2, DARK.canvas)
    plot.set_theme(LIGHT)
    assert is_colour(plot.grab().toImage(), 300, 2, LIGHT.canvas)


def test_that_the_wheel_scrolls_and_never_stretches(plot: PlotView, make_run: Any) -> None:
    plot.show_figure(kernel_time_figure([make_run(f"k{n}") for n in range(100)]))
    before = plot.value_range
    assert turn_wheel(plot, -1)
    assert plot.scroll_bar.value() > 0
    assert plot.value_range == before
    assert plot.row_at(10, plot.plot_layout().plot.top + 1) > 0


def test_that_the_wheel_is_left_to_others_where_nothing_scrolls(plot: PlotView, make_run: Any) -> None:
    plot.show_figure(kernel_time_figure([make_run()]))
    assert plot.scroll_bar.maximum() == 0
    assert not turn_wheel(plot, -1)


def test_that_ctrl_and_wheel_stretch_and_a_double_click_resets(plot: PlotView, qtbot: QtBot, make_run: Any) -> None:
    plot.show_figure(kernel_time_figure([make_run()]))
    low, high = plot.value_range
    assert turn_wheel(plot, 2, Qt.KeyboardModifier.ControlModifier)
    assert plot.value_range[1] - plot.value_range[0] < high - low
    qtbot.mouseDClick(plot.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(300, 50))
    assert plot.value_range == (low, high)


def test_that_a_drag_pans_the_axis_of_values_alone(plot: PlotView, qtbot: QtBot, make_run: Any) -> None:
    plot.show_figure(kernel_time_figure([make_run(f"k{n}") for n in range(100)]))
    low, high = plot.value_range
    qtbot.mousePress(plot.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(300, 100))
    event_to = QPoint(360, 160)
    qtbot.mouseMove(plot.viewport(), event_to)
    plot.mouseMoveEvent(_moved(event_to))
    qtbot.mouseRelease(plot.viewport(), Qt.MouseButton.LeftButton, pos=event_to)
    assert plot.value_range[0] < low
    assert plot.value_range[1] - plot.value_range[0] == pytest.approx(high - low)
    assert plot.scroll_bar.value() == 0


def _moved(to: QPoint) -> Any:
    from PySide6.QtCore import QEvent
    from PySide6.QtGui import QMouseEvent

    return QMouseEvent(
        QEvent.Type.MouseMove,
        QPointF(to),
        QPointF(to),
        Qt.MouseButton.NoButton,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )


def test_that_the_axis_cannot_be_lost(plot: PlotView, qtbot: QtBot, make_run: Any) -> None:
    plot.show_figure(kernel_time_figure([make_run()]))
    low, high = plot.value_range
    for _ in range(300):
        qtbot.keyClick(plot, Qt.Key.Key_Right)
    assert plot.value_range[0] < high + 2 * (high - low)
    for _ in range(300):
        qtbot.keyClick(plot, Qt.Key.Key_Plus)
    assert plot.value_range[1] > plot.value_range[0]
    for _ in range(300):
        qtbot.keyClick(plot, Qt.Key.Key_Minus)
    assert plot.value_range[1] - plot.value_range[0] <= 10 * (high - low)
    qtbot.keyClick(plot, Qt.Key.Key_0)
    assert plot.value_range == (low, high)
    assert not plot.grab().isNull()


def test_that_keys_scroll(plot: PlotView, qtbot: QtBot, make_run: Any) -> None:
    plot.show_figure(kernel_time_figure([make_run(f"k{n}") for n in range(100)]))
    qtbot.keyClick(plot, Qt.Key.Key_End)
    assert plot.scroll_bar.value() == plot.scroll_bar.maximum() > 0
    qtbot.keyClick(plot, Qt.Key.Key_Up)
    assert plot.scroll_bar.value() < plot.scroll_bar.maximum()
    qtbot.keyClick(plot, Qt.Key.Key_Home)
    assert plot.scroll_bar.value() == 0


def test_that_a_row_is_found_under_the_mouse(plot: PlotView, make_run: Any) -> None:
    plot.show_figure(kernel_time_figure([make_run(f"k{n}") for n in range(3)]))
    layout = plot.plot_layout()
    assert [plot.row_at(5, layout.plot.top + layout.cell * (n + 0.5)) for n in range(3)] == [0, 1, 2]
    assert plot.row_at(5, layout.plot.bottom + 5) == -1
    assert plot.row_at(5, 0) == -1


def test_that_an_upright_plot_has_its_rows_side_by_side(plot: PlotView, make_run: Any) -> None:
    runs = [make_run(ms=ms, params=(("TILE", tile),), sweep=1) for tile, ms in ((8, (10.0,) * 8), (16, (100.0,) * 8))]
    plot.show_figure(sweep_figure(runs))
    x, y = plot.items_shown.item("dots", Look.BEST).getData()
    assert (x.tolist(), y.tolist()) == ([0.5], [pytest.approx(1.0)])
    layout = plot.plot_layout()
    assert plot.row_at(layout.plot.left + 1.5 * layout.cell, 100) == 1
    assert not plot.grab().isNull()


@pytest.mark.parametrize("rows", [1, 2, 1000])
def test_that_rows_are_never_lower_than_22_pixels(plot: PlotView, make_run: Any, rows: int) -> None:
    plot.show_figure(kernel_time_figure([make_run(f"k{n}") for n in range(rows)]))
    assert plot.plot_layout().cell >= 22
    assert plot.scroll_bar.isVisibleTo(plot) == (rows == 1000)


def test_that_an_error_bar_on_a_bar_is_left_out_where_it_would_be_a_speck() -> None:
    values, axis = np.array([10.0, 50.0]), Axis("rate", Quantity.PLAIN, 0.0, 100.0)
    low, high = _seen_error_bars(values, values - np.array([0.1, 5.0]), values + np.array([0.1, 5.0]), axis)
    assert (low.tolist(), high.tolist()) == ([10.0, 45.0], [10.0, 55.0])
    low, high = _seen_error_bars(values, values - 0.7, values + 0.7, axis)
    assert (low.tolist(), high.tolist()) == ([9.3, 49.3], [10.7, 50.7]), "seven pixels of a chart of a thousand"


def test_that_five_settings_of_a_sweep_fill_a_wide_chart(plot: PlotView, make_run: Any) -> None:
    runs = [make_run(sweep=1, ms=(float(tile),) * 8, params=(("TILE", tile),)) for tile in (2, 4, 8, 16, 32)]
    plot.resize(1300, 500)
    plot.show_figure(sweep_figure(runs))
    assert plot.plot_layout().plot.width > 1100
