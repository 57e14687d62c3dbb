"""A thread is chosen in the window, frames are stepped through, and its variables are read in the table."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtWidgets import QLabel, QSpinBox, QTableWidget
from pytestqt.qtbot import QtBot

from gemmviz.catalogue.loader import load_catalogue
from gemmviz.domain.operands import make_operands
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.recordings.variables import AS_WRITTEN_ONLY, NOT_ASKED_FOR
from gemmviz.domain.runs.result import Session
from gemmviz.domain.session.session import load_session, save_session
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import CodeForm, Evidence
from gemmviz.engine.messages import Conditions, Job
from gemmviz.engine.recording import device_for_recording, record
from gemmviz.gui.control.memory_control import MemoryControl
from gemmviz.gui.files.edits import NO_DEVICE
from gemmviz.gui.layout.parts import Parts
from gemmviz.gui.looks.theme import LIGHT
from gemmviz.gui.memory_view.paint.looks import looks_of
from gemmviz.gui.memory_view.text.text_layer import text_layer
from gemmviz.measure.bench import Watch
from gemmviz.trace.frames.plan import FrameMode

pytestmark = pytest.mark.usefixtures("nvrtc")
SHAPE = Shape(5, 6, 7)
THREAD = 2 * 4 + 1
"""Of a block of 4 x 4: row 2, column 1."""


def recording(form: CodeForm = CodeForm.AS_WRITTEN, *, values: bool = True) -> TraceRun:
    kernel = load_catalogue().get("tiled")
    device = device_for_recording(kernel, "machine", form=form)
    conditions = Conditions(SHAPE, device=device.id, form=form, values=values)
    return record(Job(kernel, kernel.params({"TILE": 4})), conditions, device, [(0, 0, 0)], Watch())


def opened(run: TraceRun, folder: Path) -> Session:
    """The recording as a file gives it back."""
    save_session(Session("2026-01-01T00:00:00+00:00", "0", NO_DEVICE, 0.0, (), (), (run,)), folder / "kept.gemmviz")
    return load_session(folder / "kept.gemmviz")


def partial_sum(upto: int) -> np.float32:
    operands = make_operands(SHAPE, Conditions(SHAPE).fill, Conditions(SHAPE).seed)
    total = np.float32(0)
    for left, right in zip(operands.a[2, :upto], operands.b[:upto, 1], strict=True):
        total = np.float32(total + np.float32(left * right))
    return total


def shown(qtbot: QtBot, parts: Parts, control: MemoryControl, session: Session) -> None:
    parts.frame_panel.resize(300, 800)
    for widget in (parts.memory_page, parts.frame_panel):
        widget.show()
    control.show_session(session)
    qtbot.waitUntil(lambda: control._playbacks[0].frame is not None)


def read(qtbot: QtBot, parts: Parts, control: MemoryControl, frame: int) -> dict[str, tuple[str, str, str]]:
    """Mark, value and type of each variable in the table at a frame."""
    playback, view = control._playbacks[0], parts.frame_panel.selection.variables
    with qtbot.waitSignal(playback.card_made, check_params_cb=lambda card: card is not None):
        playback.go(frame)
        if playback.frame is not None and playback.frame.index == frame:
            playback.count_again()
    qtbot.waitUntil(lambda: playback.frame is not None and playback.frame.index == frame)
    cells = view.findChild(QTableWidget, "variablesTable")
    rows = [[cells.item(row, column).text() for column in range(4)] for row in range(cells.rowCount())]
    return {name: (mark, value, of_type) for mark, name, value, of_type in rows}


def test_that_the_variables_of_the_chosen_thread_follow_the_frames(
    qtbot: QtBot, parts: Parts, control: MemoryControl, tmp_path: Path
) -> None:
    shown(qtbot, parts, control, opened(recording(), tmp_path))
    control._playbacks[0].open(control.played[0], FrameMode.PHASE)
    qtbot.waitUntil(lambda: control._playbacks[0].facts is not None)
    panel = parts.frame_panel.selection
    assert panel.variables.isHidden()
    spin = panel.findChild(QSpinBox, "threadSpin")
    with qtbot.waitSignal(control._playbacks[0].card_made):
        spin.setValue(THREAD)
    first, second, third = (read(qtbot, parts, control, frame) for frame in range(3))
    assert panel.findChild(QLabel, "variablesTitle").text() == "Variables of thread (1, 2)"
    assert (first["row"][1:], first["col"][1:]) == (("2", "const int"), ("1", "const int"))
    assert (first["k0"][1], second["k0"], third["k0"]) == ("0", ("", "0", "int"), ("•", "4", "int"))
    assert first["acc"][1] == "0"
    assert second["acc"] == ("•", f"{partial_sum(4):.6g}", "float")
    assert third["acc"] == ("", f"{partial_sum(4):.6g}", "float")
    assert panel.findChild(QLabel, "variablesWhere").text().startswith("at the barrier in line ")
    last = read(qtbot, parts, control, 4)
    assert last["acc"][1] == f"{partial_sum(7):.6g}"
    assert "k0" not in last
    assert panel.findChild(QLabel, "variablesWhere").text() == "at its end"
    spin.setValue(-1)
    qtbot.waitUntil(lambda: panel.variables.isHidden())


@pytest.mark.parametrize(
    ("form", "values", "note"),
    [
        (CodeForm.AS_COMPILED, True, AS_WRITTEN_ONLY),
        (CodeForm.AS_WRITTEN, False, NOT_ASKED_FOR),
    ],
)
def test_that_a_recording_without_values_says_why(
    qtbot: QtBot, parts: Parts, control: MemoryControl, tmp_path: Path, form: CodeForm, values: bool, note: str
) -> None:
    shown(qtbot, parts, control, opened(recording(form, values=values), tmp_path))
    control._playbacks[0].select(replace(control._playbacks[0].selection, thread=THREAD))
    assert read(qtbot, parts, control, 0) == {}
    assert parts.frame_panel.selection.findChild(QLabel, "variablesNote").text() == note


@pytest.mark.parametrize("is_recorded", [True, False])
def test_that_the_sums_of_the_picture_are_those_of_the_run(
    qtbot: QtBot, parts: Parts, control: MemoryControl, tmp_path: Path, is_recorded: bool
) -> None:
    run = recording()
    parts.memory_page.resize(1600, 1000)
    shown(qtbot, parts, control, opened(run if is_recorded else without_values(run), tmp_path))
    playback = control._playbacks[0]
    playback.open(control.played[0], FrameMode.STEP)
    qtbot.waitUntil(lambda: playback.facts is not None)
    playback.select(replace(playback.selection, thread=THREAD))
    facts = playback.facts
    assert facts is not None
    for frame in range(0, facts.count, 3):
        read(qtbot, parts, control, frame)
        playback.show_arrival(1.0)
        scene = parts.memory.picture_state()
        assert scene is not None
        (found,) = scene.sums.of_thread
        assert found.is_recorded is is_recorded
        assert [term.total for term in found.terms] == [partial_sum(n + 1) for n in range(len(found.terms))]
        sheet = text_layer(scene, looks_of(LIGHT)).sums
        assert sheet is not None
        assert any(str(Evidence.DERIVED) in one.text for one in sheet.words) is not is_recorded


def without_values(run: TraceRun) -> TraceRun:
    blocks = tuple(replace(one, values=type(one.values)()) for one in run.blocks)
    return replace(run, blocks=blocks)
