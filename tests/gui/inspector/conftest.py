"""Recordings of small kernels."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from recorded_kernels import recorded_kernel

from gemmviz.domain.recordings.trace_run import TraceRun


@pytest.fixture(scope="session")
def recorded() -> Callable[..., TraceRun]:
    """Records a kernel of the catalogue, or a faulty one of the tests by its file's name."""
    return recorded_kernel
