"""The sums of one thread, step by step, for matrices small enough to write them out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.recordings.access import UNWRITTEN, AccessKind, BlockTrace, Space, result_name
from gemmviz.explain.block.rounding import Rounding
from gemmviz.trace.frames.access import decode
from gemmviz.trace.frames.frames import Frames
from gemmviz.trace.frames.values import FACTORS, ThreadPath

LARGEST, MOST_TERMS = 8, 4096
"""Most rows and columns of A, B and C for which the sums are written out; most products that a block adds up to which
the values of its sums are worked out where a picture is seen from so near that they have room.
"""
Floats = NDArray[np.float32]
Element = tuple[str, int, int]
"""A or B, row, column."""
Lies = Callable[[str, int, int, int], Element | None]
"""What lies in a shared array, row, column when a slot of the trace reads it."""


@dataclass(frozen=True, slots=True)
class Term:
    """One product A[row,k]·B[k,column]; the values and the sum up to and with it are None where they are not known. The
    thread has both factors from `slot` of the trace on. `read` are the elements that it multiplied, where a race made
    them others than these; None where nothing was stored before.
    """

    k: int
    a: float | None = None
    b: float | None = None
    total: float | None = None
    slot: int = field(default=-1, compare=False)
    read: tuple[Element | None, Element | None] | None = None


@dataclass(frozen=True, slots=True)
class Sum:
    """What a thread has added up for C[row, column] so far, in the order in which it had both factors.

    `kept` is what it stored last to C in global memory, None where it did not or that is not known. `unknown` says in
    few words why nobody knows the terms, "" where they are known. `is_recorded`: the sums are what a variable of the
    thread held, else they are added up here.
    """

    row: int
    column: int
    terms: tuple[Term, ...]
    stored: bool
    kept: float | None = None
    unknown: str = ""
    is_recorded: bool = False

    @property
    def total(self) -> float | None:
        """The accumulator; 0 before the first term, None where it is not known."""
        if self.unknown:
            return None
        return self.terms[-1].total if self.terms else 0.0


def is_small(trace: BlockTrace) -> bool:
    """Whether the matrices of a trace are small enough for their sums to be written out."""
    matrices = [a for a in trace.arrays if a.space is Space.GLOBAL and not a.is_variable]
    return bool(matrices) and all(max(a.rows, a.columns) <= LARGEST for a in matrices)


def sums_of(
    frames: Frames,
    thread: int,
    index: int,
    a: Floats | None = None,
    b: Floats | None = None,
    rounding: Rounding | None = Rounding.FUSED,
    c: Floats | None = None,
    lies: Lies | None = None,
) -> tuple[Sum, ...]:
    """The sums of a thread up to and with frame `index`, one for each element of C that it makes.

    The factors are what the thread reads: elements of A and B where they lie, or the shared slots that hold them. A
    load that the thread only carries into shared memory is no factor. Sums are float32; without a `rounding` their
    values are not known. `c` is what lies in C in the end; without it nobody knows what was stored on the way. Without
    `lies` a slot is taken to hold what lies there when its epoch ends.

    Raises:
        IndexError: there is no such thread.
    """
    path = frames.thread_path(thread)
    targets = _targets(frames.trace, path)
    factors = _factors(frames, path, index, lies)
    stores = _stores(frames.trace, path)
    found = []
    for row, column in targets:
        terms = _terms(factors, row, column, a, b, rounding)
        slots = [slot for slot, frame in stores.get((row, column), ()) if frame <= index]
        kept = None
        if slots and c is not None:
            known = [term for term in terms if term[0] < slots[-1]]
            is_last = len(slots) == len(stores[row, column])
            on_the_way = known[-1][1].total if known else 0.0
            kept = float(c[row, column]) if is_last else on_the_way if rounding is not None else None
        found.append(Sum(row, column, tuple(term for _, term in terms), bool(slots), kept))
    return tuple(found)


def rounding_of(frames: Frames, a: Floats, b: Floats, c: Floats | None) -> Rounding | None:
    """How the threads of a block rounded: so that every sum ends as the very bits that the block left in C.

    None where it is neither way, or where two threads store one element. Without `c`, and for a dot product, whose sums
    are added up further, as compilers do it.
    """
    if c is None or _is_dot(frames.trace):
        return Rounding.FUSED
    last = len(frames) - 1
    makers = makers_of(frames)
    for rounding in Rounding:
        made = set[tuple[int, int]]()
        for found in (found for thread in makers for found in sums_of(frames, thread, last, a, b, rounding)):
            at = found.row, found.column
            if at in made:
                return None
            if np.float32(found.total).tobytes() != c[at].tobytes():
                break  # the first other sum tells; the sums of a block take long
            made.add(at)
        else:
            return rounding
    return None


def makers_of(frames: Frames) -> list[int]:
    """The threads of a block that store to the result."""
    trace = frames.trace
    result = result_name(trace.arrays)
    c = next((number for number, array in enumerate(trace.arrays) if array.name == result), None)
    stores = [site.index for site in trace.sites if site.kind is AccessKind.STORE and site.space is Space.GLOBAL]
    found = decode(trace, np.flatnonzero(np.isin(trace.slot_site, stores)), (0, trace.addresses.shape[0]))
    return [] if c is None else np.unique(found.only(found.array == c).thread).tolist()


def _is_dot(trace: BlockTrace) -> bool:
    sizes = {array.name: (array.rows, array.columns) for array in trace.arrays}
    return sizes.get("A", (0, 0))[0] == 1 and sizes.get("B", (0, 0))[1] == 1


def _targets(trace: BlockTrace, path: ThreadPath) -> list[tuple[int, int]]:
    """The elements of C that a thread stores; of a dot product the one there is, whoever stores it in the end."""
    if _is_dot(trace):
        return [(0, 0)]
    result = result_name(trace.arrays)
    stores = [i for i in np.flatnonzero(path.is_store).tolist() if _name(trace, path, i) == result]
    found = dict.fromkeys((int(path.row[i]), int(path.column[i])) for i in stores)
    return sorted(found)


def _stores(trace: BlockTrace, path: ThreadPath) -> dict[tuple[int, int], list[tuple[int, int]]]:
    """The slots and frames of a thread's stores to each element of C."""
    found: dict[tuple[int, int], list[tuple[int, int]]] = {}
    result = result_name(trace.arrays)
    for i in np.flatnonzero(path.is_store).tolist():
        if _name(trace, path, i) == result:
            at = int(path.row[i]), int(path.column[i])
            found.setdefault(at, []).append((int(path.slot[i]), int(path.frame[i])))
    return found


def _factors(frames: Frames, path: ThreadPath, index: int, lies: Lies | None) -> list[tuple[Element, int]]:
    """The elements the thread has read as factors, in order, each once, with the slot from which on it has them."""
    trace = frames.trace
    carried = _carried(frames, path)
    found: dict[Element, int] = {}
    for i in np.flatnonzero(~path.is_store & (path.frame <= index)).tolist():
        name, row, column = _name(trace, path, i), int(path.row[i]), int(path.column[i])
        if name in FACTORS:
            element: Element | None = (name, row, column)
            if element in carried:
                continue
        else:
            slot = int(path.slot[i])
            element = (
                lying(frames, name, row, column, int(trace.slot_epoch[slot]))
                if lies is None
                else lies(name, row, column, slot)
            )
        if element is not None:
            found.setdefault(element, int(path.slot[i]))
    return list(found.items())


def _carried(frames: Frames, path: ThreadPath) -> set[Element]:
    """The elements that lie in shared memory where this thread stored."""
    trace = frames.trace
    found, result = set(), result_name(trace.arrays)
    for i in np.flatnonzero(path.is_store).tolist():
        name = _name(trace, path, i)
        if name and name != result:
            epoch = int(trace.slot_epoch[path.slot[i]])
            element = lying(frames, name, int(path.row[i]), int(path.column[i]), epoch)
            if element is not None:
                found.add(element)
    return found


def lying(frames: Frames, name: str, row: int, column: int, epoch: int) -> Element | None:
    """The element of A or B that lies in a shared slot at the end of an epoch."""
    taken = frames.at_barrier(name, epoch)
    origin = int(taken.origin[row, column]) if taken is not None else UNWRITTEN
    if taken is None or origin < 0:
        return None
    matrix = FACTORS[int(taken.matrix[row, column])]
    columns = next((a.columns for a in frames.trace.arrays if a.name == matrix), 1)
    return matrix, *divmod(origin, columns)


def _terms(
    factors: list[tuple[Element, int]],
    row: int,
    column: int,
    a: Floats | None,
    b: Floats | None,
    rounding: Rounding | None,
) -> list[tuple[int, Term]]:
    """The products of a sum, each with the slot at which the thread has both factors."""
    seen: set[Element] = set()
    terms: list[tuple[int, Term]] = []
    total = np.float32(0)
    for (matrix, r, c), slot in factors:
        seen.add((matrix, r, c))
        fits = r == row if matrix == "A" else c == column
        k = c if matrix == "A" else r
        if not fits or ("A", row, k) not in seen or ("B", k, column) not in seen:
            continue
        if a is None or b is None:
            terms.append((slot, Term(k, slot=slot)))
            continue
        left, right = a[row, k], b[k, column]
        if rounding is None:
            terms.append((slot, Term(k, float(left), float(right), slot=slot)))
        else:
            total = rounding.added(left, right, total)
            terms.append((slot, Term(k, float(left), float(right), float(total), slot)))
    return terms


def _name(trace: BlockTrace, path: ThreadPath, i: int) -> str:
    return trace.arrays[path.array[i]].name if path.array[i] >= 0 else ""
