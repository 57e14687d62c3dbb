"""Where lanes, banks and words lie on the bank stage: as many wavefronts as were measured, a word of a bank in each."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from warp_requests import KINDS, PATTERNS, WIDTHS, lanes

from gemmviz.domain.recordings.access import AccessKind
from gemmviz.gui.stages.bank_geometry import GROUP_GAP, LABELS, TALLEST_PART, BankGeometry, bank_geometry
from gemmviz.gui.stages.lane_row import LEAST_LANE, lane_height
from gemmviz.trace.model.rules import BANKS
from gemmviz.trace.model.wavefronts import busiest_bank, shared_cost

LANES = np.arange(32, dtype=np.int64)
NOBODY = np.full(32, -1, np.int64)
SHARED = [pattern for pattern in PATTERNS if pattern["space"] == "shared"]


def geometry(addresses: np.ndarray, width: int = 4, kind: AccessKind = AccessKind.LOAD) -> BankGeometry:
    return bank_geometry(shared_cost(addresses, width, kind), 800.0, 400.0)


def hold_in_place(found: BankGeometry) -> None:
    """Every word lies in its bank and its wavefront, inside the picture, and none over another."""
    for token in found.tokens:
        bank, row = found.banks[token.word.bank], found.rows[token.wavefront]
        assert (token.box.x, token.box.width) == (bank.x, bank.width)
        assert (token.box.y, token.box.height) == (row.box.y, row.box.height)
        assert bank.y <= token.box.y
        assert token.box.bottom <= bank.bottom
        assert token.is_excess == row.is_excess
    places = [(token.word.bank, token.wavefront) for token in found.tokens]
    assert len(set(places)) == len(places)
    assert all(below.box.y >= above.box.bottom for below, above in pairwise(found.rows))


@pytest.mark.parametrize("kind", list(AccessKind))
def test_that_there_are_as_many_wavefronts_as_were_measured(kind: AccessKind) -> None:
    chosen: list[dict[str, Any]] = [pattern for pattern in SHARED if pattern["kind"] == kind]
    assert len(chosen) > 20
    for pattern in chosen:
        found = geometry(np.array(pattern["offsets_bytes"], np.int64), pattern["width_bytes"], kind)
        assert len(found.rows) == pattern["counters"][f"shared_{kind}_wavefronts"]
        hold_in_place(found)


@settings(max_examples=60)
@given(st.sampled_from(WIDTHS).flatmap(lambda width: st.tuples(st.just(width), lanes(width, 0))), KINDS)
def test_that_any_request_has_every_word_in_its_bank(request: tuple[int, list[int]], kind: AccessKind) -> None:
    width, places = request
    addresses = np.array(places, np.int64)
    found = geometry(addresses, width, kind)
    hold_in_place(found)
    assert set(found.last_of_lane) == set(np.flatnonzero(addresses != -1).tolist())
    assert len({token.key for token in found.tokens}) == len(found.tokens)


def test_that_words_that_meet_in_a_bank_pile_up_from_the_bottom() -> None:
    found = geometry(128 * LANES)
    assert len(found.rows) == 32
    assert [token.word.lanes for token in found.tokens] == [(lane,) for lane in range(32)]
    assert {token.word.bank for token in found.tokens} == {0} == set(found.conflicts)
    assert [token.is_excess for token in found.tokens] == [False, *[True] * 31]
    assert found.tokens[0].box.y > found.tokens[31].box.y
    assert found.stack(0).y == found.tokens[31].box.y
    assert found.stack(0).bottom == found.banks[0].bottom
    assert found.stack(1).height == 0.0


def test_that_groups_of_lanes_stand_apart_and_are_no_conflict() -> None:
    found = geometry(16 * LANES, 16)
    assert [row.lanes for row in found.rows] == [(0, 7), (8, 15), (16, 23), (24, 31)]
    steps = {round(below.box.y - above.box.y, 6) for below, above in pairwise(found.rows)}
    free = found.banks[0].height - 3 * GROUP_GAP - 2.0
    assert steps == {round(free / 4 + GROUP_GAP, 6)}
    assert not found.conflicts
    assert len(found.tokens) == 4 * 32


def test_that_one_wavefront_and_the_lanes_are_as_large_as_their_numbers_are_read_well() -> None:
    for height in (300.0, 400.0, 600.0):
        found = bank_geometry(shared_cost(4 * LANES, 4, AccessKind.LOAD), 800.0, height)
        assert found.rows[0].box.height == pytest.approx(TALLEST_PART * height - 1.0)
        assert {lane.height for lane in found.lanes} == {lane_height(height)}
        assert lane_height(height) > LEAST_LANE


def test_that_a_word_for_all_lanes_is_one_word() -> None:
    (token,) = geometry(0 * LANES + 12).tokens
    assert (token.word.bank, token.word.lanes) == (3, tuple(range(32)))
    assert geometry(NOBODY).tokens == ()


@pytest.mark.parametrize("width", [154.0, 300.0, 674.0, 1500.0])
def test_that_all_banks_look_alike_and_fit(width: float) -> None:
    found = bank_geometry(shared_cost(4 * LANES, 4, AccessKind.LOAD), width, 200.0)
    assert len({bank.width for bank in found.banks}) == 1
    assert found.banks[0].x >= LABELS
    assert found.banks[-1].right <= width
    small = bank_geometry(shared_cost(4 * LANES, 4, AccessKind.LOAD), width, 96.0, with_lanes=False)
    assert (small.lanes, small.banks[0].y) == ((), 0.0)


def test_that_a_word_falls_from_its_lane_into_its_place() -> None:
    found = geometry(4 * (31 - LANES))
    token = found.tokens[0]
    (lane,) = token.word.lanes
    assert found.on_the_way(token, lane, 0.0) == (found.lanes[lane].middle_x, found.lanes[lane].height)
    assert found.on_the_way(token, lane, 1.0) == pytest.approx((token.box.middle_x, token.box.middle_y))
    heights = [found.on_the_way(token, lane, part / 20)[1] for part in range(21)]
    assert heights == sorted(heights)


def test_that_a_place_finds_its_word_and_its_bank() -> None:
    found = geometry(128 * LANES)
    token = found.tokens[5]
    assert found.token_at(token.box.middle_x, token.box.middle_y) is token
    assert found.bank_at(token.box.middle_x, token.box.middle_y) == 0
    assert found.bank_at(found.banks[7].middle_x, found.banks[7].bottom + 4) == 7
    assert found.bank_at(1.0, 1.0) is None


def test_that_the_busiest_bank_is_found() -> None:
    assert busiest_bank(shared_cost(np.where(LANES < 5, 128 * LANES + 28, 4 * LANES), 4, AccessKind.LOAD)) == 7
    assert busiest_bank(shared_cost(NOBODY, 4, AccessKind.LOAD)) == 0
    assert len(geometry(NOBODY).banks) == BANKS
