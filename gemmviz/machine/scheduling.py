"""The compiled code around a kernel's own: turns of warps, barriers, blocks one after the other."""

from __future__ import annotations

from gemmviz.machine import layout
from gemmviz.machine.access_checks import access_checks
from gemmviz.machine.emitter import Emitter, Value, i32, i64
from gemmviz.machine.flow import EXIT
from gemmviz.machine.lane_waits import lane_wait_functions
from gemmviz.machine.layout import SplitCondition, Status
from gemmviz.machine.splits import NONE, fill, set_condition, split_at, split_functions

WARP, BLOCK, BLOCKS = "warp", "run_block", "run_blocks"
_RELEASE, COUNT = "release", "count"


def support() -> list[Emitter]:
    """The functions that every kernel's module has."""
    own = _count(), _release(), _run_block(), _run_blocks()
    return [*access_checks(), *split_functions(), *lane_wait_functions(), *own]


def _count() -> Emitter:
    """i32 count(state, place, statements, mask): count statements that a warp runs, and, where its counts of a piece of
    code lie at `place` of its state, that it runs this piece with these lanes; 0 is no such place.
    """
    emit = Emitter(f"internal i32 @{COUNT}", "ptr %state, i64 %place, i64 %statements, i32 %mask", "inlinehint")
    emit.label("entry")
    state, place = Value("ptr", "%state"), Value("i64", "%place")

    def add(offset: Value | int, number: Value) -> None:
        at = emit.at(state, offset)
        emit.store(emit.binary("add", emit.load("i64", at), number), at)

    add(layout.INSTRUCTIONS, Value("i64", "%statements"))
    with emit.when(emit.compare("icmp ne", place, i64(0))):
        add(place, i64(1))
        lanes = emit.call("i32", "llvm.ctpop.i32", Value("i32", "%mask"))
        add(emit.binary("add", place, i64(8)), emit.cast("zext", lanes, "i64"))
    emit.do("ret i32 0")
    return emit


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
                        "icmp eq",
                        emit.load("i32", emit.at(split, layout.CONDITION)),
                        i32(SplitCondition.WAITS_AT_BARRIER),
                    )
                    here = emit.compare(
                        "icmp eq", emit.load("i32", emit.at(split, layout.BARRIER)), emit.cast("trunc", number, "i32")
                    )
                    with emit.when(emit.binary("and", waits, here)):
                        set_condition(emit, split, SplitCondition.RUNS)
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
            _refill(emit, block, state, emit.cast("trunc", warp, "i32"))
            status = emit.call("i32", WARP, state, block)
            with emit.when(emit.compare("icmp ne", status, i32(Status.IDLE))):
                emit.store(i32(1), ran)
            stops = emit.compare("icmp eq", status, i32(Status.FAULT))
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
    pauses = emit.binary("and", released, emit.load("i32", emit.at(block, layout.PAUSES)))
    with emit.when(emit.compare("icmp ne", pauses, i32(0)), likely=False):
        emit.do(f"ret i32 {int(Status.PAUSED)}")
        emit.label(emit.fresh("never"))
    looks = emit.load("i32", emit.at(block, layout.LOOKS), volatile=True)
    with emit.when(emit.compare("icmp ne", looks, i32(0)), likely=False):
        emit.do(f"ret i32 {int(Status.LOOKED_AT)}")
        emit.label(emit.fresh("never"))
    moved = emit.binary("or", released, emit.load("i32", ran))
    emit.branch(emit.compare("icmp ne", moved, i32(0)), "round", "stuck", likely=True)
    emit.label("stuck")
    emit.do(f"ret i32 {int(Status.DEADLOCK)}")
    return emit


def _refill(emit: Emitter, block: Value, state: Value, warp: Value) -> None:
    """Give a warp the budget of a turn. One that asked the host for something goes on with what it has left, so that a
    loop that waits and fills its log does not take turn after turn; so does one of which the host wants to see each
    backward branch.
    """
    place, budget = emit.at(block, layout.FAULT_WARP), emit.at(state, layout.BUDGET)
    going_on = emit.load("i32", place)
    goes_on = emit.compare("icmp eq", going_on, warp)
    left = emit.load("i32", budget)
    emit.store(emit.select(goes_on, left, i32(layout.BUDGET_OF_A_TURN)), budget)
    emit.store(emit.select(goes_on, i32(-1), going_on), place)


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
        emit.store(i32(-1), emit.at(block, layout.FAULT_WARP))
        emit.call("void", "llvm.memset.p0.i64", shared, Value("i8", "-1"), shared_bytes, Value("i1", "false"))
        emit.call(
            "void",
            "llvm.memset.p0.i64",
            emit.at(block, layout.BARRIERS),
            Value("i8", "0"),
            i64(layout.BARRIER_BYTES * layout.BARRIER_COUNT),
            Value("i1", "false"),
        )
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
        set_condition(emit, split_at(emit, state, emit.cast("trunc", number, "i32")), SplitCondition.FREE)
    for place in (layout.CURRENT, layout.RELEASED, layout.WAITING):
        emit.store(i32(0), emit.at(state, place))
    emit.store(i32(1), emit.at(state, layout.USED_SPLITS))
    emit.store(lanes, emit.at(state, layout.ALIVE))
    emit.store(i32(layout.NOT_STARTED), emit.at(state, layout.BUDGET))
    fill(emit, state, i32(0), i32(0), lanes, i32(EXIT), i32(NONE))
