"""What a call names: a function, or a pointer to one of those whose addresses the text takes.

PTX ISA, "call", ".callprototype" and ".calltargets".
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from gemmviz.machine.ptx.parse import Function, Module, Statement
from gemmviz.machine.ptx.variables import PtxVariable, module_variables

_FIRST_ADDRESS, _STEP = 0x00F0_0000_0000_0000, 16
"""Addresses of functions: where no process has memory, so that they are not read by mistake."""


def call_parts(call: Statement) -> tuple[list[str], str, list[str]]:
    """The variables that take the results of a call, the function's name or the register that points to it, and the
    arguments.
    """
    operands = list(call.operands)
    results = _names(operands.pop(0)) if operands[0].startswith("(") else []
    name = operands.pop(0)
    return results, name, _names(operands[0]) if operands and operands[0].startswith("(") else []


def _names(words: str) -> list[str]:
    return [one for one in re.split(r"[\s,()]+", words) if one]


def is_by_pointer(call: Statement) -> bool:
    """Whether a call goes to the function that a register points to."""
    return call.scope.register(call_parts(call)[1]) is not None


def function_addresses(module: Module) -> dict[str, int]:
    """The functions of a module whose addresses its statements or its variables take, each with a made-up address."""
    taken = {name for one in module_variables(module.text) for _offset, name in one.addresses}
    for function in module.functions:
        for statement in function.statements:
            if statement.words[0] != "call":
                taken.update(statement.operands)
    names = (one.name for one in module.functions if not one.is_entry and one.name in taken)
    return {name: _FIRST_ADDRESS + _STEP * number for number, name in enumerate(names, 1)}


def called_functions(module: Module, caller: Function, call: Statement, taken: Mapping[str, int]) -> list[Function]:
    """The functions with a body that a call of `caller` may go to. A pointer may point to each function of `taken`
    whose parameters and results are as large as those that the call has; PTX leaves all others undefined.
    """
    results, name, arguments = call_parts(call)
    bodies = [one for one in module.functions if not one.is_entry]
    if not is_by_pointer(call):
        return [one for one in bodies if one.name == name]
    label = call.scope.label(call.operands[-1])
    given = _sizes(arguments, caller, call), _sizes(results, caller, call)
    listed = caller.call_targets.get(label)
    return [
        one
        for one in bodies
        if one.name in taken
        and (listed is None or one.name in listed)
        and given == (_sizes_of(one.declared_parameters), _sizes_of(one.declared_results))
    ]


def _sizes(names: Sequence[str], caller: Function, call: Statement) -> list[int | None]:
    found = (caller.variables.get(call.scope.variable(name)) for name in names)
    return [None if one is None else one.nbytes for one in found]


def _sizes_of(variables: Sequence[PtxVariable]) -> list[int | None]:
    return [one.nbytes for one in variables]
