"""What racing threads read if they took turns, and how that is known."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gemmviz.catalogue.lessons import load_lessons
from gemmviz.explain.block.arithmetic import Sum
from gemmviz.explain.block.rounding import Rounding
from gemmviz.explain.block.turns import RacedSlot, Turns
from gemmviz.gui.lessons.lesson_data import read_lesson_data
from gemmviz.gui.memory.playing.making import Made, make
from gemmviz.trace.frames.plan import FrameMode


def made(name: str) -> Made:
    run = read_lesson_data(next(each for each in load_lessons() if each.id == "race")).traces[name]
    return make(run, run.blocks[0].trace(run.sites, run.arrays), FrameMode.REQUEST)


def turns_of(found: Made) -> Turns:
    assert found.a is not None
    assert found.b is not None
    assert found.c is not None
    return Turns(found.frames, found.a, found.b, found.c)


@pytest.fixture(scope="module")
def turns() -> Turns:
    return turns_of(made("broken"))


def test_that_turns_are_known_from_every_element_that_was_stored(turns: Turns) -> None:
    assert turns.rounding is not None
    changed = turns.c.copy()
    changed[3, 3] += 1
    assert Turns(turns.frames, turns.a, turns.b, changed).rounding is None


def test_that_the_first_sum_that_is_another_one_tells(turns: Turns, monkeypatch: pytest.MonkeyPatch) -> None:
    changed, asked = turns.c.copy(), list[int]()
    changed[0, 0] += 1

    def counted(self: Turns, thread: int, index: int, rounding: Rounding) -> tuple[Sum, ...]:
        asked.append(thread)
        return usual(self, thread, index, rounding)

    usual = Turns.sums_of
    monkeypatch.setattr(Turns, "sums_of", counted)
    assert Turns(turns.frames, turns.a, turns.b, changed).rounding is None
    assert asked == [0] * len(Rounding)


def test_that_a_kernel_whose_threads_wait_for_each_other_takes_no_turns() -> None:
    found = turns_of(made("fixed"))
    assert found.raced == {}
    assert found.rounding is None


def test_that_the_last_thread_finds_everything_stored(turns: Turns) -> None:
    assert turns.rounding is not None
    last = len(turns.frames) - 1
    stale = [
        sum(term.read is not None for each in turns.sums_of(thread, last, turns.rounding) for term in each.terms)
        for thread in range(16)
    ]
    assert stale[0] == 6
    assert stale[15] == 0, "which makes C[3,3] right, as the lesson says"
    assert all(stale[:15])


def test_that_an_element_lies_where_it_was_before_it_is_replaced(turns: Turns) -> None:
    first, second = sorted(turns.raced)
    assert turns.before(first, ("As", 0, 1)) is None
    assert turns.before(second, ("As", 0, 1)) == ("A", 0, 1)


def test_that_warps_take_turns_where_one_overwrites_what_another_still_reads() -> None:
    """Warp 0 stores the next tile of B into rows 0 to 3 of Bs before warp 1 has read the last one there."""
    found = replace(turns_of(made("second")), together=32)
    assert found.rounding is not None
    ((epoch, raced),) = found.raced.items()
    assert set(raced) == {("Bs", row, column) for row in range(4) for column in range(8)}
    assert raced["Bs", 1, 0] == RacedSlot(("B", 1, 0), ("B", 9, 0), is_read_first=True)
    ahead, behind = (found.sums_of(thread, len(found.frames) - 1, found.rounding)[0] for thread in (0, 32))
    assert all(term.read is None for term in ahead.terms)
    assert [term.k for term in behind.terms if term.read is not None] == [0, 1, 2, 3]
    assert behind.total == 179848, "as the lesson says"
    assert replace(found, together=1).rounding is None, "no thread was ahead of another of its warp"
    assert found.before(epoch, ("Bs", 1, 0)) == ("B", 1, 0)
