"""The variables of a module in global memory (`__device__`, `__managed__`) that a kernel may reach."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from gemmviz.domain.kernels.call import OPERANDS
from gemmviz.machine.ptx.parse import Module
from gemmviz.machine.ptx.variables import PtxVariable, module_variables, variable_name
from gemmviz.trace.ptx.probing.pointers import words_of

_TEXT = "$"
"""Begins the names of texts that the compiler keeps, such as printf's."""


@dataclass(frozen=True, slots=True)
class ModuleArray:
    """A variable by its `symbol` in the PTX and its `name` in a recording; `element_bytes` are those of the type that
    the PTX declares, 1 where it declares bytes.
    """

    symbol: str
    name: str
    nbytes: int
    alignment: int
    element_bytes: int


def module_arrays(module: Module, symbol: str) -> tuple[ModuleArray, ...]:
    """The variables that the kernel `symbol`, the functions beside it, or those variables themselves name."""
    every = {one.name: one for one in module_variables(module.text) if one.space == "global" and one.nbytes}
    if not every:
        return ()
    named: set[str] = set()
    found = _named_in_code(module, symbol) & every.keys()
    while found:
        named |= found
        found = {name for one in found for _, name in every[one].addresses if name in every} - named
    kept = [one for name, one in every.items() if name in named and not name.startswith(_TEXT)]
    return tuple(
        ModuleArray(one.name, name, one.nbytes or 0, one.alignment, one.element_bytes)
        for one, name in zip(kept, _names(kept), strict=True)
    )


def is_host_constant(source: str, name: str) -> bool:
    """Whether a CUDA source declares a constant of the host: `const float NOTHING = 0.0f;`. nvcc puts its value into
    the code; NVRTC, which knows no host, reads it from memory in code that is not optimised.
    """
    declared = rf"^(?![^\n;]*__(?:device|managed|constant)__)[^\n;{{}}()=]*\bconst(?:expr)?\b[^\n;{{}}()=]*\b{name}\s*="
    return re.search(declared, source, re.MULTILINE) is not None


def _named_in_code(module: Module, symbol: str) -> set[str]:
    functions = (module.entry(symbol), *(one for one in module.functions if not one.is_entry))
    return {
        word
        for function in functions
        for statement in function.statements
        for operand in statement.operands
        for word in words_of(operand)
    }


def _names(variables: Sequence[PtxVariable]) -> list[str]:
    """A name for each: the source's, with "::" before that of a matrix, or the symbol where two are alike."""
    plain = [variable_name(one.name) for one in variables]
    counts = Counter(plain)
    return [
        one.name if counts[name] > 1 else f"::{name}" if name in OPERANDS else name
        for one, name in zip(variables, plain, strict=True)
    ]
