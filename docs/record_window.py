"""Measure the window's figures of docs/RECORD.md and take its screenshots: `python docs/record_window.py`.

Needs no display: the window is drawn offscreen. Linux only (memory is read from /proc).
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from statistics import median

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
BEGIN = time.perf_counter()

from PySide6.QtCore import QTimer
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication

from gemmviz.domain.shape import Shape
from gemmviz.gui.app import create_window
from gemmviz.gui.main_window import MainWindow

SHOTS = Path(__file__).parent / "screenshots"
SIZE = (1280, 800)


def main() -> None:
    application = QApplication([sys.argv[0]])
    with tempfile.TemporaryDirectory() as settings:
        window = create_window(Path(settings))
        assert isinstance(window, MainWindow)
        window.resize(*SIZE)
        window.show()
        application.processEvents()
        print(f"| window shown after | {time.perf_counter() - BEGIN:.2f} s |")
        until(lambda: bool(window.work.devices))
        print(f"| devices known, everything usable after | {time.perf_counter() - BEGIN:.2f} s |")
        story(window)
        window.document.new()
        window.close()


def story(window: MainWindow) -> None:
    """A small experiment, its pauses, its pictures."""
    window.set_experiment(
        replace(
            window.experiment, kernel="tiled", shape=Shape(256, 256, 256), budget_s=1.0,
            compared=frozenset(("naive", "tiled_padded", "register_2d", "cpu_ijk", "cpu_blocked", "cpu_blas")),
        )
    )  # fmt: skip
    pauses: list[float] = []
    last = [time.perf_counter()]

    def beat() -> None:
        now = time.perf_counter()
        pauses.append(1000 * (now - last[0]))
        last[0] = now

    timer = QTimer(window, interval=5)
    timer.timeout.connect(beat)
    timer.start()
    for name in ("runAction", "recordAction", "sweepAction"):
        do(window, name)
        until(lambda: not window.work.busy)
    timer.stop()
    print(f"| longest and median pause of the window while it ran, recorded, swept | "
          f"{max(pauses):.0f} and {median(pauses):.0f} ms |")  # fmt: skip
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    print(f"| memory of the window then | {pages * 4096 / 2**20:.0f} MiB |")
    SHOTS.mkdir(exist_ok=True)
    for theme in ("Light", "Dark"):
        do(window, f"theme{theme}")
        for tab in ("Timing", "Accuracy", "Sweep", "Memory"):
            do(window, f"tab{tab}Action")
            until(lambda: False, 0.3)
            window.grab().save(str(SHOTS / f"{tab.lower()}_{theme.lower()}.png"))


def do(window: MainWindow, name: str) -> None:
    action = window.findChild(QAction, name)
    assert isinstance(action, QAction), name
    action.trigger()


def until(done: Callable[[], bool], limit_s: float = 300.0) -> None:
    end = time.perf_counter() + limit_s
    while not done() and time.perf_counter() < end:
        QApplication.processEvents()
        time.sleep(0.002)


if __name__ == "__main__":
    main()
