"""A block's trace as a session keeps it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from gemmviz.domain.recordings.access import (
    BARRIER_SITE,
    AccessKind,
    BarrierPlace,
    BlockTrace,
    SharedSnapshot,
    Site,
    Space,
)
from gemmviz.domain.recordings.racing_requests import RacingRequests, RacingSites
from gemmviz.domain.recordings.trace_run import StoredBlock, TraceRun, stored_block
from gemmviz.domain.session.codec import decode, encode
from gemmviz.domain.session.session import load_session

RECORDED = Path(__file__).parents[3] / "assets" / "lessons" / "race.gemmviz"
LOAD, BEFORE, AFTER = 0, BarrierPlace(12, "__syncthreads()"), BarrierPlace(17, "SYNC()")
SITES = (Site(LOAD, 9, 3, "A[i]", Space.GLOBAL, AccessKind.LOAD, 4, "A"),)


@pytest.fixture(scope="module")
def recorded() -> TraceRun:
    """A recording of a kernel with shared memory."""
    return load_session(RECORDED).traces[1]


@pytest.fixture
def trace() -> BlockTrace:
    """Three threads load once in each of three epochs, two barriers of the source between them."""
    sites = np.array([LOAD, BARRIER_SITE, LOAD, BARRIER_SITE, BARRIER_SITE, LOAD], np.int32)
    epochs = np.array([0, 0, 1, 1, 2, 3], np.int32)
    addresses = np.full((1, 6, 32), -1, np.int64)
    addresses[0, :, :3] = 0
    return BlockTrace((1, 2, 0), 3, SITES, (), sites, epochs, addresses, (), (BEFORE, AFTER, BEFORE))


def test_that_a_kept_block_still_names_its_barriers(trace: BlockTrace) -> None:
    kept = stored_block(trace)
    assert kept.barriers == (BEFORE, AFTER)
    assert kept.ended_by.tolist() == [0, 1, 0]
    read = decode(*encode(kept), StoredBlock)
    assert tuple(read.trace(SITES, ()).ended_by) == (BEFORE, AFTER, BEFORE)


def test_that_a_trace_that_does_not_name_its_barriers_is_kept_too(trace: BlockTrace) -> None:
    assert stored_block(replace(trace, ended_by=())).trace(SITES, ()).ended_by == ()


def test_that_racing_accesses_come_out_as_they_went_in_and_older_files_have_none(trace: BlockTrace) -> None:
    assert decode(*encode(stored_block(trace)), StoredBlock).trace(SITES, ()).racing is None
    zero = np.zeros(1, np.int32)
    pairs = (RacingSites(LOAD, LOAD, 7, 1),)
    racing = RacingRequests(pairs, zero, zero, zero, np.array([5]), zero + 2, zero + 1, zero + 2)
    kept = decode(*encode(stored_block(replace(trace, racing=racing))), StoredBlock)
    read = kept.trace(SITES, ()).racing
    assert read is not None
    assert read.pairs == pairs
    for name in ("slot", "warp", "byte", "lanes", "lane", "partner", "partner_slot"):
        assert getattr(read, name).tolist() == getattr(racing, name).tolist()
    with pytest.raises(ValueError, match="names a site that is not there"):
        kept.trace((), ())
    with pytest.raises(ValueError, match="its races are those of another block"):
        replace(kept, racing=replace(racing, slot=zero + 6))


def test_that_a_block_without_accesses_is_kept_and_comes_out_again(trace: BlockTrace) -> None:
    nothing = np.zeros(0, np.int32)
    idle = replace(
        trace, threads=40, slot_site=nothing, slot_epoch=nothing, addresses=np.zeros((2, 0, 32), np.int64), ended_by=()
    )
    read = decode(*encode(stored_block(idle)), StoredBlock).trace(SITES, ())
    assert (read.block, read.threads, read.addresses.shape, read.slot_site.size) == ((1, 2, 0), 40, (2, 0, 32), 0)


def test_that_a_block_without_threads_is_refused(trace: BlockTrace) -> None:
    nothing = np.zeros(0, np.int32)
    kept = stored_block(trace)
    with pytest.raises(ValueError, match=r"block \(1, 2, 0\) is damaged: its columns do not fit together"):
        replace(kept, threads=0, slot_site=nothing, slot_epoch=nothing, addresses=np.zeros(0, np.int64))


@pytest.mark.parametrize("numbers", [[0, 1], [0, 1, 2], [0, -1, 1]])
def test_that_barriers_that_are_not_there_are_refused(trace: BlockTrace, numbers: list[int]) -> None:
    with pytest.raises(ValueError, match=r"block \(1, 2, 0\) is damaged: it names a barrier that is not there"):
        replace(stored_block(trace), ended_by=np.array(numbers, np.int32))


def test_that_snapshots_come_out_as_they_went_in(trace: BlockTrace) -> None:
    taken = tuple(
        SharedSnapshot(epoch, "As", np.arange(6).reshape(2, 3) + epoch, np.full((2, 3), epoch % 2, np.int8))
        for epoch in range(3)
    )
    read = stored_block(replace(trace, snapshots=taken)).trace(SITES, ()).snapshots
    assert len(read) == 3
    assert [one.epoch for one in read] == [0, 1, 2]
    assert [one.epoch for one in read[1:]] == [1, 2]
    assert [one.epoch for one in reversed(read)] == [2, 1, 0]
    assert (read[-1].origin == taken[2].origin).all()
    assert (read[-1].matrix == taken[2].matrix).all()


def test_that_a_snapshot_of_an_array_that_is_not_there_is_refused(recorded: TraceRun) -> None:
    block = recorded.blocks[0]
    strange = replace(block.snapshots[0], array="Zs")
    with pytest.raises(ValueError, match="a snapshot of Zs fits none of its arrays"):
        replace(recorded, blocks=(replace(block, snapshots=(strange, *block.snapshots[1:])),))


def test_that_a_snapshot_of_another_size_is_refused(recorded: TraceRun) -> None:
    block = recorded.blocks[0]
    arrays = tuple(
        replace(array, rows=array.rows + 1) if array.space is Space.SHARED else array for array in recorded.arrays
    )
    with pytest.raises(ValueError, match="fits none of its arrays"):
        replace(recorded, arrays=arrays, blocks=(block,))
