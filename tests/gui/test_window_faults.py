"""What goes wrong costs a message, never the window, and never what was there."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Callable
from pathlib import Path

import pytest
from driving import act, choose_kernel, compare_with, part, press, until_idle
from pace import clock_limit_s
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractItemView, QDoubleSpinBox, QPushButton, QSpinBox
from pytestqt.qtbot import QtBot

from gemmviz.domain.runs.result import RunResult
from gemmviz.gui.files.file_dialog import FileDialog
from gemmviz.gui.kernels.model import ROW_ROLE
from gemmviz.gui.memory_view.memory_view import MemoryView
from gemmviz.gui.notices.bar import NoticeBar
from gemmviz.gui.widgets.plain_label import PlainLabel
from gemmviz.gui.window.main_window import MainWindow

HEADER = """/*---
title = "A kernel for a test"
entry = "own"
[launch]
block = ["16"]
grid = ["ceil_div(N, 16)", "M"]
---*/
extern "C" __global__ void own(const float *A, const float *B, float *C, int M, int N, int K)
{
    const int col = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y;
"""
RIGHT = """    if (col < N) {
        float sum = 0.0f;
        for (int k = 0; k < K; ++k)
            sum += A[row * K + k] * B[k * N + col];
        C[row * N + col] = sum;
    }
}
"""
NO_COMPILE = "    C[row * N + col] = undeclared;\n}\n"
ENDLESS = "    volatile int go = 1;\n    while (go) { }\n    C[row * N + col] = 0.0f;\n}\n"
OUTSIDE = "    if (col < N) C[row * N + col] = 0.0f;\n    if (row == 0 && col == 0) C[M * N] = 1.0f;\n}\n"
CRASH = "    for (long i = 0; i < 1000000000; ++i) C[i * 1024] = 1.0f;\n}\n"


def notices(window: MainWindow) -> str:
    return "\n".join(part(window, NoticeBar, "noticeBar").texts())


def take(qtbot: QtBot, window: MainWindow, folder: Path, body: str) -> Path:
    """Bring a kernel of a person's own into the window, with a small size."""
    path = folder / "own.cu"
    path.write_text(HEADER + body, encoding="utf-8")
    window.open_path(path)
    qtbot.waitUntil(lambda: window.experiment.kernel == "own")
    for name, value in zip(("sizeM", "sizeN", "sizeK"), (17, 33, 5), strict=True):
        part(window, QSpinBox, name).setValue(value)
    part(window, QDoubleSpinBox, "budgetSpin").setValue(0.1)
    part(window, QDoubleSpinBox, "launchLimitSpin").setValue(2.0)
    compare_with(window, set())
    return path


def runs_well(qtbot: QtBot, window: MainWindow) -> bool:
    """Whether the window still does what it is for."""
    choose_kernel(window, "naive")
    before = len(window.document.session.runs)
    press(qtbot, window, "runButton")
    return len(window.document.session.runs) == before + 1


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (NO_COMPILE, "own.cu does not compile. Line 11: "),
        (ENDLESS, "2 s"),
        (OUTSIDE, "outside its arrays"),
        (CRASH, "SIGSEGV"),
    ],
    ids=["no compile", "endless", "outside", "crash"],
)
def test_that_a_faulty_kernel_costs_a_message(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, body: str, words: str
) -> None:
    take(qtbot, window, tmp_path, body)
    qtbot.mouseClick(part(window, QPushButton, "runButton"), Qt.MouseButton.LeftButton)
    until_idle(qtbot, window)
    qtbot.waitUntil(lambda: words in notices(window))
    assert "own" in notices(window)
    assert window.document.session.runs == ()
    assert [error.kernel for error in window.document.session.errors] == ["own"]
    assert runs_well(qtbot, window)


def worker_of(window: MainWindow) -> int:
    """The process that does what is under way."""
    assert window.work._client._at_work.worker is not None
    return window.work._client._at_work.worker.pid


def test_that_a_worker_killed_in_mid_run_is_told_and_replaced(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    take(qtbot, window, tmp_path, RIGHT)
    assert runs_well(qtbot, window)
    kept = window.document.session.runs
    part(window, QDoubleSpinBox, "budgetSpin").setValue(20.0)
    qtbot.mouseClick(part(window, QPushButton, "runButton"), Qt.MouseButton.LeftButton)
    os.kill(worker_of(window), signal.SIGKILL)
    until_idle(qtbot, window)
    assert "SIGKILL" in notices(window)
    assert window.document.session.runs == kept
    part(window, QDoubleSpinBox, "budgetSpin").setValue(0.1)
    assert runs_well(qtbot, window)


def test_that_a_changed_kernel_file_is_read_again(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    path = take(qtbot, window, tmp_path, NO_COMPILE)
    press(qtbot, window, "recordButton")
    page = part(window, MemoryView, "memoryView")
    qtbot.waitUntil(lambda: "failed" in page.empty.words.text())
    fresh = tmp_path / "fresh"
    fresh.write_text(HEADER + RIGHT, encoding="utf-8")
    shutil.move(fresh, path)
    qtbot.waitUntil(lambda: "read again" in notices(window))
    assert (
        page.empty.words.text() == "own has changed since its recording at 17×33×5 failed. Press Record to try again."
    )
    press(qtbot, window, "runButton")
    assert [run.accuracy.passed for run in window.document.session.runs] == [True]


def test_that_a_kernel_file_with_a_wrong_header_is_refused_with_its_line(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    path = tmp_path / "wrong.cu"
    path.write_text(HEADER.replace('entry = "own"', "entry = 5") + RIGHT, encoding="utf-8")
    view = part(window, QAbstractItemView, "kernelList")
    window.open_path(path)
    said = part(window, PlainLabel, "examinationStatus")
    qtbot.waitUntil(lambda: said.text().startswith("wrong.cu is no kernel yet"))
    row = view.currentIndex().data(ROW_ROLE)
    assert (row.id, row.mark) == ("wrong.cu", "cannot run yet"), "what was opened is what is chosen"
    assert all(kernel.id != "wrong" for kernel in window._set_up.catalogue.kernels)


def test_that_a_session_that_cannot_be_written_stays_unsaved(
    qtbot: QtBot,
    window: MainWindow,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    make_result: Callable[..., RunResult],
) -> None:
    window.document.add_run(make_result(), 1.0)
    (tmp_path / "file").write_text("", encoding="utf-8")
    monkeypatch.setattr(FileDialog, "name_to_save", lambda *_: str(tmp_path / "file" / "s.gemmviz"))
    with qtbot.waitSignal(window.document.failed):
        act(window, "saveAction")
    assert "Cannot write" in notices(window)
    assert window.isWindowModified()
    assert len(window.document.session.runs) == 1


def test_that_closing_in_mid_run_leaves_no_process(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    take(qtbot, window, tmp_path, RIGHT)
    part(window, QDoubleSpinBox, "budgetSpin").setValue(20.0)
    qtbot.mouseClick(part(window, QPushButton, "runButton"), Qt.MouseButton.LeftButton)
    process = worker_of(window)
    assert window.close()
    qtbot.waitUntil(lambda: not Path(f"/proc/{process}/stat").exists(), timeout=round(clock_limit_s(2000)))
