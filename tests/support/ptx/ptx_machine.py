"""An interpreter of the ordinary PTX instructions in kernels that need what only the interpreter has (`ptx_hopper.py`).

Registers hold raw bits, one 64-bit word for each thread. Lanes of a warp that are at the same statement take it
together. Only the instructions that are needed are known. Meanings: NVIDIA, PTX ISA.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gemmviz.machine.ptx.parse import Function, Module, Statement

Bits = NDArray[np.uint64]
_ADDRESS = re.compile(r"\[\s*([\w$%.]+)\s*(?:\+\s*(-?\w+))?\s*\]")
_TYPES = {
    "u16": np.uint16,
    "u32": np.uint32,
    "b32": np.uint32,
    "s32": np.int32,
    "u64": np.uint64,
    "b64": np.uint64,
    "s64": np.int64,
    "f32": np.float32,
}
_WIDER = {"s32": "s64", "u32": "u64"}
_COMPARE = {
    "eq": np.equal,
    "ne": np.not_equal,
    "lt": np.less,
    "le": np.less_equal,
    "gt": np.greater,
    "ge": np.greater_equal,
}
_ARITHMETIC = {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "min": np.minimum,
    "max": np.maximum,
    "and": np.bitwise_and,
    "or": np.bitwise_or,
    "xor": np.bitwise_xor,
}


RANK_BIT = 24
"""Where in an address of a cluster's shared memory the rank of the block begins that it is in."""


@dataclass(slots=True)
class Memory:
    """Bytes from an address on."""

    base: int
    data: NDArray[np.uint8]

    def load(self, address: Bits, kind: str) -> Bits:
        return _raw(self._at(address, kind).copy().view(_TYPES[kind]).reshape(-1))

    def store(self, address: Bits, kind: str, value: Bits) -> None:
        width = np.dtype(_TYPES[kind]).itemsize
        where = self._where(address, width)
        self.data[where] = value.view(np.uint8).reshape(-1, 8)[:, :width]

    def _at(self, address: Bits, kind: str) -> NDArray[np.uint8]:
        return self.data[self._where(address, np.dtype(_TYPES[kind]).itemsize)]

    def _where(self, address: Bits, width: int) -> NDArray[np.int64]:
        first = address.astype(np.int64) - self.base
        if first.size and (
            first.min() < 0 or first.max() + width > self.data.size or (address % np.uint64(width)).any()
        ):
            raise MemoryError(f"an access of {width} bytes at {[hex(a) for a in address.tolist()[:4]]}")
        return first[:, None] + np.arange(width)


class SharedMemory(Memory):
    """A block's, from address 0 on; the bits above are its rank in its cluster, as a symbol's address has it."""

    def _where(self, address: Bits, width: int) -> NDArray[np.int64]:
        return Memory._where(self, address & np.uint64(2**RANK_BIT - 1), width)


@dataclass(slots=True)
class Block:
    """One block of a kernel that runs; `symbols` are the addresses of variables."""

    module: Module
    function: Function
    parameters: Mapping[str, int]
    symbols: Mapping[str, int]
    memory: Memory
    shared: Memory
    special: Mapping[str, Any]
    threads: int
    registers: dict[str, Bits] = field(default_factory=dict)

    at: NDArray[np.int64] = field(init=False)
    waits: NDArray[np.bool_] = field(init=False)

    def __post_init__(self) -> None:
        self.at = np.zeros(self.threads, np.int64)
        self.waits = np.zeros(self.threads, bool)

    @property
    def ready(self) -> NDArray[np.bool_]:
        """The threads that neither are done nor wait for others."""
        return (self.at < len(self.function.statements)) & ~self.waits

    def advance(self) -> bool:
        """Let some threads go on to the next branch; whether anybody is left."""
        end, targets = len(self.function.statements), set(self.function.labels.values())
        if not self.ready.any():
            self.release()
            return bool((self.at < end).any())
        lanes = self.pick(self.at, self.ready)
        place = int(self.at[lanes[0]])
        while True:
            statement = self.function.statements[place]
            taken = lanes if not statement.guard else lanes[self._guard(statement, lanes)]
            self.at[lanes] = place + 1
            kind = statement.words[0]
            if kind == "bra":
                self.at[taken] = self.function.labels[statement.scope.label(statement.operands[0])]
            elif kind in ("ret", "exit"):
                self.at[taken] = end
            elif self.waits_for_all(statement):
                self.waits[taken] = True
            else:
                self.step(statement, taken)
            place += 1
            if kind in ("bra", "ret", "exit") or self.waits[taken].any() or place in targets or place == end:
                return True

    def release(self) -> None:
        """All that are left stand at a barrier: it is passed if no other block has to come to it."""
        raise NotImplementedError

    def pick(self, at: NDArray[np.int64], ready: NDArray[np.bool_]) -> NDArray[np.int64]:
        """The threads that go on next, all at the same statement."""
        raise NotImplementedError

    def waits_for_all(self, statement: Statement) -> bool:
        """Whether it is a barrier of the block, or of its cluster."""
        raise NotImplementedError

    def _guard(self, statement: Statement, lanes: NDArray[np.int64]) -> NDArray[np.bool_]:
        holds: NDArray[np.bool_] = (self._read(statement, statement.guard, "pred", lanes) != 0) != statement.negated
        return holds

    def step(self, statement: Statement, lanes: NDArray[np.int64]) -> None:
        """One instruction of some threads."""
        words, operands = statement.words, statement.operands
        kind, type_ = words[0], words[-1]
        if kind == "ld" or kind == "st":
            self._move(statement, lanes)
        elif kind == "atom":
            address, added = (
                self._address(statement, operands[1], lanes),
                self._read(statement, operands[2], type_, lanes),
            )
            for number in range(lanes.size):
                one = address[number : number + 1]
                old = self.memory.load(one, type_)
                self.memory.store(one, type_, old + added[number : number + 1])
                self._write(statement, operands[0], old, lanes[number : number + 1])
        elif kind in ("activemask", "vote", "shfl"):
            self._together(statement, lanes)
        elif kind == "mov" and operands[1].startswith("{"):
            low, high = (self._read(statement, name.strip(), "b32", lanes) for name in operands[1][1:-1].split(","))
            self._write(statement, operands[0], low | high << np.uint64(32), lanes)
        elif kind == "setp":
            self._write(statement, operands[0], self._compared(statement, lanes), lanes)
        else:
            self._write(statement, operands[0], self._computed(statement, words, lanes), lanes)

    def _computed(self, statement: Statement, words: tuple[str, ...], lanes: NDArray[np.int64]) -> Bits:
        kind, type_, operands = words[0], words[-1], statement.operands
        if kind == "cvt" and words[1:3] == ("rna", "tf32"):
            bits = self._read(statement, operands[1], "b32", lanes)
            return (bits + np.uint64(0x1000)) & np.uint64(0xFFFFE000)
        if kind == "bfi":
            a, b, at, length = (self._read(statement, operand, "b32", lanes) for operand in operands[1:])
            mask = ((np.uint64(1) << length) - np.uint64(1)) << at
            return (b & ~mask).astype(np.uint64) | ((a << at) & mask)
        if kind in ("cvta", "mov"):
            return self._read(statement, operands[1], type_, lanes)
        if kind == "cvt":
            return _raw(_as(self._read(statement, operands[1], type_, lanes), type_).astype(_TYPES[words[-2]]))
        if kind == "selp":
            chosen = self._read(statement, operands[3], "pred", lanes) != 0
            return np.where(
                chosen,
                self._read(statement, operands[1], type_, lanes),
                self._read(statement, operands[2], type_, lanes),
            )
        if type_ == "pred":
            values = [self._read(statement, operand, "pred", lanes) != 0 for operand in operands[1:]]
            return _raw((~values[0] if kind == "not" else _ARITHMETIC[kind](*values)).astype(np.uint64))
        values = [_as(self._read(statement, operand, type_, lanes), type_) for operand in operands[1:]]
        if kind in ("shl", "shr"):
            count = _as(self._read(statement, operands[2], "u32", lanes), "u32").astype(values[0].dtype)
            return _raw(values[0] << count if kind == "shl" else values[0] >> count)
        if kind == "neg":
            return _raw(-values[0].view(np.int32 if type_.endswith("32") else np.int64))
        if kind == "not":
            return _raw(~values[0])
        if kind == "bfind":
            return _raw(np.array([value.bit_length() - 1 for value in values[0].tolist()], np.int32))
        if kind in ("mul", "mad"):
            if words[1] == "wide":
                wide = _WIDER[type_]
                values[:2] = [value.astype(_TYPES[wide]) for value in values[:2]]
                values[2:] = [_as(self._read(statement, operand, wide, lanes), wide) for operand in operands[3:]]
            product = values[0] * values[1]
            return _raw(product if kind == "mul" else product + values[2])
        if kind == "div":
            return _raw(np.trunc(values[0] / values[1]).astype(values[0].dtype))
        return _raw(_ARITHMETIC[kind](*values))

    def _compared(self, statement: Statement, lanes: NDArray[np.int64]) -> Bits:
        """setp, and setp.<comparison>.and with one more predicate."""
        words, operands = statement.words, statement.operands
        a, b = (_as(self._read(statement, operand, words[-1], lanes), words[-1]) for operand in operands[1:3])
        found = _COMPARE[words[1]](a, b)
        if len(operands) > 3:
            found = found & (self._read(statement, operands[3], "pred", lanes) != 0)
        return _raw(found.astype(np.uint64))

    def _move(self, statement: Statement, lanes: NDArray[np.int64]) -> None:
        words, operands = statement.words, statement.operands
        type_ = words[-1]
        if words[1] == "param":
            name = re.sub(r"[\[\]\s]", "", operands[1])
            self._write(statement, operands[0], np.full(lanes.size, self.parameters[name], np.uint64), lanes)
            return
        memory = self.shared if "shared" in words else self.memory
        where, what = (operands[1], operands[0]) if words[0] == "ld" else operands
        address = self._address(statement, where, lanes)
        for number, name in enumerate(what.strip("{}").split(",")):
            one = address + np.uint64(number * np.dtype(_TYPES[type_]).itemsize)
            if words[0] == "ld":
                self._write(statement, name.strip(), memory.load(one, type_), lanes)
            else:
                memory.store(one, type_, self._read(statement, name.strip(), type_, lanes))

    def _together(self, statement: Statement, lanes: NDArray[np.int64]) -> None:
        """What the lanes of a warp do with each other; those that are here are all that the masks name."""
        operands, kind = statement.operands, statement.words[0]
        for warp in np.unique(lanes // 32).tolist():
            here = lanes[lanes // 32 == warp]
            everyone = sum(1 << int(lane) % 32 for lane in here)
            if kind == "activemask":
                self._write(statement, operands[0], np.full(here.size, everyone, np.uint64), here)
                continue
            assert (self._read(statement, operands[-1], "b32", here) == everyone).all(), (
                "a lane of the mask is not here"
            )
            if kind == "vote":
                holds = self._read(statement, operands[1].lstrip("!"), "pred", here) != 0
                holds = holds != operands[1].startswith("!")
                ballot = sum(1 << int(lane) % 32 for lane in here[holds])
                self._write(statement, operands[0], np.full(here.size, ballot, np.uint64), here)
            else:
                source = self._read(statement, operands[2], "u32", here).astype(np.int64) & 31
                source = warp * 32 + (source if "idx" in statement.words else here % 32 ^ source)
                source = np.where(np.isin(source, here), source, here)
                to = operands[0].partition("|")[0]
                self._write(statement, to, self._read(statement, operands[1], "b32", source), here)

    def _address(self, statement: Statement, operand: str, lanes: NDArray[np.int64]) -> Bits:
        match = _ADDRESS.fullmatch(operand)
        assert match is not None, operand
        base = self._read(statement, match[1], "u64", lanes)
        return base + np.uint64(int(match[2] or 0) % 2**64)

    def _read(self, statement: Statement, operand: str, type_: str, lanes: NDArray[np.int64]) -> Bits:
        register = statement.scope.register(operand)
        if register is not None:
            return self._of(register.unique)[lanes]
        if operand in self.special:
            return np.broadcast_to(np.asarray(self.special[operand], np.uint64), self.threads)[lanes]
        if operand in self.symbols:
            return np.full(lanes.size, self.symbols[operand], np.uint64)
        if operand in self.parameters:
            return np.full(lanes.size, self.parameters[operand], np.uint64)
        if operand.startswith("0f"):
            return np.full(lanes.size, int(f"0x{operand[2:]}", 16), np.uint64)
        bits = 64 if type_.endswith("64") else 32
        return np.full(lanes.size, int(operand, 0) % 2**bits, np.uint64)

    def _write(self, statement: Statement, name: str, value: Bits, lanes: NDArray[np.int64]) -> None:
        register = statement.scope.register(name)
        assert register is not None, name
        self._of(register.unique)[lanes] = value & np.uint64(2**register.bits - 1)

    def _of(self, unique: str) -> Bits:
        if unique not in self.registers:
            self.registers[unique] = np.zeros(self.threads, np.uint64)
        return self.registers[unique]


def _as(bits: Bits, type_: str) -> NDArray[Any]:
    """Raw words as numbers of a type."""
    width = np.dtype(_TYPES[type_]).itemsize
    return np.ascontiguousarray(bits).view(np.uint8).reshape(-1, 8)[:, :width].copy().view(_TYPES[type_]).reshape(-1)


def _raw(values: NDArray[Any]) -> Bits:
    """Numbers of a type as raw words."""
    width = values.dtype.itemsize
    words = np.zeros((values.size, 8), np.uint8)
    words[:, :width] = np.ascontiguousarray(values).view(np.uint8).reshape(-1, width)
    return words.view(np.uint64).reshape(-1)
