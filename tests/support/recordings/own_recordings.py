"""Recordings of kernels that a test writes down, on the PTX machine."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from usual_calls import usual_call

from gemmviz.backends.base import Source
from gemmviz.backends.machine.device import MachineDevice
from gemmviz.backends.machine.recorder import MachineRecorder
from gemmviz.backends.recording import recorder_for
from gemmviz.catalogue.kernel import Kernel, Plan
from gemmviz.domain.operands import Operands, make_operands
from gemmviz.domain.recordings.access import INACTIVE, BlockTrace
from gemmviz.domain.shape import Shape
from gemmviz.domain.spec import Launch
from gemmviz.domain.terms import CodeForm, Fill, Language
from gemmviz.trace.recorder import Recorder

SHAPE = Shape(8, 8, 8)
HEAD = 'extern "C" __global__ void k(const float *A, const float *B, float *C, int M, int N, int K) {\n'
FOUR_THREADS = Launch((1, 1, 1), (4, 1, 1))

Touched = list[tuple[str, int, int, int]]
"""Of every access: kind and array, as "load A", thread, element, bytes."""


def recorder_of_text(
    machine: MachineDevice,
    text: str,
    launch: Launch = FOUR_THREADS,
    shape: Shape = SHAPE,
    form: CodeForm = CodeForm.AS_WRITTEN,
    language: Language = Language.CUDA,
    fill: Fill = Fill.UNIFORM,
) -> MachineRecorder:
    """A recorder of the kernel `k` of a text."""
    source = Source(Path("mine.cu"), text, "k", language, ())
    return MachineRecorder(
        machine, source, Plan(launch, (), 1, usual_call(shape), "k"), shape, make_operands(shape, fill, 0), 60.0, form
    )


def recorder_of(
    machine: MachineDevice, kernel: Kernel, shape: Shape, operands: Operands | None = None, /, **params: int
) -> Recorder:
    """A recorder of a kernel in its usual form."""
    plan = kernel.plan(shape, kernel.params(params), machine.device)
    operands = operands if operands is not None else make_operands(shape, Fill.UNIFORM, 0)
    return recorder_for(machine, kernel, plan, shape, operands, 60.0)


def whole_grid(recorder: Recorder) -> np.ndarray:
    """All blocks, by linear index."""
    return np.arange(np.prod(recorder.grid), dtype=np.int32)


def block_0(recorder: Recorder) -> BlockTrace:
    """The first block's trace."""
    return next(recorder.blocks(np.zeros(1, np.int32)))


def touched(trace: BlockTrace) -> Touched:
    """What every thread touches, sorted."""
    found = []
    for slot in np.flatnonzero(trace.slot_site >= 0):
        site = trace.sites[trace.slot_site[slot]]
        for thread, address in enumerate(trace.addresses[:, slot].ravel().tolist()):
            if address != INACTIVE:
                (array,) = [a for a in trace.arrays if a.base <= address < a.base + a.nbytes]
                element = (address - array.base) // array.element_bytes
                found.append((f"{site.kind} {array.name}", thread, element, site.width_bytes))
    return sorted(found)
