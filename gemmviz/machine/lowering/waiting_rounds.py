"""Compiled code that writes down a loop that waits once, not for each of its rounds.

A round is what a warp writes down from one look at what it waits for to the next: strong reads and fences, and accesses
to the memory of its threads. Where a round is as the one before it (the same instructions, lanes, addresses and values
read, and nothing was changed), the earlier one is taken out. An atomic operation that writes back the value it read
changes nothing: nobody can tell from the memory whether it ran.
"""

from __future__ import annotations

from dataclasses import dataclass

from gemmviz.machine import layout
from gemmviz.machine.emitter import WIDE_VECTORS, Emitter, Value, i32, i64
from gemmviz.machine.log import CHANGED, SEQUENCED_SLOTS, SLOT_BYTES, LogPlan
from gemmviz.machine.lowering.context import I64, RegisterFile

TAKE_OUT_ROUND = "take_out_round"
_IS_QUIET, _IS_SAME, _MOVE, _OWN = "is_quiet", "is_same_round", "move_round", "numbers_of_sequenced"
_MOST_SLOTS = 64
"""Of a round."""
_ORDER = SEQUENCED_SLOTS - 1
"""Which of the slots of a sequenced statement has its place in the order."""


@dataclass(frozen=True, slots=True)
class _Numbers:
    """The values of sequenced statements have the numbers from `first` up to `end`; `own` are those that the same
    statements write down in front of them.
    """

    first: int
    end: int
    own: frozenset[int]

    @property
    def statements(self) -> int:
        return (self.end - self.first) // SEQUENCED_SLOTS


def _sequenced_numbers(log: LogPlan) -> _Numbers | None:
    """The numbers of a plan; None where it has no sequenced statement."""
    found = [one for one in log.values() if one.sequenced is not None]
    if not found:
        return None
    firsts = [one.sequenced.first for one in found if one.sequenced is not None]
    own = {number for one in found for number in range(one.first, one.first + len(one.values))}
    return _Numbers(min(firsts), max(firsts) + SEQUENCED_SLOTS, frozenset(own))


def define_rounds(emit: Emitter, registers: RegisterFile, log: LogPlan) -> tuple[int, int] | None:
    """Define what takes rounds out, where a plan has sequenced statements: where in a warp's state it counts how often
    each was taken out, as i64, and how many there are.
    """
    numbers = _sequenced_numbers(log)
    if numbers is None:
        return None
    counters = registers.room(8 * numbers.statements)
    flags = ", ".join(f"i8 {int(number in numbers.own)}" for number in range(max(numbers.first, 1)))
    emit.defined[_OWN] = f"@{_OWN} = internal constant [{max(numbers.first, 1)} x i8] [{flags}]"
    for one in (_is_quiet(numbers), _is_same(numbers), _move(numbers, counters), _take_out()):
        emit.defined[one.name] = one.text()
        emit.declared |= one.declared
    return counters, numbers.statements


def _number_of(emit: Emitter, slot: Value) -> Value:
    return emit.binary("and", emit.load("i64", slot, 8), i64(0xFFFFFFFF))


def _lanes_of(emit: Emitter, slot: Value) -> Value:
    return emit.cast("trunc", emit.binary("lshr", emit.load("i64", slot, 8), i64(32)), "i32")


def _is_sequenced(emit: Emitter, number: Value, numbers: _Numbers) -> Value:
    """Whether a number is that of a sequenced statement's value, as i1."""
    place = emit.binary("sub", number, i64(numbers.first))
    return emit.compare("icmp ult", place, i64(numbers.end - numbers.first))


def _is_of(emit: Emitter, number: Value, numbers: _Numbers, which: int) -> Value:
    """Whether it is the value `which` of such a statement."""
    rest = emit.binary("urem", emit.binary("sub", number, i64(numbers.first)), i64(SEQUENCED_SLOTS))
    is_it = emit.compare("icmp eq", rest, i64(which))
    return emit.binary("and", _is_sequenced(emit, number, numbers), is_it)


def _is_quiet(numbers: _Numbers) -> Emitter:
    """i1 is_quiet(slot): whether a slot may be part of a round: it is of a sequenced statement that changed nothing, or
    its lanes touched no memory that is recorded.
    """
    emit = Emitter(f"internal i1 @{_IS_QUIET}", "ptr %slot", f"noinline {WIDE_VECTORS}")
    emit.label("entry")
    slot = Value("ptr", "%slot")
    number, lanes = _number_of(emit, slot), _lanes_of(emit, slot)
    values = emit.load(I64, emit.at(slot, 8), 8)
    emit.branch(_is_sequenced(emit, number, numbers), "sequenced", "other")
    emit.label("sequenced")
    changed = emit.compare("icmp ne", emit.binary("and", values, emit.constant(I64, CHANGED)), emit.constant(I64, 0))
    is_idle = emit.compare("icmp eq", emit.binary("and", emit.bits(changed), lanes), i32(0))
    is_order = _is_of(emit, number, numbers, _ORDER)
    emit.do(f"ret {emit.select(is_order, is_idle, Value('i1', 'true'))}")
    emit.label("other")
    emit.branch(emit.compare("icmp ult", number, i64(numbers.first)), "plain", "watched")
    emit.label("watched")
    emit.do("ret i1 false")
    emit.label("plain")
    flag = emit.load("i8", emit.at(Value("ptr", f"@{_OWN}"), number))
    touched = emit.binary("and", emit.bits(emit.compare("icmp ne", values, emit.constant(I64, -1))), lanes)
    is_own = emit.compare("icmp ne", flag, Value("i8", "0"))
    emit.do(f"ret {emit.binary('or', is_own, emit.compare('icmp eq', touched, i32(0)))}")
    return emit


def _is_same(numbers: _Numbers) -> Emitter:
    """i1 is_same_round(one, span): whether the `span` bytes of slots from `one` on are a round, and the bytes behind
    them are the same round again. Places in the order may differ.
    """
    emit = Emitter(f"internal i1 @{_IS_SAME}", "ptr %one, i64 %span", f"noinline {WIDE_VECTORS}")
    emit.label("entry")
    with emit.count_to(emit.binary("udiv", Value("i64", "%span"), i64(SLOT_BYTES))) as place:
        slot = emit.at(Value("ptr", "%one"), emit.binary("mul", place, i64(SLOT_BYTES)))
        again = emit.at(slot, Value("i64", "%span"))
        same = emit.compare("icmp eq", emit.load("i64", slot, 8), emit.load("i64", again, 8))
        for one in (slot, again):
            same = emit.binary("and", same, emit.call("i1", _IS_QUIET, one))
        values = [emit.load(I64, emit.at(one, 8), 8) for one in (slot, again)]
        other = emit.binary("and", emit.bits(emit.compare("icmp ne", *values)), _lanes_of(emit, slot))
        is_order = _is_of(emit, _number_of(emit, slot), numbers, _ORDER)
        equal = emit.binary("or", is_order, emit.compare("icmp eq", other, i32(0)))
        with emit.when(emit.compare("icmp eq", emit.binary("and", same, equal), Value("i1", "false"))):
            emit.do("ret i1 false")
            emit.label(emit.fresh("never"))
    emit.do("ret i1 true")
    return emit


def _move(numbers: _Numbers, counters: int) -> Emitter:
    """void move_round(state, to, span, nbytes): take out the `span` bytes of slots from `to` on, behind which `nbytes`
    follow, and count them.
    """
    emit = Emitter(f"internal void @{_MOVE}", "ptr %state, ptr %to, i64 %span, i64 %nbytes", "noinline")
    emit.label("entry")
    state, to, span = Value("ptr", "%state"), Value("ptr", "%to"), Value("i64", "%span")
    with emit.count_to(emit.binary("udiv", span, i64(SLOT_BYTES))) as place:
        number = _number_of(emit, emit.at(to, emit.binary("mul", place, i64(SLOT_BYTES))))
        with emit.when(_is_of(emit, number, numbers, 0)):
            which = emit.binary("udiv", emit.binary("sub", number, i64(numbers.first)), i64(SEQUENCED_SLOTS))
            counter = emit.at(state, emit.binary("add", emit.binary("mul", which, i64(8)), i64(counters)))
            emit.store(emit.binary("add", emit.load("i64", counter, 8), i64(1)), counter, 8)
    arguments = to, emit.at(to, span), Value("i64", "%nbytes"), Value("i1", "false")
    emit.call("void", "llvm.memmove.p0.p0.i64", *arguments)
    emit.store(emit.at(to, Value("i64", "%nbytes")), emit.at(state, layout.LOG_NEXT))
    emit.do("ret void")
    return emit


def _take_out() -> Emitter:
    """void take_out_round(state, nbytes): the last `nbytes` that the warp has written are one look. Take out the round
    in front of it where that is as the one before it, or the look itself where nothing lies between it and the same
    look before.
    """
    emit = Emitter(f"internal void @{TAKE_OUT_ROUND}", "ptr %state, i64 %nbytes", "noinline")
    emit.label("entry")
    state, nbytes = Value("ptr", "%state"), Value("i64", "%nbytes")
    begin = emit.cast("ptrtoint", emit.load("ptr", emit.at(state, layout.LOG_BEGIN)), "i64")
    end = emit.load("ptr", emit.at(state, layout.LOG_NEXT))
    look = emit.at(end, emit.binary("sub", i64(0), nbytes))
    room = emit.binary("sub", emit.cast("ptrtoint", look, "i64"), begin)
    slots = emit.binary("udiv", room, i64(SLOT_BYTES))
    most = emit.call("i64", "llvm.umin.i64", slots, i64(_MOST_SLOTS))
    head = emit.load("i64", look, 8)
    with emit.count_to(most) as place:
        span = emit.binary("mul", emit.binary("add", place, i64(1)), i64(SLOT_BYTES))
        back = emit.binary("sub", i64(0), span)
        slot = emit.at(look, back)
        with emit.when(emit.compare("icmp eq", emit.call("i1", _IS_QUIET, slot), Value("i1", "false"))):
            emit.do("ret void")
            emit.label(emit.fresh("never"))
        with emit.when(emit.compare("icmp eq", emit.load("i64", slot, 8), head)):
            is_next = emit.compare("icmp eq", span, nbytes)
            with emit.when(is_next), emit.when(emit.call("i1", _IS_SAME, slot, span)):
                emit.call("void", _MOVE, state, slot, span, nbytes)
                emit.do("ret void")
                emit.label(emit.fresh("never"))
            earlier = emit.at(slot, back)
            has_earlier = emit.compare("icmp uge", room, emit.binary("shl", span, i64(1)))
            with emit.when(has_earlier), emit.when(emit.call("i1", _IS_SAME, earlier, span)):
                emit.call("void", _MOVE, state, earlier, span, emit.binary("add", span, nbytes))
            emit.do("ret void")
            emit.label(emit.fresh("never"))
    emit.do("ret void")
    return emit
