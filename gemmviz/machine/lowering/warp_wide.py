"""Instructions in which the lanes of a warp see each other: PTX ISA, "shfl", "vote", "match", "redux", "elect"."""

from __future__ import annotations

from gemmviz.domain.access import LANES
from gemmviz.machine.emitter import MASK, Value, vector
from gemmviz.machine.layout import Fault
from gemmviz.machine.lowering.context import I32, I64, Lowering
from gemmviz.machine.lowering.integers import is_signed
from gemmviz.machine.lowering.registry import lowers
from gemmviz.machine.lowering.special_registers import special
from gemmviz.machine.ptx.parse import Statement

_LANE_NUMBERS = "%laneid"


def members(low: Lowering, operand: str, statement: Statement) -> Value:
    """The active lanes, once every lane that the operand names is seen to run here or to have ended.

    Lanes that a branch keeps elsewhere are not waited for: the code faults and says so. So it does where a lane takes
    part that its own operand does not name, which the PTX ISA leaves undefined.
    """
    from gemmviz.machine import layout

    emit = low.emit
    active = low.lanes(statement)
    named = low.read(operand, I32, statement)
    alive = emit.load("i32", emit.at(low.state, layout.ALIVE))
    elsewhere = emit.binary("and", alive, emit.binary("xor", emit.bits(active), Value("i32", "-1")))
    missing = emit.compare("icmp ne", emit.binary("and", named, emit.splat(elsewhere)), emit.constant(I32, 0))
    low.fault_if(emit.binary("and", active, missing), Fault.NOT_CONVERGED, statement)
    own = emit.binary("and", emit.binary("lshr", named, special(low, _LANE_NUMBERS, statement)), emit.constant(I32, 1))
    unnamed = emit.compare("icmp eq", own, emit.constant(I32, 0))
    low.fault_if(emit.binary("and", active, unnamed), Fault.NOT_NAMED, statement)
    return active


@lowers("shfl")
def _shuffle(low: Lowering, statement: Statement) -> None:
    words = statement.words
    if words[1] != "sync" or words[-1] != "b32":
        low.refuse(statement)
    mode = words[2]
    target, source, lane, control, mask = statement.operands
    emit = low.emit
    members(low, mask, statement)
    value = low.read(source, I32, statement)
    amount = emit.binary("and", low.read(lane, I32, statement), emit.constant(I32, 31))
    control_word = low.read(control, I32, statement)
    clamp = emit.binary("and", control_word, emit.constant(I32, 31))
    segment = emit.binary("and", emit.binary("lshr", control_word, emit.constant(I32, 8)), emit.constant(I32, 31))
    own = special(low, _LANE_NUMBERS, statement)
    outside = emit.binary("xor", segment, emit.constant(I32, 31))
    least = emit.binary("and", own, segment)
    most = emit.binary("or", least, emit.binary("and", clamp, outside))
    if mode == "up":
        wanted = emit.binary("sub", own, amount)
        inside = emit.compare("icmp sge", wanted, most)
    elif mode in {"down", "bfly"}:
        wanted = emit.binary("add" if mode == "down" else "xor", own, amount)
        inside = emit.compare("icmp sle", wanted, most)
    elif mode == "idx":
        wanted = emit.binary("or", least, emit.binary("and", amount, outside))
        inside = emit.compare("icmp sle", wanted, most)
    else:
        low.refuse(statement)
    chosen = emit.select(inside, wanted, own)
    names = target.split("|")
    low.write(names[0], permuted(low, value, chosen), statement)
    if len(names) > 1:
        low.write(names[1], inside, statement)


def permuted(low: Lowering, value: Value, lanes: Value) -> Value:
    """Each lane's value from the lane that `lanes` says."""
    emit = low.emit
    emit.store(value, low.scratch, 64)
    base = emit.cast("ptrtoint", low.scratch, "i64")
    offset = emit.binary("mul", low.fit(lanes, I64), emit.constant(I64, 4))
    pointers = emit.cast("inttoptr", emit.binary("add", offset, emit.splat(base)), vector("ptr"))
    all_lanes = emit.constant(MASK, "true")
    return emit.call(value.type, "llvm.masked.gather.v32i32.v32p0", pointers, Value("i32", "4"), all_lanes,
                     Value(value.type, "zeroinitializer"))  # fmt: skip


@lowers("vote")
def _vote(low: Lowering, statement: Statement) -> None:
    words = statement.words
    if words[1] != "sync":
        low.refuse(statement)
    target, source, mask = statement.operands
    emit = low.emit
    active = members(low, mask, statement)
    holds = low.read(source.lstrip("!"), MASK, statement)
    holds = low.invert(holds) if source.startswith("!") else holds
    votes = emit.bits(emit.binary("and", active, holds))
    everyone = emit.bits(active)
    if words[2] == "ballot":
        low.write(target, emit.splat(votes), statement)
        return
    zero = Value("i32", "0")
    every = emit.compare("icmp eq", votes, everyone)
    some = emit.compare("icmp ne", votes, zero)
    result = {"all": every, "any": some}.get(words[2])
    if words[2] == "uni":
        result = emit.binary("or", every, emit.binary("xor", some, Value("i1", "true")))
    if result is None:
        low.refuse(statement)
    low.write(target, emit.splat(result), statement)


@lowers("activemask")
def _active_mask(low: Lowering, statement: Statement) -> None:
    low.write(statement.operands[0], low.emit.splat(low.emit.bits(low.lanes(statement))), statement)


@lowers("elect")
def _elect(low: Lowering, statement: Statement) -> None:
    """The lowest lane of the mask leads."""
    target, mask = statement.operands
    emit = low.emit
    lanes = emit.bits(members(low, mask, statement))
    leader = emit.call("i32", "llvm.cttz.i32", lanes, Value("i1", "false"))
    names = target.split("|")
    low.write(names[0], emit.splat(leader), statement)
    if len(names) > 1:
        is_leader = emit.compare("icmp eq", special(low, _LANE_NUMBERS, statement), emit.splat(leader))
        low.write(names[1], is_leader, statement)


@lowers("redux")
def _reduce(low: Lowering, statement: Statement) -> None:
    words = statement.words
    target, source, mask = statement.operands
    operation, kind = words[2], words[-1]
    emit = low.emit
    active = members(low, mask, statement)
    value = low.read(source, I32, statement)
    names = {"add": "add", "and": "and", "or": "or", "xor": "xor", "min": "smin" if is_signed(kind) else "umin",
             "max": "smax" if is_signed(kind) else "umax"}  # fmt: skip
    if operation not in names or kind not in {"u32", "s32", "b32"}:
        low.refuse(statement)
    neutral = {"add": 0, "or": 0, "xor": 0, "and": -1, "smin": 0x7FFFFFFF, "smax": -0x80000000, "umin": -1, "umax": 0}
    name = names[operation]
    value = emit.select(active, value, emit.constant(I32, neutral[name]))
    low.write(target, emit.splat(emit.call("i32", f"llvm.vector.reduce.{name}.v32i32", value)), statement)


@lowers("match")
def _match(low: Lowering, statement: Statement) -> None:
    """`any`: the lanes with the same value; `all`: every lane of the mask if all have the same, else none."""
    words = statement.words
    target, source, mask = statement.operands
    emit = low.emit
    active = members(low, mask, statement)
    value = low.read(source, low.type_of(words[-1], statement), statement)
    everyone = emit.bits(active)
    if words[1] == "all":
        first = emit.call("i32", "llvm.cttz.i32", everyone, Value("i1", "false"))
        first = emit.binary("and", first, Value("i32", "31"))
        same = emit.compare("icmp eq", value, emit.splat(emit.extract(value, first)))
        is_same = emit.compare("icmp eq", emit.bits(emit.binary("and", same, active)), everyone)
        names = target.split("|")
        low.write(names[0], emit.splat(emit.select(is_same, everyone, Value("i32", "0"))), statement)
        if len(names) > 1:
            low.write(names[1], emit.splat(is_same), statement)
        return
    result = emit.constant(I32, 0)
    for lane in range(LANES):
        one = emit.splat(emit.extract(value, Value("i32", str(lane))))
        same = emit.binary("and", emit.compare("icmp eq", value, one), active)
        mine = emit.extract(active, Value("i32", str(lane)))
        bit = emit.select(mine, Value("i32", str(1 << lane if lane < 31 else -(1 << 31))), Value("i32", "0"))
        result = emit.binary("or", result, emit.select(same, emit.splat(bit), emit.constant(I32, 0)))
    low.write(target, result, statement)
