"""The sizes that a compiled kernel compares its own with."""

from __future__ import annotations

from contextlib import suppress

from gemmviz.adopt.description import Description
from gemmviz.adopt.prove.machine import CompiledKernel
from gemmviz.adopt.prove.sizes.shapes import Compared
from gemmviz.compiler.source import SOURCE_NAME
from gemmviz.machine.faults import MachineError
from gemmviz.machine.ptx.comparisons import compared_parameters
from gemmviz.machine.ptx.parse import parse


def compared_sizes(made: CompiledKernel, description: Description) -> Compared:
    """By M, N and K the sizes on both sides of each comparison with a constant in a kernel's code, as far as its
    parameters are given these as they are; nothing where its code cannot be followed.
    """
    found: dict[str, frozenset[int]] = {}
    with suppress(MachineError, KeyError, StopIteration):
        module = parse(made.ptx, SOURCE_NAME)
        symbol = next(one.name for one in module.functions if one.is_entry)
        for place, values in compared_parameters(module, symbol).items():
            if place < len(description.arguments) and (name := description.arguments[place]) in ("M", "N", "K"):
                found[name] = found.get(name, frozenset()) | values
    return found
