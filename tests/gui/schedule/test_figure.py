"""The page of block schedules as values: the grid, lanes, words, the table, colours, places in pixels."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from scheduling import simulated, written

from gemmviz.domain.shape import Shape
from gemmviz.domain.spec import Launch
from gemmviz.explain.runs.block_schedule import (
    NO_BLOCK,
    ColourBy,
    ScheduleFigure,
    grid_of,
    name_of,
    schedule_table,
    tail_words,
)
from gemmviz.gui.looks.theme import DARK, LIGHT
from gemmviz.gui.schedule.colours import colour_table, group_colours
from gemmviz.gui.schedule.timeline_geometry import LEFT, TOP, TimelineGeometry, least_row


def test_that_x_goes_across_and_y_down_and_layers_lie_below_each_other() -> None:
    grid = grid_of(written([(0, 0, 1)] * 12, (3, 2, 2)))
    assert grid.blocks.tolist() == [[0, 1, 2], [3, 4, 5], [6, 7, 8], [9, 10, 11]]
    assert not grid.is_folded
    assert grid.place_of(7) == (2, 1)


@pytest.mark.parametrize(("shape", "folds"), [((24, 1, 1), False), ((25, 1, 1), True), ((1, 25, 1), True)])
def test_that_a_long_row_or_column_of_blocks_is_folded(shape: tuple[int, int, int], folds: bool) -> None:
    grid = grid_of(written([(0, 0, 1)] * (shape[0] * shape[1]), shape))
    assert grid.is_folded is folds
    shown = grid.blocks[grid.blocks != NO_BLOCK]
    assert sorted(shown.tolist()) == list(range(shape[0] * shape[1]))
    if folds:
        assert 1 < grid.rows < grid.columns < 25
        assert "folded" in ScheduleFigure(written([(0, 0, 1)] * 25, shape)).notes[-1]


def test_that_lanes_say_which_block_runs_when() -> None:
    #      0    4    8
    # SM 0 [aaaa][ccc      slots 0 and 1
    #        [bbbbb]
    # SM 1     [dd]
    figure = ScheduleFigure(written([(0, 0, 4), (0, 2, 7), (0, 4, 7), (1, 4, 6)], slots=2))
    times = np.array([0.0, 3.0, 4.5, 6.5, 7.5])
    found = figure.lanes.at(np.arange(4), times)
    assert found.tolist() == [
        [0, 0, 2, 2, NO_BLOCK],
        [NO_BLOCK, 1, 1, 1, NO_BLOCK],
        [NO_BLOCK, NO_BLOCK, 3, NO_BLOCK, NO_BLOCK],
        [NO_BLOCK] * 5,
    ]


def test_that_a_block_too_short_to_see_is_a_pixel_long_where_none_follows() -> None:
    figure = ScheduleFigure(written([(0, 0, 1), (0, 50, 51), (1, 0, 100)], slots=1))
    lane, moments = np.array([0]), np.array([5.0, 55.0, 75.0])
    assert figure.lanes.at(lane, moments).tolist() == [[NO_BLOCK] * 3]
    assert figure.lanes.at(lane, moments, 10.0).tolist() == [[0, 1, NO_BLOCK]]


def test_that_every_block_of_a_simulated_gpu_is_found_in_its_middle() -> None:
    one = simulated((20, 30, 1), units=11, slots=3)
    figure = ScheduleFigure(one)
    middles = (one.start_ns + one.end_ns) / 2
    for block in range(0, one.blocks, 37):
        lane = int(one.unit[block]) * 3 + int(figure.found.waves.slot[block])
        assert figure.lanes.at(np.array([lane]), middles[block : block + 1])[0, 0] == block


def test_that_a_block_is_told_with_place_sm_wave_and_times_in_microseconds() -> None:
    figure = ScheduleFigure(written([(0, 0, 4000), (1, 0, 1500), (1, 1500, 62_340)], (1, 3, 1), slots=1))
    assert figure.words_at(2) == "block 0,2  ·  SM 1  ·  wave 2 of 2  ·  1.50 to 62.34 µs (60.84 µs)"
    two = ScheduleFigure(written([(0, 0, 4000), (0, 0, 1500)], (1, 1, 2)))
    assert two.words_at(1).startswith("block 0,0,1  ·  SM 0, slot 1 of 2  ·  wave 1 of 1")


def test_that_the_page_is_told_to_those_who_hear_it() -> None:
    said = ScheduleFigure(simulated()).description
    assert said.startswith(
        "Block schedule: tiled TILE=16. Shared-memory tiles  ·  M×N×K = 512×1024×512  ·  Test GPU  ·  "
    )
    assert "2025-01-02. 512 blocks in 1.94 waves" in said
    assert "times are multiples of 32 ns" in said


def test_that_a_schedule_is_named_by_kernel_parameters_and_size() -> None:
    one = written([(0, 0, 1)])
    assert name_of(one) == "tiled  ·  TILE=16  ·  64×64×64"
    assert name_of(replace(one, spec=replace(one.spec, params=(), shape=Shape(1, 2, 3)))) == "tiled  ·  1×2×3"


def test_that_the_tail_is_told_with_its_part_of_the_time() -> None:
    assert tail_words(ScheduleFigure(written([(0, 0, 60_000), (1, 0, 80_000)]))) == "tail 20.0 µs, 25 % of the time"


def test_that_the_table_has_every_block_in_full_precision() -> None:
    table = schedule_table(written([(0, 0, 5), (1, 1, 7), (0, 5, 9)], (3, 1, 1), slots=1), "s")
    assert len(table.rows) == 3
    assert tuple(table.rows[0]) == table.columns
    assert [table.rows[2][name] for name in ("x", "y", "z", "sm", "slot", "wave", "start_ns", "end_ns")] == [
        2,
        0,
        0,
        0,
        0,
        1,
        5,
        9,
    ]


def test_that_the_table_of_a_schedule_names_device_driver_and_time() -> None:
    schedule = replace(written([(0, 0, 5)], (1, 1, 1), slots=1), finished="2026-11-22T12:01:38+00:00")
    row = schedule_table(schedule, "s").rows[0]
    place = (schedule.device.name, schedule.device.driver, schedule.finished)
    assert tuple(row[name] for name in ("device_name", "driver", "finished")) == place


@pytest.mark.parametrize("theme", [LIGHT, DARK])
@pytest.mark.parametrize("count", [1, 2, 5, 6, 40])
def test_that_neighbouring_waves_have_colours_far_apart(theme: object, count: int) -> None:
    colours = group_colours(theme, ColourBy.WAVE, count)  # type: ignore[arg-type]
    assert len(colours) == count
    assert len(set(colours)) == min(count, 3)  # nobody can tell more shades apart
    greens = [int(colour[3:5], 16) for colour in colours]
    assert all(abs(one - other) >= 36 for one, other in pairwise(greens))


def test_that_the_table_of_colours_ends_with_nothing() -> None:
    table = colour_table(LIGHT, ColourBy.UNIT, 3)
    assert table[-1] == 0
    assert [f"{int(value):08x}" for value in table[:-1]] == [
        f"ff{colour[1:]}" for colour in (LIGHT.a, LIGHT.c, LIGHT.b)
    ]


def geometry(height: float = 300.0, slots: int = 2, stretch: float = 1.0, scroll: float = 0.0) -> TimelineGeometry:
    return TimelineGeometry(500.0, height, 132, slots, 0.0, 1000.0, stretch, scroll)


def test_that_many_sms_have_rows_that_can_be_told_apart_and_scroll() -> None:
    low, high = geometry(300.0), geometry(2000.0)
    assert low.row == least_row(2) == 4.0
    assert low.most_scroll == pytest.approx(132 * 4.0 - (300 - 20 - 36))
    assert high.row > 14
    assert high.most_scroll == 0.0
    assert geometry(stretch=4.0).row == 16.0
    assert least_row(32) == 9.0


def test_that_a_pixel_leads_back_to_its_lane_and_time() -> None:
    one = geometry(300.0, scroll=40.0, stretch=3.0)
    for unit in (one.visible[1], one.visible[-2]):
        for slot in (0, 1):
            assert one.lane_at(one.y_of(unit, slot) + 0.5) == (unit, slot)
    assert one.lane_at(TOP - 1) is None
    assert one.lane_at(299.0) is None
    assert one.time_at(one.x_of(250.0)) == pytest.approx(250.0)
    assert one.x_of(0.0) == LEFT


def test_that_each_line_of_pixels_is_that_of_the_lane_in_it() -> None:
    one = geometry(300.0, scroll=20.0, stretch=3.0)
    lines = one.lines()
    for pixel in range(0, lines.size, 7):
        found = one.lane_at(TOP + pixel + 0.5)
        assert found is not None
        if lines[pixel] >= 0:
            assert (lines[pixel] // 2, lines[pixel] % 2) == found
    assert (lines < 0).any()


def test_that_numbers_of_sms_keep_their_distance() -> None:
    for one in (geometry(300.0), geometry(2000.0), geometry(300.0, stretch=8.0)):
        places = [one.y_of(unit) for unit in one.labelled()]
        assert len(places) >= 2
        assert min(np.diff(places)) >= 13.0


def test_that_a_launch_of_clusters_says_so() -> None:
    pairs = replace(written([(0, 0, 1), (1, 0, 1)]), launch=Launch((2, 1, 1), (32, 1, 1), cluster=(2, 1, 1)))
    assert any("cluster" in note for note in ScheduleFigure(pairs).notes)
