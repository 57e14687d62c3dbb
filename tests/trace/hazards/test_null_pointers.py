"""Pointers that point to nothing are called so, whatever memory their accesses count as."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from gemmviz.domain.recordings.access import BlockTrace
from gemmviz.trace.hazards.hazards import find_hazards


def test_that_a_null_pointer_is_no_access_to_a_space_without_arrays(trace_of: Callable[..., BlockTrace]) -> None:
    """A pointer to any memory has no name, and counts as one to shared memory where it points nowhere."""
    trace = trace_of("5 shared store 4 s", [(0, np.array([0]))], "A global 2x2")
    trace = replace(trace, sites=(replace(trace.sites[0], array="", text="*p"),))
    where = "at address 0x0, where no array lies: the pointer is null, uninitialised or corrupted"
    (hazard,) = find_hazards(trace)
    assert hazard.detail == f"thread 0 writes *p (line 5) {where}"
