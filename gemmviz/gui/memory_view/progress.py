"""How far the sums of a block have come: how many of the K products of each have been added for certain."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.access import AccessKind, BlockTrace, Space
from gemmviz.gui.memory_view.glide import MATRICES
from gemmviz.gui.memory_view.timeline import Timeline
from gemmviz.trace.frame_plan import FrameMode
from gemmviz.trace.frame_regions import Rectangle
from gemmviz.trace.frame_values import Frame

LARGEST = 1 << 17
"""Elements of A and B that a block loads, up to which each sum is counted for itself."""


class Progress:
    """Counts products whose factors have been read: from global memory, or from the shared slots that keep them."""

    def __init__(self, trace: BlockTrace, timeline: Timeline, part: Rectangle, depth: int) -> None:
        """`part` is what the block makes of C, `depth` is K.

        Raises:
            ValueError: the block does not load exactly the rows of A and the columns of B that its part of C needs.
        """
        a, b = timeline.matrices["A"], timeline.matrices["B"]
        rows = Rectangle(part.row_start, part.row_stop, 0, depth)
        columns = Rectangle(0, depth, part.column_start, part.column_stop)
        if a.box != rows or b.box != columns:
            raise ValueError(f"loads {a.box} of A and {b.box} of B: its part of C needs {rows} and {columns}")
        self.depth = depth
        self._timeline, self._epochs = timeline, trace.slot_epoch
        self._loaded = {"A": a.loaded, "B": b.loaded}
        self._latest = {"A": a.loaded.max(axis=0), "B": b.loaded.max(axis=1)}
        self._earliest = {"A": a.loaded.min(axis=0), "B": b.loaded.min(axis=1)}
        self._kept = kept_in_shared(trace)
        self._readings = epochs_that_read(trace)

    def terms(self, frame: Frame) -> NDArray[np.int32]:
        """Products added when a frame ends, shape (part.rows, part.columns).

        Where a block is large, all its sums show what every one of them has at least.
        """
        begin, end = self._timeline.span(frame)
        # A request is one warp's; the others come to the same slot after it.
        fetched = begin - begin % self._timeline.warps if frame.mode is FrameMode.REQUEST else end
        until = {name: self._read_before(frame) if name in self._kept else fetched for name in MATRICES}
        a, b = self._loaded["A"], self._loaded["B"]
        least, most = (
            int(np.sum((ends["A"] < until["A"]) & (ends["B"] < until["B"]))) for ends in (self._latest, self._earliest)
        )
        if least == most or a.size + b.size > LARGEST:
            return np.full((a.shape[0], b.shape[1]), least, np.int32)
        both = (a < until["A"]).astype(np.float32) @ (b < until["B"]).astype(np.float32)
        return both.astype(np.int32)

    def _read_before(self, frame: Frame) -> int:
        """The position before which what was loaded into shared memory has been read there, too, by the frame's end.

        An epoch counts once it is over; if only one factor comes from shared memory, the other one's loads tell.
        """
        is_whole = frame.mode is FrameMode.PHASE or frame.ends_at_barrier
        is_told = frame.mode is FrameMode.STEP and len(self._kept) < len(MATRICES)
        past = int(np.searchsorted(self._readings, frame.epoch, side="right" if is_whole or is_told else "left"))
        if past == 0:
            return 0
        return int(np.searchsorted(self._epochs, int(self._readings[past - 1]))) * self._timeline.warps


def kept_in_shared(trace: BlockTrace) -> frozenset[str]:
    """The matrices of which elements lie in shared memory at some barrier."""
    found: set[int] = set()
    for snapshot in trace.snapshots:
        if len(found) == len(MATRICES):
            break
        found |= set(np.unique(snapshot.matrix[snapshot.origin >= 0]).tolist())
    return frozenset(MATRICES[matrix] for matrix in found)


def epochs_that_read(trace: BlockTrace) -> NDArray[np.int32]:
    """The epochs with loads from shared memory, ascending."""
    sites = [site.index for site in trace.sites if site.space is Space.SHARED and site.kind is AccessKind.LOAD]
    return np.unique(trace.slot_epoch[np.isin(trace.slot_site, sites)])
