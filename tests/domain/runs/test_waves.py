"""Slots, waves, busy units and tails of schedules that were written by hand."""

from __future__ import annotations

import numpy as np
import pytest
from scheduling import most_at_once, simulated, written

from gemmviz.domain.runs.waves import figures_of, waves_of


def test_that_a_block_takes_the_lowest_slot_that_is_free() -> None:
    one = written([(0, 0, 10), (0, 0, 6), (0, 7, 12), (0, 10, 14), (1, 0, 3)], slots=2)
    waves = waves_of(one)
    assert waves.slot.tolist() == [1, 0, 0, 1, 0]
    assert waves.wave.tolist() == [0, 0, 1, 1, 0]
    assert (waves.slots, waves.count) == (2, 2)


def test_that_a_wave_is_counted_on_its_own_unit() -> None:
    one = written([(0, 0, 4), (0, 5, 8), (0, 8, 12), (1, 6, 12)], slots=1)
    assert waves_of(one).wave.tolist() == [0, 1, 2, 0]


def test_that_a_block_may_start_at_the_moment_another_ends() -> None:
    assert waves_of(written([(0, 0, 5), (0, 5, 9)], slots=1)).slot.tolist() == [0, 0]


def test_that_blocks_too_short_for_the_clock_count_as_at_once_as_many_as_fit() -> None:
    instant = [(0, 0, 0)] * 6
    assert waves_of(written(instant, slots=0)).slot.tolist() == [0, 1, 2, 3, 4, 5]
    waves = waves_of(written(instant, slots=2))
    assert waves.slot.tolist() == [0, 1, 0, 1, 0, 1]
    assert waves.wave.tolist() == [0, 0, 1, 1, 2, 2]


def test_that_more_blocks_than_should_fit_are_believed() -> None:
    assert waves_of(written([(0, 0, 9), (0, 1, 9), (0, 2, 9)], slots=2)).slots == 3


@pytest.mark.parametrize("slots", [1, 3, 8])
def test_that_no_two_blocks_of_a_slot_overlap_and_no_slot_is_idle_in_vain(slots: int) -> None:
    one = simulated((16, 24, 1), units=7, slots=slots)
    waves = waves_of(one)
    assert waves.slots == slots
    for unit in range(7):
        for slot in range(slots):
            mine = np.flatnonzero((one.unit == unit) & (waves.slot == slot))
            mine = mine[np.argsort(one.start_ns[mine])]
            assert (one.start_ns[mine][1:] >= one.end_ns[mine][:-1]).all()
            assert waves.wave[mine].tolist() == list(range(mine.size))


def test_that_figures_of_a_schedule_are_those_counted_by_hand() -> None:
    #      0    4    8    12
    # SM 0 [aaaa][cccc]
    # SM 1 [bbbbbb  ][dddd]   two slots fit, one is used
    # SM 2 nothing
    one = written([(0, 0, 4), (1, 0, 8), (0, 4, 8), (1, 8, 12)], units=3, slots=2)
    found = figures_of(one)
    assert found.blocks_per_unit.tolist() == [2, 2, 0]
    assert (found.units_used, found.units_idle) == (2, 1)
    assert found.slots == 2
    assert not found.slots_are_seen
    assert found.waves_needed == pytest.approx(4 / 6)
    assert found.busy.tolist() == pytest.approx([8 / 12, 1.0, 0.0])
    tail = found.tail
    assert (tail.begin_ns, tail.ns) == (8, 4)
    assert tail.fraction == pytest.approx(4 / 12)
    assert tail.waiting == pytest.approx(1.0)
    assert tail.wasted == pytest.approx((2 * 2 * 4 - 4) / (2 * 2 * 12))


def test_that_achieved_occupancy_is_of_the_warps_that_were_there_while_a_unit_had_any() -> None:
    one = written([(0, 0, 4), (1, 0, 8), (0, 4, 8), (1, 8, 12), (1, 2, 6)], units=3)
    assert figures_of(one).achieved == pytest.approx((4 + 8 + 4 + 4 + 4) / ((8 + 12) * 64))
    assert figures_of(written([(0, 0, 0), (1, 0, 0)])).achieved is None


def test_that_gaps_and_overlaps_do_not_count_as_busy_twice() -> None:
    one = written([(0, 0, 4), (0, 1, 3), (0, 2, 6), (0, 8, 10)], units=1)
    assert figures_of(one).busy.tolist() == pytest.approx([8 / 10])


def test_that_units_that_end_together_leave_no_tail() -> None:
    tail = figures_of(written([(0, 0, 9), (1, 2, 9)])).tail
    assert (tail.ns, tail.fraction, tail.waiting, tail.wasted) == (0, 0.0, 0.0, 0.0)


def test_that_a_launch_shorter_than_the_clock_has_figures() -> None:
    found = figures_of(written([(0, 0, 0), (1, 0, 0)], units=3))
    assert found.busy.tolist() == [1.0, 1.0, 0.0]
    assert found.tail.ns == 0


def test_that_where_nobody_knows_the_occupancy_the_most_seen_at_once_stands_for_it() -> None:
    found = figures_of(written([(0, 0, 4), (0, 1, 5), (1, 0, 4)], slots=0))
    assert found.slots_are_seen
    assert found.slots == 2
    assert found.waves_needed == pytest.approx(3 / 4)


def test_that_blocks_that_stay_are_one_wave() -> None:
    assert figures_of(simulated((132, 1, 1), slots=1)).is_at_once
    assert not figures_of(simulated((133, 1, 1), slots=1)).is_at_once


def test_that_a_simulated_gpu_never_runs_more_than_fit() -> None:
    one = simulated((40, 30, 1), units=12, slots=3)
    assert {most_at_once(one, unit) for unit in range(12)} == {3}
