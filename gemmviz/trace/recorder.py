"""What a backend brings so that its kernels are recorded: one recorder for each kernel at one size."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.kernels.call import Call
from gemmviz.domain.recordings.access import BlockTrace, MappedArray, SharedSnapshot
from gemmviz.domain.recordings.executed import Executed
from gemmviz.domain.recordings.machine_accesses import MachineAccesses
from gemmviz.domain.recordings.repeated_waits import RepeatedWait
from gemmviz.domain.recordings.variables import VariableValues
from gemmviz.trace.recorded_code import RecordedCode
from gemmviz.trace.repeats import Recorded
from gemmviz.trace.stored_values import StoredValues

Indices = NDArray[np.int32]
"""Linear indices of blocks, x fastest, shape (n,)."""
See = Callable[[int, Recorded], None]
"""Called with the place of a block among those asked for, and what was recorded of it."""


@dataclass(frozen=True, slots=True)
class BlocksSeen:
    """How far a recording is: blocks that were looked at, and the events that the blocks which run now have written
    down so far, 0 while none runs or nobody counts them.
    """

    blocks: int
    events: int = 0


Follow = Callable[[BlocksSeen], None]
"""Called while a recording is made."""


class Recorder(Protocol):
    """Records one kernel at one size. Calls come from one thread."""

    call: Call
    """The numbers that the launches are given."""

    @property
    def instrumented(self) -> RecordedCode: ...

    @property
    def machine(self) -> MachineAccesses | None:
        """What each line accesses in the PTX and in the machine code of it; None where that is not known."""
        ...

    @property
    def c(self) -> NDArray[np.float32]:
        """What the blocks recorded last have left in the result, shape (partial sums, M, N)."""
        ...

    @property
    def executed(self) -> tuple[Executed, ...]:
        """What the blocks recorded last executed; () where nobody counts."""
        ...

    @property
    def repeated_waits(self) -> tuple[RepeatedWait, ...]:
        """Requests of loops that wait that the blocks recorded last left out; () where nobody leaves any out."""
        ...

    @property
    def printed(self) -> str:
        """What the blocks recorded last printed; "" where nobody sees it."""
        ...

    @property
    def grid(self) -> tuple[int, int, int]:
        """Blocks in x, y and z."""
        ...

    @property
    def arrays(self) -> tuple[MappedArray, ...]:
        """Every array with its place in the virtual addresses; on a GPU shared ones once a block was recorded."""
        ...

    def block_of(self, index: int) -> tuple[int, int, int]:
        """The x, y, z of a block by its linear index."""
        ...

    def blocks(self, indices: Indices) -> Iterator[BlockTrace]:
        """The traces of blocks, given by linear index (x fastest), one after the other.

        Raises:
            RecordingRefusal: a block's events do not fit, or are never the same number twice.
            KernelTimeoutError: the kernel did not end.
            LaunchError: it failed on the device.
        """
        ...

    def for_each(self, indices: Indices, see: See, follow: Follow) -> None:
        """Record blocks, given by linear index, and let `see` look at each, in several threads and in any order; only
        one is seen before all others: the first, unless it waits for others. What it raises ends the recording.
        `follow` is called at times, in the thread that called; what it raises ends the recording, too.

        Raises:
            RecordingRefusal, KernelTimeoutError, LaunchError: as `blocks`.
        """
        ...

    def requests(self, indices: Indices) -> Iterator[BlockTrace]:
        """The requests of blocks, each block's in one warp and in no order between warps: enough to count them.

        Raises:
            RecordingRefusal, KernelTimeoutError, LaunchError: as `blocks`.
        """
        ...

    def with_variables(self, block: int) -> tuple[BlockTrace, VariableValues]:
        """The trace of a block, given by linear index, and what the variables of its threads held; nothing of these
        where nobody looks.

        Raises:
            RecordingRefusal, KernelTimeoutError, LaunchError: as `blocks`.
        """
        ...

    def stored_values(self, indices: Indices, sites: frozenset[int], follow: Follow) -> StoredValues | None:
        """What the stores of some sites write in the blocks, given by linear index, that were recorded last: one more
        run of these. None where nobody looks, or where there is too much. `follow` is called as in `for_each`.

        Raises:
            KernelTimeoutError, LaunchError: as `blocks`.
        """
        ...

    def snapshots(self, block: int) -> tuple[SharedSnapshot, ...]:
        """What each shared array of a block, given by linear index, holds at each barrier and at the end; none where
        nobody looks.

        Raises:
            TagRefusal: the matrices have more elements than there are tags.
        """
        ...
