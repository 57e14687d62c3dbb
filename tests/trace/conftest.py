"""Recordings written down by hand, in a few lines of text or as arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from gemmviz.domain.recordings.access import BARRIER_SITE, INACTIVE, AccessKind, BlockTrace, MappedArray, Site, Space
from gemmviz.domain.recordings.warp import LANES

FAR = 1 << 40
BARRIER = "barrier"


@pytest.fixture(scope="session")
def trace_of() -> Callable[..., BlockTrace]:
    """The function `_trace_of`; a fixture, as tests cannot import this file."""
    return _trace_of


def _trace_of(
    sites: str,
    slots: str | Sequence[tuple[int, NDArray[np.int64]]],
    arrays: str = "",
    block: tuple[int, int, int] = (0, 0, 0),
    threads: int | None = None,
) -> BlockTrace:
    """A block's recording.

    `sites`: one per line, as `7 global load 4 A`: source line, space, kind, width in bytes, array. `arrays`: as
    `A global 3x5`, the first at address FAR, the next at 2·FAR and so on. `slots`: one per line, as
    `0 | A:0-31 | A:7*16 . B:3`: site, then the lanes of each warp: elements 0 to 31 of A; element 7 in sixteen lanes,
    an inactive lane, element 3 of B; lanes not mentioned are inactive. An element may lie outside, `A:-1`. A line
    `barrier` has every thread arrive. Or `slots` are pairs of a site (or BARRIER_SITE) and the addresses of its
    threads, shape (threads,). By default the threads are those of whole warps.
    """
    mapped = tuple(_array(place, line) for place, line in enumerate(_lines(arrays)))
    if isinstance(slots, str):
        base_of = {array.name: array.base for array in mapped}
        rows = [_slot(line, base_of) for line in _lines(slots)]
    else:
        rows = [(site, np.asarray(addresses, np.int64).reshape(1, -1)) for site, addresses in slots]
    warps = max([-(-addresses.size // LANES) for _, addresses in rows], default=1)
    columns = np.full((warps, len(rows), LANES), INACTIVE, np.int64)
    for slot, (site, addresses) in enumerate(rows):
        flat = np.full(warps * LANES, INACTIVE, np.int64)
        flat[: addresses.size] = addresses.ravel()
        columns[:, slot] = 0 if site == BARRIER_SITE and addresses.size == 0 else flat.reshape(warps, LANES)
    slot_site = np.array([site for site, _ in rows], np.int32)
    barriers = ((slot_site == BARRIER_SITE) & (columns != INACTIVE).any(axis=(0, 2))).astype(np.int32)
    return BlockTrace(
        block=block,
        threads=warps * LANES if threads is None else threads,
        sites=tuple(_site(index, line) for index, line in enumerate(_lines(sites))),
        arrays=mapped,
        slot_site=slot_site,
        slot_epoch=(np.cumsum(barriers) - barriers).astype(np.int32),
        addresses=columns,
    )


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]


def _site(index: int, line: str) -> Site:
    number, space, kind, width, array = line.split()
    return Site(index, int(number), index + 1, f"{array}[{index}]", Space(space), AccessKind(kind), int(width), array)


def _array(place: int, line: str) -> MappedArray:
    name, space, extent = line.split()
    rows, columns = map(int, extent.split("x"))
    return MappedArray(name, Space(space), (place + 1) * FAR, rows, columns)


def _slot(line: str, base_of: dict[str, int]) -> tuple[int, NDArray[np.int64]]:
    if line == BARRIER:
        return BARRIER_SITE, np.empty((0, LANES), np.int64)
    site, *warps = line.split("|")
    return int(site), np.array([_warp(text, base_of) for text in warps], np.int64).reshape(-1, LANES)


def _warp(text: str, base_of: dict[str, int]) -> list[int]:
    lanes: list[int] = []
    for word in text.split():
        lanes.extend(_lanes(word, base_of))
    return lanes + [INACTIVE] * (LANES - len(lanes))


def _lanes(word: str, base_of: dict[str, int]) -> list[int]:
    word, _, times = word.partition("*")
    if word == ".":
        return [INACTIVE] * int(times or 1)
    name, _, elements = word.partition(":")
    first, dash, last = elements[1:].partition("-")
    start = int(elements[0] + first)
    found = range(start, int(last) + 1) if dash else range(start, start + 1)
    return [base_of[name] + 4 * element for element in found] * int(times or 1)


@pytest.fixture(scope="session")
def tiled_block() -> Callable[..., BlockTrace]:
    """The function `_tiled_block`."""
    return _tiled_block


def _tiled_block(
    mnk: tuple[int, int, int], tile: int, bx: int, by: int, transposed: bool = False, only: Sequence[int] = range(7)
) -> BlockTrace:
    """What a block of the guarded tiled kernel does, its addresses computed from the source by hand.

    Sites 0 to 6: load A, store As, load B, store Bs, load As, load Bs, store C; others than `only` are left out.
    With `transposed` the tile of A is stored as As[tx][ty] and read as As[k][ty].
    """
    m, n, k = mnk
    a, b, c, tile_a, tile_b = (FAR * place for place in range(1, 6))
    thread = np.arange(tile * tile)
    tx, ty = thread % tile, thread // tile
    row, col = by * tile + ty, bx * tile + tx
    slots: list[tuple[int, NDArray[np.int64]]] = []
    for k0 in range(0, k, tile):
        slots.append((0, np.where((row < m) & (k0 + tx < k), a + 4 * (row * k + k0 + tx), INACTIVE)))
        slots.append((1, tile_a + 4 * (tx * tile + ty if transposed else ty * tile + tx)))
        slots.append((2, np.where((k0 + ty < k) & (col < n), b + 4 * ((k0 + ty) * n + col), INACTIVE)))
        slots.append((3, tile_b + 4 * (ty * tile + tx)))
        slots.append((BARRIER_SITE, thread * 0))
        for inner in range(tile):
            slots.append((4, tile_a + 4 * (inner * tile + ty if transposed else ty * tile + inner)))
            slots.append((5, tile_b + 4 * (inner * tile + tx)))
        slots.append((BARRIER_SITE, thread * 0))
    slots.append((6, np.where((row < m) & (col < n), c + 4 * (row * n + col), INACTIVE)))
    return _trace_of(
        """
        8 global load 4 A
        8 shared store 4 As
        9 global load 4 B
        9 shared store 4 Bs
        13 shared load 4 As
        13 shared load 4 Bs
        18 global store 4 C
        """,
        [(site, addresses) for site, addresses in slots if site in only or site == BARRIER_SITE],
        f"A global {m}x{k}\nB global {k}x{n}\nC global {m}x{n}\nAs shared {tile}x{tile}\nBs shared {tile}x{tile}",
        block=(bx, by, 0),
        threads=tile * tile,
    )
