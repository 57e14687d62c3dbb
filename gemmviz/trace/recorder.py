"""What a recorder is, however it comes by its addresses: from an instrumented source or from compiled code."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.access import BlockTrace, MappedArray, SharedSnapshot, Site, SkippedAccess
from gemmviz.domain.executed import Executed
from gemmviz.domain.terms import InitialC

if TYPE_CHECKING:  # the search for hazards needs Numba, and a command that only reports does not
    from gemmviz.trace.repeats import Recorded

MAX_BYTES = 2**31
"""A block with more events than this is refused."""


class RecordingRefusal(ValueError):
    """A recording that cannot be made; the message has the number and the remedy."""


class RecordedCode(Protocol):
    """What is known of the code that records itself before it runs."""

    @property
    def sites(self) -> Sequence[Site]:
        """The accesses, each at the place of its own number."""
        ...

    @property
    def skipped(self) -> Sequence[SkippedAccess]:
        """What touches memory and is not recorded."""
        ...

    @property
    def unsure(self) -> AbstractSet[int]:
        """Sites that may run or not for a reason that was recorded wrong."""
        ...

    @property
    def hidden(self) -> AbstractSet[str]:
        """Shared arrays (findings.ANY: all) that something not recorded may store to."""
        ...

    @property
    def past_barriers(self) -> str:
        """Why the threads run past the barriers, "" if they do not."""
        ...

    @property
    def keeps_barriers(self) -> bool:
        """Whether every thread waits at the barriers, so that the result of a recorded run means something."""
        ...

    @property
    def text(self) -> str:
        """The code that ran, for a person to read."""
        ...


class AnyRecorder(Protocol):
    """Records one kernel at one size on one device. Calls come from one thread."""

    c: NDArray[np.float32]
    """What the recorded blocks stored, shape (partial sums, M, N), once all their batches were asked for; elsewhere
    what C began as.
    """
    c_begins: InitialC
    """What C holds when the blocks begin."""

    @property
    def instrumented(self) -> RecordedCode: ...

    @property
    def executed(self) -> tuple[Executed, ...]:
        """What the blocks of the last `batches` executed; () where nobody counts."""
        ...

    @property
    def grid(self) -> tuple[int, int, int]:
        """Blocks in x, y and z."""
        ...

    @property
    def arrays(self) -> tuple[MappedArray, ...]:
        """Every array with its place in the virtual addresses, A, B and C first; shared ones as far as counted."""
        ...

    def block_of(self, index: int) -> tuple[int, int, int]:
        """The x, y, z of a block by its linear index, x fastest."""
        ...

    def blocks(self, indices: NDArray[np.int32]) -> Iterator[BlockTrace]:
        """The traces of blocks, given by linear index, one after the other; each lives until the next.

        Raises:
            RecordingRefusal, KernelTimeoutError, LaunchError: as `batches`.
        """
        ...

    def batches(self, indices: NDArray[np.int32]) -> Iterator[Sequence[Recorded]]:
        """The traces of blocks, given by linear index, many at a time, in order; a batch lives until the next.

        Raises:
            RecordingRefusal: a block's events do not fit.
            KernelTimeoutError: the kernel did not end.
            LaunchError: it failed on the device.
        """
        ...

    def snapshots(self, block: int) -> tuple[SharedSnapshot, ...]:
        """What each shared array of a block, given by linear index, holds at each barrier and at the end.

        Raises:
            TagRefusal: the matrices have more elements than there are tags.
        """
        ...
