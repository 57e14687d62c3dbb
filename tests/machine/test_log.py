"""The room that the warps of a block write their slots into."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest

from gemmviz.machine.log import SLOT_WORDS, LogRoom, LogTooLongError

MOST_BYTES = 1 << 24
_FEW, _MANY = 3, 5000


def _fill(room: LogRoom, slots: tuple[int, ...]) -> list[np.ndarray]:
    """Write so many slots into each warp's room, as compiled code does, and take them."""
    places = room.begin().copy()
    written = 0
    for warp, count in enumerate(slots):
        for _ in range(count):
            if places[warp, 1] - places[warp, 0] < 8 * SLOT_WORDS:
                places[warp] = room.more(warp, 1, int(places[warp, 0]))
            words = (ctypes.c_uint64 * SLOT_WORDS).from_address(int(places[warp, 0]))
            words[:] = list(range(written, written + SLOT_WORDS))
            written += SLOT_WORDS
            places[warp, 0] += 8 * SLOT_WORDS
    taken = room.take(places[:, 0])
    if taken.grown:
        return [*taken.grown]
    return [taken.words[begin : begin + size] for begin, size in zip(taken.begins, taken.sizes, strict=True)]


@pytest.mark.parametrize(
    "blocks",
    [
        ((_FEW, 0, _FEW),),
        ((_FEW, 0, _MANY), (_FEW, 0, _MANY)),
        ((_FEW, _FEW, _FEW), (_MANY, _FEW, 0), (0, 0, _FEW)),
    ],
)
def test_that_a_block_gets_back_what_its_warps_wrote(blocks: tuple[tuple[int, ...], ...]) -> None:
    room = LogRoom(3, MOST_BYTES)
    for slots in blocks:
        logs = _fill(room, slots)
        assert [log.size for log in logs] == [SLOT_WORDS * count for count in slots]
        assert np.concatenate(logs).tolist() == list(range(SLOT_WORDS * sum(slots)))


def test_that_only_a_block_with_as_many_slots_in_the_same_places_may_be_like_the_one_before() -> None:
    room = LogRoom(1, MOST_BYTES)
    in_place = []
    for slots in (_FEW, _FEW, _FEW, 2, 2):
        places = room.begin()[:, 0].copy()
        if not in_place:
            places[0] = room.more(0, 300, int(places[0]))[0]
        in_place.append(room.take(places + 8 * SLOT_WORDS * slots).is_in_place)
    assert in_place == [False, False, True, False, True]


def test_that_a_block_that_writes_more_than_it_may_is_ended() -> None:
    with pytest.raises(LogTooLongError, match=f"takes more than {MOST_BYTES} bytes"):
        _fill(LogRoom(2, MOST_BYTES), (_FEW, 2 * MOST_BYTES // (8 * SLOT_WORDS)))
