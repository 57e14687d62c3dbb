"""Compiled code by which lanes of a warp that run apart wait for each other in a `*.sync` instruction.

PTX ISA, "shfl.sync": an executing thread waits until all threads of its mask that have not exited have executed the
same instruction with the same mask. They may do so at different places of the program. A split that lacks lanes puts
what it gives into the warp's exchange, and parks. Once all lanes are there, each of the splits runs that instruction
before any of them goes on, and takes what the others gave from the exchange. Splits that wait at one place become one.
Lanes that wait where a branch ends, for such that need them in a `*.sync` instruction, go on without them. So they do
when the others have gone round a loop for a whole turn in which they may wait for them, as for a lock of one of the
lanes that have left it: ptxas puts YIELD into such loops, and on an H100 the lanes behind them go on.
"""

from __future__ import annotations

from collections.abc import Iterable

from gemmviz.machine import layout
from gemmviz.machine.emitter import Emitter, Value, i32
from gemmviz.machine.layout import Fault, SplitCondition, Status
from gemmviz.machine.lowering.context import I32, I64, Lowering
from gemmviz.machine.lowering.warp_wide import given_to_others, mask_operand, own_lane
from gemmviz.machine.placement import PlacedBlock
from gemmviz.machine.ptx.parse import Statement
from gemmviz.machine.splits import fill, free_splits, set_condition, split_at

_RELEASE_LANES, _DEPART = "release_lanes", "depart"
_FULL = Value("i32", "-1")
_STRONG = frozenset({"volatile", "relaxed", "acquire"})
_PLACE = (layout.PC, layout.MEETS, layout.PARENT, layout.KIND)
"""What splits have in common that become one."""


def lane_wait_functions() -> list[Emitter]:
    """The functions that every kernel's module has for lanes that wait for each other."""
    return [_release_lanes(), _depart()]


def wait_for_lanes(low: Lowering, number: int, kind: int, statement: Statement) -> Value:
    """Park the split, at block `number` of the code, if lanes that the statement names run elsewhere; else go on.

    Whether the split was released, as i1: then the exchange holds what the other lanes gave. `kind` is the same for
    instructions that meet.
    """
    emit = low.emit
    condition = emit.at(low.split, layout.CONDITION)
    released = emit.compare("icmp eq", emit.load("i32", condition), i32(SplitCondition.RELEASED))
    active = low.lanes(statement)
    named = low.read(mask_operand(statement), I32, statement)
    unnamed = emit.compare(
        "icmp eq",
        emit.binary("and", emit.binary("lshr", named, own_lane(low, statement)), emit.constant(I32, 1)),
        emit.constant(I32, 0),
    )
    low.fault_if(emit.binary("and", active, unnamed), Fault.NOT_NAMED, statement)
    given = given_to_others(low, statement)
    wanted = emit.select(active, named, emit.constant(I32, 0))
    wanted = emit.call("i32", "llvm.vector.reduce.or.v32i32", wanted)
    alive = emit.load("i32", emit.at(low.state, layout.ALIVE))
    missing = emit.binary("and", emit.binary("and", wanted, alive), emit.binary("xor", emit.bits(active), _FULL))
    lacks = emit.compare("icmp ne", missing, i32(0))
    parks = emit.binary("and", lacks, emit.binary("xor", released, Value("i1", "true")))
    with emit.when(parks, likely=False):
        place = emit.at(low.state, layout.LANE_MASKS)
        emit.store(emit.select(active, named, emit.load(I32, place, 64)), place, 64)
        if given is not None:
            place = emit.at(low.state, layout.EXCHANGE)
            old = emit.load(I64, place, 64)
            emit.store(emit.select(active, low.fit(given, I64), old), place, 64)
        for value, offset in (
            (i32(number), layout.PC),
            (wanted, layout.WANTED),
            (i32(kind), layout.KIND),
            (emit.bits(active), layout.ARRIVED_LANES),
            (i32(SplitCondition.WAITS_FOR_LANES), layout.CONDITION),
        ):
            emit.store(value, emit.at(low.split, offset))
        waiting = emit.at(low.state, layout.WAITING)
        emit.store(emit.binary("add", emit.load("i32", waiting), i32(1)), waiting)
        release_lanes(emit, low.state)
        emit.jump("waits")
        emit.label(emit.fresh("never"))
    return released


def pass_on(low: Lowering, released: Value, target: int) -> None:
    """Let the other released splits run before this one goes on at block `target`, if it was released."""
    emit = low.emit
    with emit.when(released, likely=False):
        emit.store(i32(target), emit.at(low.split, layout.PC))
        set_condition(emit, low.split, SplitCondition.RUNS)
        count = emit.at(low.state, layout.RELEASED)
        emit.store(emit.binary("sub", emit.load("i32", count), i32(1)), count)
        emit.jump("waits")
        emit.label(emit.fresh("never"))


def release_lanes(emit: Emitter, state: Value) -> Value:
    """Release the splits for which no lane is missing any more; how many there are."""
    return emit.call("i32", _RELEASE_LANES, state)


def depart(emit: Emitter, state: Value, wanted: Value) -> Value:
    """Let lanes go on alone that wait where a branch ends, if other lanes need them or they are among the `wanted`, a
    mask; whether there were any, as i32.
    """
    return emit.call("i32", _DEPART, state, wanted)


def give_way(emit: Emitter, state: Value, loop: Iterable[PlacedBlock]) -> None:
    """End the turn of a warp in a loop of these blocks; lanes that it may wait for and that have left it go on."""
    if any(map(_may_wait, (statement for block in loop for statement in block.statements))):
        depart(emit, state, _FULL)
    emit.do(f"ret i32 {int(Status.GAVE_WAY)}")
    emit.label(emit.fresh("never"))


def _may_wait(statement: Statement) -> bool:
    """Whether an instruction reads what other threads may change meanwhile. For which loops ptxas writes YIELD is not
    documented: those with one of these, as seen in SASS for sm_90a.
    """
    words = statement.words
    is_test = words[:2] in (("mbarrier", "try_wait"), ("mbarrier", "test_wait"))
    return is_test or words[0] in ("atom", "nanosleep") or (words[0] == "ld" and not _STRONG.isdisjoint(words))


def _release_lanes() -> Emitter:
    """i32 release_lanes(state): release the waiting splits whose lanes name only lanes that wait in the same
    instruction with the same mask, in splits of which that is true as well.
    """
    emit = Emitter(f"internal i32 @{_RELEASE_LANES}", "ptr %state", "noinline cold")
    emit.label("entry")
    state = Value("ptr", "%state")
    there, before, found, merged, lacking = (emit.stack("i32", 4) for _ in range(5))
    used = emit.cast("zext", emit.load("i32", emit.at(state, layout.USED_SPLITS)), "i64")
    alive = emit.load("i32", emit.at(state, layout.ALIVE))

    def field(split: Value, offset: int) -> Value:
        return emit.load("i32", emit.at(split, offset))

    def waits_in(split: Value, kind: Value) -> Value:
        waits = emit.compare("icmp eq", field(split, layout.CONDITION), i32(SplitCondition.WAITS_FOR_LANES))
        return emit.binary("and", waits, emit.compare("icmp eq", field(split, layout.KIND), kind))

    masks = emit.load(I32, emit.at(state, layout.LANE_MASKS), 64)

    def is_complete(split: Value) -> Value:
        emit.store(i32(0), lacking)
        with emit.for_each_lane(field(split, layout.ARRIVED_LANES)) as lane:
            mask = emit.extract(masks, lane)
            alike = emit.bits(emit.compare("icmp eq", masks, emit.splat(mask)))
            arrived = emit.binary("xor", emit.binary("and", alike, emit.load("i32", there)), _FULL)
            missing = emit.binary("and", emit.binary("and", mask, alive), arrived)
            emit.store(emit.binary("or", emit.load("i32", lacking), missing), lacking)
        return emit.compare("icmp eq", emit.load("i32", lacking), i32(0))

    with emit.count_to(used) as first:
        leader = split_at(emit, state, emit.cast("trunc", first, "i32"))
        kind = field(leader, layout.KIND)
        with emit.when(waits_in(leader, kind)):
            emit.store(i32(0), there)
            with emit.count_to(used) as number:
                split = split_at(emit, state, emit.cast("trunc", number, "i32"))
                with emit.when(waits_in(split, kind)):
                    lanes = field(split, layout.ARRIVED_LANES)
                    emit.store(emit.binary("or", emit.load("i32", there), lanes), there)
            emit.store(emit.binary("xor", emit.load("i32", there), _FULL), before)
            with emit.count_to(used):  # rounds, each of which takes out the lanes of splits that lack others
                changed = emit.compare("icmp ne", emit.load("i32", there), emit.load("i32", before))
                with emit.when(changed):
                    emit.store(i32(0), found)
                    with emit.count_to(used) as number:
                        split = split_at(emit, state, emit.cast("trunc", number, "i32"))
                        with emit.when(waits_in(split, kind)), emit.when(is_complete(split)):
                            lanes = field(split, layout.ARRIVED_LANES)
                            emit.store(emit.binary("or", emit.load("i32", found), lanes), found)
                    emit.store(emit.load("i32", there), before)
                    emit.store(emit.load("i32", found), there)
            with emit.count_to(used) as number:
                split = split_at(emit, state, emit.cast("trunc", number, "i32"))
                with emit.when(waits_in(split, kind)), emit.when(is_complete(split)):
                    _release(emit, state, split, number, merged)
    emit.do(f"ret {emit.load('i32', emit.at(state, layout.RELEASED))}")
    return emit


def _release(emit: Emitter, state: Value, split: Value, number: Value, merged: Value) -> None:
    """Release a split: join it to one released before it that waits at the same place and meets the same others."""
    waiting, released = (emit.at(state, offset) for offset in (layout.WAITING, layout.RELEASED))
    emit.store(emit.binary("sub", emit.load("i32", waiting), i32(1)), waiting)
    emit.store(i32(0), merged)
    with emit.count_to(number) as earlier:
        other = split_at(emit, state, emit.cast("trunc", earlier, "i32"))
        alike = emit.compare("icmp eq", emit.load("i32", merged), i32(0))
        for offset, value in (
            (layout.CONDITION, i32(SplitCondition.RELEASED)),
            *((offset, emit.load("i32", emit.at(split, offset))) for offset in _PLACE),
        ):
            same = emit.compare("icmp eq", emit.load("i32", emit.at(other, offset)), value)
            alike = emit.binary("and", alike, same)
        with emit.when(alike):
            emit.store(i32(1), merged)
            for offset in (layout.MASK, layout.ARRIVED_LANES):
                place = emit.at(other, offset)
                lanes = emit.load("i32", emit.at(split, offset))
                emit.store(emit.binary("or", emit.load("i32", place), lanes), place)
            set_condition(emit, split, SplitCondition.FREE)
            parent = emit.load("i32", emit.at(split, layout.PARENT))
            with emit.when(emit.compare("icmp sge", parent, i32(0))):
                children = emit.at(split_at(emit, state, parent), layout.CHILDREN)
                emit.store(emit.binary("sub", emit.load("i32", children), i32(1)), children)
    with emit.when(emit.compare("icmp eq", emit.load("i32", merged), i32(0))):
        set_condition(emit, split, SplitCondition.RELEASED)
        emit.store(emit.binary("add", emit.load("i32", released), i32(1)), released)


def _depart() -> Emitter:
    """i32 depart(state, wanted): of one split whose children still run, let the lanes that have arrived be a split of
    their own, if a split waits for any of them in a `*.sync` instruction or any is wanted; 1 if there was one, else 0.
    """
    emit = Emitter(f"internal i32 @{_DEPART}", "ptr %state, i32 %wanted", "noinline cold")
    emit.label("entry")
    state = Value("ptr", "%state")
    wanted, below = emit.stack("i32", 4), emit.stack("i32", 4)
    room, _ = free_splits(emit, state)
    used = emit.cast("zext", emit.load("i32", emit.at(state, layout.USED_SPLITS)), "i64")
    alive = emit.load("i32", emit.at(state, layout.ALIVE))
    emit.store(Value("i32", "%wanted"), wanted)

    def has(split: Value, offset: int, value: Value) -> Value:
        return emit.compare("icmp eq", emit.load("i32", emit.at(split, offset)), value)

    with emit.count_to(used) as number:
        split = split_at(emit, state, emit.cast("trunc", number, "i32"))
        with emit.when(has(split, layout.CONDITION, i32(SplitCondition.WAITS_FOR_LANES))):
            more = emit.load("i32", emit.at(split, layout.WANTED))
            emit.store(emit.binary("or", emit.load("i32", wanted), more), wanted)
    with emit.count_to(used) as number:
        above_number = emit.cast("trunc", number, "i32")
        above = split_at(emit, state, above_number)
        with emit.when(has(above, layout.CONDITION, i32(SplitCondition.WAITS_FOR_CHILDREN))):
            emit.store(i32(0), below)
            with emit.count_to(used) as child_number:
                child = split_at(emit, state, emit.cast("trunc", child_number, "i32"))
                is_free = has(child, layout.CONDITION, i32(SplitCondition.FREE))
                is_child = emit.binary("xor", is_free, Value("i1", "true"))
                with emit.when(emit.binary("and", is_child, has(child, layout.PARENT, above_number))):
                    lanes = emit.load("i32", emit.at(child, layout.MASK))
                    emit.store(emit.binary("or", emit.load("i32", below), lanes), below)
            mask = emit.load("i32", emit.at(above, layout.MASK))
            running = emit.binary("xor", emit.load("i32", below), _FULL)
            arrived = emit.binary("and", emit.binary("and", mask, alive), running)
            needed = emit.compare("icmp ne", emit.binary("and", arrived, emit.load("i32", wanted)), i32(0))
            has_room = emit.compare("icmp sge", room, i32(0))
            with emit.when(emit.binary("and", needed, has_room)):
                places = layout.PC, layout.MEETS, layout.PARENT
                pc, meets, parent = (emit.load("i32", emit.at(above, place)) for place in places)
                fill(emit, state, room, pc, arrived, meets, parent)
                emit.store(emit.binary("and", mask, emit.binary("xor", arrived, _FULL)), emit.at(above, layout.MASK))
                with emit.when(emit.compare("icmp sge", parent, i32(0))):
                    children = emit.at(split_at(emit, state, parent), layout.CHILDREN)
                    emit.store(emit.binary("add", emit.load("i32", children), i32(1)), children)
                emit.do("ret i32 1")
                emit.label(emit.fresh("never"))
    emit.do("ret i32 0")
    return emit
