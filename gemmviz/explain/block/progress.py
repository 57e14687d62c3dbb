"""How far the sums of a block have come: how many of the K products of each have been added."""

from __future__ import annotations

from bisect import bisect_left

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.elements import element_name
from gemmviz.domain.recordings.access import AccessKind, BlockTrace, MappedArray, Space, result_name
from gemmviz.explain.block.timeline import NEVER, Timeline, accesses_of
from gemmviz.trace.frames.regions import Rectangle
from gemmviz.trace.frames.values import FACTORS, Frame

LARGEST = 1 << 17
"""Elements of A and B that a block loads, up to which each sum is counted for itself."""

Positions = NDArray[np.int32]
"""When each element of A (part.rows, K) or of B (K, part.columns) is first read as a factor."""


class ProductProgress:
    """Counts products whose factors have both been read: from global memory, or from the slots that keep them."""

    def __init__(
        self, trace: BlockTrace, timeline: Timeline, part: Rectangle, depth: int, kept: frozenset[str]
    ) -> None:
        """`part` is what the block makes of C, `depth` is K, `kept` the matrices that go through shared memory.

        Raises:
            ValueError: the block does not load exactly the rows of A and the columns of B that its part of C needs.
        """
        a, b, c = (timeline.matrices[name] for name in (*FACTORS, result_name(trace.arrays)))
        rows = Rectangle(part.row_start, part.row_stop, 0, depth)
        columns = Rectangle(0, depth, part.column_start, part.column_stop)
        if a.box != rows or b.box != columns:
            raise ValueError(f"loads {a.box} of A and {b.box} of B: its part of C needs {rows} and {columns}")
        self.depth, self.part = depth, part
        self._timeline = timeline
        self._maker = c.stored % timeline.warps
        self._stores = np.sort(c.stored, axis=None)
        self._read = {"A": a.loaded, "B": b.loaded}
        if kept:
            there = _first_reads(trace, timeline, {"A": a.box, "B": b.box})
            self._read |= {name: there[name] for name in kept}
        self._latest = {"A": self._read["A"].max(axis=0), "B": self._read["B"].max(axis=1)}
        self._earliest = {"A": self._read["A"].min(axis=0), "B": self._read["B"].min(axis=1)}

    def terms(self, frame: Frame) -> NDArray[np.int32]:
        """Products added when a frame ends, shape (part.rows, part.columns).

        Of a frame that ends within a slot, the sums of warps that come to it later have what they had before it.
        Where a block is large, all its sums show what every one of them has at least.
        """
        begun, _, turn = self._ends(frame)
        now = self._before(frame)
        return now if not turn else np.where(self._maker < turn, now, self._until(begun))

    def terms_before(self, position: int) -> NDArray[np.int32]:
        """Products added before a position, in the slots that all warps have run there; shape as of `terms`."""
        return self._until(position - position % self._timeline.warps)

    def whole_steps(self, until: int) -> tuple[int, int]:
        """The products that every sum has been given before a position, and the position at which that was so first.

        Of a slot that not all warps have run there, none counts.
        """
        slots = np.maximum(self._latest["A"], self._latest["B"]) // self._timeline.warps
        done = slots[slots < until // self._timeline.warps]
        return done.size, (int(done.max(initial=-1)) + 1) * self._timeline.warps

    def whole_shares(self, ends: NDArray[np.int64]) -> NDArray[np.float64]:
        """The share of its K products that every sum has been given before each of some positions, shape (n,).

        Counts as `whole_steps` does.
        """
        slots = np.sort(np.maximum(self._latest["A"], self._latest["B"]) // self._timeline.warps)
        return np.searchsorted(slots, ends // self._timeline.warps) / self.depth

    def stored_shares(self, ends: NDArray[np.int64]) -> NDArray[np.float64]:
        """The share of the block's elements of the result that are stored before each of some positions, shape (n,)."""
        return np.searchsorted(self._stores, ends) / self._stores.size

    def order(self, frame: Frame, row: int, column: int) -> tuple[int, ...]:
        """The products k added to one sum when a frame ends, in the order in which both factors had been read.

        Raises:
            ValueError: the element of C is not the block's.
        """
        if not self.part.holds(row, column):
            raise ValueError(f"{element_name('C', row, column)} is not in {self.part}")
        at = row - self.part.row_start, column - self.part.column_start
        both = np.maximum(self._read["A"][at[0]], self._read["B"][:, at[1]])
        begun, end, turn = self._ends(frame)
        until = end if not turn or self._maker[at] < turn else begun
        order = np.argsort(both, kind="stable")
        return tuple(order[both[order] < until].tolist())

    def _ends(self, frame: Frame) -> tuple[int, int, int]:
        """Where a frame's last slot begins, where the frame ends, and how many warps have run that slot: 0 for all."""
        end, warps = self._timeline.span(frame)[1], self._timeline.warps
        return end - end % warps, end, end % warps

    def _before(self, frame: Frame) -> NDArray[np.int32]:
        return self._until(self._ends(frame)[1])

    def _until(self, until: int) -> NDArray[np.int32]:
        a, b = self._read["A"], self._read["B"]
        least, most = (
            int(np.sum((ends["A"] < until) & (ends["B"] < until))) for ends in (self._latest, self._earliest)
        )
        if least == most or a.size + b.size > LARGEST:
            return np.full((a.shape[0], b.shape[1]), least, np.int32)
        both = (a < until).astype(np.float32) @ (b < until).astype(np.float32)
        return both.astype(np.int32)


def kept_in_shared(trace: BlockTrace) -> frozenset[str]:
    """The matrices of which elements lie in shared memory at some barrier."""
    found: set[int] = set()
    for snapshot in trace.snapshots:
        if len(found) == len(FACTORS):
            break
        found |= set(np.unique(snapshot.matrix[snapshot.origin >= 0]).tolist())
    return frozenset(FACTORS[matrix] for matrix in found)


def _first_reads(trace: BlockTrace, timeline: Timeline, boxes: dict[str, Rectangle]) -> dict[str, Positions]:
    """When each element of A and B in its box is first loaded from a shared slot that holds it."""
    found = {name: np.full(box.size, NEVER, np.int32) for name, box in boxes.items()}
    for array in trace.arrays:
        if array.space is not Space.SHARED:
            continue
        snapshots = [snapshot for snapshot in trace.snapshots if snapshot.array == array.name]
        ends = [snapshot.epoch for snapshot in snapshots]
        for epoch, slots, positions in _first_loads(trace, array, timeline.warps):
            if not snapshots:
                continue
            # What it holds when an epoch ends, or at the last barrier before.
            taken = snapshots[min(bisect_left(ends, epoch), len(snapshots) - 1)]
            origin, matrix = (column.reshape(-1)[slots] for column in (taken.origin, taken.matrix))
            for number, name in enumerate(FACTORS):
                here = (origin >= 0) & (matrix == number)
                box, columns = boxes[name], timeline.matrices[name].array.columns
                row, column = np.divmod(origin[here], columns)
                inside = (row >= box.row_start) & (row < box.row_stop) & (column >= box.column_start)
                inside &= column < box.column_stop
                cell = ((row - box.row_start) * box.columns + column - box.column_start)[inside]
                np.minimum.at(found[name], cell, positions[here][inside].astype(np.int32))
    return {name: first.reshape(boxes[name].rows, boxes[name].columns) for name, first in found.items()}


def _first_loads(
    trace: BlockTrace, array: MappedArray, warps: int
) -> list[tuple[int, NDArray[np.int64], NDArray[np.int64]]]:
    """For each epoch the slots of a shared array that are loaded in it, and the position of the first load of each."""
    loads: list[tuple[int, NDArray[np.int64], NDArray[np.int64]]] = []
    for position, element, span in accesses_of(trace, array, AccessKind.LOAD):
        epochs = trace.slot_epoch[position // warps]
        starts = np.flatnonzero(np.diff(epochs, prepend=-1))
        for begin, end in zip(starts.tolist(), [*starts[1:].tolist(), position.size], strict=True):
            first = np.full(array.rows * array.columns, NEVER, np.int64)
            cell, at = element[begin:end][::-1], position[begin:end][::-1]
            for beside in range(span):  # of repeated slots the last one stays, so the earliest comes last
                first[cell + beside] = np.minimum(first[cell + beside], at) if beside else at
            slots = np.flatnonzero(first != NEVER)
            loads.append((int(epochs[begin]), slots, first[slots]))
    return loads
