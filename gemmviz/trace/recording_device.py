"""What a device does for the recording of an instrumented source, besides launching it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from gemmviz.backends.base import Buffer, Compiled, OpenDevice, Source
from gemmviz.domain.spec import Launch
from gemmviz.trace.instrument import Instrumented


@dataclass(frozen=True, slots=True, eq=False)
class Prepared:
    """One kernel that records itself, compiled to count its loops' runs and to record; both may be the same."""

    instrumented: Instrumented
    counting: Compiled
    recording: Compiled


class EventLog(Protocol):
    """Where the events of a batch of blocks go: the kernels' memory while they run, the host's to look at.

    As an array int64 of shape (blocks, warps, slots, 32).
    """

    @property
    def buffer(self) -> Buffer:
        """What a launch is given."""
        ...

    def begin(self, blocks: int) -> None:
        """Set all events of the first `blocks` blocks to INACTIVE, and hand them over to kernels."""
        ...

    def take_back(self, blocks: int) -> NDArray[np.int64]:
        """What the kernels wrote for the first `blocks` blocks; it may be looked at until the next `begin`."""
        ...

    def release(self) -> None:
        """Let go of the device's memory; what was taken back stays."""
        ...


class RecordingDevice(Protocol):
    """A device on which instrumented kernels run."""

    @property
    def opened(self) -> OpenDevice: ...

    @property
    def batch_bytes(self) -> int:
        """Events of so many bytes are recorded between two looks at them."""
        ...

    def prepare(self, source: Source, launch: Launch) -> Prepared:
        """Instrument and compile.

        Raises:
            CompileError: the source is at fault, or beyond the dialect that is recorded.
            RecordingRefusal: it compiles, but not with what a recording adds to it.
        """
        ...

    def log(self, shape: tuple[int, int, int, int]) -> EventLog:
        """Room for events: blocks, warps, slots, 32.

        Raises:
            BackendError: the device cannot give so much.
        """
        ...
