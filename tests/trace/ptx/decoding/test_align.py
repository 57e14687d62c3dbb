"""Slots for the requests of several warps, written as letters."""

from __future__ import annotations

import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gemmviz.trace.ptx.decoding import align as aligning
from gemmviz.trace.ptx.decoding.align import Slots, align

Warps = list[list[tuple[int, int]]]


def slots_of(*warps: str) -> str:
    """Each warp's requests as letters, epochs divided by `/`; the slots, likewise."""
    keys = [np.array([ord(letter) for letter in warp if letter != "/"], np.int64) for warp in warps]
    epochs = [
        np.concatenate([np.full(len(part), number, np.int64) for number, part in enumerate(warp.split("/"))])
        for warp in warps
    ]
    return written(align(keys, epochs))


def written(slots: Slots) -> str:
    last = int(slots.epoch[-1]) if slots.epoch.size else 0
    return "/".join("".join(chr(k) for k in slots.key[slots.epoch == number]) for number in range(last + 1))


def test_that_warps_that_do_the_same_share_every_slot() -> None:
    assert slots_of("abc/ab", "abc/ab") == "abc/ab"


def test_that_a_warp_that_does_less_leaves_slots_out() -> None:
    assert slots_of("abcab", "acb") == "abcab"


def test_that_what_only_one_warp_does_gets_slots_of_its_own_in_its_place() -> None:
    assert slots_of("aab", "axab") == "axab"


def test_that_warps_with_nothing_in_common_stand_one_behind_the_other() -> None:
    assert slots_of("tt", "xyz") in ("ttxyz", "xyztt")


def test_that_requests_of_different_epochs_never_share_a_slot() -> None:
    assert slots_of("a/a", "/a", "a/") == "a/a"


def test_that_two_orders_of_the_same_requests_cost_a_slot_more() -> None:
    assert sorted(slots_of("ab", "ba")) in (list("aab"), list("abb"))


def test_that_a_warp_with_many_requests_is_laid_beside_a_longer_one() -> None:
    """Each request of the shorter one is looked for among 400,000 that are alike."""
    short, long = np.zeros(200_000, np.int64), np.zeros(400_000, np.int64)
    begin = time.process_time()
    slots = align([long, short], [np.zeros_like(long), np.zeros_like(short)])
    assert slots.key.size == long.size
    assert np.array_equal(slots.places[1], np.arange(short.size))
    assert time.process_time() - begin < 90


@given(st.lists(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 3)), max_size=12), min_size=1, max_size=4))
@pytest.mark.parametrize("few", [0, 400])
def test_that_every_warp_keeps_its_requests_and_their_order(few: int, warps: Warps) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(aligning, "_FEW", few)
        ordered = [sorted(warp, key=lambda request: request[0]) for warp in warps]
        keys = [np.array([key for _, key in warp], np.int64) for warp in ordered]
        epochs = [np.array([epoch for epoch, _ in warp], np.int64) for warp in ordered]
        slots = align(keys, epochs)
    assert (np.diff(slots.epoch) >= 0).all()
    for key, epoch, place in zip(keys, epochs, slots.places, strict=True):
        assert (np.diff(place) > 0).all()
        assert np.array_equal(slots.key[place], key)
        assert np.array_equal(slots.epoch[place], epoch)
    assert slots.key.size <= sum(key.size for key in keys)
