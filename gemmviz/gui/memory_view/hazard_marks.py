"""Hazards where they happen: the elements of a frame that a fault of the recording is about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.recordings.access import BARRIER_SITE, INACTIVE, UNWRITTEN, BlockTrace, MappedArray
from gemmviz.domain.recordings.hazard import Hazard, HazardKind
from gemmviz.trace.frames.access import decode
from gemmviz.trace.frames.hazard_frames import misaligned, raced_elements, touches_any
from gemmviz.trace.frames.races import Meeting, meetings_in
from gemmviz.trace.frames.values import Frame, OutOfBounds
from gemmviz.trace.hazards.naming import element_name
from gemmviz.trace.hazards.race_words import race_words


@dataclass(frozen=True, slots=True, eq=False)
class HazardMark:
    """Elements at fault: rows and columns, shape (n,), of `array`; an access beside an array has row or column outside.

    `threads` are two that meet at the first of them, or those at fault; `words` say what is wrong,
    with the line and the threads.
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


def hazard_marks(frame: Frame, hazards: Sequence[Hazard], trace: BlockTrace) -> tuple[HazardMark, ...]:
    """The hazards of a recording that show in a frame of a block's trace, be it that of their first example or not."""
    running = {site.index for site in frame.sites}
    taking_part = [hazard for hazard in hazards if running & set(hazard.sites)]
    races = [hazard for hazard in taking_part if hazard.kind is HazardKind.RACE]
    found = [
        _race(hazard, meeting, trace)
        for hazard, meetings in zip(races, meetings_in(frame, trace, [h.sites for h in races]), strict=True)
        for meeting in meetings
    ]
    for hazard in taking_part:
        if hazard.kind is HazardKind.UNWRITTEN_READ:
            found += _unwritten(frame, hazard, trace)
        if hazard.kind is HazardKind.MISALIGNED:
            found += _misaligned(frame, hazard, trace)
    return (*found, *_between_blocks(frame, hazards, trace), *_outside(frame))


def barrier_words(trace: BlockTrace, slot: int) -> str:
    """What is wrong with the barrier at a slot of the trace that some threads of the block do not come to."""
    missing = np.flatnonzero((trace.addresses[:, slot] == INACTIVE).reshape(-1)[: trace.threads])
    others = f" and {missing.size - 1} more do" if missing.size > 1 else " does"
    place = next((place for at, place in zip(_barriers(trace), trace.ended_by, strict=False) if at == slot), None)
    line = f", line {place.line}" if place is not None and place.line else ""
    return f"Divergent barrier{line}: thread {missing[0]}{others} not reach it, but every thread must"


def _barriers(trace: BlockTrace) -> list[int]:
    return np.flatnonzero(trace.slot_site == BARRIER_SITE).tolist()


def _race(hazard: Hazard, meeting: Meeting, trace: BlockTrace) -> HazardMark:
    """The elements of this frame that one thread stores and another touches before the next barrier."""
    sites = {site.index: site for site in trace.sites}
    earlier, later = sites[hazard.sites[0]], sites[hazard.sites[-1]]
    said = race_words(earlier, later, meeting.threads, _name(meeting.array, meeting.element))
    rows, columns = np.divmod(meeting.elements, meeting.array.columns)
    words = f"Race, line {hazard.line}: {said}"
    return HazardMark(hazard.kind, meeting.array, rows, columns, meeting.threads, words)


def _unwritten(frame: Frame, hazard: Hazard, trace: BlockTrace) -> list[HazardMark]:
    """The slots that a site reads in this frame and that nobody has written when it ends."""
    accesses = decode(trace, np.arange(*frame.slots), frame.warps)
    accesses = accesses.only(np.isin(accesses.site, hazard.sites))
    found = []
    for contents in frame.shared:
        array = contents.array
        loaded = accesses.only(accesses.array == trace.arrays.index(array))
        elements, which = loaded.elements()
        bare = contents.after.origin.reshape(-1)[elements] == UNWRITTEN
        if bare.any():
            first = int(np.argmax(bare))
            thread, name = int(loaded.thread[which[first]]), _name(array, int(elements[first]))
            words = (
                f"Uninitialised read, line {hazard.line}: thread {thread} reads {name}, but no thread has "
                "written it: the value is undefined"
            )
            rows, columns = np.divmod(np.unique(elements[bare]), array.columns)
            found.append(HazardMark(hazard.kind, array, rows, columns, (thread,), words))
    return found


def _misaligned(frame: Frame, hazard: Hazard, trace: BlockTrace) -> list[HazardMark]:
    """The elements that a site touches in this frame at addresses it must not have, an array each."""
    accesses = decode(trace, np.arange(*frame.slots), frame.warps)
    accesses = accesses.only(np.isin(accesses.site, hazard.sites))
    accesses = accesses.only(misaligned(trace, accesses))
    sites = {site.index: site for site in trace.sites}
    found = []
    for index in np.unique(accesses.array).tolist():
        array, here = trace.arrays[index], accesses.only(accesses.array == index)
        site, thread = sites[int(here.site[0])], int(here.thread[0])
        verb = "stores" if here.is_store[0] else "reads"
        first = int(here.address[0]) - site.component_bytes - array.base
        words = (
            f"Misaligned, line {hazard.line}: thread {thread} {verb} {site.aligned_bytes} bytes at once at byte "
            f"{first} of {array.name}, no multiple of {site.aligned_bytes}: an NVIDIA GPU ends the kernel there"
        )
        rows, columns = np.divmod(np.unique(here.elements()[0]), array.columns)
        found.append(HazardMark(hazard.kind, array, rows, columns, (thread,), words))
    return found


def _between_blocks(frame: Frame, hazards: Sequence[Hazard], trace: BlockTrace) -> list[HazardMark]:
    """The elements that this block touches in this frame and that another block writes or, if this one does, touches.

    The other blocks are not shown; that they touch them the search of the whole grid has found.
    """
    stretches = raced_elements(trace, hazards)
    if not stretches:
        return []
    accesses = decode(trace, np.arange(*frame.slots), frame.warps)
    accesses = accesses.only(touches_any(accesses, stretches))
    sites = {site.index: site for site in trace.sites}
    kinds = {hazard.kind for hazard in hazards}
    kinds_of_blocks = (HazardKind.BLOCK_RACE, HazardKind.POSSIBLE_RACE, HazardKind.PLAIN_READ)
    kind = next((one for one in kinds_of_blocks if one in kinds), HazardKind.PLAIN_READ)
    found = []
    for number in np.unique(accesses.array).tolist():
        array, here = trace.arrays[number], accesses.only(accesses.array == number)
        touched, which = here.elements()
        bounds = stretches[number]
        racing = np.searchsorted(bounds[:, 0], touched, side="right") > np.searchsorted(bounds[:, 1], touched, "right")
        touched, first = touched[racing], int(which[racing][0])
        site, thread = sites[int(here.site[first])], int(here.thread[first])
        name = _name(array, int(touched[0]))
        said = f"thread {thread} {site.verb} {name}, and another block touches it too"
        words = f"Block race, line {site.line}: {said}, one of them writing: the order is undefined"
        if kind is HazardKind.POSSIBLE_RACE:
            words = f"Possible block race, line {site.line}: {said}; atomic operations and fences may put them in order"
        if kind is HazardKind.PLAIN_READ:
            words = f"Plain read, line {site.line}: {said}, one of them atomically and the other by a plain read"
        rows, columns = np.divmod(np.unique(touched), array.columns)
        found.append(HazardMark(kind, array, rows, columns, (thread,), words))
    return found


def _name(array: MappedArray, element: int) -> str:
    return element_name((array,), array.address_of(*divmod(element, array.columns)))


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
        element = array.numbers_at((outside.address[here] - array.base) // array.element_bytes)
        rows, columns = np.divmod(np.unique(element), array.columns)
        threads = tuple(np.unique(outside.thread[here]).tolist())
        line = min(lines.get(int(site), 0) for site in outside.site[here])
        count = int(here.sum())
        said = (
            f"{count} accesses, the first by thread {threads[0]}" if count > 1 else f"an access by thread {threads[0]}"
        )
        words = f"Outside {array.name}, line {line}: {said}"
        found.append(HazardMark(HazardKind.OUT_OF_BOUNDS, array, rows, columns, threads[:2], words))
    return found
