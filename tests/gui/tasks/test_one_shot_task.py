"""Work that lets go of what it was made of."""

from __future__ import annotations

import weakref

from gemmviz.gui.tasks.one_shot_task import OneShotTask


class Large:
    def answer(self) -> int:
        return 42


def test_that_it_is_called_once_and_then_holds_nothing() -> None:
    large = Large()
    gone, work = weakref.ref(large), OneShotTask(large.answer)
    del large
    assert work() == 42
    assert gone() is None
    assert work() is None


def test_that_work_nobody_wants_holds_nothing_and_does_nothing() -> None:
    large = Large()
    gone, work = weakref.ref(large), OneShotTask(large.answer)
    del large
    work.forget()
    assert gone() is None
    assert work() is None
