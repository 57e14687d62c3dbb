"""Two blocks that touch one element, one of them writing: chance, unless the kernel makes one wait for the other.

Atomic operations of several blocks on one element are no race; an atomic operation and a plain store are. A plain read
of what other blocks change atomically is told as that: the first read of a loop around `atomicCAS` is one, and does no
harm because its value is compared again.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numba import njit
from numpy.typing import NDArray

from gemmviz.domain.recordings.access import (
    BARRIER_SITE,
    INACTIVE,
    AccessKind,
    BlockTrace,
    MappedArray,
    Site,
    Space,
    in_rows,
)
from gemmviz.domain.recordings.hazard import Mend
from gemmviz.domain.recordings.warp import LANES
from gemmviz.trace.counts.site_table import SiteTable, site_table
from gemmviz.trace.counts.summary import loop_columns
from gemmviz.trace.hazards.bounds import Addresses
from gemmviz.trace.hazards.findings import Hazard, HazardKind
from gemmviz.trace.hazards.naming import line_words, name_at
from gemmviz.trace.hazards.race_words import UNATOMIC_UPDATE
from gemmviz.trace.hazards.races.updates import update_it

_COUNT, _SLOT, _THREAD, _ELEMENT, _EARLIER, _DOES = range(6)
_COLUMNS = 6
_READS, _WRITES, _CHANGES = range(3)
_RESULTS = ("C", "D")
"""What blocks may add to, as to a variable of one element: in an input, or in scratch memory, an atomic operation would
leave the values of other blocks.
"""
_VERBS = ("reads", "writes", "atomically changes")
"""What a block does to an element."""
MOST_STRETCHES = 4096
"""Of elements that race, at most so many stretches are kept with a hazard."""


class CrossBlockWrites:
    """Remembers which block wrote, read and atomically changed each element of one global array, while blocks are added
    one by one.

    `may_order_blocks`: the kernel has what one block can wait for another one with, such as a lock; nobody examined
    whether it does, so that what would be a race is told as a possible one.

    Memory: 5 bytes per element of the array, and 4 more each if blocks may read it or change it atomically. Not for use
    by several threads at once.
    """

    def __init__(self, array: MappedArray, *, may_order_blocks: bool = False) -> None:
        self._array, self._may_order_blocks = array, may_order_blocks
        self._writer = np.zeros(array.rows * array.columns, np.int32)
        """The number of the first block that wrote each element, from 1; 0 where none has."""
        self._reader = np.zeros(0, np.int32)
        """The same of the blocks that read; made when a block may read the array."""
        self._changer = np.zeros(0, np.int32)
        """The same of atomic operations; made when a block may have some."""
        self._raced = np.zeros(array.rows * array.columns, np.bool_)
        """Which elements one block writes and another one touches."""
        self._sites: tuple[Site, ...] | None = None
        self._looked_at: tuple[SiteTable, NDArray[np.bool_]]
        """What is known of the sites of the trace before."""
        self._blocks: dict[tuple[int, int, int], int] = {}
        self._found: dict[tuple[int, int], Hazard] = {}

    def add(self, trace: BlockTrace) -> None:
        """Take in one block; accesses outside the array are left out.

        Raises:
            ValueError: the block was added before, or the trace is not whole (`site_table`, `loop_columns`).
        """
        if trace.block in self._blocks:
            raise ValueError(f"block {trace.block} was added before: each block of a grid runs once")
        if trace.sites is not self._sites:
            self._sites, self._looked_at = trace.sites, self._look_at(trace)
        table, looked_at = self._looked_at
        addresses, slot_site = loop_columns(trace)
        self._blocks[trace.block] = len(self._blocks) + 1
        found = np.zeros((len(table.is_store), _COLUMNS), np.int64)
        _claim(
            addresses,
            slot_site,
            looked_at,
            table.is_store,
            table.is_atomic,
            table.width_bytes,
            self._array.base,
            self._array.element_bytes,
            self._writer,
            self._reader,
            self._changer,
            self._raced,
            self._blocks[trace.block],
            found,
        )
        if not found[:, _COUNT].any():
            return
        for site in trace.sites:
            if found[site.index, _COUNT]:
                self._note(trace, site, found[site.index])

    def _look_at(self, trace: BlockTrace) -> tuple[SiteTable, NDArray[np.bool_]]:
        """The table of a trace's sites and which of them may touch the array, after room for what these do."""
        table = site_table(trace)
        looked_at = np.zeros(len(table.is_store), np.bool_)
        for site in trace.sites:
            loads_it = site.reads and site.kind is AccessKind.LOAD and site.array in (self._array.name, "")
            looked_at[site.index] = site.space is Space.GLOBAL and (site.kind is AccessKind.STORE or loads_it)
            if looked_at[site.index] and site.is_atomic and not self._changer.size:
                self._changer = np.zeros_like(self._writer)
            elif looked_at[site.index] and loads_it and not self._reader.size:
                self._reader = np.zeros_like(self._writer)
        return table, looked_at

    def hazards(self) -> tuple[Hazard, ...]:
        """One hazard per site that touches an element which an earlier block has written, or writes one that it read.

        `block` is the later block of the first such pair in the order of adding, `threads` its thread; the earlier
        block stands in `detail`. `count`: such accesses of the site, over all blocks. `elements`: all that race in the
        array, for any block that touches one of them takes part: two others do, or it is the one that writes.
        """
        if not self._found:
            return ()
        raced = in_rows(self._raced, self._array)
        edges = np.flatnonzero(np.diff(raced.astype(np.int8), prepend=0, append=0))
        elements = tuple(edges[: 2 * MOST_STRETCHES].tolist())
        return tuple(replace(hazard, array=self._array.name, elements=elements) for hazard in self._found.values())

    def _note(self, trace: BlockTrace, site: Site, found: NDArray[np.int64]) -> None:
        key = site.index, int(found[_DOES])
        known = self._found.get(key)
        if known is None:
            self._found[key] = self._hazard(trace, site, found)
        else:
            self._found[key] = replace(known, count=known.count + int(found[_COUNT]), blocks=known.blocks + 1)

    @property
    def _adds_up(self) -> bool:
        return self._array.name in _RESULTS or self._array.nbytes == self._array.element_bytes

    def _hazard(self, trace: BlockTrace, site: Site, found: NDArray[np.int64]) -> Hazard:
        earlier = list(self._blocks)[found[_EARLIER] - 1]
        address = self._array.base + int(found[_ELEMENT]) * self._array.element_bytes
        element = name_at([self._array], address)
        does = _CHANGES if site.is_atomic else _WRITES if site.kind is AccessKind.STORE else _READS
        verb, other = site.verb, _VERBS[found[_DOES]]
        by = self._only_site(int(found[_DOES]))
        others_line = f" ({line_words(by)})" if by is not None and by.line != site.line else ""
        outcome = "the value read" if _READS in (does, found[_DOES]) else "the final value"
        too = " too" if verb == other else ""
        mend = Mend.UNKNOWN
        kind, end = HazardKind.BLOCK_RACE, f"blocks cannot wait for each other, so {outcome} is undefined"
        if self._may_order_blocks:
            kind = HazardKind.POSSIBLE_RACE
            end = (
                f"{outcome} is defined only if the kernel's atomic operations and fences make one of the two blocks "
                "wait for the other, which is not examined"
            )
        is_plain_read = {does, int(found[_DOES])} == {_READS, _CHANGES}
        if is_plain_read:
            kind = HazardKind.PLAIN_READ
            end = "a read that is not atomic may be out of date, which is harmless only where an atomicCAS compares it"
        elif self._adds_up and update_it(trace, (site, site), (int(found[_THREAD]),), address):
            end, mend = f"{end}; {UNATOMIC_UPDATE}", Mend.ATOMIC
        return Hazard(
            kind=kind,
            line=site.line,
            text=site.text,
            block=trace.block,
            blocks=1,
            threads=(int(found[_THREAD]),),
            epoch=int(trace.slot_epoch[found[_SLOT]]),
            count=int(found[_COUNT]),
            detail=f"thread {found[_THREAD]} of block {trace.block} {verb} {element} ({line_words(site)}), and block "
            f"{earlier} {other} it{too}{others_line}; {end}",
            sites=(site.index,) if not others_line or by is None else (by.index, site.index),
            mend=mend,
        )

    def _only_site(self, does: int) -> Site | None:
        """An access of the one line of the kernel that may read, write or atomically change the array, None where
        several may: of an earlier block it is not kept which did.
        """
        table, looked_at = self._looked_at
        found = [
            one
            for one in self._sites or ()
            if looked_at[one.index]
            and does == (_CHANGES if table.is_atomic[one.index] else _WRITES if table.is_store[one.index] else _READS)
        ]
        return found[0] if len({one.line for one in found}) == 1 else None


@njit(cache=True, nogil=True)
def _claim(
    addresses: Addresses,
    slot_site: NDArray[np.int32],
    looked_at: NDArray[np.bool_],
    is_store: NDArray[np.bool_],
    is_atomic: NDArray[np.bool_],
    width_bytes: NDArray[np.int64],
    base: int,
    element_bytes: int,
    writer: NDArray[np.int32],
    reader: NDArray[np.int32],
    changer: NDArray[np.int32],
    raced: NDArray[np.bool_],
    number: int,
    found: NDArray[np.int64],
) -> None:
    """Enter a block for what it touches; `found`, shape (sites, 6), takes what another block touched against it, and
    `raced`, shape (elements,), which elements those are.
    """
    end = base + len(writer) * element_bytes
    for slot in range(addresses.shape[1]):
        site = slot_site[slot]
        if site == BARRIER_SITE or not looked_at[site]:
            continue
        width, stores, atomic = width_bytes[site], is_store[site], is_atomic[site]
        for warp in range(addresses.shape[0]):
            for lane in range(LANES):
                address = addresses[warp, slot, lane]
                if address == INACTIVE or not base <= address <= end - width:
                    continue
                counted = False  # an access of several elements counts once
                first, last = (address - base) // element_bytes, (address + width - 1 - base) // element_bytes
                for element in range(first, last + 1):
                    other, does = writer[element], _WRITES
                    if atomic:
                        if changer[element] == 0:
                            changer[element] = number
                    elif stores:
                        if other == 0:
                            writer[element] = number
                    elif reader[element] == 0:
                        reader[element] = number
                    if other in (0, number) and not atomic and changer.size:
                        other, does = changer[element], _CHANGES
                    if other in (0, number) and (stores or atomic) and reader.size:
                        other, does = reader[element], _READS
                    if other in (0, number):
                        continue
                    raced[element] = True
                    if not counted:
                        counted = True
                        if found[site, _COUNT] == 0:
                            found[site, _SLOT], found[site, _THREAD] = slot, warp * LANES + lane
                            found[site, _ELEMENT], found[site, _EARLIER] = element, other
                            found[site, _DOES] = does
                        found[site, _COUNT] += 1
