"""What the stages say."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from gemmviz.domain.recordings.access import AccessKind, AccessPath, Space
from gemmviz.explain.requests.request_choice import LaneRequest
from gemmviz.explain.requests.what_if import NewLayout, Swizzle
from gemmviz.gui.stages.stage_words import (
    MOVED_WHOLE,
    NO_GLOBAL,
    NO_SHARED,
    banks_sentence,
    captions_of,
    layout_heading,
    layout_title,
    layout_words,
    lines_words,
    nothing_words,
    padding_words,
    place_words,
    sectors_sentence,
    wavefront_words,
)
from gemmviz.trace.model.sectors import global_cost
from gemmviz.trace.model.wavefronts import shared_cost

LANES = np.arange(32, dtype=np.int64)
NOBODY = np.full(32, -1, np.int64)
LOAD, STORE = AccessKind.LOAD, AccessKind.STORE
THIN = "\N{NARROW NO-BREAK SPACE}"
RequestOf = Callable[..., LaneRequest]


@pytest.mark.parametrize(
    ("places", "width", "kind", "sentence"),
    [
        (128 * LANES, 4, STORE, "All 32 lanes need bank 0, so one store takes 32 wavefronts."),
        (
            np.where(LANES < 16, 128 * LANES + 8, NOBODY),
            4,
            LOAD,
            "All 16 lanes need bank 2, so one load takes 16 wavefronts.",
        ),
        (4 * LANES, 4, LOAD, "No two of the 32 lanes share a bank, so one load takes 1 wavefront."),
        (
            0 * LANES,
            4,
            LOAD,
            "All 32 lanes need the same word, which is read once for all, so one load takes 1 wavefront.",
        ),
        (
            4 * (LANES // 8),
            4,
            LOAD,
            "No bank is asked for two different words, and one word serves up to 8 lanes, so "
            "one load takes 1 wavefront.",
        ),
        (
            4 * (LANES % 16) + 128 * (LANES // 16),
            4,
            LOAD,
            "Each of 16 banks is asked for 2 different words at once, so one load takes 2 wavefronts.",
        ),
        (
            np.where(LANES == 16, 128, np.where(LANES < 3, 4 * LANES, NOBODY)),
            4,
            LOAD,
            "Bank 0 is asked for 2 different words at once, so one load takes 2 wavefronts.",
        ),
        (
            16 * LANES,
            16,
            STORE,
            "No two words meet in a bank, and 8 lanes are served at a time, so one store takes 4 "
            "wavefronts, the fewest possible.",
        ),
        (
            128 * LANES,
            16,
            STORE,
            "Each of 4 banks is asked for 8 different words at once by 8 lanes, so one store "
            "takes 32 wavefronts, not 4.",
        ),
        (
            np.where(LANES == 3, 16, NOBODY),
            4,
            LOAD,
            "The one lane that takes part meets no other, so one load takes 1 wavefront.",
        ),
        (NOBODY, 4, LOAD, "No lane of this warp is active in this request."),
    ],
)
def test_that_a_sentence_says_why_a_request_takes_its_wavefronts(
    request_of: RequestOf, places: np.ndarray, width: int, kind: AccessKind, sentence: str
) -> None:
    request = request_of(places, kind=kind, width=width)
    cost = shared_cost(request.addresses, width, kind)
    assert banks_sentence(request, cost, NewLayout()) == sentence


def test_that_another_layout_begins_the_sentence(request_of: RequestOf) -> None:
    request = request_of(132 * LANES, kind=STORE)
    cost = shared_cost(request.addresses, 4, STORE)
    assert banks_sentence(request, cost, NewLayout(1)) == (
        "With 1 column of padding, no two of the 32 lanes share a bank, so one store takes 1 wavefront."
    )
    assert layout_words(NewLayout(2, Swizzle.PIECES_128)) == "With 2 columns of padding and the 128-byte swizzle"
    assert layout_words(NewLayout()) == ""
    assert layout_title(NewLayout(2, Swizzle.PIECES_128), 1) == "Padding 1 + 2, 128 B swizzle"
    assert (layout_title(NewLayout(0, Swizzle.COLUMN), 0), layout_title(NewLayout())) == ("XOR row", "")


@pytest.mark.parametrize(
    ("layout", "in_source", "heading", "slider"),
    [
        (NewLayout(), 0, "As recorded, without padding", "no padding"),
        (
            NewLayout(),
            1,
            "As recorded, with one column of padding in the source",
            "1 in the source",
        ),
        (NewLayout(), None, "As recorded", "none added"),
        (NewLayout(2), 0, "2 columns of padding, no swizzle", "2 columns"),
        (
            NewLayout(1),
            4,
            "1 column of padding beyond the 4 in the source, no swizzle",
            "4 + 1 column",
        ),
        (NewLayout(1), None, "1 column of padding, no swizzle", "+1 column"),
        (
            NewLayout(0, Swizzle.PIECES_64),
            4,
            "4 columns of padding in the source, the 64-byte swizzle",
            "4 in the source",
        ),
        (NewLayout(0, Swizzle.PIECES_64), None, "No padding added, the 64-byte swizzle", "none added"),
    ],
)
def test_that_padding_in_the_source_is_told_from_what_is_added(
    layout: NewLayout, in_source: int | None, heading: str, slider: str
) -> None:
    assert layout_heading(layout, in_source) == heading
    assert padding_words(layout.padding, in_source) == slider


@pytest.mark.parametrize(
    ("places", "kind", "sentence", "detail"),
    [
        (
            4 * LANES,
            LOAD,
            "32 lanes touch 4 sectors of 32 bytes: all 128 bytes fetched are used.",
            "They lie in 1 line of 128 bytes; they fit in no fewer sectors.",
        ),
        (
            128 * LANES,
            LOAD,
            f"32 lanes touch 32 sectors of 32 bytes: 128 of 1{THIN}024 bytes fetched are used, 896 are not.",
            "They lie in 32 lines of 128 bytes; packed together they would fit in 4 sectors.",
        ),
        (
            0 * LANES,
            LOAD,
            "32 lanes touch 1 sector of 32 bytes: 4 of 32 bytes fetched are used, 28 are not.",
            "They lie in 1 line of 128 bytes; they fit in no fewer sectors.",
        ),
        (
            4 * LANES,
            STORE,
            "32 lanes store to 4 sectors of 32 bytes: all 128 bytes are written.",
            "They lie in 1 line of 128 bytes; they fit in no fewer sectors.",
        ),
        (
            64 * LANES,
            STORE,
            f"32 lanes store to 32 sectors of 32 bytes: 128 of their 1{THIN}024 bytes are written.",
            "They lie in 16 lines of 128 bytes; packed together they would fit in 4 sectors.",
        ),
        (
            np.where(LANES == 0, 0, NOBODY),
            STORE,
            "1 lane stores to 1 sector of 32 bytes: 4 of its 32 bytes are written.",
            "They lie in 1 line of 128 bytes; they fit in no fewer sectors.",
        ),
        (NOBODY, LOAD, "No lane of this warp is active in this request.", ""),
    ],
)
def test_that_a_sentence_says_what_is_fetched_and_used(
    request_of: RequestOf, places: np.ndarray, kind: AccessKind, sentence: str, detail: str
) -> None:
    request = request_of(places, Space.GLOBAL, kind, name="A")
    cost = global_cost(request.addresses, 4)
    assert (sectors_sentence(request, cost), lines_words(cost)) == (sentence, detail)


def past_l1(request_of: RequestOf, sources: np.ndarray, targets: np.ndarray) -> str:
    request = request_of(sources, Space.GLOBAL, LOAD, 16, "A", targets)
    return sectors_sentence(request, global_cost(request.addresses, 16, targets)).partition("This copy past L1 ")[2]


def test_that_a_copy_past_l1_says_how_it_is_counted_and_sent(request_of: RequestOf) -> None:
    assert past_l1(request_of, 16 * LANES, 16 * LANES) == ""
    halves = 64 * (LANES // 2) + 48 * (LANES % 2)  # of each sector, to two pieces
    assert past_l1(request_of, 16 * LANES, halves) == (
        "counts as 32 sectors, and L2 sends 32, because its targets are scattered."
    )
    assert past_l1(request_of, 32 * LANES + 16 * (LANES % 2), 16 * LANES) == (
        "counts as 16 sectors, and L2 sends 32, because its targets are closer together than its sources."
    )
    assert past_l1(request_of, 16 * LANES, 16 * LANES + 16) == (
        "counts as 20 sectors, and L2 sends 32, because its targets are not aligned to sectors."
    )


def test_that_an_atomic_request_says_how_it_is_counted(request_of: RequestOf) -> None:
    def said(places: np.ndarray) -> str:
        request = request_of(places, Space.GLOBAL, STORE, name="A")
        request = replace(request, site=replace(request.site, path=AccessPath.ATOMIC))
        return sectors_sentence(request, global_cost(request.addresses, 4, is_atomic=True))

    assert said(4 * LANES) == "32 lanes atomically change 4 sectors of 32 bytes: all 128 bytes are written."
    assert said(4 * (LANES // 8)) == (
        "32 lanes atomically change 1 sector of 32 bytes: 16 of its 32 bytes are written. "
        "This atomic request counts as 8 sectors, because up to 8 lanes want the same address."
    )


def test_that_a_caption_names_warp_access_and_lanes(request_of: RequestOf) -> None:
    request = request_of(4 * LANES)
    assert captions_of(request)[0] == "Warp 3 loads As[ty][tx]: one request of 32 lanes, 4 bytes each"
    assert captions_of(request, "PTX")[0].startswith("PTX: warp 3 loads As[ty][tx]: one request")
    site = replace(request.site, text="cp.async.cg.shared.global", kind=STORE, path=AccessPath.ASYNC_COPY)
    assert captions_of(replace(request, site=site))[0].startswith(
        "Warp 3 stores to As (cp.async.cg.shared.global): one"
    )


def test_that_counts_are_told() -> None:
    assert place_words(0, 1056) == f"request 1 of 1{THIN}056"
    assert [wavefront_words(done, 32) for done in (0, 5, 32)] == [
        "0 of 32 wavefronts",
        "5 of 32 wavefronts",
        "32 wavefronts",
    ]


def test_that_nothing_is_told_as_what_it_is() -> None:
    assert nothing_words(Space.SHARED, is_moved_whole=False) == NO_SHARED
    assert nothing_words(Space.GLOBAL, is_moved_whole=False) == NO_GLOBAL
    assert nothing_words(Space.SHARED, is_moved_whole=True) == MOVED_WHOLE.format(memory="shared")
