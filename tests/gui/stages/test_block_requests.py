"""All requests of a block, and which of them costs most."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from gemmviz.domain.recordings.access import AccessKind, AccessPath, BlockTrace, Space
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.explain.requests.block_requests import first_request_in, requests_to
from gemmviz.trace.model.sectors import global_cost
from gemmviz.trace.model.wavefronts import shared_cost

BlockOf = Callable[[TraceRun], BlockTrace]


@pytest.mark.parametrize("space", [Space.SHARED, Space.GLOBAL])
def test_that_every_request_is_there_once_with_its_cost(recorded, block_of: BlockOf, space: Space) -> None:
    run = recorded("tiled_transposed", "17x33x20", TILE=8)
    found = requests_to(block_of(run), space)
    assert {each.site.space for each in found.sites} == {space}
    for each in found.sites:
        assert len(each) == run.counts.of(each.site).requests
        order = list(zip(each.slots.tolist(), each.warps.tolist(), strict=True))
        assert order == sorted(set(order))
        for place in range(0, len(each), 7):
            request = found.request(each.site.index, place)
            assert request is not None
            assert (request.warp, request.slot, request.site) == (each.warps[place], each.slots[place], each.site)
            assert request.lanes > 0
            width = request.site.width_bytes
            if space is Space.SHARED:
                assert each.excess[place] == shared_cost(request.addresses, width, request.site.kind).excess
            else:
                cost = global_cost(request.addresses, width, request.targets, is_atomic=request.site.is_atomic)
                assert each.excess[place] == cost.counted - -(-cost.bytes_used // 32)


def test_that_the_request_that_costs_most_is_found(transposed: TraceRun, block_of: BlockOf) -> None:
    found = requests_to(block_of(transposed), Space.SHARED)
    assert found.worst is not None
    site, place = found.worst
    request = found.request(site, place)
    assert request is not None
    assert (request.site.array, request.site.kind, request.site.line) == ("As", AccessKind.STORE, 38)
    assert max(int(each.excess.max()) for each in found.sites) == 31
    assert place == 0


def test_that_what_is_not_there_is_none(transposed: TraceRun, block_of: BlockOf, recorded) -> None:
    found = requests_to(block_of(transposed), Space.SHARED)
    assert found.request(found.sites[0].site.index, len(found.sites[0])) is None
    assert found.request(999, 0) is None
    nothing = requests_to(block_of(recorded("naive", "16x16x16")), Space.SHARED)
    assert (nothing.sites, nothing.worst, nothing.is_moved_whole) == ((), None, False)


def test_that_what_is_moved_as_a_whole_has_no_requests(transposed: TraceRun, block_of: BlockOf) -> None:
    block = block_of(transposed)
    sites = tuple(replace(site, path=AccessPath.COPY_ENGINE) for site in block.sites)
    found = requests_to(replace(block, sites=sites), Space.SHARED)
    assert (found.sites, found.is_moved_whole) == ((), True)


@pytest.mark.parametrize("space", [Space.SHARED, Space.GLOBAL])
def test_that_the_first_request_from_a_slot_on_is_found(recorded, block_of: BlockOf, space: Space) -> None:
    block = block_of(recorded("tiled_transposed", "17x33x20", TILE=8))
    found, end = requests_to(block, space), block.slot_site.size
    every = [(slot, each.site.index, place) for each in found.sites for place, slot in enumerate(each.slots.tolist())]
    for start in range(0, end, 5):
        later = min((one for one in every if one[0] >= start), default=None)
        assert first_request_in(block, space, (start, end)) == (later[1:] if later is not None else None)
    assert first_request_in(block, space, (0, 0)) is None
