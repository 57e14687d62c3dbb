"""Recordings of kernels, each made once in a process."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from gemmviz.backends.registry import NoDeviceError
from gemmviz.catalogue.loader import load_catalogue, load_user_kernel
from gemmviz.domain.recordings.access import BlockTrace
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.shape import Shape
from gemmviz.engine.messages import Conditions, Job
from gemmviz.engine.recording import device_for_recording, record
from gemmviz.measure.bench import Watch

FAULTY = Path(__file__).parents[2] / "data" / "faulty"
Record = Callable[..., TraceRun]
BlockOf = Callable[..., BlockTrace]


@pytest.fixture(scope="session")
def recorded() -> Record:
    """Records a kernel: its id (or a file of tests/data/faulty), a size, blocks as (x, y), parameters."""
    return _recorded


def recordable_kernels() -> tuple[str, ...]:
    """The ids of all kernels of the catalogue whose accesses can be recorded on any device."""
    return tuple(kernel.id for kernel in load_catalogue().kernels if kernel.has_accesses and not kernel.needs_cuda)


@pytest.fixture(scope="session")
def gpu_kernels() -> tuple[str, ...]:
    return recordable_kernels()


@pytest.fixture(scope="session")
def block_of() -> Callable[..., BlockTrace]:
    """The trace of a recording's block of that number."""
    return _block_of


def _recorded(kernel: str, size: str, *blocks: tuple[int, int], **params: int) -> TraceRun:
    return _kept(kernel, size, blocks, tuple(sorted(params.items())))


@cache
def _kept(kernel: str, size: str, blocks: tuple[tuple[int, int], ...], params: tuple[tuple[str, int], ...]) -> TraceRun:
    chosen = load_user_kernel(FAULTY / kernel) if kernel.endswith(".cu") else load_catalogue().get(kernel)
    try:
        device = device_for_recording(chosen)
    except NoDeviceError as error:
        pytest.skip(str(error))
    job = Job(chosen, chosen.params(dict(params)))
    return record(job, Conditions(Shape.parse(size)), device, [(x, y, 0) for x, y in blocks], Watch())


def _block_of(run: TraceRun, number: int = 0) -> BlockTrace:
    return run.blocks[number].trace(run.sites, run.arrays)
