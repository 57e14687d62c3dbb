"""Logic, shifts, bit fields and bytes of integers: PTX ISA, "Logic and Shift Instructions" and their neighbours."""

from __future__ import annotations

from collections.abc import Sequence

from gemmviz.machine.emitter import MASK, Value, bits_of
from gemmviz.machine.lowering.context import I32, I64, Lowering
from gemmviz.machine.lowering.integers import is_signed, operands, predicate
from gemmviz.machine.lowering.registry import lowers
from gemmviz.machine.ptx.parse import Statement


@lowers("and", "or", "xor")
def _logic(low: Lowering, statement: Statement) -> None:
    type_ = low.type_of(statement.words[-1], statement)
    a, b = operands(low, statement, type_, (1, 2))
    low.write(statement.operands[0], low.emit.binary(statement.words[0], a, b), statement)


@lowers("not")
def _not(low: Lowering, statement: Statement) -> None:
    type_ = low.type_of(statement.words[-1], statement)
    a = low.read(statement.operands[1], type_, statement)
    ones = low.emit.constant(type_, "true" if type_ == MASK else -1)
    low.write(statement.operands[0], low.emit.binary("xor", a, ones), statement)


@lowers("cnot")
def _zero_to_one(low: Lowering, statement: Statement) -> None:
    type_ = low.type_of(statement.words[-1], statement)
    a = low.read(statement.operands[1], type_, statement)
    value = low.emit.cast("zext", low.emit.compare("icmp eq", a, low.emit.constant(type_, 0)), type_)
    low.write(statement.operands[0], value, statement)


@lowers("shl", "shr")
def _shift(low: Lowering, statement: Statement) -> None:
    """Amounts beyond the width count as the width."""
    word, kind = statement.words[0], statement.words[-1]
    type_ = low.type_of(kind, statement)
    emit, bits = low.emit, bits_of(type_)
    a = low.read(statement.operands[1], type_, statement)
    amount = low.read(statement.operands[2], I32, statement)
    beyond = emit.compare("icmp uge", amount, emit.constant(I32, bits))
    most = emit.constant(I32, bits - 1)
    within = low.fit(emit.select(beyond, most, amount), type_)
    if word == "shr" and is_signed(kind):
        value = emit.binary("ashr", a, within)
    else:
        value = emit.binary("shl" if word == "shl" else "lshr", a, within)
        value = emit.select(beyond, emit.constant(type_, 0), value)
    low.write(statement.operands[0], value, statement)


@lowers("shf")
def _funnel_shift(low: Lowering, statement: Statement) -> None:
    """32 bits out of 64, of which the first operand is the lower half."""
    direction, mode = statement.words[1], statement.words[2]
    a, b, amount = operands(low, statement, I32, (1, 2, 3))
    emit = low.emit
    if mode == "wrap":
        amount = emit.binary("and", amount, emit.constant(I32, 31))
    else:
        most = emit.constant(I32, 32)
        amount = emit.select(emit.compare("icmp ugt", amount, most), most, amount)
    whole = emit.binary("or", low.fit(a, I64), emit.binary("shl", low.fit(b, I64), emit.constant(I64, 32)))
    if direction == "l":
        moved = emit.binary("lshr", emit.binary("shl", whole, low.fit(amount, I64)), emit.constant(I64, 32))
    else:
        moved = emit.binary("lshr", whole, low.fit(amount, I64))
    low.write(statement.operands[0], emit.cast("trunc", moved, I32), statement)


@lowers("popc", "clz", "brev")
def _bit_counts(low: Lowering, statement: Statement) -> None:
    word, type_ = statement.words[0], low.type_of(statement.words[-1], statement)
    a = low.read(statement.operands[1], type_, statement)
    name = {"popc": "ctpop", "clz": "ctlz", "brev": "bitreverse"}[word]
    more = (Value("i1", "false"),) if word == "clz" else ()
    value = low.emit.call(type_, f"llvm.{name}.v32i{bits_of(type_)}", a, *more)
    low.write(statement.operands[0], value if word == "brev" else low.fit(value, I32), statement)


@lowers("bfind")
def _highest_bit(low: Lowering, statement: Statement) -> None:
    kind = statement.words[-1]
    type_ = low.type_of(kind, statement)
    emit, bits = low.emit, bits_of(type_)
    a = low.read(statement.operands[1], type_, statement)
    if is_signed(kind):
        a = emit.binary("xor", a, emit.binary("ashr", a, emit.constant(type_, bits - 1)))
    zeros = low.fit(emit.call(type_, f"llvm.ctlz.v32i{bits}", a, Value("i1", "false")), I32)
    none = emit.compare("icmp eq", zeros, emit.constant(I32, bits))
    if "shiftamt" not in statement.words:
        zeros = emit.binary("sub", emit.constant(I32, bits - 1), zeros)
    low.write(statement.operands[0], emit.select(none, emit.constant(I32, -1), zeros), statement)


def _place_and_length(low: Lowering, given: Sequence[str], bits: int, statement: Statement) -> tuple[Value, Value]:
    """Where a bit field begins and how long it is, each at most 255.

    The low byte counts for fields of 32 bits; for those of 64 bits the whole number, which the manual leaves undefined.
    """
    emit, most = low.emit, low.emit.constant(I32, 255)
    begin, length = (low.read(one, I32, statement) for one in given)
    if bits == 32:
        return emit.binary("and", begin, most), emit.binary("and", length, most)
    return (
        emit.select(emit.compare("icmp ult", begin, most), begin, most),
        emit.select(emit.compare("icmp ult", length, most), length, most),
    )


def _ones_below(low: Lowering, count: Value, type_: str) -> Value:
    """So many ones from the lowest bit on; all for counts of the width and more."""
    emit, bits = low.emit, bits_of(type_)
    beyond = emit.compare("icmp uge", count, emit.constant(I32, bits))
    within = low.fit(emit.select(beyond, emit.constant(I32, 0), count), type_)
    ones = emit.binary("sub", emit.binary("shl", emit.constant(type_, 1), within), emit.constant(type_, 1))
    return emit.select(beyond, emit.constant(type_, -1), ones)


def _moved_left(low: Lowering, value: Value, count: Value) -> Value:
    """Shifted left; 0 for counts of the width and more."""
    emit, bits = low.emit, bits_of(value.type)
    beyond = emit.compare("icmp uge", count, emit.constant(I32, bits))
    within = low.fit(emit.select(beyond, emit.constant(I32, 0), count), value.type)
    return emit.select(beyond, emit.constant(value.type, 0), emit.binary("shl", value, within))


@lowers("bfe")
def _extract_bits(low: Lowering, statement: Statement) -> None:
    kind = statement.words[-1]
    type_ = low.type_of(kind, statement)
    emit, bits = low.emit, bits_of(type_)
    a = low.read(statement.operands[1], type_, statement)
    begin, length = _place_and_length(low, statement.operands[2:4], bits, statement)
    beyond = emit.compare("icmp uge", begin, emit.constant(I32, bits))
    within = low.fit(emit.select(beyond, emit.constant(I32, bits - 1), begin), type_)
    moved = emit.binary("lshr", a, within)
    if not is_signed(kind):
        moved = emit.select(beyond, emit.constant(type_, 0), moved)
        low.write(statement.operands[0], emit.binary("and", moved, _ones_below(low, length, type_)), statement)
        return
    # the sign is the field's highest bit, or the operand's where the field reaches beyond it
    last = emit.binary("sub", emit.binary("add", begin, length), emit.constant(I32, 1))
    most = emit.constant(I32, bits - 1)
    last = emit.select(emit.compare("icmp sgt", last, most), most, last)
    none = emit.compare("icmp eq", length, emit.constant(I32, 0))
    last = emit.select(none, emit.constant(I32, 0), last)
    bit = emit.binary("and", emit.binary("lshr", a, low.fit(last, type_)), emit.constant(type_, 1))
    fill = emit.binary("sub", emit.constant(type_, 0), bit)
    kept = emit.binary("sub", last, begin)  # bits behind the first one that are the field's own
    kept = emit.binary("add", kept, emit.constant(I32, 1))
    kept = emit.select(emit.compare("icmp slt", kept, emit.constant(I32, 0)), emit.constant(I32, 0), kept)
    ones = _ones_below(low, kept, type_)
    inverse = emit.binary("xor", ones, emit.constant(type_, -1))
    value = emit.binary("or", emit.binary("and", moved, ones), emit.binary("and", fill, inverse))
    value = emit.select(beyond, fill, value)
    low.write(statement.operands[0], emit.select(none, emit.constant(type_, 0), value), statement)


@lowers("bfi")
def _insert_bits(low: Lowering, statement: Statement) -> None:
    type_ = low.type_of(statement.words[-1], statement)
    emit = low.emit
    a, b = operands(low, statement, type_, (1, 2))
    begin, length = _place_and_length(low, statement.operands[3:5], bits_of(type_), statement)
    field = _moved_left(low, _ones_below(low, length, type_), begin)
    inverse = emit.binary("xor", field, emit.constant(type_, -1))
    value = emit.binary("or", emit.binary("and", _moved_left(low, a, begin), field), emit.binary("and", b, inverse))
    low.write(statement.operands[0], value, statement)


@lowers("bmsk")
def _bit_mask(low: Lowering, statement: Statement) -> None:
    clamped = "clamp" in statement.words
    emit = low.emit
    begin, length = operands(low, statement, I32, (1, 2))
    if not clamped:
        begin, length = (emit.binary("and", one, emit.constant(I32, 31)) for one in (begin, length))
    value = _moved_left(low, _ones_below(low, length, I32), begin)
    low.write(statement.operands[0], value, statement)


@lowers("szext")
def _extend(low: Lowering, statement: Statement) -> None:
    mode, kind = statement.words[1], statement.words[-1]
    emit = low.emit
    a, count = operands(low, statement, I32, (1, 2))
    if mode == "wrap":
        count = emit.binary("and", count, emit.constant(I32, 31))
    ones = _ones_below(low, count, I32)
    value = emit.binary("and", a, ones)
    if is_signed(kind):
        none = emit.compare("icmp eq", count, emit.constant(I32, 0))
        last = emit.binary("sub", count, emit.constant(I32, 1))
        most = emit.constant(I32, 31)
        last = emit.select(none, emit.constant(I32, 0), last)
        last = emit.select(emit.compare("icmp ugt", last, most), most, last)
        bit = emit.binary("and", emit.binary("lshr", a, last), emit.constant(I32, 1))
        fill = emit.binary(
            "and", emit.binary("sub", emit.constant(I32, 0), bit), emit.binary("xor", ones, emit.constant(I32, -1))
        )
        value = emit.select(none, emit.constant(I32, 0), emit.binary("or", value, fill))
    low.write(statement.operands[0], value, statement)


_PERMUTATIONS: dict[str, tuple[int, int, int, int]] = {
    "f4e": (0x3210, 0x4321, 0x5432, 0x6543),
    "b4e": (0x5670, 0x6701, 0x7012, 0x0123),
    "rc8": (0x0000, 0x1111, 0x2222, 0x3333),
    "ecl": (0x3210, 0x3211, 0x3222, 0x3333),
    "ecr": (0x0000, 0x1110, 0x2210, 0x3210),
    "rc16": (0x1010, 0x3232, 0x1010, 0x3232),
}
"""By the mode of `prmt`: the bytes it chooses for each value of the third operand's last two bits."""


@lowers("prmt")
def _permute_bytes(low: Lowering, statement: Statement) -> None:
    """Four bytes of eight, chosen by four bits each; the highest of these bits spreads the byte's sign."""
    emit = low.emit
    a, b, choice = operands(low, statement, I32, (1, 2, 3))
    if len(statement.words) > 2:
        selectors = _PERMUTATIONS[statement.words[2]]
        mode = emit.binary("and", choice, emit.constant(I32, 3))
        choice = emit.constant(I32, selectors[0])
        for number, selector in enumerate(selectors[1:], 1):
            is_it = emit.compare("icmp eq", mode, emit.constant(I32, number))
            choice = emit.select(is_it, emit.constant(I32, selector), choice)
    whole = emit.binary("or", low.fit(a, I64), emit.binary("shl", low.fit(b, I64), emit.constant(I64, 32)))
    choice = low.fit(choice, I64)
    value = emit.constant(I64, 0)
    for place in range(4):
        mine = emit.binary("lshr", choice, emit.constant(I64, 4 * place))
        index = emit.binary("and", mine, emit.constant(I64, 7))
        byte = emit.binary("lshr", whole, emit.binary("shl", index, emit.constant(I64, 3)))
        byte = emit.binary("and", byte, emit.constant(I64, 255))
        spreads = emit.compare("icmp ne", emit.binary("and", mine, emit.constant(I64, 8)), emit.constant(I64, 0))
        sign = emit.compare("icmp ugt", byte, emit.constant(I64, 127))
        spread = emit.select(sign, emit.constant(I64, 255), emit.constant(I64, 0))
        byte = emit.select(spreads, spread, byte)
        value = emit.binary("or", value, emit.binary("shl", byte, emit.constant(I64, 8 * place)))
    low.write(statement.operands[0], emit.cast("trunc", value, I32), statement)


@lowers("lop3")
def _any_logic(low: Lowering, statement: Statement) -> None:
    """Any function of three bits, by its table of eight results."""
    emit = low.emit
    inputs = operands(low, statement, I32, (1, 2, 3))
    table = low.immediate(statement.operands[4], statement)
    ones = emit.constant(I32, -1)
    value = emit.constant(I32, 0)
    for row in range(8):
        if not table >> row & 1:
            continue
        terms = [one if row >> 2 - place & 1 else emit.binary("xor", one, ones) for place, one in enumerate(inputs)]
        term = emit.binary("and", emit.binary("and", terms[0], terms[1]), terms[2])
        value = emit.binary("or", value, term)
    targets = statement.operands[0].split("|")
    low.write(targets[0], value, statement)
    if len(targets) > 1:
        is_set = emit.compare("icmp ne", value, emit.constant(I32, 0))
        other = predicate(low, statement.operands[5], statement)
        low.write(targets[1], emit.binary(statement.words[1], is_set, other), statement)


@lowers("fns")
def _nth_set_bit(low: Lowering, statement: Statement) -> None:
    """The place of the n-th set bit from a base on, downwards for negative n; all ones if there is none."""
    emit = low.emit
    mask, base, count = operands(low, statement, I32, (1, 2, 3))
    zero, one, most, none = (emit.constant(I32, value) for value in (0, 1, 31, -1))
    down = emit.compare("icmp slt", count, zero)
    mask = emit.select(down, emit.call(I32, "llvm.bitreverse.v32i32", mask), mask)
    base = emit.select(down, emit.binary("sub", most, base), base)
    here = emit.compare("icmp eq", count, zero)
    left = emit.select(here, one, emit.select(down, emit.binary("sub", zero, count), count))
    beyond = emit.compare("icmp ugt", base, most)
    start = emit.binary("shl", none, emit.binary("and", base, most))
    start = emit.select(here, emit.binary("shl", one, emit.binary("and", base, most)), start)
    mask = emit.select(beyond, zero, emit.binary("and", mask, start))
    for turn in range(1, 32):
        fewer = emit.binary("and", mask, emit.binary("sub", mask, one))
        mask = emit.select(emit.compare("icmp ugt", left, emit.constant(I32, turn)), fewer, mask)
    missing = emit.compare("icmp eq", mask, zero)
    missing = emit.binary("or", missing, emit.compare("icmp ugt", left, emit.constant(I32, 32)))
    place = emit.call(I32, "llvm.cttz.v32i32", mask, Value("i1", "false"))
    place = emit.select(down, emit.binary("sub", most, place), place)
    low.write(statement.operands[0], emit.select(missing, none, place), statement)


@lowers("dp4a", "dp2a")
def _dot_of_bytes(low: Lowering, statement: Statement) -> None:
    word, kinds = statement.words[0], statement.words[-2:]
    emit = low.emit
    a, b, total = operands(low, statement, I32, (1, 2, 3))
    parts = 4 if word == "dp4a" else 2
    half = 2 if "hi" in statement.words else 0
    for place in range(parts):
        bits = 8 if word == "dp4a" else 16
        x = _piece(low, a, bits * place, bits, is_signed(kinds[0]))
        y = _piece(low, b, 8 * (place + half) if word == "dp2a" else 8 * place, 8, is_signed(kinds[1]))
        total = emit.binary("add", total, emit.binary("mul", x, y))
    low.write(statement.operands[0], total, statement)


def _piece(low: Lowering, value: Value, begin: int, bits: int, signed: bool) -> Value:
    upper = low.emit.binary("shl", value, low.emit.constant(I32, 32 - bits - begin))
    return low.emit.binary("ashr" if signed else "lshr", upper, low.emit.constant(I32, 32 - bits))


@lowers("vabsdiff2", "vabsdiff4")
def _differences_of_parts(low: Lowering, statement: Statement) -> None:
    """The absolute difference of each byte or half-word of a and b, each at its place, or with .add their sum and c."""
    word, *kinds = statement.words
    if kinds not in (["u32"] * 3, [*["u32"] * 3, "add"]) or len(statement.operands) != 4:
        low.refuse(statement)
    emit, bits = low.emit, 8 if word == "vabsdiff4" else 16
    a, b, total = operands(low, statement, I32, (1, 2, 3))
    found = total if "add" in kinds else emit.constant(I32, 0)
    for begin in range(0, 32, bits):
        x, y = (_piece(low, one, begin, bits, signed=False) for one in (a, b))
        larger = emit.compare("icmp ugt", x, y)
        apart = emit.select(larger, emit.binary("sub", x, y), emit.binary("sub", y, x))
        if "add" not in kinds:
            apart = emit.binary("shl", apart, emit.constant(I32, begin))
        found = emit.binary("add", found, apart)
    low.write(statement.operands[0], found, statement)
