"""Records what chosen stores of a kernel write: their operands are watched, and barriers say in which interval."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from threading import Lock

import numpy as np

from gemmviz.domain.recordings.access import INACTIVE
from gemmviz.domain.recordings.warp import LANES
from gemmviz.machine.log import BlockRecord, LogPlan
from gemmviz.machine.ptx.parse import Statement
from gemmviz.machine.watched import WatchedValue, WatchPlan
from gemmviz.trace.ptx.decoding.cluster import BlockLogs
from gemmviz.trace.ptx.decoding.decode import Arrays, laid_out
from gemmviz.trace.ptx.decoding.expand import Expander
from gemmviz.trace.ptx.decoding.variable_values import Changes, split_log, steps_of
from gemmviz.trace.ptx.probing.accesses import What
from gemmviz.trace.ptx.probing.probes import Probe, Probed
from gemmviz.trace.stored_values import Columns, StoredValues

_MOST_ROWS = 1 << 23
"""Bytes that are kept at most: 400 MB of columns."""
_TYPE = re.compile(r"[bfsu](8|16|32|64)")
Record = Callable[[LogPlan, WatchPlan, Callable[[BlockRecord], None]], None]
"""Runs the blocks with what is written down and watched, and shows what each wrote down, in several threads."""


@dataclass(slots=True)
class StoreWatcher:
    """What the stores of some sites write; `log` is what the kernel writes down while it is recorded."""

    probed: Probed
    log: LogPlan
    expander: Expander

    def record(
        self,
        sites: Collection[int],
        run: Record,
        blocks: Sequence[int],
        block_of: Callable[[int], tuple[int, int, int]],
        threads: int,
        arrays: Arrays,
    ) -> StoredValues | None:
        """The values of blocks, given by linear index; None where a store moves what is not watched, or
        where there are too many.
        """
        watched = self._watched(sites)
        if watched is None:
            return None
        found = _Found(self.probed.probes, self.expander, watched, self._first, frozenset(sites))
        lock, places = Lock(), {number: place for place, number in enumerate(blocks)}

        def look(record: BlockRecord) -> None:
            if found.rows <= _MOST_ROWS:
                made = found.of_block(record, places[record.number], block_of(record.number), threads, arrays)
                with lock:
                    found.add(made)

        run(self._shortened({probe for probe, _ in watched}), self._plan(watched), look)
        return found.values() if found.rows <= _MOST_ROWS else None

    @property
    def _first(self) -> int:
        """The number of the first watched value: behind all that the log has."""
        return max((probe.first + len(probe.found.values) for probe in self.probed.probes), default=0)

    def _watched(self, sites: Collection[int]) -> dict[tuple[int, int], tuple[str, int]] | None:
        """The operands of the stores of these sites, by the probe and the place of its first byte, with their bytes."""
        found: dict[tuple[int, int], tuple[str, int]] = {}
        own = {one.start: one for function in self.probed.module.functions for one in function.statements}
        for number, (probe, parts) in enumerate(zip(self.probed.probes, self.expander.sites.of_part, strict=True)):
            others = {self.expander.sites.in_global.get(part, part) for part in parts}
            if not {*parts, *others} & {*sites}:
                continue
            statement = own.get(probe.statement.start) if probe.statement is not None else None
            operands = _stored_operands(statement) if statement is not None else None
            if operands is None or len(probe.found.parts) != 1:
                return None
            names, nbytes = operands
            if len(names) * nbytes != probe.found.parts[0].width_bytes:
                return None
            found |= {(number, place * nbytes): (name, nbytes) for place, name in enumerate(names)}
        return found

    def _shortened(self, watched: Collection[int]) -> LogPlan:
        """What is written down without the accesses that nobody asks for, and without the order of blocks."""
        starts = {
            probe.statement.start
            for number, probe in enumerate(self.probed.probes)
            if probe.statement is not None and (number in watched or probe.found.what is not What.ACCESS)
        }
        return {start: one for start, one in self.log.items() if start in starts or one.is_left_out}

    def _plan(self, watched: dict[tuple[int, int], tuple[str, int]]) -> WatchPlan:
        found: dict[int, list[WatchedValue]] = {}
        for cell, ((probe, _), (name, nbytes)) in enumerate(watched.items()):
            statement = self.probed.probes[probe].statement
            assert statement is not None
            found.setdefault(statement.start, []).append(WatchedValue(self._first + cell, name, nbytes))
        return found


@dataclass(slots=True)
class _Found:
    """The rows of all blocks; `watched` are the cells in their order."""

    probes: tuple[Probe, ...]
    expander: Expander
    watched: dict[tuple[int, int], tuple[str, int]]
    first: int
    sites: frozenset[int]
    rows: int = 0
    _parts: list[Columns] = field(default_factory=list)

    def of_block(
        self, record: BlockRecord, place: int, block: tuple[int, int, int], threads: int, arrays: Arrays
    ) -> Columns:
        """The rows of a block, shape (n, 6): as the columns of `StoredValues`."""
        split = [split_log(words, self.first) for words in record.logs]
        logs = [own for own, _ in split]
        trace, slots_of = laid_out(self.expander, BlockLogs(logs), arrays, block, threads)
        made = [np.zeros((0, 6), np.int64)]
        for warp, ((own, changes), slots) in enumerate(zip(split, slots_of, strict=True)):
            steps = steps_of(own, slots, self.expander.probe_of_number)
            for cell, ((probe, offset), (_, nbytes)) in enumerate(self.watched.items()):
                event = np.flatnonzero((steps.probe == probe) & (steps.slot >= 0))
                event = event[np.isin(trace.slot_site[steps.slot[event]], list(self.sites))]
                slot = steps.slot[event]
                address, value = trace.addresses[warp, slot], _values_at(changes, cell, event)
                at, lane = np.nonzero(address != INACTIVE)
                byte = np.arange(nbytes)
                rows = np.empty((at.size, nbytes, 6), np.int64)
                rows[..., 0], rows[..., 1] = trace.slot_site[slot[at]][:, None], place
                rows[..., 2] = trace.slot_epoch[slot[at]][:, None]
                rows[..., 3] = (warp * LANES + lane)[:, None]
                rows[..., 4] = address[at, lane][:, None] + offset + byte
                rows[..., 5] = value[at, lane][:, None] >> 8 * byte & 0xFF
                made.append(rows.reshape(-1, 6))
        return np.concatenate(made)

    def add(self, rows: Columns) -> None:
        """Take in the rows of a block."""
        self.rows += len(rows)
        if self.rows <= _MOST_ROWS:
            self._parts.append(rows)

    def values(self) -> StoredValues:
        """All rows."""
        rows = np.concatenate([np.zeros((0, 6), np.int64), *self._parts])
        return StoredValues(*(rows[:, column] for column in range(6)))


def _values_at(changes: Changes, cell: int, event: Columns) -> Columns:
    """What each lane held last of a cell before some events, shape (n, 32)."""
    here = np.flatnonzero(changes.cell == cell)
    if not here.size or not event.size:
        return np.zeros((event.size, LANES), np.int64)
    lanes = (changes.lanes[here][:, None] >> np.arange(LANES) & 1) != 0
    latest = np.maximum.accumulate(np.where(lanes, np.arange(here.size)[:, None], 0))
    row = np.maximum(np.searchsorted(changes.event[here], event, side="right") - 1, 0)
    found: Columns = changes.bits[here][latest[row], np.arange(LANES)]
    return found


def _stored_operands(statement: Statement) -> tuple[tuple[str, ...], int] | None:
    """The operands that a plain store writes, and the bytes of each; None of anything else."""
    match = _TYPE.fullmatch(statement.words[-1])
    if statement.words[0] != "st" or match is None or len(statement.operands) != 2:
        return None
    text = statement.operands[1].strip()
    names = tuple(map(_as_number, text.strip("{}").split(",")))
    return names, int(match[1]) // 8


def _as_number(operand: str) -> str:
    """An operand, a constant of a floating-point number by its bits."""
    name = operand.strip()
    is_bits = name[:2].lower() in ("0f", "0d")
    return str(int(f"0x{name[2:]}", 0)) if is_bits else name
