"""The blocks and sizes that a kernel treats apart, from what the compiler of the PTX machine makes of it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from gemmviz.backends.base import BackendError
from gemmviz.backends.kernel_source import kernel_source
from gemmviz.backends.machine.device import MachineDevice
from gemmviz.catalogue.gpus import emulated, target_of_machine
from gemmviz.catalogue.kernel import Kernel, Refusal
from gemmviz.compiler.source import SOURCE_NAME
from gemmviz.domain.kernels.call import NumberArgument
from gemmviz.domain.kernels.compared_blocks import ComparedBlocks
from gemmviz.domain.kernels.compared_sizes import NOTHING_COMPARED, ComparedSizes
from gemmviz.domain.shape import Shape
from gemmviz.domain.spec import Params
from gemmviz.domain.terms import CodeForm
from gemmviz.machine.faults import MachineError
from gemmviz.machine.ptx.comparisons import compared_blocks, compared_parameters
from gemmviz.machine.ptx.parse import parse

_NOT_COMPARED = (BackendError, MachineError, Refusal, KeyError)


def blocks_compared_by(kernel: Kernel, params: Params, shape: Shape) -> ComparedBlocks:
    """The blocks that a kernel compares its own with, as it is compiled for a size for the PTX machine; none where it
    cannot be. What was compiled for a recording before is not compiled again.
    """
    with suppress(*_NOT_COMPARED):
        ptx, symbol = _compiled(kernel, params, shape)
        return compared_blocks(parse(ptx, SOURCE_NAME), symbol)
    return ComparedBlocks()


def sizes_compared_by(kernel: Kernel, params: Params, shape: Shape) -> ComparedSizes:
    """The sizes that a kernel compares its own with, as it is compiled for a size for the PTX machine; none where it
    cannot be.
    """
    if kernel.runs_on_host:
        return NOTHING_COMPARED
    with suppress(*_NOT_COMPARED):
        arguments = kernel.plan(shape, params, emulated()).call.arguments
        ptx, symbol = _compiled(kernel, params, shape)
        given = [one.text if isinstance(one, NumberArgument) else "" for one in arguments]
        return sizes_compared_in(ptx, given, symbol)
    return NOTHING_COMPARED


def sizes_compared_in(ptx: str, given: Sequence[str], symbol: str = "") -> ComparedSizes:
    """By M, N, K and products of them the sizes on both sides of each comparison with a constant in a kernel's PTX, as
    far as its parameters are `given` these as they are; nothing where its code cannot be followed. Without a `symbol`
    it is the first kernel of the text.
    """
    found: dict[str, frozenset[int]] = {}
    with suppress(MachineError, KeyError, StopIteration):
        module = parse(ptx, SOURCE_NAME)
        entry = symbol or next(one.name for one in module.functions if one.is_entry)
        for places, values in compared_parameters(module, entry).items():
            names = [given[place] if place < len(given) else "" for place in places]
            if all(name in ("M", "N", "K") for name in names):
                name = "".join(sorted(names, key="MNK".index))
                found[name] = found.get(name, frozenset()) | values
    return found


def _compiled(kernel: Kernel, params: Params, shape: Shape) -> tuple[str, str]:
    """The PTX of a kernel for the PTX machine, and its name in it."""
    device = emulated()
    plan = kernel.plan(shape, params, device)
    machine = MachineDevice(device, target_of_machine(device))
    compiled = machine.compile_as(kernel_source(kernel, plan), CodeForm.AS_COMPILED, plan.launch)
    return compiled.ptx, compiled.symbol
