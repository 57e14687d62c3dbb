"""The cells of recorded warps: how many slots each has filled, may fill, and where they lie."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gemmviz.machine.log import SLOT_BYTES, SLOT_WORDS
from gemmviz.trace.ptx.decoding.log import Words

Counts = NDArray[np.int64]
"""Slots of each warp, shape (blocks, warps)."""

CELL = np.dtype([("count", np.uint32), ("room", np.uint32), ("slots", np.uint64)])


def counting_cells(blocks: int, warps: int) -> NDArray[np.void]:
    """Cells without room: what would be written is counted. Shape (blocks · warps,)."""
    return np.zeros(blocks * warps, CELL)


def recording_cells(room: Counts, address: int) -> NDArray[np.void]:
    """Cells for exactly `room` slots of each warp, one warp's behind the other's from `address` on."""
    cells = np.zeros(room.size, CELL)
    flat = room.reshape(-1)
    cells["room"] = flat
    cells["slots"] = address + SLOT_BYTES * (np.cumsum(flat) - flat)
    return cells


def block_table(blocks: int, chosen: Sequence[int] | NDArray[np.int32]) -> NDArray[np.int32]:
    """For each block of the grid its number among the chosen ones, or -1."""
    table = np.full(blocks, -1, np.int32)
    table[np.asarray(chosen)] = np.arange(len(chosen), dtype=np.int32)
    return table


def logs_of(words: Words, room: Counts, filled: Counts) -> list[list[Words]]:
    """The words of each block's warps. `words` are all slots; a warp filled `filled` of its `room`."""
    ends = SLOT_WORDS * np.cumsum(room.reshape(-1)).reshape(room.shape)
    begins = ends - SLOT_WORDS * room
    return [
        [
            words[begin : begin + SLOT_WORDS * count]
            for begin, count in zip(begins[block].tolist(), filled[block].tolist(), strict=True)
        ]
        for block in range(room.shape[0])
    ]


def in_batches(slots: NDArray[np.int64], most_bytes: int) -> list[slice]:
    """Runs of blocks whose slots, shape (blocks,), take at most so many bytes together; at least one block each."""
    found: list[slice] = []
    begin, size = 0, 0
    for block, nbytes in enumerate((slots * SLOT_BYTES).tolist()):
        if block > begin and size + nbytes > most_bytes:
            found.append(slice(begin, block))
            begin, size = block, 0
        size += nbytes
    if slots.size:
        found.append(slice(begin, slots.size))
    return found
