"""What rows say that have one line."""

from dataclasses import replace
from typing import Any

import pytest
from gpu_runs import gpu_run
from pytestqt.qtbot import QtBot

from gemmviz.domain.device import Device
from gemmviz.domain.terms import Mode
from gemmviz.explain.figures.accuracy import bound_figure
from gemmviz.explain.figures.figure import Figure
from gemmviz.explain.figures.timing.kernel import kernel_time_figure
from gemmviz.gui.charts.plot.fonts import plot_fonts
from gemmviz.gui.charts.plot.line_columns import line_columns
from gemmviz.gui.charts.plot.one_line import OneLine, short_lines, titled_lines, whole_lines
from gemmviz.gui.charts.plot.painter import PlotPainter
from gemmviz.gui.charts.plot.view import PlotView
from gemmviz.gui.looks.theme import LIGHT


def beside(figure: Figure) -> list[str]:
    return [line.beside for line in short_lines(figure.rows)]


def test_that_a_kernel_that_stands_alone_needs_no_more_than_its_name(make_run: Any) -> None:
    assert beside(kernel_time_figure([make_run("naive"), make_run("tiled")])) == ["", ""]


def test_that_choices_of_a_kernel_are_told_apart_by_what_they_differ_in(make_run: Any) -> None:
    tiles = [make_run(params=(("BM", 64), ("TILE", tile), ("TM", 2 * tile))) for tile in (8, 16)]
    figure = kernel_time_figure([*tiles, make_run("naive", params=())])
    assert beside(figure) == ["TILE=8 TM=16 …", "TILE=16 TM=32 …", ""], "BM is the same"


def test_that_a_row_has_all_its_parameters_where_kernels_differ_in_one(make_run: Any) -> None:
    shared, own = (("TM", 8),), (("CLUSTER", 2),)
    runs = [
        make_run("vectorized", params=(("BM", 128), *shared)),
        make_run("sgemm_best", params=(("BM", 64), *shared, *own)),
    ]
    assert beside(kernel_time_figure(runs)) == ["BM=128 TM=8", "BM=64 TM=8 CLUSTER=2"]


def test_that_a_parameter_is_told_of_every_kernel_where_kernels_differ_in_it(make_run: Any) -> None:
    """A chart of TILE=2 beside TILE=16 compares tile sizes too."""
    runs = [make_run(kernel, params=(("TILE", tile),)) for kernel, tile in (("tiled", 16), ("tiled_transposed", 2))]
    assert beside(kernel_time_figure(runs)) == ["TILE=16", "TILE=2"]
    alike = [make_run(kernel, params=(("TILE", 16), ("BM", 8))) for kernel in ("tiled", "tiled_transposed")]
    assert beside(kernel_time_figure(alike)) == ["", ""]


def test_that_a_narrow_plot_leaves_out_parameters_in_which_only_kernels_differ_rather_than_be_small(
    make_run: Any,
) -> None:
    params = (("BM", 64), ("BN", 128), ("BK", 8), ("TM", 8), ("TN", 4))
    runs = [make_run("register_2d", params=params), make_run("vectorized", params=(*params[:3], ("TM", 4), ("TN", 8)))]
    tiles = [make_run(params=(("TILE", tile),)) for tile in (8, 16)]
    columns = line_columns(kernel_time_figure([*runs, *tiles]), plot_fonts())
    assert columns(2000.0).lines[0].beside
    assert [line.beside for line in columns(300.0).lines] == ["", "", "TILE=8", "TILE=16"], "rows of one kernel"


def test_that_cold_and_hot_are_told_apart(make_run: Any) -> None:
    figure = kernel_time_figure([make_run(), make_run(mode=Mode.HOT)])
    assert [row.name for row in figure.rows] == ["tiled", "tiled"]
    assert beside(figure) == ["cold", "hot"]


def test_that_two_devices_are_told_apart(make_run: Any, pocl: Device) -> None:
    assert beside(kernel_time_figure([make_run(), make_run(device=pocl)])) == ["A GPU", "pocl"]


def test_that_a_row_names_its_device_also_where_its_kernel_ran_on_no_other(make_run: Any, pocl: Device) -> None:
    figure = kernel_time_figure([make_run("naive"), make_run("tiled", device=pocl)])
    assert beside(figure) == ["A GPU", "pocl"]
    assert beside(kernel_time_figure([make_run("naive"), make_run("tiled", mode=Mode.HOT)])) == ["cold", "hot"]


def test_that_sizes_stay(make_run: Any) -> None:
    runs = [make_run(), make_run("naive", size=(33, 17, 1))]
    assert beside(kernel_time_figure(runs)) == ["64×64×64", "33×17×1"]


def test_that_of_a_note_doubts_and_errors_stay(make_run: Any) -> None:
    noisy = kernel_time_figure([make_run(ms=(1.0, 5.0, 9.0)), make_run("naive")])
    assert [line.note for line in short_lines(noisy.rows)] == ["~", ""]
    checked = bound_figure([make_run(worst=9000.0, passed=False), make_run("naive")])
    assert [line.note for line in short_lines(checked.rows)] == ["WRONG", ""]


def test_that_a_whole_line_says_what_two_lines_do(make_run: Any) -> None:
    (row,) = kernel_time_figure([make_run()]).rows
    assert whole_lines([row]) == (OneLine(row.detail, row.note, "Shared-memory tiles"),)
    assert whole_lines([replace(row, beside="1x1x1")])[0].beside == f"1x1x1 · {row.detail}"
    assert titled_lines([row]) == (OneLine("", row.note, row.title),)


def test_that_titles_are_shown_beside_all_notes_where_the_plot_keeps_two_fifths(make_run: Any) -> None:
    figure = kernel_time_figure([make_run("naive"), make_run("tiled")])
    choose = line_columns(figure, plot_fonts())
    words = {width: choose(float(width)) for width in range(300, 2400, 20)}
    titled = [width for width, columns in words.items() if columns.titles]
    assert titled
    narrowest = words[min(titled)]
    assert all(line.note for line in narrowest.lines)
    needed = narrowest.left + narrowest.right
    assert 0.5 < needed / min(titled) <= 0.6, "the plot keeps what is left"


def test_that_on_a_slide_titles_come_before_notes(make_run: Any) -> None:
    figure = kernel_time_figure([make_run("naive"), make_run("tiled")])
    of_window, of_slide = (line_columns(figure, plot_fonts(large=True), is_slide=wanted) for wanted in (False, True))
    widths = [float(width) for width in range(300, 2400, 20)]
    narrowest = [next(width for width in widths if choose(width).titles) for choose in (of_window, of_slide)]
    assert narrowest[1] < narrowest[0]
    columns = of_slide(narrowest[1])
    assert [line.title for line in columns.lines] == [row.title for row in figure.rows]
    assert not any(line.note for line in columns.lines)
    assert columns.left + columns.right <= 0.7 * narrowest[1], "the plot keeps what is left"


def test_that_titles_stay_on_a_slide_whose_plot_keeps_a_third(make_run: Any) -> None:
    figure = kernel_time_figure([make_run("naive"), make_run("tiled")])
    choose = line_columns(figure, plot_fonts(large=True), is_slide=True)
    widths = [float(width) for width in range(300, 2400, 5)]
    columns = next(columns for columns in map(choose, widths) if columns.titles)
    width = next(width for width in widths if choose(width).titles)
    assert width == widths[0] or (columns.left + columns.right) / width > 0.6


def test_that_without_room_for_a_column_of_titles_a_slide_has_them_behind_names_alone(make_run: Any) -> None:
    names = [make_run(kernel, params=()) for kernel in ("naive", "tiled_global_accumulate")]
    tiles = [make_run("tiled", params=(("TILE", tile),)) for tile in (8, 16)]
    cases = (names, False), (names, True), ([*names, *tiles], True)
    narrow = [
        line_columns(kernel_time_figure(runs), plot_fonts(large=True), is_slide=is_slide)(400.0)
        for runs, is_slide in cases
    ]
    assert not any(columns.titles for columns in narrow)
    assert [columns.fills for columns in narrow] == [False, True, False], "parameters have that column"


def test_that_a_slide_of_kernel_times_explains_error_bars_only_where_it_may_have_them(make_run: Any) -> None:
    few, enough = make_run(ms=(1.0, 2.0, 3.0)), make_run(ms=(1.0, 2.0, 3.0, 4.0))
    assert kernel_time_figure([few]).essential == ()
    assert kernel_time_figure([few, enough]).essential == ("error bars: interquartile range",)


def test_that_medians_and_their_spreads_have_one_unit(make_run: Any) -> None:
    figure = kernel_time_figure([make_run(ms=(24.1, 24.1002, 24.1004, 24.1006, 24.1008))])
    (row,) = figure.rows
    assert row.value.endswith(" ms")
    assert row.note.startswith("IQR 0.0004 ms")
    assert " ms" in row.note


def test_that_no_line_touches_the_words_of_rows_that_are_as_low_as_these(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    figure = kernel_time_figure([gpu_run(f"kernel_{place}", (1.0 + place,) * 4) for place in range(12)])
    for height, lines in ((320, 13), (240, 2)):
        plot = PlotView(LIGHT)
        qtbot.addWidget(plot)
        plot.resize(600, height)
        plot.show_dense(True)
        plot.show_figure(figure)
        across: list[float] = []
        monkeypatch.setattr(
            PlotPainter, "_line", lambda *ends, across=across: across.extend([ends[3]] * (ends[3] == ends[5]))
        )
        plot.grab()
        assert len(across) == lines, plot.plot_layout().cell


def test_that_a_mark_of_doubt_is_painted_where_no_other_note_has_room(qtbot: QtBot) -> None:
    plot = PlotView(LIGHT)
    qtbot.addWidget(plot)
    plot.resize(420, 220)
    plot.show_dense(True)
    figure = kernel_time_figure([gpu_run(f"kernel_{place}", (1.0 + place,) * 4) for place in range(8)])
    long, flags = "a note that has no room " * 4, ("!", "", *[""] * 6)
    rows = tuple(replace(row, detail="", note=long, flag=flag) for row, flag in zip(figure.rows, flags, strict=True))
    plot.show_figure(replace(figure, rows=rows))
    assert [line.note for line in plot.text.columns(420.0, tight=False).lines] == list(flags)
    layout, image = plot.plot_layout(), plot.grab().toImage()
    inked = [
        {
            image.pixel(x, round(layout.plot.top + place * layout.cell + down))
            for x in range(int(layout.values.left), int(layout.values.left) + 7)
            for down in range(3, int(layout.cell) - 3)
        }
        for place in (0, 1)
    ]
    assert [len(colours) > 1 for colours in inked] == [True, False]
