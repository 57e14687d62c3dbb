"""What is known of the sums of one block: worked out when it is asked for, and once for a block and its values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from gemmviz.domain.recordings.access import BlockTrace
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.recordings.variables import VariableValues
from gemmviz.explain.block.arithmetic import MOST_TERMS, Sum
from gemmviz.explain.block.known_sums import KnownSums, undecided_by
from gemmviz.explain.block.recorded_sums import as_recorded
from gemmviz.explain.block.slot_progress import SlotProgress
from gemmviz.explain.block.tree_values import TreeLeaf, TreeValues, sums_in_shared, tree_values
from gemmviz.explain.block.turns import RacedSlot, Slot
from gemmviz.gui.memory_view.block_analysis import BlockAnalysis
from gemmviz.gui.memory_view.scene import Values
from gemmviz.trace.accumulators import Accumulators
from gemmviz.trace.frames.frames import Frames

KEPT = 64
"""Frames whose sums are kept: a film asks for those of a frame several times."""
Totals = Mapping[tuple[int, int], float | None]


@dataclass(frozen=True, eq=False)
class BlockSums:
    """The sums of a block's threads. Another block, other material or other values are another `BlockSums`."""

    run: TraceRun | None
    block: BlockTrace | None
    frames: Frames | None
    analysis: BlockAnalysis | None
    values: Values

    def at(self, index: int, *, is_near: bool = False) -> tuple[Totals, Totals]:
        """The sums of all threads when frame `index` is done, and what they stored of them, of matrices small enough
        to write them out, or of a block with few terms that is seen from so near that there is room for the numbers.
        """
        analysis, known = self.analysis, self._known
        if analysis is not None and isinstance(analysis.progress, SlotProgress):
            return self._of_slots(analysis.progress, index), {}
        if analysis is None or known is None or not (self._is_small or (is_near and self._is_known_from_near)):
            return {}, {}
        if index not in self._totals:
            sums = as_recorded(known.of_all(index), self._accumulators)
            totals = {(f.row, f.column): f.total if f.total is not None else f.kept for f in sums}
            kept = {(found.row, found.column): found.kept for found in sums}
            has_registers, stores_once = analysis.progress is not None, analysis.stores_once
            if len(self._totals) >= KEPT:
                del self._totals[next(iter(self._totals))]
            self._totals[index] = totals if has_registers else {}, {} if stores_once else kept
        return self._totals[index]

    def _of_slots(self, progress: SlotProgress, index: int) -> Totals:
        """The float32 sum of what a thread has read of the sums in shared memory; none where these are not known."""
        if not self.in_shared or self.frames is None:
            return {}
        total = np.float32(0)
        for slot in progress.slots(int(self.frames.ends()[index])) if index >= 0 else ():
            total += np.float32(self.in_shared[slot].total)
        return {(progress.part.row_start, progress.part.column_start): float(total)}

    def of_thread(self, thread: int, index: int) -> tuple[Sum, ...]:
        """The sums of one thread when frame `index` is done."""
        if self._known is None or self.frames is None or thread >= self.frames.trace.threads:
            return ()
        return as_recorded(self._known.of_thread(thread, index), self._accumulators)

    def recorded(self, row: int, column: int, index: int) -> float | None:
        """What the sum of an element was when frame `index` ended, from the run; None where that is not recorded."""
        if self._accumulators is None or self.frames is None or index < 0:
            return None
        return self._accumulators.value_after(row, column, self.frames.span(index))

    @cached_property
    def unknown(self) -> str:
        """Why the sums of the block are not known, in few words; "" where they are known, as far as A and B are."""
        if self.run is None or self.block is None:
            return ""
        return (
            self._known.unknown
            if self._known is not None and self._is_small
            else undecided_by(self.run, self.block.block)
        )

    def unknown_at(self, index: int) -> str:
        """As `unknown`, when frame `index` is done: "" as long as no thread has read what it adds up."""
        if not self.unknown or self._known is None:
            return self.unknown
        return self.unknown if index >= self._known.first_read else ""

    def open_slots(self, epoch: int) -> Mapping[Slot, RacedSlot]:
        """The slots of shared memory in which threads find one or another element in an epoch, as far as the sums of
        the block are worked out.
        """
        turns = self._known.turns if self._known is not None and (self._is_small or self._has_few_terms) else None
        return turns.raced.get(epoch, {}) if turns is not None else {}

    @property
    def _is_small(self) -> bool:
        return self.analysis is not None and self.analysis.writes_sums_out

    @cached_property
    def _is_known_from_near(self) -> bool:
        """Whether the sums of a block of larger matrices are worked out: not where they have many terms, where threads
        race, or C holds more.
        """
        run, block, known = self.run, self.block, self._known
        if run is None or block is None or known is None or not self._has_few_terms:
            return False
        return not undecided_by(run, block.block) and known.rounding is not None

    @property
    def _has_few_terms(self) -> bool:
        run, analysis = self.run, self.analysis
        if run is None or analysis is None or analysis.part is None:
            return False
        return analysis.part.size * run.spec.shape.k <= MOST_TERMS

    @cached_property
    def tree(self) -> TreeValues | None:
        """The numbers of a small tree of sums."""
        analysis, values = self.analysis, self.values
        if analysis is None or analysis.tree is None or not analysis.tree_terms:
            return None
        if values.a is None or values.b is None or self.unknown:
            return None
        return tree_values(analysis.trace, analysis.tree, values.a, values.b, values.c)

    @cached_property
    def in_shared(self) -> Mapping[int, TreeLeaf]:
        """The sums in the slots of a dot product without a tree."""
        analysis, values = self.analysis, self.values
        if analysis is None or analysis.tree is not None or values.a is None or values.b is None or values.c is None:
            return {}
        return sums_in_shared(analysis.trace, values.a, values.b, values.c)

    @cached_property
    def _known(self) -> KnownSums | None:
        if self.run is None or self.frames is None:
            return None
        return KnownSums(self.run, self.frames, self.values.a, self.values.b, self.values.c)

    @cached_property
    def _accumulators(self) -> Accumulators | None:
        """The variables that became C."""
        run, block, c = self.run, self.block, self.values.c
        if run is None or block is None or c is None:
            return None
        values = next((one.values for one in run.blocks if one.block == block.block), VariableValues())
        return Accumulators(block, values, c)

    @cached_property
    def _totals(self) -> dict[int, tuple[Totals, Totals]]:
        """Those of the frames that were worked out last."""
        return {}
