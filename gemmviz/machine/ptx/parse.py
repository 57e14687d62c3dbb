"""PTX as nvcc writes it, read as far as recording needs: functions, statements, registers, and source lines.

Every statement knows where it stands in the text, so that edits leave all else byte for byte. Syntax: NVIDIA, PTX ISA.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache, partial
from pathlib import Path

from gemmviz.domain.kernels.inlined_code import helper_line
from gemmviz.machine.debug_info.inlined import InlinedScope, inlined_scopes
from gemmviz.machine.faults import MachineError
from gemmviz.machine.ptx.places import Place, Places
from gemmviz.machine.ptx.scopes import Scope
from gemmviz.machine.ptx.variables import PtxVariable, parameters_of, read_variable

_FUNCTION = re.compile(r"^[ \t]*(?:\.(?:visible|weak|extern)\s+)*\.(?P<kind>entry|func)\b", re.MULTILINE)
_HEAD = re.compile(
    r"\s*(?:\((?P<result>[^)]*)\))?\s*(?P<name>[\w$]+)\s*(?:\((?P<parameters>[^)]*)\))?[^{;]*(?P<end>[{;])"
)
_SHARED = re.compile(
    r"\.shared\s+(?:\.align\s+(?P<align>\d+)\s+)?\.[a-z]+(?P<bits>\d+)\s+(?P<name>[\w$]+)(?:\[(?P<count>\d*)\])?"
)
_SKIPPED = re.compile(r"(?:\s+|//[^\n]*|/\*.*?\*/)+", re.DOTALL)
_LABEL = re.compile(r"(?P<name>[\w$%]+)\s*:(?!:)")
_GUARD = re.compile(r"@(?P<negated>!?)\s*(?P<name>[\w$%]+)\s+")
_PARAMETER = re.compile(r"(?P<name>[\w$]+)(?:\[\d+\])?\s*$")

COPY = "$line"
"""Behind the name of a function in that of its copy for one of the lines that call it."""


@dataclass(frozen=True, slots=True)
class SharedSymbol:
    """A variable in shared memory; `nbytes` is None where the launch says how much there is."""

    name: str
    nbytes: int | None


@dataclass(frozen=True, slots=True)
class Statement:
    """One instruction: text[start:end], its `;` included. `guard` is the predicate's name, "" without one."""

    start: int
    end: int
    opcode: str
    operands: tuple[str, ...]
    guard: str
    negated: bool
    place: Place
    scope: Scope

    @property
    def words(self) -> tuple[str, ...]:
        """The opcode's parts: ("ld", "shared", "v4", "f32")."""
        return _words(self.opcode)


@cache
def _words(opcode: str) -> tuple[str, ...]:
    return tuple(re.split(r"\.|::", opcode))


@dataclass(frozen=True, slots=True)
class Function:
    """An entry or a function that was not inlined; `body` is where its first statement stands.

    `labels` maps a label to the number of the statement behind it, by the unique name that its scope gives it.
    A call under a predicate is a branch around it and a call without one.
    `variables` are those that the body declares, by the unique names that their scopes give them.
    """

    name: str
    is_entry: bool
    parameters: tuple[str, ...]
    results: tuple[str, ...]
    statements: tuple[Statement, ...]
    labels: dict[str, int]
    body: int
    variables: dict[str, PtxVariable] = field(default_factory=dict)
    declared_parameters: tuple[PtxVariable, ...] = ()
    declared_results: tuple[PtxVariable, ...] = ()
    call_targets: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """The functions that a list of possible targets of calls names, by the unique name of its label."""
    start: int = 0
    end: int = 0
    """The function is text[start:end]."""


@dataclass(frozen=True, slots=True)
class Module:
    """A PTX text, its functions that have a body, and its shared variables in the order of the text."""

    text: str
    functions: tuple[Function, ...]
    shared: tuple[SharedSymbol, ...]

    def entry(self, symbol: str) -> Function:
        """The kernel of that symbol.

        Raises:
            KeyError: there is none.
        """
        return next((f for f in self.functions if f.is_entry and f.name == symbol), None) or _missing(symbol)


def _missing(symbol: str) -> Function:
    raise KeyError(symbol)


@lru_cache(maxsize=4)  # the recorder, the machine and what makes copies of functions read the same text
def parse(text: str, source_name: str, *, tells_chains_apart: bool = False) -> Module:
    """The module, which nobody may change; `source_name` is what the kernel's own file was called when it was compiled.
    With `tells_chains_apart` a header's function that one line reaches by several chains of calls has no place.

    Raises:
        MachineError: a statement or a function does not end.
    """
    places = Places(text, Path(source_name).name)
    functions = []
    for match in _FUNCTION.finditer(text):
        head = _HEAD.match(text, match.end())
        if head is not None and head["end"] == "{":
            places.begin(match.start())
            reader = _Reader(text, head.end(), places)
            try:
                reader.read()
            except (IndexError, ValueError) as error:
                line = text.count("\n", 0, reader.at) + 1
                raise MachineError(f"the PTX cannot be read: something is missing behind line {line} of it") from error
            functions.append(
                Function(
                    head["name"],
                    match["kind"] == "entry",
                    _names(head["parameters"]),
                    _names(head["result"]),
                    tuple(reader.statements),
                    reader.labels,
                    reader.body,
                    reader.variables,
                    parameters_of(head["parameters"]),
                    parameters_of(head["result"]),
                    reader.call_targets,
                    match.start(),
                    reader.at,
                )
            )
    inlined = inlined_scopes(text)
    functions = [_with_inlined(one, places, inlined) if one.is_entry else one for one in functions]
    return Module(text, _placed_by_calls(functions, tells_chains_apart), tuple(_shared(text)))


def _with_inlined(function: Function, places: Places, scopes: Sequence[InlinedScope]) -> Function:
    """A kernel compiled as written, in which only the debug information tells what is inlined: code of a function that
    several lines call is shown at these.
    """
    here = [one for one in scopes if function.start <= one.begin < function.end and places.is_own(str(one.file))]
    lines: dict[int, set[int]] = {}
    for one in here:
        lines.setdefault(one.function, set()).add(one.line)
    calls = [(one, len(lines[one.function]) > 1) for one in here]

    def placed(statement: Statement) -> Statement:
        around = [call for call in calls if call[0].begin <= statement.start < call[0].end]
        place = statement.place
        if not around or place.header or place.line in (0, around[-1][0].line) or not around[-1][1]:
            return statement
        return replace(statement, place=place.called_from(Place(around[-1][0].line, 1)))

    return replace(function, statements=tuple(map(placed, function.statements))) if calls else function


def _placed_by_calls(functions: Sequence[Function], tells_chains_apart: bool) -> tuple[Function, ...]:
    """The functions; one of another file, such as a header, has the place of the one line of the kernel's own file that
    calls it, itself or through others of such files. It has none where several lines call it. Code of the kernel's file
    that several lines call is shown at the line that calls its copy; without copies, at its own.
    """
    found = {one.name: one for one in functions}
    helpers = helper_calls(functions)
    for _ in functions:  # as often as calls may pass from one of them to the next
        calls = calls_of_unplaced(found.values())
        placed = {
            name: min((one.place for one in by), key=lambda place: place.column)
            for name, by in calls.items()
            if len({(one.place.line, tells_chains_apart and one.place.header) for one in by}) == 1 and by[0].place.line
        }
        if not placed:
            break
        for name, place in placed.items():
            found[name] = _with_places(found[name], partial(Place.called_at, call=place))
    for name, by in helpers.items():
        if len({one.place.own_line for one in by}) == 1:
            call = Place(by[0].place.own_line, by[0].place.column)
            found[name] = _with_places(found[name], partial(Place.called_from, call=call))
    return tuple(found.values())


def _with_places(function: Function, moved: Callable[[Place], Place]) -> Function:
    return replace(function, statements=tuple(replace(one, place=moved(one.place)) for one in function.statements))


def helper_calls(functions: Iterable[Function]) -> dict[str, list[Statement]]:
    """The calls of each function of the kernel's file that several lines of one kernel call, as itself or as its
    copies; not of those that call themselves.
    """
    every = {one.name: one for one in functions}
    calls = {
        name: [one for one in function.statements if called_function(one) in every] for name, function in every.items()
    }
    lines: dict[tuple[str, str], set[int]] = {}
    found: dict[str, list[Statement]] = {}
    for entry in (name for name, one in every.items() if one.is_entry):
        for caller in _reached(entry, calls) | {entry}:
            for statement in calls[caller]:
                name = called_function(statement)
                lines.setdefault((entry, original_of(name)), set()).add(statement.place.own_line)
                found.setdefault(name, []).append(statement)
    shared = {name for (_, name), by in lines.items() if len(by) > 1 and 0 not in by}
    return {
        name: by
        for name, by in found.items()
        if original_of(name) in shared and _is_own(every[name]) and name not in _reached(name, calls)
    }


def _reached(name: str, calls: Mapping[str, Sequence[Statement]]) -> set[str]:
    """The functions that one calls, itself or through others."""
    found: set[str] = set()
    further = [name]
    while further:
        more = {called_function(one) for one in calls[further.pop()]} - found
        found |= more
        further.extend(more)
    return found


def _is_own(function: Function) -> bool:
    return any(
        one.place.line and (not one.place.header or helper_line(one.place.header)) for one in function.statements
    )


def called_function(statement: Statement) -> str:
    """The name of the function that a statement calls, or of the register that holds it; "" where it is no call."""
    if statement.words[0] != "call" or not statement.operands:
        return ""
    return statement.operands[statement.operands[0].startswith("(")]


def original_of(name: str) -> str:
    """The function that one of this name is a copy of, or that is no copy."""
    return name.partition(COPY)[0]


def calls_of_unplaced(functions: Iterable[Function]) -> dict[str, list[Statement]]:
    """The calls of each function without a line of the kernel's own file; not those by functions that nobody calls."""
    every = list(functions)
    calls: dict[str, list[tuple[Function, Statement]]] = {
        one.name: [] for one in every if not one.is_entry and not any(each.place.line for each in one.statements)
    }
    for function in every:
        for statement in function.statements:
            if calls and (name := called_function(statement)) in calls:
                calls[name].append((function, statement))
    return {
        name: [statement for caller, statement in by if caller.name not in calls or calls[caller.name]]
        for name, by in calls.items()
    }


def _names(parameters: str | None) -> tuple[str, ...]:
    found = (_PARAMETER.search(part.strip()) for part in (parameters or "").split(","))
    return tuple(match["name"] for match in found if match is not None)


def _shared(text: str) -> Iterator[SharedSymbol]:
    for match in _SHARED.finditer(text):
        width = int(match["bits"]) // 8
        count = match["count"]
        yield SharedSymbol(match["name"], width if count is None else width * int(count) if count else None)


@dataclass(slots=True)
class _Reader:
    """Reads one function's body from behind its opening brace."""

    text: str
    at: int
    places: Places
    statements: list[Statement] = field(default_factory=list)
    labels: dict[str, int] = field(default_factory=dict)
    body: int = 0
    variables: dict[str, PtxVariable] = field(default_factory=dict)
    call_targets: dict[str, tuple[str, ...]] = field(default_factory=dict)
    _label: str = ""

    def read(self) -> None:
        scope = Scope()
        place = Place(0, 0)
        while True:
            skipped = _SKIPPED.match(self.text, self.at)
            self.at = skipped.end() if skipped is not None else self.at
            if self.text[self.at] == "{":
                scope = scope.inner()
                self.at += 1
            elif self.text[self.at] == "}":
                self.at += 1
                if scope.outer is None:
                    return
                scope = scope.outer
            elif self.text.startswith((".loc ", ".loc\t"), self.at):
                end = self.text.index("\n", self.at)
                place = self.places.of(self.text[self.at : end], place)
                self.at = end
            elif (label := _LABEL.match(self.text, self.at)) is not None:
                self._label = scope.declare_label(label["name"])
                self.labels[self._label] = len(self.statements)
                self.at = label.end()
            else:
                self._statement(scope, place)

    def _statement(self, scope: Scope, place: Place) -> None:
        start, end = self.at, self.text.index(";", self.at) + 1
        self.at = end
        words = self.text[start : end - 1]
        if "/" in words:
            words = re.sub(r"//[^\n]*|/\*.*?\*/", " ", words, flags=re.DOTALL)
        if not words.strip():
            return
        if words.startswith(".calltargets"):
            self.call_targets[self._label] = tuple(_split(words.removeprefix(".calltargets")))
            return
        if words.startswith("."):
            scope.declare(words)
            variable = read_variable(words)
            if variable is not None:
                self.variables[scope.declare_variable(variable.name)] = variable
            return
        guard = _GUARD.match(words)
        words = words[guard.end() :] if guard is not None else words
        opcode, *rest = words.split(None, 1)
        name, negated = ("", False) if guard is None else (guard["name"], guard["negated"] == "!")
        self.body = self.body or start
        behind = ""
        if guard is not None and _words(opcode)[0] == "call":
            behind = scope.declare_label(f"$behind_call_{start}")
            begin, start = start, start + guard.end()
            target = (f"$behind_call_{begin}",)
            self.statements.append(Statement(begin, start, "bra", target, name, not negated, place, scope))
            name, negated = "", False
        operands = tuple(_split("".join(rest)))
        self.statements.append(Statement(start, end, opcode, operands, name, negated, place, scope))
        if behind:
            self.labels[behind] = len(self.statements)


def _split(operands: str) -> Iterator[str]:
    """Operands at their commas, those in braces, brackets or parentheses left whole."""
    depth, begin = 0, 0
    for at, character in enumerate(operands):
        depth += (character in "{[(") - (character in "}])")
        if character == "," and depth == 0:
            yield operands[begin:at].strip()
            begin = at + 1
    if operands[begin:].strip():
        yield operands[begin:].strip()
