"""What compiles in this process has a time limit, whatever it does, and its answer and its errors come through."""

from __future__ import annotations

import sys
import threading
import time
from typing import NoReturn

import pytest

from gemmviz.backends.base import CompileError, CompilerStuckError, DeviceLostError
from gemmviz.backends.compile_limit import LEAST_S, compile_limit_s, within_limit


def test_that_what_ends_in_time_hands_over_its_result_or_its_error() -> None:
    def fail() -> NoReturn:
        raise CompileError("mine.cu:3:1: no")

    assert within_limit(lambda: "made", 60.0) == "made"
    with pytest.raises(CompileError, match=r"^mine\.cu:3:1: no$"):
        within_limit(fail, 60.0)


def test_that_what_does_not_end_is_left_and_told_apart_from_a_launch() -> None:
    go_on = threading.Event()

    def work() -> None:
        while not go_on.is_set():
            pass

    with pytest.raises(
        CompilerStuckError, match=r"^compiling did not end within 0\.05 s: allow more time \(--time-limit\)"
    ) as told:
        within_limit(work, 0.05)
    go_on.set()
    assert isinstance(told.value, DeviceLostError), "the process is of no more use: a thread works on"
    assert "--time-limit" in str(told.value)


def test_that_a_compiler_that_calls_itself_for_each_level_has_room() -> None:
    def deep(levels: int) -> int:
        return levels and 1 + deep(levels - 1)

    before = threading.stack_size()
    assert within_limit(lambda: deep(sys.getrecursionlimit() // 2), 60.0) == sys.getrecursionlimit() // 2
    assert threading.stack_size() == before


def test_that_a_compiler_gets_ten_seconds_where_a_launch_gets_one() -> None:
    assert (compile_limit_s(1.0), compile_limit_s(600.0)) == (LEAST_S, 600.0) == (10.0, 600.0)


@pytest.mark.skipif(sys.platform != "linux", reason="this system tells no thread's time")
def test_that_a_compiler_which_gets_no_processor_is_not_said_to_have_too_much_code() -> None:
    go_on = threading.Event()
    with pytest.raises(
        CompilerStuckError, match=r"^compiling did not end within [01] s, since it got little of"
    ) as told:
        within_limit(go_on.wait, 0.1)
    go_on.set()
    assert "macros" not in str(told.value)


@pytest.mark.skipif(sys.platform != "linux", reason="this system tells no thread's time")
def test_that_a_busy_machine_costs_a_compiler_nothing_of_its_limit() -> None:
    """It sleeps longer than its limit, as if other programs had the processor."""
    assert within_limit(lambda: time.sleep(0.6) or "made", 0.3) == "made"
