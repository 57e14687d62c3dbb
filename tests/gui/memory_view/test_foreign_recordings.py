"""Pictures of kernels as other people write them: column by column, in half, with a result D."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtGui import QColor, QImage

from gemmviz.catalogue.loader import load_user_kernel
from gemmviz.domain.access import AccessKind
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import CodeForm
from gemmviz.domain.trace_run import TraceRun
from gemmviz.engine.messages import Conditions, Job
from gemmviz.engine.recording import device_for_recording, record
from gemmviz.gui.memory.making import stored_c
from gemmviz.gui.memory_view.grid_of_blocks import part_of_c
from gemmviz.gui.memory_view.material import thread_that_makes
from gemmviz.gui.memory_view.memory_view import MemoryView
from gemmviz.measure.bench import Watch
from gemmviz.trace.frame_regions import Rectangle
from gemmviz.trace.frames import Frames

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
    assert stored_c(recording("several", "9x66x5")) is None  # D is the result, and no values of C are
