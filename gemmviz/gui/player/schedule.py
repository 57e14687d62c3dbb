"""Which frame shows when: pure functions of the time that has passed."""

from __future__ import annotations

from dataclasses import dataclass

SPEEDS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0)

FRAME_S = 2.0
"""How long a frame shows at speed 1: time enough to read its caption and to find its tiles."""

MOTION_S = 0.8
"""How long things take to move to their new place, at most."""

MOTION_PART = 0.7
"""At most this part of a frame's time is spent moving: the rest is for looking."""

NO_MOTION_FROM = 16.0
"""At this speed and above things jump: a frame is over before a motion could be seen."""

LEAD_S = 0.15
"""Playing begins with a step after so long, however slow it goes on: a person who pressed Play sees it at once."""

LONGEST_S = 9.0
"""Playing the steps of one request takes at most so long, where steps can still be seen."""

_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class Course:
    """A stretch of playing in which nothing is changed: `index` of `count` frames shows since `since_s`.

    `arrives` tells whether that first frame itself moves in, or stood there already.
    """

    index: int
    since_s: float
    count: int
    speed: float
    loop: bool
    arrives: bool = True


@dataclass(frozen=True, slots=True)
class ShownMoment:
    """What shows: the frame, how far its things have moved (0 to 1), how much of its time is over (0 to 1).

    `ended`: the last frame's time is over and nothing follows.
    """

    index: int
    arrival: float
    part: float
    ended: bool = False


def frame_seconds(speed: float) -> float:
    """How long one frame shows."""
    return FRAME_S / speed


def speed_words(speed: float) -> str:
    """A speed and how many frames it shows: "1× · a frame every 2 s", "4× · 2 frames/s"."""
    seconds = frame_seconds(speed)
    if seconds > 1.0:
        return f"{speed:g}× · a frame every {seconds:g} s"
    rate = 1.0 / seconds
    return f"{speed:g}× · {rate:g} frame{'' if rate == 1.0 else 's'}/s"


def motion_seconds(speed: float) -> float:
    """How long its motion takes; 0 where things jump."""
    return 0.0 if speed >= NO_MOTION_FROM else min(MOTION_S, MOTION_PART * frame_seconds(speed))


def speed_for(steps: int) -> float:
    """The slowest speed from 1 on at which so many steps take at most `LONGEST_S`, or else the fastest with motion."""
    seen = [speed for speed in SPEEDS if 1.0 <= speed < NO_MOTION_FROM]
    return next((speed for speed in seen if steps * frame_seconds(speed) <= LONGEST_S), seen[-1])


def ease(part: float) -> float:
    """How far something has come after a part of the time (0 to 1): it starts and stops gently."""
    part = min(max(part, 0.0), 1.0)
    return part * part * (3.0 - 2.0 * part)


def arrival_after(elapsed_s: float, lasts_s: float) -> float:
    """How far a motion of `lasts_s` has come."""
    return ease(elapsed_s / lasts_s) if lasts_s > 0 else 1.0


def begun(index: int, now_s: float, count: int, speed: float, loop: bool) -> Course:
    """The course that begins at a frame which stands there already."""
    each = frame_seconds(speed)
    return Course(index, now_s - each + min(LEAD_S, each), count, speed, loop, arrives=False)


def moment(course: Course, now_s: float) -> ShownMoment:
    """What shows now. It depends on the time alone, so frames nobody had time for are left out, never put off."""
    each = frame_seconds(course.speed)
    passed = max(now_s - course.since_s, 0.0) / each + _ROUNDING
    steps = int(passed)
    index = course.index + steps
    if course.loop:
        index %= max(course.count, 1)
    elif index >= course.count:
        return ShownMoment(max(course.count - 1, 0), 1.0, 1.0, ended=True)
    part = passed - steps
    stood_there = steps == 0 and not course.arrives
    return ShownMoment(index, 1.0 if stood_there else arrival_after(part * each, motion_seconds(course.speed)), part)


def changed(
    course: Course, now_s: float, *, count: int | None = None, speed: float | None = None, loop: bool | None = None
) -> Course:
    """The course from now on with something else; what shows stays where it is."""
    at = moment(course, now_s)
    count = course.count if count is None else count
    speed = course.speed if speed is None else speed
    loop = course.loop if loop is None else loop
    arrives = course.arrives or at.index != course.index
    index = min(at.index, max(count - 1, 0))
    return Course(index, now_s - at.part * frame_seconds(speed), count, speed, loop, arrives)
