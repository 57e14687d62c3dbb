"""Hazards where they happen: the elements of a frame that a fault of the recording is about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.access import UNWRITTEN, AccessKind, MappedArray
from gemmviz.domain.hazard import Hazard, HazardKind
from gemmviz.trace.frame_values import Frame, OutOfBounds, Touch


@dataclass(frozen=True, slots=True, eq=False)
class HazardMark:
    """Elements at fault: rows and columns, shape (n,), of `array`; an access beside an array has row or column outside.

    `threads` are two that meet there, or those at fault; `words` say what is wrong, with the line.
    """

    kind: HazardKind
    array: MappedArray
    rows: NDArray[np.int64]
    columns: NDArray[np.int64]
    threads: tuple[int, ...]
    words: str

    def about(self, name: str, row: int, column: int) -> bool:
        """Whether an element is one of those at fault."""
        return name == self.array.name and bool(np.any((self.rows == row) & (self.columns == column)))


def hazard_marks(frame: Frame, hazards: Sequence[Hazard]) -> tuple[HazardMark, ...]:
    """The hazards of a recording that show in a frame."""
    found: list[HazardMark] = []
    running = {site.index: site for site in frame.sites}
    for hazard in hazards:
        if not hazard.sites or not all(site in running for site in hazard.sites):
            continue
        if hazard.kind is HazardKind.RACE:
            spaces = {running[site].space for site in hazard.sites}
            arrays = [array for array in frame.arrays if array.space in spaces]
            # A site may reach an array through a pointer of another name: then all arrays there are looked at.
            named = [array for array in arrays if array.name in {running[site].array for site in hazard.sites}]
            found += [mark for array in named or arrays if (mark := _race(frame, hazard, array)) is not None]
        elif hazard.kind is HazardKind.UNWRITTEN_READ:
            found += _unwritten(frame, hazard)
    return (*found, *_outside(frame))


def _race(frame: Frame, hazard: Hazard, array: MappedArray) -> HazardMark | None:
    """The elements that one thread stores and another touches in this frame."""
    stored = frame.touch(array.name, AccessKind.STORE)
    if stored is None:
        return None
    touches: list[Touch] = [stored]
    loaded = frame.touch(array.name, AccessKind.LOAD)
    touches += [loaded] if loaded is not None else []
    element = np.concatenate([touch.access_element for touch in touches])
    thread = np.concatenate([touch.access_thread for touch in touches])
    pairs = np.unique(np.stack((element, thread), axis=1), axis=0)
    distinct, threads = np.unique(pairs[:, 0], return_counts=True)
    shared = distinct[(threads > 1) & np.isin(distinct, stored.access_element)]
    if shared.size == 0:
        return None
    rows, columns = np.divmod(shared, array.columns)
    words = f"Race, line {hazard.line}: {hazard.detail}"
    return HazardMark(hazard.kind, array, rows, columns, hazard.threads[:2], words)


def _unwritten(frame: Frame, hazard: Hazard) -> list[HazardMark]:
    found = []
    for contents in frame.shared:
        loaded = frame.touch(contents.array.name, AccessKind.LOAD)
        if loaded is None:
            continue
        rows, columns = loaded.rows.astype(np.int64), loaded.columns.astype(np.int64)
        bare = contents.after.origin[rows, columns] == UNWRITTEN
        if bare.any():
            words = f"Read of what nobody wrote, line {hazard.line}: {hazard.detail}"
            found.append(HazardMark(hazard.kind, contents.array, rows[bare], columns[bare], hazard.threads[:2], words))
    return found


def _outside(frame: Frame) -> list[HazardMark]:
    """Accesses outside every array, each at the array it lies nearest to."""
    outside: OutOfBounds = frame.out_of_bounds
    if outside.address.size == 0 or not frame.arrays:
        return []
    ends = np.array([(a.base, a.base + a.nbytes) for a in frame.arrays], np.int64)
    away = np.maximum(ends[:, 0] - outside.address[:, None], outside.address[:, None] - ends[:, 1] + 1)
    nearest = away.argmin(axis=1)
    lines = {site.index: site.line for site in frame.sites}
    found = []
    for index in np.unique(nearest).tolist():
        here, array = nearest == index, frame.arrays[index]
        element = (outside.address[here] - array.base) // array.element_bytes
        rows, columns = np.divmod(np.unique(element), array.columns)
        threads = tuple(np.unique(outside.thread[here]).tolist())
        line = min(lines.get(int(site), 0) for site in outside.site[here])
        words = f"Outside {array.name}, line {line}: {int(here.sum())} accesses, the first by thread {threads[0]}"
        found.append(HazardMark(HazardKind.OUT_OF_BOUNDS, array, rows, columns, threads[:2], words))
    return found
