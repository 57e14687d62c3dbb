"""What the threads of a small block read where they race, if they took turns: each ran up to the next barrier before
the next one began, as on a CPU. Whether they did is seen from what they stored.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from gemmviz.domain.recordings.access import AccessKind, BlockTrace, Space
from gemmviz.explain.block.arithmetic import Element, Floats, Sum, Term, lying, makers_of, sums_of
from gemmviz.explain.block.rounding import Rounding
from gemmviz.trace.frames.access import decode
from gemmviz.trace.frames.frames import Frames

Slot = tuple[str, int, int]
"""A shared array, row, column."""


@dataclass(frozen=True, eq=False)
class Turns:
    """The threads of a block one after the other; `a` and `b` are the inputs, `c` is what the block stored."""

    frames: Frames
    a: Floats
    b: Floats
    c: Floats

    @cached_property
    def rounding(self) -> Rounding | None:
        """How the threads rounded if they took turns; None where their sums would have been others than those in C."""
        if not any(self.raced.values()) or any(writer < 0 for writer in self._writers.values()):
            return None
        last, makers = len(self.frames) - 1, makers_of(self.frames)
        for rounding in Rounding:
            made = [found for thread in makers for found in self.sums_of(thread, last, rounding)]
            if len({(found.row, found.column) for found in made}) == len(made) and all(
                np.float32(found.total).tobytes() == self.c[found.row, found.column].tobytes() for found in made
            ):
                return rounding
        return None

    @cached_property
    def raced(self) -> Mapping[int, Sequence[Slot]]:
        """By epoch the shared slots that some thread reads before another one stores them."""
        found: dict[int, dict[Slot, None]] = {}
        for epoch, slot, thread in self._accesses(AccessKind.LOAD):
            if self._writers.get((epoch, slot), thread) > thread:
                found.setdefault(epoch, {})[slot] = None
        return {epoch: tuple(slots) for epoch, slots in found.items()}

    def before(self, epoch: int, slot: Slot) -> Element | None:
        """The element of A or B that lay in a slot when an epoch began; None for nothing."""
        return lying(self.frames, *slot, epoch - 1) if epoch else None

    def sums_of(self, thread: int, index: int, rounding: Rounding) -> tuple[Sum, ...]:
        """As `sums_of` of the frames, with what the thread found in shared memory."""
        found = sums_of(self.frames, thread, index, self.a, self.b, None, self.c)
        read = self._raced_reads.get(thread, {})
        return tuple(self._added(one, read, rounding) for one in found)

    def _added(self, found: Sum, read: Mapping[Element, Element | None], rounding: Rounding) -> Sum:
        total, terms = np.float32(0), list[Term]()
        for term in found.terms:
            wanted: tuple[Element, Element] = ("A", found.row, term.k), ("B", term.k, found.column)
            left, right = (read.get(each, each) for each in wanted)
            values = self._value(left), self._value(right)
            total = rounding.added(*values, total)
            is_as_wanted = (left, right) == wanted
            terms.append(
                replace(
                    term,
                    a=float(values[0]),
                    b=float(values[1]),
                    total=float(total),
                    read=None if is_as_wanted else (left, right),
                )
            )
        return replace(found, terms=tuple(terms))

    def _value(self, element: Element | None) -> np.float32:
        """The number that was read; shared memory holds 0 on a CPU until it is stored to."""
        if element is None:
            return np.float32(0)
        matrix, row, column = element
        return np.float32((self.a if matrix == "A" else self.b)[row, column])

    @cached_property
    def _raced_reads(self) -> Mapping[int, Mapping[Element, Element | None]]:
        """By thread, and by the element that belongs into a slot, what the thread found there instead."""
        found: dict[int, dict[Element, Element | None]] = {}
        for epoch, slot, reader in self._accesses(AccessKind.LOAD):
            if self._writers.get((epoch, slot), reader) > reader:
                wanted = lying(self.frames, *slot, epoch)
                if wanted is not None:
                    found.setdefault(reader, {})[wanted] = self.before(epoch, slot)
        return found

    @cached_property
    def _writers(self) -> Mapping[tuple[int, Slot], int]:
        """By epoch and slot the thread that stores there, -1 for several."""
        found: dict[tuple[int, Slot], int] = {}
        for epoch, slot, thread in self._accesses(AccessKind.STORE):
            found[epoch, slot] = thread if found.get((epoch, slot), thread) == thread else -1
        return found

    def _accesses(self, kind: AccessKind) -> Sequence[tuple[int, Slot, int]]:
        """The accesses of a kind to shared memory: epoch, slot, thread."""
        return self._of_kind[kind is AccessKind.STORE]

    @cached_property
    def _of_kind(self) -> tuple[Sequence[tuple[int, Slot, int]], Sequence[tuple[int, Slot, int]]]:
        trace = self.frames.trace
        return _shared(trace, is_store=False), _shared(trace, is_store=True)


def _shared(trace: BlockTrace, *, is_store: bool) -> Sequence[tuple[int, Slot, int]]:
    sites = [s.index for s in trace.sites if s.space is Space.SHARED and (s.kind is AccessKind.STORE) is is_store]
    found = decode(trace, np.flatnonzero(np.isin(trace.slot_site, sites)), (0, trace.addresses.shape[0]))
    elements, which = found.elements()
    numbers = zip(
        trace.slot_epoch[found.slot[which]].tolist(),
        found.array[which].tolist(),
        elements.tolist(),
        found.thread[which].tolist(),
        strict=True,
    )
    inside = ((epoch, trace.arrays[array], element, thread) for epoch, array, element, thread in numbers if array >= 0)
    return [(epoch, (array.name, *divmod(element, array.columns)), thread) for epoch, array, element, thread in inside]
