"""A copy by `cp.async.cg` in the window: counted by where it writes, as the hardware counts it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gemmviz.catalogue.examples import examples_folder
from gemmviz.domain.access import AccessKind, BlockTrace, Space
from gemmviz.domain.session import load_session
from gemmviz.gui.inspector import request_costs
from gemmviz.gui.inspector.lane_costs import copy_cost, sectors_of
from gemmviz.gui.inspector.phase_figures import FrameCounts, count_frame
from gemmviz.gui.inspector.request_choice import request_at
from gemmviz.gui.inspector.request_words import sector_sentence
from gemmviz.trace.frame_plan import FrameMode
from gemmviz.trace.frames import Frames
from gemmviz.trace.summary import summarise

GOLDEN = Path(__file__).parents[2] / "data" / "golden" / "h200_copies.json"
COPIES: list[dict[str, Any]] = [
    copy for copy in json.loads(GOLDEN.read_text(encoding="utf-8"))["copies"] if copy["way"] == "past L1"
]
LANES = np.arange(32, dtype=np.int64)


@pytest.fixture(scope="module")
def block() -> BlockTrace:
    """A block of mma_tf32 as an H200 ran it: A in rows of 36 floats, 144 bytes, in shared memory."""
    run = next(
        one for one in load_session(examples_folder() / "gpu-feeding.gemmviz").traces if one.spec.kernel == "mma_tf32"
    )
    return run.blocks[0].trace(run.sites, run.arrays)


def test_that_every_measured_copy_is_reproduced_exactly() -> None:
    sources, targets = (np.array([copy[end] for copy in COPIES], np.int64) for end in ("from", "to"))
    counted = [(copy["counters"]["sectors"], copy["counters"]["sectors_from_l2"]) for copy in COPIES]
    costs = [copy_cost(*ends) for ends in zip(sources, targets, strict=True)]
    assert [(cost.sectors, cost.sent) for cost in costs] == counted
    sectors, sent = request_costs.sectors_past_l1(sources, targets)
    assert list(zip(sectors.tolist(), sent.tolist(), strict=True)) == counted


def test_that_a_copy_of_unknown_target_costs_what_it_reads() -> None:
    sectors, sent = request_costs.sectors_past_l1(16 * LANES[None], np.full((1, 32), -1))
    assert (sectors.tolist(), sent.tolist()) == ([16], [16])


def test_that_all_frames_together_are_what_the_block_costs(block: BlockTrace) -> None:
    frames = Frames(block, FrameMode.PHASE)
    summed = sum(
        (count_frame(frames.frame(index), block).get((Space.GLOBAL, AccessKind.LOAD), FrameCounts())
         for index in range(len(frames))), FrameCounts(),
    )  # fmt: skip
    costs = summarise(block)
    loads = [site.space is Space.GLOBAL and site.kind is AccessKind.LOAD for site in block.sites]
    assert summed.sectors == costs.sectors[loads].sum()
    assert summed.requests == costs.requests[loads].sum()
    assert summed.sectors == 17 * summed.requests  # 18 for rows of A that lie askew, 16 for those of B
    assert summed.bytes_fetched == costs.bytes_fetched[loads].sum() == 20 * 32 * summed.requests  # 24 and 16


def test_that_a_request_says_what_it_costs_to_write_askew(block: BlockTrace) -> None:
    sources = [slot for slot, site in enumerate(block.slot_site.tolist())
               if site >= 0 and block.sites[site].is_past_l1 and block.sites[site].space is Space.GLOBAL]  # fmt: skip
    costs = set()
    for slot in sources:
        request = request_at(block, 0, slot)
        assert request.targets is not None
        cost = copy_cost(request.addresses, request.targets)
        costs.add((cost.sectors, cost.sent))
        assert len(sectors_of(request.addresses, 16)) == 16
    assert costs == {(18, 24), (16, 16)}
    assert request_at(block, 0, sources[0] + 1).targets is None


def test_that_the_sentence_tells_a_copy_that_writes_askew_from_one_that_does_not() -> None:
    sectors = sectors_of(16 * LANES, 16)
    straight = "requests 1 · sectors 16 · 512 of 512 bytes used"
    assert sector_sentence(sectors, copy_cost(16 * LANES, 16 * LANES)) == straight
    halves = 64 * (LANES // 2) + 48 * (LANES % 2)  # of each sector, to two pieces
    scattered = sector_sentence(sectors, copy_cost(16 * LANES, halves))
    assert scattered == "requests 1 · sectors 32 for 16 of memory, L2 sends 32: it scatters"
    apart = 32 * LANES + 16 * (LANES % 2)
    gathered = sector_sentence(sectors_of(apart, 16), copy_cost(apart, 16 * LANES))
    assert gathered == "requests 1 · sectors 16 for 32 of memory, L2 sends 32: it writes close what lies apart"
    assert sector_sentence(sectors, copy_cost(16 * LANES, 16 * LANES + 16)) == (
        "requests 1 · sectors 20 for 16 of memory, L2 sends 32: it writes askew"
    )
