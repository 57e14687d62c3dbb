"""Flushes less than the caches hold: a whole flush before each sample takes longer than the kernels of most tests."""

from __future__ import annotations

import pytest

from gemmviz.backends import host
from gemmviz.backends.opencl import device

_BYTES = 2**20


def flush_little(patch: pytest.MonkeyPatch) -> None:
    """Let the CPU, as an OpenCL device and as the host, write a megabyte between samples; what is timed is no matter
    of a test.
    """
    patch.setattr(device, "_MOST_FLUSHED_BYTES", _BYTES)
    patch.setattr(host, "_FLUSHED_BYTES", _BYTES)
