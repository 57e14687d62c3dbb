"""Inspector, heat and totals tell the same of any request: every width, path and mask, and of what was measured."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from explained_heat import heat_by_inspector, heat_shown
from hypothesis import given
from hypothesis import strategies as st
from warp_requests import COPY_PAST_L1, KINDS, PAST_L1, PATTERNS, THROUGH_L1, WIDTHS, lanes

from gemmviz.domain.recordings.access import AccessKind, AccessPath, BlockTrace, MappedArray, Site, Space
from gemmviz.domain.recordings.trace_run import SiteCounts
from gemmviz.domain.shape import Shape
from gemmviz.explain.block.heat_maps import HeatKind, HeatMaker
from gemmviz.explain.block.running_totals import RunningTotals
from gemmviz.explain.block.timeline import timeline_of
from gemmviz.explain.requests.phase_figures import FrameCounts, count_frame
from gemmviz.explain.requests.request_choice import request_at
from gemmviz.explain.requests.what_if import NewLayout, effect_of, requests_on
from gemmviz.trace.counts.summary import summarise
from gemmviz.trace.counts.totals import by_line, total
from gemmviz.trace.frames.frames import Frames
from gemmviz.trace.frames.plan import FrameMode
from gemmviz.trace.model.sectors import global_cost
from gemmviz.trace.model.wavefronts import shared_cost

FAR = 1 << 40
Rows = Sequence[Sequence[int]]
"""For each warp, the place of each lane in the array of that memory, in bytes; -1 for an inactive lane."""
COPY_THROUGH_L1 = "cp.async.ca.shared.global"
FIGURES = ("requests", "sectors", "sent", "bytes_asked", "wavefronts", "ideal_wavefronts")


@dataclass(frozen=True)
class Access:
    """What one site does in a turn."""

    space: Space
    kind: AccessKind
    width: int
    path: AccessPath
    text: str
    rows: Rows


def block_of(turns: Sequence[Sequence[Access]], element_bytes: int = 4, shared_offset: int = 0) -> BlockTrace:
    """A block of sites that each run once: accesses of a turn share a line, as the two ends of a copy do."""
    size = (64, 1 << 18 >> element_bytes.bit_length() + 5)
    arrays = (
        MappedArray("A", Space.GLOBAL, FAR, *size, element_bytes),
        MappedArray("As", Space.SHARED, 2 * FAR + shared_offset, *size, element_bytes),
    )
    sites, addresses = [], []
    for line, accesses in enumerate(turns, 1):
        for one in accesses:
            array = arrays[one.space is Space.SHARED]
            sites.append(Site(len(sites), line, 1, one.text, one.space, one.kind, one.width, array.name, path=one.path))
            rows = np.array(one.rows, np.int64)
            addresses.append(np.where(rows == -1, -1, rows + array.base))
    columns = np.stack(addresses, axis=1)
    slots = np.arange(len(sites), dtype=np.int32)
    return BlockTrace((0, 0, 0), 32 * len(columns), tuple(sites), arrays, slots, slots * 0, columns)


def plain(
    space: Space, kind: AccessKind, width: int, rows: Rows, path: AccessPath = AccessPath.LOAD_STORE
) -> list[Access]:
    return [Access(space, kind, width, path, "x", rows)]


def moved(path: AccessPath, text: str, width: int, sources: Rows, targets: Rows) -> list[Access]:
    return [
        Access(Space.GLOBAL, AccessKind.LOAD, width, path, text, sources),
        Access(Space.SHARED, AccessKind.STORE, width, path, text, targets),
    ]


@st.composite
def turns(draw: st.DrawFn) -> list[Access]:
    """By any path, with two warps; perhaps some lanes before the array, or at odd bytes."""

    def rows(width: int) -> Rows:
        unit = draw(st.sampled_from([width, width, width, 1]))
        return [draw(lanes(unit, draw(st.sampled_from([0, 0, -3])))) for _ in range(2)]

    path = draw(st.sampled_from(["plain", "plain", "ca", "cg", "cg", "engine", "tensor core", "tile", "atomic"]))
    width = draw(st.sampled_from(WIDTHS if path == "plain" else [4, 8, 16]))
    match path:
        case "plain":
            return plain(draw(st.sampled_from([Space.GLOBAL, Space.SHARED])), draw(KINDS), width, rows(width))
        case "ca":
            return moved(AccessPath.ASYNC_COPY, COPY_THROUGH_L1, width, rows(width), rows(width))
        case "cg":
            sources, targets = rows(16), rows(16)
            both = [  # where a lane reads it writes; a lane that writes alone stores zeros
                [16 * lane if to == -1 != source else to for lane, (source, to) in enumerate(zip(*ends, strict=True))]
                for ends in zip(sources, targets, strict=True)
            ]
            return moved(AccessPath.ASYNC_COPY, COPY_PAST_L1, 16, sources, both)
        case "engine":
            return moved(AccessPath.COPY_ENGINE, "cp.async.bulk", 16, rows(16), rows(16))
        case "tensor core":
            return plain(Space.SHARED, AccessKind.LOAD, 16, rows(16), AccessPath.TENSOR_CORE)
        case "tile":
            return plain(
                draw(st.sampled_from([Space.GLOBAL, Space.SHARED])), draw(KINDS), 16, rows(16), AccessPath.WARP_TILE
            )
        case _:
            return plain(Space.GLOBAL, AccessKind.STORE, 4, rows(4), AccessPath.ATOMIC)


@st.composite
def blocks(draw: st.DrawFn) -> BlockTrace:
    """A few turns; elements of 2 or 4 bytes, shared memory perhaps not from bank 0 on."""
    found = draw(st.lists(turns(), min_size=1, max_size=5))
    return block_of(found, draw(st.sampled_from([2, 4])), draw(st.sampled_from([0, 16, 64])))


def as_inspected(block: BlockTrace) -> dict[str, np.ndarray]:
    """The figures of each site as the inspector has them, request by request."""
    found = {name: np.zeros(len(block.sites), np.int64) for name in FIGURES}
    for warp in range(block.addresses.shape[0]):
        for slot in range(block.slot_site.size):
            request = request_at(block, warp, slot)
            site, width = request.site.index, request.site.width_bytes
            far = global_cost(request.addresses, width, request.targets, is_atomic=request.site.is_atomic)
            found["requests"][site] += request.lanes > 0
            found["bytes_asked"][site] += far.bytes_used
            if request.site.space is Space.GLOBAL:
                found["sectors"][site] += far.counted
                found["sent"][site] += far.sent
            else:
                near = shared_cost(request.addresses, width, request.site.kind)
                found["wavefronts"][site] += len(near.wavefronts)
                found["ideal_wavefronts"][site] += near.ideal
    return found


def hold_together(block: BlockTrace) -> None:
    """Compare all that the program tells of the requests of a block."""
    columns, seen = summarise(block), as_inspected(block)
    told = {name: getattr(columns, name).tolist() for name in FIGURES}
    assert told == {name: seen[name].tolist() for name in FIGURES}
    for mode in (FrameMode.PHASE, FrameMode.REQUEST):
        frames = Frames(block, mode)
        for frame in map(frames.frame, range(min(len(frames), 4))):
            for kind, space in ((HeatKind.SECTORS, Space.GLOBAL), (HeatKind.BANKS, Space.SHARED)):
                assert heat_shown(HeatMaker(None, frames), frame, kind) == heat_by_inspector(block, frame, space)
    hold_totals(block)


def hold_totals(block: BlockTrace) -> None:
    """The figures of a frame, the running totals, lines, totals and what-if against the counts of each site."""
    columns, sites = summarise(block), block.sites
    frames = Frames(block, FrameMode.PHASE)
    counted = [count_frame(frames.frame(index), block) for index in range(len(frames))]
    for noun in ("load", "store", "atomic"):
        for space in (Space.GLOBAL, Space.SHARED):
            of_kind = np.array([(site.space, site.noun, site.is_counted) == (space, noun, True) for site in sites])
            asked = of_kind & [site.path.is_requested for site in sites]
            found = sum((each.get((space, noun), FrameCounts()) for each in counted), FrameCounts())
            assert found.requests == columns.requests[asked].sum()
            assert (found.sectors, found.sent) == (columns.sectors[of_kind].sum(), columns.sent[of_kind].sum())
            assert found.wavefronts == columns.wavefronts[asked].sum()
            assert found.ideal_wavefronts == columns.ideal_wavefronts[asked].sum()
    every = sum((found for each in counted for found in each.values()), FrameCounts())
    totals, lines = total(sites, columns, Shape(1, 1, 1)), by_line(sites, columns)
    running = RunningTotals(block, timeline_of(block)).in_all
    in_lines = sum(line.bytes_moved for line in lines)
    assert every.bytes_moved == running.bytes_moved == totals.bytes_moved == in_lines
    assert every.bytes_used == totals.bytes_asked
    assert every.copy_engine_bytes == totals.copy_engine_written_bytes
    assert every.tensor_core_bytes == totals.tensor_core_bytes
    assert every.wavefronts == running.wavefronts == sum(line.wavefronts for line in lines)
    assert every.excess == running.excess_wavefronts == sum(line.excess_wavefronts for line in lines)
    assert every.requests == sum(line.global_requests + line.shared_requests for line in lines)
    names = ("requests", "accesses", "sectors", "lines", "bytes_asked", "wavefronts", "ideal_wavefronts", "sent")
    kept = SiteCounts(**{name: getattr(columns, name) for name in names})
    stored = [kept.of(site) for site in sites]
    assert every.requests == sum(site.requests for site in stored)
    assert (every.wavefronts, every.sectors) == (sum(s.wavefronts for s in stored), sum(s.sectors for s in stored))
    for site in effect_of(requests_on(block, block.arrays[1]), NewLayout()).sites:
        here = site.site.index
        assert (site.before, site.ideal) == (columns.wavefronts[here], columns.ideal_wavefronts[here])


@given(blocks())
def test_that_heat_inspector_and_totals_tell_the_same_of_any_requests(block: BlockTrace) -> None:
    hold_together(block)


@pytest.mark.parametrize("space", [Space.GLOBAL, Space.SHARED])
@pytest.mark.parametrize("kind", list(AccessKind))
@pytest.mark.parametrize("width", [4, 8, 16])
def test_that_they_tell_what_was_measured(space: Space, kind: AccessKind, width: int) -> None:
    chosen = [p for p in PATTERNS if (p["space"], p["kind"], p["width_bytes"]) == (space.value, kind.value, width)]
    block = block_of([plain(space, kind, width, [pattern["offsets_bytes"]]) for pattern in chosen])
    hold_together(block)
    figure, counter = ("sectors", "sectors") if space is Space.GLOBAL else ("wavefronts", "wavefronts")
    measured = [pattern["counters"][f"{space.value}_{kind}_{counter}"] for pattern in chosen]
    assert as_inspected(block)[figure].tolist() == measured


@pytest.mark.parametrize("text", [COPY_PAST_L1, COPY_THROUGH_L1])
def test_that_they_tell_what_was_measured_of_copies(text: str) -> None:
    copies: list[dict[str, Any]] = PAST_L1 if text == COPY_PAST_L1 else THROUGH_L1
    chosen = copies[:: max(len(copies) // 40, 1)]
    block = block_of(
        [moved(AccessPath.ASYNC_COPY, text, copy["width_bytes"], [copy["from"]], [copy["to"]]) for copy in chosen]
    )
    hold_together(block)
    found = as_inspected(block)
    for figure, counter in (("sectors", "sectors"), ("sent", "sectors_from_l2")):
        assert found[figure][::2].tolist() == [copy["counters"][counter] for copy in chosen]


def test_that_a_wide_load_of_lane_pairs_heats_the_words_that_the_inspector_names() -> None:
    """It used to heat 4: as if lanes were served eight at a time, although pairs that agree are served sixteen."""
    block = block_of([plain(Space.SHARED, AccessKind.LOAD, 16, [[lane // 2 * 128 for lane in range(32)]])])
    frames = Frames(block, FrameMode.PHASE)
    assert set(heat_shown(HeatMaker(None, frames), frames.frame(0), HeatKind.BANKS).values()) == {8}
    assert len(shared_cost(block.addresses[0, 0], 16, AccessKind.LOAD).wavefronts) == 2 * 8
