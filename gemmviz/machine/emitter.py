"""Writes LLVM IR as text: values with their types, operations, and structured control flow."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from gemmviz.domain.recordings.warp import LANES


class Value(NamedTuple):
    """An LLVM type and a name or constant of that type."""

    type: str
    name: str

    def __str__(self) -> str:
        return f"{self.type} {self.name}"


def vector(element: str) -> str:
    """The type of one element for each lane.

    >>> vector("i32")
    '<32 x i32>'
    """
    return f"<{LANES} x {element}>"


def element_of(type_: str) -> str:
    """The element of a vector type; any other type itself."""
    return type_.split(" x ", 1)[1][:-1] if type_.startswith("<") else type_


def bits_of(type_: str) -> int:
    """The bits of an element of a type."""
    element = element_of(type_)
    known = {"half": 16, "bfloat": 16, "float": 32, "double": 64, "ptr": 64}
    return known[element] if element in known else int(element[1:])


MASK = vector("i1")
WIDE_VECTORS = '"min-legal-vector-width"="512" "prefer-vector-width"="512"'
"""Attributes of functions whose vectors take the CPU's widest registers."""


def i32(value: int) -> Value:
    """A constant."""
    return Value("i32", str(value))


def i64(value: int) -> Value:
    """A constant."""
    return Value("i64", str(value))


class Emitter:
    """The body of one LLVM function, written from top to bottom."""

    def __init__(self, head: str, arguments: str = "", attributes: str = "") -> None:
        self.name = head.split("@")[1]
        self._lines = [f"define {head}({arguments}) {attributes} {{"]
        self._count = 0
        self._made_from: dict[str, Value] = {}
        """The numbers that masks were made from, by the masks' names."""
        self.block = ""
        self.declared: dict[str, str] = {}
        """Declarations of what the body calls, by name."""
        self.defined: dict[str, str] = {}
        """Whole definitions of helpers that the body calls, by name."""

    def text(self) -> str:
        """The function's definition."""
        return "\n".join([*self._lines, "}"])

    def fresh(self, stem: str = "t") -> str:
        """A name that no other value or block of the function has."""
        self._count += 1
        return f"{stem}{self._count}"

    def do(self, words: str) -> None:
        """One instruction without a result."""
        self._lines.append(f"  {words}")

    def op(self, type_: str, words: str) -> Value:
        """One instruction with a result of that type."""
        name = f"%{self.fresh()}"
        self._lines.append(f"  {name} = {words}")
        return Value(type_, name)

    def label(self, name: str) -> None:
        """Begin the block of that name."""
        self._lines.append(f"{name}:")
        self.block = name

    # Arithmetic

    def binary(self, word: str, a: Value, b: Value) -> Value:
        return self.op(a.type, f"{word} {a}, {b.name}")

    def compare(self, word: str, a: Value, b: Value) -> Value:
        """`word` such as "icmp ult" or "fcmp oeq"; one bit for each element."""
        kind = vector("i1") if a.type.startswith("<") else "i1"
        return self.op(kind, f"{word} {a}, {b.name}")

    def select(self, condition: Value, a: Value, b: Value) -> Value:
        return self.op(a.type, f"select {condition}, {a}, {b}")

    def cast(self, word: str, a: Value, to: str) -> Value:
        return self.op(to, f"{word} {a} to {to}") if a.type != to else a

    def constant(self, type_: str, value: int | str) -> Value:
        """A number, in every element of a vector."""
        return Value(type_, f"splat ({element_of(type_)} {value})" if type_.startswith("<") else str(value))

    def splat(self, a: Value) -> Value:
        """One value in every lane."""
        kind = vector(a.type)
        one = self.op(kind, f"insertelement {kind} poison, {a}, i64 0")
        return self.op(kind, f"shufflevector {one}, {kind} poison, <{LANES} x i32> zeroinitializer")

    def extract(self, a: Value, index: Value) -> Value:
        return self.op(element_of(a.type), f"extractelement {a}, {index}")

    def bits(self, mask: Value) -> Value:
        """A mask of lanes as a 32-bit number, lane 0 in the lowest bit."""
        return self._made_from.get(mask.name) or self.cast("bitcast", mask, "i32")

    def mask(self, number: Value) -> Value:
        """The mask of lanes that a 32-bit number says."""
        mask = self.cast("bitcast", number, MASK)
        self._made_from[mask.name] = number
        return mask

    # Memory

    def at(self, pointer: Value, offset: Value | int) -> Value:
        """The pointer so many bytes further on."""
        offset = Value("i64", str(offset)) if isinstance(offset, int) else offset
        return self.op("ptr", f"getelementptr i8, {pointer}, {offset}")

    def load(self, type_: str, pointer: Value, align: int | None = None, volatile: bool = False) -> Value:
        words = f"load {'volatile ' if volatile else ''}{type_}, {pointer}"
        return self.op(type_, words + (f", align {align}" if align else ""))

    def store(self, value: Value, pointer: Value, align: int | None = None) -> None:
        self.do(f"store {value}, {pointer}" + (f", align {align}" if align else ""))

    def stack(self, type_: str, align: int = 64) -> Value:
        """A place on the stack; only in the function's first block."""
        return self.op("ptr", f"alloca {type_}, align {align}")

    # Calls

    def call(self, type_: str, name: str, *arguments: Value) -> Value:
        """Call a function of the module or an intrinsic, which is declared on the way."""
        if name not in self.defined:
            self._declare(type_, name, arguments)
        words = f"call {type_} @{name}({', '.join(map(str, arguments))})"
        if type_ == "void":
            self.do(words)
            return Value("void", "")
        return self.op(type_, words)

    def _declare(self, type_: str, name: str, arguments: tuple[Value, ...]) -> None:
        kinds = ", ".join(one.type for one in arguments)
        self.declared.setdefault(name, f"declare {type_} @{name}({kinds})")

    # Control flow

    def jump(self, label: str) -> None:
        self.do(f"br label %{label}")

    def branch(self, condition: Value, then: str, otherwise: str, likely: bool | None = None) -> None:
        hint = {None: "", True: ", !prof !0", False: ", !prof !1"}[likely]
        self.do(f"br {condition}, label %{then}, label %{otherwise}{hint}")

    def phi(self, type_: str, *incoming: tuple[Value, str]) -> Value:
        return self.op(type_, f"phi {type_} " + ", ".join(f"[ {one.name}, %{block} ]" for one, block in incoming))

    @contextmanager
    def when(self, condition: Value, likely: bool | None = None) -> Iterator[None]:
        """What is written inside runs only if the condition holds, and goes on behind unless it left."""
        then, behind = self.fresh("then"), self.fresh("behind")
        self.branch(condition, then, behind, likely)
        self.label(then)
        yield
        self.jump(behind)
        self.label(behind)

    @contextmanager
    def for_each_lane(self, mask: Value) -> Iterator[Value]:
        """What is written inside runs for each lane of a 32-bit mask, lowest first, with the lane's number as i64."""
        before, head, body, behind = self.block, self.fresh("lanes"), self.fresh("lane"), self.fresh("behind")
        left, lower = f"%{self.fresh('left')}", f"%{self.fresh('left')}"
        end = self.fresh("next")
        self.jump(head)
        self.label(head)
        self._lines.append(f"  {left} = phi i32 [ {mask.name}, %{before} ], [ {lower}, %{end} ]")
        self.branch(self.compare("icmp ne", Value("i32", left), Value("i32", "0")), body, behind)
        self.label(body)
        index = self.call("i32", "llvm.cttz.i32", Value("i32", left), Value("i1", "true"))
        yield self.cast("zext", index, "i64")
        self.jump(end)
        self.label(end)
        less = self.binary("sub", Value("i32", left), Value("i32", "1"))
        self._lines.append(f"  {lower} = and i32 {left}, {less.name}")
        self.jump(head)
        self.label(behind)

    @contextmanager
    def count_to(self, count: Value) -> Iterator[Value]:
        """What is written inside runs for each number from 0 to below an i64."""
        before, head, body, behind = self.block, self.fresh("count"), self.fresh("turn"), self.fresh("behind")
        number, following, end = f"%{self.fresh('i')}", f"%{self.fresh('i')}", self.fresh("next")
        self.jump(head)
        self.label(head)
        self._lines.append(f"  {number} = phi i64 [ 0, %{before} ], [ {following}, %{end} ]")
        self.branch(self.compare("icmp ult", Value("i64", number), count), body, behind)
        self.label(body)
        yield Value("i64", number)
        self.jump(end)
        self.label(end)
        self._lines.append(f"  {following} = add i64 {number}, 1")
        self.jump(head)
        self.label(behind)
