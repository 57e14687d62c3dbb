"""How long something still takes is said once it can be known."""

from collections.abc import Sequence

import pytest

from gemmviz.gui.work.time_left import TimeLeft


class Work:
    """Work of `wholes` parts of equal size; `parts` are the seconds of those that are done."""

    def __init__(self, parts: Sequence[float], wholes: int = 100) -> None:
        self.now = 40.0
        self.left = TimeLeft(lambda: self.now)
        self.left.begin()
        for number, seconds in enumerate(parts, 1):
            self.now += seconds
            self.left.note(number / wholes)


@pytest.mark.parametrize(
    ("parts", "wholes", "words"),
    [
        ((), 10, ""),
        ((15.0,), 10, ""),
        ((15.0, 1.0), 10, ""),
        ((15.0, 1.0, 1.0), 10, "5 to 10 s left"),
        ((15.0, 4.0, 5.0), 10, "25 to 35 s left"),
        ((15.0, 30.0, 36.0), 10, "3 to 5 min left"),
        ((1.0, 1.0, 1.0, 1.0), 5, "less than 5 s left"),
        ((1.0, 1.0, 9.0), 10, ""),
        ((15.0, 1.0, 1.0, 1.0, 1.0, 30.0, 1.0), 10, "less than 5 s left"),
        ((1.0, 1.0, 1.0), 3, ""),
    ],
)
def test_that_the_time_left_follows_from_parts_after_the_first(parts: Sequence[float], wholes: int, words: str) -> None:
    assert Work(parts, wholes).left.words() == words


def test_that_small_steps_are_counted_together() -> None:
    work = Work([0.01, 0.19, 0.01, 0.19, 0.01, 0.19, 0.01, 0.19], 100)
    assert work.left.words() == "5 to 10 s left", "0.2 s for each two, of which 46 are left"


def test_that_time_goes_on_while_no_part_is_done() -> None:
    work = Work([20.0, 4.0, 4.0], 10)
    assert work.left.words() == "25 to 30 s left"
    work.now += 12.0
    assert work.left.words() == "15 to 20 s left"
    work.now += 20.0
    assert work.left.words() == "2 to 3 min left", "two parts and what is running took 40 s, and seven are left"


def test_that_an_estimate_is_corrected_and_not_dropped() -> None:
    work = Work([15.0, 1.0, 1.0], 10)
    assert work.left.words() == "5 to 10 s left"
    for number, words in enumerate(("5 to 55 s left", "5 to 45 s left"), 4):
        work.now += 9.0
        work.left.note(number / 10)
        assert work.left.words() == words


def test_that_other_work_has_times_of_its_own() -> None:
    work = Work([1.0, 1.0, 1.0], 10)
    work.left.begin()
    work.left.note(0.1)
    assert work.left.words() == ""
