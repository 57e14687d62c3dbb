"""Block schedules in the whole window: when one can be recorded, what comes back, sessions, exports."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from driving import choose_kernel, part
from PySide6.QtGui import QAction, QGuiApplication, QImage
from PySide6.QtWidgets import QLabel, QPushButton, QTabWidget, QWidget
from pytestqt.qtbot import QtBot
from scheduling import gpu, simulated

from gemmviz.domain.files.csv_files import csv_text
from gemmviz.domain.runs.result import Session
from gemmviz.domain.session.session import load_session, save_session
from gemmviz.engine.messages import CancelRequest, Finished, Progressed, ScheduleDone, ScheduleRequest, WorkerReady
from gemmviz.gui.charts.plot_table import Plot
from gemmviz.gui.export.plan import planned_tables, plots_of
from gemmviz.gui.export.steps import export_session
from gemmviz.gui.figures.panel import FiguresPanel
from gemmviz.gui.looks.theme import DARK
from gemmviz.gui.schedule.page import SchedulePage
from gemmviz.gui.window.main_window import MainWindow


def page_of(window: MainWindow) -> SchedulePage:
    return part(window, SchedulePage, "scheduleView")


def ready_with_a_gpu(window: MainWindow) -> None:
    """As if the worker had found an NVIDIA GPU first."""
    devices = (gpu(), *window.work.devices)
    window.work._client.happened.emit(WorkerReady(1, devices, ""))


def session() -> Session:
    one = simulated()
    return Session("2025-01-02T03:04:05+00:00", "0.1.0", one.device, 0.0, schedules=(one, simulated((64, 1, 1))))


def test_that_without_an_nvidia_gpu_it_is_disabled_with_the_reason(window: MainWindow, qtbot: QtBot) -> None:
    choose_kernel(window, "tiled")
    qtbot.waitUntil(lambda: not part(window, QAction, "scheduleAction").isEnabled())
    button = part(window, QPushButton, "scheduleButton")
    assert not button.isEnabled()
    for words in (button.toolTip(), part(window, QAction, "scheduleAction").toolTip()):
        assert "only an NVIDIA GPU with CUDA tells which multiprocessor runs which block" in words


@pytest.mark.parametrize(
    ("kernel", "reason"),
    [("cl_naive", "is OpenCL C"), ("cpu_ijk", "runs on the CPU"), ("cublas_fp32", "cuBLAS does the work")],
)
def test_that_kernels_that_cannot_tell_say_why(window: MainWindow, qtbot: QtBot, kernel: str, reason: str) -> None:
    ready_with_a_gpu(window)
    choose_kernel(window, kernel)
    button = part(window, QPushButton, "scheduleButton")
    qtbot.waitUntil(lambda: reason in button.toolTip())
    assert not button.isEnabled()


def test_that_with_a_gpu_a_schedule_is_asked_for_shown_and_kept(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[object] = []
    monkeypatch.setattr(window.work._client._ordinary, "send", sent.append)
    choose_kernel(window, "tiled")
    ready_with_a_gpu(window)
    action = part(window, QAction, "scheduleAction")
    qtbot.waitUntil(action.isEnabled)
    action.trigger()
    (asked,) = sent
    assert isinstance(asked, ScheduleRequest)
    assert asked.job.kernel.id == "tiled"
    qtbot.waitUntil(lambda: part(window, QTabWidget, "tabs").currentWidget().isAncestorOf(page_of(window)))
    assert not action.isEnabled()
    assert "something else is running" in part(window, QPushButton, "scheduleButton").toolTip()
    place = window.work._client._at_work
    for event in (
        Progressed(asked.id, 0, 1, "tiled", "tiled: warming up with stamps", 0.5),
        ScheduleDone(asked.id, simulated()),
        Finished(asked.id),
    ):
        window.work._client._on_heard(place, event)
    qtbot.waitUntil(lambda: not window.work.busy)
    assert window.document.modified
    assert len(window.document.session.schedules) == 1
    assert window.document.session.device == gpu(132, 2)
    assert window.document.memory_bytes == 512 * (4 + 8 + 8)
    assert part(window, QLabel, "scheduleSentence").text().startswith("512 blocks in 1.94 waves")


def test_that_it_can_be_cancelled(window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[object] = []
    monkeypatch.setattr(window.work._client._ordinary, "send", sent.append)
    choose_kernel(window, "tiled")
    ready_with_a_gpu(window)
    qtbot.waitUntil(part(window, QAction, "scheduleAction").isEnabled)
    part(window, QAction, "scheduleAction").trigger()
    part(window, QAction, "cancelAction").trigger()
    assert isinstance(sent[-1], CancelRequest)
    qtbot.waitUntil(lambda: not window.work.busy)
    assert window.document.session.schedules == ()


def test_that_a_session_opens_at_its_schedules_and_is_saved_with_them(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    path, copy = tmp_path / "s.gemmviz", tmp_path / "copy.gemmviz"
    save_session(session(), path)
    with qtbot.waitSignal(window.document.opened):
        window.open_path(path)
    assert part(window, QTabWidget, "tabs").currentWidget().isAncestorOf(page_of(window))
    assert page_of(window).isVisible()
    assert page_of(window).combo.count() == 2
    heads = [label.text() for label in part(window, FiguresPanel, "figuresPanel").findChildren(QLabel)]
    assert "Run of the schedule's kernel" in heads
    with qtbot.waitSignal(window.document.saved):
        window.document.save(copy)
    assert len(load_session(copy).schedules) == 2
    window.document.new()
    assert page_of(window).figure is None


def test_that_copying_puts_picture_and_blocks_on_the_clipboard(window: MainWindow) -> None:
    window.document.add_schedule(simulated())
    part(window, QAction, "tabScheduleAction").trigger()
    part(window, QAction, "copyAction").trigger()
    kept = QGuiApplication.clipboard().mimeData()
    assert kept.hasImage()
    assert len(kept.text().splitlines()) == 513


def test_that_every_control_has_a_name_and_words(window: MainWindow) -> None:
    page = page_of(window)
    for name in ("scheduleCombo", "scheduleColour", "scheduleButton", "scheduleGrid", "scheduleTimeline"):
        control = part(window, QWidget, name)
        assert page.isAncestorOf(control)
        assert control.accessibleName(), name


@pytest.mark.usefixtures("qapp")
def test_that_schedules_are_exported_as_pictures_and_tables(tmp_path: Path) -> None:
    assert plots_of(session()) == (Plot.SCHEDULE,)
    paths = export_session(session(), tmp_path, ("png", "svg", "csv"), theme=DARK, names={Plot.SCHEDULE})
    assert {path.name for path in paths} >= {
        f"schedule_{number}_tiled.{form}" for number in (1, 2) for form in ("png", "svg", "csv")
    }
    image = QImage(str(tmp_path / "schedule_1_tiled.png"))
    assert image.width() == 1200
    assert image.height() > 132 * 4
    drawing = (tmp_path / "schedule_1_tiled.svg").read_text(encoding="utf-8")
    assert drawing.count("<image") == 0
    assert drawing.count("<rect") > 512
    table = (tmp_path / "schedule_1_tiled.csv").read_bytes().decode()
    assert len(table.splitlines()) == 513
    (first, _) = planned_tables(session())
    made = first.make()
    assert csv_text(made.rows, made.columns) == table


def test_that_a_session_of_schedules_keeps_its_device(window: MainWindow) -> None:
    window.document.add_schedule(simulated())
    window.document.set_device(replace(gpu(), id="other"))
    assert window.document.session.device.id == "cuda:00112233"
