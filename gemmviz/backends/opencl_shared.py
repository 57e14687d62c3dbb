"""An array that kernels and the host work on in turn: nothing is copied where both have one memory."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray


class ClShared:
    """The driver's memory, the host's from the start and after `take_back`, the kernels' after `hand_over`.

    While it is the kernels', `array` and all views of it must be left alone. The memory stays as long as any of them,
    or a kernel that was given it. It has no guard zones.
    """

    def __init__(self, context: Any, queue: Any, shape: tuple[int, ...], kind: DTypeLike) -> None:
        import pyopencl as cl

        self._queue, self._shape, self._kind = queue, shape, np.dtype(kind)
        self.nbytes = max(int(np.prod(shape)), 1) * self._kind.itemsize
        self.handle = cl.Buffer(context, cl.mem_flags.READ_WRITE | cl.mem_flags.ALLOC_HOST_PTR, size=self.nbytes)
        self._map: Any = None
        self.array = self.take_back()

    def hand_over(self) -> None:
        """What the host has written is there for kernels that are launched from now on."""
        if self._map is not None:
            self._map.release(self._queue)
            self._map = None

    def take_back(self) -> NDArray[Any]:
        """What the kernels launched so far have written is there for the host; it waits for them."""
        import pyopencl as cl

        if 0 in self._shape:
            return np.empty(self._shape, self._kind)
        flags: Any = cl.map_flags.READ | cl.map_flags.WRITE
        array: NDArray[Any] = cl.enqueue_map_buffer(self._queue, self.handle, flags, 0, self._shape, self._kind)[0]
        self.array, self._map = array, array.base
        return array

    def release(self) -> None:
        """Let go of it; views of the array keep the memory."""
        self.handle.release()
