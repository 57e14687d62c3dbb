"""Two blocks that write one element: blocks cannot wait for each other, so which of them comes last is chance."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numba import njit
from numpy.typing import NDArray

from gemmviz.domain.access import BARRIER_SITE, INACTIVE, LANES, BlockTrace, MappedArray, Site, Space
from gemmviz.trace.bounds import Addresses
from gemmviz.trace.findings import Hazard, HazardKind
from gemmviz.trace.naming import element_name
from gemmviz.trace.site_table import site_table

_COUNT, _SLOT, _THREAD, _ELEMENT, _EARLIER = range(5)


class CrossBlockWrites:
    """Remembers which block wrote each element of one global array, while blocks are added one by one.

    Memory: 4 bytes per element of the array. Not for use by several threads at once.
    """

    def __init__(self, array: MappedArray) -> None:
        self._array = array
        self._writer = np.zeros(array.rows * array.columns, np.int32)
        """The number of the first block that wrote each element, from 1; 0 where none has."""
        self._blocks: dict[tuple[int, int, int], int] = {}
        self._found: dict[int, Hazard] = {}

    def add(self, trace: BlockTrace) -> None:
        """Take in one block; stores outside the array are left out.

        Raises:
            ValueError: the block was added before, or the trace is not whole (`site_table`).
        """
        table = site_table(trace)
        if trace.block in self._blocks:
            raise ValueError(f"block {trace.block} was added before: each block of a grid writes once")
        self._blocks[trace.block] = len(self._blocks) + 1
        found = np.zeros((len(table.is_store), 5), np.int64)
        _claim(
            trace.addresses, trace.slot_site, table.is_store & table.is_global, table.width_bytes,
            self._array.base, self._array.element_bytes, self._writer, self._blocks[trace.block], found,
        )  # fmt: skip
        for site in trace.sites:
            if site.space is Space.GLOBAL and found[site.index, _COUNT]:
                self._note(trace, site, found[site.index])

    def hazards(self) -> tuple[Hazard, ...]:
        """One hazard per site that stores to an element which an earlier block has written, as of the blocks so far.

        `block` is the later block of the first such pair in the order of adding, `threads` its thread; the earlier
        block stands in `detail`. `count`: the stores, over all blocks, to elements that another block wrote first.
        """
        return tuple(self._found.values())

    def _note(self, trace: BlockTrace, site: Site, found: NDArray[np.int64]) -> None:
        known = self._found.get(site.index)
        if known is None:
            self._found[site.index] = self._hazard(trace, site, found)
        else:
            self._found[site.index] = replace(known, count=known.count + int(found[_COUNT]))

    def _hazard(self, trace: BlockTrace, site: Site, found: NDArray[np.int64]) -> Hazard:
        earlier = list(self._blocks)[found[_EARLIER] - 1]
        address = self._array.base + int(found[_ELEMENT]) * self._array.element_bytes
        element = element_name([self._array], address)
        return Hazard(
            kind=HazardKind.BLOCK_RACE,
            line=site.line,
            text=site.text,
            block=trace.block,
            threads=(int(found[_THREAD]),),
            epoch=int(trace.slot_epoch[found[_SLOT]]),
            count=int(found[_COUNT]),
            detail=f"thread {found[_THREAD]} of block {trace.block} writes {element} (line {site.line}), and block "
            f"{earlier} writes it too; blocks cannot wait for each other, so which of them comes last is chance",
            sites=(site.index,),
        )


@njit(cache=True, nogil=True)
def _claim(
    addresses: Addresses,
    slot_site: NDArray[np.int32],
    is_global_store: NDArray[np.bool_],
    width_bytes: NDArray[np.int64],
    base: int,
    element_bytes: int,
    writer: NDArray[np.int32],
    number: int,
    found: NDArray[np.int64],
) -> None:
    """Enter a block as the writer of what it stores; `found`, shape (sites, 5), takes what another has written."""
    end = base + len(writer) * element_bytes
    for slot in range(addresses.shape[1]):
        site = slot_site[slot]
        if site == BARRIER_SITE or not is_global_store[site]:
            continue
        width = width_bytes[site]
        for warp in range(addresses.shape[0]):
            for lane in range(LANES):
                address = addresses[warp, slot, lane]
                if address == INACTIVE or not base <= address <= end - width:
                    continue
                counted = False  # an access of several elements counts once
                first, last = (address - base) // element_bytes, (address + width - 1 - base) // element_bytes
                for element in range(first, last + 1):
                    if writer[element] == 0:
                        writer[element] = number
                    elif writer[element] != number and not counted:
                        counted = True
                        if found[site, _COUNT] == 0:
                            found[site, _SLOT], found[site, _THREAD] = slot, warp * LANES + lane
                            found[site, _ELEMENT], found[site, _EARLIER] = element, writer[element]
                        found[site, _COUNT] += 1
