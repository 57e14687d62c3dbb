"""While tiles travel no value is shown that is not there; loads count from the frame's begin, as its caption says."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.explain.block.running_totals import NONE, TotalsSoFar
from gemmviz.gui.export.film_source import film_source_of
from gemmviz.gui.export.pictures.memory_picture import MemoryPicture
from gemmviz.gui.lessons.counters import COUNTERS
from gemmviz.gui.looks.theme import LIGHT
from gemmviz.gui.memory_view.paint.looks import looks_of
from gemmviz.gui.memory_view.scene import Scene
from gemmviz.gui.memory_view.text.text_layer import text_layer
from gemmviz.trace.frames.plan import FrameMode

Record = Callable[..., TraceRun]

pytestmark = pytest.mark.usefixtures("qapp")


def told(scene: Scene) -> list[str]:
    return [line.text for line in text_layer(scene, looks_of(LIGHT))]


def picture(recorded: Record, kernel: str = "tiled", mode: FrameMode | None = None) -> MemoryPicture:
    params = {"THREAD" if kernel == "naive" else "TILE": 2}
    return MemoryPicture(film_source_of(recorded(kernel, "4x4x4", (0, 0), **params), 0, mode), 1280, 656, LIGHT)


def test_that_slots_are_filled_when_the_tiles_have_come(recorded: Record) -> None:
    film = picture(recorded)
    on_the_way = told(film.scene(0, 0.5))
    assert on_the_way.count("filling") == 2
    assert {"rows 0–1, columns 0–1 of A", "rows 0–1, columns 0–1 of B"} <= set(on_the_way), "what fills them"
    assert "empty" not in on_the_way
    assert "filled now" not in on_the_way
    there = told(film.scene(0, 1.0))
    assert there.count("filled now") == 2
    assert "filling" not in there
    assert "empty" not in there


@pytest.mark.parametrize("kernel", ["tiled", "tiled_global_accumulate"])
def test_that_loads_count_at_once_and_sums_and_values_of_c_are_those_before_until_things_arrive(
    recorded: Record, kernel: str
) -> None:
    film = picture(recorded, kernel)
    count = len(film_source_of(recorded(kernel, "4x4x4", (0, 0), TILE=2)).frames)
    before = film.scene(0)
    assert film.scene(0, 0.5).picture.load_counters.global_loads == before.picture.load_counters.global_loads > 0
    for index in range(1, count):
        under_way, there = film.scene(index, 0.5), film.scene(index)
        assert under_way.picture is not None
        assert there.picture is not None
        assert under_way.picture.load_counters == there.picture.load_counters
        for now, then in ((under_way, before), (there, film.scene(index))):
            assert (now.sums.totals, now.sums.kept, now.sums.of_thread) == (
                then.sums.totals,
                then.sums.kept,
                then.sums.of_thread,
            )
            assert np.array_equal(now.sums.terms, then.sums.terms)  # None for kernels that have no sums in registers
            assert [now.in_result(row, column) for row in (0, 1) for column in (0, 1)] == [
                then.in_result(row, column) for row in (0, 1) for column in (0, 1)
            ]
        before = there
    assert before.in_result(0, 0) is not None


def test_that_the_loads_per_product_change_with_the_frame_like_the_loads(recorded: Record) -> None:
    film, figure = picture(recorded, mode=FrameMode.STEP), COUNTERS["shared_per_product"].figure
    count = len(film_source_of(recorded("tiled", "4x4x4", (0, 0), TILE=2), 0, FrameMode.STEP).frames)
    there = [figure(TotalsSoFar(), film.scene(index)) for index in range(count)]
    assert there[0] == NONE
    assert there[-1] == "2"
    assert [figure(TotalsSoFar(), film.scene(index, 0.5)) for index in range(count)] == there
