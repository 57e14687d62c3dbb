"""Recordings of small kernels, each made once."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pytest
from recorded_kernels import recorded_kernel

from gemmviz.domain.recordings.access import AccessKind, BlockTrace, MappedArray, Site, Space
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.explain.requests.request_choice import LaneRequest
from gemmviz.trace.model.rules import Lanes

BASE = 1 << 40


@pytest.fixture(scope="session")
def recorded() -> Callable[..., TraceRun]:
    """Records a kernel of the catalogue, or a faulty one of the tests by its file's name."""
    return cache(recorded_kernel)


@pytest.fixture(scope="session")
def transposed(recorded: Callable[..., TraceRun]) -> TraceRun:
    """A kernel whose stores to As are a conflict of all 32 lanes."""
    return recorded("tiled_transposed", "32x32x32", TILE=32)


@pytest.fixture
def request_of() -> Callable[..., LaneRequest]:
    """A request whose lanes access an array at some places, in bytes from its first; -1 for an inactive lane."""

    def made(
        places: Lanes,
        space: Space = Space.SHARED,
        kind: AccessKind = AccessKind.LOAD,
        width: int = 4,
        name: str = "As",
        targets: Lanes | None = None,
    ) -> LaneRequest:
        site = Site(0, 38, 9, f"{name}[ty][tx]", space, kind, width, name)
        addresses = places + BASE * (places != -1)
        return LaneRequest(site, 3, 5, addresses, MappedArray(name, space, BASE, 64, 64), targets)

    return made


@pytest.fixture(scope="session")
def block_of() -> Callable[[TraceRun], BlockTrace]:
    """The first block of a recording."""
    return lambda run: run.blocks[0].trace(run.sites, run.arrays)
