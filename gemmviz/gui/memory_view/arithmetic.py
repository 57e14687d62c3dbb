"""The sums of one thread, step by step, for matrices small enough to write them out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.access import BlockTrace, Space
from gemmviz.gui.memory_view.glide import MATRICES
from gemmviz.trace.frame_values import ThreadPath
from gemmviz.trace.frames import Frames

LARGEST = 8
"""Most rows and columns of A, B and C for which the sums are written out."""
Floats = NDArray[np.float32]
Element = tuple[str, int, int]
"""A or B, row, column."""


@dataclass(frozen=True, slots=True)
class Term:
    """One product A[row,k]·B[k,column]; the values and the sum up to and with it are None where they are not known."""

    k: int
    a: float | None = None
    b: float | None = None
    total: float | None = None


@dataclass(frozen=True, slots=True)
class Sum:
    """What a thread has added up for C[row, column] so far, in the order in which it had both factors."""

    row: int
    column: int
    terms: tuple[Term, ...]
    stored: bool

    @property
    def total(self) -> float | None:
        """The accumulator; 0 before the first term."""
        return self.terms[-1].total if self.terms else 0.0


def is_small(trace: BlockTrace) -> bool:
    """Whether the sums are written out for the matrices of a trace."""
    matrices = [a for a in trace.arrays if a.space is Space.GLOBAL]
    return bool(matrices) and all(max(a.rows, a.columns) <= LARGEST for a in matrices)


def sums_of(
    frames: Frames, thread: int, index: int, a: Floats | None = None, b: Floats | None = None
) -> tuple[Sum, ...]:
    """The sums of a thread up to and with frame `index`, one for each element of C that it makes.

    The factors are what the thread reads: elements of A and B where they lie, or the shared slots that hold them. A
    load that the thread only carries into shared memory is no factor. Sums are float32, each product rounded.

    Raises:
        IndexError: there is no such thread.
    """
    path = frames.thread_path(thread)
    targets = _targets(frames.trace, path)
    factors = _factors(frames, path, index)
    stored = _stored(frames.trace, path, index)
    return tuple(
        Sum(row, column, _terms(factors, row, column, a, b), (row, column) in stored) for row, column in targets
    )


def _targets(trace: BlockTrace, path: ThreadPath) -> list[tuple[int, int]]:
    """The elements of C that a thread stores; of a dot product the one there is, whoever stores it in the end."""
    sizes = {array.name: (array.rows, array.columns) for array in trace.arrays}
    if sizes.get("A", (0, 0))[0] == 1 and sizes.get("B", (0, 0))[1] == 1:
        return [(0, 0)]
    stores = [i for i in np.flatnonzero(path.is_store).tolist() if _name(trace, path, i) == "C"]
    found = dict.fromkeys((int(path.row[i]), int(path.column[i])) for i in stores)
    return sorted(found)


def _stored(trace: BlockTrace, path: ThreadPath, index: int) -> set[tuple[int, int]]:
    done = np.flatnonzero(path.is_store & (path.frame <= index)).tolist()
    return {(int(path.row[i]), int(path.column[i])) for i in done if _name(trace, path, i) == "C"}


def _factors(frames: Frames, path: ThreadPath, index: int) -> list[Element]:
    """The elements the thread has read as factors, in order, each once."""
    trace = frames.trace
    carried = _carried(trace, path)
    found: dict[Element, None] = {}
    for i in np.flatnonzero(~path.is_store & (path.frame <= index)).tolist():
        name, row, column = _name(trace, path, i), int(path.row[i]), int(path.column[i])
        if name in MATRICES:
            element: Element | None = (name, row, column)
            if element in carried:
                continue
        else:
            element = _lying(trace, name, row, column, int(trace.slot_epoch[path.slot[i]]))
        if element is not None:
            found[element] = None
    return list(found)


def _carried(trace: BlockTrace, path: ThreadPath) -> set[Element]:
    """The elements that lie in shared memory where this thread stored."""
    found = set()
    for i in np.flatnonzero(path.is_store).tolist():
        name = _name(trace, path, i)
        if name and name != "C":
            epoch = int(trace.slot_epoch[path.slot[i]])
            element = _lying(trace, name, int(path.row[i]), int(path.column[i]), epoch)
            if element is not None:
                found.add(element)
    return found


def _lying(trace: BlockTrace, name: str, row: int, column: int, epoch: int) -> Element | None:
    """The element of A or B that lies in a shared slot at the end of an epoch."""
    taken = next((s for s in trace.snapshots if s.array == name and s.epoch >= epoch), None)
    taken = taken or next((s for s in reversed(trace.snapshots) if s.array == name), None)
    if taken is None or taken.origin[row, column] < 0:
        return None
    matrix = MATRICES[int(taken.matrix[row, column])]
    columns = next((a.columns for a in trace.arrays if a.name == matrix), 1)
    at = divmod(int(taken.origin[row, column]), columns)
    return matrix, at[0], at[1]


def _terms(factors: list[Element], row: int, column: int, a: Floats | None, b: Floats | None) -> tuple[Term, ...]:
    seen: set[Element] = set()
    terms: list[Term] = []
    total: np.float32 | None = np.float32(0)
    for matrix, r, c in factors:
        seen.add((matrix, r, c))
        fits = r == row if matrix == "A" else c == column
        k = c if matrix == "A" else r
        if not fits or ("A", row, k) not in seen or ("B", k, column) not in seen:
            continue
        if a is None or b is None:
            terms.append(Term(k))
            total = None
        else:
            left, right = a[row, k], b[k, column]
            total = np.float32(np.float32(0 if total is None else total) + left * right)
            terms.append(Term(k, float(left), float(right), float(total)))
    return tuple(terms)


def _name(trace: BlockTrace, path: ThreadPath, i: int) -> str:
    return trace.arrays[path.array[i]].name if path.array[i] >= 0 else ""
