"""The picture of a recording says on which device it was made."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import pytest

from gemmviz.domain.device import EMULATOR, DeviceKind
from gemmviz.domain.recordings.access import BlockTrace
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.explain.block.heat_maps import HeatKind
from gemmviz.gui.looks.theme import LIGHT
from gemmviz.gui.memory_view.memory_view import MemoryView
from gemmviz.gui.memory_view.paint.looks import Looks, looks_of
from gemmviz.gui.memory_view.places.placed import NO_REGISTERS, WIDEN
from gemmviz.gui.memory_view.scene import Scene
from gemmviz.gui.memory_view.text.place import EMULATED, NEARER, ON_CPU, lesson_labels
from gemmviz.gui.memory_view.text.text_layer import text_layer
from gemmviz.trace.frames.frames import Frames

Record = Callable[..., TraceRun]
BlockOf = Callable[..., BlockTrace]
Show = Callable[..., tuple[MemoryView, Frames]]
DEVICE = "recorded as written on NVIDIA H200"
DRIVER = f"{DEVICE}, driver 580.159.04"
WHOLE = f"{DRIVER}, 2026-11-22"


@pytest.fixture(scope="module")
def looks(qapp: object) -> Looks:
    """The fonts are needed."""
    assert qapp is not None
    return looks_of(LIGHT)


def on_gpu(scene: Scene | None) -> Scene:
    assert scene is not None
    device = replace(
        scene.run.device, id="cuda:0", backend="cuda", name="NVIDIA H200", kind=DeviceKind.GPU, driver="580.159.04"
    )
    return replace(scene, run=replace(scene.run, device=device, finished="2026-11-22T12:00:29+00:00"))


def said(scene: Scene) -> list[str]:
    """What the line says of the recording."""
    return [one.text for one in text_layer(scene, looks_of(LIGHT)).place if one.text not in NEARER]


@pytest.mark.parametrize("heat", [HeatKind.NONE, HeatKind.IN_ALL])
@pytest.mark.parametrize("size", [(980, 560), (675, 420)])
def test_that_device_driver_and_day_stand_in_the_picture(
    show: Show, recorded: Record, size: tuple[int, int], heat: HeatKind
) -> None:
    view, _ = show(recorded("tiled", "64x64x64", (1, 2)))
    view.resize(*size)
    view.set_heat(heat)
    assert said(on_gpu(view.picture_state())) == [WHOLE]


def test_that_the_line_stands_still_while_the_legend_changes(show: Show, recorded: Record, looks: Looks) -> None:
    view, frames = show(recorded("tiled_padded", "64x64x64", (1, 2)))
    places, legends = set(), set()
    for index in range(len(frames)):
        view.show_frame(frames.frame(index))
        written = text_layer(on_gpu(view.picture_state()), looks)
        places.add(written.place)
        legends.add(tuple(line.text for line in written.legend.words))
    assert len(legends) > 1
    assert len(places) == 1


def test_that_less_is_said_where_there_is_less_room(show: Show, recorded: Record) -> None:
    view, _ = show(recorded("tiled", "64x64x64", (1, 2)))
    found = []
    for width in range(1000, 310, -10):
        view.resize(width, 400)
        found += [words for words in said(on_gpu(view.picture_state())) if words not in (*found, WIDEN, NO_REGISTERS)]
    assert found[:2] == [WHOLE, f"{DEVICE}, 2026-11-22"]
    assert not any(words.endswith("…") for words in found), "words that say less stand there instead"


def test_that_a_picture_without_numbers_says_from_which_size_on_there_are_some(
    show: Show, recorded: Record, looks: Looks
) -> None:
    def hints(scene: Scene | None) -> list[str]:
        return [one.text for one in text_layer(on_gpu(scene), looks).place if one.text in NEARER]

    view, _ = show(recorded("tiled", "64x64x64", (1, 2)))
    assert hints(view.picture_state()) == [NEARER[0]]
    view.present(True)  # nobody zooms in a file, and keys for that are named elsewhere
    assert hints(view.picture_state()) == []
    view.present(False)
    while hints(view.picture_state()):
        view.zoom_in()
    state = view.picture_state()
    assert state is not None
    assert state.shows_numbers
    assert not state.camera.shows_all


def test_that_a_picture_without_room_for_the_registers_says_so_and_how_much_larger_it_must_be(
    show: Show, recorded: Record
) -> None:
    view, _ = show(recorded("tiled", "64x64x64", (1, 2)))
    view.resize(320, 240)
    state = view.picture_state()
    assert state is not None
    assert state.onchip.registers is None
    assert state.layout.notes[-2:] == (WIDEN, NO_REGISTERS), "why, and what to do"
    found = re.search(r"(\d+) % larger", " ".join(state.layout.notes))
    assert found is not None
    view.present(True)
    state = view.picture_state()
    assert state is not None
    assert state.onchip.registers is None
    assert not state.layout.notes, "an audience cannot make the picture larger"
    view.present(False)
    factor = 1 + int(found[1]) / 100
    view.resize(round(320 * factor), round(240 * factor))
    state = view.picture_state()
    assert state is not None
    assert state.onchip.registers is not None
    assert not state.layout.notes


def test_that_a_picture_that_names_the_device_elsewhere_does_not_say_it_twice(show: Show, recorded: Record) -> None:
    view, _ = show(recorded("tiled", "64x64x64", (1, 2)))
    scene = on_gpu(view.picture_state())
    assert said(replace(scene, notes=replace(scene.notes, names_device=False))) == []


@pytest.mark.parametrize(
    ("kernel", "size", "block", "params"),
    [("tiled", "37x64x5", (8, 9), {"TILE": 4}), ("dot", "1x1x300", (0, 0), {}), ("naive", "1x64x4", (0, 0), {})],
)
@pytest.mark.parametrize("width", [320, 420, 674, 980, 1314])
def test_that_what_is_not_to_scale_is_said_at_the_right_and_never_cut(
    show: Show,
    recorded: Record,
    looks: Looks,
    kernel: str,
    size: str,
    block: tuple[int, int],
    params: dict[str, int],
    width: int,
) -> None:
    view, _ = show(recorded(kernel, size, block, **params))
    view.resize(width, 430)
    scene = on_gpu(view.picture_state())
    place, note = text_layer(scene, looks).place
    assert note.text in scene.layout.notes
    assert note.box.right == pytest.approx(width - 16)
    assert place.box.right + 8 <= note.box.x


def test_that_a_lesson_says_what_executed_the_kernel_and_no_version(show: Show, recorded: Record) -> None:
    view, _ = show(recorded("tiled", "64x64x64", (1, 2)))
    scene = on_gpu(view.picture_state())
    scene = replace(scene, notes=replace(scene.notes, is_in_lesson=True))
    assert said(scene) == ["recorded on NVIDIA H200, 2026-11-22"]
    cpu = replace(scene.run.device, name="AMD EPYC", kind=DeviceKind.CPU, driver="OpenCL 3.0")
    machine = replace(cpu, backend=EMULATOR)
    for device, words in ((cpu, ON_CPU), (machine, EMULATED)):
        run = replace(scene.run, device=device)
        assert said(replace(scene, run=run)) == [f"{words}, 2026-11-22"]
        assert lesson_labels(run)[1] == "recorded on a CPU, 2026-11-22", "where there is less room"


@pytest.mark.parametrize(("width", "least"), [(420, 0.5), (980, 5.0)])
def test_that_the_legend_stands_apart_from_the_line_below_it(
    show: Show, recorded: Record, width: int, least: float
) -> None:
    """In two lines, where there is little room, and in one."""
    view, _ = show(recorded("tiled", "64x64x64", (1, 2)), 2)
    view.resize(width, 560)
    scene = view.picture_state()
    assert scene is not None
    written = text_layer(scene, looks_of(LIGHT))
    assert written.legend.words
    assert written.place
    assert min(line.box.y for line in written.place) - max(line.box.bottom for line in written.legend.words) >= least
