"""Which variable each register may point into: parameters, shared and local variables, followed through the arithmetic.

A register gets the variables of all registers that it is computed from, whatever the order of the statements; what is
loaded from memory points nowhere. nvcc gives each value a register of its own, so this is exact where a pointer is
not chosen among several.
"""

from __future__ import annotations

import re

from gemmviz.machine.ptx.calls import call_parts, called_functions, function_addresses
from gemmviz.machine.ptx.parse import Function, Module, Statement
from gemmviz.machine.ptx.variables import module_variables

Bases = dict[tuple[str, str], frozenset[str]]
"""By function and unique register: names of the kernel's parameters, of shared and of local variables."""

UNKNOWN = "?"
"""Beside the variables of a parameter that some call gives a pointer from nobody knows where, as out of memory."""
_WORD = re.compile(r"[\w$%.]+")
_NOTHING: frozenset[str] = frozenset()
_POINTS_NOWHERE = ("ld", "setp", "st", "wgmma", "mma", "wmma", "ldmatrix", "atom", "shfl", "vote", "mbarrier")


def follow(module: Module, symbol: str) -> Bases:
    """The variables of every register of the kernel `symbol` and of the functions that it calls."""
    return _Follower(module, symbol).run()


def names_of_locals(module: Module) -> set[str]:
    """The variables of a module's functions that lie in the memory of one thread."""
    return {one.name for function in module.functions for one in function.variables.values() if one.space == "local"}


def names_of_constants(module: Module) -> set[str]:
    """The variables of a module that lie in constant memory (`__constant__`)."""
    return {one.name for one in module_variables(module.text) if one.space == "const"}


def words_of(operand: str) -> list[str]:
    """The names and numbers in an operand: "[%rd1+16]" has %rd1 and 16."""
    return _WORD.findall(operand)


class _Follower:
    def __init__(self, module: Module, symbol: str) -> None:
        self._module = module
        self._taken = function_addresses(module)
        self._called_by: dict[int, list[Function]] = {}
        self._symbols = {shared.name for shared in module.shared} | set(module.entry(symbol).parameters)
        self._symbols |= names_of_locals(module)
        self._symbols |= {one.name for one in module_variables(module.text) if one.space in ("global", "const")}
        self._bases: Bases = {}
        self._grew = False

    def run(self) -> Bases:
        self._settle()
        for function in self._module.functions:
            for statement in function.statements:
                if statement.words[0] == "call":
                    self._mark_unknown(function, statement)
        self._settle()
        return self._bases

    def _settle(self) -> None:
        self._grew = True
        while self._grew:
            self._grew = False
            for function in self._module.functions:
                for statement in function.statements:
                    self._step(function, statement)

    def _mark_unknown(self, function: Function, call: Statement) -> None:
        """Mark the parameters that this call gives no variable and another call gives one."""
        _returned, _name, given = call_parts(call)
        for called in self._called(function, call):
            for parameter, argument in zip(called.parameters, given, strict=False):
                is_known = bool(self._of(function, call, (argument,)))
                if not is_known and self._bases.get((called.name, parameter)):
                    self._add(called.name, parameter, frozenset({UNKNOWN}))

    def _step(self, function: Function, statement: Statement) -> None:
        kind, *rest = statement.words
        operands = statement.operands
        if kind == "call":
            self._call(function, statement)
        elif kind == "st" and rest[0] == "param":
            self._give(function, statement, words_of(operands[0])[0], self._of(function, statement, operands[1:]))
        elif kind == "ld" and rest[0] == "param":
            if rest[-1] in ("u64", "b64", "s64"):
                self._give(function, statement, operands[0], self._of(function, statement, operands[1:]))
        elif kind not in _POINTS_NOWHERE and len(operands) > 1 and not operands[0].startswith("["):
            for to in words_of(operands[0]):
                self._give(function, statement, to, self._of(function, statement, operands[1:]))

    def _of(self, function: Function, statement: Statement, operands: tuple[str, ...]) -> frozenset[str]:
        found = _NOTHING
        for word in (word for operand in operands for word in words_of(operand)):
            register = statement.scope.register(word)
            if register is not None:
                found |= self._bases.get((function.name, register.unique), _NOTHING)
            elif word in self._symbols:
                found |= {word}
            elif word in function.parameters:
                found |= self._bases.get((function.name, word), _NOTHING)
        return found

    def _give(self, function: Function, statement: Statement, name: str, bases: frozenset[str]) -> None:
        register = statement.scope.register(name)
        if register is not None and register.bits == 1:
            return
        self._add(function.name, name if register is None else register.unique, bases)

    def _add(self, function: str, name: str, bases: frozenset[str]) -> None:
        known = self._bases.get((function, name), _NOTHING)
        if bases - known:
            self._bases[function, name] = known | bases
            self._grew = True

    def _call(self, function: Function, statement: Statement) -> None:
        """Arguments go to the parameters of every function that may be called, what these return comes back."""
        returned, _name, given = call_parts(statement)
        for called in self._called(function, statement):
            for parameter, argument in zip(called.parameters, given, strict=False):
                self._add(called.name, parameter, self._of(function, statement, (argument,)))
            for result, into in zip(called.results, returned, strict=False):
                self._give(function, statement, into, self._bases.get((called.name, result), _NOTHING))

    def _called(self, function: Function, call: Statement) -> list[Function]:
        if call.start not in self._called_by:
            self._called_by[call.start] = called_functions(self._module, function, call, self._taken)
        return self._called_by[call.start]
