"""One request lane by lane: the same counts as the model, and which lane is where."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gemmviz.domain.access import AccessKind
from gemmviz.gui.inspector import request_costs
from gemmviz.gui.inspector.lane_costs import bytes_used, lanes_together, sectors_of, shared_cost
from gemmviz.trace import transactions

GOLDEN = Path(__file__).parents[2] / "data" / "golden" / "h200_warp_accesses.json"
PATTERNS: list[dict[str, Any]] = json.loads(GOLDEN.read_text(encoding="utf-8"))["patterns"]
KINDS = st.sampled_from(list(AccessKind))
LANES = np.arange(32)


def lanes(values: list[int] | np.ndarray) -> np.ndarray:
    return np.array(values, np.int64)


def requests(any_address: bool) -> st.SearchStrategy[tuple[int, np.ndarray]]:
    """Width and addresses; aligned to the width, or anywhere."""

    def of_width(width: int) -> st.SearchStrategy[tuple[int, np.ndarray]]:
        step = 1 if any_address else width
        address = st.one_of(st.just(-1), st.integers(0, 700 // step).map(lambda place: place * step))
        pairs = st.lists(address, min_size=16, max_size=16).map(lambda found: [a for a in found for _ in (0, 1)])
        return st.tuples(st.just(width), st.one_of(st.lists(address, min_size=32, max_size=32), pairs).map(lanes))

    widths = st.sampled_from([1, 2, 4, 8, 16]) if any_address else st.sampled_from([4, 8, 16])
    return widths.flatmap(of_width)


@pytest.mark.parametrize("pattern", PATTERNS, ids=lambda p: f"{p['space']}-{p['kind']}-{p['width_bytes']}-{p['name']}")
def test_that_every_measured_pattern_is_reproduced_exactly(pattern: dict[str, Any]) -> None:
    addresses, width = lanes(pattern["offsets_bytes"]), pattern["width_bytes"]
    kind, row = AccessKind(pattern["kind"]), lanes([pattern["offsets_bytes"]])
    if pattern["space"] == "shared":
        cost = shared_cost(addresses, width, kind)
        assert len(cost.wavefronts) == pattern["counters"][f"shared_{kind}_wavefronts"]
        assert cost.ideal == transactions.ideal_wavefronts(row, width, kind)[0]
    else:
        sectors = sectors_of(addresses, width)
        assert len(sectors) == pattern["counters"][f"global_{kind}_sectors"]
        assert bytes_used(sectors) == transactions.bytes_asked(row, width)[0]


@given(requests(any_address=True), KINDS)
def test_that_any_request_counts_as_in_the_model(request: tuple[int, np.ndarray], kind: AccessKind) -> None:
    width, addresses = request
    row, cost, sectors = addresses[None], shared_cost(addresses, width, kind), sectors_of(addresses, width)
    assert len(cost.wavefronts) == transactions.shared_wavefronts(row, width, kind)[0]
    assert cost.ideal == transactions.ideal_wavefronts(row, width, kind)[0]
    assert cost.lanes_together == transactions.lanes_per_group(addresses, width, kind is AccessKind.LOAD)
    assert len(sectors) == transactions.global_sectors(row, width)[0]
    assert bytes_used(sectors) == transactions.bytes_asked(row, width)[0]


@given(requests(any_address=False), KINDS)
def test_that_every_lane_is_served_every_word_it_asks_for_once(
    request: tuple[int, np.ndarray], kind: AccessKind
) -> None:
    width, addresses = request
    served = [
        (lane, word.word)
        for wavefront in shared_cost(addresses, width, kind).wavefronts
        for word in wavefront.words
        for lane in word.lanes
    ]
    asked = [(lane, a // 4 + i) for lane, a in enumerate(addresses.tolist()) if a >= 0 for i in range(width // 4)]
    assert sorted(served) == sorted(asked)


@given(requests(any_address=False), KINDS)
def test_that_a_wavefront_has_one_word_of_a_bank_and_lanes_of_its_group(
    request: tuple[int, np.ndarray], kind: AccessKind
) -> None:
    width, addresses = request
    for wavefront in shared_cost(addresses, width, kind).wavefronts:
        banks = [word.bank for word in wavefront.words]
        assert banks == sorted(set(banks))
        for word in wavefront.words:
            assert word.bank == word.word % 32
            assert all(wavefront.first_lane <= lane <= wavefront.last_lane for lane in word.lanes)


@given(st.lists(requests(any_address=True), min_size=1, max_size=8), KINDS)
def test_that_many_requests_at_once_count_as_one_by_one(found: list[tuple[int, np.ndarray]], kind: AccessKind) -> None:
    width = found[0][0]
    rows = np.stack([addresses for _, addresses in found])
    assert request_costs.wavefronts(rows, width, kind).tolist() == [
        len(shared_cost(row, width, kind).wavefronts) for row in rows
    ]
    assert request_costs.ideal_wavefronts(rows, width, kind).tolist() == [
        shared_cost(row, width, kind).ideal for row in rows
    ]
    assert request_costs.sectors(rows, width).tolist() == [len(sectors_of(row, width)) for row in rows]
    assert request_costs.bytes_asked(rows, width).tolist() == [bytes_used(sectors_of(row, width)) for row in rows]


def test_that_many_requests_at_once_count_as_in_the_model_with_real_addresses() -> None:
    """More rows than are counted in one piece, and addresses as large as recorded ones."""
    random = np.random.default_rng(5)
    for width in (4, 8, 16):
        rows = (3 << 40) + random.integers(0, 200, (20_000, 32)) * width
        rows[random.random(rows.shape) < 0.2] = -1
        for kind in AccessKind:
            found = request_costs.wavefronts(rows, width, kind)
            assert np.array_equal(found, transactions.shared_wavefronts(rows, width, kind))
        assert np.array_equal(request_costs.sectors(rows, width), transactions.global_sectors(rows, width))


def test_that_lanes_meet_where_their_words_share_a_bank() -> None:
    cost = shared_cost(lanes(4 * (LANES % 16 + 32 * (LANES // 16))), 4, AccessKind.LOAD)
    assert (len(cost.wavefronts), cost.ideal, cost.excess) == (2, 1, 1)
    first, second = cost.wavefronts
    assert [word.lanes for word in first.words] == [(lane,) for lane in range(16)]
    assert [(word.bank, word.lanes) for word in second.words] == [(lane, (lane + 16,)) for lane in range(16)]


def test_that_lanes_that_want_one_word_are_served_at_once() -> None:
    cost = shared_cost(lanes(LANES * 0 + 64), 4, AccessKind.LOAD)
    assert [[(word.bank, len(word.lanes)) for word in each.words] for each in cost.wavefronts] == [[(16, 32)]]


def test_that_wide_loads_of_pairs_are_served_together_and_stores_are_not() -> None:
    pairs = lanes(LANES // 2 * 16)
    assert lanes_together(pairs, 16, AccessKind.LOAD) == 16
    assert lanes_together(pairs, 16, AccessKind.STORE) == 8
    groups = [(w.first_lane, w.last_lane) for w in shared_cost(pairs, 16, AccessKind.LOAD).wavefronts]
    assert groups == [(0, 15), (16, 31)]


def test_that_a_sector_knows_its_bytes_and_its_lanes() -> None:
    found = sectors_of(lanes([28, 60, 62, *[-1] * 29]), 4)
    assert [(sector.number, sector.used, sector.lanes) for sector in found] == [
        (0, (28, 29, 30, 31), (0,)),
        (1, (28, 29, 30, 31), (1, 2)),
        (2, (0, 1), (2,)),
    ]


def test_that_nobody_costs_nothing() -> None:
    nobody = lanes([-1] * 32)
    assert sectors_of(nobody, 4) == ()
    assert shared_cost(nobody, 16, AccessKind.LOAD).wavefronts == ()
    none = np.empty((0, 32), np.int64)
    assert request_costs.wavefronts(none, 16, AccessKind.LOAD).tolist() == []
    assert request_costs.active_requests(np.stack([nobody, LANES, nobody])).tolist() == [LANES.tolist()]


@pytest.mark.parametrize(
    ("addresses", "width"), [(np.zeros(31, np.int64), 4), (np.zeros((1, 32), np.int64), 4), (np.zeros(32, np.int64), 0)]
)
def test_that_other_shapes_and_widths_are_refused(addresses: np.ndarray, width: int) -> None:
    for refused in (lambda: sectors_of(addresses, width), lambda: shared_cost(addresses, width, AccessKind.LOAD)):
        with pytest.raises(ValueError, match=r"of 32 lanes|1 to 16 bytes"):
            refused()
