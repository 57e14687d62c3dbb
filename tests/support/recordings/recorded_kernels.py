"""Recordings of small kernels, made by the embedded device."""

from __future__ import annotations

from pathlib import Path

from gemmviz.catalogue.loader import load_catalogue, load_kernel
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import CodeForm, Fill
from gemmviz.engine.messages import Conditions, Job
from gemmviz.engine.recording import device_for_recording, record
from gemmviz.measure.bench import Watch

FAULTY = Path(__file__).parents[2] / "data" / "faulty"


def recorded_kernel(
    kernel: str,
    size: str = "4x4x4",
    blocks: tuple[tuple[int, int, int], ...] = ((0, 0, 0),),
    form: CodeForm = CodeForm.AS_WRITTEN,
    **params: int,
) -> TraceRun:
    """Record a kernel of the catalogue, or a faulty one of the tests by its file's name."""
    found = load_kernel(FAULTY / kernel) if kernel.endswith(".cu") else load_catalogue().get(kernel)
    device = device_for_recording(found, form=form)
    conditions = Conditions(Shape.parse(size), Fill.ONES, 0, device=device.id, launch_limit_s=60.0, form=form)
    return record(Job(found, found.params(params)), conditions, device, blocks, Watch())
