"""The longest that the stages say of a block, made by what says it: room is kept for it, and nothing moves. Pure."""

from __future__ import annotations

import numpy as np

from gemmviz.domain.recordings.access import AccessKind, AccessPath, BlockTrace, Site, Space
from gemmviz.explain.requests.machine_requests import RequestCode
from gemmviz.explain.requests.request_choice import LaneRequest
from gemmviz.explain.requests.what_if import (
    MOST_PADDING,
    ArrayRequests,
    Effect,
    NewLayout,
    SiteEffect,
    Swizzle,
    bytes_of,
)
from gemmviz.explain.requests.what_if_words import effect_words
from gemmviz.gui.stages.stage_words import banks_sentence, layout_title, lines_words, sectors_sentence
from gemmviz.trace.model.rules import BANKS, LANES, LINE_BYTES, Lanes
from gemmviz.trace.model.sectors import global_cost
from gemmviz.trace.model.wavefronts import shared_cost

_LANES = np.arange(LANES, dtype=np.int64)
_LONGEST_LAYOUT = NewLayout(MOST_PADDING, Swizzle.COLUMN)
_HALF = LANES // 2


def longest_banks_sentences(block: BlockTrace) -> tuple[str, ...]:
    """What `banks_sentence` says at its longest of requests as wide as the block's widest to shared memory."""
    width = _widest(block, Space.SHARED)
    two_rows = width * (_LANES % _HALF) + width * _HALF * BANKS * (_LANES // _HALF)
    one_word = width * (_LANES // _HALF)
    return tuple(
        banks_sentence(
            _request(lanes, width), shared_cost(lanes, width, AccessKind.STORE), _LONGEST_LAYOUT, MOST_PADDING
        )
        for lanes in (two_rows, one_word)
    )


def longest_layout_title() -> str:
    """What `layout_title` says at its longest."""
    return layout_title(NewLayout(MOST_PADDING, Swizzle.PIECES_128), MOST_PADDING)


def longest_effects(requests: ArrayRequests) -> tuple[str, ...]:
    """What `effect_words` says at its longest of the requests on an array: all of them in a conflict of all lanes."""
    sites = tuple(
        SiteEffect(each.requests.site, len(each.requests), each.ideal, each.wavefronts, LANES * each.wavefronts)
        for each in requests.sites
    )
    layouts = (NewLayout(padding, Swizzle.PIECES_128) for padding in (1, MOST_PADDING))
    effects = (Effect(each, sites, requests.array.nbytes, bytes_of(requests.array, each)) for each in layouts)
    return tuple(effect_words(effect, requests, code=RequestCode.SASS) for effect in effects)


def longest_sectors_sentences(block: BlockTrace) -> tuple[str, ...]:
    """What `sectors_sentence` says at its longest of requests as wide as the block's widest to global memory."""
    width, lanes = _widest(block, Space.GLOBAL), 10 * LINE_BYTES * _LANES
    has_copies = any(site.path is AccessPath.ASYNC_COPY for site in block.sites)
    targets = width * _LANES if has_copies else None
    return (sectors_sentence(_request(lanes, width, AccessKind.LOAD), global_cost(lanes, width, targets)),)


def longest_lines_words(block: BlockTrace) -> tuple[str, ...]:
    """What `lines_words` says at its longest of such requests."""
    return (lines_words(global_cost(10 * LINE_BYTES * _LANES, _widest(block, Space.GLOBAL), None)),)


def _widest(block: BlockTrace, space: Space) -> int:
    """Bytes that a lane asks for at most."""
    return max((site.width_bytes for site in block.sites if site.space is space), default=4)


def _request(lanes: Lanes, width: int, kind: AccessKind = AccessKind.STORE) -> LaneRequest:
    site = Site(0, 1, 1, "", Space.SHARED, kind, width, "")
    return LaneRequest(site, 0, 0, lanes, None)
