"""Loads, stores, addresses: PTX ISA, "Data Movement and Conversion Instructions".

A full (generic) address is an address of this process. Addresses of shared and local memory are offsets; `cvta` adds
where the memory of this block or thread begins.
"""

from __future__ import annotations

import re
from functools import partial, reduce

from gemmviz.domain.recordings.warp import LANES
from gemmviz.machine import layout
from gemmviz.machine.emitter import Emitter, Value, bits_of, vector
from gemmviz.machine.layout import Fault
from gemmviz.machine.lowering.context import I64, Lowering
from gemmviz.machine.lowering.integers import is_signed
from gemmviz.machine.lowering.lanes_memory import gather, scatter
from gemmviz.machine.lowering.registry import lowers
from gemmviz.machine.ptx.parse import Statement
from gemmviz.machine.ptx.variables import number

SPACES = ("global", "shared", "local", "const", "param")
_HINTS = frozenset(
    {
        "weak",
        "volatile",
        "relaxed",
        "acquire",
        "release",
        "cta",
        "cluster",
        "gpu",
        "sys",
        "ca",
        "cg",
        "cs",
        "cv",
        "lu",
        "wb",
        "wt",
        "nc",
        "entry",
        "func",
        "L1",
        "L2",
        "evict_normal",
        "evict_unchanged",
        "evict_first",
        "evict_last",
        "no_allocate",
        "64B",
        "128B",
        "256B",
        "mmio",
    }
)
_VECTORS = {"v2": 2, "v4": 4, "v8": 8}
ACCESS_FAULT, CHECK_ACCESS = "access_fault", "check_access"


def space_of(statement: Statement) -> str:
    """The memory that an instruction names; "" for a full address."""
    found = [word for word in statement.words if word in SPACES]
    return found[0] if found else ""


def element_bytes(statement: Statement) -> int:
    """The bytes of one element that an access moves, of a vector of one component: ld.global.v4.f32 moves 4."""
    return max(1, int(re.sub(r"x\d|\D", "", statement.words[-1]) or 8) // 8)


def access_bytes(statement: Statement) -> int:
    """The bytes that an access of one lane moves, all components of a vector: ld.global.v4.f32 moves 16."""
    return element_bytes(statement) * next((int(word[1:]) for word in statement.words if word in ("v2", "v4")), 1)


@lowers("ld", "ldu")
def _load(low: Lowering, statement: Statement) -> None:
    target, source = statement.operands[:2]
    count, kind = _shape(low, statement)
    names = [one.strip() for one in target.strip("{} ").split(",")]
    type_ = low.type_of(kind, statement)
    width = bits_of(type_) // 8
    memory = vector(f"i{8 * width}")
    space = space_of(statement)
    if space == "param" and (parameter := _kernel_parameter(low, source)) is not None:
        base = low.emit.load("ptr", low.emit.at(low.block, layout.PARAMETERS))
        for place, name in enumerate(names):
            scalar = low.emit.load(f"i{8 * width}", low.emit.at(base, parameter + place * width), 1)
            low.write(name, _extended(low, low.emit.splat(scalar), kind, name, statement), statement)
        return
    active = low.lanes(statement)
    address = host_address(low, statement, source, space, count * width, active)
    for place, name in enumerate(names):
        value = gather(low, memory, further(low, address, place * width), active, width)
        low.write(name, _extended(low, value, kind, name, statement), statement)


@lowers("st")
def _store(low: Lowering, statement: Statement) -> None:
    target, source = statement.operands[:2]
    count, kind = _shape(low, statement)
    names = [one.strip() for one in source.strip("{} ").split(",")]
    type_ = low.type_of(kind, statement)
    width = bits_of(type_) // 8
    active = low.lanes(statement)
    address = host_address(low, statement, target, space_of(statement), count * width, active)
    for place, name in enumerate(names):
        value = low.fit(low.read(name, type_, statement), vector(f"i{8 * width}"))
        scatter(low, value, further(low, address, place * width), active, width)


def _shape(low: Lowering, statement: Statement) -> tuple[int, str]:
    """How many elements a load or store moves, and their type; a cache policy makes it another instruction."""
    words = statement.words
    count = next((_VECTORS[word] for word in words if word in _VECTORS), 1)
    if not set(words[1:-1]) <= _HINTS | set(SPACES) | set(_VECTORS) or len(statement.operands) != 2:
        low.refuse(statement)
    return count, words[-1]


def _extended(low: Lowering, value: Value, kind: str, name: str, statement: Statement) -> Value:
    """A loaded value as wide as its register, with its sign where the type has one."""
    found = statement.scope.register(name)
    if found is None or found.bits <= bits_of(value.type):
        return value
    return low.fit(value, vector(f"i{found.bits}"), is_signed(kind))


def _kernel_parameter(low: Lowering, operand: str) -> int | None:
    """The place of a kernel's parameter with the offset behind it; None for what lies elsewhere."""
    name, _, offset = operand.strip("[] ").partition("+")
    place = low.symbols.parameters.get(name.strip())
    return None if place is None or name.strip() in low.frame.locals else place + (number(offset.strip() or "0") or 0)


def further(low: Lowering, address: Value, offset: int) -> Value:
    return low.emit.binary("add", address, low.emit.constant(I64, offset)) if offset else address


def host_address(
    low: Lowering,
    statement: Statement,
    operand: str,
    space: str,
    width: int,
    active: Value,
    align: int | None = None,
    *,
    may_redirect: bool = True,
) -> Value:
    """The addresses in this process that an operand in brackets names, once they are seen to be right.

    The code faults where an active lane's `width` bytes lie outside the memory or are not aligned to `align`, by
    default to their width. Where a kernel is recorded and the access `may_redirect`, it has the address of the block's
    sink there instead.
    """
    emit = low.emit
    address = low.address(operand, statement)
    if statement.start in low.symbols.local_arrays:
        _check_array(low, statement, address, is_full=space != "local", width=width, active=active)
    is_left_out = statement.start in low.left_out or space == "const"
    kind = {
        "shared": Fault.SHARED_OUT_OF_BOUNDS,
        "local": Fault.LOCAL_OUT_OF_BOUNDS,
        "param": Fault.LOCAL_OUT_OF_BOUNDS,
    }.get(space, Fault.UNRECORDED_OUT_OF_BOUNDS if is_left_out else Fault.OUT_OF_BOUNDS)
    redirects = low.redirects and may_redirect
    align = width if align is None else align
    address = _checked(low, statement, address, width, align, kind, active, redirects)
    if space == "shared":
        return emit.binary("add", address, emit.splat(shared_base(low)))
    return emit.binary("add", address, local_base(low)) if space in {"local", "param"} else address


def _check_array(
    low: Lowering, statement: Statement, address: Value, *, is_full: bool, width: int, active: Value
) -> None:
    """Fault where an active lane's bytes lie outside the variable in local memory that the statement is meant for."""
    emit, array = low.emit, low.symbols.local_arrays[statement.start]
    begin = emit.constant(I64, array.least)
    if is_full:
        begin = emit.binary("add", local_base(low), begin)
    places = max(array.end - array.least - width + 1, 0)  # where the access may begin: nowhere in a smaller variable
    outside = emit.compare("icmp uge", emit.binary("sub", address, begin), emit.constant(I64, places))
    emit.store(address, low.scratch, 64)
    low.fault_if(emit.binary("and", active, outside), Fault.LOCAL_ARRAY_OUT_OF_BOUNDS, statement)


def _checked(
    low: Lowering,
    statement: Statement,
    address: Value,
    width: int,
    align: int,
    kind: Fault,
    active: Value,
    redirects: bool,
) -> Value:
    """The addresses; fault, or another one, where an active lane's bytes lie outside `nbytes` from `first` on, or are
    not aligned.
    """
    emit = low.emit
    emit.store(address, low.scratch, 64)
    numbers = [Value("i64", str(one)) for one in (low.site(statement), width, align, int(kind))]
    status = emit.call(
        "i32",
        CHECK_ACCESS,
        low.block,
        low.state,
        *numbers,
        low.scratch,
        emit.bits(active),
        Value("i1", str(redirects).lower()),
    )
    faulty, behind = emit.fresh("faulty"), emit.fresh("fine")
    emit.branch(emit.compare("icmp eq", status, Value("i32", "0")), behind, faulty, likely=True)
    emit.label(faulty)
    emit.do(f"ret {status}")
    emit.label(behind)
    return emit.load(I64, low.scratch, 64) if redirects else address


def shared_base(low: Lowering) -> Value:
    """Where the block's shared memory begins, as i64."""
    return low.emit.load("i64", low.emit.at(low.block, layout.SHARED_MEMORY))


def local_base(low: Lowering) -> Value:
    """Where the local memory of each thread begins."""
    return low.emit.load(I64, low.local_bases, 64)


def keep_local_bases(emit: Emitter, state: Value, block: Value) -> Value:
    """Find once where the local memory of each of a warp's threads begins; a pointer to that."""
    warp = emit.load("i32", emit.at(state, layout.WARP_NUMBER))
    thread = emit.binary("mul", emit.cast("zext", warp, "i64"), Value("i64", str(LANES)))
    nbytes = emit.load("i64", emit.at(block, layout.LOCAL_BYTES))
    begin = emit.load("i64", emit.at(block, layout.LOCAL_MEMORY))
    lanes = Value(I64, "<" + ", ".join(f"i64 {lane}" for lane in range(LANES)) + ">")
    first = emit.binary("add", begin, emit.binary("mul", thread, nbytes))
    kept = emit.stack(I64)
    emit.store(emit.binary("add", emit.splat(first), emit.binary("mul", lanes, emit.splat(nbytes))), kept, 64)
    return kept


@lowers("cvta")
def _convert_address(low: Lowering, statement: Statement) -> None:
    """From an address in a space to a full one, and the reverse."""
    words, source = statement.words, statement.operands[1]
    space = space_of(statement)
    value = low.read(source, I64, statement)
    base = {
        "shared": lambda: low.emit.splat(shared_base(low)),
        "local": lambda: local_base(low),
        "param": lambda: _parameter_base(low),
    }.get(space)
    if base is not None:
        value = low.emit.binary("sub" if "to" in words else "add", value, base())
    low.write(statement.operands[0], value, statement)


def _parameter_base(low: Lowering) -> Value:
    return low.emit.splat(low.emit.load("i64", low.emit.at(low.block, layout.PARAMETERS)))


@lowers("isspacep")
def _is_in_space(low: Lowering, statement: Statement) -> None:
    """Without clusters the shared memory of the block (`::cta`) is that of its cluster. A kernel's parameters are
    global as well.
    """
    emit = low.emit
    address = low.read(statement.operands[1], I64, statement)
    windows = {"shared": _is_any_shared, "local": is_local, "const": is_constant, "param": _is_parameter}
    space = space_of(statement)
    if space == "global":
        others = (windows[one](low, address) for one in ("shared", "local", "const"))
        found = low.invert(reduce(partial(emit.binary, "or"), others))
    elif space in windows:
        found = windows[space](low, address)
    else:
        low.refuse(statement)
    low.write(statement.operands[0], found, statement)


def is_constant(low: Lowering, address: Value) -> Value:
    """The lanes whose full address lies in the module's constant variables."""
    first, nbytes = low.symbols.constants
    begin = low.emit.binary("add", low.block_field(layout.MODULE_MEMORY, "i64"), Value("i64", str(first)))
    return _is_between(low, address, begin, Value("i64", str(nbytes)))


def _is_parameter(low: Lowering, address: Value) -> Value:
    """The lanes whose full address lies in the kernel's parameters."""
    nbytes = Value("i64", str(low.symbols.parameter_bytes))
    return _is_between(low, address, low.block_field(layout.PARAMETERS, "i64"), nbytes)


def is_shared(low: Lowering, address: Value) -> Value:
    """The lanes whose full address lies in the block's shared memory."""
    nbytes = low.emit.cast("zext", low.block_field(layout.SHARED_BYTES), "i64")
    return _is_between(low, address, shared_base(low), nbytes)


def _is_any_shared(low: Lowering, address: Value) -> Value:
    """The lanes whose full address lies in the block's shared memory or in what the system keeps of it."""
    own = is_shared(low, address)
    return low.emit.binary("or", own, is_reserved(low, address)) if low.symbols.uses_reserved else own


def is_near_shared(low: Lowering, address: Value) -> Value:
    """The lanes whose full address lies in the block's shared memory, or so near that it was meant."""
    guard = Value("i64", str(layout.SHARED_GUARD))
    nbytes = low.emit.cast("zext", low.block_field(layout.SHARED_BYTES), "i64")
    wider = low.emit.binary("add", nbytes, Value("i64", str(2 * layout.SHARED_GUARD)))
    return _is_between(low, address, low.emit.binary("sub", shared_base(low), guard), wider)


def reserved_offset(low: Lowering) -> Value:
    """Where the shared memory that the system keeps of a block begins, behind the block's own, as i64."""
    emit = low.emit
    nbytes = emit.cast("zext", low.block_field(layout.SHARED_BYTES), "i64")
    rounded = emit.binary("and", emit.binary("add", nbytes, Value("i64", "63")), Value("i64", "-64"))
    return emit.binary("add", rounded, Value("i64", str(layout.SHARED_GUARD)))


def is_reserved(low: Lowering, address: Value) -> Value:
    """The lanes whose full address lies in the shared memory that the system keeps."""
    first = low.emit.binary("add", shared_base(low), reserved_offset(low))
    return _is_between(low, address, first, Value("i64", str(layout.RESERVED_BYTES)))


def is_local(low: Lowering, address: Value) -> Value:
    """The lanes whose full address lies in the memory of a thread of the block."""
    emit = low.emit
    threads = emit.binary("mul", low.block_field(layout.WARPS), Value("i32", str(LANES)))
    nbytes = emit.binary("mul", emit.cast("zext", threads, "i64"), low.block_field(layout.LOCAL_BYTES, "i64"))
    return _is_between(low, address, low.block_field(layout.LOCAL_MEMORY, "i64"), nbytes)


def _is_between(low: Lowering, address: Value, first: Value, nbytes: Value) -> Value:
    offset = low.emit.binary("sub", address, low.emit.splat(first))
    return low.emit.compare("icmp ult", offset, low.emit.splat(nbytes))


@lowers("prefetch", "prefetchu", "applypriority", "discard", "createpolicy")
def _hint(low: Lowering, statement: Statement) -> None:
    """Hints change no value; a policy is read by nothing but hints."""
    if statement.words[0] == "createpolicy":
        low.write(statement.operands[0], low.emit.constant(I64, 0), statement)


@lowers("membar", "fence")
def _fence(low: Lowering, _statement: Statement) -> None:
    """What comes before is seen before what comes behind, by blocks on other cores too."""
    low.emit.do("fence seq_cst")


@lowers("griddepcontrol", "pmevent", "nanosleep", "setmaxnreg")
def _nothing(low: Lowering, statement: Statement) -> None:
    """Nobody's time is measured, and there are registers enough."""
