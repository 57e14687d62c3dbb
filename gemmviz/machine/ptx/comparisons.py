"""What a kernel's PTX treats apart: the constants that it compares the index of a block, or a parameter, with."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil

from gemmviz.domain.kernels.compared_blocks import ComparedBlocks
from gemmviz.machine.ptx.parse import Function, Module, Statement

_AXES = ("%ctaid.x", "%ctaid.y", "%ctaid.z")
_NUMBER = "number"
"""The number of a block, x fastest."""
_LARGEST = 1 << 16
_BITS = 32


@dataclass(frozen=True, slots=True)
class _Linear:
    """A register as a sum of the indices of the block and parameters, each times its scale, a constant, and an
    unknown part, such as the index of the thread.
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
    module.entry(symbol)
    found = _compared(module.functions)
    x, y, z, numbers = (frozenset(found.get(name, ())) for name in (*_AXES, _NUMBER))
    return ComparedBlocks((x, y, z), numbers)


def compared_parameters(module: Module, symbol: str) -> dict[int, frozenset[int]]:
    """The values on both sides of each comparison of a parameter of the kernel `symbol`, or of a sum with it, with a
    constant, by the places of the parameters from 0 on; positive ones alone.

    Raises:
        KeyError: there is no such kernel.
    """
    entry = module.entry(symbol)
    found = _compared([entry])
    values = {place: found.get(name, set()) - {0} for place, name in enumerate(entry.parameters)}
    return {place: frozenset(of) for place, of in values.items() if of}


def _compared(functions: Iterable[Function]) -> dict[str, set[int]]:
    """By the name of an index of the block or a parameter, what is on both sides of comparisons with it."""
    found: dict[str, set[int]] = {}
    for function in functions:
        for name, value in _Follower(function).run():
            found.setdefault(name, set()).add(value)
    return found


class _Follower:
    def __init__(self, function: Function) -> None:
        self._function = function
        self._known: dict[str, _Linear] = {}

    def run(self) -> Iterator[tuple[str, int]]:
        """Each index of a block, or parameter, that is compared, and its values on both sides of the change of the
        outcome.
        """
        for statement in self._function.statements:
            kind, operands = statement.words[0], statement.operands
            if kind in ("setp", "set", "xor") and len(operands) >= 3:
                one, two = (self._of(statement, operand) for operand in operands[1:3])
                yield from _sides(one.plus(two, -1))
                yield from _sides(one) if one.constant < 0 else ()  # x - 45 < 3 of unsigned numbers begins at 45
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
            name = operand.strip("[]")
            return _Linear({name: Fraction(1)} if name in self._function.parameters else {})
        if (constant := _constant(operand)) is not None:
            return _Linear(constant=Fraction(constant))
        register = statement.scope.register(operand)
        return self._known.get(register.unique, _Linear()) if register is not None else _Linear()


def _sides(value: _Linear) -> Iterator[tuple[str, int]]:
    """The values around which a sum that is compared with 0 passes it, where one index or parameter alone is in it."""
    scales = {name: scale for name, scale in value.scales.items() if not name.startswith("%nctaid")}
    if _NUMBER in scales:  # x is a part of it
        scales = {_NUMBER: scales[_NUMBER]}
    if len(scales) != 1 or (len(scales) < len(value.scales) and _NUMBER not in scales):
        return
    ((name, scale),) = scales.items()
    for constant in (value.constant, value.constant - 1) if abs(scale) < 1 else (value.constant,):
        middle = -constant / scale
        for place in {ceil(middle) - 1, ceil(middle), int(middle), int(middle) + 1}:
            if 0 <= place < _LARGEST and middle > 0:
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
        return _Linear()
    factor, other = (one, two) if two.scales else (two, one)
    return other.times(factor.constant)


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
