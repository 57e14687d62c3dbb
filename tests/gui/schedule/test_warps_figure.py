"""What is said and counted of the warps of an SM."""

from __future__ import annotations

import pytest
from warps import warp_timeline

from gemmviz.catalogue.examples import examples_folder
from gemmviz.domain.session.session import load_session
from gemmviz.explain.runs.warp_timeline import (
    Phase,
    WarpsFigure,
    bars_of,
    computing_share,
    launch_share,
    share_words,
    warps_table,
)

LOADS, WAITS, COMPUTES = Phase


def bars(row: int, *tiles: tuple[int, int, int, int, int, int]) -> list[tuple[int, int, Phase]]:
    found = bars_of(warp_timeline(tiles) if tiles else warp_timeline())
    columns = zip(found.row.tolist(), found.begin.tolist(), found.end.tolist(), found.phase.tolist(), strict=True)
    return [(begin, end, Phase(phase)) for of_row, begin, end, phase in columns if of_row == row]


def test_that_a_warp_waits_for_memory_then_for_its_block_and_computes_in_the_window() -> None:
    first = [(0, 10, LOADS), (10, 20, WAITS), (20, 40, COMPUTES), (40, 45, WAITS)]
    assert bars(0) == [*first, (45, 60, LOADS), (60, 70, WAITS), (70, 90, COMPUTES), (90, 100, WAITS)]


def test_that_a_warp_of_a_single_block_waits_before_its_first_tile_and_a_tile_is_cut_at_the_window() -> None:
    assert bars(0, (0, 5, 30, 50, 60, 180)) == [(0, 30, WAITS), (30, 50, LOADS), (50, 60, WAITS), (60, 100, COMPUTES)]


def test_that_nothing_is_said_of_a_row_between_two_blocks() -> None:
    found = bars(0, (0, 5, -9, 5, 10, 20), (0, 7, 40, 50, 60, 70))
    assert [bar[:2] for bar in found] == [(0, 5), (5, 10), (10, 20), (40, 50), (50, 60), (60, 70)]


def test_that_the_share_is_that_of_the_time_in_which_any_warp_computes() -> None:
    one = warp_timeline()
    assert computing_share(one, (0, 100)) == pytest.approx((20 + 30) / 100)
    assert computing_share(one, (0, 100), 1) == pytest.approx((20 + 20) / 100)
    assert computing_share(one, (30, 80)) == pytest.approx((10 + 10) / 50)
    assert computing_share(one, (0, 0)) == 0
    assert share_words(one, (0, 100)) == "At least one warp computes 50 % of the 100 cycles shown"
    assert share_words(one, (0, 100), 1) == "The warp computes 40 % of the 100 cycles shown"
    assert share_words(one, (0, 40), 1, is_so_far=True) == "So far, the warp has computed 50 % of the time"


def test_that_the_sentence_compares_few_warps_with_many_in_the_whole_launch() -> None:
    four = tuple((row, 5, 0, 10, 20, 90) for row in range(4))
    many = warp_timeline(four, blocks_per_unit=2, computing_cycles=995)
    assert WarpsFigure([many, warp_timeline()]).sentence == (
        "With 2 warps on each SM, at least one computes in 40 % of the whole launch; with 4 warps, in 99.5 %. A launch "
        "that reads no clock takes 2.00 ms and 2.00 ms."
    )
    assert WarpsFigure([many]).sentence == "With 4 warps, at least one computes in 99.5 % of the whole launch."


def test_that_timelines_of_two_kernels_are_named_and_compared() -> None:
    timelines = load_session(examples_folder() / "gpu-ladder.gemmviz").warp_timelines
    figure = WarpsFigure(timelines)
    assert figure.title == "Warps of one SM: warp_tiled, double_buffered"
    assert [figure.heading_of(one) for one in figure.timelines] == [
        "warp_tiled: 8 warps (1 block) on the SM",
        "double_buffered: 8 warps (1 block) on the SM",
    ]
    assert figure.sentence == (
        "At least one warp computes in warp_tiled in 39 % of the whole launch (6.85 ms without clock readings), in "
        "double_buffered in 86.8 % of the whole launch (3.83 ms without clock readings)."
    )


def test_that_the_table_has_every_bar_with_its_place() -> None:
    table = warps_table([warp_timeline()], "warps")
    assert len(table.rows) == bars_of(warp_timeline()).row.size
    first = table.rows[0]
    assert (first["warp"], first["phase"], first["begin_cycle"], first["end_cycle"]) == (0, "waits for memory", 0, 10)
    assert (first["sm"], first["warps"], first["device_name"]) == (3, 2, "Test GPU")


def test_that_the_window_of_the_example_shows_about_what_the_launch_did_with_few_and_with_many_warps() -> None:
    timelines = load_session(examples_folder() / "gpu-waves.gemmviz").warp_timelines
    assert [one.rows for one in timelines] == [8, 16, 32, 64]
    few, *_, many = timelines
    for one in (few, many):
        assert computing_share(one, (0, one.window_cycles)) == pytest.approx(launch_share(one), abs=0.02)
    assert many.plain_ms.mean() < few.plain_ms.mean() / 2
