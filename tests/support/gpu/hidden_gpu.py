"""GPUs are hidden from tests without the marker `gpu`, and from the processes that these start: what they expect of
devices, recordings and words is the same on every computer.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from gemmviz.backends.cuda import devices

VARIABLE = "CUDA_VISIBLE_DEVICES"
_KEPT, _UNSET = "GEMMVIZ_TESTS_CUDA_VISIBLE_DEVICES", "unset"
"""What the variable was when the tests began, for the processes of pytest-xdist, which begin with it hidden."""
_CHANGES = pytest.MonkeyPatch()


def hide_gpus() -> None:
    """Hide them from processes to come by CUDA's own variable, and from this one, in which CUDA may have begun and
    reads that no more, by a driver that is not found.
    """
    os.environ.setdefault(_KEPT, os.environ.get(VARIABLE, _UNSET))
    os.environ[VARIABLE] = ""
    _CHANGES.setattr(devices, "find_library", lambda: None)


def visible_before() -> str | None:
    """What CUDA's variable was when the tests began; None where it was not set."""
    kept = os.environ[_KEPT]
    return kept if kept != _UNSET else None


@contextmanager
def gpus_shown() -> Iterator[None]:
    """Show the GPUs that were visible when the tests began."""
    before = visible_before()
    del os.environ[VARIABLE]
    if before is not None:
        os.environ[VARIABLE] = before
    _CHANGES.undo()
    try:
        yield
    finally:
        hide_gpus()
