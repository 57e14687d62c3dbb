"""Warp timelines for tests, written by hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from scheduling import gpu

from gemmviz.domain.runs.warp_timeline import WarpTimeline
from gemmviz.domain.shape import Shape
from gemmviz.domain.spec import Launch, RunSpec
from gemmviz.domain.terms import Mode

Tile = tuple[int, int, int, int, int, int]
"""Row and block; load, arrive, start, stop."""
FOUR_TILES: tuple[Tile, ...] = (
    (0, 5, -20, 10, 20, 40),
    (0, 5, 45, 60, 70, 90),
    (1, 5, -10, 15, 20, 30),
    (1, 5, 45, 65, 70, 130),
)


def warp_timeline(tiles: Sequence[Tile] = FOUR_TILES, **others: Any) -> WarpTimeline:
    """Two warps of one block in 100 cycles, or other tiles."""
    row, block, load, arrive, start, stop = np.array(tiles, np.int64).reshape(-1, 6).T
    facts: dict[str, Any] = {
        "spec": RunSpec("tiled", Shape(64, 64, 64), (("TILE", 16),), "cuda:00112233", mode=Mode.HOT),
        "device": gpu(),
        "launch": Launch((4, 4, 1), (16, 4, 1)),
        "unit": 3,
        "blocks_per_unit": 1,
        "row": row.astype(np.int32),
        "block": block,
        "load": load,
        "arrive": arrive,
        "start": start,
        "stop": stop,
        "window_cycles": 100,
        "launch_cycles": 1000,
        "computing_cycles": 400,
        "plain_ms": np.array([1.0, 3.0, 2.0]),
        "stamped_ms": np.array([4.0]),
        "finished": "2026-01-02T03:04:05+00:00",
    }
    return WarpTimeline(**(facts | others))
