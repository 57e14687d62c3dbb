"""The picture of a recording says on which device it was made."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from gemmviz.domain.access import BlockTrace
from gemmviz.domain.trace_run import TraceRun
from gemmviz.gui.looks.theme import LIGHT
from gemmviz.gui.memory_view.heat_maps import HeatKind
from gemmviz.gui.memory_view.looks import looks_of
from gemmviz.gui.memory_view.memory_view import MemoryView
from gemmviz.gui.memory_view.scene import Scene
from gemmviz.gui.memory_view.writing import write
from gemmviz.trace.frames import Frames

Record = Callable[..., TraceRun]
BlockOf = Callable[..., BlockTrace]
Show = Callable[..., tuple[MemoryView, Frames]]
DEVICE = "recorded on NVIDIA H200"
DRIVER = f"{DEVICE}, driver 580.159.04"
WHOLE = f"{DRIVER}, 2026-11-22"


def on_gpu(scene: Scene | None) -> Scene:
    assert scene is not None
    device = replace(scene.run.device, name="NVIDIA H200", driver="580.159.04")
    return replace(scene, run=replace(scene.run, device=device, finished="2026-11-22T12:00:29+00:00"))


def said(scene: Scene) -> list[str]:
    return [one.text for one in write(scene, looks_of(LIGHT)).place]


@pytest.mark.parametrize("heat", [HeatKind.NONE, HeatKind.IN_ALL])
@pytest.mark.parametrize(("size", "lines"), [((980, 560), 1), ((675, 420), 2)])
def test_that_device_driver_and_day_stand_in_the_picture(
    show: Show, recorded: Record, size: tuple[int, int], lines: int, heat: HeatKind
) -> None:
    view, _ = show(recorded("tiled", "64x64x64", (1, 2)))
    view.resize(*size)
    view.set_heat(heat)
    found = said(on_gpu(view.picture_state()))
    assert " ".join(found) == WHOLE
    assert len(found) <= lines


def test_that_lines_become_more_before_anything_gives_way(show: Show, recorded: Record) -> None:
    view, _ = show(recorded("tiled", "64x64x64", (1, 2)))
    found: dict[str, set[int]] = {}
    for width in range(1000, 300, -20):
        view.resize(width, 400)
        lines = said(on_gpu(view.picture_state()))
        found.setdefault(" ".join(lines), set()).add(len(lines))
    assert found.pop(WHOLE) >= {1, 2, 3}
    assert set(found) <= {"", DRIVER, f"{DEVICE}, 2026-11-22", DEVICE}
    assert all(lines == {1} for words, lines in found.items() if words), "only the foot has room"


def test_that_as_much_as_fits_is_said_where_only_the_foot_has_room(show: Show, recorded: Record) -> None:
    view, _ = show(recorded("tiled", "64x64x64", (1, 2)))
    view.zoom_in()
    found = []
    for width in range(1000, 300, -20):
        view.resize(width, 400)
        found += [words for words in said(on_gpu(view.picture_state())) if words not in found]
    assert found == [WHOLE, DRIVER, f"{DEVICE}, 2026-11-22", DEVICE]


def test_that_a_picture_that_names_the_device_elsewhere_does_not_say_it_twice(show: Show, recorded: Record) -> None:
    view, _ = show(recorded("tiled", "64x64x64", (1, 2)))
    assert said(replace(on_gpu(view.picture_state()), names_device=False)) == []
