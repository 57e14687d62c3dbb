import math
from typing import Any

import pytest

from gemmviz.domain.doubts import NOT_GPU_TIMES
from gemmviz.domain.result import Session
from gemmviz.domain.terms import Evidence
from gemmviz.gui.charts.figure import Figure, Form, Look, Series, Side
from gemmviz.gui.charts.timing_kernel import kernel_time_figure, kernel_time_table
from gemmviz.gui.charts.timing_rate import rate_figure, rate_table
from gemmviz.gui.charts.timing_whole import whole_time_figure, whole_time_table
from gemmviz.gui.charts.timing_whole_parts import NOTE as PARTS_APART


def series(figure: Figure, look: Look) -> Series:
    (found,) = [one for one in figure.series if one.look is look]
    return found


def test_that_each_run_has_a_mark_for_both_clocks_in_its_row(make_run: Any, cpu_run: Any) -> None:
    figure = kernel_time_figure([make_run(ms=2.0), cpu_run(ms=40.0), make_run("naive", ms=8.0)])
    assert figure.evidence is Evidence.MEASURED
    assert figure.axis.is_log
    gpu, cpu = series(figure, Look.GPU), series(figure, Look.CPU)
    assert (gpu.places.tolist(), gpu.values.tolist()) == ([0, 2], [2.0, 8.0])
    assert (cpu.places.tolist(), cpu.values.tolist()) == ([1], [40.0])
    assert series(figure, Look.GPU_WAITED).values.tolist() == [2.5, 8.5]
    assert series(figure, Look.CPU_WAITED).values.tolist() == [40.5]
    assert figure.axis.low < 2.0 < 40.5 < figure.axis.high


def test_that_whiskers_reach_from_quartile_to_quartile(make_run: Any) -> None:
    gpu = series(kernel_time_figure([make_run(ms=(1.0, 2.0, 3.0, 4.0, 5.0))]), Look.GPU)
    assert (gpu.low.tolist(), gpu.values.tolist(), gpu.high.tolist()) == ([2.0], [3.0], [4.0])


def test_that_a_row_tells_the_figure_its_spread_and_its_marks(make_run: Any) -> None:
    (row,) = kernel_time_figure([make_run(ms=(1.0, 2.0, 9.0))]).rows
    assert (row.name, row.detail) == ("tiled", "cold · TILE=16")
    assert (row.value, row.note) == ("2.00 ms", "IQR 4.00 ms · n 3~")
    for word in ("64x64x64", "A GPU", "waited 2.50 ms", "not waited 1.00 µs", "steady", "measured"):
        assert word in row.tooltip


def test_that_a_time_of_zero_stands_at_the_edge_as_0(make_run: Any) -> None:
    figure = kernel_time_figure([make_run(ms=(0.0, 0.0, 0.0)), make_run("naive")])
    assert series(figure, Look.GPU).places.tolist() == [1]
    assert [(edge.place, edge.side, edge.words) for edge in figure.edges] == [(0, Side.LOW, "0")]


def test_that_a_cpu_that_runs_gpu_kernels_is_called_out(make_run: Any, pocl: Any) -> None:
    assert NOT_GPU_TIMES in kernel_time_figure([make_run(device=pocl)]).notes
    assert NOT_GPU_TIMES in whole_time_figure([make_run(device=pocl)]).notes
    assert NOT_GPU_TIMES not in kernel_time_figure([make_run()]).notes


@pytest.mark.parametrize("figure_of", [kernel_time_figure, whole_time_figure, rate_figure])
def test_that_no_runs_say_what_to_do(figure_of: Any) -> None:
    figure = figure_of([])
    assert figure.rows == ()
    assert "press Run" in figure.empty


def test_that_the_whole_is_stacked_in_kernel_out_with_its_own_mark(make_run: Any, cpu_run: Any) -> None:
    figure = whole_time_figure([make_run(ms=4.0), cpu_run(ms=10.0)])
    assert not figure.axis.is_log
    moved_in, gpu, cpu, out = (series(figure, look) for look in (Look.MOVED_IN, Look.GPU, Look.CPU, Look.MOVED_OUT))
    assert (moved_in.start.tolist(), moved_in.values.tolist()) == ([0.0, 0.0], [0.25, 0.25])
    assert (gpu.places.tolist(), gpu.start.tolist(), gpu.values.tolist()) == ([0], [0.25], [4.25])
    assert (cpu.places.tolist(), cpu.start.tolist(), cpu.values.tolist()) == ([1], [0.25], [10.25])
    assert (out.start.tolist(), out.values.tolist()) == ([4.25, 10.25], [4.375, 10.375])
    assert all(bar.form is Form.BARS for bar in (moved_in, gpu, cpu, out))
    assert series(figure, Look.WHOLE).values.tolist() == [2.0, 2.0]


def test_that_a_part_that_is_no_number_is_told_at_the_edge(make_run: Any) -> None:
    figure = whole_time_figure([make_run(ms=4.0, in_out=(math.nan, 0.5), whole=math.inf)])
    assert {edge.words for edge in figure.edges} == {"in not a number", "infinite"}
    assert series(figure, Look.MOVED_OUT).values.tolist() == [4.5]
    assert figure.rows[0].value == "unknown"


def test_that_rates_are_operations_over_time(make_run: Any, cpu_run: Any) -> None:
    figure = rate_figure([make_run(ms=2.0), cpu_run(ms=4.0)])
    assert figure.evidence is Evidence.DERIVED
    assert series(figure, Look.GPU).values.tolist() == [pytest.approx(2 * 64**3 / 2e6)]
    assert series(figure, Look.CPU).values.tolist() == [pytest.approx(2 * 64**3 / 4e6)]
    assert series(figure, Look.GPU).low[0] < series(figure, Look.GPU).values[0] < series(figure, Look.GPU).high[0]


def test_that_rates_far_apart_are_dots_on_a_logarithmic_axis(make_run: Any, cpu_run: Any) -> None:
    figure = rate_figure([make_run(ms=1.0), make_run("naive", ms=4.0), cpu_run(ms=800.0)])
    assert figure.axis.is_log
    assert figure.axis.words.endswith(", logarithmic")
    assert {one.form for one in figure.series} == {Form.DOTS}, "a bar would pretend to begin at 0"
    gpu = series(figure, Look.GPU)
    assert gpu.values.tolist() == pytest.approx([2 * 64**3 / 1e6, 2 * 64**3 / 4e6])
    assert figure.axis.low < series(figure, Look.CPU).values[0] < gpu.values[0] < figure.axis.high
    near = rate_figure([make_run(ms=1.0), make_run("naive", ms=4.0)])
    assert not near.axis.is_log
    assert "logarithmic" not in near.axis.words


def test_that_wholes_far_apart_have_a_mark_for_each_part(make_run: Any, cpu_run: Any) -> None:
    figure = whole_time_figure([make_run(ms=4.0), cpu_run(ms=190.0, whole=200.0, in_out=(0.0, 0.5))])
    assert figure.axis.is_log
    assert figure.axis.words.endswith(", logarithmic")
    assert PARTS_APART in figure.notes
    moved_in, gpu, cpu, out = (series(figure, look) for look in (Look.MOVED_IN, Look.GPU, Look.CPU, Look.MOVED_OUT))
    assert (moved_in.places.tolist(), moved_in.values.tolist()) == ([0], [0.25]), "what took no time has no mark"
    assert (gpu.values.tolist(), cpu.values.tolist(), out.values.tolist()) == ([4.0], [190.0], [0.125, 0.5])
    assert all(one.form is Form.DOTS and not one.start.size for one in (moved_in, gpu, cpu, out))
    whole = series(figure, Look.WHOLE)
    assert (whole.form, whole.values.tolist()) == (Form.TICKS, [2.0, 200.0])
    assert cpu.shift == gpu.shift < moved_in.shift < out.shift, "none covers another that takes the same time"
    assert PARTS_APART not in whole_time_figure([make_run(ms=4.0)]).notes


def test_that_a_part_that_is_no_number_is_told_on_a_logarithmic_axis_too(make_run: Any) -> None:
    runs = [make_run(ms=4.0, in_out=(math.nan, 0.5), whole=math.inf), make_run(), make_run(whole=900.0)]
    figure = whole_time_figure(runs)
    assert figure.axis.is_log
    assert {(edge.place, edge.words) for edge in figure.edges} == {(0, "in not a number"), (0, "infinite")}


def test_that_an_infinite_rate_stands_at_the_edge(make_run: Any) -> None:
    figure = rate_figure([make_run(ms=(0.0, 0.0))])
    assert [(edge.side, edge.words) for edge in figure.edges] == [(Side.HIGH, "infinite")]


def test_that_tables_have_the_very_numbers_of_real_runs(real_session: Session) -> None:
    runs = real_session.runs
    for row, run in zip(kernel_time_table(runs).rows, runs, strict=True):
        assert row["median_ms"] == run.timing.kernel_ms.median
        assert row["third_quartile_ms"] - row["first_quartile_ms"] == run.timing.kernel_ms.iqr  # type: ignore[operator]
        assert row["host_clock_median_ms"] == run.timing.host_clock_ms.median
    for row, run in zip(rate_table(runs).rows, runs, strict=True):
        assert row["gflops"] == run.gflops
    for row, run in zip(whole_time_table(runs).rows, runs, strict=True):
        assert (row["in_ms"], row["out_ms"], row["end_to_end_ms"]) == (
            run.timing.h2d_ms, run.timing.d2h_ms, run.timing.end_to_end_ms)  # fmt: skip


def test_that_every_table_row_has_its_columns(real_session: Session) -> None:
    for table in (kernel_time_table(real_session.runs), rate_table(real_session.runs)):
        assert all(tuple(row) == table.columns for row in table.rows)
