"""The roofline: where runs and roofs lie, what is said of them, and where it is painted; of runs made by hand."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from gpu_runs import GPU, gpu_run, made_roofs, on_cpu
from pace import limit_s, own_s
from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor, QFontMetricsF
from pytestqt.qtbot import QtBot

from gemmviz.catalogue.examples import load_examples
from gemmviz.domain.session.session import load_session
from gemmviz.domain.terms import Arithmetic
from gemmviz.explain.figures.figure import Look
from gemmviz.explain.figures.roofline.roofline import roofline_figure, roofline_of, roofline_table
from gemmviz.gui.charts.roofline.labels import Box, Label, boxes_along, crosses
from gemmviz.gui.charts.roofline.names import lines_to, names_beside, names_of
from gemmviz.gui.charts.roofline.numbers import numbers_beside
from gemmviz.gui.charts.roofline.plane_text import BETWEEN, Written, key_words, names_listed
from gemmviz.gui.charts.roofline.plot import RooflinePlot
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
    assert [one.words for one in line.lines] == ["fp32 FMA 60.0 TFLOP/s", "1/3 of TF32 tensor 133 TFLOP/s"]
    assert [one.ridge for one in line.lines] == pytest.approx([15.0, 100.0 / 3])
    assert {one.slope_words for one in line.lines} == {"copy 4.00 TB/s"}
    assert roofline_of([make_run()], ROOFS).lines == (), "another device"


def test_that_each_run_has_the_roof_drawn_that_the_table_says() -> None:
    runs = [gpu_run(arithmetic=one) for one in (Arithmetic.FP32, Arithmetic.TF32, Arithmetic.TF32X3, Arithmetic.BF16)]
    drawn = {line.gflops for line in roofline_of(runs, ROOFS).lines}
    assert drawn == {row["roof_gflops"] for row in roofline_table(runs, ROOFS).rows}
    assert len(drawn) == 4


def test_that_the_axes_hold_every_point_and_roof() -> None:
    runs = [gpu_run(ms=(0.01,) * 3, size="64x64x64"), gpu_run(ms=(2.0,) * 3), gpu_run(arithmetic=Arithmetic.BF16)]
    line = roofline_of(runs, ROOFS)
    assert all(line.x.low < point.intensity < line.x.high for point in line.points)
    assert all(line.y.low < point.gflops < line.y.high for point in line.points)
    assert all(line.y.low < one.gflops < line.y.high and line.x.low < one.ridge < line.x.high for one in line.lines)


def test_that_a_plot_without_roofs_says_so_above(make_run: Any) -> None:
    assert roofline_figure([make_run()], ROOFS).title == "Roofline: no roofs measured"
    assert "not measured" not in roofline_figure([gpu_run()], ROOFS).subtitle


def test_that_the_axis_says_which_bytes_the_marks_stand_for() -> None:
    assert roofline_of([gpu_run()], ROOFS).x.words.startswith("operations per ideal byte")
    ladder = load_session(next(one.path for one in load_examples() if one.id == "gpu-ladder"))
    words = roofline_of(ladder.runs, ladder.roofs, ladder.traces).x.words
    assert words.startswith("operations per ideal or moved byte,"), "also where the rest has no room"


def test_that_the_figure_says_where_and_at_which_clock_roofs_were_measured(make_run: Any) -> None:
    figure = roofline_figure([gpu_run(ms=(2.8,) * 3)], ROOFS)
    assert "roofs measured on GPU made by hand, 2025-01-02, at 1\u202f755 MHz" in figure.notes
    assert "81.8 % of what is attainable there" in figure.rows[0].note
    bare = roofline_figure([make_run()], ROOFS)
    assert "the roofs of A GPU have not been measured" in bare.notes
    assert "attainable" not in bare.rows[0].note


def test_that_runs_of_a_sweep_are_told_apart_and_that_the_legend_outlines_the_kinds(
    make_run: Any,
) -> None:
    runs = [make_run(params=(("TILE", tile),)) for tile in (4, 8)]
    figure = roofline_figure(runs, ROOFS)
    assert [point.name for point in roofline_of(runs, ROOFS).points] == ["tiled TILE=4", "tiled TILE=8"]
    assert any(note.startswith("no arrow: tiled TILE=4, tiled TILE=8 (not") for note in figure.notes)
    assert [(one.words, one.inside) for one in figure.series if one.look is Look.GPU] == [("fp32", Look.AT_IDEAL)]


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


AREA = (0.0, 0.0, 400.0, 300.0)


def wide(words: str) -> float:
    return 7.0 * len(words)


def mark(name: str, x: float, y: float) -> Label:
    return Label(name, x, y, wide(name))


def boxes_of(placed: Sequence[tuple[Label, tuple[float, float]]]) -> list[Box]:
    return [label.box_at(x, y) for label, (x, y) in placed]


def are_apart(boxes: Sequence[Box]) -> bool:
    return not any(crosses(one, boxes[place + 1 :]) for place, one in enumerate(boxes))


def test_that_names_cover_neither_each_other_nor_what_is_blocked() -> None:
    marks = [mark(f"k{number}", 100.0, 50.0 + 17.0 * number) for number in range(12)]
    blocked = [(110.0, 60.0, 160.0, 80.0)]
    placed = names_beside(marks, AREA, blocked, (), wide)
    assert len(placed) == 12
    assert are_apart(boxes_of(placed) + blocked)


def test_that_marks_that_lie_together_share_a_label() -> None:
    marks = [mark("slow", 100.0, 53.0), mark("fast", 100.0, 50.0), mark("other", 100.0, 90.0)]
    assert sorted(label.words for label, _ in names_beside(marks, AREA, (), (), wide)) == ["fast, slow", "other"]


def test_that_the_less_room_there_is_the_more_marks_share_a_label() -> None:
    marks = [mark(f"k{number}", 200.0, 10.0 + 6.0 * number) for number in range(12)]
    placed = names_beside(marks, (0.0, 0.0, 400.0, 90.0), (), (), wide)
    assert sorted(name for label, _ in placed for name in label.words.split(", ")) == sorted(one.words for one in marks)
    assert are_apart(boxes_of(placed))


def test_that_a_name_without_room_near_its_mark_is_left_out() -> None:
    marks = [mark("a_long_name", 50.0, 20.0) for _ in range(20)]
    placed = names_beside(marks, (0.0, 0.0, 450.0, 400.0), (), (), wide)
    assert 0 < sum(len(names_of(label)) for label, _ in placed) < 20
    assert all(abs(y - label.y) <= 40.0 for label, (_, y) in placed)


def test_that_no_name_stands_on_a_line() -> None:
    line = boxes_along((0.0, 50.0), (400.0, 50.0), 1.0)
    ((label, (x, y)),) = names_beside([mark("k", 100.0, 50.0)], AREA, (), line, wide)
    assert not crosses(label.box_at(x, y), line)
    everywhere = [(0.0, 0.0, 400.0, 300.0)]
    assert not names_beside([mark("k", 100.0, 50.0)], AREA, (), everywhere, wide), "no name rather than one on a line"


def test_that_a_mark_alone_has_its_name_at_the_end_of_a_line_where_there_is_no_room_beside_it() -> None:
    beside = (40.0, 34.0, 160.0, 66.0)
    ((label, at),) = names_beside([mark("naive", 100.0, 50.0)], AREA, [], [beside], wide)
    assert not crosses(label.box_at(*at), [beside])
    assert lines_to(label, at)


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
        at = plot.place_of(1000.0, 60_000.0)
        column = [image.pixelColor(round(at.x()), round(at.y()) + down) for down in (-1, 0, 1)]
        assert any(_near(colour, QColor(theme.text)) for colour in column)
        beside = plot.place_of(1000.0, 40_000.0)
        assert not _near(image.pixelColor(round(beside.x()), round(beside.y())), QColor(theme.text))


def test_that_a_tooltip_belongs_to_the_nearest_mark(plot: RooflinePlot) -> None:
    mark = plot.place_of(2 * SIZE / 12, gpu_run(ms=(2.8,) * 3).gflops)
    found = plot.point_at(mark + QPointF(4.0, -4.0))
    assert found is not None
    assert "81.8 % of what is attainable" in found.tooltip
    assert plot.point_at(mark + QPointF(60.0, 0.0)) is None


@pytest.mark.parametrize("size", [(652, 210), (800, 500)])
def test_that_a_whole_ladder_is_named_and_nothing_written_covers_anything(
    plot: RooflinePlot, size: tuple[int, int]
) -> None:
    tf32, bf16 = Arithmetic.TF32, Arithmetic.BF16
    runs = [gpu_run(f"rung_{rung}", (140 / 1.35**rung,) * 3) for rung in range(14)]
    runs += [gpu_run(f"tensor_{rung}", (0.4 + 0.1 * rung,) * 3, arithmetic=tf32) for rung in range(4)]
    runs += [gpu_run(f"half_{rung}", (0.2 + 0.01 * rung,) * 3, arithmetic=bf16) for rung in range(3)]
    plot.resize(*size)
    shown = roofline_of(runs, ROOFS)
    plot.show_roofline(shown)
    written = plot.written
    assert len(written.roofs) == 3
    assert written.slopes
    names = [name for label, _ in written.names for name in label.words.split(", ")]
    assert len(names) == len(set(names)) >= 0.8 * len(runs)
    at = [plot.place_of(point.intensity, point.gflops) for point in shown.points]
    marks = [(one.x() - 6, one.y() - 6, one.x() + 6, one.y() + 6) for one in at]
    words = [box for _, box in written.roofs] + boxes_of(written.names)
    assert are_apart(words)
    beside = [box for slope in written.slopes for box in slope.covered]
    assert not any(crosses(box, [*marks, *beside]) for box in words)


def test_that_a_thousand_runs_are_written_at_once(plot: RooflinePlot) -> None:
    shown = roofline_of([gpu_run(f"k{n}", (140 / 1.008**n,) * 3) for n in range(1000)], ROOFS)

    def write() -> None:
        plot.show_roofline(shown)
        assert plot.written.roofs

    assert min(own_s(write) for _ in range(3)) < limit_s(0.4)


def test_that_two_labels_change_places_where_that_brings_both_nearer() -> None:
    marks = [mark("a", 100.0, 60.0), mark("b", 100.0, 40.0), mark("c", 100.0, 80.0)]
    placed = names_beside(marks, (0.0, 0.0, 130.0, 300.0), [(0.0, 0.0, 95.0, 300.0)], (), wide)
    down = [label.words for label, (_, y) in sorted(placed, key=lambda one: one[1][1])]
    assert down == ["b", "a", "c"]


def test_that_a_tooltip_names_the_marks_that_it_covers(plot: RooflinePlot) -> None:
    runs = [gpu_run("one", (2.8,) * 3), gpu_run("other", (2.81,) * 3), gpu_run("far", (280.0,) * 3)]
    plot.show_roofline(roofline_of(runs, ROOFS))
    words = plot.tooltip_at(plot.place_of(2 * SIZE / 12, runs[0].gflops))
    assert words.startswith("one")
    assert words.endswith("also here: other")
    assert "also here" not in plot.tooltip_at(plot.place_of(2 * SIZE / 12, runs[2].gflops))
    assert plot.tooltip_at(QPointF(0.0, 0.0)) == ""


def test_that_a_name_away_from_its_mark_has_a_line_to_it_and_lines_cross_nothing() -> None:
    marks = [mark(f"k{number}", 200.0, 100.0 + 13.0 * number) for number in range(14)]
    placed = names_beside(marks, AREA, [(190.0, 95.0, 210.0, 280.0)], (), wide)
    assert len(placed) == 14
    lines = [line for label, at in placed for line in lines_to(label, at)]
    assert all(abs(at[1] - label.y) <= 6.0 for label, at in placed if not lines_to(label, at))
    assert not any(crosses(box, boxes_of(placed)) for line in lines for box in boxes_along(*line, 0.5))
    for side in (-1, 1):
        own = sorted((end, start) for (sx, start), (x, end) in lines if (x - 200.0) * side > 0 and sx)
        assert [start for _, start in own] == sorted(start for _, start in own), "in the order of their marks"


def test_that_marks_of_two_kinds_share_no_label() -> None:
    marks = [Label("a", 200.0, 50.0, 7.0, "tf32"), Label("b", 200.0, 53.0, 7.0, "tf32x3")]
    assert sorted(label.words for label, _ in names_beside(marks, AREA, (), (), wide)) == ["a", "b"]


def test_that_marks_without_room_for_all_their_names_get_a_number_alone() -> None:
    """No name and number for one mark."""
    marks = [mark("first", 50.0, 20.0), mark("other", 50.0, 21.0)]
    area = (0.0, 0.0, 120.0, 40.0)
    assert names_beside(marks, area, (), (), wide) == []
    numbers, keys = numbers_beside(marks, area, (), (), wide)
    assert len(numbers) == 1
    assert keys == {"first": "(1)", "other": "(1)"}


def test_that_names_without_room_are_told_below_the_plane(plot: RooflinePlot) -> None:
    assert plot.words_below.startswith("operations per ideal byte, 2")
    runs = [gpu_run(f"rung_{rung}", (140 / 1.35**rung,) * 3) for rung in range(30)]
    plot.resize(420, 110)
    shown = roofline_of(runs, ROOFS)
    plot.show_roofline(shown)
    written = plot.written
    named = [name for label, _ in written.names for name in names_of(label) if name not in written.keys.values()]
    assert written.left_out
    assert sorted([*named, *written.left_out]) == sorted(point.name for point in shown.points)
    listed = [name for words in key_words(written) for name in names_listed(words)]
    assert sorted(listed) == sorted(written.left_out)
    assert all(words in plot.words_below for words in key_words(written))
    below = QPointF(plot.area.center().x(), plot.area.bottom() + 28)
    assert plot.tooltip_at(below) == plot.words_below
    assert plot.lines_below[-1].endswith(" more")


def test_that_a_name_listed_without_a_number_says_so() -> None:
    written = Written((), (), (), ("one", "two", "three"), {"two": "(1)"})
    assert key_words(written) == ["(1) two", "also: one, three"]


@pytest.mark.parametrize("size", [(660, 250), (786, 373)])  # little more than at 1280 x 800, and as at 1440 x 900
def test_that_every_mark_of_the_whole_ladder_has_a_name_or_the_number_of_one(
    plot: RooflinePlot, size: tuple[int, int]
) -> None:
    session = load_session(next(each.path for each in load_examples() if each.id == "gpu-ladder"))
    shown = roofline_of(session.runs, session.roofs, session.traces)
    plot.resize(*size)
    plot.show_roofline(shown)
    written = plot.written
    said = [name for label, _ in written.names for name in names_of(label)]
    assert len(shown.points) >= 27
    assert set(written.left_out) == set(written.keys)
    numbers = set(written.keys.values())
    assert [words.split(" ")[0] for words in key_words(written)] == [f"({n})" for n in range(1, len(numbers) + 1)]
    rates = {point.name: point.gflops for point in shown.points}
    fastest = [max(rates[name] for name in names_listed(words)) for words in key_words(written)]
    assert fastest == sorted(fastest, reverse=True)
    assert sorted([*said, *written.left_out]) == sorted([*(point.name for point in shown.points), *numbers])
    boxes = [label.box_at(*at) for label, at in written.names]
    assert not [one for place, one in enumerate(boxes) if crosses(one, boxes[:place])]
    axis, *keys = plot.words_below.split(BETWEEN)
    if plot.lines_beside:
        assert plot.lines_below == (axis,)
        assert " ".join(plot.lines_beside) == " ".join(keys), "no name is left to be pointed at"
    else:
        assert BETWEEN.join(plot.lines_below) == plot.words_below
    assert plot.area.height() >= 150.0


@pytest.mark.parametrize("size", [(626, 250), (786, 373), (1040, 420)])
def test_that_no_name_stands_on_an_arrow_and_nothing_far_from_its_mark_without_a_line(
    plot: RooflinePlot, size: tuple[int, int]
) -> None:
    session = load_session(next(each.path for each in load_examples() if each.id == "gpu-ladder"))
    shown = roofline_of(session.runs, session.roofs, session.traces)
    plot.resize(*size)
    plot.show_roofline(shown)
    names = plot.written.names
    ends = [
        (plot.place_of(one.intensity, one.gflops), plot.place_of(one.stand, one.gflops))
        for one in shown.points
        if one.moved
    ]
    arrows = [box for start, end in ends for box in boxes_along(start.toTuple(), end.toTuple(), 0.5)]
    assert len(arrows) >= 5
    on_arrows = {label.words for label, at in names if crosses(label.box_at(*at), arrows)}
    assert on_arrows <= (set(plot.written.keys.values()) if size == (626, 250) else set())
    without_line = [(label, at) for label, at in names if not lines_to(label, at)]
    assert not [label.words for label, (_, y) in without_line if not min(label.ys) - 17.0 <= y <= max(label.ys) + 17.0]


def test_that_long_names_are_told_apart_and_never_wider_than_the_plane(plot: RooflinePlot) -> None:
    long = "my_kernel_with_every_idea_of_the_tutorial_in_its_name"
    runs = [gpu_run(f"{long}_{rung}", (140 / 1.2**rung,) * 3) for rung in range(27)]
    plot.resize(626, 250)
    shown = roofline_of([*runs, gpu_run(f"{long}_again_1"), gpu_run(f"{long}_once_more_again_1")], ROOFS)
    names = [point.name for point in shown.points]
    assert len(set(names)) == len(names)
    assert names[3] == "my_kernel_with_…al_in_its_name_3"
    plot.show_roofline(shown)
    written = plot.written
    assert set(written.left_out) == set(written.keys), "each has its name or a number"
    metrics = QFontMetricsF(plot._fonts.note)
    assert max(map(metrics.horizontalAdvance, plot.lines_below)) <= plot.width()


def test_that_the_view_shows_it_in_place_of_the_rows(qtbot: QtBot) -> None:
    chart = TimingChart(LIGHT)
    qtbot.addWidget(chart)
    chart.resize(800, 600)
    chart.show_runs([gpu_run()], ROOFS)
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
    return math.dist(*((each.red(), each.green(), each.blue()) for each in (one, other))) < 60


def test_that_two_devices_name_their_roofs() -> None:
    other = replace(GPU, id="cuda:1", gpu_facts=replace(GPU.gpu_facts, uuid="GPU-other"))
    line = roofline_of([gpu_run(), gpu_run(device=other)], (*ROOFS, made_roofs(other)))
    assert [one.words for one in line.lines] == [
        f"fp32 FMA 60.0 TFLOP/s on {GPU.short_name} ({key})" for key in ("cuda:0", "cuda:1")
    ]
