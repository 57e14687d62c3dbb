"""Compiled code for the splits of a warp: which one runs next, what ends and divides them."""

from __future__ import annotations

from gemmviz.machine import layout
from gemmviz.machine.emitter import Emitter, Value, i32, i64
from gemmviz.machine.layout import SplitCondition

_PICK, _FINISH, _DIVERGE = "pick", "finish", "diverge"
NONE = -1
"""In the place of a split's number."""


def split_functions() -> list[Emitter]:
    """The functions that every kernel's module has for its splits."""
    return [_pick(), _finish(), _diverge()]


def split_at(emit: Emitter, state: Value, number: Value) -> Value:
    """Where a split of a warp lies, by its number as i32."""
    offset = emit.binary("mul", emit.cast("zext", number, "i64"), i64(layout.SPLIT_BYTES))
    return emit.at(state, emit.binary("add", offset, i64(layout.SPLITS)))


def set_condition(emit: Emitter, split: Value, condition: SplitCondition) -> None:
    emit.store(i32(condition), emit.at(split, layout.CONDITION))


def _pick() -> Emitter:
    """i32 pick(state): the next split that can run, from the one behind the current on; -1 if there is none. Splits
    that were released from a `*.sync` instruction come before all others.
    """
    emit = Emitter(f"internal i32 @{_PICK}", "ptr %state", "noinline")
    emit.label("entry")
    state = Value("ptr", "%state")
    used = emit.load("i32", emit.at(state, layout.USED_SPLITS))
    current = emit.load("i32", emit.at(state, layout.CURRENT))
    released = emit.compare("icmp ne", emit.load("i32", emit.at(state, layout.RELEASED)), i32(0))
    wanted = emit.select(released, i32(SplitCondition.RELEASED), i32(SplitCondition.RUNS))
    with emit.count_to(emit.cast("zext", used, "i64")) as number:
        turn = emit.binary("add", emit.binary("add", current, i32(1)), emit.cast("trunc", number, "i32"))
        one = emit.binary("urem", turn, used)
        condition = emit.load("i32", emit.at(split_at(emit, state, one), layout.CONDITION))
        with emit.when(emit.compare("icmp eq", condition, wanted)):
            emit.store(one, emit.at(state, layout.CURRENT))
            emit.do(f"ret {one}")
            emit.label(emit.fresh("never"))
    emit.do(f"ret i32 {NONE}")
    return emit


def _finish() -> Emitter:
    """i32 finish(state): end the current split, let its parent go on if it was the last child; the next to run."""
    emit = Emitter(f"internal i32 @{_FINISH}", "ptr %state", "noinline")
    emit.label("entry")
    state = Value("ptr", "%state")
    emit.jump("ends")
    emit.label("ends")
    current = emit.load("i32", emit.at(state, layout.CURRENT))
    split = split_at(emit, state, current)
    set_condition(emit, split, SplitCondition.FREE)
    parent = emit.load("i32", emit.at(split, layout.PARENT))
    emit.branch(emit.compare("icmp slt", parent, i32(0)), "others", "has_parent")
    emit.label("has_parent")
    above = split_at(emit, state, parent)
    children = emit.binary("sub", emit.load("i32", emit.at(above, layout.CHILDREN)), i32(1))
    emit.store(children, emit.at(above, layout.CHILDREN))
    emit.branch(emit.compare("icmp eq", children, i32(0)), "parent_runs", "others")
    emit.label("parent_runs")
    set_condition(emit, above, SplitCondition.RUNS)
    emit.store(parent, emit.at(state, layout.CURRENT))
    lanes = emit.binary(
        "and", emit.load("i32", emit.at(above, layout.MASK)), emit.load("i32", emit.at(state, layout.ALIVE))
    )
    same = emit.compare(
        "icmp eq", emit.load("i32", emit.at(above, layout.PC)), emit.load("i32", emit.at(above, layout.MEETS))
    )
    done = emit.binary("or", same, emit.compare("icmp eq", lanes, i32(0)))
    emit.branch(done, "ends", "goes_on")
    emit.label("goes_on")
    emit.do(f"ret {parent}")
    emit.label("others")
    emit.do(f"ret {emit.call('i32', _PICK, state)}")
    return emit


def _diverge() -> Emitter:
    """i32 diverge(state, then, lanes, otherwise, others, meets): divide the current split; the next, -1 if there is
    no room.
    """
    emit = Emitter(
        f"internal i32 @{_DIVERGE}",
        "ptr %state, i32 %then, i32 %lanes, i32 %otherwise, i32 %others, i32 %meets",
        "noinline",
    )
    state, then, lanes = Value("ptr", "%state"), Value("i32", "%then"), Value("i32", "%lanes")
    otherwise, others, meets = Value("i32", "%otherwise"), Value("i32", "%others"), Value("i32", "%meets")
    emit.label("entry")
    current = emit.load("i32", emit.at(state, layout.CURRENT))
    split = split_at(emit, state, current)
    room = free_splits(emit, state)
    emit.branch(emit.compare("icmp slt", room[1], i32(0)), "full", "room")
    emit.label("full")
    emit.do(f"ret i32 {NONE}")
    emit.label("room")
    same_place = emit.compare("icmp eq", emit.load("i32", emit.at(split, layout.MEETS)), meets)
    emit.branch(same_place, "divides", "becomes_parent")

    emit.label("divides")  # both parts meet where this split meets the others anyway
    first_waits = emit.compare("icmp eq", then, meets)
    second_waits = emit.compare("icmp eq", otherwise, meets)
    emit.store(emit.select(first_waits, otherwise, then), emit.at(split, layout.PC))
    emit.store(emit.select(first_waits, others, lanes), emit.at(split, layout.MASK))
    emit.branch(emit.binary("or", first_waits, second_waits), "one_is_left", "two_are_left")
    emit.label("two_are_left")
    parent = emit.load("i32", emit.at(split, layout.PARENT))
    fill(emit, state, room[0], otherwise, others, meets, parent)
    with emit.when(emit.compare("icmp sge", parent, i32(0))):
        children = emit.at(split_at(emit, state, parent), layout.CHILDREN)
        emit.store(emit.binary("add", emit.load("i32", children), i32(1)), children)
    emit.jump("one_is_left")
    emit.label("one_is_left")
    emit.do(f"ret {current}")

    emit.label("becomes_parent")
    emit.store(meets, emit.at(split, layout.PC))
    set_condition(emit, split, SplitCondition.WAITS_FOR_CHILDREN)
    emit.store(i32(0), emit.at(split, layout.CHILDREN))
    for target, mask, place in ((otherwise, others, room[1]), (then, lanes, room[0])):
        with emit.when(emit.compare("icmp ne", target, meets)):
            fill(emit, state, place, target, mask, meets, current)
            children = emit.at(split, layout.CHILDREN)
            emit.store(emit.binary("add", emit.load("i32", children), i32(1)), children)
            emit.store(place, emit.at(state, layout.CURRENT))
    emit.do(f"ret {emit.load('i32', emit.at(state, layout.CURRENT))}")
    return emit


def free_splits(emit: Emitter, state: Value) -> tuple[Value, Value]:
    """The numbers of two free splits; the second is -1 if there are not two."""
    first, second = emit.stack("i32", 4), emit.stack("i32", 4)
    for place in (first, second):
        emit.store(i32(NONE), place)
    used = emit.load("i32", emit.at(state, layout.USED_SPLITS))
    enough = emit.binary("add", used, i32(2))
    most = emit.select(emit.compare("icmp ult", enough, i32(layout.MOST_SPLITS)), enough, i32(layout.MOST_SPLITS))
    with emit.count_to(emit.cast("zext", most, "i64")) as number:
        one = emit.cast("trunc", number, "i32")
        condition = emit.load("i32", emit.at(split_at(emit, state, one), layout.CONDITION))
        unused = emit.compare("icmp eq", condition, i32(SplitCondition.FREE))
        lacks_second = emit.compare("icmp slt", emit.load("i32", second), i32(0))
        with emit.when(emit.binary("and", unused, lacks_second)):
            emit.store(emit.load("i32", first), second)
            emit.store(one, first)
            after = emit.binary("add", one, i32(1))
            now = emit.load("i32", emit.at(state, layout.USED_SPLITS))
            more = emit.select(emit.compare("icmp ugt", after, now), after, now)
            emit.store(more, emit.at(state, layout.USED_SPLITS))
    return emit.load("i32", first), emit.load("i32", second)


def fill(emit: Emitter, state: Value, number: Value, pc: Value, mask: Value, meets: Value, parent: Value) -> None:
    split = split_at(emit, state, number)
    for value, offset in (
        (pc, layout.PC),
        (meets, layout.MEETS),
        (mask, layout.MASK),
        (parent, layout.PARENT),
        (i32(0), layout.CHILDREN),
        (i32(SplitCondition.RUNS), layout.CONDITION),
    ):
        emit.store(value, emit.at(split, offset))


def pick(emit: Emitter, state: Value) -> Value:
    return emit.call("i32", _PICK, state)


def finish(emit: Emitter, state: Value) -> Value:
    return emit.call("i32", _FINISH, state)


def diverge(emit: Emitter, state: Value, *arguments: Value) -> Value:
    return emit.call("i32", _DIVERGE, state, *arguments)
