"""The clock of the animation, driven by a clock that goes when it is told."""

from __future__ import annotations

from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from gemmviz.gui.player.player import TICK_MS, Player
from gemmviz.gui.player.schedule import FRAME_S, LEAD_S, MOTION_S, SPEEDS

NEVER_MS = 1_000_000


class Heard:
    """What a player says, in order."""

    def __init__(self, player: Player) -> None:
        self.frames: list[int] = []
        self.is_animated: list[float] = []
        self.playing: list[bool] = []
        player.frame_changed.connect(self.frames.append)
        player.arrival_changed.connect(self.is_animated.append)
        player.playing_changed.connect(self.playing.append)


@pytest.fixture
def player(qapp: object, clock: Any) -> Player:  # noqa: ARG001 - its timer needs an application
    made = Player(clock, NEVER_MS)
    made.set_count(10)
    return made


@pytest.fixture
def heard(player: Player) -> Heard:
    return Heard(player)


def go(player: Player, clock: Any, seconds: float, ticks: int = 1) -> None:
    for _ in range(ticks):
        clock.pass_by(seconds / ticks)
        player.advance()


def test_that_playing_shows_every_frame_once_and_stops_at_the_last(player: Player, heard: Heard, clock: Any) -> None:
    player.play()
    go(player, clock, 12.0 * FRAME_S, ticks=750)
    assert heard.frames == [1, 2, 3, 4, 5, 6, 7, 8, 9]
    assert heard.playing == [True, False]
    assert (player.index, player.arrival, player.playing) == (9, 1.0, False)


def test_that_a_slow_receiver_costs_frames_not_time(player: Player, clock: Any) -> None:
    """Each frame takes the receiver 2.5 frames' time: it sees every second or third, and all is over in time."""
    player.set_speed(8.0)
    seen: list[int] = []

    def paint(index: int) -> None:
        seen.append(index)
        clock.pass_by(2.5 * FRAME_S / 8)

    player.frame_changed.connect(paint)
    player.play()
    began = clock.now
    while player.playing:
        go(player, clock, 0.001)
    assert 3 <= len(seen) <= 5
    assert seen == sorted(set(seen))
    assert clock.now - began < 15 * FRAME_S / 8  # every frame would take 9 · 2.5 of them


def test_that_arrivals_run_from_nought_to_one_in_every_frame(player: Player, heard: Heard, clock: Any) -> None:
    player.play()
    go(player, clock, LEAD_S + 0.01)
    assert heard.is_animated[-1] < 0.1
    go(player, clock, MOTION_S, ticks=20)
    rising = heard.is_animated
    assert rising == sorted(rising)
    assert len(set(rising)) > 15
    assert rising[-1] == 1.0


def test_that_the_fastest_does_not_move(player: Player, heard: Heard, clock: Any) -> None:
    player.set_speed(16.0)
    player.play()
    go(player, clock, 0.5 * FRAME_S, ticks=32)
    assert len(heard.frames) >= 7
    assert heard.is_animated == []


def test_that_reduced_motion_never_moves(player: Player, heard: Heard, clock: Any) -> None:
    player.set_reduced_motion(True)
    player.play()
    go(player, clock, 3.0 * FRAME_S, ticks=200)
    player.step_forward()
    player.step_back()
    go(player, clock, 1.0 * FRAME_S, ticks=20)
    assert len(heard.frames) >= 4
    assert heard.is_animated == []
    assert player.arrival == 1.0


def test_that_reduced_motion_ends_a_motion_that_is_under_way(player: Player, heard: Heard, clock: Any) -> None:
    player.step_forward()
    go(player, clock, 0.1)
    assert player.arrival < 1.0
    player.set_reduced_motion(True)
    assert heard.is_animated[-1] == 1.0


def test_that_a_step_moves_to_the_next_frame_and_rests(player: Player, heard: Heard, clock: Any) -> None:
    player.step_forward()
    assert (heard.frames, heard.is_animated) == ([1], [0.0])
    go(player, clock, MOTION_S + 0.01, ticks=10)
    assert heard.is_animated == sorted(heard.is_animated)
    assert heard.is_animated[-1] == 1.0
    said = len(heard.is_animated)
    go(player, clock, 5.0 * FRAME_S, ticks=10)
    assert len(heard.is_animated) == said
    player.step_back()
    assert heard.frames == [1, 0]


def test_that_a_step_pauses(player: Player, heard: Heard, clock: Any) -> None:
    player.play()
    go(player, clock, LEAD_S + 1.5 * FRAME_S)
    player.step_forward()
    assert heard.playing == [True, False]
    assert heard.frames == [2, 3]


def test_that_steps_stop_at_the_ends_or_go_round(player: Player, heard: Heard) -> None:
    player.step_back()
    assert heard.frames == []
    player.set_loop(True)
    player.step_back()
    player.step_forward()
    assert heard.frames == [9, 0]


def test_that_seeking_is_at_once_and_to_the_nearest_there_is(player: Player, heard: Heard) -> None:
    for wanted in (4, 4, 99, -3):
        player.seek(wanted)
    player.last()
    player.first()
    assert heard.frames == [4, 9, 0, 9, 0]
    assert heard.is_animated == []


def test_that_seeking_while_it_plays_goes_on_from_there(player: Player, heard: Heard, clock: Any) -> None:
    player.play()
    player.seek(6)
    go(player, clock, 0.9 * FRAME_S)
    assert heard.frames == [6]
    go(player, clock, 0.2 * FRAME_S)
    assert heard.frames == [6, 7]


def test_that_play_at_the_end_begins_again(player: Player, heard: Heard, clock: Any) -> None:
    player.last()
    player.play()
    assert heard.frames == [9, 0]
    go(player, clock, 1.01 * FRAME_S)
    assert heard.frames == [9, 0, 1]


def test_that_a_loop_begins_again_by_itself(player: Player, heard: Heard, clock: Any) -> None:
    player.set_loop(True)
    player.seek(8)
    player.play()
    go(player, clock, 3.2 * FRAME_S, ticks=200)
    assert heard.frames == [8, 9, 0, 1, 2]
    assert player.playing


def test_that_toggle_plays_and_pauses(player: Player, heard: Heard) -> None:
    player.toggle()
    player.toggle()
    assert heard.playing == [True, False]


def test_that_a_pause_within_a_motion_brings_things_to_their_place(player: Player, heard: Heard, clock: Any) -> None:
    player.play()
    go(player, clock, LEAD_S + 0.1)
    player.pause()
    assert 0 < heard.is_animated[0] < 1
    assert heard.is_animated[-1] == 1.0


def test_that_it_waits_while_the_slider_is_held_and_goes_on_after(player: Player, heard: Heard, clock: Any) -> None:
    player.play()
    player.hold()
    player.seek(5)
    go(player, clock, 10.0 * FRAME_S, ticks=5)
    assert heard.frames == [5]
    player.release()
    assert heard.playing == [True, False, True]
    player.pause()
    player.hold()
    player.release()
    assert not player.playing


@pytest.mark.parametrize("count", [0, 1])
def test_that_without_two_frames_nothing_plays(player: Player, heard: Heard, count: int) -> None:
    player.play()
    player.set_count(count)
    player.play()
    player.step_forward()
    player.last()
    assert not player.playing
    assert player.index == 0
    assert heard.frames == []


def test_that_fewer_frames_leave_the_last_of_them(player: Player, heard: Heard) -> None:
    player.seek(9)
    player.set_count(3)
    assert (heard.frames, player.count) == ([9, 2], 3)
    with pytest.raises(ValueError, match="-1 frames"):
        player.set_count(-1)


@pytest.mark.parametrize("speed", SPEEDS)
def test_that_a_new_speed_holds_at_once_and_is_told_once(player: Player, clock: Any, speed: float) -> None:
    told: list[float] = []
    player.speed_changed.connect(told.append)
    player.play()
    player.set_speed(speed)
    player.set_speed(speed)
    player.seek(0)
    go(player, clock, FRAME_S / speed + 0.0001)
    assert player.index == 1
    assert told == ([] if speed == 1.0 else [speed])


def test_that_other_speeds_are_refused(player: Player) -> None:
    with pytest.raises(ValueError, match=r"speed 3: choose one of 0.25, 0.5, 1, 2, 4, 8, 16"):
        player.set_speed(3.0)


def test_that_a_receiver_may_stop_it(player: Player, heard: Heard, clock: Any) -> None:
    player.frame_changed.connect(lambda index: player.pause() if index == 2 else None)
    player.play()
    go(player, clock, 5.0 * FRAME_S, ticks=300)
    assert heard.frames == [1, 2]
    assert player.arrival == 1.0


def test_that_it_ticks_by_itself(qtbot: QtBot) -> None:
    player = Player()
    assert TICK_MS <= 17
    player.set_count(3)
    player.set_speed(8.0)
    heard = Heard(player)
    player.play()
    qtbot.waitUntil(lambda: not player.playing)
    assert heard.frames == [1, 2]
    assert len(heard.is_animated) > 4
