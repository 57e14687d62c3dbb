import math
from dataclasses import replace
from typing import Any

import pytest

from gemmviz.domain.runs.doubts import NOT_GPU_TIMES
from gemmviz.domain.runs.result import Session
from gemmviz.domain.runs.whole_runs import WholeRun, whole_runs_of
from gemmviz.domain.runs.whole_words import ESTIMATED, WHY_UNKNOWN
from gemmviz.domain.terms import Evidence
from gemmviz.explain.figures.figure import Figure, Form, Look, Quantity, Series, Side
from gemmviz.explain.figures.roofline.roofline import roofline_figure, roofline_of
from gemmviz.explain.figures.ticks import ticks_of
from gemmviz.explain.figures.timing import kernel
from gemmviz.explain.figures.timing.kernel import kernel_time_figure, kernel_time_table
from gemmviz.explain.figures.timing.rate import BOTH_CLOCKS, CPU_CLOCK, ERROR_BARS, GPU_CLOCK, rate_figure, rate_table
from gemmviz.explain.figures.timing.samples import BEYOND, samples_figure
from gemmviz.explain.figures.timing.whole import SHARES, whole_time_figure, whole_time_table


def series(figure: Figure, look: Look) -> Series:
    (found,) = [one for one in figure.series if one.look is look]
    return found


def test_that_times_within_a_factor_of_50_are_bars_from_0_with_the_factors_against_the_slowest(make_run: Any) -> None:
    figure = kernel_time_figure([make_run(ms=(2.0,) * 5), make_run("naive", ms=(8.0,) * 5)])
    assert not figure.axis.is_log
    assert figure.axis.low == 0.0
    (bars,) = figure.series
    assert (bars.form, bars.places.tolist(), bars.values.tolist()) == (Form.BARS, [0, 1], [2.0, 8.0])
    (label,) = figure.labels
    assert (label.place, label.high, label.words, label.short) == (0, 2.0, "4.00× as fast as naive", "4.00× as fast")
    assert "waited 2.50 ms" in figure.rows[0].tooltip


def test_that_a_bar_says_a_range_where_the_note_does(make_run: Any) -> None:
    figure = kernel_time_figure([make_run(ms=(1.0, 2.0, 4.0)), make_run("naive", ms=(10.0, 30.0, 60.0))])
    (label,) = figure.labels
    assert label.short == "roughly 6.7 to 30× as fast"
    assert "roughly 6.7 to 30 times as fast as naive" in " ".join(figure.notes)


def test_that_bars_that_cannot_be_ranked_have_no_factor(make_run: Any) -> None:
    near = kernel_time_figure([make_run(ms=(2.0,) * 5), make_run("naive", ms=(2.05,) * 5)])
    assert near.labels == ()
    wrong = make_run(ms=(1.0,) * 5)
    wrong = replace(wrong, accuracy=replace(wrong.accuracy, passed=False))
    assert kernel_time_figure([wrong, make_run("naive", ms=(8.0,) * 5)]).labels == ()
    many = [make_run(f"k{number}", ms=(1.0 + number,) * 5) for number in range(7)]
    assert (len(kernel_time_figure(many[:6]).labels), kernel_time_figure(many).labels) == (5, ())


def test_that_each_run_has_a_mark_for_both_clocks_in_its_row(make_run: Any, cpu_run: Any) -> None:
    figure = kernel_time_figure([make_run(ms=2.0), cpu_run(ms=400.0), make_run("naive", ms=8.0)])
    assert figure.evidence is Evidence.MEASURED
    assert figure.axis.is_log
    gpu, cpu = series(figure, Look.GPU), series(figure, Look.CPU)
    assert (gpu.places.tolist(), gpu.values.tolist()) == ([0, 2], [2.0, 8.0])
    assert (cpu.places.tolist(), cpu.values.tolist()) == ([1], [400.0])
    assert series(figure, Look.GPU_WAITED).values.tolist() == [2.5, 8.5]
    assert series(figure, Look.CPU_WAITED).values.tolist() == [400.5]
    assert figure.axis.low < 2.0 < 400.5 < figure.axis.high


def test_that_error_bars_reach_from_quartile_to_quartile(make_run: Any) -> None:
    gpu = series(kernel_time_figure([make_run(ms=(1.0, 2.0, 3.0, 4.0, 5.0))]), Look.GPU)
    assert (gpu.low.tolist(), gpu.values.tolist(), gpu.high.tolist()) == ([2.0], [3.0], [4.0])


def test_that_a_sample_just_beyond_the_axis_moves_its_end_and_those_far_beyond_leave_room_for_words(
    make_run: Any,
) -> None:
    usual = [1.0 + (n % 41 - 20) / 1000 for n in range(400)]
    near = samples_figure([make_run(ms=(*usual, 1.024))])
    assert near.edges == ()
    assert near.axis.high > 1.024
    far = samples_figure([make_run(ms=(*usual, 1.024, 1.5))])
    assert [edge.words for edge in far.edges] == ["1.50×"]
    last = max(float(one.values.max()) for one in far.series)
    assert far.axis.high - last > 0.08 * (far.axis.high - far.axis.low), "words at the end cover no sample"
    assert BEYOND in far.essential
    assert BEYOND not in near.essential


def test_that_samples_far_above_their_median_draw_no_axis_below_zero(make_run: Any) -> None:
    figure = samples_figure([make_run(ms=(*(0.2 + n / 20 for n in range(30)), *(8.0 * n for n in range(1, 5))))])
    assert 0.0 <= figure.axis.low < 0.5


def test_that_fewer_than_four_samples_have_no_error_bar_and_no_iqr(make_run: Any) -> None:
    for run in (make_run(ms=(1.0, 9.0)), make_run(ms=(1.0, 2.0, 9.0))):
        for figure in (kernel_time_figure([run]), whole_time_figure([run]), samples_figure([run]), rate_figure([run])):
            assert not any(one.low.size for one in figure.series)
            assert "IQR" not in figure.rows[0].note + figure.rows[0].tooltip
            assert "quartiles" not in figure.rows[0].tooltip


@pytest.mark.parametrize("ms", [0.002, 0.3, 0.9, 40.0, 3000.0])
def test_that_axis_rows_and_tooltips_of_a_figure_have_one_unit(make_run: Any, ms: float) -> None:
    runs = [make_run(ms=(ms, 1.1 * ms, 1.2 * ms, 1.2 * ms)), make_run("naive", ms=ms / 30), make_run("mine", ms=ms / 2)]
    for figure in (
        kernel_time_figure(runs),
        whole_time_figure(runs[::2]),
        rate_figure(runs),
        roofline_figure(runs, ()),
    ):
        (unit,) = {row.value.rpartition(" ")[2] for row in figure.rows}
        axis = figure.axis
        said = [tick.words for tick in ticks_of(axis, axis.low, axis.high, 6) if tick.words.strip("0")]
        assert said
        if axis.quantity is not Quantity.PLAIN:
            assert all(words.endswith(f"\N{NARROW NO-BREAK SPACE}{unit.removesuffix('FLOP/s')}") for words in said)
        assert all(row.value in row.tooltip for row in figure.rows if not figure.title.startswith("Roofline"))
    points = roofline_of(runs, ()).points
    assert [row.value in point.tooltip for row, point in zip(figure.rows, points, strict=True)] == [True] * 3


def test_that_all_rows_have_the_unit_of_the_greatest_time(make_run: Any) -> None:
    runs = [make_run(ms=(0.2, 0.25, 0.25, 0.3)), make_run("naive", ms=40.0)]
    first, second = kernel_time_figure(runs).rows
    assert (first.value, second.value) == ("0.250 ms", "40.0 ms")
    assert "IQR 0.025 ms" in first.note
    values = [row.value for row in whole_time_figure(runs).rows]
    assert {value.split(" ")[1] for value in values} == {"ms"}


def test_that_a_row_tells_the_figure_its_spread_and_its_marks(make_run: Any) -> None:
    (row,) = kernel_time_figure([make_run(ms=(1.0, 1.5, 2.0, 5.5, 9.0))]).rows
    assert (row.name, row.detail) == ("tiled", "TILE=16")
    assert (row.value, row.note) == ("2.00 ms", "IQR 4.00 ms · n 5 ~")
    for word in ("64×64×64", "A GPU", "waited 2.50 ms", "not waited 1.00 µs", "steady", "measured"):
        assert word in row.tooltip


def test_that_a_time_of_zero_stands_at_the_edge_as_0(make_run: Any) -> None:
    figure = kernel_time_figure([make_run(ms=(0.0, 0.0, 0.0)), make_run("naive", ms=1.0), make_run("mine", ms=99.0)])
    assert series(figure, Look.GPU).places.tolist() == [1, 2]
    assert [(edge.place, edge.side, edge.words) for edge in figure.edges] == [(0, Side.LOW, "0")]


def test_that_a_cpu_that_runs_gpu_kernels_is_called_out(make_run: Any, pocl: Any) -> None:
    assert NOT_GPU_TIMES in kernel_time_figure([make_run(device=pocl)]).notes
    assert NOT_GPU_TIMES in whole_time_figure([make_run(device=pocl)]).notes
    assert NOT_GPU_TIMES not in kernel_time_figure([make_run()]).notes
    apart = [make_run(device=pocl), make_run("naive", ms=999.0, device=pocl)]
    names = [one.words for one in kernel_time_figure(apart).series]
    assert names == ["GPU kernel on a CPU, device clock", "GPU kernel on a CPU, waited"]
    assert series(kernel_time_figure([make_run()]), Look.GPU).words == "GPU kernel, device clock"


@pytest.mark.parametrize("figure_of", [kernel_time_figure, whole_time_figure, rate_figure])
def test_that_no_runs_say_what_to_do(figure_of: Any) -> None:
    figure = figure_of([])
    assert figure.rows == ()
    assert "press Run" in figure.empty


LOOKS = (Look.MOVED_IN, Look.GPU, Look.CPU, Look.WAITING, Look.MOVED_OUT)
"""The parts of a whole run in their order."""


def ends_of_bars(figure: Figure) -> dict[int, list[float]]:
    """Where the parts of each row begin and end; a part begins where the one before it ends."""
    found: dict[int, list[float]] = {place: [0.0] for place in range(len(figure.rows))}
    for one in (one for look in LOOKS for one in figure.series if one.look is look):
        for place, start, end in zip(one.places.tolist(), one.start.tolist(), one.values.tolist(), strict=True):
            assert start == pytest.approx(found[place][-1])
            found[place].append(end)
    return found


def test_that_the_parts_of_the_median_whole_run_are_stacked_up_to_its_time(make_run: Any, cpu_run: Any) -> None:
    runs = [make_run(ms=(3.9, 3.95, 4.0, 4.15, 4.3)), cpu_run(ms=10.0)]
    figure = whole_time_figure(runs)
    assert not figure.axis.is_log
    assert ends_of_bars(figure) == {
        0: [0.0, 0.25, 4.25, pytest.approx(4.75), pytest.approx(4.875)],
        1: [0.0, 0.25, 10.25, pytest.approx(10.75), pytest.approx(10.875)],
    }
    median = series(figure, Look.WHOLE)
    assert median.values.tolist() == pytest.approx([ends[-1] for ends in ends_of_bars(figure).values()])
    assert median.values.tolist() == [run.timing.whole.median for run in runs]
    assert (median.low[0], median.high[0]) == (runs[0].timing.whole.first, runs[0].timing.whole.third)
    assert figure.rows[0].value == "4.88 ms"
    assert figure.rows[0].note == "kernel 82.1 % · IQR 0.20 ms · n 5"
    assert (
        "in 0.250 ms, kernel 4.00 ms, launching and waiting 0.500 ms, out 0.125 ms (measured)" in figure.rows[0].tooltip
    )


def test_that_a_whole_of_an_earlier_version_is_said_to_be_shared_out(make_run: Any) -> None:
    earlier = make_run(ms=4.0, whole_runs=whole_runs_of([WholeRun(0.25, math.nan, 0.125, 5.0)]))
    figure = whole_time_figure([earlier, make_run(ms=4.0)])
    assert ends_of_bars(figure)[0] == [0.0, 0.25, 4.25, pytest.approx(4.875), 5.0]
    assert figure.rows[0].note == "kernel ≈ 80 %"
    assert "(derived)" in figure.rows[0].tooltip
    assert ESTIMATED in figure.notes
    assert ESTIMATED not in whole_time_figure([make_run()]).notes
    first, second = whole_time_table([earlier, make_run(ms=4.0)]).rows
    assert (first["end_to_end_ms"], first["end_to_end_kernel_ms"], first["end_to_end_runs"]) == (5.0, "", "")
    assert (second["end_to_end_ms"], second["end_to_end_kernel_ms"], second["end_to_end_runs"]) == (
        pytest.approx(4.875),
        4.0,
        5,
    )


def test_that_a_part_that_is_no_number_is_told_at_the_edge(make_run: Any) -> None:
    earlier = whole_runs_of([WholeRun(math.nan, math.nan, 0.5, math.inf)])
    figure = whole_time_figure([make_run(ms=4.0, whole_runs=earlier)])
    assert {edge.words for edge in figure.edges} == {"end to end infinite"}
    assert ends_of_bars(figure) == {0: [0.0]}
    assert figure.rows[0].value == "unknown"


def test_that_parts_that_do_not_fit_an_earlier_whole_are_said_to_be_unknown(make_run: Any) -> None:
    earlier = whole_runs_of([WholeRun(0.25, math.nan, 0.5, 4.7)])
    figure = whole_time_figure([make_run(ms=4.0, whole_runs=earlier)])
    assert ends_of_bars(figure) == {0: [0.0]}
    assert series(figure, Look.WHOLE).values.tolist() == [4.7]
    assert figure.rows[0].note == "parts unknown"
    assert "\nparts unknown\n" in figure.rows[0].tooltip
    assert WHY_UNKNOWN in figure.notes
    assert ESTIMATED not in figure.notes


def test_that_runs_without_a_whole_have_a_row_and_no_bar(make_run: Any) -> None:
    figure = whole_time_figure([make_run(whole_runs=whole_runs_of([])), make_run(ms=4.0)])
    assert len(figure.rows) == 2
    assert ends_of_bars(figure)[0] == [0.0]
    assert figure.edges == ()


def test_that_a_kernel_that_differs_in_the_whole_run_is_explained(make_run: Any) -> None:
    warm = whole_runs_of([WholeRun(0.75, 2.0, 0.125, 3.0)])
    figure = whole_time_figure([make_run("naive", ms=4.0, whole_runs=warm), make_run(ms=4.0)])
    assert figure.notes[-1].startswith(
        "the kernel takes another time within the end-to-end run than alone: naive (A and B were just"
    )
    assert "may be cached" in figure.notes[-1]
    assert "2.00 ms in the end-to-end run but 4.00 ms in samples of the kernel alone" in figure.rows[0].tooltip
    assert "samples of it alone" not in figure.rows[1].tooltip


def test_that_rates_are_operations_over_time(make_run: Any, cpu_run: Any) -> None:
    figure = rate_figure([make_run(ms=2.0), cpu_run(ms=4.0)])
    assert figure.evidence is Evidence.DERIVED
    assert [row.value for row in figure.rows] == ["0.262 GFLOP/s", "0.131 GFLOP/s"]
    assert series(figure, Look.GPU).values.tolist() == [pytest.approx(2 * 64**3 / 2e6)]
    assert series(figure, Look.CPU).values.tolist() == [pytest.approx(2 * 64**3 / 4e6)]
    assert series(figure, Look.GPU).low[0] < series(figure, Look.GPU).values[0] < series(figure, Look.GPU).high[0]


def test_that_bars_from_0_have_the_unit_of_the_longest(make_run: Any) -> None:
    runs = [make_run(ms=ms, size=(1024, 1024, 1024)) for ms in (0.4, 2.2)]
    assert [row.value for row in rate_figure(runs).rows] == ["5.37 TFLOP/s", "0.976 TFLOP/s"]
    assert [row.value for row in rate_figure(runs[1:]).rows] == ["976 GFLOP/s"]


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


def test_that_wholes_far_apart_are_shown_as_shares(make_run: Any, cpu_run: Any) -> None:
    runs = [*(make_run(f"k{number}", ms=1.0 + number) for number in range(9)), cpu_run(ms=900.0)]
    figure = whole_time_figure(runs)
    assert not figure.axis.is_log, "bars on a logarithmic axis would begin at an arbitrary base"
    assert "share" in figure.axis.words
    assert SHARES in figure.notes
    ends = ends_of_bars(figure)
    assert [ends[place][-1] for place in range(10)] == pytest.approx([100.0] * 10)
    assert ends[0][1] == pytest.approx(100 * 0.25 / 1.875)
    assert {one.form for one in figure.series} == {Form.BARS}
    assert figure.rows[9].value == "901 ms"
    assert SHARES not in whole_time_figure(runs[:9]).notes


def test_that_no_mark_of_a_row_of_the_whole_reaches_into_another(make_run: Any, cpu_run: Any) -> None:
    for longest in (20.0, 900.0):
        figure = whole_time_figure([*(make_run(ms=1.0 + number) for number in range(9)), cpu_run(ms=longest)])
        for one in (one for one in figure.series if one.form is Form.BARS):
            offsets = one.offsets if one.offsets.size else [0.0]
            assert max(abs(offset) + one.thickness / 2 for offset in offsets) < 0.5
        assert Form.TICKS not in {one.form for one in figure.series}, "a tick is as high as its row"


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
        whole = run.timing.whole
        assert (row["in_ms"], row["waiting_ms"], row["out_ms"]) == (whole.in_ms, whole.waiting_ms, whole.out_ms)
        assert (row["end_to_end_ms"], row["end_to_end_runs"]) == (whole.median, whole.n)
        assert sum(whole.parts) == pytest.approx(row["end_to_end_ms"])


def test_that_every_table_row_has_its_columns(real_session: Session) -> None:
    for table in (table_of(real_session.runs) for table_of in (kernel_time_table, rate_table, whole_time_table)):
        assert all(tuple(row) == table.columns for row in table.rows)


def test_that_error_bars_are_explained_only_where_they_are_seen(make_run: Any) -> None:
    steady, spread = make_run(ms=(2.0, 2.001, 2.002)), make_run(ms=(1.0, 2.0, 3.0, 4.0, 5.0))
    slow = make_run("naive", ms=200.0)
    assert not any(note.startswith(ERROR_BARS) for note in rate_figure([steady, slow]).notes)
    assert f"{ERROR_BARS}{GPU_CLOCK}" in rate_figure([spread, slow]).notes


def test_that_the_error_bars_of_cpu_kernels_are_by_the_clock_that_timed_them(make_run: Any, cpu_run: Any) -> None:
    gpu, cpu = make_run(ms=(1.0, 2.0, 3.0, 4.0, 5.0)), cpu_run(ms=(1.0, 2.0, 3.0, 4.0, 5.0))
    for runs, clock in (([gpu], GPU_CLOCK), ([cpu, cpu], CPU_CLOCK), ([gpu, cpu], BOTH_CLOCKS)):
        assert f"{ERROR_BARS}{clock}" in rate_figure(runs).essential


def test_that_the_note_on_clocks_speaks_of_the_kernels_that_are_shown(make_run: Any, cpu_run: Any) -> None:
    shown = {
        kernel.GPU_CLOCKS: [make_run(ms=1.0), make_run(ms=99.0)],
        kernel.CPU_CLOCKS: [cpu_run(ms=1.0), cpu_run(ms=99.0)],
        kernel.BOTH_CLOCKS: [make_run(ms=1.0), cpu_run(ms=99.0)],
        kernel.GPU_BARS: [make_run()],
        kernel.CPU_BARS: [cpu_run()],
        kernel.BOTH_BARS: [make_run(ms=1.0), cpu_run(ms=1.0)],
    }
    for note, runs in shown.items():
        assert [each for each in kernel_time_figure(runs).notes if each in shown] == [note]
