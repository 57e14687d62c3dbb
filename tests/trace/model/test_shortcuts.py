"""The compiled short cuts against the hardware model itself."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from warp_requests import (
    KINDS,
    PAST_L1,
    PATTERNS,
    bytes_asked,
    copied,
    global_sectors,
    ideal_wavefronts,
    lanes,
    request_of,
    wavefronts,
)

from gemmviz.domain.recordings.access import AccessKind
from gemmviz.trace.model.shortcuts import SCRATCH, active_lanes, global_counts, past_l1_counts, shared_counts

LANE = np.arange(32)
SHAPES = {
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


def counted(request: np.ndarray, width: int, kind: AccessKind) -> tuple[int, ...]:
    request, scratch = request_of(request), np.empty(SCRATCH, np.int64)
    active = active_lanes(request)
    is_load = kind is AccessKind.LOAD
    return *global_counts(request, width, active, scratch), *shared_counts(request, width, is_load, active, scratch)


def modelled(request: np.ndarray, width: int, kind: AccessKind) -> tuple[int, ...]:
    rows, asked = request[None], bytes_asked(request[None], width)
    lines = {(a + i) // 128 for a in request.tolist() if a != -1 for i in range(width)}
    shared = *wavefronts(rows, width, kind), *ideal_wavefronts(rows, width, kind)
    return *global_sectors(rows, width), len(lines), *asked, *shared, *asked


def some_active(request: list[int]) -> bool:
    return any(lane != -1 for lane in request)


@pytest.mark.parametrize("kind", list(AccessKind))
@pytest.mark.parametrize("width", [1, 2, 4, 8, 16])
@given(data=st.data())
def test_that_aligned_requests_count_as_in_the_model(width: int, kind: AccessKind, data: st.DataObject) -> None:
    request = np.array(data.draw(lanes(width).filter(some_active)), np.int64)
    assert counted(request, width, kind) == modelled(request, width, kind)


@given(st.integers(1, 16), KINDS, lanes(1).filter(some_active))
def test_that_any_width_at_any_byte_counts_as_in_the_model(width: int, kind: AccessKind, request: list[int]) -> None:
    assert counted(np.array(request, np.int64), width, kind) == modelled(np.array(request, np.int64), width, kind)


@pytest.mark.parametrize("kind", list(AccessKind))
@pytest.mark.parametrize("width", [4, 8, 16])
@pytest.mark.parametrize("offset", [0, 2])
@pytest.mark.parametrize("name", SHAPES)
def test_that_the_patterns_of_kernels_count_as_in_the_model(
    name: str, offset: int, width: int, kind: AccessKind
) -> None:
    request = (1 << 40) + offset + width * SHAPES[name]
    for off in ([], [31], range(16), range(0, 32, 2), range(1, 32)):
        some = request.copy()
        some[list(off)] = -1
        assert counted(some, width, kind) == modelled(some, width, kind)


def test_that_every_measured_pattern_is_reproduced_exactly() -> None:
    for pattern in PATTERNS:
        request, width, kind = np.array(pattern["offsets_bytes"]), pattern["width_bytes"], AccessKind(pattern["kind"])
        sectors, _, _, passes, _, _ = counted(request, width, kind)
        measured = pattern["counters"]
        if pattern["space"] == "shared":
            assert passes == measured[f"shared_{kind}_wavefronts"]
        else:
            assert sectors == measured[f"global_{kind}_sectors"]


def test_that_every_measured_copy_past_l1_is_reproduced_exactly() -> None:
    scratch = np.empty(SCRATCH, np.int64)
    for copy in PAST_L1:
        found = past_l1_counts(request_of(copy["from"]), request_of(copy["to"]), scratch)
        assert found == (copy["counters"]["sectors"], copy["counters"]["sectors_from_l2"])


@given(lanes(16), lanes(16))
def test_that_copies_past_l1_count_as_in_the_model(sources: list[int], targets: list[int]) -> None:
    to = np.array([16 * lane if a == -1 else a for lane, a in enumerate(targets)], np.int64)
    found = past_l1_counts(request_of(sources), request_of(to), np.empty(SCRATCH, np.int64))
    assert [found] == copied([sources], [to])


def test_that_active_lanes_are_those_with_an_address() -> None:
    request = np.full(32, -1, np.int64)
    assert active_lanes(request_of(request)) == 0
    request[[3, 31]] = 0, -2
    assert active_lanes(request_of(request)) == 2
