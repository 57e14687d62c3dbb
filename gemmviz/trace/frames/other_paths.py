"""What a frame moves by other paths than load and store instructions, in clauses of its sentence."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from gemmviz.domain.figures import count
from gemmviz.domain.recordings.access import AccessKind, AccessPath
from gemmviz.trace.frames.regions import touched_words
from gemmviz.trace.frames.values import Touch

OTHER_PATHS = (AccessPath.ASYNC_COPY, AccessPath.COPY_ENGINE, AccessPath.TENSOR_CORE, AccessPath.ATOMIC)
"""Those that are no instruction by which a thread loads or stores."""

_HOW = {AccessPath.ASYNC_COPY: "asynchronously", AccessPath.COPY_ENGINE: "by the TMA"}


def moved_clauses(by_path: Mapping[AccessPath, tuple[Touch, ...]], filled: int = 0) -> tuple[tuple[int, str], ...]:
    """The last slot and the words of each of OTHER_PATHS that occurs: "asynchronously copy rows 0–63,
    columns 0–7 of A into elements 0–511 of tiles", "tensor cores read all of stages", "64 atomic operations on
    row 0, columns 0–31 of C". What is read may be written in a later frame.
    `filled` elements of shared memory hold what other blocks of the cluster had the TMA bring.
    """
    found = []
    for path in OTHER_PATHS:
        touches = by_path[path]
        if touches:
            clause = _clause(path, touches) + (_filled(touches, filled) if path is AccessPath.COPY_ENGINE else "")
            found.append((max(touch.last_slot for touch in touches), clause))
    return tuple(found)


def asker(path: AccessPath, warp: int, lanes: str, *, arrives: bool = False) -> str:
    """Who makes a request: "warp 0, 32 lanes", "TMA for warp 0"; it `arrives` from another block's copy."""
    if arrives:
        return "TMA for another block of the cluster"
    if path is AccessPath.COPY_ENGINE:
        return f"TMA for warp {warp}"
    if path is AccessPath.TENSOR_CORE:
        return f"tensor core for warp {warp}"
    return f"warp {warp}, {lanes}"


def request_verb(path: AccessPath, kind: AccessKind) -> str:
    """What a request does to what it touches: "load", "copy from", "copy into", "read", "atomically change"."""
    if path is AccessPath.ATOMIC:
        return "atomically change"
    if path is AccessPath.TENSOR_CORE:
        return "read"
    if path not in _HOW:
        return str(kind)
    words = "copy from" if kind is AccessKind.LOAD else "copy into"
    return f"{_HOW[path]} {words}" if path is AccessPath.ASYNC_COPY else words


def some(touches: Iterable[Touch]) -> str:
    """ "rows 0–1, columns 0–3 of A and 3 elements in row 2, columns 0–3 of B"."""
    said = [touched_words(t.array, t.box, t.rows.size) for t in touches]
    return said[0] if len(said) == 1 else f"{', '.join(said[:-1])} and {said[-1]}"


def _clause(path: AccessPath, touches: tuple[Touch, ...]) -> str:
    read = [touch for touch in touches if touch.kind is AccessKind.LOAD]
    written = [touch for touch in touches if touch.kind is AccessKind.STORE]
    if path is AccessPath.TENSOR_CORE:
        return f"tensor cores read {some(read)}"
    if path is AccessPath.ATOMIC:
        times = sum(touch.accesses for touch in written)
        return f"{count(times)} atomic operation{'s'[: times != 1]} on {some(written)}"
    what = f" {some(read)}" if read else ""
    where = f" into {some(written)}" if written else ""
    words = f"copy{what}{where}"
    return f"{_HOW[path]} {words}" if path is AccessPath.ASYNC_COPY else f"{words} {_HOW[path]}"


def _filled(touches: tuple[Touch, ...], filled: int) -> str:
    """What of it the other blocks fetched: ", 16 elements filled by other blocks of the cluster"."""
    if not filled:
        return ""
    written = sum(touch.rows.size for touch in touches if touch.kind is AccessKind.STORE)
    many = "all" if filled == written else f"{count(filled)} element{'s'[: filled != 1]}"
    return f", {many} filled by other blocks of the cluster"
