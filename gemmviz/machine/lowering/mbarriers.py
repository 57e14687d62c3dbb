"""Barriers in shared memory: PTX ISA, "mbarrier".

The object's 64 bits are the machine's own, as the manual leaves them open: the arrivals that a phase expects, those
still pending, the bytes that are still to come, and the parity of the phase under way.
"""

from __future__ import annotations

from dataclasses import dataclass

from gemmviz.machine import layout
from gemmviz.machine.emitter import MASK, Emitter, Value, i64, vector
from gemmviz.machine.layout import Fault
from gemmviz.machine.lowering.context import I64, Lowering
from gemmviz.machine.lowering.lanes_memory import gather, scatter
from gemmviz.machine.lowering.memory import host_address
from gemmviz.machine.lowering.registry import lowers
from gemmviz.machine.ptx.parse import Statement

_BITS = 20
_COUNT = (1 << _BITS) - 1
_PENDING, _BYTES, _PHASE = _BITS, 2 * _BITS, 63
_BYTES_MASK = (1 << _PHASE - _BYTES) - 1
_ARRIVE = "mbarrier_arrive"
_SKIPPED = frozenset({"mbarrier", "shared", "cta", "b64", "release", "acquire", "relaxed", "noComplete"})


@dataclass(frozen=True, slots=True)
class MbarrierState:
    """The phase under way of an mbarrier: its parity, the arrivals that it expects and those that have come, and the
    bytes that are still to come.
    """

    phase: int
    expected: int
    arrived: int
    missing_bytes: int

    @classmethod
    def of(cls, word: int) -> MbarrierState:
        """The state that an object's 64 bits hold."""
        expected = word & _COUNT
        return cls(word >> _PHASE & 1, expected, expected - (word >> _PENDING & _COUNT), word >> _BYTES & _BYTES_MASK)


@lowers("mbarrier")
def _barrier(low: Lowering, statement: Statement) -> None:
    words = [word for word in statement.words if word not in _SKIPPED]
    if "cluster" in words:
        low.refuse(statement)
    does = {
        ("init",): _init,
        ("inval",): _inval,
        ("arrive",): _arrive,
        ("arrive_drop",): _arrive,
        ("arrive", "expect_tx"): _arrive,
        ("arrive_drop", "expect_tx"): _arrive,
        ("expect_tx",): _expect,
        ("complete_tx",): _expect,
        ("test_wait",): _wait,
        ("try_wait",): _wait,
        ("test_wait", "parity"): _wait,
        ("try_wait", "parity"): _wait,
        ("pending_count",): _pending,
    }.get(tuple(words))
    if does is None:
        low.refuse(statement)
    does(low, statement)


def _place(low: Lowering, statement: Statement, operand: str) -> Value:
    space = "shared" if "shared" in statement.words else ""
    return host_address(low, statement, operand, space, 8, low.lanes(statement), may_redirect=False)


def _init(low: Lowering, statement: Statement) -> None:
    """Every lane writes the same object, or its own."""
    emit = low.emit
    address = _place(low, statement, statement.operands[0])
    count = low.fit(low.read(statement.operands[1], vector("i32"), statement), I64)
    word = emit.binary("or", count, emit.binary("shl", count, emit.constant(I64, _PENDING)))
    _store(low, address, word, statement)


def _inval(low: Lowering, statement: Statement) -> None:
    _store(low, _place(low, statement, statement.operands[0]), low.emit.constant(I64, 0), statement)


def _store(low: Lowering, address: Value, word: Value, statement: Statement) -> None:
    scatter(low, word, address, low.lanes(statement), 8)


def _arrive(low: Lowering, statement: Statement) -> None:
    """Arrive, and leave for good by `arrive_drop`; with `expect_tx` first wait for more bytes."""
    operands = list(statement.operands)
    target = "_" if operands[0].startswith("[") else operands.pop(0)
    address = _place(low, statement, operands.pop(0))
    given = low.fit(low.read(operands[0], vector("i32"), statement), I64) if operands else low.emit.constant(I64, 1)
    expects = "expect_tx" in statement.words
    count = low.emit.constant(I64, 1) if expects else given
    nbytes = given if expects else low.emit.constant(I64, 0)
    dropped = count if "arrive_drop" in statement.words else low.emit.constant(I64, 0)
    low.write(target, _each_lane(low, statement, address, count, dropped, nbytes), statement)


def arrive_once(low: Lowering, statement: Statement) -> None:
    """One arrival of each lane at the object that the statement's only operand names."""
    one, none = low.emit.constant(I64, 1), low.emit.constant(I64, 0)
    _each_lane(low, statement, _place(low, statement, statement.operands[0]), one, none, none)


def _expect(low: Lowering, statement: Statement) -> None:
    """Bytes that are to come, or have come, without an arrival."""
    address = _place(low, statement, statement.operands[0])
    nbytes = low.fit(low.read(statement.operands[1], vector("i32"), statement), I64)
    zero = low.emit.constant(I64, 0)
    nbytes = low.emit.binary("sub", zero, nbytes) if "complete_tx" in statement.words else nbytes
    _each_lane(low, statement, address, zero, zero, nbytes)


def _each_lane(
    low: Lowering, statement: Statement, address: Value, count: Value, dropped: Value, nbytes: Value
) -> Value:
    """Change each lane's object, lane after lane; what it was before."""
    emit = low.emit
    emit.defined.setdefault(_ARRIVE, arrive_function().text())
    emit.store(Value(I64, "zeroinitializer"), low.scratch, 64)
    with emit.for_each_lane(emit.bits(low.lanes(statement))) as lane:
        index = emit.cast("trunc", lane, "i32")
        pointer = emit.cast("inttoptr", emit.extract(address, index), "ptr")
        old = emit.call("i64", _ARRIVE, pointer, *(emit.extract(one, index) for one in (count, dropped, nbytes)))
        emit.store(old, emit.at(low.scratch, emit.binary("mul", lane, i64(8))))
    before = emit.load(I64, low.scratch, 64)
    _must_be_initialised(low, statement, before)
    pending = emit.binary("lshr", before, emit.constant(I64, _PENDING))
    pending = emit.binary("and", pending, emit.constant(I64, _COUNT))
    too_many = emit.binary("and", low.lanes(statement), emit.compare("icmp ult", pending, count))
    low.fault_if(too_many, Fault.TOO_MANY_ARRIVALS, statement)
    if "noComplete" in statement.words:
        completes = emit.binary("and", low.lanes(statement), emit.compare("icmp eq", pending, count))
        low.fault_if(completes, Fault.COMPLETES_PHASE, statement)
    return before


def _must_be_initialised(low: Lowering, statement: Statement, word: Value) -> None:
    """Fault where an object has the bits that shared memory has before anything is written."""
    emit = low.emit
    bare = emit.binary("and", low.lanes(statement), emit.compare("icmp eq", word, emit.constant(I64, -1)))
    low.fault_if(bare, Fault.NO_MBARRIER, statement)


def arrive_function() -> Emitter:
    """i64 mbarrier_arrive(object, count, dropped, bytes): so many arrivals, fewer expected from the next phase on, more
    bytes to come. The phase ends with the last arrival and byte. The object as it was.
    """
    emit = Emitter(f"internal i64 @{_ARRIVE}", "ptr %object, i64 %count, i64 %dropped, i64 %bytes", "noinline")
    emit.label("entry")
    pointer = Value("ptr", "%object")
    word = emit.load("i64", pointer)
    expected = emit.binary("sub", emit.binary("and", word, i64(_COUNT)), Value("i64", "%dropped"))
    pending = emit.binary("and", emit.binary("lshr", word, i64(_PENDING)), i64(_COUNT))
    pending = emit.binary("and", emit.binary("sub", pending, Value("i64", "%count")), i64(_COUNT))
    nbytes = emit.binary("add", emit.binary("lshr", word, i64(_BYTES)), Value("i64", "%bytes"))
    nbytes = emit.binary("and", nbytes, i64(_BYTES_MASK))
    phase = emit.binary("lshr", word, i64(_PHASE))
    ends = emit.compare("icmp eq", emit.binary("or", pending, nbytes), i64(0))
    pending = emit.select(ends, expected, pending)
    phase = emit.binary("xor", phase, emit.cast("zext", ends, "i64"))
    made = expected
    for value, place in ((pending, _PENDING), (nbytes, _BYTES), (phase, _PHASE)):
        made = emit.binary("or", made, emit.binary("shl", value, i64(place)))
    emit.store(made, pointer)
    emit.do(f"ret {word}")
    return emit


def _wait(low: Lowering, statement: Statement) -> None:
    """Whether the phase of a token, or of a parity, is over. A lane that asks in vain lets other warps go on."""
    emit = low.emit
    target, place, token = statement.operands[:3]
    address = _place(low, statement, place)
    word = gather(low, I64, address, low.lanes(statement), 8)
    _must_be_initialised(low, statement, word)
    tested = emit.at(low.state, layout.AWAITED)
    emit.store(emit.select(low.lanes(statement), address, emit.load(I64, tested, 64)), tested, 64)
    now = emit.binary("lshr", word, emit.constant(I64, _PHASE))
    if "parity" in statement.words:
        asked = emit.binary("and", low.fit(low.read(token, vector("i32"), statement), I64), emit.constant(I64, 1))
    else:
        asked = emit.binary("lshr", low.read(token, I64, statement), emit.constant(I64, _PHASE))
    is_over = emit.compare("icmp ne", now, asked)
    vain = emit.bits(emit.binary("and", low.lanes(statement), emit.binary("xor", is_over, emit.constant(MASK, "true"))))
    budget = emit.at(low.state, layout.BUDGET)
    none = emit.compare("icmp eq", vain, Value("i32", "0"))
    emit.store(emit.select(none, emit.load("i32", budget), Value("i32", "0")), budget)
    low.write(target, is_over, statement)


def _pending(low: Lowering, statement: Statement) -> None:
    word = low.read(statement.operands[1], I64, statement)
    moved = low.emit.binary("lshr", word, low.emit.constant(I64, _PENDING))
    low.write(statement.operands[0], low.emit.binary("and", moved, low.emit.constant(I64, _COUNT)), statement)
