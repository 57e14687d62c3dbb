"""A kernel with every function that it calls put in place of its call, as one list of blocks."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from gemmviz.machine.faults import NotImplementedInMachineError
from gemmviz.machine.flow import EXIT, blocks_of
from gemmviz.machine.ptx.parse import Function, Module, Statement
from gemmviz.machine.ptx.variables import Variable

HOST_FUNCTIONS = frozenset({"vprintf", "__assertfail", "malloc", "free"})
"""Functions that a kernel may call without their being in its text."""

_DEEPEST = 64


@dataclass(slots=True)
class Frame:
    """One function in the place of one call. `locals` are offsets in a thread's local memory, by unique names.

    `prefix` tells its registers from those of other frames.
    """

    function: Function
    prefix: str
    depth: int
    locals: dict[str, int] = field(default_factory=dict)


@dataclass(slots=True)
class PlacedBlock:
    """A block with the numbers of those that can follow it in the whole list; EXIT where the lanes end."""

    statements: tuple[Statement, ...]
    frame: Frame
    successors: tuple[int, ...]
    meets_at: int
    live_out: frozenset[str]


@dataclass(slots=True)
class Placed:
    """All blocks of a kernel, the entry first, and the bytes of local memory that a thread needs."""

    blocks: list[PlacedBlock]
    local_bytes: int


def placed(module: Module, entry: str, stops: frozenset[str] = frozenset()) -> Placed:
    """The blocks of a kernel; `stops` are first words of opcodes behind which a warp may stop.

    Raises:
        KeyError: the module has no such entry.
        NotImplementedInMachineError: a function calls itself, or one that is not in the text.
    """
    maker = _Maker(module, stops)
    maker.place(module.entry(entry), EXIT, 0, {})
    return Placed(maker.blocks, maker.local_bytes)


@dataclass(slots=True)
class _Maker:
    module: Module
    stops: frozenset[str]
    blocks: list[PlacedBlock] = field(default_factory=list)
    local_bytes: int = 0
    frames: int = 0

    def place(self, function: Function, behind: int, depth: int, known: dict[str, int]) -> int:
        """Append a function's blocks and those of its calls; the number of its first block.

        Lanes that return go on in the block `behind`; `known` says where its parameters and results lie.
        """
        frame = Frame(function, f"{self.frames}:" if self.frames else "", depth, dict(known))
        self.frames += 1
        for name, variable in function.variables.items():
            if variable.space in {"local", "param"}:
                frame.locals[name] = self._local(variable)
        first = len(self.blocks)
        made = blocks_of(function, self.stops)

        def number(block: int) -> int:
            return behind if block == EXIT else first + block

        self.blocks += [
            PlacedBlock(one.statements, frame, tuple(map(number, one.successors)), number(one.meets_at), one.live_out)
            for one in made
        ]
        for one in self.blocks[first : first + len(made)]:
            last = one.statements[-1]
            if last.words[0] == "call":
                self._call(one, last, depth)
            elif last.words[0] in {"exit", "trap"}:
                one.successors = (EXIT, *one.successors[1:])
        return first

    def _call(self, block: PlacedBlock, call: Statement, depth: int) -> None:
        results, name, arguments = call_parts(call)
        if name in HOST_FUNCTIONS:
            return
        called = next((one for one in self.module.functions if one.name == name and not one.is_entry), None)
        if called is None:
            raise NotImplementedInMachineError(f"line {call.place.line}: the call of {name} is not implemented")
        if depth >= _DEEPEST:
            raise NotImplementedInMachineError(f"line {call.place.line}: functions that call themselves are not")
        if call.guard:
            raise NotImplementedInMachineError(f"line {call.place.line}: a call under a predicate is not implemented")
        places = {}
        pairs = [*zip(called.declared_parameters, arguments, strict=True),
                 *zip(called.declared_results, results, strict=True)]  # fmt: skip
        for variable, argument in pairs:
            places[variable.name] = block.frame.locals[call.scope.variable(argument)]
        target = self.place(called, block.successors[0], depth + 1, places)
        block.successors = (target,)

    def _local(self, variable: Variable) -> int:
        begin = -(-self.local_bytes // variable.alignment) * variable.alignment
        self.local_bytes = begin + (variable.nbytes or 0)
        return begin


def call_parts(call: Statement) -> tuple[list[str], str, list[str]]:
    """The variables that take the results of a call, the function's name, and the arguments.

    Raises:
        NotImplementedInMachineError: the function is known only when the kernel runs.
    """
    operands = list(call.operands)
    results = _names(operands.pop(0)) if operands[0].startswith("(") else []
    name = operands.pop(0)
    if name.startswith("%"):
        raise NotImplementedInMachineError(f"line {call.place.line}: calls by pointer are not implemented")
    return results, name, _names(operands[0]) if operands and operands[0].startswith("(") else []


def _names(words: str) -> list[str]:
    return [one for one in re.split(r"[\s,()]+", words) if one]
