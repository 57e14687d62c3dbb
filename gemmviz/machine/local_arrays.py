"""Which variable of the source an access to a thread's local memory is meant for, as far as the code tells.

Of code that was compiled as written: there a variable's place is its function's local memory plus a constant, and what
an index makes of it stays an address of that variable, however far the index goes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from gemmviz.machine.debug_info.sections import DebugInfoError
from gemmviz.machine.debug_info.variables import SourceVariable, read_variables
from gemmviz.machine.flow import written
from gemmviz.machine.placement import FunctionFrame, PlacedBlock
from gemmviz.machine.ptx.addresses import address_of
from gemmviz.machine.ptx.parse import Statement
from gemmviz.machine.ptx.variables import number

_POINTERS = frozenset({"b64", "u64", "s64"})
_ACCESSES = frozenset({"ld", "st", "atom", "red"})
_ELSEWHERE = frozenset({"param", "global", "shared", "const"})


@dataclass(frozen=True, slots=True)
class LocalArray:
    """A variable's bytes in a thread's local memory, from `begin` up to `end`.

    `least` is where accesses through it may begin: an address at its beginning may have been meant for the end of the
    variable that lies before it.
    """

    name: str
    begin: int
    end: int
    least: int


def local_arrays(ptx: str, blocks: Sequence[PlacedBlock]) -> dict[int, LocalArray]:
    """The variables that accesses are meant for, by where their statements begin in the text; those of which nothing is
    known are left out, as all of code without debug information.
    """
    if ".local" not in ptx or ".debug_info" not in ptx:
        return {}
    try:
        variables = read_variables(ptx)
    except DebugInfoError:
        return {}
    by_frame: dict[str, list[Statement]] = defaultdict(list)
    frames: dict[str, FunctionFrame] = {}
    for block in blocks:
        by_frame[block.frame.prefix] += block.statements
        frames[block.frame.prefix] = block.frame
    found: dict[int, LocalArray] = {}
    for prefix, statements in by_frame.items():
        places = _places(variables, frames[prefix])
        if places:
            found |= _meant(_Origins(statements, frames[prefix], places))
    return found


def _places(variables: Iterable[SourceVariable], frame: FunctionFrame) -> list[LocalArray]:
    """The variables of a function in local memory, in the order of their places."""
    found: dict[tuple[int, int], str] = {}
    for one in variables:
        if one.room is not None and one.function == frame.function.name and one.room.symbol in frame.locals:
            begin = frame.locals[one.room.symbol] + one.room.offset
            found.setdefault((begin, begin + one.room.nbytes), one.name)
    ends = {end: begin for begin, end in found}
    return [
        LocalArray(name, begin, end, ends.get(begin, begin))
        for (begin, end), name in sorted(found.items())
        if end > begin
    ]


def _meant(origins: _Origins) -> dict[int, LocalArray]:
    found: dict[int, LocalArray] = {}
    for one in origins.statements:
        if one.words[0] not in _ACCESSES or _ELSEWHERE & set(one.words):
            continue
        origin = origins.of_access(one)
        array = origins.variable_at(origin.offset) if origin is not None and origin.is_variable else None
        if array is not None:
            found[one.start] = array
    return found


@dataclass(frozen=True, slots=True)
class _Origin:
    """What an address was made from: a variable at an offset in local memory, or, not `is_variable`, all of a
    function's local memory, which begins there.
    """

    offset: int
    is_variable: bool


_UNKNOWN = _Origin(-1, False)


@dataclass(slots=True)
class _Origins:
    """The origins of what the registers of a function hold, and the pointers that it keeps in local memory; what
    nothing has set yet has none.

    What is kept in a variable whose address is taken has an unknown origin, since anybody may set it.
    """

    statements: Sequence[Statement]
    frame: FunctionFrame
    variables: Sequence[LocalArray]
    _known: dict[str | int, _Origin] = field(default_factory=dict)
    _taken: set[LocalArray | None] = field(default_factory=set)

    def __post_init__(self) -> None:
        setting = [one for one in self.statements if one.words[0] in {"ld", "st"} or _POINTERS & set(one.words[1:])]
        is_changed = True
        while is_changed:
            is_changed = False
            for one in setting:
                origin, targets = self._made(one)
                for name in targets if origin is not None else ():
                    before = self._known.get(name)
                    after = origin if before in (None, origin) else _UNKNOWN
                    if after is not None and after != before:
                        self._known[name], is_changed = after, True

    def variable_at(self, offset: int) -> LocalArray | None:
        """The variable that lies at an offset in local memory."""
        return next((one for one in self.variables if one.begin <= offset < one.end), None)

    def of_access(self, one: Statement) -> _Origin | None:
        """The origin of the address that a statement accesses."""
        address = address_of(one)
        return _UNKNOWN if address is None else self._of(address.base, one)

    def _of(self, operand: str, statement: Statement) -> _Origin | None:
        unique = statement.scope.variable(operand)
        if unique in self.frame.locals:
            return _Origin(self.frame.locals[unique], False)
        register = statement.scope.register(operand)
        return _UNKNOWN if register is None else self._known.get(register.unique)

    def _made(self, one: Statement) -> tuple[_Origin | None, Iterable[str | int]]:
        """The origin of what a statement sets, and the registers, or offsets in local memory, that it sets."""
        words, operands = one.words, one.operands
        if words[0] == "st":
            return self._stored(one)
        registers = written(one)
        if words[0] == "mov" or (words[0] == "cvta" and "local" in words):
            return self._of(operands[1], one), registers
        if words[0] in {"add", "sub"} and len(operands) == 3:
            return self._sum(one), registers
        if words[0] == "mad" and len(operands) == 4:
            return self._of(operands[3], one), registers
        if words[0] == "ld" and len(registers) == 1:
            return self._kept(one), registers
        return _UNKNOWN, registers

    def _kept(self, one: Statement) -> _Origin | None:
        """The origin of what a load finds in local memory."""
        slot = self._slot(one)
        if slot is None or self.variable_at(slot) is None or self.variable_at(slot) in self._taken:
            return _UNKNOWN
        return self._known.get(slot)

    def _sum(self, one: Statement) -> _Origin | None:
        (first, second), constant = (self._of(text, one) for text in one.operands[1:]), number(one.operands[2])
        if first is None or second is None:
            return None
        if first == _UNKNOWN:
            return second if second.is_variable and one.words[0] == "add" else _UNKNOWN
        if not first.is_variable and constant is not None and one.words[0] == "add":
            offset = first.offset + constant
            self._taken.add(self.variable_at(offset))
            return _Origin(offset, True)
        return first if first.is_variable and second == _UNKNOWN else _UNKNOWN

    def _stored(self, one: Statement) -> tuple[_Origin | None, Iterable[str | int]]:
        slot = self._slot(one)
        if slot is None or len(one.operands) != 2:
            return _UNKNOWN, ()
        is_pointer = one.words[-1] in _POINTERS and "{" not in one.operands[1]
        origin = self._of(one.operands[1], one) if is_pointer else _UNKNOWN
        return origin, range(slot - 7, slot + 16) if not is_pointer else (slot,)

    def _slot(self, one: Statement) -> int | None:
        """Where in local memory a statement accesses what no index chose; None elsewhere."""
        address = address_of(one)
        origin = None if address is None else self._of(address.base, one)
        if address is None or origin is None or origin == _UNKNOWN or origin.is_variable:
            return None
        return origin.offset + address.offset
