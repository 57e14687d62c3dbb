"""In which bank each slot of a shared array lies, as recorded or laid out otherwise. Pure."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.recordings.access import INACTIVE, MappedArray
from gemmviz.explain.requests.what_if import NewLayout, Swizzle, moved
from gemmviz.trace.model.pieces import NOTHING, pieces_of
from gemmviz.trace.model.rules import BANKS, LANES, WORD_BYTES, Lanes, banks_of_words

NO_SLOT = -1
MOST_SLOTS, MOST_ROWS = 1 << 16, 64
"""Of a larger array less is shown: rows from the first one that the request needs on."""


class SlotUse(Enum):
    """What a request has to do with a slot that stands out."""

    CONFLICT = "needed, in a bank with a conflict"
    NEEDED = "needed, in a bank without a conflict"
    OF_BANK = "not needed, in the bank that is marked"


@dataclass(frozen=True, slots=True, eq=False)
class SlotBanks:
    """A slot is a place in memory for one element. `banks`, `is_wanted` and `elements` have the shape in which the
    array is drawn: its rows, with a padding's columns, or for an array of one row lines of 32 words. `banks`: the bank
    of each slot's first byte; `elements`: the number of the element that lies there, row by row with `source_columns`
    each; both NO_SLOT where none lies. `is_wanted`: whether the request asks for something of the slot. `first_row`:
    the row that comes first; `is_part`: there are more rows than these.
    """

    banks: NDArray[np.int64]
    is_wanted: NDArray[np.bool_]
    elements: NDArray[np.int64]
    source_columns: int
    padding: int = 0
    first_row: int = 0
    is_part: bool = False

    def used_as(self, use: SlotUse, marked: int, conflicts: Collection[int]) -> NDArray[np.bool_]:
        """The slots of that use, shape (rows, columns); `marked` is one bank, `conflicts` are those with a conflict."""
        is_conflict = np.isin(self.banks, list(conflicts))
        match use:
            case SlotUse.CONFLICT:
                return self.is_wanted & is_conflict
            case SlotUse.NEEDED:
                return self.is_wanted & ~is_conflict
            case SlotUse.OF_BANK:
                is_marked: NDArray[np.bool_] = self.banks == marked
                return ~self.is_wanted & is_marked

    @property
    def rows(self) -> int:
        return int(self.banks.shape[0])

    @property
    def columns(self) -> int:
        return int(self.banks.shape[1])


def slot_banks(
    array: MappedArray, layout: NewLayout, piece: int, addresses: Lanes, width_bytes: int, in_source: int = 0
) -> SlotBanks:
    """The slots of an array in the order of memory; `addresses` is the request, as recorded. `in_source` columns at the
    right are padding in the source, too.
    """
    columns = array.columns if array.rows > 1 else BANKS * WORD_BYTES // array.element_bytes
    padding = layout.padding if array.rows > 1 else 0
    count = min(array.rows * array.columns, MOST_SLOTS)
    every = array.base + array.element_bytes * np.arange(-(-count // LANES) * LANES, dtype=np.int64).reshape(-1, LANES)
    there = moved(every, array, layout, piece).reshape(-1)[:count]
    places = (there - array.base) // array.element_bytes
    wanted = pieces_of((addresses - array.base)[None], width_bytes, array.element_bytes)[0]
    wanted = wanted[(addresses != INACTIVE)[:, None] & (wanted != NOTHING)]
    wanted = wanted[(wanted >= 0) & (wanted < count)]
    shape = int(places.max(initial=0)) // (columns + padding) + 1, columns + padding
    banks, elements = np.full(shape, NO_SLOT, np.int64), np.full(shape, NO_SLOT, np.int64)
    is_wanted = np.zeros(shape, np.bool_)
    banks.flat[places] = banks_of_words(there // WORD_BYTES)
    elements.flat[places] = np.arange(count)
    is_wanted.flat[places[wanted]] = True
    if in_source and layout.swizzle is Swizzle.NONE:  # a swizzle stores elements there, too
        unused = np.s_[:, columns - in_source : columns]
        banks[unused] = elements[unused] = NO_SLOT
        padding += in_source
    first = int(is_wanted.any(axis=1).argmax()) if len(banks) > MOST_ROWS else 0
    first = min(first, max(len(banks) - MOST_ROWS, 0))
    shown = slice(first, first + MOST_ROWS)
    is_part = len(banks) > MOST_ROWS
    return SlotBanks(banks[shown], is_wanted[shown], elements[shown], columns, padding, first, is_part)
