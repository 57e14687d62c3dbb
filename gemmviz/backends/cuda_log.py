"""The events of a recording on a GPU: written in its memory, looked at in the host's."""

from __future__ import annotations

from math import prod
from typing import Protocol

import numpy as np
from numpy.typing import DTypeLike, NDArray

from gemmviz.backends.base import Buffer
from gemmviz.backends.cuda_buffer import CudaBuffer

_EVENT_BYTES = 8


class Gpu(Protocol):
    """What a log asks of an open GPU."""

    def allocate(self, nbytes: int) -> CudaBuffer: ...

    def fill_with_ones(self, buffer: Buffer, nbytes: int) -> None: ...

    def download(self, buffer: Buffer, into: NDArray[np.int64]) -> None: ...

    def locked(self, shape: tuple[int, ...], kind: DTypeLike) -> NDArray[np.int64] | None: ...


class CudaLog:
    """64-bit events of shape (blocks, …), -1 where none was written: all bits are ones.

    The host's copy lies in page-locked memory, as far as the system locks so much.

    Raises:
        BackendError: the GPU cannot give so much memory.
    """

    def __init__(self, gpu: Gpu, shape: tuple[int, ...]) -> None:
        self._gpu = gpu
        self._block_bytes = prod(shape[1:]) * _EVENT_BYTES
        self.buffer = gpu.allocate(max(shape[0] * self._block_bytes, 16))
        locked = gpu.locked(shape, np.int64) if prod(shape) else None
        self._host: NDArray[np.int64] = locked if locked is not None else np.empty(shape, np.int64)

    def begin(self, blocks: int) -> None:
        """Set the events of the first `blocks` blocks to -1."""
        if blocks * self._block_bytes:
            self._gpu.fill_with_ones(self.buffer, blocks * self._block_bytes)

    def take_back(self, blocks: int) -> NDArray[np.int64]:
        """The events of the first `blocks` blocks, copied to the host; they stand there until the next call.

        Raises:
            DeviceLostError: a kernel that ran before has failed.
        """
        events = self._host[:blocks]
        if events.size:
            self._gpu.download(self.buffer, events)
        return events

    def release(self) -> None:
        """Give the GPU's memory back."""
        self.buffer.release()
