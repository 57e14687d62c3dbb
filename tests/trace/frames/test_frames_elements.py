"""Which elements a frame touches, who touches them, and how often so far."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from frame_text import frame_text
from numpy.typing import NDArray

from gemmviz.domain.recordings.access import INACTIVE, AccessKind, BlockTrace
from gemmviz.trace.frames import frames as frames_module
from gemmviz.trace.frames.access import LaneAccesses, decode
from gemmviz.trace.frames.frames import Frames
from gemmviz.trace.frames.plan import FrameMode
from gemmviz.trace.frames.regions import Rectangle

TraceOf = Callable[..., BlockTrace]
ODD = (37, 41, 35)
OUT = -2


def test_that_an_access_of_16_bytes_touches_four_elements(trace_of: TraceOf) -> None:
    trace = trace_of("3 global load 16 A", "0 | A:2 A:8", "A global 3x4", threads=2)
    frame = Frames(trace, FrameMode.REQUEST).frame(0)
    touch = frame.touch("A", AccessKind.LOAD)
    assert touch is not None
    assert list(zip(touch.rows.tolist(), touch.columns.tolist(), strict=True)) == [
        (0, 2),
        (0, 3),
        (1, 0),
        (1, 1),
        (2, 0),
        (2, 1),
        (2, 2),
        (2, 3),
    ]
    assert touch.accesses == 2
    assert touch.threads(1, 1).tolist() == [0]
    assert frame.caption == "warp request 1 of 1: warp 0, 2 lanes: load 8 elements of A, line 3"
    assert frame_text(frame).splitlines()[-1] == "lane 0 A[0,2]..[1,1], 1 A[2,0]..[2,3]"


def test_that_the_lanes_of_a_request_have_their_elements(trace_of: TraceOf) -> None:
    trace = trace_of("3 global load 4 A", "0 | . A:4 A:-1 A:6 B:0", "A global 2x3\nB global 1x1", threads=5)
    frame = Frames(trace, FrameMode.REQUEST).frame(0)
    request = frame.request
    assert request is not None
    assert request.array[:6].tolist() == [-1, 0, OUT, OUT, 1, -1]
    assert request.row[:6].tolist() == [-1, 1, -1, -1, 0, -1]
    assert request.column[:6].tolist() == [-1, 1, -1, -1, 0, -1]
    assert request.span[:6].tolist() == [0, 1, 0, 0, 1, 0]
    assert frame.out_of_bounds.thread.tolist() == [2, 3]
    assert frame.out_of_bounds.address.tolist() == [(1 << 40) - 4, (1 << 40) + 24]
    assert frame.caption == (
        "warp request 1 of 1: warp 0, 4 lanes: load A[1,1] and B[0,0]; 2 accesses out of bounds, line 3"
    )
    assert "out of bounds: threads 2 3" in frame_text(frame)


def test_that_an_access_that_ends_behind_its_array_is_out_of_bounds(trace_of: TraceOf) -> None:
    frame = Frames(trace_of("3 global load 8 A", "0 | A:4 A:5", "A global 2x3")).frame(0)
    assert frame.caption == "barrier interval 1 of 1: load row 1, columns 1–2 of A; 1 access out of bounds"


def test_that_a_trace_without_arrays_is_all_out_of_bounds(trace_of: TraceOf) -> None:
    frame = Frames(trace_of("3 global load 4 A", [(0, np.arange(4) * 4)])).frame(0)
    assert frame.touches == ()
    assert frame.out_of_bounds.thread.tolist() == [0, 1, 2, 3]


def test_that_an_element_knows_the_threads_that_read_it(tiled_block: TraceOf) -> None:
    frames = Frames(tiled_block((4, 4, 4), 2, 1, 0))

    def threads(index: int, name: str, kind: AccessKind = AccessKind.LOAD) -> list[int]:
        touch = frames.frame(index).touch(name, kind)
        return [] if touch is None else touch.threads(1, 0).tolist()

    assert threads(0, "A") == [2]
    assert threads(0, "As") == []
    assert threads(0, "As", AccessKind.STORE) == [2]
    assert threads(1, "As") == [2, 3]
    assert threads(1, "Bs") == [0, 2]
    assert threads(1, "A") == []


def test_that_an_element_loaded_and_stored_in_one_frame_is_updated(trace_of: TraceOf) -> None:
    trace = trace_of("3 global load 4 C\n3 global store 4 C", "0 | C:0-1\n1 | C:0-1", "C global 1x2")
    frame = Frames(trace).frame(0)
    assert frame.caption == "barrier interval 1 of 1: update all of C"
    assert frame_text(frame).splitlines()[-1] == "xx"


@pytest.mark.parametrize("mode", list(FrameMode))
@pytest.mark.parametrize(("name", "kind"), [("A", AccessKind.LOAD), ("Bs", AccessKind.LOAD), ("C", AccessKind.STORE)])
def test_that_heat_is_the_sum_of_the_frames_so_far(
    tiled_block: TraceOf, mode: FrameMode, name: str, kind: AccessKind
) -> None:
    frames = Frames(tiled_block(ODD, 8, 4, 2), mode)
    counted = np.zeros((64, 64), np.int64)
    for i in range(len(frames)):
        touch = frames.frame(i).touch(name, kind)
        if touch is not None:
            counted[touch.rows, touch.columns] += touch.counts
        heat = frames.heat(name, i, kind)
        box = heat.box
        inside = counted[box.row_start : box.row_stop, box.column_start : box.column_stop]
        assert np.array_equal(heat.counts, inside)
        assert heat.counts.sum() == counted.sum()


def test_that_heat_is_the_same_forwards_backwards_and_by_jumps(tiled_block: TraceOf) -> None:
    trace = tiled_block(ODD, 8, 4, 2)
    walked = Frames(trace)
    for i in (0, 5, 10, 9, 9, 2, 10, 0):
        assert np.array_equal(walked.heat("As", i).counts, Frames(trace).heat("As", i).counts)


def test_that_heat_keeps_to_what_the_block_touches(tiled_block: TraceOf) -> None:
    frames = Frames(tiled_block(ODD, 8, 4, 2))
    first, last = frames.heat("A", 0), frames.heat("A", len(frames) - 1)
    assert first.box == last.box == Rectangle(16, 24, 0, 35)
    assert first.counts.sum() == 64
    assert np.all(last.counts == 1)
    assert frames.heat("C", 0).box.size == 0


def test_that_a_kept_answer_does_not_change_when_it_is_written_to(tiled_block: TraceOf) -> None:
    frames = Frames(tiled_block(ODD, 8, 4, 2))
    frames.heat("A", 3).counts[...] = 99
    assert frames.heat("A", 3).counts.max() == 1


def test_that_shared_slots_know_the_frame_that_last_stored_them(tiled_block: TraceOf) -> None:
    frames = Frames(tiled_block((4, 4, 4), 2, 1, 0))
    assert [frames.last_stored("As", i).tolist() for i in (0, 1, 2, 4)] == [
        [[0, 0], [0, 0]],
        [[0, 0], [0, 0]],
        [[2, 2], [2, 2]],
        [[2, 2], [2, 2]],
    ]
    assert Frames(tiled_block((4, 4, 4), 2, 1, 0), FrameMode.REQUEST).last_stored("As", 0).tolist() == [[-1, -1]] * 2


def test_that_a_thread_walks_along_its_row_and_its_column(tiled_block: TraceOf) -> None:
    frames = Frames(tiled_block((4, 4, 4), 2, 1, 0))
    path = frames.thread_path(2)  # row 1, column 2
    names = [frames.trace.arrays[i].name for i in path.array]
    steps = list(zip(path.frame.tolist(), names, path.row.tolist(), path.column.tolist(), strict=True))
    assert steps[:8] == [
        (0, "A", 1, 0),
        (0, "As", 1, 0),
        (0, "B", 1, 2),
        (0, "Bs", 1, 0),
        (1, "As", 1, 0),
        (1, "Bs", 0, 0),
        (1, "As", 1, 1),
        (1, "Bs", 1, 0),
    ]
    assert steps[-1] == (4, "C", 1, 2)
    assert path.is_store[:4].tolist() == [False, True, False, True]


def test_that_a_path_shows_where_a_thread_left_its_arrays(trace_of: TraceOf) -> None:
    trace = trace_of("3 global load 8 A", "0 | A:0\n0 | A:3\n0 | A:2", "A global 1x4", threads=1)
    path = Frames(trace, FrameMode.REQUEST).thread_path(0)
    assert path.slot.tolist() == [0, 0, 1, 2, 2]
    assert path.frame.tolist() == [0, 0, 1, 2, 2]
    assert path.array.tolist() == [0, 0, OUT, 0, 0]
    assert path.column.tolist() == [0, 1, -1, 2, 3]


@pytest.mark.parametrize(("most_kept", "times"), [(4096, 3), (0, 64)])
def test_that_the_paths_of_a_small_block_are_those_of_a_large_one_and_read_each_warp_once(
    tiled_block: TraceOf, monkeypatch: pytest.MonkeyPatch, most_kept: int, times: int
) -> None:
    trace, read = tiled_block(ODD, 8, 1, 1), list[tuple[int, int]]()
    wanted = {thread: Frames(trace).thread_path(thread) for thread in (0, 31, 32, 63)}

    def counted(trace: BlockTrace, slots: NDArray[np.integer], warps: tuple[int, int]) -> LaneAccesses:
        read.append(warps)
        return decode(trace, slots, warps)

    monkeypatch.setattr(frames_module, "decode", counted)
    monkeypatch.setattr(frames_module, "MOST_KEPT", most_kept)
    frames = Frames(trace)
    paths = [frames.thread_path(thread) for thread in range(64)]
    frames.thread_path(0)
    assert len(read) == times + (most_kept == 0)
    for thread, path in wanted.items():
        for column in ("frame", "slot", "array", "row", "column", "is_store"):
            assert getattr(paths[thread], column).tolist() == getattr(path, column).tolist()
        assert path.slot.size > 4 * 8


def test_that_questions_about_what_is_not_there_name_it(tiled_block: TraceOf) -> None:
    frames = Frames(tiled_block((4, 4, 4), 2, 1, 0))
    with pytest.raises(IndexError, match="frame 5: there are frames 0 to 4"):
        frames.frame(5)
    with pytest.raises(IndexError, match="frame -1"):
        frames.heat("A", -1)
    with pytest.raises(KeyError, match="there is no array D"):
        frames.heat("D", 0)
    with pytest.raises(IndexError, match="thread 4: the block has threads 0 to 3"):
        frames.thread_path(4)
    with pytest.raises(IndexError, match="slot 21 of warp 0"):
        frames.frame_at(21)
    with pytest.raises(ValueError, match="at most 0 steps"):
        Frames(frames.trace, FrameMode.STEP, 0)


def test_that_an_inactive_lane_touches_nothing(tiled_block: TraceOf) -> None:
    trace = tiled_block(ODD, 8, 5, 4)  # the last column of blocks: one of its eight columns lies in C
    last = Frames(trace).frame(len(Frames(trace)) - 1).touch("C", AccessKind.STORE)
    assert last is not None
    assert last.box == Rectangle(32, 37, 40, 41)
    assert last.accesses == int((trace.addresses[:, -1] != INACTIVE).sum()) == 5
