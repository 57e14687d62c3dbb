"""Leaves out the checksums of what PoCL keeps, which the program notes after each kernel: with hundreds of entries that
takes longer than to compile most kernels of tests.
"""

from __future__ import annotations

import pytest

from gemmviz.backends.opencl import pocl_cache
from gemmviz.backends.opencl.device import OpenClDevice


def note_no_checksums(patch: pytest.MonkeyPatch) -> None:
    """Let devices note none; processes that tests start as the program does note those of all entries."""
    patch.setattr(OpenClDevice, "_seal", lambda _: None)


def note_checksums() -> None:
    """Note the checksums of all entries at once, where this process has used PoCL."""
    for cache in pocl_cache._in_use:
        cache.seal()
