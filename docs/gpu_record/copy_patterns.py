"""Where one warp copies from and to in the probe of asynchronous copies: sources crossed with destinations. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

LANES = 32
KERNELS = {"probe_4": 4, "probe_8": 8, "probe_16": 16, "probe_past_l1": 16}
"""Entry of copy_probe.cu, and the bytes a lane copies."""

Offsets = NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class Pattern:
    """One launch: of each lane the byte offsets into global memory, -1 where it takes no part, and into shared memory,
    and how many bytes it reads.
    """

    name: str
    entry: str
    source: Offsets
    target: Offsets
    read: Offsets


def rows(width: int, lanes: int, pitch: int, begin: int = 0) -> Offsets:
    """Rows of so many lanes side by side, `pitch` bytes apart.

    >>> rows(16, 2, 48)[:4].tolist()
    [0, 16, 48, 64]
    """
    lane = np.arange(LANES)
    return (begin + lane // lanes * pitch + lane % lanes * width).astype(np.int32)


def every_pattern() -> Iterator[Pattern]:
    """All launches; the random ones are the same each time."""
    draw = np.random.default_rng(17)
    for entry, width in KERNELS.items():
        many = width == 16
        everywhere = np.full(LANES, width, np.int32)
        for (source, taken), (target, put) in product(sources(width, many), targets(width, many)):
            yield Pattern(f"{source} to {target}", entry, taken, put, everywhere)
        for number in range(24 if many else 8):
            taken = draw.integers(0, 4096, LANES).astype(np.int32) * width
            put = draw.permutation(1024)[:LANES].astype(np.int32) * width
            read = everywhere if number % 3 else np.where(draw.random(LANES) < 0.5, width, 0).astype(np.int32)
            taken = np.where(draw.random(LANES) < 0.3, -1, taken).astype(np.int32) if number % 2 else taken
            yield Pattern(f"random {number}", entry, taken, put, read)
        for part in (1, 3, 8, 17):
            taken = np.where(np.arange(LANES) < part, rows(width, LANES, 0), -1).astype(np.int32)
            yield Pattern(f"{part} lanes", entry, taken, rows(width, LANES, 0), everywhere)
            yield Pattern(
                f"{part} lanes read, others zero",
                entry,
                rows(width, LANES, 0),
                rows(width, 8, 9 * width),
                np.where(np.arange(LANES) < part, width, 0).astype(np.int32),
            )


def sources(width: int, many: bool) -> Iterator[tuple[str, Offsets]]:
    """Where from: together, shifted, in rows of 2 to 16 lanes, apart, all from one place, backwards."""
    yield "together", rows(width, LANES, 0)
    yield "rows of 8", rows(width, 8, 4096)
    yield "apart", rows(width, 1, 256)
    if many:
        yield "shifted by one", rows(width, LANES, 0, width)
        yield "rows of 2", rows(width, 2, 1024)
        yield "rows of 4", rows(width, 4, 1024 + 3 * width)
        yield "rows of 16", rows(width, 16, 4096 + width)
        yield "one place", rows(width, 1, 0)
        yield "backwards", rows(width, LANES, 0)[::-1].copy()


def targets(width: int, many: bool) -> Iterator[tuple[str, Offsets]]:
    """Where to: together from every multiple of the width in a line, in rows with padding or none, apart, swizzled."""
    for begin in range(0, 128 if many else 32, width):
        yield f"together from {begin}", rows(width, LANES, 0, begin)
    for lanes, pads in ((8, (0, 1, 2, 4, 8)), (4, (0, 1, 2)), (16, (0, 1))):
        for pad in pads if many else pads[:2]:
            yield f"rows of {lanes} and {pad} of padding", rows(width, lanes, (lanes + pad) * width)
    yield "apart by 1", rows(width, 1, 2 * width)
    if many:
        yield "apart by 2", rows(width, 1, 3 * width)
        yield "apart by 7", rows(width, 1, 8 * width)
        yield "apart by 8", rows(width, 1, 9 * width)
        lane = np.arange(LANES)
        yield "swizzled by 8", (lane // 8 * 8 + (lane % 8 ^ lane // 8)).astype(np.int32) * width
        yield "pairs exchanged", (lane ^ 1).astype(np.int32) * width
        yield "backwards", (31 - lane).astype(np.int32) * width
