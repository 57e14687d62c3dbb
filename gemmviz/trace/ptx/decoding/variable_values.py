"""From what the warps of a block wrote down of their variables to columns, in the slots of the block's trace."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.recordings.access import BlockTrace, Space
from gemmviz.domain.recordings.variables import Scalar, VariableValues
from gemmviz.domain.recordings.warp import LANES
from gemmviz.machine.log import SLOT_WORDS
from gemmviz.machine.watched import NOT_WRITTEN
from gemmviz.trace.ptx.decoding.decode import Arrays
from gemmviz.trace.ptx.decoding.log import Words
from gemmviz.trace.ptx.probing.probes import Probe
from gemmviz.trace.ptx.probing.variable_plan import VariablePlan

MOST_ROWS = 1 << 17
"""Changes of a scalar in a warp, of all together: 35 MB."""
_WORD = 0xFFFFFFFF


@dataclass(frozen=True, slots=True, eq=False)
class Changes:
    """A warp's changes in order, columns of shape (n,) and bits (n, 32): `event` counts the warp's accesses, barriers
    and other steps that come before.
    """

    cell: NDArray[np.int64]
    event: NDArray[np.int64]
    lanes: NDArray[np.int64]
    bits: NDArray[np.int64]


def split_log(words: Words, first: int) -> tuple[Words, Changes]:
    """A warp's log without the slots numbered from `first` on, which are changes, and these."""
    slots = words.reshape(-1, SLOT_WORDS)
    number = (slots[:, 0] & np.uint64(_WORD)).astype(np.int64)
    is_change = number >= first
    event = np.cumsum(~is_change, dtype=np.int64)[is_change]
    changed = slots[is_change]
    lanes = (changed[:, 0] >> np.uint64(32)).astype(np.int64)
    changes = Changes(number[is_change] - first, event, lanes, changed[:, 1:].view(np.int64).copy())
    return np.ascontiguousarray(slots[~is_change]).reshape(-1), changes


@dataclass(frozen=True, slots=True, eq=False)
class WarpValues:
    """What a warp wrote down, one after the other, columns of shape (n,): the number of the probe, the first lane that
    took part, and the slot of the trace, -1 where it has none.
    """

    probe: NDArray[np.int32]
    lane: NDArray[np.int64]
    slot: NDArray[np.int64]


def steps_of(words: Words, slots: NDArray[np.int64], probe_of_number: NDArray[np.int32]) -> WarpValues:
    """The steps of a warp from its log without changes."""
    head = words[::SLOT_WORDS]
    mask = (head >> np.uint64(32)).astype(np.int64)
    lowest = mask & -mask
    lane = np.log2(np.maximum(lowest, 1)).astype(np.int64)
    return WarpValues(probe_of_number[(head & np.uint64(_WORD)).astype(np.int64)], lane, slots)


@dataclass(slots=True)
class ValueMaker:
    """Makes the columns of one block. `shared_address` is the full address of its shared memory."""

    plan: VariablePlan
    probes: Sequence[Probe]
    arrays: Arrays
    shared_address: int

    def values(
        self, trace: BlockTrace, steps: Sequence[WarpValues], changes: Sequence[Changes], warps: int, note: str
    ) -> VariableValues:
        """What the first `warps` warps of a block wrote down, or as many of them as there is room for."""
        counts = np.cumsum([self._count(one) for one in changes[:warps]])
        kept = int(np.searchsorted(counts, MOST_ROWS, side="right"))
        sets: dict[tuple[int, ...], int] = {}
        slots, every = trace.slot_site.size, len(changes)
        known = np.zeros((kept, slots), np.int32)
        at_end = np.zeros(trace.threads, np.int32)
        rows: list[tuple[NDArray[np.int64], ...]] = []
        for warp in range(kept):
            callers = _Callers(self.plan, changes[warp])
            self._enter_known(known[warp], steps[warp], callers, sets)
            for lane, members in self._known_at_end(changes[warp], callers):
                if warp * LANES + lane < trace.threads:
                    at_end[warp * LANES + lane] = sets.setdefault(members, len(sets) + 1)
            rows.append(self._rows(warp, changes[warp], steps[warp].slot, slots))
        warp_of, slot_of, cell, lanes, bits = (np.concatenate(column) for column in zip(*rows, strict=True))
        sizes = [len(members) for members in sets]
        if kept < every:
            which = "warp 0" if kept == 1 else f"warps 0 to {kept - 1}"
            few = f"Values of {which} of {every} are recorded, because those of all take too much memory."
            note = f"{note} {few}".strip()
        return VariableValues(
            tuple(self.plan.variables),
            kept,
            np.concatenate([[0], np.cumsum(sizes)]).astype(np.int32),
            np.array([one for members in sets for one in members], np.int32),
            known.reshape(-1),
            at_end,
            warp_of.astype(np.int32),
            slot_of.astype(np.int32),
            cell.astype(np.int32),
            lanes,
            bits.reshape(-1),
            note,
        )

    def fits(self, changes: Sequence[Changes]) -> bool:
        """Whether there is room for the first warp."""
        return self._count(changes[0]) <= MOST_ROWS

    def _count(self, changes: Changes) -> int:
        return int((changes.cell < self.plan.cells).sum())

    def _enter_known(
        self, known: NDArray[np.int32], steps: WarpValues, callers: _Callers, sets: dict[tuple[int, ...], int]
    ) -> None:
        """Which set of variables is known in the slot of each of a warp's accesses and barriers."""
        point = np.full(len(self.probes) + 1, -1, np.int64)
        set_of = np.zeros(len(self.probes) + 1, np.int32)
        for index, probe in enumerate(self.probes):
            number = self.plan.number_of.get(probe.statement.start, -1) if probe.statement is not None else -1
            if number >= 0 and self.plan.points[number].function in self.plan.callers:
                point[index] = number
            elif number >= 0 and np.any(steps.probe == index):
                set_of[index] = sets.setdefault(self.plan.points[number].known, len(sets) + 1)
        there = steps.slot >= 0
        known[steps.slot[there]] = set_of[steps.probe[there]]
        for event in np.flatnonzero(there & (point[steps.probe] >= 0)).tolist():  # who called differs
            number = int(point[steps.probe[event]])
            found = callers.before(event, int(steps.lane[event]), self.plan.points[number].function)
            known[steps.slot[event]] = sets.setdefault(self.plan.known_at(number, found), len(sets) + 1)

    def _known_at_end(self, changes: Changes, callers: _Callers) -> Iterator[tuple[int, tuple[int, ...]]]:
        for row in np.flatnonzero(changes.cell == self.plan.ends).tolist():
            for lane in (one for one in range(LANES) if changes.lanes[row] >> one & 1):
                number = int(changes.bits[row, lane])
                found = callers.before(int(changes.event[row]), lane, self.plan.points[number].function)
                yield lane, self.plan.known_at(number, found)

    def _rows(
        self, warp: int, changes: Changes, slot_of: NDArray[np.int64], slots: int
    ) -> tuple[NDArray[np.int64], ...]:
        """Columns of the changes of scalars of variables: warp, slot, cell, lanes, bits."""
        following = np.append(np.where(slot_of < 0, slots, slot_of), slots)
        following = np.minimum.accumulate(following[::-1])[::-1]
        lanes, bits = changes.lanes.copy(), changes.bits.copy()
        in_memory = {one.number for each in self.plan.watched.values() for one in each if one.is_in_memory}
        for variable in self.plan.variables:
            here = (changes.cell >= variable.first) & (changes.cell < variable.first + variable.count)
            if not here.any():
                continue
            if variable.count and variable.first in in_memory:
                is_new = _is_written(bits[here], variable.nbytes)
                lanes[here] &= np.packbits(is_new, axis=1, bitorder="little").view(np.uint32)[:, 0].astype(np.int64)
            if variable.nbytes < 8:
                bits[here] &= (1 << 8 * variable.nbytes) - 1
            if variable.scalar is Scalar.POINTER:
                bits[here] = self._virtual(bits[here])
        stays = (changes.cell < self.plan.cells) & (lanes != 0)
        active = (lanes[stays][:, None] >> np.arange(LANES)) & 1 != 0
        return (
            np.full(int(stays.sum()), warp, np.int64),
            following[changes.event[stays]],
            changes.cell[stays],
            lanes[stays],
            np.where(active, bits[stays], 0),
        )

    def _virtual(self, addresses: NDArray[np.int64]) -> NDArray[np.int64]:
        """Pointers as virtual addresses; -1 where they point to no array and not behind the last element of one."""
        found = np.full_like(addresses, -1)
        for array, real in zip(self.arrays.mapped, self.arrays.real, strict=True):
            begin = real + (self.shared_address if array.space is Space.SHARED else 0)
            end = begin + array.nbytes + (array.space is not Space.SHARED)
            inside = (addresses >= begin) & (addresses < end)
            found = np.where(inside, addresses - begin + array.base, found)
        return found


def _is_written(bits: NDArray[np.int64], nbytes: int) -> NDArray[np.bool_]:
    """Whether something was stored where these values lie; see machine.watched."""
    if nbytes == 8:
        found: NDArray[np.bool_] = bits != (NOT_WRITTEN << 32 | NOT_WRITTEN)
        return found
    word = bits >> 32 if nbytes < 4 else bits
    return np.asarray((word & _WORD) != NOT_WRITTEN, np.bool_)


class _Callers:
    """By which calls the functions of a warp were called last."""

    def __init__(self, plan: VariablePlan, changes: Changes) -> None:
        self._plan = plan
        self._rows: dict[str, tuple[list[int], list[int], NDArray[np.int64]]] = {}
        for name, cell in plan.callers.items():
            here = np.flatnonzero(changes.cell == cell)
            if here.size:
                self._rows[name] = (changes.event[here].tolist(), changes.lanes[here].tolist(), changes.bits[here])

    def before(self, event: int, lane: int, function: str) -> Mapping[str, int]:
        """The number of the call for each function that a lane is in before an event, from `function` outwards."""
        found: dict[str, int] = {}
        while function in self._rows and function not in found:
            events, masks, bits = self._rows[function]
            row = int(np.searchsorted(events, event, side="right")) - 1
            while row >= 0 and not masks[row] >> lane & 1:
                row -= 1
            if row < 0:
                break
            found[function] = int(bits[row, lane])
            function = self._plan.points[found[function]].function
        return found
