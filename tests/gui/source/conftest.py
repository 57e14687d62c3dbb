"""Recordings of real kernels, made once for the tests of the source view."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pytest

from gemmviz.catalogue.loader import load_catalogue
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.shape import Shape
from gemmviz.engine.messages import Conditions, Job
from gemmviz.engine.recording import device_for_recording, record
from gemmviz.measure.bench import Watch


@pytest.fixture(scope="session")
def recorded() -> Callable[..., TraceRun]:
    """Block 0,0 of a kernel of the catalogue: recorded("tiled", "33x17x9", TILE=16)."""
    catalogue = load_catalogue()

    @cache
    def make(name: str, size: str = "33x17x9", **params: int) -> TraceRun:
        kernel = catalogue.get(name)
        conditions = Conditions(Shape.parse(size), launch_limit_s=20.0)
        job = Job(kernel, kernel.params(params))
        return record(job, conditions, device_for_recording(kernel), [(0, 0, 0)], Watch())

    return make
