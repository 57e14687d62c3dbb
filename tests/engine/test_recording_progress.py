"""What is said while nothing of a recording can be seen yet."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from numba import njit
from numba.core import event

from gemmviz.backends.base import KernelTimeoutError
from gemmviz.domain.shape import Shape
from gemmviz.engine.analysis import progress
from gemmviz.engine.analysis.progress import USUAL_S, CountingLimit, NumbaCompiling, own_functions, words_of
from gemmviz.engine.messages import Conditions, Job
from gemmviz.engine.recording import device_for_recording, record
from gemmviz.measure.bench import Watch
from gemmviz.trace.recorder import BlocksSeen

MakeJob = Callable[..., Job]


@pytest.mark.parametrize(
    ("seen", "blocks", "words"),
    [
        (BlocksSeen(0, 12345), 1, "recording the block, 12\u202f345 events so far"),
        (BlocksSeen(0), 1, "counting and checking the accesses of the block"),
        (BlocksSeen(0, 7), 16, "recording block 1 of 16, 7 events so far"),
        (BlocksSeen(1, 1), 16, "recording block 2 of 16, 1 event so far"),
        (BlocksSeen(15), 16, "counting and checking the accesses of block 16 of 16"),
    ],
)
def test_that_words_say_which_block_and_what_is_done_with_it(seen: BlocksSeen, blocks: int, words: str) -> None:
    assert words_of(seen, blocks) == words


class Times:
    """A clock, and how long processors worked."""

    def __init__(self) -> None:
        self.now = self.worked = 0.0
        self.limit = CountingLimit(15, 2, lambda: self.now, lambda: self.worked)

    def check(
        self,
        seconds: float,
        seen: BlocksSeen,
        compiled: int = 0,
        *,
        worked: float | None = None,
        is_compiling: bool = False,
    ) -> None:
        self.now += seconds
        self.worked += seconds if worked is None else worked
        self.limit.check(seen, compiled, is_compiling=is_compiling)


def test_that_the_time_limit_holds_while_accesses_are_counted() -> None:
    times = Times()
    times.check(10, BlocksSeen(0))
    times.check(20, BlocksSeen(0, 7))  # a block runs, whose own limit that is
    times.check(15, BlocksSeen(0))
    times.check(20, BlocksSeen(0), is_compiling=True)
    times.check(15, BlocksSeen(0))
    times.check(20, BlocksSeen(0), 1)  # compiled between two looks
    times.check(15, BlocksSeen(0), 1)
    times.check(20, BlocksSeen(1), 1)
    times.check(15, BlocksSeen(1), 1)
    with pytest.raises(KernelTimeoutError, match=r"the accesses of block 2 of 2 did not end within 15 s\. Choose"):
        times.check(1, BlocksSeen(1), 1)


def test_that_time_in_which_other_programs_have_the_processors_does_not_count() -> None:
    times = Times()
    times.check(60, BlocksSeen(0), worked=15)
    with pytest.raises(KernelTimeoutError, match=r"within 15 s\. The computer was busy .*: it took 62 s"):
        times.check(2, BlocksSeen(0))


def test_that_several_processors_do_not_shorten_the_time_limit_and_none_does_not_lift_it() -> None:
    times = Times()
    times.check(15, BlocksSeen(0), worked=60)
    times = Times()
    times.check(150, BlocksSeen(0), worked=0)
    with pytest.raises(KernelTimeoutError, match="busy"):
        times.check(1, BlocksSeen(0), worked=0)


def test_that_events_of_a_long_block_are_counted_while_it_runs(job: MakeJob) -> None:
    said: list[str] = []
    naive = job("naive")
    conditions = Conditions(Shape(16, 16, 60_000))
    record(naive, conditions, device_for_recording(naive.kernel), [(0, 0, 0)], Watch(said.append))
    start, end = "naive: recording the block, ", " events so far"
    told = [words for words in said if words.startswith(start) and words.endswith(end)]
    counts = [int(words[len(start) : -len(end)].replace("\u202f", "")) for words in told]
    assert len(set(counts)) > 1
    assert counts == sorted(counts)


def test_that_numba_is_named_while_it_compiles_and_not_before_or_after(monkeypatch: pytest.MonkeyPatch) -> None:
    now, looks = 0.0, list[int]()

    def looked() -> int:
        looks.append(own_functions())
        return looks[-1]

    monkeypatch.setattr(progress, "own_functions", looked)
    with NumbaCompiling(lambda: now) as compiling:
        said: list[str] = [compiling.words()]

        def doubled(value: int) -> int:
            return 2 * value

        class Says(event.Listener):
            def on_start(self, _: event.Event) -> None:
                nonlocal now
                said.append(compiling.words())
                now += USUAL_S
                said.append(compiling.words())
                now += 1.0
                said.append(compiling.words())

            def on_end(self, _: event.Event) -> None:
                said.append(compiling.words())

        compiled: Any = njit(doubled)
        with event.install_listener("numba:compile", Says()):
            assert compiled(4) == 8
    assert len(looks) == 1, "to look through all modules each time slows down what is compiled"
    most = own_functions()
    assert most > 40, "functions that count accesses"
    usual = f"compiling the analysis, once for all kernels, up to 1 min: function 1 of up to {most}"
    longer = f"compiling the analysis, once for all kernels, longer than the usual 1 min: function 1 of up to {most}"
    assert said == ["", usual, usual, longer, ""]
