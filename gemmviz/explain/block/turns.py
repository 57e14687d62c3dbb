"""What the threads of a small block read where they race, if they took turns: each ran up to the next barrier before
the next one began, as on a CPU; or each warp did, as on the PTX machine. What they stored shows whether they did.
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
SharedAccess = tuple[int, Slot, int, int]
"""Epoch, what is accessed, thread, slot of the trace."""


@dataclass(frozen=True, slots=True)
class RacedSlot:
    """What lies in a raced slot `before` and `after` it is stored in an epoch; None for nothing. `is_read_first`:
    whether the program reads it before it stores it, so that what lay there before is right.
    """

    before: Element | None
    after: Element | None
    is_read_first: bool


@dataclass(frozen=True, eq=False)
class Turns:
    """The threads of a block one after the other, `together` at a time: 1, or the lanes of a warp. `a` and `b` are the
    inputs, `c` is what the block stored.
    """

    frames: Frames
    a: Floats
    b: Floats
    c: Floats
    together: int = 1

    @cached_property
    def rounding(self) -> Rounding | None:
        """How the threads rounded if they took turns; None where their sums would have been others than those in C."""
        if not any(self.raced.values()) or any(writer < 0 for writer, _ in self._writers.values()):
            return None
        last, makers = len(self.frames) - 1, makers_of(self.frames)
        for rounding in Rounding:
            made = set[tuple[int, int]]()
            for found in (found for thread in makers for found in self.sums_of(thread, last, rounding)):
                at = found.row, found.column
                if at in made or np.float32(found.total).tobytes() != self.c[at].tobytes():
                    break  # the first other sum tells; the sums of a block take long
                made.add(at)
            else:
                return rounding
        return None

    @cached_property
    def raced(self) -> Mapping[int, Mapping[Slot, RacedSlot]]:
        """By epoch the shared slots in which some thread finds something else than the order of the program has there:
        it reads them before another one stores them, or after that.
        """
        found: dict[int, dict[Slot, RacedSlot]] = {}
        for epoch, slot, thread, at in self._accesses(AccessKind.LOAD):
            if slot not in found.get(epoch, {}) and self._is_overtaken(epoch, slot, thread, at):
                raced = RacedSlot(
                    self.before(epoch, slot), self._after(epoch, slot), not self._is_stored(epoch, slot, at)
                )
                found.setdefault(epoch, {})[slot] = raced
        return found

    def before(self, epoch: int, slot: Slot) -> Element | None:
        """The element of A or B that lay in a slot when an epoch began; None for nothing."""
        return lying(self.frames, *slot, epoch - 1) if epoch else None

    def sums_of(self, thread: int, index: int, rounding: Rounding) -> tuple[Sum, ...]:
        """As `sums_of` of the frames, with what the thread found in shared memory."""
        found = sums_of(self.frames, thread, index, self.a, self.b, None, self.c, self._lies)
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
        for epoch, slot, reader, at in self._accesses(AccessKind.LOAD):
            if self._is_overtaken(epoch, slot, reader, at):
                both = self.before(epoch, slot), self._after(epoch, slot)
                read, wanted = both if self._is_stored(epoch, slot, at) else reversed(both)
                if wanted is not None:
                    found.setdefault(reader, {})[wanted] = read
        return found

    def _is_overtaken(self, epoch: int, slot: Slot, thread: int, at: int) -> bool:
        """Whether a thread that reads at slot `at` of the trace meets a store in another order than the program has."""
        writer, _ = self._writers.get((epoch, slot), (thread, at))
        turn, of_writer = thread // self.together, writer // self.together
        return turn != of_writer and (of_writer < turn) is not self._is_stored(epoch, slot, at)

    def _is_stored(self, epoch: int, slot: Slot, at: int) -> bool:
        """Whether the program stores a slot in an epoch before it reads it at slot `at` of the trace."""
        _, stored = self._writers.get((epoch, slot), (0, at))
        return stored < at

    def _after(self, epoch: int, slot: Slot) -> Element | None:
        return lying(self.frames, *slot, epoch)

    def _lies(self, name: str, row: int, column: int, at: int) -> Element | None:
        """What a slot of shared memory holds at slot `at` of the trace in the order of the program."""
        epoch, slot = int(self.frames.trace.slot_epoch[at]), (name, row, column)
        is_before = (epoch, slot) in self._writers and not self._is_stored(epoch, slot, at)
        return self.before(epoch, slot) if is_before else self._after(epoch, slot)

    @cached_property
    def _writers(self) -> Mapping[tuple[int, Slot], tuple[int, int]]:
        """By epoch and slot the thread that stores there, -1 for several, and the slot of the trace at which it does
        first.
        """
        found: dict[tuple[int, Slot], tuple[int, int]] = {}
        for epoch, slot, thread, at in self._accesses(AccessKind.STORE):
            writer, first = found.get((epoch, slot), (thread, at))
            found[epoch, slot] = (writer if writer == thread else -1), first
        return found

    def _accesses(self, kind: AccessKind) -> Sequence[SharedAccess]:
        """The accesses of a kind to shared memory."""
        return self._of_kind[kind is AccessKind.STORE]

    @cached_property
    def _of_kind(self) -> tuple[Sequence[SharedAccess], Sequence[SharedAccess]]:
        trace = self.frames.trace
        return _shared(trace, is_store=False), _shared(trace, is_store=True)


def _shared(trace: BlockTrace, *, is_store: bool) -> Sequence[SharedAccess]:
    sites = [s.index for s in trace.sites if s.space is Space.SHARED and (s.kind is AccessKind.STORE) is is_store]
    found = decode(trace, np.flatnonzero(np.isin(trace.slot_site, sites)), (0, trace.addresses.shape[0]))
    elements, which = found.elements()
    numbers = zip(
        trace.slot_epoch[found.slot[which]].tolist(),
        found.array[which].tolist(),
        elements.tolist(),
        found.thread[which].tolist(),
        found.slot[which].tolist(),
        strict=True,
    )
    return [
        (epoch, (trace.arrays[array].name, *divmod(element, trace.arrays[array].columns)), thread, at)
        for epoch, array, element, thread, at in numbers
        if array >= 0
    ]
