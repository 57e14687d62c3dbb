"""The plan of a film: which frame shows in which picture, and how far its tiles have come. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from math import ceil, floor

from gemmviz.gui.player.schedule import FRAME_S, SPEEDS, arrival_after, frame_seconds, motion_seconds

END_S = 1.0
"""The last frame stays so much longer, so that a film that begins again does not do it in the middle of a word."""
SHORT_S = 20.0
"""A film for which nobody chose frames or speed is not longer than that."""
FASTEST_UNASKED = 8.0
"""Faster than that no motion can be followed: rather some frames than all of them too fast."""
MOST_PICTURES = 10_000


@dataclass(frozen=True, slots=True)
class Shot:
    """One picture that stands for `pictures` pictures of the film: a frame, counted from 0, and how far its tiles have
    come (0 to 1).
    """

    frame: int
    arrival: float
    pictures: int


@dataclass(frozen=True, slots=True)
class FilmPlan:
    """Shots in order, at `fps` pictures a second."""

    shots: tuple[Shot, ...]
    fps: int

    @property
    def pictures(self) -> int:
        return sum(shot.pictures for shot in self.shots)

    @property
    def seconds(self) -> float:
        return self.pictures / self.fps

    def samples(self, most: int) -> tuple[Shot, ...]:
        """At most so many shots from everywhere in the film."""
        step = -(-len(self.shots) // most)
        return self.shots[::step] if step > 1 else self.shots


@dataclass(frozen=True, slots=True)
class FilmRange:
    """Frames `first` to `last`, counted from 1, of `count`, at a speed."""

    first: int
    last: int
    count: int
    speed: float

    @property
    def is_whole(self) -> bool:
        return (self.first, self.last) == (1, self.count)


def plan_film(first: int, last: int, speed: float, fps: int, is_animated: bool = True) -> FilmPlan:
    """The film of frames `first` to `last`, counted from 1. Every frame has a picture where `fps` is at least `speed`.

    A frame begins with its tiles where they come from, which move and rest as in the player.
    """
    motion_s = motion_seconds(speed) if is_animated else 0.0
    shots: list[Shot] = []
    for frame, pictures in _shares(first, last, speed, fps):
        shots += _merged(frame, [arrival_after(picture / fps, motion_s) for picture in range(pictures)])
    return FilmPlan(tuple(shots), fps)


def plan_moments(moments: Sequence[tuple[int, float]], fps: int) -> FilmPlan:
    """The film of moments of which each has one picture, but for the last one, which stays: frames, counted from 0, and
    how far what moves has come in them.
    """
    shots = [Shot(frame, arrival, len(list(alike))) for (frame, arrival), alike in groupby(moments)]
    last = shots[-1]
    return FilmPlan((*shots[:-1], replace(last, pictures=last.pictures + round(END_S * fps))), fps)


def pictures_in(frames: int, speed: float, fps: int) -> int:
    """How many pictures a film of so many frames has."""
    return _begins(frames, speed, fps) + round(END_S * fps)


def shots_in(frames: int, speed: float, fps: int, is_animated: bool) -> int:
    """About how many of them differ from the one before."""
    motion_s = motion_seconds(speed) if is_animated else 0.0
    return frames * (1 + ceil(motion_s * fps))


def short_range(count: int, speed: float | None = None) -> FilmRange:
    """The frames and the speed of a film for which nobody chose them: all at speed 1 if that takes SHORT_S at most,
    else faster, up to FASTEST_UNASKED, and then as many of the first as can be shown. A `speed` that was chosen stays.
    """
    fast = next((s for s in SPEEDS if 1.0 <= s <= FASTEST_UNASKED and _room(s) >= count), FASTEST_UNASKED)
    chosen = fast if speed is None else speed
    return FilmRange(1, max(min(count, _room(chosen)), 1), count, chosen)


def _room(speed: float) -> int:
    """How many frames fit into SHORT_S."""
    return floor((SHORT_S - END_S) * speed / FRAME_S)


def _shares(first: int, last: int, speed: float, fps: int) -> Iterator[tuple[int, int]]:
    """Frames, counted from 0, and how many pictures each has."""
    count = last - first + 1
    for place in range(count):
        pictures = _begins(place + 1, speed, fps) - _begins(place, speed, fps)
        if place == count - 1:
            pictures += round(END_S * fps)
        yield first - 1 + place, pictures


def _begins(place: int, speed: float, fps: int) -> int:
    """The picture with which a frame begins; rounded anew for each, so that nothing adds up."""
    return floor(place * frame_seconds(speed) * fps + 0.5)


def _merged(frame: int, arrivals: list[float]) -> Iterator[Shot]:
    """One shot for pictures that are the same."""
    begin = 0
    for place in range(1, len(arrivals) + 1):
        if place == len(arrivals) or arrivals[place] != arrivals[begin]:
            yield Shot(frame, arrivals[begin], place - begin)
            begin = place
