"""Hazards where they happen, and what a person chooses in a picture. Without a worker."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QLabel, QSpinBox, QToolButton
from pytestqt.qtbot import QtBot

from gemmviz.domain.recordings.hazard import HazardKind, by_gravity
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.runs.result import Session
from gemmviz.explain.requests.frame_facts import facts_of
from gemmviz.explain.requests.selection import NOTHING, Selection
from gemmviz.explain.source.recorded_lines import kind_words
from gemmviz.gui.control.memory_control import MemoryControl
from gemmviz.gui.files.edits import with_hazards_of_launch
from gemmviz.gui.layout.parts import Parts
from gemmviz.gui.memory.hazard_sentences import hazard_words, warning_of
from gemmviz.gui.memory_view.scene import Element, Scene
from gemmviz.gui.memory_view.text.labels import block_words
from gemmviz.trace.frames.frames import Frames, natural_mode
from gemmviz.trace.frames.plan import FrameMode

Record = Callable[..., TraceRun]
SessionOf = Callable[..., Session]
FAULTY = {
    "no_second_barrier.cu": HazardKind.RACE,
    "transposed_index.cu": HazardKind.OUT_OF_BOUNDS,
    "unwritten_slot.cu": HazardKind.UNWRITTEN_READ,
    "divergent_barrier.cu": HazardKind.DIVERGENT_BARRIER,
    "misaligned.cu": HazardKind.MISALIGNED,
}


def scene_of(parts: Parts) -> Scene:
    scene = parts.memory.picture_state()
    assert scene is not None
    return scene


def shown(parts: Parts) -> int:
    """The frame that is shown, from 0; -1 for none."""
    scene = parts.memory.picture_state()
    return scene.picture.frame.index if scene is not None and scene.picture is not None else -1


def line_of(parts: Parts, name: str) -> QLabel:
    return parts.memory_page.findChild(QLabel, name)


def click(qtbot: QtBot, parts: Parts, element: Element) -> None:
    cell = scene_of(parts).cell(*element)
    assert cell is not None
    at = QPoint(int(cell.middle_x), int(cell.middle_y))
    qtbot.mouseClick(parts.memory, Qt.MouseButton.LeftButton, pos=at)


@pytest.fixture
def tiled(qtbot: QtBot, parts: Parts, control: MemoryControl, recorded: Record, session_of: SessionOf) -> TraceRun:
    """`tiled` 2 at 4x4x4, its second block, at its first frame."""
    run = recorded("tiled", "4x4x4", (1, 0), TILE=2)
    parts.memory_page.show()
    control.show_session(session_of(run))
    qtbot.waitUntil(lambda: shown(parts) == 0)
    return run


@pytest.mark.parametrize("file", FAULTY)
def test_that_a_hazard_is_told_in_its_frame_with_threads_and_line(recorded: Record, file: str) -> None:
    whole = recorded(file, "17x33x20")
    hazard = next(hazard for hazard in whole.hazards if hazard.kind is FAULTY[file])
    run = recorded(file, "17x33x20", hazard.block[:2])
    block = run.blocks[0].trace(run.sites, run.arrays)
    frames = Frames(block, natural_mode(block))
    facts = facts_of(frames, run.hazards)
    index = facts.frame_of(hazard)
    assert index is not None
    assert index in facts.marks.hazards
    said = "\n".join(hazard_words(frames.frame(index), run, facts))
    assert f"line {hazard.line}" in said
    assert any(f"thread {thread}" in said or f"threads {thread}" in said for thread in hazard.threads), said


def test_that_a_hazard_that_is_chosen_is_seen_where_it_happens(
    qtbot: QtBot, parts: Parts, control: MemoryControl, recorded: Record, session_of: SessionOf
) -> None:
    run = recorded("no_second_barrier.cu", "17x33x20")
    parts.memory_page.show()
    parts.source.show_trace(run, None)
    control.show_session(session_of(run))
    qtbot.waitUntil(lambda: shown(parts) == 0)
    facts = control._playbacks[0].facts
    assert facts is not None
    first = min(facts.hazards, key=lambda each: each[0])[0]
    assert first > 0
    said = f"No hazard in this frame: see frame {first + 1} of {facts.count} (race)"
    assert line_of(parts, "memoryPaneHazard").text() == said
    hazard = next(hazard for hazard in by_gravity(run.hazards) if hazard.block == (0, 0, 0))
    parts.recording.hazard_chosen.emit(run, hazard)
    qtbot.waitUntil(lambda: shown(parts) == 1)
    assert line_of(parts, "memoryPaneHazard").text().startswith(f"! Race, line {hazard.line} (and 1 more)")
    assert f"thread {hazard.threads[1]} writes Bs[0,0]" in line_of(parts, "memoryPaneHazard").text()
    marks = scene_of(parts).picture.hazards
    assert {mark.array.name for mark in marks} == {"As", "Bs"}
    assert hazard.line in parts.source.lit_lines()


def test_that_the_hazard_that_a_person_chose_leads_until_another_recording_plays(
    qtbot: QtBot, parts: Parts, control: MemoryControl, recorded: Record, session_of: SessionOf
) -> None:
    run = recorded("no_second_barrier.cu", "17x33x20")
    parts.memory_page.show()
    control.show_session(session_of(run))
    qtbot.waitUntil(lambda: shown(parts) == 0)
    first, lesser = (each for each in by_gravity(run.hazards) if each.block == (0, 0, 0))
    line = line_of(parts, "memoryPaneHazard")
    for chosen in (first, lesser, first):
        parts.recording.hazard_chosen.emit(run, chosen)
        qtbot.waitUntil(lambda chosen=chosen: line.text().startswith(f"! Race, line {chosen.line} (and "))
    frame, facts = control._playbacks[0].frame, control._playbacks[0].facts
    assert frame is not None
    assert facts is not None
    assert warning_of(frame, run, facts, leading=lesser).startswith(f"! Race, line {lesser.line} (and ")
    control.show_session(session_of(run, recorded("no_second_barrier.cu", "17x33x20")))
    assert control._playbacks[0].leading is None


def test_that_a_hazard_of_a_block_that_is_not_at_hand_is_recorded_and_then_seen(
    qtbot: QtBot, parts: Parts, control: MemoryControl, recorded: Record, session_of: SessionOf
) -> None:
    size = "17x33x20"
    whole = recorded("divergent_barrier.cu", size)
    hazard = next(hazard for hazard in whole.hazards if hazard.block != (0, 0, 0))
    control.show_session(session_of(whole))
    qtbot.waitUntil(lambda: shown(parts) == 0)
    asked: list[tuple[object, ...]] = []
    control.record_asked.connect(lambda *values: asked.append(values))
    parts.recording.hazard_chosen.emit(whole, hazard)
    assert asked == [(whole.spec, whole.spec.kernel, (hazard.block,), whole.form)]
    alone = recorded("divergent_barrier.cu", size, hazard.block[:2])
    control.show_session(session_of(whole, alone))
    qtbot.waitUntil(lambda: shown(parts) >= 0)
    assert control.played[0].block == hazard.block
    facts = control._playbacks[0].facts
    qtbot.waitUntil(lambda: shown(parts) == facts.frame_of(hazard))


@pytest.mark.usefixtures("tiled")
def test_that_a_block_without_hazards_keeps_no_line_for_them(parts: Parts) -> None:
    assert not line_of(parts, "memoryPaneHazard").isVisible()


@pytest.mark.usefixtures("tiled")
def test_that_an_element_that_is_clicked_tells_who_reads_it_and_where_it_lies(
    qtbot: QtBot, parts: Parts, control: MemoryControl
) -> None:
    click(qtbot, parts, ("A", 1, 0))
    qtbot.waitUntil(lambda: "in shared memory" in line_of(parts, "memoryPaneChosen").text())
    assert line_of(parts, "memoryPaneChosen").text() == (
        "A[1,0]: loaded by 1 thread: 2; loads by this block so far: 1 (1 at the end); in shared memory: As[1,0], bank 2"
    )
    assert {marked.name for marked in scene_of(parts).pointed.marks.now} == {"A", "As"}
    assert parts.frame_panel.selection.section.title == "A[1,0]"
    control.player.step_forward()
    copy = "A[1,0]: its copy As[1,0] is loaded by 2 threads: 2–3; "
    qtbot.waitUntil(lambda: line_of(parts, "memoryPaneChosen").text().startswith(copy))
    control.player.step_forward()
    qtbot.waitUntil(lambda: "not touched" in line_of(parts, "memoryPaneChosen").text())


@pytest.mark.usefixtures("tiled")
def test_that_a_thread_is_chosen_by_its_element_of_c_and_by_its_number(qtbot: QtBot, parts: Parts) -> None:
    click(qtbot, parts, ("C", 1, 2))
    spin = parts.frame_panel.findChild(QSpinBox, "threadSpin")
    assert (spin.value(), spin.maximum()) == (2, 3)
    assert scene_of(parts).pointed.marks.words == "thread 2"
    assert dict(scene_of(parts).pointed.marks.path).keys() == {"A", "B", "C"}
    qtbot.waitUntil(lambda: parts.frame_panel.selection.section.title == "thread 2, warp 0, lane 2")
    spin.setValue(3)
    assert scene_of(parts).pointed.marks.words == "thread 3"
    click(qtbot, parts, ("B", 0, 3))
    assert scene_of(parts).pointed.marks.words == "B[0,3]"
    assert spin.value() == -1


def test_that_a_warp_marks_what_its_threads_touch(
    qtbot: QtBot, parts: Parts, control: MemoryControl, recorded: Record, session_of: SessionOf
) -> None:
    control.show_session(session_of(recorded("tiled", "33x17x5", (0, 1), TILE=16)))
    qtbot.waitUntil(lambda: shown(parts) == 0)
    spin = parts.frame_panel.findChild(QSpinBox, "warpSpin")
    assert spin.maximum() == 7
    spin.setValue(2)
    assert scene_of(parts).pointed.marks.words == "warp 2"
    qtbot.waitUntil(lambda: parts.frame_panel.selection.section.title == "warp 2, threads 64–95")
    words = {line.words: line.value for line in parts.frame_panel.selection.section.lines}
    assert words["loads rows 20–21, columns 0–4 of A"] == "10"
    assert words["stores rows 4–5, columns 0–15 of As"] == "32"


def test_that_what_is_chosen_is_cleared_and_another_block_begins_without(
    qtbot: QtBot, parts: Parts, control: MemoryControl, tiled: TraceRun, recorded: Record, session_of: SessionOf
) -> None:
    told: list[bool] = []
    control.chosen_changed.connect(told.append)
    clear = parts.memory_page.findChild(QToolButton, "memoryPaneClear")
    assert not clear.isVisible()
    for how in (
        lambda: qtbot.mouseClick(clear, Qt.MouseButton.LeftButton),
        lambda: qtbot.keyClick(parts.memory, Qt.Key.Key_Escape),
        control.clear_chosen,
        lambda: parts.frame_panel.selection.chosen.emit(NOTHING),
    ):
        click(qtbot, parts, ("A", 1, 0))
        assert clear.isVisible()
        assert told[-1]
        how()
        assert not clear.isVisible()
        assert not told[-1]
        assert scene_of(parts).pointed.chosen is None
    click(qtbot, parts, ("A", 1, 0))
    control.show_session(session_of(tiled, recorded("tiled", "4x4x4", (0, 1), TILE=2)))
    assert not told[-1]
    assert not clear.isVisible()


@pytest.mark.usefixtures("tiled")
def test_that_what_is_chosen_stays_in_another_mode(qtbot: QtBot, parts: Parts, control: MemoryControl) -> None:
    control._playbacks[0].select(Selection(thread=1))
    parts.player_bar.mode_chosen.emit(FrameMode.REQUEST)
    qtbot.waitUntil(lambda: shown(parts) == 0)
    assert scene_of(parts).pointed.marks.words == "thread 1"
    assert parts.frame_panel.findChild(QSpinBox, "threadSpin").value() == 1


@pytest.mark.usefixtures("tiled")
def test_that_what_the_pointer_is_on_is_told_while_nothing_is_chosen(qtbot: QtBot, parts: Parts) -> None:
    parts.memory.element_hovered.emit(("B", 0, 3))
    qtbot.waitUntil(lambda: parts.frame_panel.selection.section.title == "B[0,3]")
    assert not line_of(parts, "memoryPaneChosen").isVisible()
    parts.memory.element_hovered.emit(None)
    assert parts.frame_panel.selection.section.title == ""


def test_that_each_element_so_far_is_counted_with_the_frame(
    qtbot: QtBot, parts: Parts, control: MemoryControl, recorded: Record, session_of: SessionOf
) -> None:
    control.show_session(session_of(recorded("row_per_block", "2x900x3", (0, 0))))
    qtbot.waitUntil(lambda: shown(parts) == 0)

    def so_far() -> str:
        lines = {line.words: line.value for line in parts.frame_panel.figures.section.lines}
        return lines.get("loads / element of A", "")

    qtbot.waitUntil(lambda: so_far() != "")
    first = so_far()
    control.player.last()
    qtbot.waitUntil(lambda: shown(parts) == control.player.count - 1)
    control.player.step_back()
    qtbot.waitUntil(lambda: so_far() not in ("", first))


def test_that_the_barrier_a_frame_ends_at_is_lit_and_leads_back_to_it(
    qtbot: QtBot, parts: Parts, control: MemoryControl, tiled: TraceRun
) -> None:
    text = tiled.source_text.splitlines()
    parts.source.show_trace(tiled)
    barriers = [number for number, line in enumerate(text, 1) if line.strip() == "__syncthreads();"]
    assert len(barriers) == 2
    for index, barrier in ((1, barriers[1]), (2, barriers[0]), (3, barriers[1]), (0, barriers[0])):
        control.player.seek(index)
        qtbot.waitUntil(lambda index=index: shown(parts) == index)
        assert set(parts.source.lit_lines()) & set(barriers) == {barrier}
    control.player.last()
    qtbot.waitUntil(lambda: shown(parts) == 4)
    assert not set(parts.source.lit_lines()) & set(barriers)
    parts.source.line_chosen.emit(barriers[1])
    qtbot.waitUntil(lambda: shown(parts) == 1)
    parts.source.line_chosen.emit(barriers[1])
    qtbot.waitUntil(lambda: shown(parts) == 3)


def test_that_lines_of_another_source_lead_nowhere(
    qtbot: QtBot, parts: Parts, control: MemoryControl, tiled: TraceRun, recorded: Record
) -> None:
    parts.source.show_trace(recorded("naive", "4x4x4"))
    parts.source.line_chosen.emit(tiled.sites[-1].line)
    control.player.seek(2)
    qtbot.waitUntil(lambda: shown(parts) == 2)
    assert control.player.index == 2


@pytest.mark.parametrize("file", ["guard_one_too_far.cu", "divergent_barrier.cu"])
def test_that_a_clean_block_names_the_one_that_is_not_and_leads_there(
    qtbot: QtBot, parts: Parts, control: MemoryControl, recorded: Record, session_of: SessionOf, file: str
) -> None:
    whole = recorded(file, "17x33x20")
    clean = with_hazards_of_launch(recorded(file, "17x33x20", (0, 0)), (whole,))
    faulty = recorded(file, "17x33x20", whole.hazards[0].block[:2])
    parts.memory_page.show()
    control.show_session(session_of(whole, faulty, clean))
    qtbot.waitUntil(lambda: shown(parts) == 0)
    button = parts.memory_page.findChild(QToolButton, "memoryPaneElsewhere")
    assert line_of(parts, "memoryPaneHazard").text() == "No hazard in this frame"
    assert not button.isHidden()
    assert button.text().startswith(f"! {kind_words(whole.hazards[0])} in {block_words(whole.hazards[0].block)}")
    button.click()
    qtbot.waitUntil(lambda: line_of(parts, "memoryPaneHazard").text() != "No hazard in this frame")
    assert control.played[0] is not None
    assert control.played[0].block == whole.hazards[0].block
    assert button.isHidden(), "what is wrong is shown here"


def test_that_arrows_step_while_all_of_the_picture_is_in_sight_and_move_an_enlarged_one(
    qtbot: QtBot, parts: Parts, control: MemoryControl, session_of: SessionOf, recorded: Record
) -> None:
    parts.memory_page.show()
    control.show_session(session_of(recorded("tiled", "17x33x20", (1, 0))))
    qtbot.waitUntil(lambda: shown(parts) == 0)
    qtbot.keyClick(parts.memory, Qt.Key.Key_Right)
    qtbot.waitUntil(lambda: shown(parts) == 1)
    qtbot.keyClick(parts.memory, Qt.Key.Key_Left)
    qtbot.waitUntil(lambda: shown(parts) == 0)
    parts.memory.zoom_in()
    before = scene_of(parts).camera
    qtbot.keyClick(parts.memory, Qt.Key.Key_Right)
    assert scene_of(parts).camera.x < before.x
    assert shown(parts) == 0
