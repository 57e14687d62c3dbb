"""Atomic operations, lane after lane: PTX ISA, "atom" and "red"."""

from __future__ import annotations

from collections.abc import Callable

from gemmviz.machine import layout
from gemmviz.machine.emitter import Value, bits_of, element_of, vector
from gemmviz.machine.lowering import float_formats as floats
from gemmviz.machine.lowering.context import Lowering
from gemmviz.machine.lowering.floats import extreme
from gemmviz.machine.lowering.memory import host_address, shared_base, space_of
from gemmviz.machine.lowering.registry import lowers
from gemmviz.machine.ptx.parse import Statement

_SKIPPED = frozenset(
    {"relaxed", "acquire", "release", "acq_rel", "cta", "cluster", "gpu", "sys", "global", "shared", "noftz", "L2"}
)
_VECTORS = {"v2": 2, "v4": 4, "v8": 8}
_INTEGER = {
    "and": "and",
    "or": "or",
    "xor": "xor",
    "exch": "xchg",
    "add": "add",
    "inc": "uinc_wrap",
    "dec": "udec_wrap",
}
_NARROW = frozenset({"f16", "bf16", "f16x2", "bf16x2"})


@lowers("atom", "red")
def _atomic(low: Lowering, statement: Statement) -> None:
    word, *rest = statement.words
    words = [one for one in rest if one not in _SKIPPED and one not in _VECTORS]
    if len(words) != 2:
        low.refuse(statement)
    operation, kind = words
    operands = list(statement.operands)
    targets = _names(operands.pop(0)) if word == "atom" else []
    count = next((_VECTORS[one] for one in rest if one in _VECTORS), 1)
    if count > 1 and operation not in {"add", "min", "max"}:
        low.refuse(statement)
    type_ = low.type_of(kind, statement)
    width = bits_of(type_) // 8
    active = low.lanes(statement)
    address = host_address(low, statement, operands[0], space_of(statement), count * width, active)
    given = [[low.read(name, type_, statement) for name in _names(operand)] for operand in operands[1:]]
    for place in range(count):
        where = address
        if place:
            where = low.emit.binary("add", address, low.emit.constant(address.type, place * width))
        old = _each_lane(low, operation, kind, where, [one[place] for one in given], active, statement)
        if targets:
            low.write(targets[place], old, statement)


def _names(words: str) -> list[str]:
    return [one.strip() for one in words.strip("{} ").split(",")]


def _each_lane(
    low: Lowering, operation: str, kind: str, address: Value, given: list[Value], active: Value, statement: Statement
) -> Value:
    """What lay at each address before, as integers; 0 in lanes that do not run."""
    emit = low.emit
    bits = bits_of(given[0].type)
    type_ = vector(f"i{bits}")
    emit.store(Value(type_, "zeroinitializer"), low.scratch, 64)
    with emit.for_each_lane(emit.bits(active)) as lane:
        index = emit.cast("trunc", lane, "i32")
        pointer = emit.cast("inttoptr", emit.extract(address, index), "ptr")
        values = [emit.extract(one, index) for one in given]
        old = _one(low, operation, kind, pointer, values, statement)
        place = emit.at(low.scratch, emit.binary("mul", lane, Value("i64", str(bits // 8))))
        emit.store(emit.cast("bitcast", old, f"i{bits}"), place)
    return emit.load(type_, low.scratch, 64)


def _one(low: Lowering, operation: str, kind: str, pointer: Value, values: list[Value], statement: Statement) -> Value:
    """One lane's atomic operation; what lay there before."""
    emit = low.emit
    value, element = values[0], element_of(values[0].type)
    if operation == "cas":
        pair = emit.op(f"{{ {element}, i1 }}", f"cmpxchg {pointer}, {values[0]}, {values[1]} seq_cst seq_cst")
        return emit.op(element, f"extractvalue {pair}, 0")
    if kind in _NARROW:
        if operation not in {"add", "min", "max"}:
            low.refuse(statement)
        return _narrow(low, operation, kind, pointer, value, statement)
    if kind in {"f32", "f64"}:
        if operation not in {"add", "exch"}:
            low.refuse(statement)
        if (operation, kind) == ("add", "f32"):
            return _add_single(low, pointer, value, statement)
        if operation == "add":
            return _add_double(low, pointer, value, statement)
        return emit.op(element, f"atomicrmw xchg {pointer}, {value} seq_cst")
    if operation in {"min", "max"}:
        name = operation if kind.startswith("s") else f"u{operation}"
    elif operation in _INTEGER:
        name = _INTEGER[operation]
    else:
        low.refuse(statement)
    return emit.op(element, f"atomicrmw {name} {pointer}, {value} seq_cst")


def _retried(low: Lowering, pointer: Value, element: str, made_of: Callable[[Value], Value]) -> Value:
    """Put what is made of the old value in its place, tried until nobody came between; the old value."""
    emit = low.emit
    before, again, behind = emit.block, emit.fresh("again"), emit.fresh("added")
    first = emit.load(element, pointer)
    emit.jump(again)
    emit.label(again)
    found = f"%{emit.fresh('found')}"
    old = emit.op(element, f"phi {element} [ {first.name}, %{before} ], [ {found}, %{again} ]")
    pair = emit.op(f"{{ {element}, i1 }}", f"cmpxchg {pointer}, {old}, {made_of(old)} seq_cst seq_cst")
    emit.do(f"{found} = extractvalue {pair}, 0")
    emit.branch(emit.op("i1", f"extractvalue {pair}, 1"), behind, again)
    emit.label(behind)
    return old


def _narrow(low: Lowering, operation: str, kind: str, pointer: Value, value: Value, statement: Statement) -> Value:
    """An operation on one or two 16-bit floating-point numbers."""
    emit = low.emit
    element = f"i{bits_of(value.type)}"
    value = emit.cast("bitcast", value, element)
    single = kind.removesuffix("x2")

    def chosen(one: Value, two: Value) -> Value:
        vectors = [low.fit(emit.splat(half), low.type_of(single, statement)) for half in (one, two)]
        return emit.extract(extreme(operation)(low, vectors, single, statement), Value("i32", "0"))

    def made_of(old: Value) -> Value:
        total = Value(element, "0")
        for part in range(bits_of(element) // 16):
            halves = [_half(low, one, part) for one in (old, value)]
            if operation == "add":
                wide = [_scalar_float(low, one, single) for one in halves]
                made = _scalar_narrow(low, emit.binary("fadd", *wide), single)
            else:
                made = chosen(*halves)
            whole = emit.cast("zext", emit.cast("bitcast", made, "i16"), element)
            total = emit.binary("or", total, emit.binary("shl", whole, Value(element, str(16 * part))))
        return total

    return _retried(low, pointer, element, made_of)


def _add_single(low: Lowering, pointer: Value, value: Value, statement: Statement) -> Value:
    """An addition of float32. Global memory knows no subnormal numbers: operands and sum are flushed to 0."""
    emit = low.emit
    keeps = _is_in_shared(low, pointer, statement)

    def flushed(one: Value) -> Value:
        whole = emit.cast("bitcast", one, "i32")
        exponent = emit.binary("and", whole, Value("i32", str(0x7F800000)))
        tiny = emit.compare("icmp eq", exponent, Value("i32", "0"))
        zero = emit.binary("and", whole, Value("i32", str(-(1 << 31))))
        flushes = emit.binary("and", tiny, emit.binary("xor", keeps, Value("i1", "true")))
        return emit.cast("bitcast", emit.select(flushes, zero, whole), "float")

    def made_of(old: Value) -> Value:
        total = flushed(emit.binary("fadd", flushed(emit.cast("bitcast", old, "float")), flushed(value)))
        nan = emit.compare("fcmp uno", total, total)
        return emit.select(nan, Value("i32", str(0x7FFFFFFF)), emit.cast("bitcast", total, "i32"))

    return _retried(low, pointer, "i32", made_of)


def _is_in_shared(low: Lowering, pointer: Value, statement: Statement) -> Value:
    """Whether a pointer points into the block's shared memory, as i1."""
    emit = low.emit
    if space_of(statement) == "shared":
        return Value("i1", "true")
    offset = emit.binary("sub", emit.cast("ptrtoint", pointer, "i64"), shared_base(low))
    return emit.compare("icmp ult", offset, emit.cast("zext", low.block_field(layout.SHARED_BYTES), "i64"))


def _add_double(low: Lowering, pointer: Value, value: Value, statement: Statement) -> Value:
    """An addition of float64. Of two NaN the operand's stays; in shared memory the old one, which becomes quiet."""
    emit = low.emit
    shared = _is_in_shared(low, pointer, statement)
    quiet = emit.select(shared, Value("i64", str(1 << 51)), Value("i64", "0"))

    def made_of(old: Value) -> Value:
        before = emit.cast("bitcast", old, "double")
        total = emit.binary("fadd", before, value)
        nan = emit.compare("fcmp uno", total, total)
        made = emit.select(nan, Value("i64", str(0xFFF8 << 48)), emit.cast("bitcast", total, "i64"))
        for one in (emit.select(shared, value, before), emit.select(shared, before, value)):
            nan = emit.compare("fcmp uno", one, one)
            made = emit.select(nan, emit.binary("or", emit.cast("bitcast", one, "i64"), quiet), made)
        return made

    return _retried(low, pointer, "i64", made_of)


def _half(low: Lowering, value: Value, part: int) -> Value:
    moved = low.emit.binary("lshr", value, Value(value.type, str(16 * part))) if part else value
    return low.emit.cast("trunc", moved, "i16")


def _scalar_float(low: Lowering, narrow: Value, kind: str) -> Value:
    emit = low.emit
    if kind == "f16":
        return emit.cast("fpext", emit.cast("bitcast", narrow, "half"), "float")
    wide = emit.binary("shl", emit.cast("zext", narrow, "i32"), Value("i32", "16"))
    return emit.cast("bitcast", wide, "float")


def _scalar_narrow(low: Lowering, value: Value, kind: str) -> Value:
    """The vectors' rounding, applied to one number."""
    emit = low.emit
    return emit.cast("bitcast", emit.extract(floats.narrowed(low, emit.splat(value), kind), Value("i32", "0")), "i16")
