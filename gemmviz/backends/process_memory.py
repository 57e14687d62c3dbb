"""Devices whose memory is the process's own: nothing is transferred, and there is nothing to measure it by."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gemmviz.backends.base import Buffer


class ProcessBuffer:
    """Memory of the process; a flat array of bytes."""

    def __init__(self, memory: NDArray[np.uint8]) -> None:
        self.memory = memory
        self.nbytes = memory.nbytes

    def release(self) -> None:
        self.memory = np.empty(0, np.uint8)


class ProcessMemory:
    """What such devices do alike of OpenDevice."""

    def upload(self, host: NDArray[Any], into: Buffer) -> None:
        assert isinstance(into, ProcessBuffer)
        into.memory[: host.nbytes] = np.ascontiguousarray(host).reshape(-1).view(np.uint8)

    def download(self, buffer: Buffer, into: NDArray[Any]) -> None:
        assert isinstance(buffer, ProcessBuffer)
        into.reshape(-1).view(np.uint8)[:] = buffer.memory[: into.nbytes]

    def pinned(self, like: NDArray[Any]) -> None:
        """None: no memory is nearer to the device than any other."""
        del like

    def gauge(self) -> None:
        """None: no sensor is read."""

    def overrun_bytes(self, buffer: Buffer) -> tuple[int, int]:
        """None: Python's arrays and the PTX machine check the bounds of every access."""
        del buffer
        return 0, 0
