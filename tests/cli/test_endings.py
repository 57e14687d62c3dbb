"""The command line ends by signals and time limits at any moment: one line, an exit code, nothing left running."""

from __future__ import annotations

import re
import signal
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from pace import clock_limit_s, limit_s
from processes import Running, running, wait_until

from gemmviz.cli.app import run_app
from gemmviz.domain.session.session import load_session

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals as POSIX has them")

QUICK = ("--budget", "0.05", "--mode", "hot")
BUSY_S = 3.0
"""Processor time after which a command has begun what it is to do for ever."""
STOPPED = "gemmviz: stopped; nothing was written\n"
ENDED = "gemmviz: ended by {}; nothing was written\n"

QUICKLY_GIVEN_UP = """
import sys
from gemmviz.__main__ import main
from gemmviz.backends import compile_limit
from gemmviz.cli import one_job
from gemmviz.cli.run import experiment as run
compile_limit.LEAST_S = 0.5
for module in (one_job, run):
    module.is_shipped = lambda kernel: True
main()
"""
"""The command line where every kernel is taken for one of gemmviz' own, and compilers have half a second."""

KEPT_BUSY = """
import ctypes, os, sys
from gemmviz.cli.signals import ended_by_signals
from gemmviz.domain.files.leftovers import temporary_folder
with ended_by_signals("nothing was written"), temporary_folder():
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    call = ctypes.CDLL(None).sleep if sys.argv[1] == "a library" else lambda seconds: [None for _ in iter(int, 1)]
    while True:
        try:
            print("now", flush=True)
            call(100)
        except BaseException:
            pass
"""
"""A library keeps the main thread for ever, or it swallows every exception; standard error is turned away."""


@pytest.fixture
def endless(kernel_file: Any) -> Path:
    """A kernel that never ends, in a loop that changes what it reads: without that the machine ends it at once."""
    loop = "while (((volatile float *)C)[0] != 7.5f) ((volatile float *)C)[0] += 1.0f;"
    found: Path = kernel_file("float acc = 0.0f;", f"float acc = 0.0f; {loop}")
    return found


@pytest.fixture
def unrolled(kernel_file: Any) -> Path:
    """A kernel that a compiler works on for half a minute, and that it has never met before."""
    loop = "#pragma unroll 100000\nfor (int k = 0; k < 100000; ++k) acc += A[(row * K + k) % (M * K)] * B[k % (K * N)];"
    new = f"float acc = {time.time_ns() % 99999}.0f;\n{loop}\n"
    found: Path = kernel_file("float acc = 0.0f;", new)
    return found


def is_guarded(started: Running) -> bool:
    """Whether a process of its own runs the kernel, or is about to."""
    return len(started.descendants()) >= 2 and any(started.temporary.iterdir())


@pytest.mark.parametrize(
    ("command", "number", "said"),
    [
        ("run", signal.SIGHUP, ENDED.format("SIGHUP")),
        ("trace", signal.SIGKILL, ""),
    ],
)
def test_that_a_signal_amid_a_launch_ends_command_and_kernel(
    command: str, number: signal.Signals, said: str, endless: Path, tmp_path: Path
) -> None:
    words = ("-m", "gemmviz", command, "--kernel-file", str(endless), "--size", "4x4x4")
    with running(*words, temporary=tmp_path / "tmp") as started:
        wait_until(lambda: is_guarded(started) and started.busy_s() > BUSY_S, "the kernel runs")
        begin = time.monotonic()
        code, out, err = started.signal_and_finish(number)
        took_s = time.monotonic() - begin
        assert (code, out, err) == (-9 if number is signal.SIGKILL else 128 + number, "", said)
        assert took_s < clock_limit_s(1.5)
        wait_until(lambda: not started.left(), "nothing is left running")
        wait_until(lambda: not any(started.temporary.iterdir()), "no folder is left")


def test_that_ctrl_c_amid_a_compile_ends_command_and_compiler(unrolled: Path, tmp_path: Path) -> None:
    words = ("-m", "gemmviz", "run", "--kernel-file", str(unrolled), "--size", "4x4x4")
    with running(*words, temporary=tmp_path / "tmp") as started:
        wait_until(lambda: is_guarded(started) and started.busy_s() > BUSY_S, "the compiler works")
        assert started.signal_and_finish(signal.SIGINT) == (130, "", STOPPED)
        wait_until(lambda: not started.left(), "nothing is left running")
        wait_until(lambda: not any(started.temporary.iterdir()), "no folder is left")


def test_that_ctrl_c_is_heard_while_a_compiler_works_in_this_process(unrolled: Path, tmp_path: Path) -> None:
    patient = QUICKLY_GIVEN_UP.replace("= 0.5", "= 600.0")
    words = ("-c", patient, "run", "--kernel-file", str(unrolled), "--size", "4x4x4")
    with running(*words, temporary=tmp_path / "tmp") as started:
        wait_until(lambda: started.busy_s() > BUSY_S, "the compiler works")
        begin = time.monotonic()
        assert started.signal_and_finish(signal.SIGINT) == (130, "", STOPPED)
        assert time.monotonic() - begin < clock_limit_s(1.5)


def test_that_a_compiler_in_this_process_has_a_time_limit_of_its_own(unrolled: Path, tmp_path: Path) -> None:
    words = ("-c", QUICKLY_GIVEN_UP, "run", "--kernel-file", str(unrolled), "--size", "4x4x4", "--time-limit", "0.5")
    with running(*words, temporary=tmp_path / "tmp") as started:
        out, err = started.process.communicate(timeout=90)
        assert started.process.returncode == 1
        assert err.startswith("gemmviz: mine: compiling did not end within 0.5 s: ")
        assert err.count("\n") == 1
        assert "Traceback" not in out


@pytest.mark.parametrize("who", ["a library", "the command itself"])
@pytest.mark.parametrize(("number", "code", "said"), [(2, 130, STOPPED), (15, 143, ENDED.format("SIGTERM"))])
def test_that_a_command_that_answers_no_signal_is_ended_and_its_line_reaches_the_terminal(
    who: str, number: int, code: int, said: str, tmp_path: Path
) -> None:
    with running("-c", KEPT_BUSY, who, temporary=tmp_path / "tmp") as started:
        assert started.process.stdout is not None
        assert started.process.stdout.readline() == "now\n"
        assert started.signal_and_finish(number)[::2] == (code, said)
        assert not any(started.temporary.iterdir())


def test_that_a_signal_ignored_from_the_start_stays_ignored(tmp_path: Path) -> None:
    words = (
        "import os, signal; from gemmviz.cli.signals import ended_by_signals\n"
        "signal.signal(signal.SIGHUP, signal.SIG_IGN)\n"
        "with ended_by_signals('nothing'): os.kill(os.getpid(), signal.SIGHUP); print('on')\n"
        "print(signal.getsignal(signal.SIGTERM) == signal.SIG_DFL)"
    )
    with running("-c", words, temporary=tmp_path / "tmp") as started:
        out, err = started.process.communicate(timeout=90)
        assert (started.process.returncode, out, err) == (0, "on\nTrue\n", "")


def test_that_one_signal_more_does_not_take_the_line_that_says_why(tmp_path: Path) -> None:
    words = (
        "import os, signal; from gemmviz.cli.signals import Signalled, ended_by_signals\n"
        "try:\n"
        "    with ended_by_signals('nothing'): os.kill(os.getpid(), signal.SIGTERM)\n"
        "except Signalled:\n"
        "    os.kill(os.getpid(), signal.SIGTERM)\n"
        "    print('ended by SIGTERM')"
    )
    with running("-c", words, temporary=tmp_path / "tmp") as started:
        out, err = started.process.communicate(timeout=90)
        assert (started.process.returncode, out, err) == (0, "ended by SIGTERM\n", "")


def test_that_the_next_command_removes_what_a_killed_one_left(tmp_path: Path) -> None:
    temporary = tmp_path / "tmp"
    words = (
        "import os; from gemmviz.domain.files.leftovers import temporary_folder\n"
        "with temporary_folder(): os.kill(os.getpid(), 9)"
    )
    with running("-c", words, temporary=temporary) as started:
        started.process.wait()
    (left,) = temporary.iterdir()
    assert re.fullmatch(r"gemmviz-\w{8}-\d+-\d+-\w+", left.name)
    with running("-m", "gemmviz", "--version", temporary=temporary) as started:
        assert started.process.wait() == 0
    assert not left.exists()


def test_that_half_a_film_goes_with_ffmpeg_when_the_command_is_killed(tmp_path: Path) -> None:
    saved, out = tmp_path / "s.gemmviz", tmp_path / "out"
    assert run_app(["trace", "--kernel", "tiled", "--size", "64x64x64", "--out", str(saved)]) == 0
    words = ("export", str(saved), "--out", str(out), "--format", "mp4", "--speed", "0.25", "--size", "1920x1080")
    with running("-m", "gemmviz", *words, temporary=tmp_path / "tmp", QT_QPA_PLATFORM="offscreen") as started:
        wait_until(lambda: out.is_dir() and len(started.descendants()) == 2, "ffmpeg and its supervisor run")
        wait_until(lambda: any(path.name.startswith(".gemmviz-") for path in out.iterdir()), "the film is begun")
        assert started.signal_and_finish(signal.SIGKILL)[0] == -9
        wait_until(lambda: not started.left(), "nothing is left running")
        wait_until(lambda: not any(out.iterdir()), "no half film is left")


def test_that_what_was_measured_before_ctrl_c_is_saved(endless: Path, tmp_path: Path) -> None:
    out = tmp_path / "kept.gemmviz"
    kernels = ("--kernel", "cpu_ijk", "--kernel-file", str(endless), "--size", "4x4x4", *QUICK)
    with running("-m", "gemmviz", "run", *kernels, "--out", str(out), temporary=tmp_path / "tmp") as started:
        enough_s = limit_s(BUSY_S)  # a slow machine takes longer for the first one
        wait_until(lambda: is_guarded(started) and started.busy_s() > enough_s, "the second kernel runs")
        code, _, err = started.signal_and_finish(signal.SIGINT)
    assert (code, err) == (130, f"gemmviz: stopped; 1 of 2 runs are saved in {out}\n")
    assert [run.spec.kernel for run in load_session(out).runs] == ["cpu_ijk"]
