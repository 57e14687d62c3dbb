"""Which slots make which frame."""

from __future__ import annotations

from collections.abc import Callable
from statistics import mean

import numpy as np
import pytest
from pace import least, limit_s, own_s, own_steps_s

from gemmviz.domain.recordings.access import BARRIER_SITE, INACTIVE, BlockTrace
from gemmviz.trace.frames.frames import Frames, natural_mode
from gemmviz.trace.frames.plan import FrameMode

TraceOf = Callable[..., BlockTrace]
NAIVE = "5 global load 4 A\n5 global load 4 B\n7 global store 4 C"
ODD = (37, 41, 35)


def bounds(frames: Frames) -> list[tuple[int, int]]:
    return [frames.frame(i).slots for i in range(len(frames))]


def walk(k: int) -> str:
    """Slots of one thread that walks along k, then stores."""
    return "\n".join(f"0 | A:{i}\n1 | B:{i}" for i in range(k)) + "\n2 | C:0"


@pytest.fixture
def walker(trace_of: TraceOf) -> Callable[[int], BlockTrace]:
    return lambda k: trace_of(NAIVE, walk(k), f"A global 1x{k}\nB global {k}x1\nC global 1x1", threads=1)


@pytest.mark.parametrize("mode", list(FrameMode))
def test_that_every_access_is_in_exactly_one_frame(tiled_block: TraceOf, mode: FrameMode) -> None:
    trace = tiled_block(ODD, 16, 2, 1)
    frames = Frames(trace, mode)
    real = trace.slot_site != BARRIER_SITE
    done = sum(touch.accesses for i in range(len(frames)) for touch in frames.frame(i).touches)
    assert done == int((trace.addresses[:, real] != INACTIVE).sum())


def test_that_the_word_of_earlier_files_for_a_barrier_interval_is_read() -> None:
    assert FrameMode("phase") is FrameMode("barrier") is FrameMode.PHASE
    with pytest.raises(ValueError, match="by the hour"):
        FrameMode("by the hour")


def test_that_an_odd_tiled_kernel_has_two_phases_per_tile_and_one_to_store(tiled_block: TraceOf) -> None:
    frames = Frames(tiled_block(ODD, 16, 2, 1))
    assert len(frames) == 2 * 3 + 1
    assert [frames.frame(i).ends_at_barrier for i in range(7)] == [True] * 6 + [False]
    assert [frames.frame(i).lines for i in (0, 1, 6)] == [(8, 9), (13,), (18,)]


@pytest.mark.parametrize(("most", "shares"), [(1, [7]), (2, [3, 4]), (3, [2, 2, 3]), (7, [1] * 7), (64, [1] * 7)])
def test_that_steps_are_equal_shares_of_the_iterations(
    walker: Callable[[int], BlockTrace], most: int, shares: list[int]
) -> None:
    starts = np.cumsum([0, *shares]) * 2
    starts[-1] += 1  # the store belongs to the last iteration
    expected = list(zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True))
    assert bounds(Frames(walker(7), FrameMode.STEP, most)) == expected


@pytest.mark.parametrize(("most", "shares"), [(3, [3, 3, 3]), (4, [3, 3, 3]), (7, [1, 1, 1, 2, 1, 1, 2])])
def test_that_steps_are_all_equal_where_that_costs_less_than_half_of_them(
    walker: Callable[[int], BlockTrace], most: int, shares: list[int]
) -> None:
    found = bounds(Frames(walker(9), FrameMode.STEP, most))
    assert [(last - first) // 2 for first, last in found] == shares


@pytest.mark.parametrize("most", [1, 5, 7, 8, 20, 1000])
def test_that_steps_stay_within_their_number_and_never_cross_a_barrier(tiled_block: TraceOf, most: int) -> None:
    trace = tiled_block(ODD, 16, 2, 1)
    frames = Frames(trace, FrameMode.STEP, most)
    assert 7 <= len(frames) <= max(most, 7)
    for first, last in bounds(frames):
        assert np.unique(trace.slot_epoch[first:last]).size == 1


def test_that_a_store_before_the_load_in_the_text_does_not_begin_an_iteration(trace_of: TraceOf) -> None:
    """`As[i] = A[i]`: the store's site comes first, its slot second."""
    trace = trace_of(
        "3 shared store 4 As\n3 global load 4 A",
        "1 | A:0\n0 | As:0\n1 | A:1\n0 | As:1",
        "A global 1x2\nAs shared 1x2",
    )
    assert bounds(Frames(trace, FrameMode.STEP)) == [(0, 2), (2, 4)]


def test_that_a_barrier_nobody_reached_divides_nothing(trace_of: TraceOf) -> None:
    """The slots of a branch not taken are there, and empty."""
    trace = trace_of(
        "3 global load 4 A",
        [
            (0, np.array([1 << 40])),
            (BARRIER_SITE, np.array([INACTIVE])),
            (0, np.array([INACTIVE])),
            (0, np.array([1 << 40])),
            (BARRIER_SITE, np.array([0])),
            (0, np.array([INACTIVE])),
        ],
        "A global 1x1",
    )
    assert bounds(Frames(trace)) == [(0, 5)]
    assert Frames(trace).frame(0).epoch == 0


def test_that_a_barrier_with_nothing_before_it_is_a_phase_of_waiting(trace_of: TraceOf) -> None:
    frames = Frames(trace_of("3 global load 4 A", "0 | A:0\nbarrier\nbarrier", "A global 1x1", threads=1))
    assert [frames.frame(i).caption for i in range(2)] == [
        "barrier interval 1 of 2: load A[0,0]",
        "barrier interval 2 of 2: wait at the barrier",
    ]


def test_that_requests_come_slot_by_slot_and_skip_idle_warps_and_barriers(trace_of: TraceOf) -> None:
    trace = trace_of("3 global load 4 A", "0 | A:0 | . | A:1\nbarrier\n0 | . | A:2 | .", "A global 1x3")
    frames = Frames(trace, FrameMode.REQUEST)
    assert [(frames.frame(i).slots, frames.frame(i).warps) for i in range(len(frames))] == [
        ((0, 1), (0, 1)),
        ((0, 1), (2, 3)),
        ((2, 3), (1, 2)),
    ]
    assert frames.frame_at(0, 2) == 1
    assert frames.frame_at(2, 1) == 2


def test_that_a_block_that_touches_nothing_has_no_frames(trace_of: TraceOf) -> None:
    for trace in (trace_of("3 global load 4 A", "", "A global 1x1"), trace_of("3 global load 4 A", "0 | .*4")):
        for mode in FrameMode:
            frames = Frames(trace, mode)
            assert len(frames) == 0
            assert frames.shares().size == 0
            with pytest.raises(IndexError, match="frame 0"):
                frames.frame(0)


def test_that_the_natural_mode_is_by_phase_from_three_phases_on(
    tiled_block: TraceOf, walker: Callable[[int], BlockTrace], trace_of: TraceOf
) -> None:
    assert natural_mode(tiled_block((4, 4, 2), 2, 0, 0)) is FrameMode.PHASE
    assert natural_mode(walker(3)) is FrameMode.STEP
    two_phases = trace_of(NAIVE, "0 | A:0\nbarrier\n1 | B:0\n2 | C:0", "A global 1x1\nB global 1x1\nC global 1x1")
    assert natural_mode(two_phases) is FrameMode.STEP


def test_that_shares_of_the_work_grow_to_one(tiled_block: TraceOf) -> None:
    trace = tiled_block((4, 4, 4), 2, 1, 0)  # 4, 4, 4, 4 requests and one to store
    assert Frames(trace).shares() == pytest.approx(np.array([4, 8, 12, 16, 17]) / 17)
    by_request = Frames(trace, FrameMode.REQUEST).shares()
    assert by_request == pytest.approx(np.arange(1, 18) / 17)


def test_that_a_line_knows_its_frames(tiled_block: TraceOf) -> None:
    frames = Frames(tiled_block((4, 4, 4), 2, 1, 0))
    assert frames.frames_of_line(8).tolist() == [0, 2]
    assert frames.frames_of_line(13).tolist() == [1, 3]
    assert frames.frames_of_line(18).tolist() == [4]
    assert frames.frames_of_line(1).tolist() == []


def test_that_frames_of_a_large_block_are_built_at_once_and_made_on_demand(tiled_block: TraceOf) -> None:
    trace = tiled_block((1037, 1031, 1055), 16, 3, 1)
    frames = Frames(trace)
    made = [own_steps_s(map(Frames(trace).frame, range(len(frames)))) for _ in range(2)]
    assert min(own_s(lambda: Frames(trace)) for _ in range(3)) < limit_s(0.1)
    assert mean(least(made)) < limit_s(0.01)
    assert frames.frame(4).caption == (
        "barrier interval 5 of 133: load rows 16–31, columns 32–47 of A and rows 32–47, columns 48–63 of B; "
        "store all of As and all of Bs"
    )
    assert frames.frame(5).caption == (
        "barrier interval 6 of 133: read As and Bs, each element 16 times: 8\N{NARROW NO-BREAK SPACE}192 values"
    )
