"""The blocks that a kernel treats apart, from what the compiler of the PTX machine makes of it."""

from __future__ import annotations

from contextlib import suppress

from gemmviz.backends.base import BackendError
from gemmviz.backends.machine.device import MachineDevice
from gemmviz.backends.registry import backend_of
from gemmviz.catalogue.gpus import emulated
from gemmviz.catalogue.kernel import Refusal
from gemmviz.compiler.source import SOURCE_NAME
from gemmviz.domain.kernels.compared_blocks import ComparedBlocks
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import CodeForm
from gemmviz.engine.messages import Job
from gemmviz.machine.faults import MachineError
from gemmviz.machine.ptx.comparisons import compared_blocks
from gemmviz.machine.ptx.parse import parse
from gemmviz.measure.bench import source_of


def blocks_compared_by(job: Job, shape: Shape) -> ComparedBlocks:
    """The blocks that a kernel compares its own with, as it is compiled for a size for the PTX machine; none where it
    cannot be. What was compiled for a recording before is not compiled again.
    """
    device = emulated()
    with suppress(BackendError, MachineError, Refusal, KeyError):
        plan = job.kernel.plan(shape, job.params, device)
        opened = backend_of(device).open(device)
        try:
            if isinstance(opened, MachineDevice):
                source = source_of(job.kernel, plan, device)
                compiled = opened.compile_as(source, CodeForm.AS_COMPILED, plan.launch)
                return compared_blocks(parse(compiled.ptx, SOURCE_NAME), compiled.symbol)
        finally:
            opened.release()
    return ComparedBlocks()
