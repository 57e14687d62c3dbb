"""The roofline: where runs and roofs lie, what is said of them, and where it is painted; of runs made by hand."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest
from gpu_runs import GPU, gpu_run, made_roofs, on_cpu
from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor
from pytestqt.qtbot import QtBot

from gemmviz.domain.terms import Arithmetic
from gemmviz.gui.charts.figure import Look
from gemmviz.gui.charts.roofline_figure import NO_ROOFS, roofline_figure, roofline_of, roofline_table
from gemmviz.gui.charts.roofline_labels import Label, labels_beside
from gemmviz.gui.charts.roofline_plot import RooflinePlot
from gemmviz.gui.charts.timing_chart import TimingChart, TimingView
from gemmviz.gui.looks.theme import DARK, LIGHT

ROOFS = (made_roofs(),)
SIZE = 4096


def test_that_a_run_lies_at_its_operations_per_ideal_byte() -> None:
    fp32, bf16 = gpu_run(ms=(2.0,) * 3), gpu_run(ms=(0.2,) * 3, arithmetic=Arithmetic.BF16)
    points = roofline_of([fp32, bf16], ROOFS).points
    assert points[0].intensity == pytest.approx(2 * SIZE / 12)
    assert points[1].intensity == pytest.approx(2 * SIZE / 8), "operands of two bytes"
    assert points[0].gflops == pytest.approx(2 * SIZE**3 / 2e6)
    assert [point.look for point in points] == [Look.GPU, Look.BF16]


def test_that_only_roofs_of_the_runs_own_arithmetic_and_device_are_drawn(make_run: Any) -> None:
    line = roofline_of([gpu_run(), gpu_run(arithmetic=Arithmetic.TF32X3)], ROOFS)
    assert [one.words for one in line.lines] == ["fp32 FMA 60.0 TFLOP/s", "TF32 tensor 400 TFLOP/s"]
    assert [one.ridge for one in line.lines] == pytest.approx([15.0, 100.0])
    assert {one.slope_words for one in line.lines} == {"copy 4.00 TB/s"}
    assert roofline_of([make_run()], ROOFS).lines == (), "another device"


def test_that_the_axes_hold_every_point_and_roof() -> None:
    runs = [gpu_run(ms=(0.01,) * 3, size="64x64x64"), gpu_run(ms=(2.0,) * 3), gpu_run(arithmetic=Arithmetic.BF16)]
    line = roofline_of(runs, ROOFS)
    assert all(line.x.low < point.intensity < line.x.high for point in line.points)
    assert all(line.y.low < point.gflops < line.y.high for point in line.points)
    assert all(line.y.low < one.gflops < line.y.high and line.x.low < one.ridge < line.x.high for one in line.lines)


def test_that_the_figure_says_where_and_at_which_clock_roofs_were_measured(make_run: Any) -> None:
    figure = roofline_figure([gpu_run(ms=(2.8,) * 3)], ROOFS)
    assert "roofs measured on GPU made by hand, 2025-01-02, at 1755 MHz" in figure.notes
    assert "81.8 % of what is attainable there" in figure.rows[0].note
    bare = roofline_figure([make_run()], ROOFS)
    assert NO_ROOFS in bare.notes
    assert "attainable" not in bare.rows[0].note


def test_that_the_table_has_points_and_roofs(make_run: Any) -> None:
    on_gpu, elsewhere = roofline_table([gpu_run(ms=(2.8,) * 3), make_run()], ROOFS).rows
    assert (on_gpu["copy_gb_per_s"], on_gpu["roof_gflops"]) == pytest.approx((4000.0, 60_000.0))
    assert on_gpu["attainable_gflops"] == pytest.approx(60_000.0)
    assert on_gpu["roof_clock_mhz"] == 1755.0
    assert elsewhere["roof_gflops"] == elsewhere["copy_gb_per_s"] == elsewhere["roof_measured"] == ""


def test_that_a_measured_cpu_has_its_roofs_too(pocl: Any) -> None:
    run, roofs = on_cpu(gpu_run(), pocl), made_roofs(pocl)
    line = roofline_of([run], (roofs, *ROOFS))
    assert [one.words for one in line.lines] == ["fp32 FMA 60.0 TFLOP/s"]


def test_that_a_time_of_zero_has_no_place() -> None:
    assert roofline_of([gpu_run(ms=(0.0, 0.0, 0.0))], ROOFS).points == ()


def test_that_names_cover_neither_each_other_nor_what_is_blocked() -> None:
    labels = [Label(f"k{number}", 100.0, 50.0 + number, 40.0) for number in range(12)]
    blocked = [(110.0, 60.0, 160.0, 80.0)]
    placed = labels_beside(labels, (0.0, 0.0, 400.0, 300.0), blocked)
    boxes = [(x, y - 8, x + label.width, y + 8) for label, (x, y) in placed] + blocked
    assert len(placed) == 12
    for place, one in enumerate(boxes):
        for other in boxes[place + 1 :]:
            apart = one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]
            assert apart, (one, other)


def test_that_a_name_without_room_is_left_out() -> None:
    labels = [Label(f"k{number}", 50.0, 20.0, 30.0) for number in range(9)]
    assert 0 < len(labels_beside(labels, (0.0, 0.0, 100.0, 40.0))) < 9


@pytest.fixture
def plot(qtbot: QtBot) -> RooflinePlot:
    made = RooflinePlot(LIGHT)
    qtbot.addWidget(made)
    made.resize(800, 500)
    made.show_roofline(roofline_of([gpu_run(ms=(2.8,) * 3)], ROOFS))
    return made


def test_that_the_roof_is_painted_where_it_lies(plot: RooflinePlot) -> None:
    for theme in (LIGHT, DARK):
        plot.set_theme(theme)
        image = plot.grab().toImage()
        at = plot.place_of(2000.0, 60_000.0)
        column = [image.pixelColor(round(at.x()), round(at.y()) + down) for down in (-1, 0, 1)]
        assert any(_near(colour, QColor(theme.text)) for colour in column)
        beside = plot.place_of(2000.0, 40_000.0)
        assert not _near(image.pixelColor(round(beside.x()), round(beside.y())), QColor(theme.text))


def test_that_a_tooltip_belongs_to_the_nearest_mark(plot: RooflinePlot) -> None:
    mark = plot.place_of(2 * SIZE / 12, gpu_run(ms=(2.8,) * 3).gflops)
    found = plot.point_at(mark + QPointF(4.0, -4.0))
    assert found is not None
    assert "81.8 % of what is attainable" in found.tooltip
    assert plot.point_at(mark + QPointF(60.0, 0.0)) is None


def test_that_the_view_shows_it_in_place_of_the_rows(qtbot: QtBot) -> None:
    chart = TimingChart(LIGHT)
    qtbot.addWidget(chart)
    chart.resize(800, 600)
    chart.show_runs([gpu_run()])
    chart.show_roofs(ROOFS)
    chart.set_view(TimingView.ROOFLINE)
    chart.refresh()
    plot = chart.findChild(RooflinePlot)
    assert plot is not None
    assert plot.isVisibleTo(chart)
    assert not chart.plot.isVisibleTo(chart)
    assert chart.tables()[0].name == "roofline"
    assert chart.picture_height(1200) > 600
    chart.set_view(TimingView.RATE)
    chart.refresh()
    assert chart.plot.isVisibleTo(chart)
    assert not plot.isVisibleTo(chart)


def _near(one: QColor, other: QColor) -> bool:
    return math.dist(one.getRgb()[:3], other.getRgb()[:3]) < 60


def test_that_two_devices_name_their_roofs() -> None:
    other = replace(GPU, id="cuda:1", cuda=replace(GPU.cuda, uuid="GPU-other"))
    line = roofline_of([gpu_run(), gpu_run(device=other)], (*ROOFS, made_roofs(other)))
    assert [one.words for one in line.lines] == ["fp32 FMA 60.0 TFLOP/s on cuda:0", "fp32 FMA 60.0 TFLOP/s on cuda:1"]
