"""What the tests of the window share: no display, the bundled fonts, a picture of the window where a test fails."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Generator, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from late_worker import LateWorker
from patient_bot import PatientBot
from processes import wait_until
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from gemmviz.domain.device import Device, DeviceKind
from gemmviz.domain.recordings.access import AccessKind, Site, Space
from gemmviz.domain.recordings.hazard import Hazard
from gemmviz.domain.recordings.trace_run import SiteCounts, TraceRun
from gemmviz.domain.runs.result import Accuracy, RunResult, Timing
from gemmviz.domain.runs.whole_runs import WholeRun, whole_runs_of
from gemmviz.domain.shape import Shape
from gemmviz.domain.spec import Launch, Params, RunSpec
from gemmviz.domain.terms import Arithmetic, Mode, StopReason
from gemmviz.engine import worker_place
from gemmviz.gui import app
from gemmviz.gui.app import create_window
from gemmviz.gui.looks.fonts import NORMAL, load_fonts, words
from gemmviz.gui.tasks.garbage_collection import GarbageCollection
from gemmviz.gui.window.main_window import MainWindow


@pytest.fixture(scope="session")
def qapp_args() -> list[str]:
    return ["gemmviz"]


@pytest.fixture(scope="session", autouse=True)
def _fonts(qapp: QApplication) -> None:
    load_fonts()
    qapp.setFont(words(NORMAL))


WARMED_UP = ("test_warm_up.py", "test_start_control.py", "test_no_stray_window.py", "test_story.py", "test_fluid.py")
"""Files of tests whose windows make ready what is not yet in sight, as in the program. It takes half a second."""


@pytest.fixture(scope="module", autouse=True)
def _warmed_up(request: pytest.FixtureRequest) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        if request.path.name not in WARMED_UP:
            patch.setattr(app, "warm_up", lambda *_: None)
        yield


@pytest.fixture
def qtbot(qapp: QApplication, request: pytest.FixtureRequest) -> QtBot:  # noqa: ARG001 - pytest-qt's own takes it too
    return PatientBot(request)


@pytest.fixture(scope="module", autouse=True)
def _collection(qapp: QApplication) -> Iterator[GarbageCollection]:
    """As in the program: widgets are destroyed in this thread alone, and as often."""
    usual = gc.get_threshold()
    gc.set_threshold(700, 10, 10)
    made = GarbageCollection(qapp)
    yield made
    made.stop()
    gc.set_threshold(*usual)


@pytest.fixture(autouse=True)
def _own_windows(qapp: QApplication, _collection: GarbageCollection) -> Iterator[None]:
    """No window that was closed is left for the next test: looking through its widgets takes time."""
    yield
    for widget in qapp.topLevelWidgets():
        if isinstance(widget, MainWindow) and not widget.isVisible():
            widget.deleteLater()
    qapp.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    _collection.look()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.when == "call" and report.failed and "qtbot" in getattr(item, "fixturenames", ()):
        folder = Path(os.environ.get("GEMMVIZ_SCREENSHOTS", "screenshots"))
        for number, widget in enumerate(w for w in QApplication.topLevelWidgets() if w.isVisible()):
            _keep(widget, folder / f"{item.name.replace('/', '_')}-{number}.png")
    return report


def _keep(widget: QWidget, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    widget.grab().save(str(path))


@pytest.fixture
def host() -> Device:
    """The CPU as a device of CPU kernels."""
    return _device("host", "host", DeviceKind.CPU)


@pytest.fixture
def make_result() -> Callable[..., RunResult]:
    """Makes a run; `ms` are its samples on both clocks."""

    def make(
        kernel: str = "tiled",
        ms: tuple[float, ...] = (2.0, 2.0, 2.0),
        *,
        params: Params = (("TILE", 16),),
        shape: str = "64x48x32",
        backend: str = "opencl",
        kind: DeviceKind = DeviceKind.CPU,
        passed: bool = True,
        sweep: int = 0,
        finished: str = "",
        seed: int = 0,
        stopped_by: StopReason = StopReason.STEADY,
        **accuracy: Any,
    ) -> RunResult:
        device = _device("host" if backend == "host" else "pocl", backend, kind)
        size, samples = Shape.parse(shape), np.array(ms)
        found = Accuracy(1e-7, 2.5, float(size.k), passed, "float64", 0, 1.0, "cpu_ijk", 10, 10, ())
        return RunResult(
            RunSpec(kernel, size, params, device.id, seed=seed),
            device,
            Arithmetic.FP32,
            Launch((1, 1, 1), (16, 16, 1)),
            "built somehow",
            Timing(
                Mode.COLD,
                samples,
                samples + 0.5,
                1,
                0,
                stopped_by,
                9.0,
                8.0,
                0.01,
                whole_runs_of([WholeRun(0.25, 1.0, 0.125, whole) for whole in (3.8, 4.0, 4.4)]),
            ),
            replace(found, **accuracy),
            sweep=sweep,
            finished=finished,
        )

    return make


@pytest.fixture
def make_recording() -> Callable[..., TraceRun]:
    """Makes a recording of a kernel of seven lines behind its header: a global load on line 5, a shared store on 6."""

    def make(kernel: str = "tiled", *, hazards: tuple[Hazard, ...] = (), source: str = "", **fields: Any) -> TraceRun:
        shape = Shape(4, 3, 2)
        sites = (
            Site(0, 5, 9, "A[i]", Space.GLOBAL, AccessKind.LOAD, 4, "A"),
            Site(1, 6, 9, "As[i]", Space.SHARED, AccessKind.STORE, 4, "As"),
        )
        columns = [np.array(pair) for pair in ((10, 5), (320, 160), (57, 0), (12, 0), (900, 0), (0, 20), (0, 5))]
        text = source or "/*---\ntitle = 1\n---*/\n\n\tx = A[i]; // five\n\tAs[i] = x;\n}\n"
        made = TraceRun(
            RunSpec(kernel, shape, (("TILE", 2),), "pocl"),
            _device("pocl", "opencl", DeviceKind.CPU),
            Launch((2, 2, 1), (2, 2, 1)),
            f"{kernel}.cu",
            text,
            sites,
            (),
            (),
            SiteCounts(*columns),
            hazards,
            np.full(8, 3),
            np.arange(6),
            4,
            480,
            0.5,
            (),
        )
        return replace(made, **fields)

    return make


def _device(name: str, backend: str, kind: DeviceKind) -> Device:
    most = (1024, 1024, 64)
    return Device(
        name,
        backend,
        f"Device {name}",
        kind,
        "maker",
        "1",
        2,
        1024,
        most,
        most,
        49152,
        2**30,
        2**29,
        2**20,
        1000,
        embedded=name == "pocl",
    )


@pytest.fixture(autouse=True)
def _own_state(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """No window is offered what a test before it has left; the folder is made by who writes to it."""
    base = Path(os.environ["GEMMVIZ_STATE_DIR"]).parent
    monkeypatch.setenv("GEMMVIZ_STATE_DIR", str(base / f"{abs(hash(request.node.nodeid)):x}"))


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[MainWindow]:
    """The whole window on its own settings, its worker ready; closed at the end without a question.

    Workers start with their first request: most tests of the window have none.
    """
    monkeypatch.setattr(worker_place, "WorkerProcess", LateWorker)
    made = create_window(tmp_path / "settings")
    assert isinstance(made, MainWindow)
    qtbot.addWidget(made, before_close_func=_forget_work_and_settings)
    made.show()
    qtbot.waitUntil(lambda: bool(made.work.devices))
    yield made
    _forget_work_and_settings(made)
    made.close()


@pytest.fixture(scope="module")
def lasting_window(qapp: QApplication, tmp_path_factory: pytest.TempPathFactory) -> Iterator[MainWindow]:
    """The same for all tests of a file that leave it as they found it, since a window takes a second to make.

    They stand at the end of the file: no other window is then beside this one.
    """
    del qapp
    folder = tmp_path_factory.mktemp("window")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(worker_place, "WorkerProcess", LateWorker)
        made = create_window(folder / "settings", folder / "state")
        assert isinstance(made, MainWindow)
        made.show()
        wait_until(lambda: QApplication.processEvents() or made.work.devices, "the worker is ready")
        yield made
        _forget_work_and_settings(made)
        made.close()


def _forget_work_and_settings(window: MainWindow) -> None:
    """Close without a question, and write no settings that nobody reads: they take a tenth of a second."""
    vars(window.end)["_keep_settings"] = str
    window.document.new()
