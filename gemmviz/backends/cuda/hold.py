"""A kernel that keeps a stream waiting until the host lets it go.

Behind it launches and events are enqueued, and then run back to back: the time between two events is the kernels' own,
whatever the host took to enqueue them (nvbench calls it a blocking kernel).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from gemmviz.backends.base import Source
from gemmviz.domain.terms import Language

MOST_BEHIND = 400
"""Launches that may wait behind it: a stream takes about a thousand before the host must wait, which would be for ever.
"""
SHORT_MS = 20.0
"""Kernels that take longer do not show the few microseconds that a host needs to enqueue one."""

SOURCE = Source(
    Path("hold.cu"),
    """
extern "C" __global__ void hold(const volatile unsigned int *turn, unsigned int mine, unsigned int limit_us)
{
    unsigned long long begin, now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    } while (*turn < mine && now - begin < 1000ull * limit_us);     // the limit: a host that dies lets nothing go
}
""",
    "hold",
    Language.CUDA,
)
_LIMIT_US = 2_000_000


class Hold:
    """Holds a stream back. `driver` is PyCUDA's, `function` the compiled kernel."""

    def __init__(self, driver: Any, function: Any) -> None:
        self._function = function
        self._turn = driver.pagelocked_empty(1, np.uint32, mem_flags=driver.host_alloc_flags.DEVICEMAP)
        self._turn[0] = 0
        self._address = int(self._turn.base.get_device_pointer())
        self._last = 0

    def begin(self, stream: Any) -> None:
        """Everything enqueued from now on waits for `release`."""
        self._last += 1
        parameters = (
            np.array([self._address], np.uint64).tobytes() + np.array([self._last, _LIMIT_US], np.uint32).tobytes()
        )
        self._function._launch_kernel((1, 1, 1), (1, 1, 1), parameters, 0, stream)

    def release(self) -> None:
        """Let go what was held back."""
        self._turn[0] = self._last

    def close(self) -> None:
        """Give kernel and memory back, with their context current."""
        self._function = self._turn = None
