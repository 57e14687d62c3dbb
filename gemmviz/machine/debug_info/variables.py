"""The variables of a PTX text that was compiled as written: names, types, scopes, and where each lies at which place.

Places in the code are offsets in the text, as `Statement.start` has them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from gemmviz.machine.debug_info.entries import Attribute, DebugEntry, DebugTag, Entries, Value, read_entries
from gemmviz.machine.debug_info.reader import Reader
from gemmviz.machine.debug_info.sections import DebugInfoError, SectionBytes, Symbol, labels_of, read_sections
from gemmviz.machine.debug_info.types import NotShownError, ScalarLeaf, bytes_of, leaves_of, type_name
from gemmviz.machine.ptx.function_copies import copied_bodies

OPTIMISED_OUT = "optimised out"
ELSEWHERE = "no single register or place in memory holds it"
_ADDRESS, _PLUS_CONSTANT, _REGISTER = 0x03, 0x23, 0x90
_LOCATIONS = ".debug_loc"
_ADDRESS_BYTES = 8
_REGISTER_NAME = re.compile(r"%[A-Za-z]+\d*")


@dataclass(frozen=True, slots=True)
class InRegister:
    """A register of the PTX by its name."""

    name: str


@dataclass(frozen=True, slots=True)
class InLocalMemory:
    """Bytes of a variable of the PTX in a thread's local memory."""

    symbol: str
    offset: int


@dataclass(frozen=True, slots=True)
class Constant:
    """A number that the variable has wherever it is known."""

    value: int


Where = InRegister | InLocalMemory | Constant


@dataclass(frozen=True, slots=True)
class Location:
    """Where a variable lies between two places in the code."""

    begin: int
    end: int
    where: Where


@dataclass(frozen=True, slots=True)
class LocalRoom:
    """All bytes of a variable of the source within a variable of the PTX in a thread's local memory."""

    symbol: str
    offset: int
    nbytes: int


@dataclass(frozen=True, slots=True)
class SourceVariable:
    """A variable of the PTX function `function`, known between two places in the code; `inlined` is the name of the
    function of the source that was inlined there and declares it, "" where none was; `function_name` is what the source
    calls `function`. `why_not` says why its values are not known, "" where they are. `room` is where it lies in local
    memory all the time; None where it lies elsewhere.
    """

    name: str
    type: str
    function: str
    function_name: str
    inlined: str
    line: int
    begin: int
    end: int
    leaves: tuple[ScalarLeaf, ...]
    locations: tuple[Location, ...]
    why_not: str = ""
    room: LocalRoom | None = None

    def where(self, at: int) -> Where | None:
        """Where it lies at a place in the code; None where nobody says."""
        return next((one.where for one in self.locations if one.begin <= at < one.end), None)


def read_variables(text: str) -> tuple[SourceVariable, ...]:
    """The variables of a PTX text, an outer one before those of the scopes within; () where it has no debug
    information.

    Raises:
        DebugInfoError: the debug information is damaged.
    """
    sections = read_sections(text)
    found = list(_Finder(read_entries(sections), sections.get(_LOCATIONS), labels_of(text)).find())
    for name, copies in copied_bodies(text).items():
        own = [one for one in found if one.function == name]
        found += [_moved(one, copy, behind) for copy, behind in copies for one in own]
    return tuple(found)


def _moved(variable: SourceVariable, function: str, behind: int) -> SourceVariable:
    """A variable in the copy of its function, whose text is so far behind."""
    places = tuple(replace(one, begin=one.begin + behind, end=one.end + behind) for one in variable.locations)
    begin, end = variable.begin + behind, variable.end + behind
    return replace(variable, function=function, begin=begin, end=end, locations=places)


@dataclass(frozen=True, slots=True)
class _Scope:
    function: str
    function_name: str
    inlined: str
    begin: int
    end: int


@dataclass(slots=True)
class _Finder:
    entries: Entries
    lists: SectionBytes | None
    labels: dict[str, int]

    def find(self) -> Iterator[SourceVariable]:
        for unit in self.entries.units:
            yield from self._in_unit(unit)

    def _in_unit(self, entry: DebugEntry) -> Iterator[SourceVariable]:
        for one in entry.children:
            if one.tag != DebugTag.FUNCTION:
                yield from self._in_unit(one)
            elif Attribute.LOW in one.attributes:
                begin, end = self._bounds(one, 0, 0)
                yield from self._in_scope(one, _Scope(self._symbol(one), self._name(one), "", begin, end))

    def _symbol(self, function: DebugEntry) -> str:
        words = (function.word(name) for name in (Attribute.MIPS_LINKAGE_NAME, Attribute.LINKAGE_NAME, Attribute.NAME))
        found = next(filter(None, words), "")
        origin = self._origin(function)
        return found if found or origin is None else self._symbol(origin)

    def _name(self, function: DebugEntry) -> str:
        origin = self._origin(function)
        return function.word(Attribute.NAME) or (self._name(origin) if origin is not None else "")

    def _origin(self, entry: DebugEntry) -> DebugEntry | None:
        for attribute in (Attribute.ORIGIN, Attribute.SPECIFICATION):
            found = self.entries.referred(entry, attribute)
            if found is not None and found.offset < entry.offset:  # else it could refer to itself
                return found
        return None

    def _in_scope(self, entry: DebugEntry, scope: _Scope) -> Iterator[SourceVariable]:
        inner: list[tuple[DebugEntry, _Scope]] = []
        for one in entry.children:
            if one.tag in (DebugTag.VARIABLE, DebugTag.PARAMETER):
                variable = self._variable(one, scope)
                if variable is not None:
                    yield variable
            elif one.tag in (DebugTag.LEXICAL_BLOCK, DebugTag.INLINED):
                begin, end = self._bounds(one, scope.begin, scope.end)
                name = scope.inlined
                if one.tag == DebugTag.INLINED:
                    origin = self._origin(one)
                    name = origin.word(Attribute.NAME) if origin is not None else name
                inner.append((one, _Scope(scope.function, scope.function_name, name, begin, end)))
        for one, within in inner:
            yield from self._in_scope(one, within)

    def _bounds(self, entry: DebugEntry, begin: int, end: int) -> tuple[int, int]:
        low, high = entry.attributes.get(Attribute.LOW), entry.attributes.get(Attribute.HIGH)
        return (begin if low is None else self._place(low), end if high is None else self._place(high))

    def _place(self, value: Value) -> int:
        if isinstance(value, Symbol) and value.name in self.labels:
            return self.labels[value.name] + value.offset
        raise DebugInfoError(f"the debug information names {str(value)[:60]!a}, which is no label of the code")

    def _variable(self, entry: DebugEntry, scope: _Scope) -> SourceVariable | None:
        origin = self._origin(entry)
        described = entry if origin is None else origin
        name = described.word(Attribute.NAME)
        if not name or name == "this" or described.number(Attribute.ARTIFICIAL):
            return None
        of_type = self.entries.referred(described, Attribute.TYPE)
        why_not, leaves, locations = "", tuple[ScalarLeaf, ...](), tuple[Location, ...]()
        try:
            leaves = leaves_of(self.entries, of_type)
            locations = tuple(self._locations(entry, described, scope))
            if not locations:
                why_not = OPTIMISED_OUT
            elif any(isinstance(one.where, InRegister | Constant) for one in locations) and _is_split(leaves):
                why_not = ELSEWHERE
        except NotShownError as error:
            why_not = str(error)
        return SourceVariable(
            name,
            type_name(self.entries, of_type),
            scope.function,
            scope.function_name,
            scope.inlined,
            described.number(Attribute.LINE) or 0,
            scope.begin,
            scope.end,
            leaves,
            locations,
            why_not,
            self._room(entry, of_type),
        )

    def _room(self, entry: DebugEntry, of_type: DebugEntry | None) -> LocalRoom | None:
        place = entry.attributes.get(Attribute.LOCATION)
        if not isinstance(place, SectionBytes):
            return None
        try:
            where = _where(place)
            if not isinstance(where, InLocalMemory):
                return None
            return LocalRoom(where.symbol, where.offset, bytes_of(self.entries, of_type))
        except NotShownError:
            return None

    def _locations(self, entry: DebugEntry, described: DebugEntry, scope: _Scope) -> Iterator[Location]:
        constant = entry.number(Attribute.CONSTANT_VALUE)
        if constant is None:
            constant = described.number(Attribute.CONSTANT_VALUE)
        place = entry.attributes.get(Attribute.LOCATION)
        if constant is not None:
            yield Location(scope.begin, scope.end, Constant(constant))
        elif isinstance(place, SectionBytes):
            where = _where(place)
            if where is not None:
                yield Location(scope.begin, scope.end, where)
        elif place is not None:
            yield from self._listed(place.offset if isinstance(place, Symbol) else place)

    def _listed(self, at: int | str) -> Iterator[Location]:
        """The entries of a location list."""
        if self.lists is None or not isinstance(at, int):
            raise DebugInfoError(f"the section {_LOCATIONS} is missing")
        reader = Reader(self.lists, at)
        while True:
            begin, end = reader.address(_ADDRESS_BYTES), reader.address(_ADDRESS_BYTES)
            if begin == 0 and end == 0:
                return
            where = _where(reader.part(reader.number(2)))
            if where is not None:
                yield Location(self._place(begin), self._place(end), where)


def _is_split(leaves: tuple[ScalarLeaf, ...]) -> bool:
    """Whether a value is more than one scalar at its beginning."""
    return len(leaves) != 1 or leaves[0].count != 1 or leaves[0].offset != 0


def _where(expression: SectionBytes) -> Where | None:
    """What a location says; None where it says nothing.

    Raises:
        NotShownError: it says more than where something lies.
    """
    reader = Reader(expression)
    if reader.is_done():
        return None
    operation = reader.number(1)
    if operation == _REGISTER:
        number = reader.leb()
        name = number.to_bytes(-(-number.bit_length() // 8), "big").decode("ascii", errors="replace")
        if reader.is_done() and _REGISTER_NAME.fullmatch(name):
            return InRegister(name)
    elif operation == _ADDRESS:
        symbol = reader.address(_ADDRESS_BYTES)
        offset = 0
        if not reader.is_done() and reader.number(1) == _PLUS_CONSTANT:
            offset = reader.leb()
        if reader.is_done() and isinstance(symbol, Symbol):
            return InLocalMemory(symbol.name, symbol.offset + offset)
    raise NotShownError(ELSEWHERE)
