"""`gemmviz [FILE…]`: the window from the command line, and one line where there can be none."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from window_process import bare_environment, complaints, hears, processes_of, wait_until, window_environment

from gemmviz.catalogue.loader import KERNEL_SUFFIXES
from gemmviz.cli import window
from gemmviz.cli.window import asks_for_window

QUICK = ("--budget", "0.05", "--mode", "hot")
COMMANDS = {"run", "trace", "report"}
linux_only = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks into /proc")

KERNELS = ", ".join(KERNEL_SUFFIXES)


def start(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "gemmviz", *words],
        env=bare_environment(**environment),
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


@contextmanager
def shown(folder: Path, *words: str) -> Iterator[subprocess.Popen[str]]:
    """The real window, offscreen, once it can be asked to close."""
    process = subprocess.Popen(
        [sys.executable, "-m", "gemmviz", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=window_environment(folder),
        start_new_session=True,
    )
    try:
        wait_until(lambda: process.poll() is not None or hears(process.pid, signal.SIGTERM))
        assert process.poll() is None, process.communicate()
        yield process
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


@linux_only
def test_that_no_words_open_the_window_and_nothing_is_left_behind(tmp_path: Path) -> None:
    with shown(tmp_path) as process:
        process.terminate()
        out, err = process.communicate(timeout=60)
        assert process.returncode in (0, 128 + signal.SIGTERM)  # the latter where a busy machine took too long
        assert (out, complaints(err)) == ("", [])
        wait_until(lambda: processes_of(process.pid) == [])


CLOSE_ONCE_OPEN = """
import sys
from PySide6.QtCore import QTimer
import gemmviz.gui.app as gui

made = gui.create_window
def create():
    window = made()
    timer = QTimer(window)
    timer.timeout.connect(lambda: window.close() if "mine.gemmviz" in window.windowTitle() else None)
    timer.start(50)
    return window

gui.create_window = create
from gemmviz.cli.app import run_app
sys.exit(run_app(sys.argv[1:]))
"""


def test_that_a_session_is_opened(gemmviz: Any, tmp_path: Path) -> None:
    session = tmp_path / "mine.gemmviz"
    gemmviz("run", "--kernel", "cpu_ikj", "--size", "4x4x4", *QUICK, "--out", str(session))
    done = subprocess.run(
        [sys.executable, "-c", CLOSE_ONCE_OPEN, str(session)],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        env=window_environment(tmp_path),
    )
    assert (done.returncode, complaints(done.stderr)) == (0, [])
    (settings,) = (tmp_path / "settings").glob("*.json")
    assert json.loads(settings.read_text(encoding="utf-8"))["recent_files"] == [str(session)]


FAULTY = """
import sys
import gemmviz.gui.window.main_window as window

def fail(*_):
    raise KeyError("fullScreenAction")

window.make_editor = fail
from gemmviz.__main__ import main
sys.argv = ["gemmviz"]
main()
"""


def test_that_a_window_that_cannot_be_built_is_told_in_one_line(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", FAULTY],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        env=window_environment(tmp_path),
    )
    assert (done.returncode, done.stdout) == (1, "")
    (line,) = complaints(done.stderr)
    assert line.startswith("gemmviz: the window could not be built: KeyError: 'fullScreenAction' (")
    assert "gemmviz run" in line


@linux_only
@pytest.mark.parametrize("words", [(), ("kernels.cu",)])
def test_that_without_a_display_one_line_says_what_works(tmp_path: Path, words: tuple[str, ...]) -> None:
    (tmp_path / "kernels.cu").write_text("", encoding="utf-8")
    done = start(*(str(tmp_path / word) for word in words))
    assert (done.returncode, done.stdout) == (1, "")
    (line,) = done.stderr.splitlines()
    assert line.startswith("gemmviz: ")
    assert "gemmviz run" in line


def test_that_a_missing_pyside_is_told_in_one_line() -> None:
    code = "import sys; sys.modules['PySide6'] = None; from gemmviz.cli.app import run_app; sys.exit(run_app([]))"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=bare_environment(QT_QPA_PLATFORM="offscreen"),
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert (done.returncode, done.stdout) == (1, "")
    (line,) = done.stderr.splitlines()
    assert "PySide6" in line
    assert "gemmviz run" in line


@pytest.mark.parametrize(
    ("words", "is_window"),
    [
        ([], True),
        (["a.gemmviz"], True),
        (["gone.txt"], True),
        (["folder/run"], True),
        (["--", "run"], True),
        (["run"], False),
        (["rum"], False),
        ([""], False),
        (["--help"], False),
        (["--nope"], False),
    ],
)
def test_that_files_are_told_from_commands(words: list[str], is_window: bool) -> None:
    assert asks_for_window(words, COMMANDS) is is_window


@pytest.mark.parametrize(
    ("word", "told"),
    [
        ("gone.gemmviz", "gone.gemmviz: there is no such file"),
        ("gone.cu", "gone.cu: there is no such file"),
        ("letter.txt", f"letter.txt: the window opens only sessions (.gemmviz) and kernel files ({KERNELS})"),
        ("folder.cu", "folder.cu: this is a folder"),
    ],
)
def test_that_what_cannot_be_opened_is_named(
    gemmviz: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, word: str, told: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "letter.txt").write_text("dear reader", encoding="utf-8")
    (tmp_path / "folder.cu").mkdir()
    answer = gemmviz(word)
    assert (answer.code, answer.out) == (2, "")
    assert told in answer.complaint


def test_that_an_option_behind_a_file_is_refused(gemmviz: Any, tmp_path: Path) -> None:
    session = tmp_path / "s.gemmviz"
    session.write_bytes(b"PK")
    answer = gemmviz(str(session), "--json")
    assert answer.code == 2
    assert "--json: options cannot be combined with files" in answer.complaint


def test_that_every_file_named_is_handed_to_the_window(tmp_path: Path, kernel_file: Any) -> None:
    session = tmp_path / "s.gemmviz"
    session.write_bytes(b"PK")
    code = (
        "import sys; from pathlib import Path; import gemmviz.gui.app as gui\n"
        "gui.run_app = lambda files: print(*files, sep='\\n') or 0\n"
        "from gemmviz.cli.app import run_app; sys.exit(run_app(sys.argv[1:]))"
    )
    files = [str(session), str(kernel_file())]
    done = subprocess.run(
        [sys.executable, "-c", code, *files],
        env=bare_environment(QT_QPA_PLATFORM="offscreen"),
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert (done.returncode, done.stdout.splitlines(), done.stderr) == (0, files, "")


def test_that_the_help_mentions_the_window(gemmviz: Any) -> None:
    answer = gemmviz("--help")
    assert answer.code == 0
    assert "gemmviz [FILE…]" in " ".join(answer.out.split())


def test_that_what_the_window_opens_is_what_it_says() -> None:
    assert (".gemmviz", *KERNEL_SUFFIXES) == window.SUFFIXES
