"""Instructions in which the lanes of a warp see each other: PTX ISA, "shfl", "vote", "match", "redux", "elect"."""

from __future__ import annotations

from gemmviz.domain.recordings.warp import LANES
from gemmviz.machine import layout
from gemmviz.machine.emitter import MASK, Value
from gemmviz.machine.lowering.context import I32, I64, Lowering
from gemmviz.machine.lowering.integers import is_signed
from gemmviz.machine.lowering.lanes_memory import gather
from gemmviz.machine.lowering.registry import lowers
from gemmviz.machine.lowering.special_registers import special
from gemmviz.machine.ptx.parse import Statement

_LANE_NUMBERS = "%laneid"


def mask_operand(statement: Statement) -> str:
    """The operand that names the lanes which take part."""
    return statement.operands[0 if statement.words[0] == "bar" else -1]


def own_lane(low: Lowering, statement: Statement) -> Value:
    """The number of each lane."""
    return special(low, _LANE_NUMBERS, statement)


def given_to_others(low: Lowering, statement: Statement) -> Value | None:
    """What each lane gives to the others, as integers; None where that is nothing."""
    word = statement.words[0]
    if word in {"bar", "elect"}:
        return None
    source = statement.operands[1]
    if word == "vote":
        return low.emit.cast("zext", _vote_of(low, source, statement), I32)
    return low.read(source, low.type_of(statement.words[-1], statement), statement)


def _from_all(low: Lowering, own: Value) -> Value:
    """What every lane gives: from the exchange where lanes ran apart."""
    if low.released is None:
        return own
    whole = low.emit.load(I64, low.emit.at(low.state, layout.EXCHANGE), 64)
    return low.emit.select(low.released, low.fit(whole, own.type), own)


def _taking_part(low: Lowering, statement: Statement) -> Value:
    """For each lane the lanes that it names and that have not ended, as i32. `lane_waits` sees that all are there."""
    alive = low.emit.load("i32", low.emit.at(low.state, layout.ALIVE))
    named = low.read(mask_operand(statement), I32, statement)
    return low.emit.binary("and", named, low.emit.splat(alive))


@lowers("shfl")
def _shuffle(low: Lowering, statement: Statement) -> None:
    """What comes from a lane that has ended, or that the mask does not name, is undefined by the PTX ISA; on an H100
    it is 0, and so it is here.
    """
    words = statement.words
    if words[1] != "sync" or words[-1] != "b32":
        low.refuse(statement)
    mode = words[2]
    target, source, lane, control, _mask = statement.operands
    emit = low.emit
    value = _from_all(low, low.read(source, I32, statement))
    amount = emit.binary("and", low.read(lane, I32, statement), emit.constant(I32, 31))
    control_word = low.read(control, I32, statement)
    clamp = emit.binary("and", control_word, emit.constant(I32, 31))
    segment = emit.binary("and", emit.binary("lshr", control_word, emit.constant(I32, 8)), emit.constant(I32, 31))
    own = own_lane(low, statement)
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
    bit = emit.binary("shl", emit.constant(I32, 1), chosen)
    is_there = emit.compare("icmp ne", emit.binary("and", _taking_part(low, statement), bit), emit.constant(I32, 0))
    given = permuted(low, value, chosen)
    low.write(names[0], emit.select(is_there, given, emit.constant(given.type, 0)), statement)
    if len(names) > 1:
        low.write(names[1], inside, statement)


def permuted(low: Lowering, value: Value, lanes: Value) -> Value:
    """Each lane's value from the lane that `lanes` says."""
    emit = low.emit
    emit.store(value, low.scratch, 64)
    offset = emit.binary("mul", low.fit(lanes, I64), emit.constant(I64, 4))
    address = emit.binary("add", offset, emit.splat(emit.cast("ptrtoint", low.scratch, "i64")))
    return gather(low, value.type, address, emit.constant(MASK, "true"), 4)


@lowers("vote")
def _vote(low: Lowering, statement: Statement) -> None:
    words = statement.words
    if words[1] != "sync":
        low.refuse(statement)
    target, source, _mask = statement.operands
    emit = low.emit
    own = emit.cast("zext", _vote_of(low, source, statement), I32)
    holds = emit.compare("icmp ne", _from_all(low, own), emit.constant(I32, 0))
    everyone = _taking_part(low, statement)
    votes = emit.binary("and", everyone, emit.splat(emit.bits(holds)))
    if words[2] == "ballot":
        low.write(target, votes, statement)
        return
    every = emit.compare("icmp eq", votes, everyone)
    some = emit.compare("icmp ne", votes, emit.constant(I32, 0))
    result = {"all": every, "any": some}.get(words[2])
    if words[2] == "uni":
        result = emit.binary("or", every, low.invert(some))
    if result is None:
        low.refuse(statement)
    low.write(target, result, statement)


def _vote_of(low: Lowering, source: str, statement: Statement) -> Value:
    holds = low.read(source.lstrip("!"), MASK, statement)
    return low.invert(holds) if source.startswith("!") else holds


@lowers("activemask")
def _active_mask(low: Lowering, statement: Statement) -> None:
    low.write(statement.operands[0], low.emit.splat(low.emit.bits(low.lanes(statement))), statement)


@lowers("elect")
def _elect(low: Lowering, statement: Statement) -> None:
    """The lowest lane of the mask leads."""
    target, _mask = statement.operands
    emit = low.emit
    leader = emit.call(I32, "llvm.cttz.v32i32", _taking_part(low, statement), Value("i1", "false"))
    names = target.split("|")
    low.write(names[0], leader, statement)
    if len(names) > 1:
        low.write(names[1], emit.compare("icmp eq", own_lane(low, statement), leader), statement)


@lowers("redux")
def _reduce(low: Lowering, statement: Statement) -> None:
    words = statement.words
    target, source, _mask = statement.operands
    operation, kind = words[2], words[-1]
    emit = low.emit
    value = _from_all(low, low.read(source, I32, statement))
    names = {
        "add": "add",
        "and": "and",
        "or": "or",
        "xor": "xor",
        "min": "smin" if is_signed(kind) else "umin",
        "max": "smax" if is_signed(kind) else "umax",
    }
    if operation not in names or kind not in {"u32", "s32", "b32"}:
        low.refuse(statement)
    neutral = {"add": 0, "or": 0, "xor": 0, "and": -1, "smin": 0x7FFFFFFF, "smax": -0x80000000, "umin": -1, "umax": 0}
    name = names[operation]
    everyone = _taking_part(low, statement)
    result = emit.constant(I32, neutral[name])
    for lane in range(LANES):  # lanes with different masks belong to different sets
        one = emit.splat(emit.extract(value, Value("i32", str(lane))))
        is_bound = name[1:] in {"min", "max"}
        more = emit.call(I32, f"llvm.{name}.v32i32", result, one) if is_bound else emit.binary(name, result, one)
        takes_part = emit.compare("icmp ne", emit.binary("and", everyone, _bit(low, lane)), emit.constant(I32, 0))
        result = emit.select(takes_part, more, result)
    low.write(target, result, statement)


def _bit(low: Lowering, lane: int) -> Value:
    return low.emit.constant(I32, 1 << lane if lane < 31 else -(1 << 31))


@lowers("match")
def _match(low: Lowering, statement: Statement) -> None:
    """`any`: the lanes with the same value; `all`: every lane of the mask if all have the same, else none."""
    words = statement.words
    target, source, _mask = statement.operands
    emit = low.emit
    value = _from_all(low, low.read(source, low.type_of(words[-1], statement), statement))
    everyone = _taking_part(low, statement)
    alike = emit.constant(I32, 0)
    for lane in range(LANES):
        same = emit.compare("icmp eq", value, emit.splat(emit.extract(value, Value("i32", str(lane)))))
        alike = emit.binary("or", alike, emit.select(same, _bit(low, lane), emit.constant(I32, 0)))
    alike = emit.binary("and", alike, everyone)
    if words[1] == "any":
        low.write(target, alike, statement)
        return
    is_same = emit.compare("icmp eq", alike, everyone)
    names = target.split("|")
    low.write(names[0], emit.select(is_same, everyone, emit.constant(I32, 0)), statement)
    if len(names) > 1:
        low.write(names[1], is_same, statement)
