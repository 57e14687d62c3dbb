"""What a kernel's PTX treats apart: the constants that it compares the index of a block, a parameter, or a product of
parameters, with.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil

from gemmviz.domain.kernels.compared_blocks import ComparedBlocks
from gemmviz.machine.ptx.calls import call_parts, called_functions, function_addresses
from gemmviz.machine.ptx.parse import Function, Module, Statement

_AXES = ("%ctaid.x", "%ctaid.y", "%ctaid.z")
_NUMBER = "number"
"""The number of a block, x fastest."""
_TIMES = " * "
"""Between the parameters in the name of a product."""
_LARGEST, _LARGEST_PRODUCT = 1 << 16, 1 << 24
_BITS = 32
_MOST_CALLS = 64
"""Calls that are followed."""


@dataclass(frozen=True, slots=True)
class _Linear:
    """A register as a sum of the indices of the block, parameters and products of parameters, each times its scale, a
    constant, and an unknown part, such as the index of the thread.
    """

    scales: Mapping[str, Fraction] = field(default_factory=dict)
    constant: Fraction = Fraction(0)

    def plus(self, other: _Linear, sign: int = 1) -> _Linear:
        scales = dict(self.scales)
        for name, scale in other.scales.items():
            scales[name] = scales.get(name, Fraction(0)) + sign * scale
        return _Linear({name: scale for name, scale in scales.items() if scale}, self.constant + sign * other.constant)

    def times(self, factor: Fraction | int) -> _Linear:
        scaled = {name: scale * factor for name, scale in self.scales.items()}
        return _Linear(scaled, self.constant * factor)


def compared_blocks(module: Module, symbol: str) -> ComparedBlocks:
    """The blocks on both sides of each comparison that the kernel `symbol`, and what it calls, makes of the index of
    its block, or of a sum of it and other things, with a constant.

    What is loaded, masked or chosen among several is followed no further.

    Raises:
        KeyError: there is no such kernel.
    """
    found = _compared(module, module.entry(symbol))
    x, y, z, numbers = (frozenset(found.get(name, ())) for name in (*_AXES, _NUMBER))
    return ComparedBlocks((x, y, z), numbers)


def compared_parameters(module: Module, symbol: str) -> dict[tuple[int, ...], frozenset[int]]:
    """The values on both sides of each comparison that the kernel `symbol`, and what it calls, makes of a parameter, a
    product of parameters, or a sum with one of them, with a constant, by the places of the parameters of the product
    from 0 on; positive ones alone.

    Raises:
        KeyError: there is no such kernel.
    """
    entry = module.entry(symbol)
    places = {name: place for place, name in enumerate(entry.parameters)}
    found: dict[tuple[int, ...], frozenset[int]] = {}
    for name, values in _compared(module, entry).items():
        factors = name.split(_TIMES)
        if all(one in places for one in factors) and (positive := values - {0}):
            found[tuple(sorted(places[one] for one in factors))] = frozenset(positive)
    return found


def _compared(module: Module, entry: Function) -> dict[str, set[int]]:
    """By the name of an index of the block, a parameter or a product, what is on both sides of comparisons with it."""
    found: dict[str, set[int]] = {}
    given = {name: _Linear({name: Fraction(1)}) for name in entry.parameters}
    calls = [(entry, given)]
    taken = function_addresses(module)
    for function, values in calls:
        follower = _Follower(function, values)
        for name, value in follower.run():
            found.setdefault(name, set()).add(value)
        for call, arguments in follower.calls:
            for called in called_functions(module, function, call, taken):
                one = called, dict(zip(called.parameters, arguments, strict=False))
                if one not in calls and len(calls) <= _MOST_CALLS:
                    calls.append(one)
    return found


class _Follower:
    """Follows what the registers of a function hold, in the order of its text, from what its parameters are `given`;
    `calls` are then its calls, each with its arguments.
    """

    def __init__(self, function: Function, given: Mapping[str, _Linear]) -> None:
        self._function = function
        self._known: dict[str, _Linear] = {}
        self._variables = dict(given)
        self.calls: list[tuple[Statement, Sequence[_Linear]]] = []

    def run(self) -> Iterator[tuple[str, int]]:
        """Each index of a block, parameter or product that is compared, and its values on both sides of the change of
        the outcome.
        """
        for statement in self._function.statements:
            kind, operands = statement.words[0], statement.operands
            if kind in ("setp", "set", "xor") and len(operands) >= 3:
                one, two = (self._of(statement, operand) for operand in operands[1:3])
                yield from _sides(one.plus(two, -1))
                yield from _sides(one) if one.constant < 0 else ()  # x - 45 < 3 of unsigned numbers begins at 45
            elif kind == "call":
                names = call_parts(statement)[2]
                self.calls.append((statement, [self._variable(statement, name) for name in names]))
            elif kind == "st" and statement.words[1] == "param":
                self._variables[_variable_of(statement, operands[0])] = self._of(statement, operands[1])
            elif kind == "ld" and statement.words[1] != "param":
                continue
            elif kind in _RULES and operands and (register := statement.scope.register(operands[0])) is not None:
                value = _RULES[kind](statement, [self._of(statement, one) for one in operands[1:]])
                self._known.setdefault(register.unique, value)

    def _of(self, statement: Statement, operand: str) -> _Linear:
        if operand in _AXES:
            return _Linear({operand: Fraction(1)})
        if operand.startswith("%nctaid."):
            return _Linear({operand: Fraction(1)})
        if operand.startswith("["):
            return self._variable(statement, operand)
        if (constant := _constant(operand)) is not None:
            return _Linear(constant=Fraction(constant))
        register = statement.scope.register(operand)
        return self._known.get(register.unique, _Linear()) if register is not None else _Linear()

    def _variable(self, statement: Statement, operand: str) -> _Linear:
        return self._variables.get(_variable_of(statement, operand), _Linear())


def _variable_of(statement: Statement, operand: str) -> str:
    """The unique name of a parameter's variable at the address `operand`; of a part of one the address."""
    return statement.scope.variable(operand.strip("[]").removesuffix("+0"))


def _sides(value: _Linear) -> Iterator[tuple[str, int]]:
    """The values around which a sum that is compared with 0 passes it, where one index, parameter or product alone is
    in it.
    """
    scales = {name: scale for name, scale in value.scales.items() if not name.startswith("%nctaid")}
    if _NUMBER in scales:  # x is a part of it
        scales = {_NUMBER: scales[_NUMBER]}
    if len(scales) != 1 or (len(scales) < len(value.scales) and _NUMBER not in scales):
        return
    ((name, scale),) = scales.items()
    largest = _LARGEST_PRODUCT if _TIMES in name else _LARGEST
    for constant in (value.constant, value.constant - 1) if abs(scale) < 1 else (value.constant,):
        middle = -constant / scale
        for place in {ceil(middle) - 1, ceil(middle), int(middle), int(middle) + 1}:
            if 0 <= place < largest and middle > 0:
                yield name, place


def _constant(operand: str) -> int | None:
    try:
        return int(operand.removesuffix("U"), 0)
    except ValueError:
        return None


def _product(statement: Statement, given: list[_Linear]) -> _Linear:
    del statement
    one, two = given[0], given[1]
    names = {*one.scales, *two.scales}
    if names == {"%ctaid.y", "%nctaid.x"} and len(one.scales) == 1:
        return _Linear({_NUMBER: Fraction(1)})
    if one.scales and two.scales:
        return _product_of_parameters(one, two)
    factor, other = (one, two) if two.scales else (two, one)
    return other.times(factor.constant)


def _product_of_parameters(one: _Linear, two: _Linear) -> _Linear:
    """The product of two parameters, or products of them, each times its scale; unknown where sums are multiplied."""
    both = *one.scales.items(), *two.scales.items()
    names = sorted(factor for name, _ in both for factor in name.split(_TIMES))
    if len(both) != 2 or one.constant or two.constant or any(name.startswith("%") or name == _NUMBER for name in names):
        return _Linear()
    return _Linear({_TIMES.join(names): both[0][1] * both[1][1]})


def _multiply_add(statement: Statement, given: list[_Linear]) -> _Linear:
    return _product(statement, given).plus(given[2])


def _shifted(statement: Statement, given: list[_Linear]) -> _Linear:
    places = int(given[1].constant)
    if given[1].scales or not 0 <= places < _BITS:
        return _Linear()
    return given[0].times(1 << places if statement.words[0] == "shl" else Fraction(1, 1 << places))


def _first(statement: Statement, given: list[_Linear]) -> _Linear:
    del statement
    return given[0]


def _sum(statement: Statement, given: list[_Linear]) -> _Linear:
    del statement
    return given[0].plus(given[1])


def _difference(statement: Statement, given: list[_Linear]) -> _Linear:
    del statement
    return given[0].plus(given[1], -1)


_RULES: Mapping[str, Callable[[Statement, list[_Linear]], _Linear]] = {
    "ld": _first,
    "mov": _first,
    "cvt": _first,
    "cvta": _first,
    "add": _sum,
    "or": _sum,  # of parts that share no bits, as compilers add
    "sub": _difference,
    "mul": _product,
    "mad": _multiply_add,
    "shl": _shifted,
    "shr": _shifted,
}
