"""What the lowering of every instruction needs: operands as vectors of 32 lanes, registers, masks, faults."""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NoReturn

from gemmviz.domain.recordings.warp import LANES
from gemmviz.machine import layout
from gemmviz.machine.emitter import MASK, Emitter, Value, bits_of, element_of, vector
from gemmviz.machine.faults import NotImplementedInMachineError
from gemmviz.machine.layout import Fault
from gemmviz.machine.local_arrays import LocalArray
from gemmviz.machine.placement import FunctionFrame
from gemmviz.machine.ptx.parse import Statement
from gemmviz.machine.ptx.variables import number

I32, I64 = vector("i32"), vector("i64")
FAULT = "fault"
_ADDRESS = re.compile(r"\[\s*(?P<base>[\w$%.]+)\s*(?:\+?\s*(?P<offset>(?<=[+\s])-?\w+|-\w+))?\s*\]$")
_TYPES = {
    "pred": "i1",
    "b8": "i8",
    "u8": "i8",
    "s8": "i8",
    "b16": "i16",
    "u16": "i16",
    "s16": "i16",
    "f16": "half",
    "bf16": "i16",
    "b32": "i32",
    "u32": "i32",
    "s32": "i32",
    "f32": "float",
    "f16x2": "i32",
    "bf16x2": "i32",
    "b64": "i64",
    "u64": "i64",
    "s64": "i64",
    "f64": "double",
    "b128": "i128",
    "u16x2": "i32",
    "s16x2": "i32",
}


@dataclass(slots=True)
class ModuleSymbols:
    """Where the module's variables lie: shared ones as offsets, global and constant ones in the module's memory.
    `functions` are the addresses of functions; `uses_reserved`: the text asks where the shared memory lies that the
    system keeps. `constants` are where the constant variables begin in the module's memory, and their bytes.
    `local_arrays` are the variables in local memory that the statements that begin at these places are meant for;
    `stack` is where in a thread's local memory the room for `alloca` begins.
    """

    shared: Mapping[str, int]
    module: Mapping[str, int]
    parameters: Mapping[str, int]
    functions: Mapping[str, int]
    uses_reserved: bool = False
    constants: tuple[int, int] = (0, 0)
    parameter_bytes: int = 0
    local_arrays: Mapping[int, LocalArray] = field(default_factory=dict)
    stack: int | None = None


@dataclass(slots=True)
class RegisterFile:
    """The place of each register in a warp's state. Predicates are 32-bit masks."""

    offsets: dict[str, tuple[int, int]] = field(default_factory=dict)
    nbytes: int = layout.REGISTERS

    def place(self, name: str, bits: int) -> int:
        """The offset of a register; the first time it is asked for it gets one."""
        if name not in self.offsets:
            size = 64 if bits == 1 else max(bits, 8) // 8 * LANES
            self.offsets[name] = (self.nbytes, bits)
            self.nbytes += -(-size // 64) * 64
        return self.offsets[name][0]

    def room(self, nbytes: int) -> int:
        """The offset of so many bytes of the state for something else."""
        begin = self.nbytes
        self.nbytes += -(-nbytes // 64) * 64
        return begin


@dataclass(slots=True)
class Lowering:
    """Lowers the statements of one block into the function of a warp.

    `state`, `block`, `split` point to the state of the warp, the block and the split; `active` are the lanes that run
    here; `scratch` is room on the stack for one vector of i128, `local_bases` has where each thread's local memory
    begins. `special` gives what a special register holds. With `redirects` accesses outside the memory go elsewhere,
    but for those of the statements that begin at `left_out`. `released`, an i1 of a `*.sync` instruction: whether other
    lanes ran apart and left their values in the warp's exchange.
    """

    emit: Emitter
    state: Value
    block: Value
    split: Value
    registers: RegisterFile
    symbols: ModuleSymbols
    frame: FunctionFrame
    sites: list[Statement]
    active: Value
    scratch: Value
    local_bases: Value
    special: Callable[[Lowering, str, Statement], Value]
    live_out: frozenset[str] = frozenset()
    redirects: bool = False
    released: Value | None = None
    left_out: frozenset[int] = frozenset()
    _known: dict[str, Value] = field(default_factory=dict)
    _changed: dict[str, int] = field(default_factory=dict)

    # Refusals and faults

    def refuse(self, statement: Statement, why: str = "") -> NoReturn:
        """End the compilation: the machine does not implement this.

        Raises:
            NotImplementedInMachineError: always; it names the instruction and its line.
        """
        words = f"{statement.opcode} {', '.join(statement.operands)}".strip()
        said = f"the machine does not implement {words}{why and f': {why}'}"
        raise NotImplementedInMachineError(said, statement.place.line)

    def fault(self, kind: Fault, lanes: Value, statement: Statement) -> None:
        """Leave the warp's function: these lanes (a 32-bit mask) did something wrong."""
        numbers = [Value("i64", str(int(one))) for one in (kind, self.site(statement))]
        status = self.emit.call("i32", FAULT, self.state, *numbers, self.scratch, lanes)
        self.emit.do(f"ret {status}")

    def fault_if(self, bad: Value, kind: Fault, statement: Statement) -> None:
        """Fault where a mask of lanes is not empty; `bad` covers active lanes only."""
        emit = self.emit
        lanes = emit.bits(bad)
        then, behind = emit.fresh("fault"), emit.fresh("fine")
        emit.branch(emit.compare("icmp ne", lanes, Value("i32", "0")), then, behind, likely=False)
        emit.label(then)
        self.fault(kind, lanes, statement)
        emit.label(behind)

    def site(self, statement: Statement) -> int:
        """The number of a statement, by which the host finds its source line."""
        if not self.sites or self.sites[-1] is not statement:
            self.sites.append(statement)
        return len(self.sites) - 1

    # Masks

    def lanes(self, statement: Statement) -> Value:
        """The active lanes for which the statement's guard holds."""
        guard = self.guard(statement)
        return self.active if guard is None else self.emit.binary("and", self.active, guard)

    def guard(self, statement: Statement) -> Value | None:
        """The lanes for which the statement's guard holds, active or not; None without a guard."""
        if not statement.guard:
            return None
        value = self.register(statement.guard, statement)
        return self.invert(value) if statement.negated else value

    def invert(self, mask: Value) -> Value:
        return self.emit.binary("xor", mask, self.emit.constant(MASK, "true"))

    # Registers

    def register(self, name: str, statement: Statement) -> Value:
        """What a register holds: integers of its width, or a mask."""
        unique, bits = self._declared(name, statement)
        if unique not in self._known:
            pointer = self.emit.at(self.state, self.registers.place(unique, bits))
            if bits == 1:
                self._known[unique] = self.emit.mask(self.emit.load("i32", pointer, 64))
            else:
                self._known[unique] = self.emit.load(vector(f"i{bits}"), pointer, 64)
        return self._known[unique]

    def _declared(self, name: str, statement: Statement) -> tuple[str, int]:
        found = statement.scope.register(name)
        if found is None:
            self.refuse(statement, f"{name} is not a register")
        return self.frame.prefix + found.unique, found.bits

    def write(self, operand: str, value: Value, statement: Statement) -> None:
        """Give a register a value in the lanes for which the statement's guard holds. Narrow values are padded."""
        if operand == "_":
            return
        unique, bits = self._declared(operand, statement)
        value = self.fit(value, MASK if bits == 1 else vector(f"i{bits}"))
        guard = self.guard(statement)
        if guard is not None:
            value = self.emit.select(guard, value, self.register(operand, statement))
        self._known[unique] = value
        self._changed[unique] = bits

    def fit(self, value: Value, type_: str, signed: bool = False) -> Value:
        """The bits of a value in another type, cut off or filled with zeros (or with the sign)."""
        have, want = bits_of(value.type), bits_of(type_)
        if have == want:
            return self.emit.cast("bitcast", value, type_)
        whole = self.emit.cast("bitcast", value, vector(f"i{have}"))
        word = "trunc" if have > want else "sext" if signed else "zext"
        return self.emit.cast("bitcast", self.emit.cast(word, whole, vector(f"i{want}")), type_)

    def flush(self) -> None:
        """Write the registers that were set and that later blocks read to the register file, for the active lanes."""
        emit = self.emit
        number_of = emit.bits(self.active) if any(bits == 1 for bits in self._changed.values()) else None
        for unique, bits in self._changed.items():
            if unique.removeprefix(self.frame.prefix) not in self.live_out:
                continue
            pointer = emit.at(self.state, self.registers.place(unique, bits))
            value = self._known[unique]
            if bits == 1:
                assert number_of is not None
                old = emit.load("i32", pointer, 64)
                kept = emit.binary("and", old, emit.binary("xor", number_of, Value("i32", "-1")))
                new = emit.binary("and", emit.bits(value), number_of)
                emit.store(emit.binary("or", kept, new), pointer, 64)
            else:
                emit.store(emit.select(self.active, value, emit.load(value.type, pointer, 64)), pointer, 64)
        self._changed.clear()

    # Operands

    def type_of(self, word: str, statement: Statement) -> str:
        """The vector type of a PTX type."""
        if word not in _TYPES:
            self.refuse(statement)
        return vector(_TYPES[word])

    def read(self, operand: str, type_: str, statement: Statement) -> Value:
        """An operand as a vector of that type: register, literal, symbol or special register."""
        bits = bits_of(type_)
        literal = number(operand)
        if literal is not None:
            return self._literal(operand, literal, type_)
        if operand.startswith("%"):
            if statement.scope.register(operand) is not None:
                return self.fit(self.register(operand, statement), type_)
            return self.fit(self.special(self, operand, statement), type_)
        if self._is_register(operand, statement):
            return self.fit(self.register(operand, statement), type_)
        address = self.symbol(operand, statement)
        return self.fit(address, type_) if bits != 64 else address

    def immediate(self, operand: str, statement: Statement) -> int:
        """The number that an operand is, which the instruction needs to be known in the text."""
        value = number(operand)
        return self.refuse(statement, f"{operand} is not a number") if value is None else value

    def _is_register(self, name: str, statement: Statement) -> bool:
        """Whether a name is a register; parameters of calls are variables in memory."""
        return statement.scope.variable(name) not in self.frame.locals and statement.scope.register(name) is not None

    def _literal(self, operand: str, literal: int, type_: str) -> Value:
        bits, element = bits_of(type_), element_of(type_)
        if element == "i1":
            return self.emit.constant(type_, "true" if literal else "false")
        if element == "float" and re.match(r"0[dD]|.*\.", operand):  # stands for the float nearest to it
            value = struct.unpack("<d", struct.pack("<Q", literal))[0]
            literal = struct.unpack("<I", struct.pack("<f", value))[0]
        literal &= (1 << bits) - 1
        whole = self.emit.constant(vector(f"i{bits}"), literal)
        return whole if element == f"i{bits}" else self.emit.cast("bitcast", whole, type_)

    def symbol(self, name: str, statement: Statement) -> Value:
        """The address of a variable in its own space, as i64; that of a global or constant one is a full address."""
        emit = self.emit
        unique = statement.scope.variable(name)
        for place in (self.frame.locals, self.symbols.shared, self.symbols.parameters, self.symbols.functions):
            if unique in place:
                return emit.constant(I64, place[unique])
        if name in self.symbols.module:
            base = emit.cast("ptrtoint", emit.load("ptr", emit.at(self.block, layout.MODULE_MEMORY)), "i64")
            return emit.splat(emit.binary("add", base, Value("i64", str(self.symbols.module[name]))))
        return self.refuse(statement, f"{name} is not declared")

    def block_field(self, offset: int, type_: str = "i32") -> Value:
        return self.emit.load(type_, self.emit.at(self.block, offset))

    def address(self, operand: str, statement: Statement) -> Value:
        """The address in brackets as i64, without where its space begins."""
        match = _ADDRESS.match(operand)
        if match is None:
            self.refuse(statement)
        address = self.read(match["base"], I64, statement)
        offset = number(match["offset"] or "0")
        if offset is None:
            self.refuse(statement)
        if offset:
            address = self.emit.binary("add", address, self.emit.constant(I64, offset))
        return address
