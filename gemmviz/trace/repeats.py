"""Blocks that repeat another one: the same requests in the same order, and the same accesses to shared memory."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from gemmviz.domain.recordings.access import BlockTrace
from gemmviz.domain.recordings.warp import LANES
from gemmviz.trace.counts.columns import SiteColumns
from gemmviz.trace.counts.summary import summarise
from gemmviz.trace.hazards.findings import Hazard
from gemmviz.trace.hazards.hazards import find_hazards, hazards_of_whole
from gemmviz.trace.parts import outside_shared, part_of

Block = tuple[int, int, int]


def in_grid(block: Block) -> Block:
    """What blocks are sorted by: x fastest."""
    x, y, z = block
    return z, y, x


@dataclass(frozen=True, slots=True, eq=False)
class RepeatedBlock:
    """A block that differs from the block `like` in the addresses of its requests outside shared memory only.

    `rest` is the trace of these requests, without any other and without barriers.
    """

    like: BlockTrace
    rest: BlockTrace

    def whole(self) -> BlockTrace:
        """The trace of all its requests."""
        addresses = self.like.addresses.copy()
        addresses[:, outside_shared(self.like)] = self.rest.addresses
        return replace(self.like, block=self.rest.block, addresses=addresses)


Recorded = BlockTrace | RepeatedBlock


def whole_trace(block: Recorded) -> BlockTrace:
    """The trace of all requests of a block."""
    return block.whole() if isinstance(block, RepeatedBlock) else block


def stack_of(blocks: Sequence[RepeatedBlock]) -> BlockTrace:
    """The rests of blocks that all repeat the same one, as if their warps were those of one block. It counts as the
    blocks do; and if no hazard is found in it that is not about elements that nobody wrote, there is none in them.
    """
    first = blocks[0].rest
    addresses = np.concatenate([one.rest.addresses for one in blocks])
    threads = addresses.shape[0] * LANES
    return replace(
        first, addresses=addresses, threads=threads, warp_syncs=None, landings=None, group_syncs=None, strong=None
    )


class Repetitions:
    """How many blocks repeat each of some others, and what that adds to counts and findings of their rests."""

    def __init__(self) -> None:
        self._of: dict[int, tuple[BlockTrace, int, Block]] = {}
        """Of each block that is repeated its trace, how many repeat it, and the first of these in the grid."""

    def add(self, like: BlockTrace, blocks: Sequence[Block]) -> None:
        """These blocks repeat `like`, too."""
        self._add(like, len(blocks), min(blocks, key=in_grid))

    def add_all(self, others: Iterable[Repetitions]) -> None:
        """What others counted, of other blocks."""
        for other in others:
            for like, times, first in other._of.values():
                self._add(like, times, first)

    def _add(self, like: BlockTrace, times: int, first: Block) -> None:
        _, before, known = self._of.get(id(like), (like, 0, first))
        self._of[id(like)] = like, before + times, min(first, known, key=in_grid)

    def counts(self) -> list[SiteColumns]:
        """The counts of accesses to shared memory of all the blocks that repeat others."""
        return [SiteColumns(times * summarise(shared).counts) for shared, times, _ in self._shared()]

    def hazards(self) -> list[Hazard]:
        """What is found in their accesses to shared memory, and what takes all accesses of a block, each at the first
        of them: which block was recorded before the others and is repeated is chance where several threads record.
        """
        found = [(one, times, at) for shared, times, at in self._shared() for one in find_hazards(shared, is_part=True)]
        found += [(one, times, at) for like, times, at in self._of.values() for one in hazards_of_whole(like)]
        return [
            replace(one, block=first, count=one.count * times, blocks=one.blocks * times) for one, times, first in found
        ]

    def _shared(self) -> list[tuple[BlockTrace, int, Block]]:
        return [(part_of(like, ~outside_shared(like)), times, first) for like, times, first in self._of.values()]
