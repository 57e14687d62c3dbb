"""Epochs of warps, from their steps at barriers written as text."""

from __future__ import annotations

import pytest

from gemmviz.trace.ptx.decoding.phases import Sync, WarpStep, epochs

_STEPS = {"meet": WarpStep.MEET, "arrive": WarpStep.ARRIVE, "wait": WarpStep.WAIT}


def epochs_of(*warps: str) -> list[str]:
    """The epochs of each warp's accesses. Events are words: `x` an access, `meet:0`, `arrive:7`, `wait:7/1`."""
    syncs, accesses = [], []
    for words in (warp.split() for warp in warps):
        steps = []
        for event, word in enumerate(words):
            if word != "x":
                step, _, of = word.partition(":")
                key, _, parity = of.partition("/")
                steps.append(Sync(event, _STEPS[step], int(key), int(parity or 0)))
        syncs.append(steps)
        accesses.append([event for event, word in enumerate(words) if word == "x"])
    found = epochs(syncs, [len(warp.split()) for warp in warps])
    return ["".join(str(epoch[event]) for event in events) for epoch, events in zip(found, accesses, strict=True)]


def test_that_a_kernel_without_barriers_is_one_epoch() -> None:
    assert epochs_of("x x x", "x") == ["000", "0"]


def test_that_with_barriers_of_the_block_an_epoch_is_the_number_passed() -> None:
    assert epochs_of("x meet:0 x x meet:0 x", "meet:0 x meet:0 x") == ["0112", "12"]


def test_that_a_barrier_ends_the_epoch_it_stands_in() -> None:
    (epoch,) = epochs([[Sync(1, WarpStep.MEET, 0)]], [3])
    assert epoch.tolist() == [0, 0, 1]
    slow = epochs([[Sync(0, WarpStep.MEET, 5), Sync(1, WarpStep.MEET, 0)], [Sync(0, WarpStep.MEET, 0)]], [3, 2])
    assert [epoch.tolist() for epoch in slow] == [[0, 1, 2], [1, 2]]


def test_that_warps_meet_at_a_barrier_at_the_latest_of_their_epochs() -> None:
    """Two warps share a named barrier before all meet."""
    assert epochs_of("x meet:3 x meet:0 x", "x meet:3 x meet:0 x", "x meet:0 x") == ["012", "012", "02"]


def test_that_a_warp_that_left_does_not_hold_up_the_others() -> None:
    assert epochs_of("x meet:0 x meet:0 x", "x meet:0 x") == ["012", "01"]


PRODUCER = (
    "wait:20/1 arrive:10 x wait:28/1 arrive:18 x wait:20/0 arrive:10 x wait:28/0 arrive:18 x wait:20/1 arrive:10 x"
)
CONSUMER = (
    "wait:10/0 x arrive:20 wait:18/0 x arrive:28 wait:10/1 x arrive:20 wait:18/1 x arrive:28 wait:10/0 x arrive:20"
)


def test_that_a_pipeline_reads_a_stage_after_it_was_filled_and_fills_it_after_it_was_read() -> None:
    """Two stages: full at 10 and 18, free at 20 and 28. The first round of free stages is over from the start."""
    filled, read = epochs_of(PRODUCER, CONSUMER)
    assert len(filled) == len(read) == 5
    assert all(int(f) < int(r) for f, r in zip(filled, read, strict=True))
    assert all(int(filled[step + 2]) > int(read[step]) for step in range(3))
    assert sorted(filled) == list(filled)
    assert filled[0] == filled[1] == "0"  # both stages are filled at once


@pytest.mark.parametrize("consumers", [2, 3])
def test_that_a_stage_is_free_when_the_last_consumer_has_read_it(consumers: int) -> None:
    late = CONSUMER.replace("wait:10/0 x", "wait:10/0 meet:5 x", 1)
    filled, *read = epochs_of(PRODUCER, *[CONSUMER] * (consumers - 1), late)
    assert all(int(filled[step + 2]) > int(one[step]) for step in range(3) for one in read)


def test_that_looking_again_at_the_same_turn_is_one_wait() -> None:
    assert epochs_of("arrive:9 x arrive:9 x", "wait:9/0 wait:9/0 x wait:9/1 wait:9/1 x") == ["00", "12"]


def test_that_an_arrival_of_another_block_does_not_hold_up_a_warp() -> None:
    """It waits for a turn of which no arrival was recorded."""
    assert epochs_of("x wait:9/0 x wait:9/1 x") == ["012"]
    assert epochs_of("x wait:9/0 wait:9/1 x", "arrive:9") == ["02", ""]
