"""The card of an element, of a slot of shared memory, of a thread."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from gemmviz.domain.recordings.access import AccessKind, MappedArray, Space
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.explain.block.shared_places import SharedPlace, shared_places
from gemmviz.explain.requests.loads import Loads
from gemmviz.explain.requests.selection import Selection
from gemmviz.gui.inspector.element_card import (
    card_of,
    element_card,
    thread_card,
    threads_words,
    warp_card,
)
from gemmviz.trace.frames.frames import Frames
from gemmviz.trace.frames.plan import FrameMode


@pytest.fixture(scope="module")
def tiled(recorded: Callable[..., TraceRun]) -> Frames:
    run = recorded("tiled", "4x4x4", TILE=2)
    return Frames(run.blocks[0].trace(run.sites, run.arrays))


@pytest.fixture(scope="module")
def naive(recorded: Callable[..., TraceRun]) -> Frames:
    run = recorded("naive", "17x33x5", ((0, 1, 0),))
    return Frames(run.blocks[0].trace(run.sites, run.arrays), FrameMode.STEP)


def test_that_a_loaded_element_tells_who_loads_it_and_where_it_goes(tiled: Frames) -> None:
    card = element_card(tiled.frame(0), "A", 1, 0, tiled.heat("A", 0), tiled.heat("A", 4))
    assert card.text.splitlines() == [
        "A[1,0]",
        "loaded by 1 thread: 2 (recorded)",
        "loads by this block so far: 1 (1 at the end) (recorded)",
        "in shared memory: As[1,0], bank 2 (recorded)",
    ]


def test_that_an_element_that_is_not_touched_says_so(tiled: Frames) -> None:
    frame = tiled.frame(0)
    assert element_card(frame, "A", 3, 3).text.splitlines() == [
        "A[3,3]",
        "in this barrier interval: not touched (recorded)",
    ]
    never = element_card(frame, "A", 3, 3, tiled.heat("A", 0), tiled.heat("A", 4))
    assert never.text.splitlines()[-1] == "loads by this block so far: never (recorded)"
    later = element_card(frame, "A", 0, 2, tiled.heat("A", 0), tiled.heat("A", 4))
    assert later.text.splitlines()[-1] == "loads by this block so far: 0 (1 at the end) (recorded)"
    assert element_card(frame, "A", 0, 2, None, tiled.heat("A", 4)).lines[-1].value == "1"


def test_that_an_element_whose_copy_is_touched_says_by_whom(tiled: Frames) -> None:
    assert element_card(tiled.frame(1), "A", 1, 0).text.splitlines() == [
        "A[1,0]",
        "its copy As[1,0] is loaded by 2 threads: 2–3 (recorded)",
        "in shared memory: As[1,0], bank 2 (recorded)",
    ]


def test_that_a_slot_tells_its_readers_its_bank_and_what_it_holds(tiled: Frames) -> None:
    assert element_card(tiled.frame(1), "As", 1, 0).text.splitlines() == [
        "As[1,0]",
        "loaded by 2 threads: 2–3 (recorded)",
        "bank: 2 (derived)",
        "holds: A[1,0] (recorded)",
    ]
    assert element_card(tiled.frame(3), "Bs", 0, 1).lines[-1].value == "B[2,1]"


def test_that_empty_and_zero_slots_are_told_in_words(recorded: Callable[..., TraceRun]) -> None:
    run = recorded("row_shared", "2x3x2")
    frames = Frames(run.blocks[0].trace(run.sites, run.arrays))
    frame = frames.frame(0)
    held = frame.shared[0]
    unwritten = int(np.flatnonzero(held.after.origin.ravel() == -1)[-1])
    assert element_card(frame, held.array.name, *divmod(unwritten, held.array.columns)).lines[-1].value == "nothing yet"
    odd = recorded("tiled", "3x3x3", TILE=2)
    corner = Frames(odd.blocks[0].trace(odd.sites, odd.arrays)).frame(2)
    assert element_card(corner, "As", 0, 1).lines[-1].value == "a zero that was stored"


def test_that_a_stored_element_tells_who_stores_it(tiled: Frames) -> None:
    assert element_card(tiled.frame(4), "C", 1, 1).lines[0].words == "stored by 1 thread"


def test_that_an_unknown_array_is_named(tiled: Frames) -> None:
    with pytest.raises(KeyError, match="there is no array Z: the frame has A, B, C, As, Bs"):
        element_card(tiled.frame(0), "Z", 0, 0)


def test_that_all_of_a_tile_is_found_in_shared_memory(tiled: Frames) -> None:
    frame = tiled.frame(2)
    found = {
        (row, column): [place.words for place in shared_places(frame, "B", row, column)]
        for row in range(4)
        for column in range(4)
    }
    assert {key: places for key, places in found.items() if places} == {
        (2, 0): ["Bs[0,0], bank 4"],
        (2, 1): ["Bs[0,1], bank 5"],
        (3, 0): ["Bs[1,0], bank 6"],
        (3, 1): ["Bs[1,1], bank 7"],
    }
    assert shared_places(frame, "C", 0, 0) == ()
    assert shared_places(frame, "Z", 0, 0) == ()


def test_that_banks_go_round_after_32_words() -> None:
    padded = MappedArray("As", Space.SHARED, 1 << 36, 16, 17)
    assert [SharedPlace(padded, row, 0).bank for row in range(3)] == [0, 17, 2]
    assert SharedPlace(MappedArray("d", Space.SHARED, 0, 4, 16, 8), 1, 0).bank == 0


def test_that_many_readers_are_told_in_pieces(naive: Frames) -> None:
    frame = naive.frame(2)
    card = element_card(frame, "B", 2, 4)
    touch = frame.touch("B", AccessKind.LOAD)
    assert touch is not None
    threads = touch.threads(2, 4)
    assert card.lines[0].words == f"loaded by {threads.size} thread{'s'[: threads.size > 1]}"
    assert card.lines[0].value == threads_words(threads)


@pytest.mark.parametrize(
    ("threads", "words"),
    [
        ([], ""),
        ([7], "7"),
        ([0, 1, 2, 3], "0–3"),
        ([0, 1, 5, 8, 9], "0–1, 5, 8–9"),
        (list(range(0, 40, 2)), "0, 2, 4, 6, 8, 10, …"),
    ],
)
def test_that_threads_that_follow_each_other_are_one_piece(threads: list[int], words: str) -> None:
    assert threads_words(np.array(threads, np.int32)) == words


def test_that_a_thread_tells_what_it_touches_now_and_in_all(tiled: Frames) -> None:
    assert thread_card(tiled.frame(0), tiled.thread_path(3)).text.splitlines() == [
        "thread 3, warp 0, lane 3",
        "loads now: A[1,1] and B[1,1] (recorded)",
        "stores now: As[1,1] and Bs[1,1] (recorded)",
        "in the whole recording: 12 loads and 5 stores (recorded)",
    ]
    reads = thread_card(tiled.frame(1), tiled.thread_path(3))
    assert reads.lines[0].value == "As[1,0], Bs[0,1], As[1,1] and Bs[1,1]"


def test_that_a_warp_has_the_threads_that_its_block_has(tiled: Frames) -> None:
    """A block of four threads has no lanes 4 to 31."""
    assert tiled.trace.threads == 4
    card = card_of(tiled, tiled.frame(0), Selection(warp=0), Loads())
    assert card is not None
    assert card.title == "warp 0, threads 0–3"
    assert warp_card(tiled.frame(0), 1, 33).title == "warp 1, thread 32"


def test_that_an_idle_thread_says_so(recorded: Callable[..., TraceRun]) -> None:
    run = recorded("naive", "17x33x5", ((2, 1, 0),))
    frames = Frames(run.blocks[0].trace(run.sites, run.arrays))
    idle = frames.trace.threads - 1
    assert thread_card(frames.frame(0), frames.thread_path(idle)).lines[0].value == "touches nothing"


def test_that_accesses_out_of_bounds_are_told_as_such(recorded: Callable[..., TraceRun]) -> None:
    run = recorded("far_write.cu", "4x4x4")
    frames = Frames(run.blocks[0].trace(run.sites, run.arrays), FrameMode.PHASE)
    outside = next(
        (index, int(frames.frame(index).out_of_bounds.thread[0]))
        for index in range(len(frames))
        if frames.frame(index).out_of_bounds.thread.size
    )
    card = thread_card(frames.frame(outside[0]), frames.thread_path(outside[1]))
    assert any("out of bounds" in line.value for line in card.lines)
