"""The hardware model against counters read on an H200, and against a second, slow way of counting."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gemmviz.domain.access import AccessKind
from gemmviz.trace.transactions import (
    bytes_asked,
    global_lines,
    global_sectors,
    ideal_wavefronts,
    shared_wavefronts,
)

GOLDEN = Path(__file__).parents[1] / "data" / "golden" / "h200_warp_accesses.json"
PATTERNS: list[dict[str, Any]] = json.loads(GOLDEN.read_text(encoding="utf-8"))["patterns"]
WIDTHS = st.sampled_from([4, 8, 16])


def request_of(lanes: list[int]) -> np.ndarray:
    return np.array([lanes], np.int64)


def warp_requests(width: int) -> st.SearchStrategy[list[int]]:
    address = st.one_of(st.just(-1), st.integers(0, 200).map(lambda i: i * width))
    return st.lists(address, min_size=32, max_size=32)


@pytest.mark.parametrize("space", ["global", "shared"])
@pytest.mark.parametrize("kind", list(AccessKind))
@pytest.mark.parametrize("width", [4, 8, 16])
def test_that_every_measured_pattern_is_reproduced_exactly(space: str, kind: AccessKind, width: int) -> None:
    chosen = [p for p in PATTERNS if (p["space"], p["kind"], p["width_bytes"]) == (space, kind, width)]
    assert len(chosen) == 31
    addresses = np.array([pattern["offsets_bytes"] for pattern in chosen], np.int64)
    if space == "shared":
        counted, counter = shared_wavefronts(addresses, width, kind), f"shared_{kind}_wavefronts"
    else:
        counted, counter = global_sectors(addresses, width), f"global_{kind}_sectors"
    assert counted.tolist() == [pattern["counters"][counter] for pattern in chosen]


def test_that_merging_stores_like_loads_would_miss_what_was_measured() -> None:
    """The merge rule is for loads only: 12 measured stores in all say so, some of them in this half."""
    stores = [p for p in PATTERNS if (p["space"], p["kind"]) == ("shared", "store")]
    wrong = [
        p["name"]
        for p in stores
        if shared_wavefronts(request_of(p["offsets_bytes"]), p["width_bytes"], AccessKind.LOAD)[0]
        != p["counters"]["shared_store_wavefronts"]
    ]
    assert wrong


@given(st.data())
def test_that_sectors_lines_and_bytes_are_those_of_a_set_of_bytes(data: st.DataObject) -> None:
    width = data.draw(st.sampled_from([1, 2, 4, 8, 16]))
    lanes = data.draw(st.lists(st.one_of(st.just(-1), st.integers(0, 700)), min_size=32, max_size=32))
    touched = {start + i for start in lanes if start >= 0 for i in range(width)}
    assert global_sectors(request_of(lanes), width)[0] == len({byte // 32 for byte in touched})
    assert global_lines(request_of(lanes), width)[0] == len({byte // 128 for byte in touched})
    assert bytes_asked(request_of(lanes), width)[0] == len(touched)


@given(st.data())
def test_that_stores_take_as_many_passes_as_the_busiest_bank_of_each_group(data: st.DataObject) -> None:
    width = data.draw(WIDTHS)
    lanes = data.draw(warp_requests(width))
    together = 32 * 4 // width
    passes = ideal = 0
    for first in range(0, 32, together):
        words: dict[int, set[int]] = defaultdict(set)
        for start in lanes[first : first + together]:
            for byte in range(start, start + width) if start >= 0 else ():
                words[byte // 4 % 32].add(byte // 4)
        passes += max((len(found) for found in words.values()), default=0)
        ideal += bool(words)
    assert shared_wavefronts(request_of(lanes), width, AccessKind.STORE)[0] == passes
    assert ideal_wavefronts(request_of(lanes), width, AccessKind.STORE)[0] == ideal


@given(st.data())
def test_that_a_load_never_takes_more_groups_than_a_store_of_the_same_addresses(data: st.DataObject) -> None:
    width = data.draw(WIDTHS)
    lanes = data.draw(warp_requests(width))
    load = ideal_wavefronts(request_of(lanes), width, AccessKind.LOAD)[0]
    assert load <= ideal_wavefronts(request_of(lanes), width, AccessKind.STORE)[0]


@given(st.data())
def test_that_wavefronts_are_never_fewer_than_ideal(data: st.DataObject) -> None:
    width, kind = data.draw(WIDTHS), data.draw(st.sampled_from(list(AccessKind)))
    lanes = request_of(data.draw(warp_requests(width)))
    assert shared_wavefronts(lanes, width, kind)[0] >= ideal_wavefronts(lanes, width, kind)[0]


def test_that_a_request_with_no_active_lane_costs_nothing() -> None:
    nobody = np.full((3, 32), -1, np.int64)
    for counts in (
        global_sectors(nobody, 4),
        global_lines(nobody, 4),
        bytes_asked(nobody, 4),
        shared_wavefronts(nobody, 16, AccessKind.LOAD),
        ideal_wavefronts(nobody, 8, AccessKind.STORE),
    ):
        assert counts.tolist() == [0, 0, 0]


def test_that_no_requests_at_all_give_no_counts() -> None:
    assert global_sectors(np.empty((0, 32), np.int64), 4).shape == (0,)


@pytest.mark.parametrize(
    ("addresses", "width"),
    [
        (np.zeros((1, 31), np.int64), 4),
        (np.zeros(32, np.int64), 4),
        (np.zeros((1, 32), np.int32), 4),
        (np.zeros((1, 32), np.int64), 0),
        (np.zeros((1, 32), np.int64), 17),
    ],
)
def test_that_other_shapes_types_and_widths_are_refused(addresses: np.ndarray, width: int) -> None:
    with pytest.raises(ValueError, match=r"int64 of shape|1 to 16 bytes"):
        global_sectors(addresses, width)
    with pytest.raises(ValueError, match=r"int64 of shape|1 to 16 bytes"):
        shared_wavefronts(addresses, width, AccessKind.LOAD)
