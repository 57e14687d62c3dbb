"""The stages on the page of memory: for the block that is played, once a person looks at them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from driving import bring_to_front
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QComboBox, QPushButton
from pytestqt.qtbot import QtBot

from gemmviz.domain.recordings.access import Space
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.runs.result import Session
from gemmviz.explain.requests.what_if import NewLayout, Swizzle
from gemmviz.gui.control.memory_control import MemoryControl
from gemmviz.gui.layout.parts import Parts
from gemmviz.gui.memory.stage_pages import StagePages
from gemmviz.gui.presentation.hint import FadingHint
from gemmviz.gui.presentation.slide import NOTE_UNITS, note_height, plan_slide
from gemmviz.gui.recording.grids import Playable
from gemmviz.gui.stages.stage_picture import StagePicture
from gemmviz.gui.stages.stage_words import NO_BLOCK

Record = Callable[..., TraceRun]
SessionOf = Callable[..., Session]


def test_that_a_stage_shows_the_block_that_is_played_once_it_is_in_front(
    qtbot: QtBot, parts: Parts, control: MemoryControl, stages: StagePages, recorded: Record, session_of: SessionOf
) -> None:
    control.show_session(session_of(recorded("tiled_transposed", "32x32x32", (0, 0), TILE=32)))
    assert stages.banks.sentence == stages.sectors.sentence == NO_BLOCK
    bring_to_front(qtbot, parts.memory_page, "memoryBanks")
    qtbot.waitUntil(lambda: not stages.banks.is_busy)
    assert stages.banks.isVisible()
    assert stages.banks.sentence == "All 32 lanes need bank 0, so one store takes 32 wavefronts."
    assert stages.sectors.request is None
    bring_to_front(qtbot, parts.memory_page, "memorySectors")
    qtbot.waitUntil(lambda: not stages.sectors.is_busy)
    assert stages.sectors.sentence.startswith("32 lanes touch 4 sectors")
    request = stages.banks.request
    bring_to_front(qtbot, parts.memory_page, "memoryBanks")
    assert stages.banks.request is request  # it was kept, with what was chosen
    bring_to_front(qtbot, parts.memory_page, "memoryTotals")
    assert parts.recording.isVisible()
    bring_to_front(qtbot, parts.memory_page, "memoryAnimation")
    assert parts.memory.isVisible()


def test_that_keys_step_the_request_in_sight_and_not_the_hidden_animation(
    qtbot: QtBot, parts: Parts, control: MemoryControl, stages: StagePages, recorded: Record, session_of: SessionOf
) -> None:
    control.show_session(session_of(recorded("tiled_transposed", "32x32x32", (0, 0), TILE=32)))
    qtbot.waitUntil(lambda: control.player.count > 1)
    bar = parts.player_bar
    bring_to_front(qtbot, parts.memory_page, "memoryBanks")
    qtbot.waitUntil(lambda: stages.banks.request is not None)
    bar.first_asked.emit()
    bar.step_forward_asked.emit()
    assert (stages.banks.player.index, control.player.index) == (1, 0)
    bar.step_back_asked.emit()
    assert stages.banks.player.index == 0
    bar.last_asked.emit()
    assert stages.banks.player.index == 32
    bring_to_front(qtbot, parts.memory_page, "memoryTotals")
    bar.step_forward_asked.emit()
    assert (stages.banks.player.index, control.player.index) == (32, 0)
    bring_to_front(qtbot, parts.memory_page, "memoryAnimation")
    bar.step_forward_asked.emit()
    assert (stages.banks.player.index, control.player.index) == (32, 1)
    parts.memory_page.hide()
    bar.step_forward_asked.emit()
    assert control.player.index == 1


def test_that_the_key_to_play_goes_from_the_totals_to_the_animation(
    qtbot: QtBot, parts: Parts, control: MemoryControl, stages: StagePages, recorded: Record, session_of: SessionOf
) -> None:
    control.show_session(session_of(recorded("tiled_transposed", "32x32x32", (0, 0), TILE=32)))
    qtbot.waitUntil(lambda: control.player.count > 1)
    bring_to_front(qtbot, parts.memory_page, "memoryTotals")
    parts.player_bar.play_asked.emit()
    assert parts.memory.isVisible()
    assert control.player.playing
    parts.player_bar.play_asked.emit()
    assert not control.player.playing
    bring_to_front(qtbot, parts.memory_page, "memoryBanks")
    parts.player_bar.play_asked.emit()
    assert stages.banks.isVisible()


def test_that_the_request_in_sight_is_presented_with_keys_of_its_own(
    qtbot: QtBot, parts: Parts, control: MemoryControl, stages: StagePages, recorded: Record, session_of: SessionOf
) -> None:
    control.show_session(session_of(recorded("tiled_transposed", "32x32x32", (0, 0), TILE=32)))
    bring_to_front(qtbot, parts.memory_page, "memoryBanks")
    qtbot.waitUntil(lambda: stages.banks.request is not None)
    stages.banks.set_layout(NewLayout(2))
    control.presentation.toggle()
    screen = control.presentation.screen
    assert screen is not None
    assert screen.isFullScreen()
    (picture,), (text,) = screen.stage.views, screen.stage.texts
    assert isinstance(picture, StagePicture)
    assert picture is not stages.banks.picture
    assert picture.canvas.request is not None
    assert picture.canvas.request.site is stages.banks.request.site
    assert picture.canvas.scale == pytest.approx(screen.stage.plan.scale)
    assert text.head == "2 columns of padding, no swizzle (modelled)"
    assert text.note.startswith("modelled from accesses recorded as written on ")
    assert text.sentence.startswith("Each of 16 banks is asked for 2 different words at once")
    steps = picture.canvas.steps
    assert picture.canvas.progress == steps
    qtbot.keyClick(screen, Qt.Key.Key_Left)
    qtbot.waitUntil(lambda: picture.canvas.progress == steps - 1)
    qtbot.keyClick(screen, Qt.Key.Key_Home)
    assert picture.canvas.progress == 0
    assert stages.banks.player.index == steps
    qtbot.keyClick(screen, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: picture.canvas.progress > 0)
    qtbot.keyClick(screen, Qt.Key.Key_Escape)  # while it plays
    assert control.presentation.screen is None
    assert stages.banks.picture.isVisible()


def test_that_keys_change_the_request_and_its_layout_on_the_whole_screen(
    qtbot: QtBot, parts: Parts, control: MemoryControl, stages: StagePages, recorded: Record, session_of: SessionOf
) -> None:
    control.show_session(session_of(recorded("tiled_transposed", "32x32x32", (0, 0), TILE=32)))
    bring_to_front(qtbot, parts.memory_page, "memoryBanks")
    qtbot.waitUntil(lambda: stages.banks.request is not None)
    control.presentation.toggle()
    screen = control.presentation.screen
    assert screen is not None
    hint = screen.findChild(FadingHint)
    for width, height in ((1280, 800), (1920, 1080)):
        screen.resize(width, height)
        for key in ("P or Shift+P  padding", "S  swizzle", "A  access", "↑ ↓  request", "C  costliest request"):
            assert key in hint.text()
        note = note_height(NOTE_UNITS[0], ["recorded"]) * plan_slide(width, height, 1).scale
        assert hint.y() >= height - note - 1  # it covers the note alone
        assert screen.rect().contains(hint.geometry())

    def press(key: Qt.Key, shift: bool = False) -> tuple[str, int]:
        modifier = Qt.KeyboardModifier.ShiftModifier if shift else Qt.KeyboardModifier.NoModifier
        qtbot.keyClick(screen, key, modifier)
        (picture,), (text,) = screen.stage.views, screen.stage.texts
        assert isinstance(picture, StagePicture)
        return text.head, picture.canvas.steps

    assert screen.stage.texts[0].head == "As recorded, without padding"
    assert press(Qt.Key.Key_P) == ("1 column of padding, no swizzle (modelled)", 1)
    assert press(Qt.Key.Key_P) == ("2 columns of padding, no swizzle (modelled)", 2)
    assert press(Qt.Key.Key_P, shift=True) == ("1 column of padding, no swizzle (modelled)", 1)
    assert press(Qt.Key.Key_P, shift=True) == press(Qt.Key.Key_P, shift=True) == ("As recorded, without padding", 32)
    assert press(Qt.Key.Key_S) == ("No padding, columns swapped by XOR with the row (modelled)", 1)
    press(Qt.Key.Key_A)
    (picture,) = screen.stage.views
    assert isinstance(picture, StagePicture)
    assert picture.canvas.request is not None
    other = picture.canvas.request.site
    assert stages.banks.request is not None
    assert other is not stages.banks.request.site
    speed = screen._player.speed
    press(Qt.Key.Key_Minus)
    assert screen._player.speed < speed
    press(Qt.Key.Key_Down)
    assert picture.canvas.request.warp == 1
    press(Qt.Key.Key_Escape)
    assert stages.banks.request.site is other
    assert stages.banks.new_layout == NewLayout(0, Swizzle.COLUMN)


@pytest.mark.parametrize("place", [0, 1])
def test_that_padding_and_swizzle_have_keys_wherever_the_focus_is_while_banks_are_in_sight(
    qtbot: QtBot,
    parts: Parts,
    control: MemoryControl,
    stages: StagePages,
    recorded: Record,
    session_of: SessionOf,
    place: int,
) -> None:
    control.show_session(session_of(recorded("tiled_transposed", "32x32x32", (0, 0), TILE=32)))
    bring_to_front(qtbot, parts.memory_page, "memoryBanks")
    qtbot.waitUntil(lambda: stages.banks.request is not None)
    page = parts.memory_page
    with qtbot.waitActive(page):
        page.activateWindow()
    focus = page.findChild(QPushButton, "memoryBanks") if place == 0 else stages.banks.findChild(QComboBox)
    focus.setFocus()
    assert QApplication.focusWidget() is focus
    for key, modifier, layout in (
        (Qt.Key.Key_P, Qt.KeyboardModifier.NoModifier, NewLayout(1)),
        (Qt.Key.Key_P, Qt.KeyboardModifier.NoModifier, NewLayout(2)),
        (Qt.Key.Key_P, Qt.KeyboardModifier.ShiftModifier, NewLayout(1)),
        (Qt.Key.Key_S, Qt.KeyboardModifier.NoModifier, NewLayout(1, Swizzle.COLUMN)),
    ):
        qtbot.keyClick(focus, key, modifier)
        assert stages.banks.new_layout == layout
    bring_to_front(qtbot, parts.memory_page, "memorySectors")
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_P)
    assert stages.banks.new_layout == NewLayout(1, Swizzle.COLUMN)


def test_that_another_block_and_another_recording_come_to_the_stage(
    qtbot: QtBot, parts: Parts, control: MemoryControl, stages: StagePages, recorded: Record, session_of: SessionOf
) -> None:
    older, newer = recorded("naive", "4x4x4", (0, 0)), recorded("tiled", "4x4x4", (0, 0), (1, 0), TILE=2)
    control.show_session(session_of(older, newer))
    bring_to_front(qtbot, parts.memory_page, "memorySectors")
    qtbot.waitUntil(lambda: not stages.sectors.is_busy)
    first = stages.sectors.request
    assert first is not None
    blocks = parts.memory_page.findChild(QComboBox, "blockCombo")
    assert blocks.isVisible()
    blocks.setFocus()
    qtbot.keyClick(blocks, Qt.Key.Key_Down)
    qtbot.waitUntil(lambda: stages.sectors.request not in (None, first))
    control.show_session(session_of(older))
    qtbot.waitUntil(lambda: stages.sectors.request is not None and stages.sectors.request.site.text == "A[row * K + k]")
    control.show_session(session_of())
    assert (stages.sectors.sentence, stages.sectors.request) == (NO_BLOCK, None)


def test_that_the_stage_in_front_pauses_when_it_is_left(
    qtbot: QtBot, parts: Parts, control: MemoryControl, stages: StagePages, recorded: Record, session_of: SessionOf
) -> None:
    control.show_session(session_of(recorded("tiled_transposed", "32x32x32", (0, 0), TILE=32)))
    bring_to_front(qtbot, parts.memory_page, "memoryBanks")
    qtbot.waitUntil(lambda: not stages.banks.is_busy)
    stages.banks.setFocus()
    qtbot.keyClick(stages.banks, Qt.Key.Key_Space)
    assert stages.banks.is_playing
    assert not control.player.playing  # Space is the stage's own
    bring_to_front(qtbot, parts.memory_page, "memoryAnimation")
    assert not stages.banks.is_playing


def test_that_the_stages_follow_the_picture_a_person_turns_to(
    qtbot: QtBot, parts: Parts, control: MemoryControl, stages: StagePages, recorded: Record, session_of: SessionOf
) -> None:
    control.show_session(session_of(recorded("naive", "4x4x4", (0, 0)), recorded("tiled", "4x4x4", (0, 0), TILE=2)))
    bring_to_front(qtbot, parts.memory_page, "memoryBanks")
    qtbot.waitUntil(lambda: not stages.banks.is_busy)
    assert stages.banks.request is not None
    stages.show_played((None, control.played[0]))
    assert stages.banks.request is None
    stages.follow(1)
    qtbot.waitUntil(lambda: stages.banks.request is not None)


def test_that_of_two_recordings_the_lists_name_the_one_whose_request_is_shown(
    qtbot: QtBot, parts: Parts, control: MemoryControl, stages: StagePages, recorded: Record, session_of: SessionOf
) -> None:
    transposed, tiled = (recorded(kernel, "32x32x32", (0, 0), TILE=32) for kernel in ("tiled_transposed", "tiled"))
    control.show_session(session_of(tiled, transposed))
    control._on_playable(1, Playable(tiled))
    page = parts.memory_page
    sides = [page.findChild(QPushButton, name) for name in ("leftSide", "rightSide")]
    lists = [page.findChild(QComboBox, name) for name in ("memoryCombo", "compareCombo")]
    assert not any(side.isVisible() for side in sides)  # both pictures are in sight
    bring_to_front(qtbot, parts.memory_page, "memoryBanks")
    assert [side.text() for side in sides] == ["Left: tiled_transposed", "Right: tiled"]

    def named() -> list[str]:
        return [combo.currentText() for combo in lists if combo.isVisible()]

    for place, wavefronts, title in ((0, 32, "tiled_transposed TILE=32"), (1, 1, "tiled TILE=32"), (0, 32, "")):
        qtbot.mouseClick(sides[place], Qt.MouseButton.LeftButton)
        qtbot.waitUntil(lambda: stages.banks.request is not None)
        assert f"takes {wavefronts} wavefront" in stages.banks.sentence
        assert control._active_pane.place == place
        assert [side.isChecked() for side in sides] == [place == 0, place == 1]
        (name,) = named()
        assert name.startswith(title)
    page.panes[1].focused.emit()  # as a click on the picture does
    assert sides[1].isChecked()
    assert named()[0].startswith("tiled TILE=32")
    bring_to_front(qtbot, parts.memory_page, "memoryAnimation")
    assert len(named()) == 2
    assert not any(side.isVisible() for side in sides)


def test_that_what_is_recorded_or_chosen_anew_is_shown_and_not_the_picture_beside_it(
    qtbot: QtBot, parts: Parts, control: MemoryControl, stages: StagePages, recorded: Record, session_of: SessionOf
) -> None:
    naive, tiled, transposed = (recorded(name, "32x32x32", (0, 0)) for name in ("naive", "tiled", "tiled_transposed"))
    sources: list[TraceRun | None] = []
    control.run_shown.connect(sources.append)
    control.show_session(session_of(tiled, naive))
    control._on_playable(1, Playable(tiled))
    parts.memory_page.panes[1].focused.emit()
    assert sources[-1] is tiled
    bring_to_front(qtbot, parts.memory_page, "memoryBanks")
    control.show_session(session_of(tiled, naive, transposed))
    assert stages.playable is not None
    assert stages.playable.run is sources[-1] is transposed
    assert parts.memory_page.findChild(QPushButton, "leftSide").isChecked()
    control.play(naive)
    assert stages.playable.run is sources[-1] is naive


def test_that_an_empty_page_of_banks_leads_to_the_sectors(
    qtbot: QtBot, parts: Parts, control: MemoryControl, stages: StagePages, recorded: Record, session_of: SessionOf
) -> None:
    control.show_session(session_of(recorded("naive", "8x8x8", (0, 0))))
    bring_to_front(qtbot, parts.memory_page, "memoryBanks")
    button = parts.memory_page.findChild(QPushButton, "bankStageSectors")
    qtbot.waitUntil(button.isVisible)
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert parts.memory_page.findChild(QPushButton, "memorySectors").isChecked()
    qtbot.waitUntil(lambda: stages.sectors.request is not None)


def test_that_the_source_marks_the_line_of_the_request_in_front(
    qtbot: QtBot, parts: Parts, control: MemoryControl, stages: StagePages, recorded: Record, session_of: SessionOf
) -> None:
    run = recorded("tiled_transposed", "32x32x32", (0, 0), TILE=32)
    control.run_shown.connect(parts.source.show_trace)
    control.show_session(session_of(run))
    qtbot.waitUntil(lambda: bool(parts.source.lit_lines()))
    of_frame = parts.source.lit_lines()
    bring_to_front(qtbot, parts.memory_page, "memoryBanks")
    qtbot.waitUntil(lambda: stages.banks.request is not None)
    first = stages.banks.request
    assert first is not None
    assert parts.source.lit_lines() == (first.site.line,) != of_frame
    other = next(site for site in run.sites if site.space is Space.SHARED and site.line != first.site.line)
    stages.banks.choose_request(other.index, 0)
    assert parts.source.lit_lines() == (other.line,)
    bring_to_front(qtbot, parts.memory_page, "memoryAnimation")
    assert parts.source.lit_lines() == of_frame


@pytest.mark.usefixtures("stages")
def test_that_an_animation_whose_page_is_hidden_stops(
    qtbot: QtBot, parts: Parts, control: MemoryControl, recorded: Record, session_of: SessionOf
) -> None:
    control.show_session(session_of(recorded("tiled_transposed", "32x32x32", (0, 0), TILE=32)))
    qtbot.waitUntil(lambda: control.player.count > 1)
    for hide in (lambda: bring_to_front(qtbot, parts.memory_page, "memoryBanks"), parts.memory_page.hide):
        parts.memory_page.show()
        bring_to_front(qtbot, parts.memory_page, "memoryAnimation")
        control.player.set_loop(True)
        control.player.play()
        assert control.player.playing
        hide()
        assert not control.player.playing


@pytest.mark.parametrize("kernel", ["no_first_barrier.cu", "tiled"])
def test_that_a_recording_opens_in_the_view_in_front_also_with_a_hazard(
    qtbot: QtBot,
    parts: Parts,
    control: MemoryControl,
    stages: StagePages,
    recorded: Record,
    session_of: SessionOf,
    kernel: str,
) -> None:
    first = recorded("tiled", "16x16x16", (0, 0), TILE=8)
    control.show_session(session_of(first))
    bring_to_front(qtbot, parts.memory_page, "memoryBanks")
    control.show_session(session_of(first, recorded(kernel, "16x16x16", (0, 0))))
    assert stages.banks.isVisible()
    assert not parts.memory.isVisible()
