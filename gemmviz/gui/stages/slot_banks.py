"""In which bank each slot of a shared array lies, as recorded or laid out otherwise. Pure."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.recordings.access import INACTIVE, MappedArray
from gemmviz.explain.requests.what_if import NewLayout, moved
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
    """`banks` and `is_wanted` have the shape in which the array is drawn: its rows, with a padding's columns, or for an
    array of one row lines of 32 words. `banks`: the bank of each slot's first byte, NO_SLOT where there is none.
    `is_wanted`: whether the request asks for something of the slot. `first_row`: the row of the array that comes first;
    `is_part`: there are more rows than these.
    """

    banks: NDArray[np.int64]
    is_wanted: NDArray[np.bool_]
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


def slot_banks(array: MappedArray, layout: NewLayout, piece: int, addresses: Lanes, width_bytes: int) -> SlotBanks:
    """The banks of an array's slots; `addresses` is the request, as recorded."""
    columns = array.columns if array.rows > 1 else BANKS * WORD_BYTES // array.element_bytes
    count = min(array.rows * array.columns, MOST_SLOTS)
    slots = array.base + array.element_bytes * np.arange(-(-count // LANES) * LANES, dtype=np.int64).reshape(-1, LANES)
    there = moved(slots, array, layout, piece).reshape(-1)[:count]
    elements = pieces_of((addresses - array.base)[None], width_bytes, array.element_bytes)[0]
    elements = elements[(addresses != INACTIVE)[:, None] & (elements != NOTHING)]
    wanted = np.zeros(count, np.bool_)
    wanted[elements[(elements >= 0) & (elements < count)]] = True
    banks = _in_rows(banks_of_words(there // WORD_BYTES), columns, NO_SLOT)
    padding = layout.padding if array.rows > 1 else 0
    is_wanted = _in_rows(wanted, columns, False)
    first = int(is_wanted.any(axis=1).argmax()) if len(banks) > MOST_ROWS else 0
    first = min(first, max(len(banks) - MOST_ROWS, 0))
    shown, added = slice(first, first + MOST_ROWS), ((0, 0), (0, padding))
    return SlotBanks(
        np.pad(banks[shown], added, constant_values=NO_SLOT),
        np.pad(is_wanted[shown], added),
        padding,
        first,
        len(banks) > MOST_ROWS,
    )


def _in_rows(values: NDArray[np.int64] | NDArray[np.bool_], columns: int, missing: int) -> NDArray[np.int64]:
    """A column of values in rows, the last one filled up."""
    found: NDArray[np.int64] = np.append(values, np.full(-values.size % columns, missing, values.dtype))
    return found.reshape(-1, columns)
