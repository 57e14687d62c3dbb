"""The hardware model against counters read on an H200, and against a second, slow way of counting."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from warp_requests import KINDS, PATTERNS, WIDTHS, bytes_asked, global_sectors, ideal_wavefronts, lanes, wavefronts

from gemmviz.domain.recordings.access import AccessKind

NOBODY = [[-1] * 32] * 3


@pytest.mark.parametrize("space", ["global", "shared"])
@pytest.mark.parametrize("kind", list(AccessKind))
@pytest.mark.parametrize("width", [4, 8, 16])
def test_that_every_measured_pattern_is_reproduced_exactly(space: str, kind: AccessKind, width: int) -> None:
    chosen = [p for p in PATTERNS if (p["space"], p["kind"], p["width_bytes"]) == (space, kind, width)]
    assert len(chosen) == 31
    addresses = [pattern["offsets_bytes"] for pattern in chosen]
    if space == "shared":
        counted, counter = wavefronts(addresses, width, kind), f"shared_{kind}_wavefronts"
    else:
        counted, counter = global_sectors(addresses, width), f"global_{kind}_sectors"
    assert counted == [pattern["counters"][counter] for pattern in chosen]


def test_that_merging_stores_like_loads_would_miss_what_was_measured() -> None:
    """The merge rule is for loads only: 12 measured stores in all say so, some of them in this half."""
    stores = [p for p in PATTERNS if (p["space"], p["kind"]) == ("shared", "store")]
    as_loads = [wavefronts([p["offsets_bytes"]], p["width_bytes"], AccessKind.LOAD)[0] for p in stores]
    assert as_loads != [p["counters"]["shared_store_wavefronts"] for p in stores]


def test_that_serving_all_loads_in_groups_of_one_size_would_miss_what_was_measured() -> None:
    """Lane pairs that agree are served together: words that meet in a bank are those of both groups."""
    wide = [p for p in PATTERNS if (p["space"], p["kind"], p["width_bytes"]) == ("shared", "load", 16)]
    as_stores = [wavefronts([p["offsets_bytes"]], 16, AccessKind.STORE)[0] for p in wide]
    assert as_stores != [p["counters"]["shared_load_wavefronts"] for p in wide]


@given(st.data())
def test_that_sectors_and_bytes_are_those_of_a_set_of_bytes(data: st.DataObject) -> None:
    width = data.draw(st.sampled_from(WIDTHS))
    request = data.draw(lanes(data.draw(st.sampled_from([1, width]))))
    touched = {start + i for start in request if start != -1 for i in range(width)}
    assert global_sectors([request], width) == [len({byte // 32 for byte in touched})]
    assert bytes_asked([request], width) == [len(touched)]


@given(st.data())
def test_that_requests_take_as_many_passes_as_the_busiest_bank_of_each_group(data: st.DataObject) -> None:
    width, kind = data.draw(st.sampled_from(WIDTHS)), data.draw(KINDS)
    request = data.draw(lanes(width))
    together = {8: 16, 16: 8}.get(width, 32)
    agree = [all(-1 in (a, request[t ^ d]) or a == request[t ^ d] for t, a in enumerate(request)) for d in (1, 2)]
    if kind is AccessKind.LOAD and any(agree):
        together = min(2 * together, 32)
    passes = ideal = 0
    for first in range(0, 32, together):
        words: dict[int, set[int]] = defaultdict(set)
        for start in request[first : first + together]:
            for byte in range(start, start + width) if start != -1 else ():
                words[byte // 4 % 32].add(byte // 4)
        passes += max((len(found) for found in words.values()), default=0)
        ideal += bool(words)
    assert wavefronts([request], width, kind) == [passes]
    assert ideal_wavefronts([request], width, kind) == [ideal]


@given(st.data())
def test_that_wavefronts_are_never_fewer_than_ideal_and_loads_have_no_more_groups_than_stores(
    data: st.DataObject,
) -> None:
    width = data.draw(st.sampled_from(WIDTHS))
    request = [data.draw(lanes(width))]
    loads, stores = (ideal_wavefronts(request, width, kind)[0] for kind in AccessKind)
    assert loads <= stores
    assert wavefronts(request, width, AccessKind.LOAD)[0] >= loads
    assert wavefronts(request, width, AccessKind.STORE)[0] >= stores


@given(st.lists(lanes(4), min_size=1, max_size=8), st.sampled_from(WIDTHS), KINDS)
def test_that_many_requests_at_once_count_as_one_by_one(rows: list[list[int]], width: int, kind: AccessKind) -> None:
    assert wavefronts(rows, width, kind) == [wavefronts([row], width, kind)[0] for row in rows]
    assert ideal_wavefronts(rows, width, kind) == [ideal_wavefronts([row], width, kind)[0] for row in rows]
    assert global_sectors(rows, width) == [global_sectors([row], width)[0] for row in rows]
    assert bytes_asked(rows, width) == [bytes_asked([row], width)[0] for row in rows]


def test_that_a_request_with_no_active_lane_costs_nothing() -> None:
    for counts in (
        global_sectors(NOBODY, 4),
        bytes_asked(NOBODY, 4),
        wavefronts(NOBODY, 16, AccessKind.LOAD),
        ideal_wavefronts(NOBODY, 8, AccessKind.STORE),
    ):
        assert counts == [0, 0, 0]


def test_that_no_requests_at_all_give_no_counts() -> None:
    none = np.empty((0, 32), np.int64)
    assert global_sectors(none, 4) == bytes_asked(none, 4) == wavefronts(none, 16, AccessKind.LOAD) == []


@pytest.mark.parametrize(
    ("addresses", "width"),
    [(np.zeros((1, 31)), 4), (np.zeros(32), 4), (np.zeros((1, 32)), 0), (np.zeros((1, 32)), 17)],
)
def test_that_other_shapes_and_widths_are_refused(addresses: np.ndarray, width: int) -> None:
    with pytest.raises(ValueError, match=r"int64 of shape|1 to 16 bytes"):
        global_sectors(addresses, width)
    with pytest.raises(ValueError, match=r"int64 of shape|1 to 16 bytes"):
        wavefronts(addresses, width, AccessKind.LOAD)
