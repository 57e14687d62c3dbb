"""A number has the same digits wherever it stands in a picture: in global memory, in shared memory, on its way."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from PySide6.QtCore import QBuffer, QByteArray, QSize
from PySide6.QtGui import QPainter
from PySide6.QtSvg import QSvgGenerator

from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.gui.looks.theme import LIGHT
from gemmviz.gui.memory.playing.making import make
from gemmviz.gui.memory_view.memory_view import MemoryView
from gemmviz.gui.memory_view.paint.looks import looks_of
from gemmviz.gui.memory_view.paint.number_room import numbers_of
from gemmviz.gui.memory_view.paint.painter import paint_scene
from gemmviz.gui.memory_view.scene import Scene
from gemmviz.gui.memory_view.text.cell_values import NumberForm
from gemmviz.trace.frames.frames import natural_mode

Record = Callable[..., TraceRun]
pytestmark = pytest.mark.usefixtures("qapp")
WINDOWS = [(width, width * 9 // 16) for width in range(600, 2000, 100)]


def scene_of(run: TraceRun, size: tuple[int, int], frame: int) -> Scene:
    trace = run.blocks[0].trace(run.sites, run.arrays)
    view, made = MemoryView(LIGHT), make(run, trace, natural_mode(trace))
    view.resize(*size)
    view.show_recording(run, trace, made.frames, made.analysis)
    view.set_values(made.a, made.b, made.c)
    view.show_frame(made.frames.frame(frame))
    scene = view.picture_state()
    assert scene is not None
    return scene


def texts_of(scene: Scene) -> list[str]:
    """All that is written in a picture."""
    data = QByteArray()
    buffer, drawing = QBuffer(data), QSvgGenerator()
    buffer.open(QBuffer.OpenModeFlag.WriteOnly)
    drawing.setOutputDevice(buffer)
    drawing.setSize(QSize(round(scene.window.width), round(scene.window.height)))
    with QPainter(drawing) as painter:
        paint_scene(painter, scene, looks_of(LIGHT))
    return re.findall(r"<text[^>]*>\s*([^<]*?)\s*</text>", bytes(data.data()).decode())


def test_that_a_number_has_the_same_digits_in_every_array(recorded: Record) -> None:
    run = recorded("tiled", "8x8x8", (0, 0), TILE=4)
    several = 0
    for size in WINDOWS:
        written = [text for text in texts_of(scene_of(run, size, 0)) if re.fullmatch(r"-?0\.\d+", text)]
        assert len({len(text.partition(".")[2]) for text in written}) <= 1, (size, written)
        several += len(written) > 2 * 64
    assert several > 3, "there are windows in which global and shared memory show numbers"


def test_that_words_write_numbers_as_the_cells_do(recorded: Record) -> None:
    scene = scene_of(recorded("dot", "1x1x8", (0, 0), THREADS=8), (980, 560), 0)
    numbers = numbers_of(scene)
    assert numbers.factors.first == NumberForm(3)
    assert numbers.factors.text(0.37123456) == "0.371"
    assert [text for text in texts_of(scene) if re.search(r"\d\.\d", text)], "the tree has its numbers"


def test_that_a_picture_without_room_for_numbers_says_nothing_of_them(recorded: Record) -> None:
    scene = scene_of(recorded("tiled", "64x64x64", (0, 0), TILE=16), (320, 200), 0)
    assert numbers_of(scene).factors.first is None
