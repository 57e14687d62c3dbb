"""What the charts of times show of a GPU: samples under a held clock, pinned transfers, roofs, the floor.

The runs are made by hand.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from gpu_runs import gauges, gpu_run, made_roofs

from gemmviz.domain.runs.baselines import Baseline
from gemmviz.domain.runs.doubts import THROTTLED
from gemmviz.domain.runs.result import RunResult
from gemmviz.domain.terms import Arithmetic
from gemmviz.explain.figures.figure import Figure, Form, Look, Series, Side
from gemmviz.explain.figures.roofline.roofline import roofline_figure, roofline_table
from gemmviz.explain.figures.roofline.run_roof import LOWERED_ROOFS, roof_notes
from gemmviz.explain.figures.timing.kernel import kernel_time_figure, kernel_time_table
from gemmviz.explain.figures.timing.rate import rate_figure, rate_table
from gemmviz.explain.figures.timing.samples import HELD, samples_figure, samples_table
from gemmviz.explain.figures.timing.speedup_figure import speedup_figure, speedup_table
from gemmviz.explain.figures.timing.whole import whole_time_figure, whole_time_table


def held_run() -> RunResult:
    """Five samples, the last two at a lower clock because of the power limit."""
    told = gauges([1980.0, 1980.0, 1980.0, 1605.0, 1605.0], held=(3, 4))
    return gpu_run(ms=(1.0, 1.0, 1.0, 1.01, 1.01), told=told)


def series(figure: Figure, look: Look) -> Series:
    (found,) = [one for one in figure.series if one.look is look]
    return found


def test_that_samples_taken_under_a_held_clock_stand_apart() -> None:
    figure = samples_figure([held_run()])
    held, free = series(figure, Look.HELD_SAMPLE), series(figure, Look.SAMPLE)
    assert held.values.tolist() == pytest.approx([1.01, 1.01])
    assert free.values.tolist() == [1.0, 1.0, 1.0]
    assert held.words == HELD
    assert (free.offsets[0], held.offsets[-1]) == pytest.approx((-0.248, 0.248)), "from top to bottom in order"
    (row,) = figure.rows
    assert row.note == "2 throttled"
    assert "clock throttled in 2 of 5 samples: power limit" in row.tooltip
    assert "clock 1\u202f980 MHz, lowest 1\u202f605" in row.tooltip


def roofline_of_runs(runs: list[RunResult]) -> Figure:
    return roofline_figure(runs, ())


def throttled_twice(kernel: str, ms: float) -> RunResult:
    told = gauges([1980.0, 1605.0, 1605.0], held=(1, 2))
    return gpu_run(kernel, ms=(ms, ms * 1.001, ms * 1.002), told=told)


def free_run(kernel: str, ms: float) -> RunResult:
    return gpu_run(kernel, ms=(ms, ms * 1.001, ms * 1.002), told=gauges([1980.0] * 3))


@pytest.mark.parametrize("figure_of", [kernel_time_figure, rate_figure, speedup_figure, roofline_of_runs])
def test_that_a_throttled_run_is_marked_on_every_chart_that_is_quoted(figure_of: Any) -> None:
    figure = figure_of([free_run("naive", 2.0), throttled_twice("tiled", 1.0)])
    assert f"{THROTTLED} (tiled in 2 of 3 samples)" in figure.notes
    free, throttled = figure.rows
    assert throttled.note.endswith("!")
    assert not free.note.endswith("!") or figure_of is speedup_figure, "a ratio has the marks of both"
    if figure_of is not roofline_of_runs:
        assert throttled.flag == "!"


def test_that_tables_of_times_count_throttled_samples() -> None:
    runs = [free_run("naive", 2.0), throttled_twice("tiled", 1.0)]
    for table in (kernel_time_table(runs), rate_table(runs), speedup_table(runs), roofline_table(runs, ())):
        assert [row["throttled_samples"] for row in table.rows] == [0, 2], table.name


def test_that_a_lead_over_a_throttled_kernel_is_one_at_these_clocks_only() -> None:
    def verdict(runs: list[RunResult]) -> str:
        naive = Baseline("naive", runs[0].spec.params, is_device_kernel=True)
        return speedup_figure(runs, naive).rows[1].note

    free, throttled = free_run("naive", 1.5), throttled_twice("naive", 1.5)
    assert verdict([throttled, free_run("tiled", 1.0)]) == "faster at these clocks !"
    assert verdict([free, throttled_twice("tiled", 2.0)]) == "slower at these clocks !"
    assert verdict([free, throttled_twice("tiled", 1.0)]) == "faster !", "it can only be faster still"
    assert verdict([throttled, free_run("tiled", 0.1)]) == "faster !", "no clock explains 15×"


def test_that_a_device_without_gauges_has_neither_legend_nor_line_of_them(make_run: Any) -> None:
    figure = samples_figure([make_run()])
    assert [one.look for one in figure.series] == [Look.SAMPLE]
    assert "clock" not in figure.rows[0].tooltip.replace("device clock", "")
    (first, *_) = samples_table([make_run()]).rows
    assert (first["clock_mhz"], first["held_down"]) == ("", "")


def test_that_no_sample_is_dropped_without_a_word() -> None:
    ms = (*np.linspace(0.99, 1.01, 998), 7.0, 0.2)
    figure = samples_figure([gpu_run(ms=ms, told=gauges([]))])
    assert series(figure, Look.SAMPLE).values.size <= 300
    assert any("more than 300 samples" in note for note in figure.notes)
    assert {(edge.side, edge.words) for edge in figure.edges} == {(Side.HIGH, "7.00×"), (Side.LOW, "0.200×")}
    assert len(samples_table([gpu_run(ms=ms, told=gauges([]))]).rows) == 1000


def test_that_the_kernel_times_tooltip_tells_of_the_clock() -> None:
    (row,) = kernel_time_figure([held_run()]).rows
    assert "clock throttled in 2 of 5 samples: power limit" in row.tooltip


def test_that_the_floor_is_drawn_where_times_are_near_it(make_run: Any) -> None:
    roofs = (made_roofs(floor_ms=0.002),)
    near = kernel_time_figure([gpu_run(ms=(0.01,) * 3)], roofs)
    assert [(rule.value, rule.words) for rule in near.rules] == [(0.002, "empty kernel 2.00 µs")]
    assert near.axis.low < 0.002
    assert kernel_time_figure([gpu_run(ms=(5.0,) * 3)], roofs).rules == ()
    assert kernel_time_figure([make_run(ms=0.01)], roofs).rules == (), "another device"


def test_that_pinned_transfers_stand_below_pageable_ones(make_run: Any) -> None:
    figure = whole_time_figure([gpu_run(pinned=(2.5, 1.25)), make_run()])
    moved, pinned = series(figure, Look.MOVED_IN), series(figure, Look.PINNED_IN)
    assert pinned.places.tolist() == [0], "what was not timed has no bar"
    assert pinned.values.tolist() == [2.5]
    assert moved.offsets.tolist()[0] < 0 == moved.offsets.tolist()[1] < pinned.offsets.tolist()[0]
    out = series(figure, Look.PINNED_OUT)
    assert (out.start.tolist(), out.values.tolist()) == ([4.0], [5.25]), "behind the kernel, launching and waiting"
    assert "in at 14.1 GB/s" in figure.rows[0].tooltip
    assert (
        "page-locked: in 2.50 ms at 53.7 GB/s, out 1.25 ms at 53.7 GB/s, end to end 5.25 ms" in figure.rows[0].tooltip
    )
    assert "page-locked" not in figure.rows[1].tooltip
    first, second = whole_time_table([gpu_run(pinned=(2.5, 1.25)), make_run()]).rows
    assert first["in_pinned_gb_per_s"] == pytest.approx(53.687, abs=1e-3)
    assert second["in_pinned_gb_per_s"] == second["pinned_out_ms"] == ""


def test_that_each_rate_has_the_roof_of_its_own_device_and_arithmetic(make_run: Any) -> None:
    figure = rate_figure([gpu_run(ms=(2.8,) * 3), make_run()], (made_roofs(),))
    roof = series(figure, Look.ROOF)
    assert roof.form is Form.TICKS
    assert (roof.places.tolist(), roof.values.tolist()) == ([0], pytest.approx([60_000.0]))
    assert figure.axis.high > 60_000.0
    assert figure.rows[0].note == "81.8 % of the fp32 roof · 2.80 ms"
    assert "roofs measured on GPU made by hand, 2025-01-02: fp32 FMA 60.0 TFLOP/s at 1\u202f755 MHz" in figure.notes
    assert (
        "fp32 FMA roof 60.0 TFLOP/s, measured 2025-01-02 at 1\u202f755 MHz on GPU made by hand"
        in figure.rows[0].tooltip
    )
    roofs = made_roofs()
    held = replace(roofs, roofs=tuple(replace(one, gauges=gauges([1830.0] * 4, held=(1,))) for one in roofs.roofs))
    figure = rate_figure([gpu_run(ms=(2.8,) * 3)], (held,))
    (row,) = figure.rows
    assert row.note == "81.8 % of the fp32 roof · 2.80 ms"
    (told,) = (note for note in figure.notes if note.startswith(LOWERED_ROOFS))
    assert told.startswith("clock lowered while roofs were measured: fp32 FMA to 1\u202f830 MHz (")
    assert figure.essential[0] == told, "a slide says it, too"
    assert "While the fp32 FMA roof was measured, the GPU lowered its clock to 1\u202f830 MHz (" in row.tooltip
    assert [row["roof_gflops"] for row in rate_table([gpu_run(), make_run()], (made_roofs(),)).rows] == [
        pytest.approx(60_000.0),
        "",
    ]


def test_that_a_roof_far_above_all_runs_stands_at_the_edge() -> None:
    figure = rate_figure([gpu_run(ms=(2000.0,) * 3)], (made_roofs(),))
    assert not [one for one in figure.series if one.look is Look.ROOF]
    assert [(edge.side, edge.words) for edge in figure.edges] == [(Side.HIGH, "fp32 roof 60.0 TFLOP/s")]
    assert figure.axis.high < 100.0, "the bars can still be compared"


def test_that_on_a_logarithmic_axis_roofs_are_drawn_from_farther_away() -> None:
    runs = [gpu_run(ms=(ms,) * 3) for ms in (50.0, 900.0, 9000.0)]
    figure = rate_figure(runs, (made_roofs(),))
    assert figure.axis.is_log
    assert series(figure, Look.ROOF).values.tolist() == pytest.approx([60_000.0] * 3)
    assert figure.edges == ()
    far = rate_figure([gpu_run(ms=(ms,) * 3) for ms in (9000.0, 900_000.0)], (made_roofs(),))
    assert {(edge.side, edge.words) for edge in far.edges} == {(Side.HIGH, "fp32 roof 60.0 TFLOP/s")}


def test_that_pinned_runs_have_shares_of_their_own_where_runs_lie_far_apart(make_run: Any) -> None:
    figure = whole_time_figure([gpu_run(pinned=(2.5, 1.25)), make_run(ms=9000.0)])
    moved_in, out = series(figure, Look.PINNED_IN), series(figure, Look.PINNED_OUT)
    assert (moved_in.places.tolist(), moved_in.values.tolist()) == ([0], pytest.approx([100 * 2.5 / 16.0]))
    assert (out.places.tolist(), out.values.tolist()) == ([0], pytest.approx([100 * 5.25 / 16.0]))


def test_that_roofs_are_told_in_one_sentence_for_each_device() -> None:
    kinds = (Arithmetic.FP32, Arithmetic.TF32, Arithmetic.TF32X3, Arithmetic.FP32, Arithmetic.FP64)
    runs = [gpu_run(arithmetic=one) for one in kinds]
    assert roof_notes(runs, (made_roofs(),)) == (
        "roofs measured on GPU made by hand, 2025-01-02: fp32 FMA 60.0 TFLOP/s at 1\u202f755 MHz; "
        "TF32 tensor 400 TFLOP/s at 1\u202f755 MHz (tf32x3: 1/3 of it)",
    )
    assert roof_notes(runs, ()) == ()
