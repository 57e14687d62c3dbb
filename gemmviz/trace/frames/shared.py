"""What shared memory holds at any position of a trace: snapshots at the barriers, stores in between."""

from __future__ import annotations

from bisect import bisect_left, bisect_right

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.recordings.access import (
    OTHER,
    UNKNOWN,
    UNWRITTEN,
    AccessKind,
    BlockTrace,
    MappedArray,
    SharedSnapshot,
)
from gemmviz.trace.frames.history import AccessHistory


class SharedTimeline:
    """The contents of the shared arrays of a trace.

    Raises:
        ValueError: a snapshot is of an array the trace does not have, or not of its shape.
    """

    def __init__(self, trace: BlockTrace, history: AccessHistory) -> None:
        self._arrays = trace.arrays
        self._history = history
        self._taken = _in_order(trace)
        self._computed = OTHER if trace.snapshots else UNKNOWN
        for snapshot in trace.snapshots:
            array = next((a for a in trace.arrays if a.name == snapshot.array), None)
            if array is None:
                raise ValueError(f"there is a snapshot of {snapshot.array}, which is no array of the trace")
            if not snapshot.origin.shape == snapshot.matrix.shape == (array.rows, array.columns):
                raise ValueError(
                    f"the snapshot of {array.name} at epoch {snapshot.epoch} has origin of shape "
                    f"{snapshot.origin.shape} and matrix of shape {snapshot.matrix.shape}: the array has "
                    f"{array.rows} rows and {array.columns} columns"
                )

    def at(self, index: int, position: int, epoch: int) -> SharedSnapshot:
        """What the array with that index holds just before `position`; the answer is labelled with `epoch`.

        A slot stored since the last snapshot holds what the next one shows, unless it is stored again before that:
        then, and where no further snapshot exists, it holds OTHER; of a trace without snapshots UNKNOWN. Before the
        first store everything is UNWRITTEN.
        """
        array = self._arrays[index]
        taken = self._taken.get(array.name, [])
        passed = bisect_right(taken, position, key=_end)
        begin, last = taken[passed - 1] if passed else (0, _unwritten(array))
        done = self._stored(index, begin, position)
        if not done.any():
            return SharedSnapshot(epoch, array.name, last.origin, last.matrix)
        if passed == len(taken):
            return SharedSnapshot(epoch, array.name, np.where(done, self._computed, last.origin), last.matrix)
        end, coming = taken[passed]
        origin = np.where(done, coming.origin, last.origin)
        origin[done & self._stored(index, position, end)] = OTHER
        return SharedSnapshot(epoch, array.name, origin, np.where(done, coming.matrix, last.matrix))

    def at_barrier(self, name: str, epoch: int) -> SharedSnapshot | None:
        """As `Frames.at_barrier`."""
        taken = self._taken.get(name)
        if not taken:
            return None
        place = bisect_left(taken, epoch, key=lambda each: each[1].epoch)
        return taken[min(place, len(taken) - 1)][1]

    def _stored(self, index: int, begin: int, end: int) -> NDArray[np.bool_]:
        """Which slots are stored at positions `begin` to `end` - 1, shape (rows, columns)."""
        array = self._arrays[index]
        track = self._history.track(index, AccessKind.STORE)
        stored = np.zeros((array.rows, array.columns), np.bool_)
        box = track.box
        inside = np.zeros(box.size, np.bool_)
        inside[track.between(begin, end)] = True
        stored[box.row_start : box.row_stop, box.column_start : box.column_stop] = inside.reshape(box.rows, box.columns)
        return stored


def _in_order(trace: BlockTrace) -> dict[str, list[tuple[int, SharedSnapshot]]]:
    """The snapshots of each array with the positions at which they were taken: the ends of their epochs."""
    ordered = sorted(trace.snapshots, key=lambda snapshot: snapshot.epoch)
    slots = np.searchsorted(trace.slot_epoch, [snapshot.epoch for snapshot in ordered], side="right")
    taken: dict[str, list[tuple[int, SharedSnapshot]]] = {}
    for slot, snapshot in zip(slots.tolist(), ordered, strict=True):
        taken.setdefault(snapshot.array, []).append((slot * trace.addresses.shape[0], snapshot))
    return taken


def _end(taken: tuple[int, SharedSnapshot]) -> int:
    return taken[0]


def _unwritten(array: MappedArray) -> SharedSnapshot:
    shape = (array.rows, array.columns)
    return SharedSnapshot(-1, array.name, np.full(shape, UNWRITTEN, np.int64), np.zeros(shape, np.int8))
