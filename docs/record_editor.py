"""Measure what follows a save in the editor: `python docs/record_editor.py`.

A kernel file is opened in a window without a display, changed in one number and saved, several times over; each time
the seconds from the key Ctrl+S to the first figures (registers, occupancy) and to the last (the result) are taken.
Nothing else should run.
"""

from __future__ import annotations

import argparse
import os
import re
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from gemmviz.domain.shape import Shape
from gemmviz.gui.app import TURN_S, create_window
from gemmviz.gui.window.main_window import MainWindow
from gemmviz.resources import resource_folder

KERNELS = ("naive", "tiled", "tiled_transposed", "register_2d", "double_buffered")
SIZE = Shape(512, 512, 256)
LIMIT_S = 600.0
PAUSE_S = 5.0
"""Between two saves: the window prepares the pictures of the last one."""
_SUM = re.compile(r"\b0\.0f\b")


def wait(application: QApplication, is_there: Callable[[], bool]) -> None:
    """Let the window work until something is there.

    Raises:
        TimeoutError: it was not there in time.
    """
    end = time.monotonic() + LIMIT_S
    while not is_there():
        application.processEvents()
        if time.monotonic() > end:
            raise TimeoutError(f"nothing for {LIMIT_S:g} s")
        time.sleep(0.002)


def measure(application: QApplication, window: MainWindow, kernel: str, folder: Path, saves: int) -> list[list[float]]:
    """Seconds to the first figures and to all, of each save of a copy of a kernel."""
    path = folder / f"edited_{kernel}.cu"
    text = (resource_folder("kernels") / "cuda" / f"{kernel}.cu").read_text(encoding="utf-8")
    path.write_text(text, encoding="utf-8")
    window.open_path(path)
    wait(application, lambda: window.experiment.kernel == path.stem)
    window.set_experiment(replace(window.experiment, shape=SIZE))
    control, edit = window._editor, window._parts.editor.edit
    examiner = control._versions._examiner
    found: list[float] = []
    ended: list[float] = []
    examiner.found.connect(lambda _: found.append(time.perf_counter()))
    examiner.ended.connect(lambda _: ended.append(time.perf_counter()))
    control.open(path)
    wait(application, lambda: bool(ended))
    taken = []
    for number in range(1, saves + 1):
        rest = time.monotonic() + PAUSE_S
        wait(application, lambda rest=rest: time.monotonic() > rest)
        found.clear()
        ended.clear()
        edit.replace_text(_SUM.sub(f"0.{number:03d}e-30f", text, count=1))
        begin = time.perf_counter()
        QTest.keyClick(edit, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
        wait(application, lambda: bool(ended))
        taken.append([found[0] - begin, found[-1] - begin])
    control.leave()
    return taken


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--saves", type=int, default=7)
    parser.add_argument("--kernel", action="append", choices=KERNELS)
    options = parser.parse_args()
    sys.setswitchinterval(TURN_S)  # as in the window
    application = QApplication([])
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        window = create_window(folder / "settings", folder / "state")
        assert isinstance(window, MainWindow)
        window.show()
        wait(application, lambda: bool(window.work.devices))
        print("| kernel | first figures | all figures |\n|---|---|---|")
        for kernel in options.kernel or KERNELS:
            taken = measure(application, window, kernel, folder, options.saves)
            cells = (
                f"{statistics.median(times):.2f} ({min(times):.2f} to {max(times):.2f})"
                for times in zip(*taken, strict=True)
            )
            print(f"| `{kernel}` | {' | '.join(cells)} |", flush=True)
        window.document.new()
        window.close()
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    print(f"load average at the end: {load:.1f} on {os.cpu_count()} cores")


if __name__ == "__main__":
    main()
