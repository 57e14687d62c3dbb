"""While tiles travel nothing is said to be done that is not: words and figures change when they have arrived."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from gemmviz.domain.trace_run import TraceRun
from gemmviz.gui.export.memory_picture import MemoryPicture
from gemmviz.gui.export.reel import reel_of
from gemmviz.gui.looks.theme import LIGHT
from gemmviz.gui.memory_view.looks import looks_of
from gemmviz.gui.memory_view.scene import Scene
from gemmviz.gui.memory_view.writing import write
from gemmviz.trace.frame_plan import FrameMode

Record = Callable[..., TraceRun]

pytestmark = pytest.mark.usefixtures("qapp")


def told(scene: Scene) -> list[str]:
    return [line.text for line in write(scene, looks_of(LIGHT))]


def picture(recorded: Record, kernel: str = "tiled", mode: FrameMode | None = None) -> MemoryPicture:
    return MemoryPicture(reel_of(recorded(kernel, "4x4x4", (0, 0), TILE=2), 0, mode), 1280, 656, LIGHT)


def test_that_slots_are_filled_when_the_tiles_have_come(recorded: Record) -> None:
    film = picture(recorded)
    on_the_way = told(film.scene(0, 0.5))
    assert on_the_way.count("filling") == 2
    assert on_the_way.count("empty") == 2
    assert "filled now" not in on_the_way
    there = told(film.scene(0, 1.0))
    assert there.count("filled now") == 2
    assert "filling" not in there
    assert "empty" not in there


@pytest.mark.parametrize("kernel", ["tiled", "tiled_global_accumulate"])
def test_that_counts_sums_and_values_of_c_are_those_before_the_frame_until_things_arrive(
    recorded: Record, kernel: str
) -> None:
    film = picture(recorded, kernel)
    count = len(reel_of(recorded(kernel, "4x4x4", (0, 0), TILE=2)).frames)
    before = film.scene(0)
    assert film.scene(0, 0.5).picture.tally.global_loads == 0  # type: ignore[union-attr]
    for index in range(1, count):
        under_way, there = film.scene(index, 0.5), film.scene(index)
        for now, then in ((under_way, before), (there, film.scene(index))):
            assert now.picture is not None
            assert then.picture is not None
            assert now.picture.tally == then.picture.tally
            assert (now.totals, now.kept, now.sums) == (then.totals, then.kept, then.sums)
            assert np.array_equal(now.terms, then.terms)  # None for kernels that have no sums in registers
            assert [now.in_c(row, column) for row in (0, 1) for column in (0, 1)] == [
                then.in_c(row, column) for row in (0, 1) for column in (0, 1)
            ]
        before = there
    assert before.in_c(0, 0) is not None
