"""The plan of a film against expected text: `frame.arrival×pictures`, arrivals in hundredths, frames counted from 1."""

from __future__ import annotations

from itertools import groupby

import pytest

from gemmviz.gui.export.film.plan import (
    END_S,
    SHORT_S,
    FilmPlan,
    pictures_in,
    plan_film,
    short_range,
    shots_in,
)
from gemmviz.gui.player.schedule import FRAME_S


def text_of(plan: FilmPlan) -> str:
    return " ".join(f"{shot.frame + 1}.{round(100 * shot.arrival)}x{shot.pictures}" for shot in plan.shots)


def test_that_a_frame_moves_and_rests_and_the_last_one_stays_longer() -> None:
    plan = plan_film(1, 2, FRAME_S, 10)
    arriving = "{0}.0x1 {0}.6x1 {0}.20x1 {0}.39x1 {0}.61x1 {0}.80x1 {0}.94x1"
    assert text_of(plan) == f"{arriving.format(1)} 1.100x3 {arriving.format(2)} 2.100x13"
    assert (plan.pictures, plan.seconds) == (30, 3.0)


@pytest.mark.parametrize(
    ("first", "last", "rate", "fps", "is_animated", "expected"),
    [
        (3, 5, 1.0, 5, False, "3.100x5 4.100x5 5.100x10"),
        (1, 3, 2.0, 10, False, "1.100x5 2.100x5 3.100x15"),
        (1, 4, 4.0, 10, False, "1.100x3 2.100x2 3.100x3 4.100x12"),  # two and a half pictures each
        (1, 3, 16.0, 16, True, "1.100x1 2.100x1 3.100x17"),  # too fast to arrival
        (1, 3, 0.25, 1, True, "1.0x1 1.100x3 2.0x1 2.100x3 3.0x1 3.100x4"),
        (7, 7, 1.0, 1, False, "7.100x2"),
        (1, 2, 3.0, 10, False, "1.100x3 2.100x14"),  # 3 1/3 and 6 2/3
    ],
)
def test_that_the_plan_is_as_expected(
    first: int, last: int, rate: float, fps: int, is_animated: bool, expected: str
) -> None:
    assert text_of(plan_film(first, last, rate * FRAME_S, fps, is_animated)) == expected


@pytest.mark.parametrize("speed", [0.25, 0.7, 1.0, 1.5, 3.0, 7.0, 16.0])
@pytest.mark.parametrize("fps", [16, 25, 30])
def test_that_no_frame_is_left_out_and_time_does_not_drift(speed: float, fps: int) -> None:
    plan = plan_film(1, 133, speed, fps)
    assert [frame for frame, _ in groupby(shot.frame for shot in plan.shots)] == list(range(133))
    assert all(shot.pictures >= 1 for shot in plan.shots)
    assert plan.seconds == pytest.approx(133 * FRAME_S / speed + END_S, abs=1 / fps)
    assert plan.pictures == pictures_in(133, speed, fps)


@pytest.mark.parametrize(("speed", "is_animated"), [(1.0, True), (4.0, True), (2.0, False), (16.0, True)])
def test_that_shots_are_told_in_advance(speed: float, is_animated: bool) -> None:
    assert shots_in(40, speed, 25, is_animated) == pytest.approx(
        len(plan_film(1, 40, speed, 25, is_animated).shots), rel=0.15
    )


@pytest.mark.parametrize(
    ("count", "speed", "expected"),
    [
        (9, None, (1, 9, 1.0)),
        (19, None, (1, 19, 2.0)),
        (20, None, (1, 20, 4.0)),
        (66, None, (1, 66, 8.0)),
        (133, None, (1, 76, 8.0)),
        (100_000, None, (1, 76, 8.0)),
        (133, 16.0, (1, 133, 16.0)),
        (133, 0.5, (1, 4, 0.5)),
        (1, None, (1, 1, 1.0)),
    ],
)
def test_that_a_film_nobody_chose_a_range_for_is_short(
    count: int, speed: float | None, expected: tuple[int, int, float]
) -> None:
    found = short_range(count, speed)
    assert (found.first, found.last, found.speed) == expected
    assert found.is_whole == (expected[1] == count)
    assert pictures_in(found.last, found.speed, 25) / 25 <= SHORT_S + 0.04


def test_that_samples_come_from_the_whole_film() -> None:
    plan = plan_film(1, 50, 1.0, 25)
    samples = plan.samples(16)
    assert 8 <= len(samples) <= 16
    assert samples[0].frame == 0
    assert samples[-1].frame > 40
    assert plan_film(1, 1, 1.0, 2).samples(16) == plan_film(1, 1, 1.0, 2).shots
