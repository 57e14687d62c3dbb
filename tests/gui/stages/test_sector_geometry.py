"""Where lanes, lines, sectors and bytes lie on the coalescing stage: as many sectors as were measured."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from warp_requests import PATTERNS, WIDTHS, lanes

from gemmviz.gui.stages.lane_row import ARRIVES
from gemmviz.gui.stages.sector_geometry import FLAT_FROM, CoalescingGeometry, coalescing_geometry
from gemmviz.trace.model.sectors import fewest_sectors, global_cost

LANES = np.arange(32, dtype=np.int64)
NOBODY = np.full(32, -1, np.int64)
GLOBAL = [pattern for pattern in PATTERNS if pattern["space"] == "global"]


def geometry(addresses: np.ndarray, width: int = 4, pixels: float = 900.0) -> CoalescingGeometry:
    return coalescing_geometry(global_cost(addresses, width), addresses, width, pixels, 400.0)


def hold_in_place(found: CoalescingGeometry, addresses: np.ndarray, width: int) -> None:
    """Bytes lie in their sectors, sectors in their lines, side by side; together they are what the request asks for."""
    cost = global_cost(addresses, width)
    assert [each.number for each in found.order] == [sector.number for sector in cost.sectors]
    for each in found.order:
        assert each.sector is not None
        bytes_here = {part.offset + byte for part in each.parts for byte in range(part.nbytes)}
        assert bytes_here == set(each.sector.used)
        assert {lane for part in each.parts for lane in part.lanes} == set(each.sector.lanes)
        for part in each.parts:
            assert each.box.x - 0.01 <= part.box.x < part.box.right <= each.box.right + 0.01
            assert each.box.y - 0.01 <= part.box.y < part.box.bottom <= each.box.bottom + 0.01
    boxes = [each.box for line in found.lines for each in line.sectors]
    assert all(left.right <= right.x + 0.01 for left, right in pairwise(boxes))
    assert not boxes or (boxes[0].x >= -0.01 and boxes[-1].right <= 900.01)
    assert [len(line.sectors) for line in found.lines] == [4] * len(found.lines)


def test_that_there_are_as_many_sectors_as_were_measured() -> None:
    assert len(GLOBAL) > 20
    for pattern in GLOBAL:
        addresses, width = np.array(pattern["offsets_bytes"], np.int64), pattern["width_bytes"]
        found = geometry(addresses, width)
        assert len(found.order) == pattern["counters"][f"global_{pattern['kind']}_sectors"]
        hold_in_place(found, addresses, width)


@settings(max_examples=60)
@given(
    st.sampled_from(WIDTHS).flatmap(lambda width: st.tuples(st.just(width), st.one_of(lanes(width, 0), lanes(1, 0))))
)
def test_that_any_request_has_its_bytes_in_their_sectors(request: tuple[int, list[int]]) -> None:
    width, places = request
    addresses = np.array(places, np.int64)
    hold_in_place(geometry(addresses, width), addresses, width)


def test_that_few_sectors_lie_flat_below_their_lanes_and_many_stand() -> None:
    flat, upright = geometry(4 * LANES), geometry(128 * LANES)
    assert (flat.is_flat, upright.is_flat) == (True, False)
    assert flat.order[0].box.width >= FLAT_FROM
    for lane, part in enumerate(part for each in flat.order for part in each.parts):
        assert part.lanes == (lane,)
        assert part.box.middle_x == pytest.approx(flat.lanes[lane].middle_x, abs=1.0)
    one = upright.order[3]
    (part,) = one.parts
    assert part.box.height == pytest.approx(one.box.height / 8)
    assert part.box.width == pytest.approx(one.box.width)


def test_that_sectors_that_are_not_touched_are_stubs_of_their_line() -> None:
    line = geometry(128 * LANES).lines[5]
    touched, *others = line.sectors
    assert touched.sector is not None
    assert all(other.sector is None and not other.parts for other in others)
    assert all(other.box.width < touched.box.width / 4 for other in others)
    assert line.is_next


def test_that_lines_apart_in_memory_stand_further_apart() -> None:
    found = geometry(8 * LANES)
    gaps = [right.box.x - left.box.right for left, right in pairwise(found.lines)]
    assert [line.is_next for line in found.lines] == [False, True]
    apart = geometry(np.where(LANES < 16, 4 * LANES, 4 * LANES + 4096))
    assert not apart.lines[1].is_next
    assert apart.lines[1].box.x - apart.lines[0].box.right > gaps[0]


def test_that_a_lane_goes_to_its_bytes_and_a_place_finds_its_sector() -> None:
    found = geometry(4 * LANES)
    sector, part = found.order[2], found.order[2].parts[1]
    assert found.on_the_way(sector, part, 17, 0.0) == (found.lanes[17].middle_x, found.lanes[17].bottom)
    assert found.on_the_way(sector, part, 17, ARRIVES) == pytest.approx((part.box.middle_x, sector.box.y))
    assert found.on_the_way(sector, part, 17, 1.0) == pytest.approx((part.box.middle_x, part.box.middle_y))
    assert found.sector_at(part.box.middle_x, part.box.middle_y) is found.order[2]
    assert found.sector_at(0.0, 0.0) is None
    assert geometry(NOBODY).lines == ()


@pytest.mark.parametrize(("nbytes", "sectors"), [(0, 0), (1, 1), (32, 1), (33, 2), (512, 16)])
def test_that_bytes_side_by_side_fill_the_fewest_sectors(nbytes: int, sectors: int) -> None:
    assert fewest_sectors(nbytes) == sectors
