"""Compiled code that looks at accesses which seem wrong, and notes faults for the host."""

from __future__ import annotations

from gemmviz.machine import layout
from gemmviz.machine.emitter import WIDE_VECTORS, Emitter, Value, i32, i64, vector
from gemmviz.machine.layout import Fault, Status
from gemmviz.machine.lowering.context import FAULT
from gemmviz.machine.lowering.memory import ACCESS_FAULT, CHECK_ACCESS

_FIND_RANGE = "find_range"


def access_checks() -> list[Emitter]:
    """The functions that every kernel's module has for its faults."""
    return [_fault(), _check_access(), _access_fault(), _find_range()]


def _check_access() -> Emitter:
    """i32 check_access(block, state, site, width, align, kind, addresses, active, redirects): 0 if the active lanes'
    `width` bytes lie in the memory that `kind` is about and are aligned to `align`, a power of 2; else what
    `access_fault` says. Of full addresses the range that held the bytes of the site last time is tried.
    """
    emit = Emitter(
        f"internal i32 @{CHECK_ACCESS}",
        "ptr %block, ptr %state, i64 %site, i64 %width, i64 %align, i64 %kind, ptr %addresses, i32 %active, "
        "i1 %redirects",
        WIDE_VECTORS,
    )
    emit.label("entry")
    width, active = Value("i64", "%width"), Value("i32", "%active")
    first, nbytes = _bounds(emit)
    places = Value("ptr", "%addresses")
    addresses = emit.load(vector("i64"), places, 64)
    room = emit.binary("sub", nbytes, emit.binary("sub", width, i64(1)))
    limit = emit.select(emit.compare("icmp uge", nbytes, width), room, i64(0))
    offset = emit.binary("sub", addresses, emit.splat(first))
    outside = emit.compare("icmp uge", offset, emit.splat(limit))
    rest = emit.binary("and", addresses, emit.splat(emit.binary("sub", Value("i64", "%align"), i64(1))))
    askew = emit.compare("icmp ne", rest, emit.constant(vector("i64"), 0))
    wrong = emit.binary("and", active, emit.bits(emit.binary("or", outside, askew)))
    with emit.when(emit.compare("icmp eq", wrong, i32(0)), likely=True):
        emit.do("ret i32 0")
        emit.label(emit.fresh("never"))
    same = [Value("i64", f"%{name}") for name in ("site", "width", "align", "kind")]
    pointers = Value("ptr", "%block"), Value("ptr", "%state")
    looked = emit.call("i32", ACCESS_FAULT, *pointers, *same, places, active, wrong, Value("i1", "%redirects"))
    emit.do(f"ret {looked}")
    return emit


def _bounds(emit: Emitter) -> tuple[Value, Value]:
    """Where the memory begins in which an access is looked for first, and its bytes."""
    block, kind = Value("ptr", "%block"), Value("i64", "%kind")
    is_shared, is_local = (
        emit.compare("icmp eq", kind, i64(int(one))) for one in (Fault.SHARED_OUT_OF_BOUNDS, Fault.LOCAL_OUT_OF_BOUNDS)
    )
    place = emit.binary("add", emit.binary("mul", Value("i64", "%site"), i64(16)), i64(layout.SITE_RANGES))
    known = emit.at(block, place)
    first, nbytes = emit.load("i64", known), emit.load("i64", emit.at(known, 8))
    shared = emit.cast("zext", emit.load("i32", emit.at(block, layout.SHARED_BYTES)), "i64")
    local = emit.load("i64", emit.at(block, layout.LOCAL_BYTES))
    is_full = emit.compare("icmp eq", emit.binary("or", is_shared, is_local), Value("i1", "false"))
    inside = emit.select(is_shared, shared, emit.select(is_local, local, nbytes))
    return emit.select(is_full, first, i64(0)), inside


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
    """i32 access_fault(block, state, site, width, align, kind, addresses, active, wrong, redirects): look at lanes
    whose access seems wrong. 0 if another range holds their bytes, or `addresses` has the sink for them; else a
    fault's status. With `redirects`, an i1, what lies outside the memory of the launch or the block, or is not aligned,
    reads and writes the block's sink.
    """
    emit = Emitter(
        f"internal i32 @{ACCESS_FAULT}",
        "ptr %block, ptr %state, i64 %site, i64 %width, i64 %align, i64 %kind, ptr %addresses, i32 %active, "
        "i32 %wrong, i1 %redirects",
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
    is_askew = emit.compare("icmp ne", emit.load("i32", askew), i32(0))
    redirects = Value("i1", "%redirects")
    with emit.when(emit.binary("and", is_askew, emit.binary("xor", redirects, Value("i1", "true")))):
        status = emit.call("i32", FAULT, state, i64(Fault.MISALIGNED), site, addresses, emit.load("i32", askew))
        emit.do(f"ret {status}")
        emit.label(emit.fresh("never"))
    bad = emit.stack("i32", 4)
    emit.store(Value("i32", "%wrong"), bad)
    kind = Value("i64", "%kind")
    is_unrecorded = emit.compare("icmp eq", kind, i64(Fault.UNRECORDED_OUT_OF_BOUNDS))
    is_searched = emit.binary("or", emit.compare("icmp eq", kind, i64(Fault.OUT_OF_BOUNDS)), is_unrecorded)
    with emit.when(is_searched):
        found = emit.call(
            "i32", _FIND_RANGE, Value("ptr", "%block"), site, Value("i64", "%width"), addresses, Value("i32", "%active")
        )
        emit.store(emit.binary("or", found, emit.load("i32", askew)), bad)
    with emit.when(redirects):
        _redirect(emit, addresses, emit.load("i32", bad))
    with emit.when(emit.compare("icmp eq", emit.load("i32", bad), i32(0))):
        emit.do("ret i32 0")
        emit.label(emit.fresh("never"))
    emit.do(f"ret {emit.call('i32', FAULT, state, kind, site, addresses, emit.load('i32', bad))}")
    return emit


def _redirect(emit: Emitter, addresses: Value, lanes: Value) -> None:
    """Let these lanes access the sink, unless it is the memory of a thread that they meant, or nobody looks at them."""
    block, kind = Value("ptr", "%block"), Value("i64", "%kind")
    kept = (Fault.LOCAL_OUT_OF_BOUNDS, Fault.UNRECORDED_OUT_OF_BOUNDS)
    first, second = (emit.compare("icmp ne", kind, i64(one)) for one in kept)
    with emit.when(emit.binary("and", first, second)):
        is_shared = emit.compare("icmp eq", kind, i64(Fault.SHARED_OUT_OF_BOUNDS))
        base = emit.select(is_shared, emit.load("i64", emit.at(block, layout.SHARED_MEMORY)), i64(0))
        sink = emit.binary("sub", emit.cast("ptrtoint", emit.at(block, layout.SINK), "i64"), base)
        with emit.for_each_lane(lanes) as lane:
            emit.store(sink, emit.at(addresses, emit.binary("mul", lane, i64(8))))
        emit.do("ret i32 0")
        emit.label(emit.fresh("never"))


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
