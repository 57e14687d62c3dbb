"""Finds that a block's warps wrote down what those of an earlier block did, but for addresses outside shared memory.

Most blocks of a grid do, and then nothing else has to be decoded.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from threading import Lock
from weakref import ref

import numpy as np
from numba import njit
from numpy.typing import NDArray

from gemmviz.domain.recordings.access import INACTIVE, BlockTrace, Space
from gemmviz.domain.recordings.warp import LANES
from gemmviz.machine.log import SLOT_WORDS, BlockRecord
from gemmviz.trace.parts import outside_shared, part_of
from gemmviz.trace.ptx.decoding.cluster import BlockLogs
from gemmviz.trace.ptx.decoding.decode import FARTHEST, Arrays, block_trace, laid_out
from gemmviz.trace.ptx.decoding.expand import Expander
from gemmviz.trace.ptx.decoding.log import Words
from gemmviz.trace.repeats import Recorded, RepeatedBlock

_MOST_LIKES = 8
_MOST_BYTES = 1 << 28
"""What the logs of the blocks that others may repeat take together."""
_MOST_MISSES = 16
"""Blocks in a row that repeat none before it is given up to look for one."""
_COMPARED = -1
"""The row of a slot that has to be the same."""


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class _Like:
    """A block that others may repeat, and its warps' logs; for each slot of these the row of `rest` that its addresses
    belong to, and the array that they are relative to, -1 where any may be meant.
    """

    logs: list[NDArray[np.int64]]
    rows: list[NDArray[np.int64]]
    arrays: list[NDArray[np.int64]]
    moved: NDArray[np.int64]
    """The slots that have a row: warp, place of its first lane in the warp's words, row, and array; shape (n, 4)."""
    trace: BlockTrace
    rest: BlockTrace

    @property
    def nbytes(self) -> int:
        return sum(log.nbytes for log in self.logs)


class Repeats:
    """Makes traces of blocks of one recording, of so many `threads` each. Several threads may use it at once.

    Keeps the last few blocks that were decoded whole, unless the recording has one block only, which none can repeat.
    """

    def __init__(self, expander: Expander, threads: int, blocks: int) -> None:
        self._expander, self._threads, self._has_others = expander, threads, blocks > 1
        self._likes: tuple[_Like, ...] = ()
        self._misses = 0
        self._last: dict[int, ref[_Like]] = {}
        """The block that the last one of each room repeats or is, where that is kept."""
        self._lock = Lock()

    def trace_of(self, block: tuple[int, int, int], logs: BlockLogs, arrays: Arrays) -> Recorded:
        """The trace of a block from the words of its warps, which are not kept. One of a cluster is always decoded."""
        if logs.others:
            return block_trace(self._expander, logs, arrays, block, self._threads)
        return self._found_or_decoded(block, logs.own, arrays)[0]

    def trace_of_record(self, block: tuple[int, int, int], record: BlockRecord, arrays: Arrays) -> Recorded:
        """The trace of a block that the machine recorded. Of the records of one room each is given, in their order."""
        last = self._last.pop(record.room, None)
        like = last() if last is not None and record.is_like_last else None
        if last is not None and like is not None:
            addresses = like.rest.addresses.copy()
            words = record.words.view(np.int64)
            if _enter_moved(words, record.begins, like.moved, _places(arrays), addresses):
                self._last[record.room] = last
                return RepeatedBlock(like.trace, replace(like.rest, block=block, addresses=addresses))
        found, like = self._found_or_decoded(block, record.logs, arrays)
        if like is not None:
            self._last[record.room] = ref(like)
        return found

    def _found_or_decoded(
        self, block: tuple[int, int, int], logs: Sequence[Words], arrays: Arrays
    ) -> tuple[Recorded, _Like | None]:
        """The trace of a block, and the one that it repeats or that others may repeat, if there is one."""
        found = self._find(block, logs, arrays)
        if found is not None:
            return found
        with self._lock:
            found = self._find(block, logs, arrays)  # as another thread has decoded it meanwhile
            return found if found is not None else self._decode(block, logs, arrays)

    def _find(
        self, block: tuple[int, int, int], logs: Sequence[Words], arrays: Arrays
    ) -> tuple[RepeatedBlock, _Like] | None:
        places = _places(arrays)
        for like in self._likes:
            if [log.size for log in logs] != [log.size for log in like.logs]:
                continue
            addresses = like.rest.addresses.copy()
            if all(
                _follow(log.view(np.int64), like.logs[i], like.rows[i], like.arrays[i], places, addresses[i])
                for i, log in enumerate(logs)
            ):
                self._misses = 0
                return RepeatedBlock(like.trace, replace(like.rest, block=block, addresses=addresses)), like
        return None

    def _decode(
        self, block: tuple[int, int, int], logs: Sequence[Words], arrays: Arrays
    ) -> tuple[BlockTrace, _Like | None]:
        trace, slots_of = laid_out(self._expander, BlockLogs(logs), arrays, block, self._threads)
        self._misses += 1
        nbytes = sum(words.nbytes for words in logs)
        if not self._has_others or self._misses > _MOST_MISSES or nbytes > _MOST_BYTES:
            self._likes = ()
            return trace, None
        like = self._like(trace, logs, slots_of, arrays)
        self._keep(like)
        return trace, like

    def _keep(self, new: _Like) -> None:
        kept, nbytes = [new], new.nbytes
        for like in self._likes[: _MOST_LIKES - 1]:
            nbytes += like.nbytes
            if nbytes <= _MOST_BYTES:
                kept.append(like)
        self._likes = tuple(kept)

    def _like(
        self, trace: BlockTrace, logs: Sequence[Words], slots_of: list[NDArray[np.int64]], arrays: Arrays
    ) -> _Like:
        is_outside = outside_shared(trace)
        row_of_slot = np.append(np.where(is_outside, np.cumsum(is_outside) - 1, _COMPARED), _COMPARED)
        site_of_slot = np.append(trace.slot_site, -1)  # the last is of a block without requests
        named = {array.name: i for i, array in enumerate(arrays.mapped) if array.space is not Space.SHARED}
        array_of_site = np.array([named.get(site.array, -1) for site in trace.sites], np.int64)
        rows, of_arrays = [], []
        for words, slots in zip(logs, slots_of, strict=True):
            number = (words[::SLOT_WORDS] & np.uint64(0xFFFFFFFF)).astype(np.int64)
            is_own = self._expander.is_moved_alone(number) & (slots >= 0)
            row = np.where(is_own, row_of_slot[np.where(is_own, slots, 0)], _COMPARED)
            sites = site_of_slot[np.where(row >= 0, slots, 0)]
            rows.append(row.astype(np.int64))
            array = np.where(row >= 0, array_of_site[sites], -1)
            of_arrays.append(array)
        kept = [words.view(np.int64).copy() for words in logs]
        moved = [
            np.stack([np.full_like(at, warp), at * SLOT_WORDS + 1, row[at], array[at]], axis=1)
            for warp, (row, array) in enumerate(zip(rows, of_arrays, strict=True))
            for at in (np.flatnonzero(row >= 0),)
        ]
        return _Like(kept, rows, of_arrays, np.concatenate(moved), trace, part_of(trace, is_outside))


def _places(arrays: Arrays) -> NDArray[np.int64]:
    """Of each array its address on the device, its bytes (0 of shared ones) and its virtual address, shape (n, 3)."""
    rows = [
        (real, array.nbytes if array.space is not Space.SHARED else 0, array.base)
        for array, real in zip(arrays.mapped, arrays.real, strict=True)
    ]
    return np.array(rows, np.int64).reshape(-1, 3)


@njit(cache=True, nogil=True)
def _follow(
    log: NDArray[np.int64],
    like: NDArray[np.int64],
    rows: NDArray[np.int64],
    arrays: NDArray[np.int64],
    places: NDArray[np.int64],
    addresses: NDArray[np.int64],
) -> bool:
    """Whether a warp's log is like another one but for the slots that have a row in `addresses`, which are entered."""
    for slot in range(rows.size):
        at = slot * SLOT_WORDS
        if log[at] != like[at]:
            return False
        mask = (log[at] >> 32) & 0xFFFFFFFF
        own, other = log[at + 1 : at + SLOT_WORDS], like[at + 1 : at + SLOT_WORDS]
        if rows[slot] >= 0:
            if not _enter(own, mask, arrays[slot], places, addresses[rows[slot]]):
                return False
            continue
        difference = np.int64(0)
        if mask == 0xFFFFFFFF:
            for lane in range(LANES):
                difference |= own[lane] ^ other[lane]
        else:
            for lane in range(LANES):
                if mask >> lane & 1:
                    difference |= own[lane] ^ other[lane]
        if difference != 0:
            return False
    return True


@njit(cache=True, nogil=True)
def _enter_moved(
    words: NDArray[np.int64],
    begins: NDArray[np.int64],
    moved: NDArray[np.int64],
    places: NDArray[np.int64],
    addresses: NDArray[np.int64],
) -> bool:
    """Enter the slots that have a row into `addresses`; False where that is not sure."""
    for i in range(moved.shape[0]):
        warp, at, row, array = moved[i]
        at += begins[warp]
        mask = (words[at - 1] >> 32) & 0xFFFFFFFF
        if not _enter(words[at : at + LANES], mask, array, places, addresses[warp, row]):
            return False
    return True


@njit(cache=True, nogil=True)
def _enter(
    lanes: NDArray[np.int64], mask: int, array: int, places: NDArray[np.int64], addresses: NDArray[np.int64]
) -> bool:
    """The virtual addresses of one request, as `Arrays.virtual` has them; False where that is not sure."""
    if array >= 0:  # without branches, so that LLVM moves several lanes at once
        distance = places[array, 2] - places[array, 0]
        for lane in range(LANES):
            is_active = (mask >> lane & 1) & (lanes[lane] != INACTIVE)
            reached = min(max(lanes[lane], -FARTHEST), FARTHEST)
            addresses[lane] = reached + distance if is_active else INACTIVE
        return True
    for lane in range(LANES):
        address = lanes[lane]
        if not mask >> lane & 1 or address == INACTIVE:
            addresses[lane] = INACTIVE
            continue
        found = -1
        for i in range(places.shape[0]):
            if places[i, 0] <= address < places[i, 0] + places[i, 1]:
                found = i
        if found < 0:
            return False
        addresses[lane] = address - places[found, 0] + places[found, 2]
    return True
