"""Which PTX instructions touch memory, and what of each is written down when it runs. Meanings: NVIDIA, PTX ISA."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum, auto

from gemmviz.domain.recordings.access import AccessKind, AccessPath, Space
from gemmviz.machine.log import As, LoggedValue
from gemmviz.machine.ptx.parse import Statement


class What(Enum):
    """What kind of thing an event tells of."""

    SYMBOL = auto()
    """Where a shared variable lies."""
    ACCESS = auto()
    """Each value is the addresses of one access of the lanes."""
    TENSOR_COPY = auto()
    """A copy of a box by the TMA: shared address, tensor map, column, row, mask of the cluster's blocks."""
    WARP_TILE = auto()
    """A tile that a warp moves as a whole: address of its corner, stride."""
    TENSOR_CORE = auto()
    """Operands that the tensor cores read: a descriptor each."""
    BARRIER = auto()
    """A barrier that all threads of the block pass."""
    WARP_BARRIER = auto()
    """A barrier of the lanes of a warp (`__syncwarp`)."""
    NAMED_BARRIER = auto()
    """A barrier of some threads: its number."""
    WAIT = auto()
    """A wait for an mbarrier that is over: its address, the parity that was waited for; -1 of the thread's own arrival.
    """
    ARRIVE = auto()
    """An arrival at an mbarrier: its address."""
    COMMIT = auto()
    """The end of a group of asynchronous copies."""
    WAIT_GROUP = auto()
    """A wait for asynchronous copies: how many of a thread's latest groups may still be under way."""
    WAIT_ALL = auto()
    """A wait for all asynchronous copies of a thread."""
    HAND_OVER = auto()
    """An mbarrier is to complete after a thread's copies so far: its address. `shape` is (1,) if that is an arrival."""


@dataclass(frozen=True, slots=True)
class AccessPart:
    """One access of an instruction; `pointer` is the operand that names the variable. No `space`: generic."""

    kind: AccessKind
    space: Space | None
    width_bytes: int
    path: AccessPath
    pointer: str


@dataclass(frozen=True, slots=True)
class Found:
    """What to write down of one instruction: `after` it has run, else before; `shape` as its reader needs it."""

    what: What
    values: tuple[LoggedValue, ...]
    parts: tuple[AccessPart, ...] = ()
    guard: str = ""
    negated: bool = False
    after: bool = False
    shape: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Unseen:
    """An instruction that touches memory in a way that is not recorded, and why."""

    reason: str


STRONG = frozenset({"volatile", "relaxed", "acquire", "release", "acq_rel"})
"""Modifiers of loads and stores that are strong in the sense of the memory consistency model."""
_SPACES = {"global": Space.GLOBAL, "shared": Space.SHARED}
_IGNORED = ("param", "local", "const", "tex")
_TILE = re.compile(r"m(\d+)n(\d+)k(\d+)")
_BITS = {"tf32": 4, "f32": 4, "f16": 2, "bf16": 2, "s32": 4, "u8": 1, "s8": 1, "f64": 8, "e4m3": 1, "e5m2": 1}


def is_strong_access(statement: Statement) -> bool:
    """Whether a load or store does not race with other strong accesses.

    One that is volatile and of a floating-point number is none: it is data, which nothing puts in order without a
    barrier, as in sums of a warp that leave out `__syncwarp`.
    """
    words = set(statement.words) & STRONG
    return bool(words - {"volatile"}) or (bool(words) and not statement.words[-1].startswith(("f", "bf")))


def find(statement: Statement) -> Found | Unseen | None:
    """What to write down of an instruction; None where it touches no memory that is recorded."""
    words = statement.words
    kind = words[0]
    if kind in ("ld", "st", "ldu") and not set(words) & set(_IGNORED):
        return _load_or_store(statement, words)
    if kind in ("atom", "red") and "async" not in words:
        return _atomic(statement, words)
    if kind == "ldmatrix" or kind == "stmatrix":
        return _matrix(statement, words)
    if words[:2] in (("wmma", "load"), ("wmma", "store")):
        return _warp_tile(statement, words)
    if words[:2] == ("wgmma", "mma_async"):
        return _tensor_core(statement, words)
    if words[:2] == ("cp", "async"):
        return _copy(statement, words)
    if kind in ("cp", "red", "st") and ("async" in words or "bulk" in words):
        return Unseen(f"{statement.opcode} is not recorded yet")
    if words[0] in ("bar", "barrier") and "arrive" in words and "cluster" not in words:
        return Unseen("what it orders is not followed, so races and uninitialised reads are not reported")
    return _synchronisation(statement, words)


def _guarded(
    statement: Statement,
    what: What,
    values: tuple[LoggedValue, ...],
    parts: tuple[AccessPart, ...] = (),
    shape: tuple[int, ...] = (),
) -> Found:
    return Found(what, values, parts, statement.guard, statement.negated, shape=shape)


def _space(words: tuple[str, ...]) -> Space | None:
    return next((_SPACES[word] for word in words if word in _SPACES), None)


def _width(words: tuple[str, ...]) -> int:
    count = next((int(word[1:]) for word in words if word in ("v2", "v4", "v8")), 1)
    return count * int(re.sub(r"\D+", "", words[-1])) // 8


def _load_or_store(statement: Statement, words: tuple[str, ...]) -> Found | Unseen:
    if words[:2] == ("st", "async") or "cluster" in words:
        return Unseen(f"{statement.opcode} reaches the shared memory of another block")
    is_store = words[0] == "st"
    operand = statement.operands[0 if is_store else 1]
    width = _width(words)
    if width > 16:
        return Unseen(f"{statement.opcode} moves {width} bytes a lane")
    part = AccessPart(
        AccessKind.STORE if is_store else AccessKind.LOAD, _space(words), width, AccessPath.LOAD_STORE, operand
    )
    return _guarded(statement, What.ACCESS, (_pointer(part),), (part,))


def _pointer(part: AccessPart) -> LoggedValue:
    return LoggedValue(part.pointer, As.ADDRESS if part.space is not None else As.GENERIC)


def _atomic(statement: Statement, words: tuple[str, ...]) -> Found:
    operand = statement.operands[0 if words[0] == "red" else 1]
    part = AccessPart(AccessKind.STORE, _space(words), _width(words), AccessPath.ATOMIC, operand)
    values: tuple[LoggedValue, ...] = (_pointer(part),)
    if group_step(statement) is not None:
        values = (*values, LoggedValue(statement.operands[-1], As.NUMBER))
    return _guarded(statement, What.ACCESS, values, (part,))


def group_step(statement: Statement) -> str | None:
    """ "or" of an instruction by which a warp may come to a barrier of a group of several warps of cooperative_groups,
    "and" of one by which the last of them lets the group go on, else None. Its second value are the bits of the warp,
    or all but those of the group.
    """
    kind, *rest = statement.words
    if kind not in ("atom", "red") or "cta" not in rest or "shared" in rest or rest[-1] != "b32":
        return None
    return next((word for word in ("or", "and") if word in rest), None)


def _matrix(statement: Statement, words: tuple[str, ...]) -> Found:
    """ldmatrix and stmatrix: the first 8, 16 or 32 lanes each give the address of a row of 16 bytes."""
    is_store = words[0] == "stmatrix"
    operand = statement.operands[0 if is_store else 1]
    rows = 8 * next((int(word[1:]) for word in words if word in ("x1", "x2", "x4")), 1)
    kind = AccessKind.STORE if is_store else AccessKind.LOAD
    part = AccessPart(kind, Space.SHARED, 16, AccessPath.LOAD_STORE, operand)
    return _guarded(statement, What.ACCESS, (LoggedValue(operand, As.ADDRESS),), (part,), (rows,))


def _warp_tile(statement: Statement, words: tuple[str, ...]) -> Found | Unseen:
    """wmma: shape is rows, bytes of a row, bytes of an element, by which the stride counts."""
    is_store = words[1] == "store"
    operand = statement.operands[0 if is_store else 1]
    size = next((match for word in words if (match := _TILE.fullmatch(word))), None)
    nbytes = _BITS.get(words[-1])
    if size is None or nbytes is None or len(statement.operands) < 3:
        return Unseen(f"{statement.opcode} is not recorded")
    m, n, k = map(int, size.groups())
    rows, columns = {"a": (m, k), "b": (k, n), "c": (m, n), "d": (m, n)}[words[2]]
    if "col" in words:
        rows, columns = columns, rows
    kind = AccessKind.STORE if is_store else AccessKind.LOAD
    part = AccessPart(kind, _space(words), 16, AccessPath.WARP_TILE, operand)
    values = (_pointer(part), LoggedValue(statement.operands[2], As.NUMBER))
    return _guarded(statement, What.WARP_TILE, values, (part,), (rows, columns * nbytes, nbytes))


def _tensor_core(statement: Statement, words: tuple[str, ...]) -> Found | Unseen:
    """wgmma: shape is, of each operand that lies in shared memory, 1 for B, its rows, bytes of an element, whether
    its rows are the dimension that is summed over.
    """
    size = next((match for word in words if (match := _TILE.fullmatch(word))), None)
    nbytes = _BITS.get(words[-1])
    if size is None or nbytes is None or len(statement.operands) < 4:
        return Unseen(f"{statement.opcode} is not recorded")
    m, n, _ = map(int, size.groups())
    first, second, _, *given = statement.operands[1:]
    transposed = [int(word) for word in given[2:]]
    operands = [(second, 1, n, transposed[-1] if transposed else 0)]
    if not first.startswith("{"):
        operands.insert(0, (first, 0, m, transposed[0] if len(transposed) > 1 else 0))
    parts = tuple(AccessPart(AccessKind.LOAD, Space.SHARED, 16, AccessPath.TENSOR_CORE, o[0]) for o in operands)
    values = tuple(LoggedValue(operand[0], As.NUMBER) for operand in operands)
    shape = tuple(number for o in operands for number in (o[1], o[2], nbytes, o[3]))
    return _guarded(statement, What.TENSOR_CORE, values, parts, shape)


def _copy(statement: Statement, words: tuple[str, ...]) -> Found | Unseen | None:
    if words[2:3] == ("bulk",):
        return _bulk_copy(statement, words)
    if words[2] not in ("ca", "cg"):
        return _copy_step(statement, words)
    to, source, size, *more = statement.operands
    width = int(size, 0)
    only_if, negated = "", False
    register = statement.scope.register(more[0]) if more else None
    if register is not None and register.bits == 1:
        only_if, negated = more[0], True  # ignore-src
    elif (register is not None and register.bits == 32) or (more and register is None):
        only_if = more[0]  # src-size: fewer bytes, and zeros for the rest
    parts = (
        AccessPart(AccessKind.LOAD, Space.GLOBAL, width, AccessPath.ASYNC_COPY, source),
        AccessPart(AccessKind.STORE, Space.SHARED, width, AccessPath.ASYNC_COPY, to),
    )
    values = (LoggedValue(source, As.ADDRESS, only_if, negated), LoggedValue(to, As.ADDRESS))
    return _guarded(statement, What.ACCESS, values, parts)


def _copy_step(statement: Statement, words: tuple[str, ...]) -> Found:
    """Groups of asynchronous copies: commit_group, wait_group, wait_all, mbarrier.arrive."""
    if words[2] == "mbarrier":
        is_arrival = int("noinc" in words)
        return _guarded(
            statement, What.HAND_OVER, (LoggedValue(statement.operands[0], As.ADDRESS),), shape=(is_arrival,)
        )
    if words[2] == "wait_group":
        return _guarded(statement, What.WAIT_GROUP, (LoggedValue(statement.operands[0], As.NUMBER),))
    what = What.WAIT_ALL if words[2] == "wait_all" else What.COMMIT
    return _guarded(statement, what, (LoggedValue("0", As.NUMBER),))


def _bulk_copy(statement: Statement, words: tuple[str, ...]) -> Found | Unseen | None:
    if "commit_group" in words or "wait_group" in words or "prefetch" in words:
        return None
    into_shared = words.index("global") > words.index("shared") if {"global", "shared"} <= set(words) else False
    if "tensor" not in words or "2d" not in words or not into_shared or "im2col" in words:
        return Unseen(f"{statement.opcode} is not recorded: tensor copies of two dimensions into shared memory are")
    to, source = statement.operands[:2]
    map_, coordinates = re.fullmatch(r"\[\s*([^,]+?)\s*,\s*\{(.*)\}\s*\]", source, re.DOTALL).groups()  # type: ignore[union-attr]
    column, row = (word.strip() for word in coordinates.split(","))
    mask = LoggedValue(statement.operands[3], As.NUMBER) if "multicast" in words else LoggedValue("0", As.NUMBER)
    parts = (
        AccessPart(AccessKind.LOAD, Space.GLOBAL, 16, AccessPath.COPY_ENGINE, map_),
        AccessPart(AccessKind.STORE, Space.SHARED, 16, AccessPath.COPY_ENGINE, to),
    )
    values = (
        LoggedValue(to, As.ADDRESS),
        LoggedValue(f"[{map_}]", As.ADDRESS),
        LoggedValue(column, As.SIGNED),
        LoggedValue(row, As.SIGNED),
        mask,
    )
    return _guarded(statement, What.TENSOR_COPY, values, parts)


def _synchronisation(statement: Statement, words: tuple[str, ...]) -> Found | None:
    operands = statement.operands
    if words[:3] == ("barrier", "cluster", "wait"):
        return _guarded(statement, What.BARRIER, (LoggedValue("0", As.NUMBER),))
    if words[:3] == ("bar", "warp", "sync"):
        return _guarded(statement, What.WARP_BARRIER, (LoggedValue("0", As.NUMBER),))
    if words[0] in ("bar", "barrier") and ("sync" in words or "red" in words) and "warp" not in words:
        at, more = (0, 0) if "sync" in words else (1, 1)
        if len(operands) == at + 1 + more and operands[at] == "0":
            return _guarded(statement, What.BARRIER, (LoggedValue("0", As.NUMBER),))
        return _guarded(statement, What.NAMED_BARRIER, (LoggedValue(operands[at], As.NUMBER),))
    if words[:2] in (("mbarrier", "try_wait"), ("mbarrier", "test_wait")):
        parity = operands[2] if "parity" in words else "-1"
        values = (LoggedValue(operands[1], As.ADDRESS), LoggedValue(parity, As.NUMBER))
        return Found(What.WAIT, values, guard=operands[0], after=True)
    if words[:2] == ("mbarrier", "arrive") and "noComplete" not in words:
        pointer = next(operand for operand in operands if operand.startswith("["))
        return _guarded(statement, What.ARRIVE, (LoggedValue(pointer, As.ADDRESS),))
    return None
