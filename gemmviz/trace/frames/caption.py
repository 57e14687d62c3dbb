"""One sentence that says what a frame does."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from gemmviz.domain import figures
from gemmviz.domain.listing import listed
from gemmviz.domain.recordings.access import PADDING, AccessKind, Space
from gemmviz.trace.frames.access import NO_ACCESS
from gemmviz.trace.frames.other_paths import asker, request_verb
from gemmviz.trace.frames.plan import FrameMode
from gemmviz.trace.frames.regions import touched_words
from gemmviz.trace.frames.values import Request, SharedContents, Touch

_MATRICES = ("A", "B")
"""The names of the matrices a snapshot speaks of as 0 and 1."""

_ZERO, _OTHER = "zero", "other"


def head(mode: FrameMode, index: int, count: int) -> str:
    """Which frame it is, counted from 1: "barrier interval 3 of 66"."""
    return f"{mode.words} {figures.count(index + 1)} of {figures.count(count)}"


def phase_clauses(
    touches: tuple[Touch, ...],
    shared: tuple[SharedContents, ...],
    outside: int,
    ends_at_barrier: bool,
    moved: tuple[tuple[int, str], ...] = (),
) -> str:
    """What a barrier interval or a step does: "load rows 0–1, columns 0–1 of A and all of B into shared
    memory".

    A load goes "into shared memory" only if a slot stored in this frame is seen to hold an element of that matrix.
    What ends first is said first. `outside` is the number of accesses out of bounds, `moved`
    what no instruction of `touches` does: a last slot and a clause each.
    """
    loads = _of(touches, Space.GLOBAL, AccessKind.LOAD)
    stores = _of(touches, Space.GLOBAL, AccessKind.STORE)
    reads = _of(touches, Space.SHARED, AccessKind.LOAD)
    updated = {s.array.name for s in stores for t in loads if t.array.name == s.array.name and _same(s, t)}
    loads = [t for t in loads if t.array.name not in updated]
    loaded = {t.array.name for t in loads}
    kept = [(t, _held_by(t, shared)) for t in _of(touches, Space.SHARED, AccessKind.STORE)]
    arriving = loaded & set().union(*(held for _, held in kept))
    read = {t.array.name for t in reads}
    zeroed = [t for t, held in kept if held == {_ZERO} and t.array.name not in read]  # a sum of zeros is a sum
    groups = [
        ("load", " into shared memory", [t for t in loads if t.array.name in arriving]),
        ("load", "", [t for t in loads if t.array.name not in arriving]),
        ("zero", "", zeroed),
        ("store", "", [t for t, held in kept if t not in zeroed and not held & loaded]),
        ("update", "", [t for t in stores if t.array.name in updated]),
        ("store", "", [t for t in stores if t.array.name not in updated]),
    ]
    clauses = [(_last(group), _verb(verb, group, ending)) for verb, ending, group in groups if group]
    clauses += [(_last(reads), _reads(reads))] if reads else []
    clauses += moved
    said = [clause for _, clause in sorted(clauses, key=lambda pair: pair[0])]
    said += [_outside(outside)] if outside else []
    return "; ".join(said) or ("wait at the barrier" if ends_at_barrier else "access no memory")


def request_clauses(
    request: Request, touches: tuple[Touch, ...], outside: int, *, arrives: bool = False, code: str = ""
) -> str:
    """What a request does: "warp 0, 4 lanes: load rows 2–3, columns 0–1 of A, line 33".

    It `arrives` from another block's copy. `code`: whose request it is, where codes differ ("line 33 (SASS)").
    """
    lanes = int((request.array != NO_ACCESS).sum())
    path = request.site.path
    said = [_verb(request_verb(path, request.site.kind), touches), _outside(outside)]
    deed = "; ".join(clause for clause in said if clause)
    who = asker(path, request.warp, f"{lanes} {_plural('lane', lanes)}", arrives=arrives)
    return f"{who}: {deed}, line {request.site.line}{f' ({code})' if code else ''}"


def _of(touches: tuple[Touch, ...], space: Space, kind: AccessKind) -> list[Touch]:
    return [t for t in touches if t.array.space is space and t.kind is kind]


def _same(one: Touch, other: Touch) -> bool:
    return (
        one.box == other.box
        and one.rows.tolist() == other.rows.tolist()
        and (one.columns.tolist() == other.columns.tolist())
    )


def _held_by(stored: Touch, shared: tuple[SharedContents, ...]) -> set[str]:
    """What the slots that were stored hold: names of matrices, zeros, or something else."""
    after = next(contents.after for contents in shared if contents.array.name == stored.array.name)
    origin = after.origin[stored.rows, stored.columns]
    matrix = after.matrix[stored.rows, stored.columns]
    held = {name for m, name in enumerate(_MATRICES) if np.any((origin >= 0) & (matrix == m))}
    return held | {_ZERO if o == PADDING else _OTHER for o in np.unique(origin[origin < 0]).tolist()}


def _last(touches: list[Touch]) -> int:
    return max(touch.last_slot for touch in touches)


def _verb(verb: str, touches: Iterable[Touch], ending: str = "") -> str:
    what = [touched_words(t.array, t.box, t.rows.size) for t in touches]
    return f"{verb} {listed(what)}{ending}" if what else ""


def _reads(touches: list[Touch]) -> str:
    """ "read As and Bs, each element 16 times: 8 192 values"; arrays whose elements are read equally often
    share a phrase. A load of several elements at once counts for each of them, as it does in the picture.
    """
    names_by_times: dict[str, list[str]] = {}
    for touch in touches:
        names_by_times.setdefault(_each_element(touch), []).append(touch.array.name)
    phrases = [f"{listed(names)}, {times}" for times, names in names_by_times.items()]
    loads = sum(int(touch.counts.sum()) for touch in touches)
    return f"read {', and '.join(phrases)}: {figures.count(loads)} {_plural('value', loads)}"


def _each_element(touch: Touch) -> str:
    least, most = int(touch.counts.min()), int(touch.counts.max())
    if touch.rows.size == 1:
        return _times(most)
    return f"each element {_times(most) if least == most else f'{figures.count(least)} to {figures.count(most)} times'}"


def _outside(count: int) -> str:
    return f"{figures.count(count)} {_plural('access', count)} out of bounds" if count else ""


def _times(times: int) -> str:
    return {1: "once", 2: "twice"}.get(times, f"{figures.count(times)} times")


def _plural(noun: str, count: int) -> str:
    if count == 1:
        return noun
    return f"{noun}es" if noun.endswith("s") else f"{noun}s"
