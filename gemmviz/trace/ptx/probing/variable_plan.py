"""Which values of variables the machine writes down before which instructions of a kernel compiled as written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from gemmviz.domain.recordings.variables import MOST_CELLS, Scalar, Variable
from gemmviz.machine.debug_info.sections import DebugInfoError
from gemmviz.machine.debug_info.types import ScalarLeaf
from gemmviz.machine.debug_info.variables import (
    ELSEWHERE,
    Constant,
    InLocalMemory,
    InRegister,
    SourceVariable,
    Where,
    read_variables,
)
from gemmviz.machine.flow import defined_before
from gemmviz.machine.placement import HOST_FUNCTIONS
from gemmviz.machine.ptx.calls import call_parts, function_addresses
from gemmviz.machine.ptx.parse import Function, Module, Statement
from gemmviz.machine.watched import WatchedValue

MOST_WATCHED = 3000
"""Values at all places; code for so many takes more than a second to compile."""
TOO_MANY = f"more than {MOST_CELLS} values in the kernel"
AT_BARRIERS = "Values are recorded at barriers and at the end only, because the kernel has too many accesses."
_LEAVES = frozenset({"ret", "exit"})


@dataclass(frozen=True, slots=True)
class ProbePoint:
    """A place in the code before which values are written down: the function of the PTX that it is in, and the
    variables known there, indices of `VariablePlan.variables`.
    """

    function: str
    known: tuple[int, ...]


@dataclass(slots=True)
class VariablePlan:
    """`number_of` has the number of the point at each statement, by where it begins.

    Besides the scalars of variables these are watched: under `callers` for each function of the PTX whose address is
    not taken the number of the point at which it was called, and under `ends` that of the point at which a thread
    ended.
    """

    variables: list[Variable] = field(default_factory=list)
    points: list[ProbePoint] = field(default_factory=list)
    number_of: dict[int, int] = field(default_factory=dict)
    watched: dict[int, tuple[WatchedValue, ...]] = field(default_factory=dict)
    callers: dict[str, int] = field(default_factory=dict)
    ends: int = 0
    note: str = ""

    @property
    def cells(self) -> int:
        """How many scalars the variables have; what else is watched has higher numbers."""
        return sum(one.count for one in self.variables)

    def known_at(self, number: int, caller_of: Mapping[str, int]) -> tuple[int, ...]:
        """The variables known at a point, with those of the functions that called its function, outermost first."""
        found: list[int] = []
        for _ in range(len(self.callers) + 1):
            point = self.points[number]
            found[:0] = point.known
            caller = caller_of.get(point.function)
            if caller is None:
                break
            number = caller
        return tuple(found)


def plan_variables(module: Module, symbol: str, accesses: Iterable[int], barriers: Iterable[int]) -> VariablePlan:
    """The plan of the kernel `symbol`; `accesses` and `barriers` are where the recorded statements begin.

    Raises:
        DebugInfoError: the debug information is damaged.
    """
    maker = _Maker(module, symbol)
    places = set(barriers)
    plan = maker.plan(places | set(accesses))
    if sum(map(len, plan.watched.values())) > MOST_WATCHED:
        plan = maker.plan(places)
        plan.note = AT_BARRIERS
    if sum(map(len, plan.watched.values())) > MOST_WATCHED:
        raise DebugInfoError(f"the kernel has more than {MOST_WATCHED} values at its barriers")
    return plan


@dataclass(slots=True)
class _Row:
    """One leaf of a variable of the source: its place among the plan's variables, and the leaf; None without values."""

    index: int
    variable: SourceVariable
    leaf: ScalarLeaf | None


class _Maker:
    def __init__(self, module: Module, symbol: str) -> None:
        self._module, self._symbol = module, symbol
        self._names = _source_names(found := read_variables(module.text), symbol)
        self._cells = 0
        self._variables: list[Variable] = []
        self._rows: dict[str, list[_Row]] = {}
        for one in found:
            for leaf in one.leaves if not one.why_not else (None,):
                self._add(one, leaf)

    def _add(self, one: SourceVariable, leaf: ScalarLeaf | None) -> None:
        why_not = one.why_not
        if leaf is not None and self._cells + leaf.count > MOST_CELLS:
            why_not, leaf = TOO_MANY, None
        function = one.inlined or self._names.get(one.function, "")
        row = _Row(len(self._variables), one, leaf)
        name = one.name + (leaf.path if leaf is not None else "")
        if leaf is None:
            made = Variable(name, one.type, Scalar.SIGNED, 1, (), 0, one.line, function, why_not or ELSEWHERE)
        else:
            of_type = leaf.type if leaf.path else one.type
            made = Variable(name, of_type, leaf.scalar, leaf.nbytes, leaf.shape, self._cells, one.line, function)
            self._cells += leaf.count
        self._variables.append(made)
        self._rows.setdefault(one.function, []).append(row)

    def plan(self, places: set[int]) -> VariablePlan:
        made = VariablePlan(self._variables)
        functions = [one for one in self._module.functions if one.name == self._symbol or not one.is_entry]
        by_pointer = function_addresses(self._module)  # a call by pointer does not say which function it calls
        others = (one.name for one in functions if not one.is_entry and one.name not in by_pointer)
        made.callers = {name: self._cells + number for number, name in enumerate(others)}
        made.ends = self._cells + len(made.callers)
        for function in functions:
            self._of_function(made, function, places)
        return made

    def _of_function(self, made: VariablePlan, function: Function, places: set[int]) -> None:
        rows = self._rows.get(function.name, [])
        registers = {
            one.where.name for row in rows for one in row.variable.locations if isinstance(one.where, InRegister)
        }
        defined: dict[int, frozenset[str]] | None = None
        for statement in function.statements:
            pseudo = self._pseudo(made, function, statement)
            if pseudo is None and statement.start not in places:
                continue
            if defined is None:
                defined = defined_before(function, frozenset(registers))
            number = len(made.points)
            known = list(_visible(rows, function, statement, defined.get(statement.start, frozenset())))
            made.points.append(ProbePoint(function.name, tuple(row.index for row, _ in known)))
            made.number_of[statement.start] = number
            watched = [one for row, where in known for one in self._watched(row, where)]
            if pseudo is not None:
                watched.append(WatchedValue(pseudo, str(number), 8))
            made.watched[statement.start] = tuple(watched)

    def _pseudo(self, made: VariablePlan, function: Function, statement: Statement) -> int | None:
        """What a call or an end of a thread is watched under."""
        word = statement.words[0]
        if word == "call":
            name = call_parts(statement)[1]
            return made.callers.get(name) if name not in HOST_FUNCTIONS else None
        return made.ends if word == "exit" or (word == "ret" and function.is_entry) else None

    def _watched(self, row: _Row, where: Where | None) -> Iterator[WatchedValue]:
        if row.leaf is None or where is None:
            return
        variable, leaf = self._variables[row.index], row.leaf
        for number in range(leaf.count):
            operand = ""
            match where:
                case InRegister(name):
                    operand = name
                case Constant(value):
                    operand = str(value)
                case InLocalMemory(symbol, offset):
                    operand = f"[{symbol}+{offset + leaf.offset + number * leaf.nbytes}]"
            yield WatchedValue(variable.first + number, operand, leaf.nbytes)


def _source_names(variables: tuple[SourceVariable, ...], symbol: str) -> dict[str, str]:
    """What the source calls the functions of the PTX that have variables, "" for the kernel."""
    return {one.function: "" if one.function == symbol else one.function_name for one in variables}


def _visible(
    rows: list[_Row], function: Function, statement: Statement, defined: frozenset[str]
) -> Iterator[tuple[_Row, Where | None]]:
    """What a statement sees, with where it lies; what has no value yet is left out. An inner name hides an outer."""
    found: dict[tuple[str, str], list[tuple[_Row, Where | None]]] = {}
    owner: dict[tuple[str, str], SourceVariable] = {}
    for row in rows:
        one = row.variable
        if not one.begin <= statement.start < one.end:
            continue
        where = one.where(statement.start)
        if row.leaf is not None and not _is_there(where, row.leaf, function, statement, defined):
            continue
        key = (one.inlined, one.name)
        if owner.get(key) is not one:
            owner[key], found[key] = one, []
        found[key].append((row, where))
    for each in found.values():
        yield from each


def _is_there(
    where: Where | None, leaf: ScalarLeaf, function: Function, statement: Statement, defined: frozenset[str]
) -> bool:
    match where:
        case Constant():
            return True
        case InRegister(name):
            register = statement.scope.register(name)
            if register is None or name not in defined:
                return False
            return register.bits >= 8 * leaf.nbytes or (register.bits == 1 and leaf.scalar is Scalar.BOOLEAN)
        case InLocalMemory(symbol, offset):
            variable = function.variables.get(symbol)
            size = variable.nbytes if variable is not None and variable.space == "local" else 0
            return size is not None and offset + leaf.offset + leaf.count * leaf.nbytes <= size
    return False
