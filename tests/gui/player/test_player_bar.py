"""The controls of the player, alone and tied to one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import (
    QApplication,
    QLabel,
    QProgressBar,
    QSlider,
    QToolButton,
    QWidget,
)
from pytestqt.qtbot import QtBot
from shortcut_claims import duplicates

from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.explain.requests.frame_facts import FrameMarks
from gemmviz.gui.commands.actions import Actions
from gemmviz.gui.layout.action_table import ACTIONS
from gemmviz.gui.looks.theme import DARK, LIGHT, Theme
from gemmviz.gui.memory_view.text.labels import PREPARING
from gemmviz.gui.player.caption_label import CaptionLabel
from gemmviz.gui.player.player import Player
from gemmviz.gui.player.player_actions import PLAY
from gemmviz.gui.player.player_bar import IDLE_BLOCK, NOTHING, PlayerBar
from gemmviz.gui.player.schedule import SPEEDS, speed_words
from gemmviz.gui.widgets.fields import ComboBox
from gemmviz.gui.work.last_work import Asked, LastWork, WorkStage
from gemmviz.trace.frames.frames import Frames
from gemmviz.trace.frames.plan import FrameMode

BUTTONS = ("firstButton", "stepBackButton", "playButton", "stepForwardButton", "lastButton", "loopButton")
CONTROLS = (*BUTTONS, "frameSlider", "speedCombo", "modeCombo")


@pytest.fixture(scope="module")
def frames(recorded: Callable[..., TraceRun]) -> Frames:
    run = recorded("tiled", "4x4x4", TILE=2)
    return Frames(run.blocks[0].trace(run.sites, run.arrays))


def button(bar: PlayerBar, name: str) -> QToolButton:
    return bar.findChild(QToolButton, name)


def combo(bar: PlayerBar, name: str) -> ComboBox:
    found: ComboBox = bar.findChild(ComboBox, name)
    return found


def slider(bar: PlayerBar) -> QSlider:
    return bar.findChild(QSlider, "frameSlider")


def caption(bar: PlayerBar) -> str:
    return str(bar.findChild(QLabel, "frameCaption").text())


def click(qtbot: QtBot, bar: PlayerBar, name: str) -> None:
    qtbot.mouseClick(button(bar, name), Qt.MouseButton.LeftButton)


def test_that_every_control_has_a_name_a_tooltip_and_can_be_reached(bar: PlayerBar) -> None:
    reached, widget = [], bar.nextInFocusChain()
    while widget is not bar:
        if widget.focusPolicy() & Qt.FocusPolicy.TabFocus and widget.objectName() in CONTROLS:
            reached.append(widget.objectName())
        widget = widget.nextInFocusChain()
    assert reached == ["frameSlider", *BUTTONS, "speedCombo", "modeCombo"]
    for name in CONTROLS:
        control = bar.findChild(QWidget, name)
        assert control.toolTip()
        assert control.accessibleName()


def test_that_it_fits_into_its_place(bar: PlayerBar) -> None:
    assert bar.minimumSizeHint().height() <= 108
    assert bar.minimumSizeHint().width() <= 520
    for name in CONTROLS:
        control = bar.findChild(QWidget, name)
        assert bar.rect().contains(control.rect().translated(control.mapTo(bar, control.rect().topLeft())))


def test_that_a_frame_is_told_in_one_sentence_with_its_evidence(bar: PlayerBar, frames: Frames) -> None:
    bar.show_index(2)
    bar.show_caption(frames.frame(2).caption)
    assert (
        caption(bar)
        == "Barrier interval 3 of 5: load rows 0–1, columns 2–3 of A and rows 2–3, columns 0–1 of B into shared memory"
    )
    assert slider(bar).value() == 2
    assert bar.findChild(QLabel, "frameEvidence").isVisible()
    assert bar.findChild(QLabel, "frameEvidence").text() == "recorded"


def test_that_without_frames_nothing_can_be_played(bar: PlayerBar, frames: Frames) -> None:
    bar.show_caption(frames.frame(1).caption)
    bar.set_count(0)
    assert caption(bar) == NOTHING
    assert not bar.findChild(QLabel, "frameEvidence").isVisible()
    assert [name for name in CONTROLS if bar.findChild(QWidget, name).isEnabled()] == []


def test_that_a_recorded_block_without_frames_says_that_it_accesses_no_memory(bar: PlayerBar) -> None:
    bar.set_count(0, is_recorded=True)
    assert caption(bar) == IDLE_BLOCK
    bar.show_work(None)
    assert caption(bar) == IDLE_BLOCK
    bar.set_count(0)
    assert caption(bar) == NOTHING


def test_that_the_caption_of_the_last_frames_leaves_while_others_are_made(bar: PlayerBar, frames: Frames) -> None:
    bar.set_count(3)
    bar.show_caption(frames.frame(1).caption)
    bar.expect_frames()
    assert caption(bar) == PREPARING
    bar.set_count(5)
    assert caption(bar) == PREPARING, "until the first of the new frames is there"
    bar.show_caption(frames.frame(2).caption)
    shown = caption(bar)
    assert shown != PREPARING
    bar.expect_nothing()
    assert caption(bar) == shown
    bar.expect_frames()
    bar.expect_nothing()
    assert caption(bar) not in (PREPARING, shown)


def test_that_preparing_takes_the_sliders_place_and_gives_it_back(bar: PlayerBar, frames: Frames) -> None:
    bar.show_caption(frames.frame(1).caption)
    before, height = caption(bar), bar.minimumSizeHint().height()
    bar.set_busy(True)
    progress = bar.findChild(QProgressBar, "playerBusy")
    assert (caption(bar), progress.isVisible(), slider(bar).isVisible()) == (PREPARING, True, False)
    assert (progress.minimum(), progress.maximum()) == (0, 0)
    bar.show_caption(frames.frame(2).caption)
    assert caption(bar) == PREPARING
    bar.set_busy(True, "recording block (3, 1)", 0.25)
    assert (caption(bar), progress.value() / progress.maximum()) == ("recording block (3, 1)", 0.25)
    assert bar.minimumSizeHint().height() == height
    bar.set_busy(False)
    assert caption(bar) != before
    assert caption(bar).startswith("Barrier interval 3 of 5")
    assert slider(bar).isVisible()


@pytest.mark.parametrize(
    ("name", "signal"),
    [
        ("playButton", "play_asked"),
        ("stepBackButton", "step_back_asked"),
        ("firstButton", "first_asked"),
        ("stepForwardButton", "step_forward_asked"),
        ("lastButton", "last_asked"),
        ("loopButton", "loop_chosen"),
    ],
)
def test_that_each_button_says_what_it_is_for(qtbot: QtBot, bar: PlayerBar, name: str, signal: str) -> None:
    with qtbot.waitSignal(getattr(bar, signal)):
        click(qtbot, bar, name)


def test_that_the_mode_is_chosen_by_a_person_and_shown_in_silence(qtbot: QtBot, bar: PlayerBar) -> None:
    modes = combo(bar, "modeCombo")
    assert [modes.itemText(place) for place in range(modes.count())] == [
        "By barrier interval",
        "By step",
        "By warp request",
    ]
    said = []
    for width in range(400, 60, -5):
        modes.setFixedWidth(width)
        said.append(modes.shown_text())
    assert list(dict.fromkeys(said))[:3] == ["By barrier interval", "Barrier interval", "interval"]
    with qtbot.assertNotEmitted(bar.mode_chosen):
        bar.set_mode(FrameMode.REQUEST, [FrameMode.REQUEST, FrameMode.STEP])
    assert modes.currentText() == "By warp request"
    enabled = [bool(modes.model().flags(modes.model().index(p, 0)) & Qt.ItemFlag.ItemIsEnabled) for p in range(3)]
    assert enabled == [False, True, True]
    with qtbot.waitSignal(bar.mode_chosen) as told:
        modes.setCurrentIndex(1)
    assert told.args == [FrameMode.STEP]


@pytest.mark.parametrize("speed", SPEEDS)
def test_that_the_speed_is_chosen_by_a_person_and_shown_in_silence(qtbot: QtBot, bar: PlayerBar, speed: float) -> None:
    speeds = combo(bar, "speedCombo")
    with qtbot.assertNotEmitted(bar.speed_chosen):
        bar.show_speed(speed)
    assert speeds.currentText() == speed_words(speed)
    other = SPEEDS[SPEEDS.index(speed) - 1]
    with qtbot.waitSignal(bar.speed_chosen) as told:
        speeds.setCurrentIndex(SPEEDS.index(other))
    assert told.args == [other]


def test_that_the_slider_stays_in_the_hand_that_holds_it(bar: PlayerBar) -> None:
    slider(bar).setSliderDown(True)
    bar.show_index(3)
    assert slider(bar).value() == 0
    slider(bar).setSliderDown(False)
    bar.show_index(3)
    assert slider(bar).value() == 3


def test_that_playing_changes_the_buttons_face_and_name(bar: PlayerBar) -> None:
    play = button(bar, "playButton")
    still = play.icon().pixmap(20, 20).toImage()
    assert (play.toolTip(), play.accessibleName()) == ("Play (Space)", "Play")
    bar.show_playing(True)
    assert (play.toolTip(), play.accessibleName()) == ("Pause (Space)", "Pause")
    assert play.icon().pixmap(20, 20).toImage() != still


def test_that_the_actions_have_their_keys_and_disturb_no_others(bar: PlayerBar) -> None:
    owner = QObject()
    window = Actions(owner, ACTIONS).by_section()
    assert duplicates([*window, *bar.by_section()]) == ()
    assert {section for section, _ in bar.by_section()} == {PLAY}
    assert [action for _, action in bar.by_section()] == bar.actions()
    keys = {action.objectName(): action.shortcut().toString() for action in bar.actions()}
    assert keys == {
        "playAction": "Space",
        "stepBackAction": ",",
        "stepForwardAction": ".",
        "firstFrameAction": "Home",
        "lastFrameAction": "End",
        "loopAction": "",
    }
    assert not {action.objectName() for action in bar.actions()} & {action.objectName() for _, action in window}


def test_that_bar_and_player_agree(qtbot: QtBot, bar: PlayerBar, player: Player, clock: Any) -> None:
    click(qtbot, bar, "stepForwardButton")
    click(qtbot, bar, "stepForwardButton")
    click(qtbot, bar, "stepBackButton")
    assert (player.index, slider(bar).value()) == (1, 1)
    click(qtbot, bar, "lastButton")
    assert (player.index, slider(bar).value()) == (4, 4)
    click(qtbot, bar, "firstButton")
    slider(bar).setValue(3)
    assert player.index == 3
    combo(bar, "speedCombo").setCurrentIndex(SPEEDS.index(4.0))
    click(qtbot, bar, "loopButton")
    assert (player.speed, player.loop) == (4.0, True)
    click(qtbot, bar, "playButton")
    assert player.playing
    assert button(bar, "playButton").accessibleName() == "Pause"
    clock.pass_by(1.0)
    player.advance()
    assert slider(bar).value() == player.index != 3
    player.pause()
    player.set_speed(0.5)
    player.set_loop(False)
    assert combo(bar, "speedCombo").currentText() == speed_words(0.5)
    assert not button(bar, "loopButton").isChecked()
    assert button(bar, "playButton").accessibleName() == "Play"


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_that_icons_and_marks_have_the_themes_colours(bar: PlayerBar, frames: Frames, theme: Theme) -> None:
    bar.set_marks(FrameMarks(np.array([1, 2], np.int32), np.array([3], np.int32)))
    bar.show_index(2)
    bar.show_caption(frames.frame(2).caption)
    bar.set_theme(theme)
    image = bar.grab().toImage()
    found = {image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())}
    assert {theme.text, theme.muted, theme.accent, theme.hazard} <= found


def test_that_play_waits_for_the_frames_of_a_recording_but_not_for_the_recording(bar: PlayerBar, qtbot: QtBot) -> None:
    asked: list[bool] = []
    bar.play_asked.connect(lambda: asked.append(True))
    running = LastWork(1, Asked.RECORDING, ("tiled",), "4×4×4")
    bar.set_count(0)
    bar.show_work(running)
    play = button(bar, "playButton")
    qtbot.keyClick(bar, Qt.Key.Key_Space)
    assert (play.isEnabled(), play.accessibleName()) == (False, "Play"), "there is nothing to play"
    assert "tiled 4×4×4 is being recorded" in play.toolTip()
    bar.show_work(replace(running, stage=WorkStage.DONE))
    assert caption(bar) == PREPARING
    bar.expect_frames()
    qtbot.keyClick(bar, Qt.Key.Key_Space)
    assert (play.accessibleName(), caption(bar), asked) == ("Pause", PREPARING, [])
    bar.set_count(3)
    assert asked == [True]
    qtbot.keyClick(bar, Qt.Key.Key_Space)
    assert asked == [True, True], "asked for at once"


@pytest.mark.parametrize("end", ["again", "no frames"])
def test_that_play_does_not_wait_for_what_will_not_come(bar: PlayerBar, qtbot: QtBot, end: str) -> None:
    asked: list[bool] = []
    bar.play_asked.connect(lambda: asked.append(True))
    bar.set_count(0)
    bar.expect_frames()
    qtbot.keyClick(bar, Qt.Key.Key_Space)
    if end == "again":
        qtbot.keyClick(bar, Qt.Key.Key_Space)
    else:
        bar.expect_nothing()
    assert button(bar, "playButton").accessibleName() == "Play"
    bar.set_count(3)
    assert asked == []


@pytest.mark.parametrize("width", [560, 604, 900])
def test_that_a_long_caption_is_whole_between_two_panels(bar: PlayerBar, qapp: QApplication, width: int) -> None:
    bar.resize(width, bar.height())
    bar.set_count(3)
    bar.show_caption(
        "Barrier interval 3 of 9: load rows 32–47, columns 16–31 of A and rows 16–31, columns 32–47 of B into shared "
        "memory, then read each element of As and Bs 16 times"
    )
    qapp.processEvents()
    label = bar.findChild(CaptionLabel, "frameCaption")
    assert isinstance(label, CaptionLabel)
    assert not label.is_cut
