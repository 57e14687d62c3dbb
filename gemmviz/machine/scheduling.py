"""The compiled code around a kernel's own: which split of a warp runs next, turns of warps, barriers, many blocks."""

from __future__ import annotations

from gemmviz.machine import layout
from gemmviz.machine.emitter import Emitter, Value
from gemmviz.machine.flow import EXIT
from gemmviz.machine.layout import Condition, Fault, Status
from gemmviz.machine.lowering.context import FAULT
from gemmviz.machine.lowering.memory import ACCESS_FAULT

WARP, BLOCK, BLOCKS = "warp", "run_block", "run_blocks"
_FIND_RANGE = "find_range"
_PICK, _FINISH, _DIVERGE, _RELEASE = "pick", "finish", "diverge", "release"
_NONE = -1


def i32(value: int) -> Value:
    return Value("i32", str(value))


def i64(value: int) -> Value:
    return Value("i64", str(value))


def split_at(emit: Emitter, state: Value, number: Value) -> Value:
    """Where a split of a warp lies, by its number as i32."""
    offset = emit.binary("mul", emit.cast("zext", number, "i64"), i64(layout.SPLIT_BYTES))
    return emit.at(state, emit.binary("add", offset, i64(layout.SPLITS)))


def set_condition(emit: Emitter, split: Value, condition: Condition) -> None:
    emit.store(i32(condition), emit.at(split, layout.CONDITION))


def support() -> list[Emitter]:
    """The functions that every kernel's module has."""
    return [
        _fault(),
        _access_fault(),
        _find_range(),
        _pick(),
        _finish(),
        _diverge(),
        _release(),
        _run_block(),
        _run_blocks(),
    ]


def _fault() -> Emitter:
    """i32 fault(state, kind, site, addresses, lanes): note what these lanes did; the status that ends the turn."""
    emit = Emitter(
        f"internal i32 @{FAULT}", "ptr %state, i64 %kind, i64 %site, ptr %addresses, i32 %lanes", "noinline cold"
    )
    emit.label("entry")
    state, lanes = Value("ptr", "%state"), Value("i32", "%lanes")
    emit.store(emit.cast("trunc", Value("i64", "%kind"), "i32"), emit.at(state, layout.FAULT))
    emit.store(emit.cast("trunc", Value("i64", "%site"), "i32"), emit.at(state, layout.FAULT_SITE))
    emit.store(lanes, emit.at(state, layout.FAULT_LANES))
    first = emit.cast("zext", emit.call("i32", "llvm.cttz.i32", lanes, Value("i1", "true")), "i64")
    address = emit.load("i64", emit.at(Value("ptr", "%addresses"), emit.binary("mul", first, i64(8))))
    emit.store(address, emit.at(state, layout.FAULT_ADDRESS))
    emit.do(f"ret i32 {int(Status.FAULT)}")
    return emit


def _access_fault() -> Emitter:
    """i32 access_fault(block, state, site, width, align, kind, addresses, active, wrong): look at lanes whose access
    seems wrong. 0 if another range holds their bytes, else the status of a fault.
    """
    emit = Emitter(
        f"internal i32 @{ACCESS_FAULT}",
        "ptr %block, ptr %state, i64 %site, i64 %width, i64 %align, i64 %kind, ptr %addresses, i32 %active, i32 %wrong",
        "noinline cold",
    )
    emit.label("entry")
    askew = emit.stack("i32", 4)
    emit.store(i32(0), askew)
    addresses = Value("ptr", "%addresses")
    with emit.for_each_lane(Value("i32", "%wrong")) as lane:
        address = emit.load("i64", emit.at(addresses, emit.binary("mul", lane, i64(8))))
        rest = emit.binary("urem", address, Value("i64", "%align"))
        with emit.when(emit.compare("icmp ne", rest, i64(0))):
            bit = emit.binary("shl", i32(1), emit.cast("trunc", lane, "i32"))
            emit.store(emit.binary("or", emit.load("i32", askew), bit), askew)
    site, state = Value("i64", "%site"), Value("ptr", "%state")
    with emit.when(emit.compare("icmp ne", emit.load("i32", askew), i32(0))):
        status = emit.call("i32", FAULT, state, i64(Fault.MISALIGNED), site, addresses, emit.load("i32", askew))
        emit.do(f"ret {status}")
        emit.label(emit.fresh("never"))
    bad = emit.stack("i32", 4)
    emit.store(Value("i32", "%wrong"), bad)
    kind = Value("i64", "%kind")
    with emit.when(emit.compare("icmp eq", kind, i64(Fault.OUT_OF_BOUNDS))):
        found = emit.call("i32", _FIND_RANGE, Value("ptr", "%block"), site, Value("i64", "%width"), addresses,
                          Value("i32", "%active"))  # fmt: skip
        emit.store(found, bad)
    with emit.when(emit.compare("icmp eq", emit.load("i32", bad), i32(0))):
        emit.do("ret i32 0")
        emit.label(emit.fresh("never"))
    emit.do(f"ret {emit.call('i32', FAULT, state, kind, site, addresses, emit.load('i32', bad))}")
    return emit


def _find_range() -> Emitter:
    """i32 find_range(block, site, width, addresses, lanes): the lanes whose bytes lie in no range. The range of the
    last lane that has one is remembered for the site.
    """
    emit = Emitter(
        f"internal i32 @{_FIND_RANGE}", "ptr %block, i64 %site, i64 %width, ptr %addresses, i32 %lanes", "noinline"
    )
    emit.label("entry")
    block = Value("ptr", "%block")
    bad = emit.stack("i32", 4)
    emit.store(i32(0), bad)
    count = emit.load("i64", emit.at(block, layout.RANGE_COUNT))
    ranges = emit.load("ptr", emit.at(block, layout.RANGES))
    remembered = emit.at(
        block, emit.binary("add", emit.binary("mul", Value("i64", "%site"), i64(16)), i64(layout.SITE_RANGES))
    )
    with emit.for_each_lane(Value("i32", "%lanes")) as lane:
        address = emit.load("i64", emit.at(Value("ptr", "%addresses"), emit.binary("mul", lane, i64(8))))
        bit = emit.binary("shl", i32(1), emit.cast("trunc", lane, "i32"))
        emit.store(emit.binary("or", emit.load("i32", bad), bit), bad)
        with emit.count_to(count) as number:
            place = emit.at(ranges, emit.binary("mul", number, i64(16)))
            first, nbytes = emit.load("i64", place), emit.load("i64", emit.at(place, 8))
            offset = emit.binary("sub", address, first)
            end = emit.binary("add", offset, Value("i64", "%width"))
            inside = emit.binary("and", emit.compare("icmp ult", offset, nbytes), emit.compare("icmp ule", end, nbytes))
            with emit.when(inside):
                emit.store(first, remembered)
                emit.store(nbytes, emit.at(remembered, 8))
                cleared = emit.binary("and", emit.load("i32", bad), emit.binary("xor", bit, i32(-1)))
                emit.store(cleared, bad)
    emit.do(f"ret {emit.load('i32', bad)}")
    return emit


def _pick() -> Emitter:
    """i32 pick(state): the next split that can run, from the one behind the current on; -1 if there is none."""
    emit = Emitter(f"internal i32 @{_PICK}", "ptr %state", "noinline")
    emit.label("entry")
    state = Value("ptr", "%state")
    used = emit.load("i32", emit.at(state, layout.USED_SPLITS))
    current = emit.load("i32", emit.at(state, layout.CURRENT))
    with emit.count_to(emit.cast("zext", used, "i64")) as number:
        turn = emit.binary("add", emit.binary("add", current, i32(1)), emit.cast("trunc", number, "i32"))
        one = emit.binary("urem", turn, used)
        condition = emit.load("i32", emit.at(split_at(emit, state, one), layout.CONDITION))
        with emit.when(emit.compare("icmp eq", condition, i32(Condition.RUNS))):
            emit.store(one, emit.at(state, layout.CURRENT))
            emit.do(f"ret {one}")
            emit.label(emit.fresh("never"))
    emit.do(f"ret i32 {_NONE}")
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
    set_condition(emit, split, Condition.FREE)
    parent = emit.load("i32", emit.at(split, layout.PARENT))
    emit.branch(emit.compare("icmp slt", parent, i32(0)), "others", "has_parent")
    emit.label("has_parent")
    above = split_at(emit, state, parent)
    children = emit.binary("sub", emit.load("i32", emit.at(above, layout.CHILDREN)), i32(1))
    emit.store(children, emit.at(above, layout.CHILDREN))
    emit.branch(emit.compare("icmp eq", children, i32(0)), "parent_runs", "others")
    emit.label("parent_runs")
    set_condition(emit, above, Condition.RUNS)
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
    room = _free_splits(emit, state)
    emit.branch(emit.compare("icmp slt", room[1], i32(0)), "full", "room")
    emit.label("full")
    emit.do(f"ret i32 {_NONE}")
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
    _fill(emit, state, room[0], otherwise, others, meets, parent)
    with emit.when(emit.compare("icmp sge", parent, i32(0))):
        children = emit.at(split_at(emit, state, parent), layout.CHILDREN)
        emit.store(emit.binary("add", emit.load("i32", children), i32(1)), children)
    emit.jump("one_is_left")
    emit.label("one_is_left")
    emit.do(f"ret {current}")

    emit.label("becomes_parent")
    emit.store(meets, emit.at(split, layout.PC))
    set_condition(emit, split, Condition.WAITS_FOR_CHILDREN)
    emit.store(i32(0), emit.at(split, layout.CHILDREN))
    for target, mask, place in ((otherwise, others, room[1]), (then, lanes, room[0])):
        with emit.when(emit.compare("icmp ne", target, meets)):
            _fill(emit, state, place, target, mask, meets, current)
            children = emit.at(split, layout.CHILDREN)
            emit.store(emit.binary("add", emit.load("i32", children), i32(1)), children)
            emit.store(place, emit.at(state, layout.CURRENT))
    emit.do(f"ret {emit.load('i32', emit.at(state, layout.CURRENT))}")
    return emit


def _free_splits(emit: Emitter, state: Value) -> tuple[Value, Value]:
    """The numbers of two free splits; the second is -1 if there are not two."""
    first, second = emit.stack("i32", 4), emit.stack("i32", 4)
    for place in (first, second):
        emit.store(i32(_NONE), place)
    used = emit.load("i32", emit.at(state, layout.USED_SPLITS))
    enough = emit.binary("add", used, i32(2))
    most = emit.select(emit.compare("icmp ult", enough, i32(layout.MOST_SPLITS)), enough, i32(layout.MOST_SPLITS))
    with emit.count_to(emit.cast("zext", most, "i64")) as number:
        one = emit.cast("trunc", number, "i32")
        condition = emit.load("i32", emit.at(split_at(emit, state, one), layout.CONDITION))
        unused = emit.compare("icmp eq", condition, i32(Condition.FREE))
        lacks_second = emit.compare("icmp slt", emit.load("i32", second), i32(0))
        with emit.when(emit.binary("and", unused, lacks_second)):
            emit.store(emit.load("i32", first), second)
            emit.store(one, first)
            after = emit.binary("add", one, i32(1))
            now = emit.load("i32", emit.at(state, layout.USED_SPLITS))
            more = emit.select(emit.compare("icmp ugt", after, now), after, now)
            emit.store(more, emit.at(state, layout.USED_SPLITS))
    return emit.load("i32", first), emit.load("i32", second)


def _fill(emit: Emitter, state: Value, number: Value, pc: Value, mask: Value, meets: Value, parent: Value) -> None:
    split = split_at(emit, state, number)
    for value, offset in (
        (pc, layout.PC), (meets, layout.MEETS), (mask, layout.MASK), (parent, layout.PARENT), (i32(0), layout.CHILDREN),
        (i32(Condition.RUNS), layout.CONDITION),
    ):  # fmt: skip
        emit.store(value, emit.at(split, offset))


def _release() -> Emitter:
    """i32 release(block, states, warps, stride): let the lanes go on at whose barrier all have arrived; how many
    barriers that were.
    """
    emit = Emitter(f"internal i32 @{_RELEASE}", "ptr %block, ptr %states, i64 %warps, i64 %stride", "noinline")
    emit.label("entry")
    block = Value("ptr", "%block")
    count = emit.stack("i32", 4)
    emit.store(i32(0), count)
    alive = emit.load("i32", emit.at(block, layout.ALIVE_THREADS))
    with emit.count_to(i64(layout.BARRIER_COUNT)) as number:
        place = emit.at(
            block, emit.binary("add", emit.binary("mul", number, i64(layout.BARRIER_BYTES)), i64(layout.BARRIERS))
        )
        arrived = emit.load("i32", emit.at(place, layout.ARRIVED))
        asked = emit.load("i32", emit.at(place, layout.EXPECTED))
        expected = emit.select(emit.compare("icmp eq", asked, i32(0)), alive, asked)
        full = emit.binary("and", emit.compare("icmp ne", arrived, i32(0)), emit.compare("icmp uge", arrived, expected))
        with emit.when(full):
            emit.store(emit.binary("add", emit.load("i32", count), i32(1)), count)
            emit.store(i32(0), emit.at(place, layout.ARRIVED))
            emit.store(emit.load("i32", emit.at(place, layout.VOTES)), emit.at(place, layout.RESULT))
            emit.store(i32(0), emit.at(place, layout.VOTES))
            with emit.count_to(Value("i64", "%warps")) as warp:
                state = emit.at(Value("ptr", "%states"), emit.binary("mul", warp, Value("i64", "%stride")))
                used = emit.load("i32", emit.at(state, layout.USED_SPLITS))
                with emit.count_to(emit.cast("zext", used, "i64")) as split_number:
                    split = split_at(emit, state, emit.cast("trunc", split_number, "i32"))
                    waits = emit.compare(
                        "icmp eq", emit.load("i32", emit.at(split, layout.CONDITION)), i32(Condition.WAITS_AT_BARRIER)
                    )
                    here = emit.compare(
                        "icmp eq", emit.load("i32", emit.at(split, layout.BARRIER)), emit.cast("trunc", number, "i32")
                    )
                    with emit.when(emit.binary("and", waits, here)):
                        set_condition(emit, split, Condition.RUNS)
    emit.do(f"ret {emit.load('i32', count)}")
    return emit


def _run_block() -> Emitter:
    """i32 run_block(block, states, warps, stride): give every warp its turns until the block has ended, or until the
    host is needed; a `Status`.
    """
    emit = Emitter(f"i32 @{BLOCK}", "ptr %block, ptr %states, i64 %warps, i64 %stride")
    emit.label("entry")
    block = Value("ptr", "%block")
    ran = emit.stack("i32", 4)
    cancel = emit.load("ptr", emit.at(block, layout.CANCEL))
    emit.jump("round")
    emit.label("round")
    emit.store(i32(0), ran)
    with emit.count_to(Value("i64", "%warps")) as warp:
        state = emit.at(Value("ptr", "%states"), emit.binary("mul", warp, Value("i64", "%stride")))
        alive = emit.load("i32", emit.at(state, layout.ALIVE))
        with emit.when(emit.compare("icmp ne", alive, i32(0))):
            emit.store(i32(layout.BUDGET_OF_A_TURN), emit.at(state, layout.BUDGET))
            status = emit.call("i32", WARP, state, block)
            with emit.when(emit.compare("icmp ne", status, i32(Status.IDLE))):
                emit.store(i32(1), ran)
            stops = emit.binary(
                "or", emit.compare("icmp eq", status, i32(Status.FAULT)),
                emit.compare("icmp eq", status, i32(Status.ASKS_HOST)),
            )  # fmt: skip
            with emit.when(stops, likely=False):
                emit.store(emit.cast("trunc", warp, "i32"), emit.at(block, layout.FAULT_WARP))
                emit.do(f"ret {status}")
                emit.label(emit.fresh("never"))
    with emit.when(emit.compare("icmp eq", emit.load("i32", emit.at(block, layout.ALIVE_THREADS)), i32(0))):
        emit.do(f"ret i32 {int(Status.ENDED)}")
        emit.label(emit.fresh("never"))
    with emit.when(emit.compare("icmp ne", emit.load("i32", cancel, volatile=True), i32(0)), likely=False):
        emit.do(f"ret i32 {int(Status.CANCELLED)}")
        emit.label(emit.fresh("never"))
    released = emit.call(
        "i32", _RELEASE, block, Value("ptr", "%states"), Value("i64", "%warps"), Value("i64", "%stride")
    )
    moved = emit.binary("or", released, emit.load("i32", ran))
    emit.branch(emit.compare("icmp ne", moved, i32(0)), "round", "stuck", likely=True)
    emit.label("stuck")
    emit.do(f"ret i32 {int(Status.DEADLOCK)}")
    return emit


def _run_blocks() -> Emitter:
    """i64 run_blocks(block, states, warps, stride, first, count, alive, status, nbytes): run blocks one after the
    other, by their numbers in the grid; how many ended. `alive` has each warp's lanes, `status` takes the `Status` of
    the block that did not end.
    """
    emit = Emitter(
        f"i64 @{BLOCKS}",
        "ptr %block, ptr %states, i64 %warps, i64 %stride, i64 %first, i64 %count, ptr %alive, ptr %status",
    )
    emit.label("entry")
    block = Value("ptr", "%block")
    x = emit.cast("zext", emit.load("i32", emit.at(block, layout.GRID_SHAPE)), "i64")
    y = emit.cast("zext", emit.load("i32", emit.at(block, layout.GRID_SHAPE + 4)), "i64")
    shape = [emit.load("i32", emit.at(block, layout.BLOCK_SHAPE + 4 * place)) for place in range(3)]
    threads = emit.binary("mul", emit.binary("mul", shape[0], shape[1]), shape[2])
    shared = emit.load("ptr", emit.at(block, layout.SHARED_MEMORY))
    shared_bytes = emit.cast("zext", emit.load("i32", emit.at(block, layout.SHARED_BYTES)), "i64")
    with emit.count_to(Value("i64", "%count")) as turn:
        number = emit.binary("add", Value("i64", "%first"), turn)
        rest = emit.binary("udiv", number, x)
        index = (emit.binary("urem", number, x), emit.binary("urem", rest, y), emit.binary("udiv", rest, y))
        for place, one in enumerate(index):
            emit.store(emit.cast("trunc", one, "i32"), emit.at(block, layout.BLOCK_INDEX + 4 * place))
        emit.store(threads, emit.at(block, layout.ALIVE_THREADS))
        emit.call("void", "llvm.memset.p0.i64", shared, Value("i8", "-1"), shared_bytes, Value("i1", "false"))
        emit.call(
            "void", "llvm.memset.p0.i64", emit.at(block, layout.BARRIERS), Value("i8", "0"),
            i64(layout.BARRIER_BYTES * layout.BARRIER_COUNT), Value("i1", "false"),
        )  # fmt: skip
        with emit.count_to(Value("i64", "%warps")) as warp:
            state = emit.at(Value("ptr", "%states"), emit.binary("mul", warp, Value("i64", "%stride")))
            lanes = emit.load("i32", emit.at(Value("ptr", "%alive"), emit.binary("mul", warp, i64(4))))
            _begin_warp(emit, state, lanes)
        status = emit.call(
            "i32", BLOCK, block, Value("ptr", "%states"), Value("i64", "%warps"), Value("i64", "%stride")
        )
        with emit.when(emit.compare("icmp ne", status, i32(Status.ENDED)), likely=False):
            emit.store(status, Value("ptr", "%status"))
            emit.do(f"ret {turn}")
            emit.label(emit.fresh("never"))
    emit.store(i32(Status.ENDED), Value("ptr", "%status"))
    emit.do("ret i64 %count")
    return emit


def _begin_warp(emit: Emitter, state: Value, lanes: Value) -> None:
    """Let a warp begin at the kernel's first block with all its lanes in one split."""
    used = emit.load("i32", emit.at(state, layout.USED_SPLITS))
    with emit.count_to(emit.cast("zext", used, "i64")) as number:
        set_condition(emit, split_at(emit, state, emit.cast("trunc", number, "i32")), Condition.FREE)
    emit.store(i32(0), emit.at(state, layout.CURRENT))
    emit.store(i32(1), emit.at(state, layout.USED_SPLITS))
    emit.store(lanes, emit.at(state, layout.ALIVE))
    _fill(emit, state, i32(0), i32(0), lanes, i32(EXIT), i32(_NONE))


def pick(emit: Emitter, state: Value) -> Value:
    return emit.call("i32", _PICK, state)


def finish(emit: Emitter, state: Value) -> Value:
    return emit.call("i32", _FINISH, state)


def diverge(emit: Emitter, state: Value, *arguments: Value) -> Value:
    return emit.call("i32", _DIVERGE, state, *arguments)
