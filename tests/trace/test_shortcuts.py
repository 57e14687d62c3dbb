"""The short cuts against the hardware model itself."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gemmviz.domain.access import AccessKind
from gemmviz.trace.shortcuts import SCRATCH, active_lanes, global_counts, shared_counts
from gemmviz.trace.transactions import (
    bytes_asked,
    global_lines,
    global_sectors,
    ideal_wavefronts,
    shared_wavefronts,
)

LANE = np.arange(32)
PATTERNS = {
    "unit stride": LANE,
    "broadcast": LANE * 0,
    "two rows": LANE % 16 + LANE // 16 * 1031,
    "a column": LANE * 1031,
    "two columns": LANE % 16 * 1031 + LANE // 16,
    "transposed tile": LANE % 16 * 16 + LANE // 16,
    "backwards": 31 - LANE,
    "one bank": LANE * 32,
    "one bank, backwards": (31 - LANE) * 32,
}


def counted(lanes: np.ndarray, width: int, kind: AccessKind) -> tuple[int, ...]:
    scratch, active = np.empty(SCRATCH, np.int64), active_lanes(lanes)
    is_load = kind is AccessKind.LOAD
    return *global_counts(lanes, width, active, scratch), *shared_counts(lanes, width, is_load, active, scratch)


def modelled(lanes: np.ndarray, width: int, kind: AccessKind) -> tuple[int, ...]:
    request = lanes.reshape(1, 32)
    counts = [count(request, width)[0] for count in (global_sectors, global_lines, bytes_asked)]
    return *counts, shared_wavefronts(request, width, kind)[0], ideal_wavefronts(request, width, kind)[0], counts[2]


def some_active(lanes: list[int]) -> bool:
    return any(lane != -1 for lane in lanes)


@st.composite
def requests(draw: st.DrawFn, unit: int) -> list[int]:
    """Random, crowded or sparse, before address 0 too; or two strides like those of a tile, some lanes off."""
    if draw(st.booleans()):
        farthest = draw(st.sampled_from([3, 40, 5000]))
        address = st.one_of(st.just(-1), st.integers(-3, farthest).map(lambda i: i * unit))
        return draw(st.lists(address, min_size=32, max_size=32))
    edge = draw(st.sampled_from([1, 2, 4, 8, 16, 32]))
    along, across, start = draw(st.tuples(*[st.integers(-40, 200)] * 3))
    off = draw(st.sets(st.integers(0, 31), max_size=draw(st.sampled_from([0, 30]))))
    lanes = [(start + lane % edge * along + lane // edge * across) * unit for lane in range(32)]
    return [-1 if lane in off else address for lane, address in enumerate(lanes)]


@pytest.mark.parametrize("kind", list(AccessKind))
@pytest.mark.parametrize("width", [1, 2, 4, 8, 16])
@given(data=st.data())
def test_that_aligned_requests_count_as_in_the_model(width: int, kind: AccessKind, data: st.DataObject) -> None:
    lanes = np.array(data.draw(requests(width).filter(some_active)), np.int64)
    assert counted(lanes, width, kind) == modelled(lanes, width, kind)


@given(st.integers(1, 16), st.sampled_from(list(AccessKind)), requests(1).filter(some_active))
def test_that_any_width_at_any_byte_counts_as_in_the_model(width: int, kind: AccessKind, lanes: list[int]) -> None:
    assert counted(np.array(lanes, np.int64), width, kind) == modelled(np.array(lanes, np.int64), width, kind)


@pytest.mark.parametrize("kind", list(AccessKind))
@pytest.mark.parametrize("width", [4, 8, 16])
@pytest.mark.parametrize("offset", [0, 2])
@pytest.mark.parametrize("name", PATTERNS)
def test_that_the_patterns_of_kernels_count_as_in_the_model(
    name: str, offset: int, width: int, kind: AccessKind
) -> None:
    lanes = (1 << 40) + offset + width * PATTERNS[name]
    for off in ([], [31], range(16), range(0, 32, 2), range(1, 32)):
        some = lanes.copy()
        some[list(off)] = -1
        assert counted(some, width, kind) == modelled(some, width, kind)


def test_that_active_lanes_are_those_with_an_address() -> None:
    lanes = np.full(32, -1, np.int64)
    assert active_lanes(lanes) == 0
    lanes[[3, 31]] = 0, -2
    assert active_lanes(lanes) == 2
