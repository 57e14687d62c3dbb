"""What the warps of one SM did in one launch, tile by tile, by the SM's own clock.

A *unit* is a streaming multiprocessor (SM).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from gemmviz.domain.device import Device
from gemmviz.domain.session.column_ranges import CycleColumn, IndexColumn, MillisecondsColumn, OrdinalColumn
from gemmviz.domain.session.field_ranges import Index, PositiveCount, Timestamp
from gemmviz.domain.spec import Launch, RunSpec

MOST_ROWS = 1024
"""More warps than any SM holds at once."""


@dataclass(frozen=True, slots=True, eq=False)
class WarpTimeline:
    """The warps of SM `unit` in a window of one launch, with at most `blocks_per_unit` blocks on an SM at once.

    Columns of shape (tiles,), row by row and in the order of time: `row` is the warp's place in the picture, `block`
    its block. The others are clock cycles since the window began: `load` when the warp began to wait for its values of
    a tile (it asked for them then, or sooner), `arrive` when they had come and lay in shared memory, `start` when all
    warps of the block were so far, and `stop` when its products were done. Then it waits for the others of its block
    until its next `load`. A tile that the window cuts has all its stamps.

    The window has `window_cycles`, the launch on that SM `launch_cycles`; in `computing_cycles` of those at least one
    warp was between `start` and `stop`. `plain_ms` are times of the kernel without stamps and `stamped_ms` with
    them, launched in turn, shape (n,).

    Raises:
        ValueError: the columns do not fit each other, or hold what no launch can.
    """

    spec: RunSpec
    device: Device
    launch: Launch
    unit: Index
    blocks_per_unit: PositiveCount
    row: OrdinalColumn
    block: IndexColumn
    load: CycleColumn
    arrive: CycleColumn
    start: CycleColumn
    stop: CycleColumn
    window_cycles: PositiveCount
    launch_cycles: PositiveCount
    computing_cycles: PositiveCount
    plain_ms: MillisecondsColumn
    stamped_ms: MillisecondsColumn
    finished: Timestamp = ""

    def __post_init__(self) -> None:
        stamps = self.load, self.arrive, self.start, self.stop
        if not self.row.size or any(each.shape != self.row.shape for each in (self.block, *stamps)):
            raise ValueError("a warp timeline is damaged: its columns do not have one row for each tile")
        if any((later < sooner).any() for sooner, later in pairwise(stamps)):
            raise ValueError("a warp timeline is damaged: a warp ends a phase before it begins it")
        follows = np.diff(self.row)
        if self.row[0] or not np.isin(follows, (0, 1)).all() or int(self.row[-1]) >= MOST_ROWS:
            raise ValueError("a warp timeline is damaged: its rows do not follow each other")
        if (self.load[1:] < self.stop[:-1])[follows == 0].any():
            raise ValueError("a warp timeline is damaged: a warp begins a tile before it has ended another")
        if not max(self.window_cycles, self.computing_cycles) <= self.launch_cycles:
            raise ValueError("a warp timeline is damaged: a part of the launch is longer than the launch")
        if not (self.plain_ms.size and self.stamped_ms.size):
            raise ValueError("a warp timeline is damaged: the launch was not timed")

    @property
    def rows(self) -> int:
        """How many warps the SM has at once."""
        return int(self.row[-1]) + 1

    @property
    def warps_per_block(self) -> int:
        return -(-self.launch.threads_per_block // max(self.device.gpu_facts.warp_width, 1))
