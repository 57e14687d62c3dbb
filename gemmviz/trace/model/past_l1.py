"""What `cp.async.cg` costs, which brings 16 bytes for each lane from L2 into shared memory and leaves nothing in L1.

The sectors of such a request depend on where it writes: each 128-byte line that is read is counted once for every
aligned 32-byte piece of shared memory that gets something of it. Rows that begin 16 bytes askew cost five sectors for
128 bytes, not four. L2 sends even more: a sector for each such piece, and once more where it gets the same 16 bytes
twice. `cp.async.ca` costs the sectors that it reads, like a load.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.recordings.access import INACTIVE
from gemmviz.trace.model.rules import COPIED_BYTES, LANES, LINE_BYTES, SECTOR_BYTES, Counts, Requests, check_requests

_EARLIER = np.tri(LANES, k=-1, dtype=np.bool_)
"""Of two lanes, whether the second one comes before the first."""


@dataclass(frozen=True, slots=True, eq=False)
class CopiesPastL1:
    """Of n copies: which lanes are the first that something is done for, shape (n, 32).

    `counts`: the first lane that brings something of its line to its piece of shared memory. `is_sent`: the first lane
    that a sector is sent for to its piece; another that wants the same half of it there has it sent once more.
    """

    counts: NDArray[np.bool_]
    is_sent: NDArray[np.bool_]

    @property
    def counted(self) -> Counts:
        """Sectors of each request as they are counted."""
        found: Counts = np.count_nonzero(self.counts, axis=1)
        return found

    @property
    def sent(self) -> Counts:
        """Sectors that L2 sends for each request."""
        found: Counts = np.count_nonzero(self.is_sent, axis=1)
        return found


def copies_past_l1(sources: Requests, targets: Requests) -> CopiesPastL1:
    """What copies do by what their lanes read and where they write.

    A lane that reads nothing (it writes zeros) is INACTIVE in `sources`.

    Raises:
        ValueError: the addresses have other shapes or types.
    """
    check_requests(sources, COPIED_BYTES)
    check_requests(targets, COPIED_BYTES)
    if sources.shape != targets.shape:
        raise ValueError(f"{len(sources)} requests that write in {len(targets)}: give as many of both")
    reads = sources != INACTIVE
    half = sources // COPIED_BYTES
    before = _agree(targets // SECTOR_BYTES) & _EARLIER & reads[:, None, :]  # and bring to the same piece
    again = before & _agree(half)
    time = np.count_nonzero(again, axis=2).astype(np.int8)
    counts = reads & ~(before & _agree(sources // LINE_BYTES)).any(axis=2)
    is_sent = reads & ~(before & _agree(sources // SECTOR_BYTES) & _agree(time)).any(axis=2)
    return CopiesPastL1(counts, is_sent)


def _agree(figures: NDArray[np.int64] | NDArray[np.int8]) -> NDArray[np.bool_]:
    """Whether two lanes have the same figure, shape (n, 32, 32)."""
    agree: NDArray[np.bool_] = figures[:, :, None] == figures[:, None, :]
    return agree
