"""Sectors of atomic requests: of each sector, the most lanes that want one address of it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from warp_requests import WIDTHS, lanes, request_of, requests

from gemmviz.domain.recordings.access import AccessKind, AccessPath, Space
from gemmviz.trace.model.sectors import global_cost
from gemmviz.trace.model.shortcuts import SCRATCH, active_lanes, atomic_counts
from gemmviz.trace.model.site_costs import sectors_of

LANE = np.arange(32)


def atomic(addresses: np.ndarray, width: int) -> tuple[int, int]:
    """Sectors of one atomic request as they are counted and as they are sent."""
    found = requests(Space.GLOBAL, AccessKind.STORE, width, [addresses], path=AccessPath.ATOMIC)
    counted, sent = sectors_of(found)
    return int(counted[0]), int(sent[0])


@pytest.mark.parametrize(
    ("places", "width", "counted", "sent"),
    [
        pytest.param(LANE * 0, 4, 32, 1, id="one address"),
        pytest.param(LANE, 4, 4, 4, id="a row"),
        pytest.param(LANE, 8, 8, 8, id="a row of 8 bytes"),
        pytest.param(LANE // 2, 4, 4, 2, id="pairs side by side"),
        pytest.param(LANE % 16, 4, 4, 2, id="the halves at one row"),
        pytest.param(LANE % 2, 4, 16, 1, id="two addresses of one sector"),
        pytest.param(LANE % 8, 4, 4, 1, id="a sector by four"),
        pytest.param(LANE % 2 * 8, 4, 32, 2, id="two addresses of two sectors"),
        pytest.param(LANE * 8, 4, 32, 32, id="a sector each"),
        pytest.param(np.minimum(LANE, 29), 4, 6, 4, id="three lanes at one address beside others"),
    ],
)
def test_that_a_sector_counts_once_for_each_lane_at_its_busiest_address(
    places: np.ndarray, width: int, counted: int, sent: int
) -> None:
    assert atomic((1 << 40) + width * places, width) == (counted, sent)


@pytest.mark.parametrize("width", WIDTHS)
@given(data=st.data())
def test_that_atomic_requests_count_alike_everywhere(width: int, data: st.DataObject) -> None:
    """Addresses that are no multiples of the width reach into the next sector."""
    unit = data.draw(st.sampled_from([1, width]))
    request = request_of(data.draw(lanes(unit).filter(lambda one: any(lane != -1 for lane in one))))
    counted, sent = atomic(request, width)
    assert atomic_counts(request, width, active_lanes(request), np.empty(SCRATCH, np.int64)) == counted
    cost = global_cost(request, width, is_atomic=True)
    assert (cost.counted, cost.sent) == (counted, sent)
    assert sent == global_cost(request, width).counted <= counted


def test_that_a_request_of_nobody_costs_nothing() -> None:
    assert atomic(np.full(32, -1), 4) == (0, 0)
