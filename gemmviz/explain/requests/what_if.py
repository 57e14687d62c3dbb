"""What if a shared array were laid out otherwise: its recorded addresses moved, the wavefronts counted anew. Pure.

Element (row, column) of an array of `columns` columns goes to row · (columns + padding) + column', where column' is
the column or, swizzled, the column XOR the row; or pieces of 16 bytes change places within 128 or 64 bytes, as tensor
copies do it. It is a model: the kernel was not run so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np

from gemmviz.domain.recordings.access import INACTIVE, AccessKind, BlockTrace, MappedArray, Site, Space
from gemmviz.trace.model.rules import Requests
from gemmviz.trace.model.site_costs import SiteRequests, requests_of, wavefronts_of
from gemmviz.trace.ptx.decoding.rows import swizzled

MOST_PADDING = 8


class Swizzle(StrEnum):
    """Which places are exchanged by XOR.

    COLUMN: column XOR row, the columns in pieces as wide as the array's widest access. PIECES_128, PIECES_64: 16-byte
    pieces within 128 or 64 bytes, by the number of the 128 bytes (CuTe's Swizzle<3,4,3> and Swizzle<2,4,3>; the
    swizzling modes of a tensor copy).
    """

    NONE = "none"
    COLUMN = "column XOR row"
    PIECES_64 = "64-byte swizzle"
    PIECES_128 = "128-byte swizzle"


_SWIZZLED_BYTES = {Swizzle.PIECES_64: 64, Swizzle.PIECES_128: 128}


@dataclass(frozen=True, slots=True)
class NewLayout:
    """How the array would lie: `padding` columns more in each row, and which places are exchanged."""

    padding: int = 0
    swizzle: Swizzle = Swizzle.NONE

    @property
    def is_as_recorded(self) -> bool:
        return not self.padding and self.swizzle is Swizzle.NONE


AS_RECORDED = NewLayout()


@dataclass(frozen=True, slots=True, eq=False)
class RecordedSite:
    """All requests of a block at one site on the array, and what they cost as recorded."""

    requests: SiteRequests
    wavefronts: int
    ideal: int


@dataclass(frozen=True, slots=True, eq=False)
class ArrayRequests:
    """All requests of a block on one shared array, site by site; `piece` elements always stay neighbours.

    `source_padding`: how many columns pad its rows as it was recorded; None where the recording leaves that open.
    """

    array: MappedArray
    sites: tuple[RecordedSite, ...]
    piece: int
    source_padding: int | None = None

    @property
    def requests(self) -> int:
        return sum(len(each.requests) for each in self.sites)


@dataclass(frozen=True, slots=True)
class SiteEffect:
    """The wavefronts of one site, as recorded and as modelled."""

    site: Site
    requests: int
    ideal: int
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class Effect:
    """What a new layout does: site by site, and to the shared memory a block takes."""

    layout: NewLayout
    sites: tuple[SiteEffect, ...]
    bytes_before: int
    bytes_after: int

    @property
    def before(self) -> int:
        """Wavefronts of all sites as recorded."""
        return sum(site.before for site in self.sites)

    @property
    def after(self) -> int:
        """Wavefronts of all sites in the new layout."""
        return sum(site.after for site in self.sites)

    @property
    def ideal(self) -> int:
        return sum(site.ideal for site in self.sites)


def shared_arrays(block: BlockTrace) -> tuple[MappedArray, ...]:
    """The arrays that can be laid out otherwise: shared ones with more than one row."""
    return tuple(array for array in block.arrays if array.space is Space.SHARED and array.rows > 1)


def requests_on(block: BlockTrace, array: MappedArray) -> ArrayRequests:
    """Gather what the block does with an array."""
    found = []
    for site in block.sites:
        slots = np.flatnonzero(block.slot_site == site.index)
        if site.space is not Space.SHARED or not site.path.is_requested or not slots.size:
            continue
        requests = requests_of(block, site, range(block.addresses.shape[0]), slots.tolist()).active
        if np.any((requests.addresses >= array.base) & (requests.addresses < array.base + array.nbytes)):
            before, ideal = (int(counted.sum()) for counted in wavefronts_of(requests))
            found.append(RecordedSite(requests, before, ideal))
    widest = max((each.requests.site.width_bytes for each in found), default=array.element_bytes)
    padding = _padding_recorded(array, found, block.threads)
    return ArrayRequests(array, tuple(found), max(widest // array.element_bytes, 1), padding)


def moved(addresses: Requests, array: MappedArray, layout: NewLayout, piece: int) -> Requests:
    """Where the lanes would point, shape (n, 32). Lanes that take no part or point elsewhere stay as they are.

    Column XOR row moves `piece` elements together, so that the widest access finds its bytes side by side; it needs
    rows of 2 pieces or more, and the columns beyond the largest power of two of pieces stay where they are. The other
    swizzles exchange the places that padding gave, counted from the array's first byte.
    """
    offset = addresses - array.base
    inside = (addresses != INACTIVE) & (offset >= 0) & (offset < array.nbytes)
    element, byte = np.divmod(offset, array.element_bytes)
    row, column = np.divmod(element, array.columns)
    if layout.swizzle is Swizzle.COLUMN:
        swapped = _largest_power(array.columns // piece)
        group, rest = np.divmod(column, piece)
        column = np.where(group < swapped, (group ^ (row % max(swapped, 1))) * piece + rest, column)
    place = (row * (array.columns + layout.padding) + column) * array.element_bytes + byte
    there = array.base + swizzled(place, _SWIZZLED_BYTES.get(layout.swizzle, 0))
    return np.where(inside, there, addresses)


def effect_of(requests: ArrayRequests, layout: NewLayout) -> Effect:
    """Count the wavefronts of all requests anew."""
    array = requests.array
    sites = tuple(
        SiteEffect(
            each.requests.site,
            len(each.requests),
            each.ideal,
            each.wavefronts,
            each.wavefronts if layout.is_as_recorded else _wavefronts(each, requests, layout),
        )
        for each in requests.sites
    )
    return Effect(layout, sites, array.nbytes, bytes_of(array, layout))


def bytes_of(array: MappedArray, layout: NewLayout) -> int:
    """The shared memory an array takes; what is exchanged within 64 or 128 bytes needs the last of them whole."""
    needed = array.rows * (array.columns + layout.padding) * array.element_bytes
    whole = _SWIZZLED_BYTES.get(layout.swizzle, 1)
    return -(-needed // whole) * whole


def splits_vectors(requests: ArrayRequests, layout: NewLayout) -> bool:
    """Whether rows would begin where the array's widest access may not: the kernel could not be written so."""
    return requests.piece > 1 and (requests.array.columns + layout.padding) % requests.piece != 0


def _padding_recorded(array: MappedArray, sites: Sequence[RecordedSite], threads: int) -> int | None:
    """The columns at the end of every row that nothing touches, where all others are used in every row.

    None where that is open: a block at an edge of the matrix leaves out a part of its tile, so as many lanes must store
    to the array, site by site, as the block has threads or a multiple of it.
    """
    used = np.zeros((array.rows, array.columns), np.bool_)
    is_stored = False
    for each in sites:
        addresses, width = each.requests.addresses, each.requests.site.width_bytes
        offset = addresses[(addresses >= array.base) & (addresses < array.base + array.nbytes)] - array.base
        for byte in range(0, width, array.element_bytes):
            element = (offset + byte) // array.element_bytes
            used.reshape(-1)[element[element < used.size]] = True
        if each.requests.site.kind is AccessKind.STORE:
            is_stored = True
            if np.count_nonzero(addresses != INACTIVE) % threads:
                return None
    columns = np.flatnonzero(used.any(axis=0))
    if not is_stored or not columns.size or not used[:, : columns[-1] + 1].all():
        return None
    return int(array.columns - 1 - columns[-1])


def _wavefronts(each: RecordedSite, requests: ArrayRequests, layout: NewLayout) -> int:
    addresses = moved(each.requests.addresses, requests.array, layout, requests.piece)
    return int(wavefronts_of(replace(each.requests, addresses=addresses))[0].sum())


def _largest_power(number: int) -> int:
    """The largest power of two that is not above it; 0 for 0."""
    return 1 << (number.bit_length() - 1) if number else 0
