"""The words for addresses and sites in a finding."""

from __future__ import annotations

from collections.abc import Sequence

from gemmviz.domain.recordings.access import MappedArray, Site


def array_at(arrays: Sequence[MappedArray], address: int) -> MappedArray | None:
    """The array that holds the byte at a virtual address, if one does."""
    return next((array for array in arrays if array.base <= address < array.base + array.nbytes), None)


def name_at(arrays: Sequence[MappedArray], address: int) -> str:
    """The element that holds the byte at a virtual address: As[1,2], or sums[5] where a shared array has one row.

    Raises:
        ValueError: no array holds it.
    """
    array = array_at(arrays, address)
    if array is None:
        raise ValueError(f"address {address} lies in none of {[array.name for array in arrays]}")
    number = array.number_at((address - array.base) // array.element_bytes)
    return array.name_of(*divmod(number, array.columns))


def line_words(site: Site) -> str:
    """ "line 12", and where in an included file: "line 12 (tile.cuh:4)"; of an access that no one line calls, that:
    "tile.cuh:4".
    """
    if not site.line:
        return site.header or "in an included file"
    return f"line {site.line} ({site.header})" if site.header else f"line {site.line}"


def reachable(site: Site, arrays: Sequence[MappedArray]) -> list[MappedArray]:
    """The arrays that a site may touch: those of its name, or where no array has that name, all of its space."""
    in_space = [array for array in arrays if array.space is site.space]
    return [array for array in in_space if array.name == site.array] or in_space
