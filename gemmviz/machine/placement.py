"""A kernel and every function that it calls, as one list of blocks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from gemmviz.domain.kernels.mangled_names import plain_name
from gemmviz.machine.faults import NotImplementedInMachineError
from gemmviz.machine.flow import EXIT, ReadBefore, blocks_of
from gemmviz.machine.layout import STACK_ALIGNMENT, STACK_BYTES
from gemmviz.machine.ptx.calls import call_parts, called_functions, is_by_pointer
from gemmviz.machine.ptx.parse import Function, Module, Statement
from gemmviz.machine.ptx.variables import PtxVariable

HOST_FUNCTIONS = frozenset({"vprintf", "__assertfail"})
"""Functions that a kernel may call without their being in its text."""


@dataclass(slots=True)
class FunctionFrame:
    """A function's registers and memory. `locals` are offsets in a thread's local memory, by unique names.

    `prefix` tells its registers from those of other functions.
    """

    function: Function
    prefix: str
    locals: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Copy:
    """Bytes of a thread's local memory that are copied from one offset to another."""

    source: int
    target: int
    nbytes: int


@dataclass(frozen=True, slots=True)
class Target:
    """A function that a pointer may point to: its address, frame and first block, and what is copied from the variables
    of the call to its parameters, and back from its results.
    """

    address: int
    frame: FunctionFrame
    first: int
    given: tuple[Copy, ...]
    returned: tuple[Copy, ...]


@dataclass(slots=True)
class PlacedBlock:
    """A block with the numbers of those that can follow it in the whole list; EXIT where the lanes end.

    `calls` is the frame and the first block of the function that its last statement calls, `targets` are the functions
    that it may call where it does so by a pointer. Without statements it is
    the end of a function, from which lanes go back to where it was called.
    """

    statements: tuple[Statement, ...]
    frame: FunctionFrame
    successors: tuple[int, ...]
    meets_at: int
    live_out: frozenset[str]
    calls: tuple[FunctionFrame, int] | None = None
    targets: tuple[Target, ...] | None = None


@dataclass(slots=True)
class Placed:
    """All blocks of a kernel and of the functions it calls, its own first, and a thread's bytes of local memory.

    `guarded` are the frames in which a thread must not be twice: those of all functions, where a call by pointer may
    make one call itself, and else none. `stack` is where in a thread's local memory the room for `alloca` begins,
    behind all else; None where nothing allocates.
    """

    blocks: list[PlacedBlock]
    local_bytes: int
    guarded: tuple[FunctionFrame, ...] = ()
    stack: int | None = None


def placed(
    module: Module, entry: str, read_before: ReadBefore | None = None, addresses: Mapping[str, int] | None = None
) -> Placed:
    """The blocks of a kernel; `read_before` as of `blocks_of`, `addresses` as `function_addresses` has them.

    Raises:
        KeyError: the module has no such entry.
        NotImplementedInMachineError: a function calls itself, or one that is not in the text.
    """
    maker = _Maker(module, read_before, addresses or {})
    maker.place(module.entry(entry))
    has_pointers = any(block.targets is not None for block in maker.blocks)
    guarded = tuple(frame for frame, _first in maker.known.values() if not frame.function.is_entry)
    nbytes = maker.local_bytes
    stack = -(-nbytes // STACK_ALIGNMENT) * STACK_ALIGNMENT if maker.allocates else None
    nbytes = nbytes if stack is None else stack + STACK_BYTES
    return Placed(maker.blocks, nbytes, guarded if has_pointers else (), stack)


@dataclass(slots=True)
class _Maker:
    module: Module
    read_before: ReadBefore | None
    addresses: Mapping[str, int]
    blocks: list[PlacedBlock] = field(default_factory=list)
    local_bytes: int = 0
    allocates: bool = False
    known: dict[str, tuple[FunctionFrame, int]] = field(default_factory=dict)
    _open: list[str] = field(default_factory=list)

    def place(self, function: Function) -> tuple[FunctionFrame, int]:
        """Append a function's blocks and those of what it calls; its frame and the number of its first block."""
        frame = FunctionFrame(function, f"{len(self.known)}:" if self.known else "")
        first = len(self.blocks)
        self.known[function.name] = frame, first
        self._open.append(function.name)
        for variable in (*function.declared_parameters, *function.declared_results):
            if not function.is_entry:
                frame.locals[variable.name] = self._local(variable)
        made = blocks_of(function, self.read_before)
        self.allocates |= any(one.words[0] == "alloca" for one in function.statements)
        end = EXIT if function.is_entry else first + len(made)

        def number(block: int) -> int:
            return end if block == EXIT else first + block

        mine = [
            PlacedBlock(one.statements, frame, tuple(map(number, one.successors)), number(one.meets_at), one.live_out)
            for one in made
        ]
        self.blocks += mine
        if not function.is_entry:
            self.blocks.append(PlacedBlock((), frame, (), EXIT, frozenset()))
        for one in mine:
            last = one.statements[-1]
            if last.words[0] in {"exit", "trap"}:
                one.successors = (EXIT, *one.successors[1:])
            elif last.words[0] == "call":
                if is_by_pointer(last):
                    one.targets = self._targets(frame, last)
                else:
                    one.calls = self._call(frame, last)
        for name, variable in function.variables.items():
            if variable.space in {"local", "param"} and name not in frame.locals:
                frame.locals[name] = self._local(variable)
        self._open.pop()
        return frame, first

    def _call(self, frame: FunctionFrame, call: Statement) -> tuple[FunctionFrame, int] | None:
        """Place the function that is called, and let the variables of the call be its parameters and results."""
        results, name, arguments = call_parts(call)
        if name in HOST_FUNCTIONS:
            return None
        called = next((one for one in self.module.functions if one.name == name and not one.is_entry), None)
        if called is None:
            raise NotImplementedInMachineError(f"the call of {plain_name(name)} is not implemented", call.place.line)
        if name in self._open:
            raise NotImplementedInMachineError(
                f"{plain_name(name)} comes to call itself, which is not implemented: write it as a loop",
                call.place.line,
            )
        target = self.known.get(name) or self.place(called)
        given = [
            *zip(called.declared_parameters, arguments, strict=True),
            *zip(called.declared_results, results, strict=True),
        ]
        for variable, argument in given:
            unique = call.scope.variable(argument)
            if frame.locals.setdefault(unique, target[0].locals[variable.name]) != target[0].locals[variable.name]:
                raise NotImplementedInMachineError(f"{argument} is used in two calls", call.place.line)
        return target

    def _targets(self, frame: FunctionFrame, call: Statement) -> tuple[Target, ...]:
        """Place the functions that a pointer may point to. Variables of the call stay apart from theirs."""
        results, _register, arguments = call_parts(call)
        for name in (*results, *arguments):
            unique = call.scope.variable(name)
            if unique not in frame.function.variables:
                raise NotImplementedInMachineError(
                    f"a call by pointer with {name}, which is no .param variable, is not implemented",
                    call.place.line,
                )
            if unique not in frame.locals:
                frame.locals[unique] = self._local(frame.function.variables[unique])
        found = []
        for function in called_functions(self.module, frame.function, call, self.addresses):
            calling, self._open = self._open, []  # whether a thread comes here again is seen when the kernel runs
            of, first = self.known.get(function.name) or self.place(function)
            self._open = calling
            given = (
                Copy(frame.locals[call.scope.variable(name)], of.locals[one.name], one.nbytes or 0)
                for one, name in zip(function.declared_parameters, arguments, strict=True)
            )
            returned = (
                Copy(of.locals[one.name], frame.locals[call.scope.variable(name)], one.nbytes or 0)
                for one, name in zip(function.declared_results, results, strict=True)
            )
            found.append(Target(self.addresses[function.name], of, first, tuple(given), tuple(returned)))
        return tuple(found)

    def _local(self, variable: PtxVariable) -> int:
        begin = -(-self.local_bytes // variable.alignment) * variable.alignment
        self.local_bytes = begin + (variable.nbytes or 0)
        return begin
