"""Pictures of kernels as other people write them: column by column, in half, with a result D."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtGui import QColor, QImage

from gemmviz.catalogue.loader import load_user_kernel
from gemmviz.domain.recordings.access import AccessKind
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import CodeForm
from gemmviz.engine.messages import Conditions, Job
from gemmviz.engine.recording import device_for_recording, record
from gemmviz.explain.block.grid_of_blocks import part_of_c
from gemmviz.gui.looks.theme import LIGHT
from gemmviz.gui.memory.playing.making import stored_c
from gemmviz.gui.memory_view.block_analysis import has_own_arguments, recorded_blocks, thread_that_makes
from gemmviz.gui.memory_view.memory_view import MemoryView
from gemmviz.gui.memory_view.paint.looks import looks_of
from gemmviz.gui.memory_view.text.card import element_card
from gemmviz.gui.memory_view.text.matrices import matrix_words
from gemmviz.measure.bench import Watch
from gemmviz.trace.frames.frames import Frames
from gemmviz.trace.frames.regions import Rectangle

FOLDER = Path(__file__).parents[2] / "data" / "foreign"
Show = Callable[..., tuple[MemoryView, Frames]]
pytestmark = pytest.mark.usefixtures("nvrtc")


def recording(name: str, size: str, form: CodeForm = CodeForm.AS_WRITTEN) -> TraceRun:
    kernel = load_user_kernel(FOLDER / f"{name}.cu")
    conditions = Conditions(Shape.parse(size), form=form)
    return record(Job(kernel, kernel.params({})), conditions, device_for_recording(kernel), [(1, 0, 0)], Watch())


@pytest.mark.parametrize("name", ["column_major", "several", "half_inputs", "in_double", "c_first"])
def test_that_every_frame_can_be_shown(show: Show, name: str) -> None:
    size = "32x32x16" if name == "c_first" else "9x66x5" if name == "several" else "33x17x20"
    view, frames = show(recording(name, size))
    for index in range(min(len(frames), 12)):
        view.show_frame(frames.frame(index))
        image = QImage(980, 560, QImage.Format.Format_RGB32)
        image.fill(QColor("magenta"))
        view.render(image)
        assert image.pixelColor(490, 280) != QColor("magenta")


def test_that_a_matrix_stored_column_by_column_is_shown_by_rows_and_columns(show: Show) -> None:
    run = recording("column_major", "33x17x20")
    view, frames = show(run)
    block = frames.trace
    c = next(array for array in run.arrays if array.name == "C")
    part, goes_down = part_of_c(block, c)
    assert (part, goes_down) == (Rectangle(16, 32, 0, 16), True)
    assert thread_that_makes(block, c, 16, 0) == 0
    assert thread_that_makes(block, c, 17, 0) == 1
    assert thread_that_makes(block, c, 16, 1) == 16
    first = frames.frame(0)
    loads = {touch.array.name: touch.box for touch in first.touches if touch.kind is AccessKind.LOAD}
    assert (loads["A"], loads["B"]) == (Rectangle(16, 32, 0, 16), Rectangle(0, 16, 0, 16))
    assert view.picture_state() is not None


def test_that_values_of_c_are_those_that_were_stored() -> None:
    run = recording("column_major", "33x17x20")
    c = stored_c(run)
    assert c is not None
    assert c.shape == (33, 17)
    assert np.isfinite(c[16:32, :16]).all()


def test_that_a_matrix_that_is_stored_column_by_column_says_so(show: Show) -> None:
    view, frames = show(recording("column_major", "33x17x20"))
    view.show_frame(frames.frame(0))
    scene = view.picture_state()
    assert scene is not None
    said = {line.text for line in matrix_words(scene, looks_of(LIGHT))}
    assert "33×20, column by column" in said, said


def test_that_the_result_d_lies_where_row_and_column_meet_and_c_beside_it(show: Show) -> None:
    run = recording("several", "9x66x5")
    view, frames = show(run)
    view.set_values(c=stored_c(run))
    view.show_frame(frames.frame(len(frames) - 1))
    scene = view.picture_state()
    assert scene is not None
    a, b, c, d = (scene.layout.places[name] for name in "ABCD")
    assert (d.x, d.y, d.width, d.height) == (b.x, a.y, b.width, a.height)
    assert (c.y, c.width, c.height) == (d.y, d.width, d.height)
    assert d.right < c.x
    assert c.right <= scene.layout.width
    assert scene.result == "D"
    assert (scene.in_result(0, 65) is not None, scene.in_result(0, 63)) == (True, None)  # the other block's
    assert scene.values.of("C", 0, 65) is None  # what it held is not recorded
    said = {line.text for line in matrix_words(scene, looks_of(LIGHT))}
    assert {"D", "M×N, result", "C", "M×N, read"} <= said
    assert scene.picture is not None
    assert scene.picture.matrices["D"].is_stored(0, 65)
    assert scene.picture.matrices["C"].box == Rectangle(0, 1, 64, 66)
    assert not scene.picture.matrices["C"].is_stored(0, 65)


def test_that_a_kernel_with_its_own_arguments_shows_no_block_that_was_not_recorded(show: Show) -> None:
    run = recording("several", "9x66x5")
    assert has_own_arguments(run)
    known = recorded_blocks(run)
    assert (known.grid, known.parts) == (None, {(1, 0): Rectangle(0, 1, 64, 66)})
    view, frames = show(run)
    view.show_frame(frames.frame(len(frames) - 1))
    scene = view.picture_state()
    assert scene is not None
    assert scene.block_of(3, 3) is None
    d = next(array for array in run.arrays if array.name == "D")
    said = element_card(run, scene.picture, known.grid, (1, 0), d, 0, 65, maker=1)
    assert ("computed by", "thread 1 of block (1, 0)") in said.lines
    said = element_card(run, scene.picture, known.grid, (1, 0), d, 3, 3)
    assert all(name != "computed by" for name, _ in said.lines)
