"""How far the sum of a dot product has come that one thread adds up from slots of shared memory."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.recordings.access import BlockTrace, result_name
from gemmviz.explain.block.timeline import NEVER, Timeline
from gemmviz.trace.frames.access import decode
from gemmviz.trace.frames.regions import Rectangle
from gemmviz.trace.frames.values import Frame


class SlotProgress:
    """Counts the slots whose sums the thread has read: each is a term of the one element of C that it stores."""

    def __init__(self, trace: BlockTrace, timeline: Timeline, part: Rectangle) -> None:
        """`part` is what the block makes of C.

        Raises:
            ValueError: the block makes several elements, has not just one shared array of one row, or several threads
                read that.
        """
        if part.size != 1 or len(timeline.shared) != 1:
            raise ValueError(f"{part.size} elements of the result and {len(timeline.shared)} shared arrays")
        (touched,) = timeline.shared.values()
        self._stored = int(timeline.matrices[result_name(trace.arrays)].stored.min())
        readers = _readers(trace, touched.array.name)
        if touched.array.rows != 1 or len(readers) != 1:
            raise ValueError(f"{len(readers)} threads read {touched.array.rows} rows of {touched.array.name}")
        (self.thread,) = readers
        first = touched.loaded.reshape(-1)
        read = np.flatnonzero(first != NEVER)
        order = read[np.argsort(first[read], kind="stable")]
        self._slots, self._positions = order + touched.box.column_start, first[order].astype(np.int64)
        self.depth, self.part, self._timeline = int(order.size), part, timeline

    def slots(self, until: int) -> tuple[int, ...]:
        """The slots that have been read before a position, in that order."""
        return tuple(self._slots[: self._count(until)].tolist())

    def terms(self, frame: Frame) -> NDArray[np.int32]:
        """Slots read when a frame ends, shape (1, 1)."""
        return self.terms_before(self._timeline.span(frame)[1])

    def terms_before(self, position: int) -> NDArray[np.int32]:
        """Slots read before a position, shape (1, 1)."""
        return np.full((1, 1), self._count(position), np.int32)

    def whole_shares(self, ends: NDArray[np.int64]) -> NDArray[np.float64]:
        """The share of its terms that the sum has been given before each of some positions, shape (n,)."""
        return np.searchsorted(self._positions, ends) / self.depth

    def stored_shares(self, ends: NDArray[np.int64]) -> NDArray[np.float64]:
        """1 where the sum is stored before a position, else 0; shape (n,)."""
        return (self._stored < ends).astype(np.float64)

    def _count(self, until: int) -> int:
        return int(np.searchsorted(self._positions, until))


def _readers(trace: BlockTrace, name: str) -> list[int]:
    """The threads that load from an array."""
    number = next(number for number, array in enumerate(trace.arrays) if array.name == name)
    accesses = decode(trace, np.arange(trace.slot_site.size), (0, trace.addresses.shape[0]))
    threads: list[int] = np.unique(accesses.only((accesses.array == number) & ~accesses.is_store).thread).tolist()
    return threads
