"""The real window in a process of its own, offscreen, doing what a test needs it to be at when it is ended."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

PATIENCE_S = 90.0

DRIVER = """
import sys, time
from pathlib import Path
from PySide6.QtCore import QTimer
from PySide6.QtGui import QAction
import gemmviz.gui.app as gui

def ready():
    print("ready", flush=True)

def once(window, is_so, do):
    timer = QTimer(window)
    timer.timeout.connect(lambda: is_so() and (timer.stop(), do()))
    timer.start(10)

def act(window, name):
    window.findChild(QAction, name).trigger()

def hold_results(window):
    from gemmviz.catalogue.examples import load_examples
    from gemmviz.domain.session.session import load_session
    window.document.take_recovered(load_session(load_examples()[0].path), "held")

{scenario}

made = gui.create_window
def create():
    window = made()
    QTimer.singleShot(0, window, lambda: scenario(window))
    return window
gui.create_window = create
sys.exit(gui.run_app([]))
"""


def bare_environment(**more: str) -> dict[str, str]:
    """This environment with no display."""
    left_out = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    return {name: value for name, value in os.environ.items() if name not in left_out} | more


def window_environment(folder: Path) -> dict[str, str]:
    """An environment for the window, offscreen, with settings and state in a folder."""
    return bare_environment(
        QT_QPA_PLATFORM="offscreen",
        GEMMVIZ_CONFIG_DIR=str(folder / "settings"),
        GEMMVIZ_STATE_DIR=str(folder / "state"),
    )


@contextmanager
def window_at(
    scenario: str, environment: dict[str, str], stderr: int = subprocess.PIPE
) -> Iterator[subprocess.Popen[str]]:
    """The window once `scenario(window)`, a function in Python, has called `ready()`; killed at the block's end."""
    process = subprocess.Popen(
        [sys.executable, "-c", DRIVER.replace("{scenario}", scenario)],
        stdout=subprocess.PIPE,
        stderr=stderr,
        text=True,
        env=environment,
        start_new_session=True,
    )
    impatience = threading.Timer(PATIENCE_S, process.kill)  # its end is read as an empty line
    impatience.start()
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n", process.communicate()
        impatience.cancel()
        yield process
    finally:
        impatience.cancel()
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def wait_until(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def hears(pid: int, number: int) -> bool:
    """Whether a process has a handler of its own for a signal."""
    for line in Path(f"/proc/{pid}/status").read_text(encoding="utf-8").splitlines():
        if line.startswith("SigCgt:"):
            return bool(int(line.split()[1], 16) >> (number - 1) & 1)
    return False


def complaints(err: str) -> list[str]:
    """What is said on standard error, but for what Qt says of its offscreen platform."""
    known = ("This plugin does not support", "QBackingStore::flush()")
    return [line for line in err.splitlines() if not line.startswith(known)]


def processes_of(session: int) -> list[str]:
    """The command lines of the processes of a session that have not ended."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal():
            try:
                state, _, _, sid = (folder / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()[:4]
                if int(sid) == session and state != "Z":
                    found.append((folder / "cmdline").read_text(encoding="utf-8"))
            except OSError:
                continue
    return found
