"""What a request costs, in words."""

from __future__ import annotations

import numpy as np

from gemmviz.domain.recordings.access import AccessKind, MappedArray, Site, Space
from gemmviz.explain.requests.request_choice import LaneRequest
from gemmviz.explain.requests.request_words import (
    access_words,
    lanes_words,
    sector_tip,
    word_tip,
)
from gemmviz.trace.model.sectors import global_cost
from gemmviz.trace.model.wavefronts import shared_cost

LANES = np.arange(32, dtype=np.int64)
NOBODY = np.full(32, -1, np.int64)
AS = MappedArray("As", Space.SHARED, 0, 16, 16)


def of(addresses: np.ndarray, width: int = 4, text: str = "As[ty][tx]") -> LaneRequest:
    return LaneRequest(Site(0, 37, 9, text, Space.SHARED, AccessKind.LOAD, width, "As"), 3, 5, addresses, AS)


def test_that_a_request_is_told_by_line_and_lanes() -> None:
    assert access_words(of(LANES).site) == "37  load As[ty][tx]"
    assert (
        access_words(of(LANES, text="*reinterpret_cast<float4 *>(&As[k])").site)
        == "37  load *reinterpret_cast<float4 *…"
    )
    assert lanes_words(of(4 * LANES)) == "warp 3 · 32 lanes of 4 bytes"
    assert lanes_words(of(np.where(LANES == 7, 0, NOBODY), 1)) == "warp 3 · 1 lane of 1 byte"


def test_that_a_cell_tells_its_bank_its_element_and_its_lanes() -> None:
    addresses = 4 * (LANES // 2) + 64 * (LANES % 2)
    word = shared_cost(addresses, 4, AccessKind.LOAD).wavefronts[0].words[17]
    assert word_tip("As[1,1]", word, 0) == "bank 17, wavefront 1: As[1,1], lane 3"
    shared = shared_cost(0 * LANES, 4, AccessKind.LOAD).wavefronts[0].words[0]
    assert word_tip("As[0,0]", shared, 1) == "bank 0, wavefront 2: As[0,0], lanes 0, 1, 2 and 29 more"


def test_that_a_sector_tells_its_elements_and_its_lanes() -> None:
    assert sector_tip(of(4 * LANES), global_cost(4 * LANES, 4).sectors[1]) == (
        "As[0,8] to As[0,15]: 32 of 32 bytes used, lanes 8, 9, 10 and 5 more"
    )
    one = np.where(LANES == 4, 36, NOBODY)
    assert sector_tip(of(one), global_cost(one, 4).sectors[0]) == "As[0,9]: 4 of 32 bytes used, lane 4"


def test_that_an_address_outside_is_told_as_such() -> None:
    assert of(LANES).element_at(1024) == "0x400"
