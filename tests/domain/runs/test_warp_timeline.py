"""Warp timelines: what none can be, and how one is kept."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from warps import FOUR_TILES, Tile, warp_timeline

from gemmviz.domain.runs.result import Session
from gemmviz.domain.session.session import load_session, save_session


def test_that_a_timeline_counts_the_warps_of_its_sm_and_of_its_blocks() -> None:
    assert (warp_timeline().rows, warp_timeline().warps_per_block) == (2, 2)


@pytest.mark.parametrize(
    ("tiles", "fault"),
    [
        ((), "one row for each tile"),
        (((0, 5, 10, 9, 20, 40),), "ends a phase before it begins it"),
        (((0, 5, 10, 12, 20, 19),), "ends a phase before it begins it"),
        (((1, 5, 10, 12, 20, 40),), "rows do not follow each other"),
        (((0, 5, 0, 1, 2, 3), (2, 5, 0, 1, 2, 3)), "rows do not follow each other"),
        (((0, 5, 0, 1, 2, 30), (0, 5, 29, 31, 32, 33)), "begins a tile before it has ended another"),
    ],
)
def test_that_tiles_that_no_warp_can_have_are_refused(tiles: tuple[Tile, ...], fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        warp_timeline(tiles)


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"block": np.zeros(3, np.int64)}, "one row for each tile"),
        ({"window_cycles": 1001}, "longer than the launch"),
        ({"computing_cycles": 1001}, "longer than the launch"),
        ({"plain_ms": np.zeros(0)}, "was not timed"),
    ],
)
def test_that_a_timeline_that_contradicts_itself_is_refused(change: dict[str, Any], fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        warp_timeline(FOUR_TILES, **change)


def test_that_a_session_keeps_a_timeline(session: Session, tmp_path: Path, same: Any) -> None:
    one = warp_timeline()
    save_session(replace(session, warp_timelines=(one,)), tmp_path / "kept.gemmviz")
    (kept,) = load_session(tmp_path / "kept.gemmviz").warp_timelines
    assert same(kept, one)


def test_that_a_file_of_the_version_before_opens_without_timelines(forge: Callable[..., Path]) -> None:
    def older(manifest: dict[str, Any]) -> None:
        manifest["version"] = 21
        del manifest["session"]["warp_timelines"]

    assert load_session(forge(older)).warp_timelines == ()
