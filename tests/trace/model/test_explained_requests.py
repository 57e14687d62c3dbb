"""One request lane by lane: which lane is where, in which wavefront, and that the counts are those of its parts."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from warp_requests import (
    KINDS,
    WIDTHS,
    bytes_asked,
    copied,
    global_sectors,
    ideal_wavefronts,
    lanes,
    wavefronts,
)

from gemmviz.domain.recordings.access import AccessKind
from gemmviz.trace.model.sectors import global_cost
from gemmviz.trace.model.wavefronts import shared_cost

LANES = np.arange(32)


def request_of(values: list[int] | np.ndarray) -> np.ndarray:
    return np.array(values, np.int64)


def any_request() -> st.SearchStrategy[tuple[int, np.ndarray]]:
    """Width and addresses; aligned to the width, or anywhere."""

    def of_width(width: int) -> st.SearchStrategy[tuple[int, np.ndarray]]:
        return st.tuples(st.just(width), st.one_of(lanes(width), lanes(1)).map(request_of))

    return st.sampled_from(WIDTHS).flatmap(of_width)


@given(any_request(), KINDS)
def test_that_the_parts_of_any_request_are_its_counts(request: tuple[int, np.ndarray], kind: AccessKind) -> None:
    width, addresses = request
    shared, far = shared_cost(addresses, width, kind), global_cost(addresses, width)
    assert [len(shared.wavefronts)] == wavefronts([addresses], width, kind)
    assert [shared.ideal] == ideal_wavefronts([addresses], width, kind)
    assert [far.counted] == [far.sent] == [len(far.sectors)] == global_sectors([addresses], width)
    assert [far.bytes_used] == bytes_asked([addresses], width)


@given(any_request(), KINDS)
def test_that_every_lane_is_served_every_word_it_asks_for_once(
    request: tuple[int, np.ndarray], kind: AccessKind
) -> None:
    width, addresses = request
    cost = shared_cost(addresses, width, kind)
    served = [(lane, word.word) for each in cost.wavefronts for word in each.words for lane in word.lanes]
    asked = [
        (lane, word)
        for lane, address in enumerate(addresses.tolist())
        for word in range(address // 4, (address + width - 1) // 4 + 1)
        if address != -1
    ]
    assert sorted(served) == sorted(asked)
    assert list(cost.lanes) == np.flatnonzero(addresses != -1).tolist()


@given(any_request(), KINDS)
def test_that_a_wavefront_has_one_word_of_a_bank_and_lanes_of_its_group(
    request: tuple[int, np.ndarray], kind: AccessKind
) -> None:
    width, addresses = request
    cost = shared_cost(addresses, width, kind)
    groups = [wavefront.group for wavefront in cost.wavefronts]
    assert groups == sorted(groups)
    assert set(groups) == set(range(cost.ideal))
    for wavefront in cost.wavefronts:
        assert wavefront.last_lane - wavefront.first_lane + 1 == cost.lanes_together
        banks = [word.bank for word in wavefront.words]
        assert banks == sorted(set(banks))
        for word in wavefront.words:
            assert word.bank == word.word % 32
            assert all(wavefront.first_lane <= lane <= wavefront.last_lane for lane in word.lanes)


@given(lanes(16), lanes(16))
def test_that_a_copy_past_l1_is_counted_by_its_lines_and_sent_by_its_sectors(
    sources: list[int], targets: list[int]
) -> None:
    to = request_of([16 * lane if address == -1 else address for lane, address in enumerate(targets)])
    cost = global_cost(request_of(sources), 16, to)
    assert cost.lines is not None
    assert [(cost.counted, cost.sent)] == copied([sources], [to])
    assert [sector.number for sector in cost.sectors] == sorted({a // 32 for a in sources if a != -1})
    brought = [(sources[lane] // 128, to[lane] // 32) for line in cost.lines for lane in line.lanes]
    assert brought == [(line.line, line.piece) for line in cost.lines for _ in line.lanes]
    assert sorted(lane for line in cost.lines for lane in line.lanes) == [i for i in range(32) if sources[i] != -1]


def test_that_lanes_meet_where_their_words_share_a_bank() -> None:
    cost = shared_cost(request_of(4 * (LANES % 16 + 32 * (LANES // 16))), 4, AccessKind.LOAD)
    assert (len(cost.wavefronts), cost.ideal, cost.excess) == (2, 1, 1)
    first, second = cost.wavefronts
    assert [word.lanes for word in first.words] == [(lane,) for lane in range(16)]
    assert [(word.bank, word.lanes) for word in second.words] == [(lane, (lane + 16,)) for lane in range(16)]


def test_that_lanes_that_want_one_word_are_served_at_once() -> None:
    cost = shared_cost(request_of(LANES * 0 + 64), 4, AccessKind.LOAD)
    assert [[(word.bank, len(word.lanes)) for word in each.words] for each in cost.wavefronts] == [[(16, 32)]]


def test_that_wide_loads_of_pairs_are_served_together_and_stores_are_not() -> None:
    pairs = request_of(LANES // 2 * 16)
    load, store = (shared_cost(pairs, 16, kind) for kind in AccessKind)
    assert (load.lanes_together, load.merges) == (16, True)
    assert (store.lanes_together, store.merges) == (8, False)
    groups = [(w.first_lane, w.last_lane) for w in load.wavefronts]
    assert groups == [(0, 15), (16, 31)]


def test_that_a_sector_knows_its_bytes_and_its_lanes() -> None:
    found = global_cost(request_of([28, 60, 62, *[-1] * 29]), 4)
    assert [(sector.number, sector.used, sector.lanes) for sector in found.sectors] == [
        (0, (28, 29, 30, 31), (0,)),
        (1, (28, 29, 30, 31), (1, 2)),
        (2, (0, 1), (2,)),
    ]


def test_that_pairs_that_agree_wait_for_the_words_of_both_their_groups() -> None:
    """16-byte loads of lane pairs, 128 bytes apart: 8 words meet in each of 4 banks; stores meet 4 by 4, twice."""
    load, store = (shared_cost(request_of(LANES // 2 * 128), 16, kind) for kind in AccessKind)
    assert [len([w for w in cost.wavefronts if w.group == 0]) for cost in (load, store)] == [8, 4]
    assert (len(load.wavefronts), len(store.wavefronts)) == (16, 16)
    assert (load.ideal, store.ideal) == (2, 4)


def test_that_nobody_costs_nothing() -> None:
    nobody = request_of([-1] * 32)
    assert global_cost(nobody, 4).sectors == ()
    assert shared_cost(nobody, 16, AccessKind.LOAD).wavefronts == ()


@pytest.mark.parametrize(
    ("addresses", "width"), [(np.zeros(31, np.int64), 4), (np.zeros((1, 32), np.int64), 4), (np.zeros(32, np.int64), 0)]
)
def test_that_other_shapes_and_widths_are_refused(addresses: np.ndarray, width: int) -> None:
    for refused in (lambda: global_cost(addresses, width), lambda: shared_cost(addresses, width, AccessKind.LOAD)):
        with pytest.raises(ValueError, match=r"\(n, 32\)|1 to 16 bytes"):
            refused()
