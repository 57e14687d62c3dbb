"""A confined process can do what a kernel and its compiler need, and nothing else; what it tried is said."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from gemmviz.engine.sandbox import landlock
from gemmviz.engine.sandbox.protections import protections

HOSTILE = Path(__file__).parents[2] / "data" / "engine" / "hostile.py"
HELD = protections()
linux_only = pytest.mark.skipif(sys.platform != "linux", reason="the sandbox is Linux's")
needs_supervisor = pytest.mark.skipif(not HELD.has_supervisor, reason="this kernel tells nobody of system calls")
needs_landlock = pytest.mark.skipif(not HELD.files, reason="this kernel has no Landlock")
pytestmark = linux_only

Try = Callable[..., subprocess.CompletedProcess[str]]


def attempt(what: str, *arguments: object, **environment: str) -> subprocess.CompletedProcess[str]:
    """What comes of one attempt in a confined process."""
    return subprocess.run(
        [sys.executable, str(HOSTILE), what, *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=90,
        env={**os.environ, **environment},
        stdin=subprocess.DEVNULL,
    )


@needs_supervisor
@pytest.mark.parametrize(
    ("what", "words"),
    [
        ("socket", "open a network connection"),
        ("unix_socket", "open a network connection"),
        ("shell", "start the program /bin/sh"),
        ("fork", "start another process"),
        ("kill", "send a signal to another process"),
        ("kill_all", "send a signal to another process"),
        ("trace", "look into another process (ptrace)"),
        ("read_memory", "look into another process (process_vm_readv)"),
        ("io_uring", "change the system (io_uring_setup)"),
        ("keys", "change the system (keyctl)"),
        ("bpf", "change the system (bpf)"),
        ("mount", "change the system (mount)"),
        ("namespace", "change the system (unshare)"),
        ("shared_memory", "share memory with another process (shmget)"),
        ("terminal", "type into the terminal"),
        ("memory", "take more than 2 GiB of memory"),
        ("many_threads", "start more than 2000 threads"),
    ],
)
def test_that_what_a_kernel_may_not_do_ends_it_with_a_sentence(what: str, words: str) -> None:
    done = attempt(what)
    assert done.returncode == 76
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"tried to {words} and was stopped; ")
    assert done.stdout == ""


@needs_supervisor
@pytest.mark.parametrize("what", ["write", "remove"])
def test_that_files_elsewhere_are_not_changed_and_are_named(tmp_path: Path, what: str) -> None:
    letter = tmp_path / "letter\x1b.txt"
    letter.write_text("dear reader", encoding="utf-8")
    done = attempt(what, letter)
    assert done.returncode == 76
    assert f"tried to write to the file system at {tmp_path}/letter?.txt and was stopped" in done.stderr
    assert letter.read_text(encoding="utf-8") == "dear reader"


@needs_landlock
@pytest.mark.parametrize("what", ["write", "remove", "read"])
def test_that_files_elsewhere_are_safe_from_the_first_thread_too(tmp_path: Path, what: str) -> None:
    letter = tmp_path / "letter.txt"
    letter.write_text("dear reader", encoding="utf-8")
    done = attempt(what, letter, ON_FIRST_THREAD="1")
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    assert "refused: PermissionError" in done.stderr
    assert letter.read_text(encoding="utf-8") == "dear reader"


@needs_landlock
def test_that_only_the_files_a_kernel_includes_are_read(tmp_path: Path) -> None:
    mine, other = tmp_path / "mine.h", tmp_path / "diary"
    for path in (mine, other):
        path.write_text("text", encoding="utf-8")
    assert "result: text" in attempt("read", mine, MAY_READ=str(mine)).stderr
    assert "refused: PermissionError" in attempt("read", other, MAY_READ=str(mine)).stderr
    assert "refused: PermissionError" in attempt("list", Path.home()).stderr
    assert "refused: PermissionError" in attempt("list", "/").stderr
    assert "refused: PermissionError" in attempt("read", f"/proc/{os.getpid()}/environ").stderr


def test_that_the_rights_of_files_stay(tmp_path: Path) -> None:
    letter = tmp_path / "letter.txt"
    letter.write_text("dear reader", encoding="utf-8")
    letter.chmod(0o640)
    assert attempt("change_mode", letter).returncode == 0
    assert letter.stat().st_mode & 0o777 == 0o640


def test_that_compilers_and_libraries_find_what_they_need() -> None:
    done = attempt("needed")
    assert "result: all went well" in done.stderr, done.stderr
    assert done.returncode == 0


def test_that_a_look_through_a_cache_is_remembered() -> None:
    assert "result: True" in attempt("remember").stderr


def test_that_calls_that_came_later_are_not_there() -> None:
    assert "result: -1" in attempt("new_call").stderr


def test_that_it_cannot_outlive_its_supervisor() -> None:
    assert "result: 0" in attempt("outlive").stderr, "it is made to believe so"
    process = subprocess.Popen([sys.executable, str(HOSTILE), "processor"], stderr=subprocess.DEVNULL)
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    deadline = time.monotonic() + 90
    while not (found := children.read_text(encoding="ascii").split()):
        assert time.monotonic() < deadline
    process.kill()
    process.wait()
    while Path(f"/proc/{found[0]}/stat").exists() and "Z" not in Path(f"/proc/{found[0]}/stat").read_text().split():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_that_processor_time_ends() -> None:
    done = attempt("processor")
    assert done.returncode == 76
    assert done.stderr.startswith("tried to compute for more than 1 s of processor time and was stopped")


def test_that_the_sandbox_is_not_entered_beside_a_second_thread(tmp_path: Path) -> None:
    words = (
        "import threading, pathlib\n"
        "from gemmviz.engine.sandbox.confined import confine\n"
        "from gemmviz.engine.sandbox.confinement import Confinement\n"
        "threading.Thread(target=threading.Event().wait, daemon=True).start()\n"
        f"folder = pathlib.Path({str(tmp_path)!r})\n"
        "confine(Confinement(frozenset(), folder, folder, 1 << 32, 9), lambda attempt: 0)\n"
    )
    done = subprocess.run([sys.executable, "-c", words], capture_output=True, text=True, check=False)
    assert "before there is a second thread" in done.stderr


def test_that_an_old_landlock_is_asked_for_what_it_knows() -> None:
    rights = [landlock.handled_since(version) for version in (1, 2, 3, 4, 5, 6, 7)]
    assert [right.bit_count() for right in rights] == [13, 14, 15, 15, 16, 16, 16]


@pytest.mark.parametrize("module", ["gemmviz.engine.confined_worker", "gemmviz.cli.guarded.process"])
def test_that_nothing_that_starts_threads_is_imported_before_the_sandbox(module: str) -> None:
    words = f"import sys, {module}; print('numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", words], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
