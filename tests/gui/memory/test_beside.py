"""Two recordings side by side: which frame goes with which, who is followed, what comes and goes. Without a worker."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QApplication, QCheckBox, QComboBox, QLabel, QSlider, QToolButton
from pytestqt.qtbot import QtBot

from gemmviz.catalogue.loader import load_catalogue
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.runs.result import Session
from gemmviz.engine.messages import Job
from gemmviz.explain.requests.pairing import PairStep, moments_of
from gemmviz.explain.requests.selection import Selection
from gemmviz.gui.control.memory_control import MemoryControl
from gemmviz.gui.layout.parts import Parts
from gemmviz.gui.memory.playing.offers import Offers
from gemmviz.gui.player.schedule import frame_seconds
from gemmviz.trace.frames.plan import FrameMode

Record = Callable[..., TraceRun]
SessionOf = Callable[..., Session]
SIZE = "40x36x33"
JOBS = tuple(Job(kernel, kernel.params({})) for kernel in load_catalogue().kernels)


def choose(parts: Parts, name: str, words: str) -> None:
    """Choose an entry of a list on the page, as a person does."""
    combo = combo_of(parts, name)
    place = next(i for i in range(combo.count()) if words in combo.itemText(i))
    combo.setCurrentIndex(place)
    combo.activated.emit(place)


def combo_of(parts: Parts, name: str) -> QComboBox:
    found = parts.memory_page.findChild(QComboBox, name)
    assert isinstance(found, QComboBox)
    return found


def entries(parts: Parts, name: str) -> list[str]:
    combo = combo_of(parts, name)
    return [combo.itemText(i) for i in range(combo.count())]


def frame_of(parts: Parts, beside: bool = False) -> int:
    """The frame a picture shows, from 0; -1 for none."""
    scene = (parts.beside if beside else parts.memory).picture_state()
    return scene.picture.frame.index if scene is not None and scene.picture is not None else -1


def caption_of(parts: Parts, name: str) -> str:
    return parts.memory_page.findChild(QLabel, name).text()


@pytest.fixture
def both(
    qtbot: QtBot, parts: Parts, control: MemoryControl, recorded: Record, session_of: SessionOf
) -> tuple[TraceRun, TraceRun]:
    """`tiled` 8 with naive beside it, both at their first frames."""
    naive, tiled = recorded("naive", SIZE, (1, 1)), recorded("tiled", SIZE, (1, 1), TILE=8)
    parts.memory_page.show()
    control.show_session(session_of(naive, tiled))
    qtbot.waitUntil(lambda: frame_of(parts) == 0)
    choose(parts, "compareCombo", "naive")
    qtbot.waitUntil(lambda: frame_of(parts, beside=True) == 0)
    return naive, tiled


def test_that_play_asked_for_while_frames_are_made_begins_with_the_first(
    qtbot: QtBot, parts: Parts, control: MemoryControl, recorded: Record, session_of: SessionOf
) -> None:
    now = [100.0]
    control.player._clock = lambda: now[0]
    parts.memory_page.show()
    control.show_session(session_of(recorded("tiled", SIZE, (1, 1), TILE=8)))
    assert parts.memory_page.findChild(QLabel, "frameCaption").text() == "Preparing the frames…"
    parts.player_bar.play_actions["playAction"].trigger()
    qtbot.waitUntil(lambda: control.player.playing)
    for passed, index in ((0.9, 0), (0.2, 1)):
        now[0] += passed * frame_seconds(1.0)
        control.player.advance()
        assert control.player.index == index, "the first frame has its whole time"


def test_that_another_recording_stands_beside_and_leaves_again(
    parts: Parts, control: MemoryControl, both: tuple[TraceRun, TraceRun]
) -> None:
    naive, tiled = both
    first, second = control.played
    assert (first.run, second.run) == (tiled, naive)
    assert parts.beside.isVisible()
    assert combo_of(parts, "stepByCombo").isVisible()
    assert combo_of(parts, "compareCombo").currentText().startswith("naive")
    choose(parts, "compareCombo", "none")
    assert control.played[1] is None
    assert not parts.beside.isVisible()
    assert not combo_of(parts, "stepByCombo").isVisible()
    assert frame_of(parts) == 0


@pytest.mark.usefixtures("both")
def test_that_both_go_the_same_way_by_their_work_and_end_together(
    qtbot: QtBot, parts: Parts, control: MemoryControl
) -> None:
    assert combo_of(parts, "stepByCombo").currentText() == "Align by: work done"
    seen = []
    last = control._playbacks[1].facts.count - 1
    for index in range(0, control.player.count, 3):
        control.player.seek(index)
        qtbot.waitUntil(lambda: control._playbacks[0].frame.index == control._playbacks[0].index)
        qtbot.waitUntil(lambda: control._playbacks[1].frame.index == control._playbacks[1].index)
        seen.append((frame_of(parts), frame_of(parts, beside=True)))
    assert seen == sorted(seen)
    control.player.last()
    qtbot.waitUntil(lambda: frame_of(parts) == 10)  # 5 tiles along K of 33, loaded and used, and the store
    qtbot.waitUntil(lambda: frame_of(parts, beside=True) == last)


def test_that_by_phase_the_one_with_fewer_phases_waits_at_its_end(
    qtbot: QtBot, parts: Parts, control: MemoryControl, recorded: Record, session_of: SessionOf
) -> None:
    wide, narrow = recorded("tiled", SIZE, (0, 0), TILE=16), recorded("tiled", SIZE, (0, 0), TILE=4)
    control.show_session(session_of(narrow, wide))
    choose(parts, "compareCombo", "TILE=4")
    qtbot.waitUntil(lambda: frame_of(parts, beside=True) == 0 and frame_of(parts) == 0)
    assert combo_of(parts, "stepByCombo").currentText() == "Align by: barrier interval"
    assert parts.player_bar.findChild(QSlider, "frameSlider").maximum() == 18  # of the one with more phases
    control.player.seek(5)
    qtbot.waitUntil(lambda: (frame_of(parts), frame_of(parts, beside=True)) == (5, 5))
    control.player.seek(12)
    qtbot.waitUntil(lambda: (frame_of(parts), frame_of(parts, beside=True)) == (6, 12))
    choose(parts, "stepByCombo", "work")
    qtbot.waitUntil(lambda: (frame_of(parts), frame_of(parts, beside=True)) == (6, 18))
    control._sync.seek(control._playbacks[0], 3)
    qtbot.waitUntil(lambda: (frame_of(parts), frame_of(parts, beside=True)) == (3, 15))  # 32 products of each sum
    control.player.step_back()
    qtbot.waitUntil(lambda: (frame_of(parts), frame_of(parts, beside=True)) == (2, 14))  # one frame of each at a time


def test_that_the_place_is_kept_when_one_comes_beside(
    qtbot: QtBot, parts: Parts, control: MemoryControl, recorded: Record, session_of: SessionOf
) -> None:
    control.show_session(session_of(recorded("naive", SIZE, (0, 0)), recorded("tiled", SIZE, (0, 0), TILE=8)))
    qtbot.waitUntil(lambda: frame_of(parts) == 0)
    control.player.seek(7)
    qtbot.waitUntil(lambda: frame_of(parts) == 7)
    choose(parts, "compareCombo", "naive")
    qtbot.waitUntil(lambda: frame_of(parts, beside=True) > 0)
    assert frame_of(parts) == 7
    tiled, naive = (playback.facts.terms for playback in control._playbacks)
    assert tiled[6] < naive[frame_of(parts, beside=True)] == tiled[7]


def test_that_the_panels_follow_the_picture_with_the_focus(
    qtbot: QtBot, parts: Parts, control: MemoryControl, both: tuple[TraceRun, TraceRun]
) -> None:
    naive, tiled = both
    shown: list[TraceRun | None] = []
    control.run_shown.connect(shown.append)
    panes = parts.memory_page.panes
    assert [pane.is_active for pane in panes] == [True, False]
    assert caption_of(parts, "frameCaption").startswith("Barrier interval 1 of 11")
    qtbot.mouseClick(parts.beside, Qt.MouseButton.LeftButton, pos=parts.beside.rect().topLeft())
    assert [pane.is_active for pane in panes] == [False, True]
    assert parts.player_bar.findChild(QLabel, "frameCaption").text().startswith("Step 1 of")
    assert shown[-1] is naive
    watched, facts = control.watched, control._playbacks[1].facts
    assert (watched.run, watched.index, watched.count, watched.mode) == (naive, 0, facts.count, facts.mode)
    assert next(line.words for line in parts.frame_panel.figures.section.lines) == "global load requests"
    assert not any("shared" in line.words for line in parts.frame_panel.figures.section.lines)
    qtbot.mouseClick(parts.memory, Qt.MouseButton.LeftButton, pos=parts.memory.rect().topLeft())
    assert shown[-1] is tiled
    watched = control.watched
    assert (watched.run, watched.index, watched.count, watched.mode) == (tiled, 0, 11, FrameMode.PHASE)
    assert any("shared" in line.words for line in parts.frame_panel.figures.section.lines)


@pytest.mark.usefixtures("both")
def test_that_each_picture_says_what_its_own_frame_does(parts: Parts) -> None:
    captions = [caption_of(parts, f"{name}Caption") for name in ("memoryPane", "memoryPaneBeside")]
    assert captions[0].startswith("Barrier interval 1 of 11: load rows 8–15, columns 0–7 of A")
    assert captions[1].startswith("Step 1 of")


@pytest.mark.usefixtures("both")
def test_that_pictures_of_one_size_are_zoomed_together(qtbot: QtBot, parts: Parts) -> None:
    box = parts.memory_page.findChild(QCheckBox, "linkBox")
    assert (box.isEnabled(), box.isChecked()) == (True, True)
    parts.memory.zoom_in()
    parts.memory.zoom_in()
    assert parts.beside.camera.zoom == parts.memory.camera.zoom > 1.5
    qtbot.keyClick(parts.beside, Qt.Key.Key_Right)
    assert parts.memory.camera.x == pytest.approx(
        parts.beside.camera.x * parts.memory.width() / parts.beside.width(), abs=0.01
    )
    box.click()
    parts.beside.fit()
    assert parts.memory.camera.zoom > 1.5
    box.click()
    assert parts.memory.camera.zoom == parts.beside.camera.zoom


def test_that_other_sizes_are_told_in_words_and_not_linked(
    qtbot: QtBot, parts: Parts, control: MemoryControl, recorded: Record, session_of: SessionOf
) -> None:
    control.show_session(session_of(recorded("naive", "17x33x5"), recorded("tiled", SIZE, (1, 1), TILE=8)))
    choose(parts, "compareCombo", "naive")
    qtbot.waitUntil(lambda: frame_of(parts, beside=True) == 0)
    note = parts.memory_page.findChild(QLabel, "compareNote")
    assert note.text().startswith("The sizes differ: 40×36×33 and 17×33×5.")
    assert not parts.memory_page.findChild(QCheckBox, "linkBox").isEnabled()
    parts.memory.zoom_in()
    assert parts.beside.camera.zoom == 1.0


@pytest.mark.usefixtures("both")
def test_that_another_mode_is_taken_by_both(qtbot: QtBot, parts: Parts, control: MemoryControl) -> None:
    parts.player_bar.mode_chosen.emit(FrameMode.REQUEST)
    qtbot.waitUntil(lambda: all(p.facts is not None and p.facts.mode is FrameMode.REQUEST for p in control._playbacks))
    qtbot.waitUntil(lambda: frame_of(parts) == frame_of(parts, beside=True) == 0)
    first, second = (each.facts for each in control._playbacks)
    assert control.player.count == moments_of(first, second, PairStep.WORK).count
    assert control.player.index == 0


def test_that_a_recording_that_was_removed_is_left(
    parts: Parts, control: MemoryControl, both: tuple[TraceRun, TraceRun], session_of: SessionOf
) -> None:
    naive, tiled = both
    control.show_session(session_of(tiled))
    assert (control.played[0].run, control.played[1]) == (tiled, None)
    control.show_session(session_of(naive, tiled))  # undone: what was beside does not come back by itself
    assert (control.played[0].run, control.played[1]) == (tiled, None)
    control.show_session(session_of(naive))
    assert (control.played[0].run, control.played[1]) == (naive, None)
    control.show_session(session_of())
    assert control.played == (None, None)
    assert frame_of(parts) == -1
    assert not parts.player_bar.findChild(QSlider, "frameSlider").isEnabled()


def test_that_a_new_recording_of_what_stands_beside_goes_there(
    control: MemoryControl,
    both: tuple[TraceRun, TraceRun],
    recorded: Record,
    session_of: SessionOf,
) -> None:
    naive, tiled = both
    newer = recorded("naive", SIZE, (0, 1))
    control.show_session(session_of(naive, tiled, newer))
    assert (control.played[0].run, control.played[1].run) == (tiled, newer)
    wide = recorded("tiled", SIZE, (0, 1), TILE=16)
    control.show_session(session_of(naive, tiled, newer, wide))
    assert (control.played[0].run, control.played[1].run) == (wide, newer)


def test_that_kernels_that_are_not_recorded_are_offered(
    parts: Parts, control: MemoryControl, recorded: Record, session_of: SessionOf
) -> None:
    tiled = recorded("tiled", SIZE, (1, 1), TILE=8)
    control.set_offers(Offers(JOBS, (tiled.device,)))
    control.show_session(session_of(tiled))
    offers = [entry for entry in entries(parts, "compareCombo") if entry.startswith("Record ")]
    assert "Record naive with these settings" in offers
    assert not any(name in offer for name in (" tiled ", "cpu_", " dot ") for offer in offers)
    asked: list[tuple[object, ...]] = []
    control.record_asked.connect(lambda *values: asked.append(values))
    choose(parts, "compareCombo", "Record naive with")
    assert asked == [(tiled.spec, "naive", ((1, 1, 0),), None)]
    assert combo_of(parts, "compareCombo").currentText() == "Compare with: none"
    naive = recorded("naive", SIZE, (1, 1))
    control.show_session(session_of(tiled, naive))
    assert (control.played[0].run, control.played[1].run) == (tiled, naive)
    assert "Record naive with these settings" not in entries(parts, "compareCombo")


def test_that_what_was_asked_for_is_forgotten_when_something_else_is_recorded(
    parts: Parts, control: MemoryControl, recorded: Record, session_of: SessionOf
) -> None:
    tiled, naive = recorded("tiled", SIZE, (1, 1), TILE=8), recorded("naive", SIZE, (1, 1))
    control.set_offers(Offers(JOBS, (tiled.device,)))
    control.show_session(session_of(tiled))
    choose(parts, "compareCombo", "Record naive with")
    control.forget_pending()
    control.show_session(session_of(tiled, naive))
    assert (control.played[0].run, control.played[1]) == (naive, None)


def test_that_a_block_is_recorded_for_the_picture_it_was_clicked_in(
    parts: Parts,
    control: MemoryControl,
    both: tuple[TraceRun, TraceRun],
    recorded: Record,
    session_of: SessionOf,
) -> None:
    naive, tiled = both
    asked: list[tuple[object, ...]] = []
    control.record_asked.connect(lambda *values: asked.append(values))
    parts.beside.block_chosen.emit(2, 0)
    assert asked == [(naive.spec, "naive", ((2, 0, 0),), naive.form)]
    other = recorded("naive", SIZE, (2, 0))
    control.show_session(session_of(naive, tiled, other))
    assert (control.played[0].run, control.played[1].run) == (tiled, other)
    assert combo_of(parts, "compareBlockCombo").currentText() == "block (2, 0)"
    parts.beside.block_chosen.emit(1, 1)  # at hand: played, not recorded again
    assert len(asked) == 1
    assert control.played[1].run is naive
    choose(parts, "compareBlockCombo", "(2, 0)")
    assert control.played[1].run is other


def test_that_a_kernel_can_stand_beside_another_block_of_its_own(
    qtbot: QtBot, parts: Parts, control: MemoryControl, recorded: Record, session_of: SessionOf
) -> None:
    one, other = recorded("tiled", SIZE, (0, 0), TILE=8), recorded("tiled", SIZE, (1, 1), TILE=8)
    control.show_session(session_of(one))
    assert entries(parts, "compareCombo") == ["Compare with: none"]
    control.show_session(session_of(one, other))
    choose(parts, "compareCombo", "another block")
    qtbot.waitUntil(lambda: frame_of(parts, beside=True) == 0)
    assert [playable.block for playable in control.played] == [(1, 1, 0), (0, 0, 0)]
    choose(parts, "compareBlockCombo", "(1, 1)")  # the same one twice is one too many
    assert control.played[1] is None


@pytest.mark.usefixtures("both")
def test_that_the_player_drives_both_as_time_goes(qtbot: QtBot, parts: Parts, control: MemoryControl) -> None:
    control.player.set_speed(16.0)
    control.player.play()
    qtbot.waitUntil(lambda: frame_of(parts) >= 2 and frame_of(parts, beside=True) >= 4)
    control.player.pause()
    qtbot.waitUntil(lambda: all(p.frame.index == p.index for p in control._playbacks))


def test_that_values_of_c_are_those_that_the_recording_stored(
    qtbot: QtBot, parts: Parts, control: MemoryControl, recorded: Record, session_of: SessionOf
) -> None:
    tiled = recorded("tiled", "33x17x5", (0, 0), TILE=16)
    control.show_session(session_of(replace(tiled, c=tiled.c[:0])))
    qtbot.waitUntil(lambda: frame_of(parts) == 0)
    assert parts.memory.picture_state().values.c is None
    control.show_session(session_of(tiled))
    qtbot.waitUntil(lambda: frame_of(parts) == 0)
    values = parts.memory.picture_state().values
    assert values.c.tobytes() == tiled.c.tobytes()
    assert values.c[3, 4] == pytest.approx(float(values.a[3].astype(float) @ values.b[:, 4].astype(float)), rel=1e-6)


def test_that_nothing_is_kept_of_what_is_played_no_longer(
    qtbot: QtBot, parts: Parts, control: MemoryControl, recorded: Record, session_of: SessionOf
) -> None:
    held: list[weakref.ref[object]] = []
    objects: list[int] = []
    for _ in range(4):
        naive, tiled = recorded("naive", SIZE, (1, 1)), recorded("tiled", SIZE, (1, 1), TILE=8)
        control.show_session(session_of(naive, tiled))
        choose(parts, "compareCombo", "naive")
        qtbot.waitUntil(lambda: frame_of(parts) == frame_of(parts, beside=True) == 0)
        qtbot.waitUntil(lambda: all(pane.totals.lines for pane in parts.memory_page.panes))
        control._playbacks[0].select(Selection(thread=3))
        control.player.last()
        qtbot.waitUntil(lambda: frame_of(parts) == 10)
        held += [weakref.ref(playback.block.addresses) for playback in control._playbacks]
        control.show_session(session_of())
        gc.collect()
        objects.append(len(parts.memory_page.findChildren(QObject)))
    del naive, tiled
    qtbot.waitUntil(lambda: gc.collect() >= 0 and all(ref() is None for ref in held))
    assert objects[1:] == objects[1:2] * 3


@pytest.mark.usefixtures("both")
def test_that_the_pictures_stay_level_when_something_is_chosen_in_one(parts: Parts, control: MemoryControl) -> None:
    def tops_and_heights() -> list[tuple[int, int]]:
        return [(view.mapTo(parts.memory_page, view.rect().topLeft()).y(), view.height()) for view in views]

    views = parts.memory, parts.beside
    QApplication.processEvents()
    before = tops_and_heights()
    control._playbacks[1].select(Selection(thread=3))
    QApplication.processEvents()
    after = tops_and_heights()
    assert before[0] == before[1]
    assert after == before  # what is said of it takes the place of the legend
    clears = [parts.memory_page.findChild(QToolButton, f"{name}Clear") for name in ("memoryPane", "memoryPaneBeside")]
    assert [clear.isVisible() for clear in clears] == [True, True]  # it is followed on the other side
