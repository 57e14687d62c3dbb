"""Memory of a GPU."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gemmviz.backends.cuda.devices import GUARD_BYTES


class CudaBuffer:
    """Memory between two guard zones, which tell whether a kernel wrote next to it."""

    def __init__(self, whole: Any, nbytes: int, give_back: Callable[[CudaBuffer], None]) -> None:
        self.whole = whole
        self.nbytes = nbytes
        self.address = int(whole) + GUARD_BYTES
        self._give_back = give_back

    def release(self) -> None:
        self._give_back(self)
