"""A copy by `cp.async.cg` in the window: counted by where it writes, as the hardware counts it."""

from __future__ import annotations

import numpy as np
import pytest

from gemmviz.catalogue.examples import examples_folder
from gemmviz.domain.recordings.access import AccessKind, BlockTrace, Space
from gemmviz.domain.session.session import load_session
from gemmviz.explain.block.heat_maps import HeatKind, HeatMaker
from gemmviz.explain.requests.phase_figures import FrameCounts, count_frame
from gemmviz.explain.requests.request_choice import request_at
from gemmviz.explain.requests.request_words import sector_tip
from gemmviz.trace.counts.summary import summarise
from gemmviz.trace.frames.frames import Frames
from gemmviz.trace.frames.plan import FrameMode
from gemmviz.trace.model.sectors import global_cost


@pytest.fixture(scope="module")
def block() -> BlockTrace:
    """A block of mma_tf32 as an H200 ran it: A in rows of 36 floats, 144 bytes, in shared memory."""
    run = next(
        one for one in load_session(examples_folder() / "gpu-feeding.gemmviz").traces if one.spec.kernel == "mma_tf32"
    )
    return run.blocks[0].trace(run.sites, run.arrays)


def test_that_all_frames_together_are_what_the_block_costs(block: BlockTrace) -> None:
    frames = Frames(block, FrameMode.PHASE)
    summed = sum(
        (
            count_frame(frames.frame(index), block).get((Space.GLOBAL, AccessKind.LOAD), FrameCounts())
            for index in range(len(frames))
        ),
        FrameCounts(),
    )
    costs = summarise(block)
    loads = [site.space is Space.GLOBAL and site.kind is AccessKind.LOAD for site in block.sites]
    assert summed.sectors == costs.sectors[loads].sum()
    assert summed.requests == costs.requests[loads].sum()
    assert summed.sectors == 17 * summed.requests  # 18 for rows of A that lie askew, 16 for those of B
    assert summed.bytes_moved == costs.bytes_moved[loads].sum() == 20 * 32 * summed.requests  # 24 and 16


def test_that_a_request_says_what_it_costs_to_write_askew(block: BlockTrace) -> None:
    sources = [
        slot
        for slot, site in enumerate(block.slot_site.tolist())
        if site >= 0 and block.sites[site].is_past_l1 and block.sites[site].space is Space.GLOBAL
    ]
    costs = set()
    for slot in sources:
        request = request_at(block, 0, slot)
        assert request.targets is not None
        cost = global_cost(request.addresses, 16, request.targets)
        costs.add((cost.counted, cost.sent))
        assert len(cost.sectors) == 16
    assert costs == {(18, 24), (16, 16)}
    assert request_at(block, 0, sources[0] + 1).targets is None


def test_that_a_sector_of_such_a_copy_tells_how_often_it_is_sent(block: BlockTrace) -> None:
    slot = next(at for at, site in enumerate(block.slot_site.tolist()) if site >= 0 and block.sites[site].is_past_l1)
    request = request_at(block, 0, slot)
    cost = global_cost(request.addresses, 16, request.targets)
    tips = [sector_tip(request, sector) for sector in cost.sectors]
    often = "sent 2 times, to different places in shared memory"
    assert sum(tip.endswith(often) for tip in tips) == cost.sent - len(cost.sectors) == 8


def test_that_heat_shows_the_sectors_that_are_counted(block: BlockTrace) -> None:
    """18 for rows of A, which lie askew in shared memory, 16 for those of B: not the 16 of memory for both."""
    frames = Frames(block, FrameMode.PHASE)
    heat = HeatMaker(None, frames).heat(HeatKind.SECTORS, frames.frame(0))
    assert heat is not None
    seen = {name: set(np.unique(layer.figures.full).tolist()) - {0} for name, layer in heat.layers.items()}
    assert seen == {"A": {18}, "B": {16}}
    assert heat.note.endswith("requests of cp.async.cg count by target address")
