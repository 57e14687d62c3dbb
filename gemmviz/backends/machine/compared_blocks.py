"""The blocks that a kernel treats apart, from what the compiler of the PTX machine makes of it."""

from __future__ import annotations

from contextlib import suppress

from gemmviz.backends.base import BackendError
from gemmviz.backends.kernel_source import kernel_source
from gemmviz.backends.machine.device import MachineDevice
from gemmviz.catalogue.gpus import emulated, target_of_machine
from gemmviz.catalogue.kernel import Kernel, Refusal
from gemmviz.compiler.source import SOURCE_NAME
from gemmviz.domain.kernels.compared_blocks import ComparedBlocks
from gemmviz.domain.shape import Shape
from gemmviz.domain.spec import Params
from gemmviz.domain.terms import CodeForm
from gemmviz.machine.faults import MachineError
from gemmviz.machine.ptx.comparisons import compared_blocks
from gemmviz.machine.ptx.parse import parse


def blocks_compared_by(kernel: Kernel, params: Params, shape: Shape) -> ComparedBlocks:
    """The blocks that a kernel compares its own with, as it is compiled for a size for the PTX machine; none where it
    cannot be. What was compiled for a recording before is not compiled again.
    """
    device = emulated()
    with suppress(BackendError, MachineError, Refusal, KeyError):
        plan = kernel.plan(shape, params, device)
        machine = MachineDevice(device, target_of_machine(device))
        compiled = machine.compile_as(kernel_source(kernel, plan), CodeForm.AS_COMPILED, plan.launch)
        return compared_blocks(parse(compiled.ptx, SOURCE_NAME), compiled.symbol)
    return ComparedBlocks()
