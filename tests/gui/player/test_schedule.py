"""Which frame shows when."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gemmviz.gui.player.schedule import (
    FRAME_S,
    LEAD_S,
    MOTION_PART,
    MOTION_S,
    SPEEDS,
    Course,
    begun,
    changed,
    ease,
    frame_seconds,
    moment,
    motion_seconds,
    speed_words,
)


def course(index: int = 0, count: int = 10, speed: float = 1.0, loop: bool = False, arrives: bool = True) -> Course:
    return Course(index, 0.0, count, speed, loop, arrives)


@pytest.mark.parametrize("speed", SPEEDS)
def test_that_a_frame_shows_for_its_time_then_the_next(speed: float) -> None:
    each = FRAME_S / speed
    assert [moment(course(3, speed=speed), share * each).index for share in (0, 0.99, 1, 1.99, 2)] == [3, 3, 4, 4, 5]


def test_that_things_move_first_and_then_rest() -> None:
    shown = [moment(course(), (4 + part) * FRAME_S) for part in (0.0, 0.2, 0.4, 0.5, 0.9)]
    assert [at.index for at in shown] == [4] * 5
    arrivals = [at.arrival for at in shown]
    assert arrivals[0] == pytest.approx(0.0, abs=1e-6)
    assert arrivals == sorted(arrivals)
    assert arrivals[3:] == [1.0, 1.0]


def test_that_a_motion_starts_and_stops_gently() -> None:
    assert (ease(-1), ease(0), ease(0.5), ease(1), ease(2)) == (0, 0, 0.5, 1, 1)
    assert ease(0.1) < 0.05
    assert ease(0.9) > 0.95


def test_that_a_motion_leaves_time_to_look_and_is_left_out_where_nobody_could_see_it() -> None:
    for speed in SPEEDS[:-1]:
        assert 0 < motion_seconds(speed) <= min(MOTION_S, MOTION_PART * frame_seconds(speed))
    assert motion_seconds(16.0) == 0.0
    assert moment(course(speed=16.0), 3 * FRAME_S / 16).arrival == 1.0


@given(st.floats(0, 1000), st.floats(0, 1000), st.sampled_from(SPEEDS), st.booleans())
def test_that_frames_depend_on_the_time_alone(first: float, later: float, speed: float, loop: bool) -> None:
    """Whoever looks once sees what somebody sees who looked all the time: a slow receiver misses frames, not time."""
    plan = course(2, 50, speed, loop)
    for elapsed in (first, first + later):
        expected = 2 + int(elapsed * speed / FRAME_S + 1e-9)
        at = moment(plan, elapsed)
        assert at.index == (expected % 50 if loop else min(expected, 49))
        assert 0.0 <= at.arrival <= 1.0


def test_that_the_last_frame_shows_its_time_and_then_it_has_ended() -> None:
    assert not moment(course(8), 1.99 * FRAME_S).ended
    assert moment(course(8), 1.99 * FRAME_S).index == 9
    ended = moment(course(8), 2.0 * FRAME_S)
    assert (ended.index, ended.arrival, ended.ended) == (9, 1.0, True)
    assert moment(course(8), 500.0) == ended


def test_that_a_loop_goes_round_and_never_ends() -> None:
    assert [moment(course(8, loop=True), t * FRAME_S).index for t in (1, 2, 3, 12)] == [9, 0, 1, 0]
    assert not moment(course(8, loop=True), 1e6).ended


def test_that_playing_begins_soon_however_slow_it_goes_on() -> None:
    slow = begun(4, 50.0, 10, 0.25, loop=False)
    assert moment(slow, 50.0).index == 4
    assert moment(slow, 50.0 + LEAD_S + 0.001).index == 5
    assert moment(slow, 50.0 + LEAD_S + 3.9 * FRAME_S).index == 5
    fast = begun(4, 50.0, 10, 16.0, loop=False)
    assert moment(fast, 50.0 + FRAME_S / 16).index == 5


def test_that_a_frame_that_stood_there_does_not_move() -> None:
    assert moment(course(arrives=False), 0.1).arrival == 1.0
    assert moment(course(arrives=False), 1.1 * FRAME_S).arrival < 1.0


@pytest.mark.parametrize(("at", "shows"), [(0.3, 0), (3.3, 3), (9.9, 9)])
def test_that_another_speed_or_loop_leaves_what_shows_where_it_is(at: float, shows: int) -> None:
    at *= FRAME_S
    for other in (changed(course(), at, speed=4.0), changed(course(), at, loop=True), changed(course(), at, count=20)):
        found = moment(other, at)
        assert found.index == shows
        assert found.part == pytest.approx(moment(course(), at).part, abs=1e-6)


def test_that_fewer_frames_end_at_their_last() -> None:
    assert moment(changed(course(), 7.5 * FRAME_S, count=4), 7.5 * FRAME_S).index == 3


def test_that_a_clock_that_goes_back_does_no_harm() -> None:
    assert moment(course(3), -5.0).index == 3


def test_that_a_speed_says_how_many_frames_a_second_shows() -> None:
    assert speed_words(1.0) == "1× · a frame every 2 s"
    assert speed_words(2.0) == "2× · 1 frame/s"
    for speed in SPEEDS:
        words = speed_words(speed).split()
        shown_s = float(words[-2]) if words[-1] == "s" else 1.0 / float(words[2])
        assert shown_s == pytest.approx(frame_seconds(speed))


def test_that_at_speed_1_a_frame_can_be_read() -> None:
    """Its tiles have arrived while there is a second and more to read what it does."""
    assert frame_seconds(1.0) - motion_seconds(1.0) >= 1.0
