"""The block schedule of one launch: which unit of a GPU ran which block, from when to when.

A *unit* is a streaming multiprocessor (SM).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gemmviz.domain.device import Device
from gemmviz.domain.kernels.resources import Occupancy, Resources, occupancy
from gemmviz.domain.session.column_ranges import NanosecondsColumn, OrdinalColumn
from gemmviz.domain.session.field_ranges import Count, Milliseconds, Timestamp
from gemmviz.domain.spec import Launch, RunSpec
from gemmviz.domain.terms import Mode

MOST_UNITS = 65536
"""Numbers of units beyond this are no units."""


@dataclass(frozen=True, slots=True, eq=False)
class BlockSchedule:
    """One launch as its blocks saw it.

    Columns of shape (blocks,), blocks in linear order, x fastest: `unit` the number of the SM, `start_ns` and `end_ns`
    the GPU's clock when the block's first warp began and when its last one ended, counted from the first start.
    `resources` are those of the code that stamped itself. It was launched `launches_before` times before the launch
    that is kept; with `spec.mode` cold the caches were overwritten before that one. `kernel_ms` is that launch's time
    between two events, `plain_ms` that of the kernel without stamps under the same conditions.

    Raises:
        ValueError: the columns do not fit the launch, or hold what no schedule can.
    """

    spec: RunSpec
    device: Device
    launch: Launch
    resources: Resources
    unit: OrdinalColumn
    start_ns: NanosecondsColumn
    end_ns: NanosecondsColumn
    launches_before: Count
    kernel_ms: Milliseconds
    plain_ms: Milliseconds
    finished: Timestamp = ""

    def __post_init__(self) -> None:
        columns = (self.unit, self.start_ns, self.end_ns)
        if self.launch.blocks < 1 or any(column.shape != (self.launch.blocks,) for column in columns):
            raise ValueError("a block schedule is damaged: it does not have one row for each block of the launch")
        if not 0 <= int(self.unit.min()) <= int(self.unit.max()) < MOST_UNITS:
            raise ValueError("a block schedule is damaged: it names a multiprocessor that does not exist")
        if int(self.start_ns.min()) != 0:
            raise ValueError("a block schedule is damaged: its times do not begin at the first start")
        if (self.end_ns < self.start_ns).any():
            raise ValueError("a block schedule is damaged: a block ends before it starts")

    @property
    def blocks(self) -> int:
        return self.launch.blocks

    @property
    def units(self) -> int:
        """How many units the device has; more where a number beyond that was seen."""
        return max(self.device.compute_units, int(self.unit.max()) + 1)

    @property
    def makespan_ns(self) -> int:
        """From the first start to the last end."""
        return int(self.end_ns.max())

    @property
    def is_cold(self) -> bool:
        return self.spec.mode is Mode.COLD

    @property
    def occupancy(self) -> Occupancy | None:
        """How many blocks fit on a unit at once, by its resources; None where device or compiler do not tell."""
        return occupancy(self.resources, self.launch, self.device.gpu_facts)

    @property
    def resolution_ns(self) -> int:
        """The smallest step between two stamps that differ: the clock steps by 32 ns on some GPUs, by 1 µs on others,
        and nothing shorter can be seen. 0 where no two differ.
        """
        stamps = np.unique(np.concatenate((self.start_ns, self.end_ns)))
        return int(np.diff(stamps).min()) if stamps.size > 1 else 0

    def block_at(self, index: int) -> tuple[int, int, int]:
        """x, y, z of a block by its place in the columns."""
        return self.launch.block_at(index)
