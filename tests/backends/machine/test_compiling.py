"""Compiling for the PTX machine is followed step by step, and left when somebody cancels."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import cast

import pytest
from ptx_instructions import kernel

from gemmviz.backends.base import CompilerStuckError
from gemmviz.backends.machine.compiling import COMPILING, compile_with_progress
from gemmviz.machine.faults import MachineError
from gemmviz.machine.program import Program, Steps, compile_ptx
from gemmviz.measure.cancel import CancelledError

_MADE = cast("Program", object())


def test_that_the_step_and_the_time_are_told_while_it_lasts() -> None:
    told: list[str] = []
    seen = threading.Event()

    def work(on_step: Steps) -> Program:
        on_step("step 3 of 3: making machine code of 82 blocks of code")
        assert seen.wait(30)
        return _MADE

    def progress(words: str) -> None:
        told.append(words)
        if words.startswith(f"{COMPILING}, step 3 of 3: making machine code of 82 blocks of code, 0."):
            seen.set()

    assert compile_with_progress(work, progress, 60) is _MADE
    assert told


def test_that_a_cancel_is_heard_within_half_a_second_whatever_llvm_does() -> None:
    goes_on = threading.Event()
    is_cancelled, asked_at = False, 0.0

    def work(on_step: Steps) -> Program:
        del on_step
        assert goes_on.wait(60)
        return _MADE

    def progress(words: str) -> None:
        del words
        if is_cancelled:
            raise CancelledError("stopped")

    def cancel() -> None:
        nonlocal is_cancelled, asked_at
        asked_at = time.monotonic()
        is_cancelled = True

    timer = threading.Timer(0.3, cancel)
    timer.start()
    with pytest.raises(CancelledError):
        compile_with_progress(work, progress, 60)
    assert time.monotonic() - asked_at < 0.5
    goes_on.set()
    timer.join()


def test_that_it_may_not_take_longer_than_its_limit() -> None:
    goes_on = threading.Event()

    def work(on_step: Steps) -> Program:
        del on_step
        assert goes_on.wait(60)
        return _MADE

    with pytest.raises(CompilerStuckError, match=r"did not end within \d+ s"):
        compile_with_progress(work, lambda _: None, 0.3)
    goes_on.set()


def test_that_what_goes_wrong_is_raised() -> None:
    def work(on_step: Steps) -> Program:
        del on_step
        raise MachineError("the machine does not implement frobnicate")

    with pytest.raises(MachineError, match="frobnicate"):
        compile_with_progress(work, lambda _: None, 60)


def test_that_every_block_of_code_is_told_and_then_what_llvm_does(tmp_path: Path) -> None:
    body = "mov.u32 %r1, %tid.x; setp.eq.u32 %p1, %r1, 0; @%p1 bra end; mov.u32 %r1, 1; end: bar.sync 0;"
    ptx = kernel(f".reg .b32 %r<2>; .reg .pred %p<2>; {body}", "")
    told: list[str] = []
    entry = ptx.split(".entry", 1)[1].split("(", 1)[0].strip()
    compile_ptx(ptx, entry, "k.cu", tmp_path, on_step=told.append)
    count = len(told) - 2
    assert told[:count] == [f"step 1 of 3: writing block {n + 1} of {count}" for n in range(count)]
    assert told[count:] == [
        f"step 2 of 3: optimising {count} blocks of code",
        f"step 3 of 3: making machine code of {count} blocks of code",
    ]
    again: list[str] = []
    compile_ptx(ptx, entry, "k.cu", tmp_path, on_step=again.append)
    assert again == told[:count]  # machine code comes from the disk
