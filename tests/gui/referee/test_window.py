"""Judging in the whole window: the action, progress, Cancel, repeating a failed case, exports."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from driving import act, choose_kernel, part
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QLabel, QProgressBar, QPushButton, QTabWidget
from pytestqt.qtbot import QtBot

from gemmviz.catalogue.kernel import Kernel
from gemmviz.domain.kernels.kernel_version import KernelVersion
from gemmviz.domain.shape import Shape
from gemmviz.engine.messages import RecordRequest
from gemmviz.gui.export.view_dialog import ViewExportDialog
from gemmviz.gui.files.file_dialog import FileDialog
from gemmviz.gui.notices.bar import NoticeBar
from gemmviz.gui.referee import judging
from gemmviz.gui.referee.page import EMPTY, RefereePage
from gemmviz.gui.source.source_view import SourceView
from gemmviz.gui.window.main_window import MainWindow
from gemmviz.gui.work.device_status import DeviceBadge, DeviceState
from gemmviz.referee.finding import Ruling
from gemmviz.resources import resource_folder

MakeRuling = Callable[..., Ruling]


def page_of(window: MainWindow) -> RefereePage:
    return part(window, RefereePage, "refereeView")


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch, make_ruling: MakeRuling) -> list[tuple[str, dict[str, int], str]]:
    """Kernels are judged wrong at once; who was, with which parameters, on which device."""
    asked: list[tuple[str, dict[str, int], str]] = []

    def judge(kernel: Kernel, params: tuple[tuple[str, int], ...], device: str, progress: object) -> Ruling:
        del progress
        asked.append((kernel.id, dict(params), device))
        return make_ruling(kernel=kernel.id)

    monkeypatch.setattr(judging, "device_for", lambda _kernel, wanted, _target: wanted)
    monkeypatch.setattr(judging, "judge_confined", judge)
    return asked


def test_that_the_action_judges_the_chosen_kernel_and_shows_the_page(
    window: MainWindow, qtbot: QtBot, judged: list[tuple[str, dict[str, int], str]]
) -> None:
    choose_kernel(window, "tiled")
    act(window, "refereeAction")
    assert part(window, QTabWidget, "tabs").currentWidget() is page_of(window)
    qtbot.waitUntil(lambda: not page_of(window).is_blank)
    assert judged == [("tiled", {"TILE": 16}, window.experiment.device)]
    assert part(window, QLabel, "refereeVerdict").text() == "Wrong"
    assert part(window, QPushButton, "refereeButton").text() == "Judge tiled"


def test_that_it_can_be_cancelled(window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    went_on = threading.Event()

    def judge(kernel: Kernel, params: object, device: object, progress: Callable[[str], None]) -> Ruling:
        del params, device
        while not went_on.wait(0.01):
            progress("2 of 14")
        return Ruling(kernel.id, (), "", "")

    monkeypatch.setattr(judging, "device_for", lambda _kernel, wanted, _target: wanted)
    monkeypatch.setattr(judging, "judge_confined", judge)
    choose_kernel(window, "tiled")
    action = part(window, QAction, "refereeAction")
    action.trigger()
    qtbot.waitUntil(lambda: part(window, QLabel, "refereeStep").text() == "2 of 14 …")
    assert not action.isEnabled()
    badge, bar = part(window, DeviceBadge, "deviceBadge"), part(window, QProgressBar, "refereeProgress")
    badge.show_state("CPU", DeviceState.BUSY)
    assert badge.words() == "CPU · busy", "a run comes first"
    badge.show_state("CPU", DeviceState.READY)
    assert badge.words() == "CPU · judging"
    assert bar.isVisible()
    part(window, QPushButton, "refereeCancel").click()
    qtbot.waitUntil(action.isEnabled)
    went_on.set()
    assert (badge.words(), bar.isVisible()) == ("CPU · ready", False)
    assert page_of(window).is_blank
    qtbot.waitUntil(lambda: part(window, QLabel, "refereeStep").text() == EMPTY)


def test_that_a_failed_case_is_set_up_and_recorded(
    window: MainWindow,
    qtbot: QtBot,
    judged: list[tuple[str, dict[str, int], str]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sent: list[object] = []
    monkeypatch.setattr(window.work._client._ordinary, "send", sent.append)
    choose_kernel(window, "tiled")
    act(window, "refereeAction")
    qtbot.waitUntil(lambda: bool(judged) and not page_of(window).is_blank)
    page_of(window).refresh()
    choose_kernel(window, "naive")
    page_of(window).rows[0].repeat.click()
    experiment = window.experiment
    assert (experiment.kernel, experiment.shape, experiment.seed) == ("tiled", Shape(1, 1, 1), 21)
    assert dict(experiment.params)["tiled"] == (("TILE", 8),)
    qtbot.waitUntil(lambda: bool(sent))
    (asked,) = sent
    assert isinstance(asked, RecordRequest)
    assert (asked.job.kernel.id, asked.conditions.shape) == ("tiled", Shape(1, 1, 1))


def test_that_a_line_at_fault_is_shown_in_the_source_of_the_kernel_that_was_judged(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, make_ruling: MakeRuling
) -> None:
    monkeypatch.setattr(judging, "device_for", lambda _kernel, wanted, _target: wanted)
    monkeypatch.setattr(
        judging, "judge_confined", lambda kernel, *_, **_named: make_ruling(kernel=kernel.id, hazards=30)
    )
    choose_kernel(window, "tiled")
    act(window, "refereeAction")
    qtbot.waitUntil(lambda: not page_of(window).is_blank)
    page_of(window).refresh()
    choose_kernel(window, "naive")
    shown: list[int] = []
    monkeypatch.setattr(SourceView, "show_line", lambda _view, number: bool(shown.append(number)))
    place = page_of(window).rows[0].faults.places[3]
    assert isinstance(place, QPushButton)
    place.click()
    assert (window.experiment.kernel, shown) == ("tiled", [13])
    assert part(window, SourceView, "sourceView").isVisible()


def test_that_the_view_is_exported_as_picture_and_as_table(
    window: MainWindow,
    qtbot: QtBot,
    judged: list[tuple[str, dict[str, int], str]],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    choose_kernel(window, "tiled")
    act(window, "refereeAction")
    qtbot.waitUntil(lambda: bool(judged) and not page_of(window).is_blank)
    act(window, "exportViewAction")
    dialog = window.findChild(ViewExportDialog)
    assert isinstance(dialog, ViewExportDialog)
    qtbot.waitUntil(lambda: dialog.image is not None)
    csv = part(window, QPushButton, "viewCsv")
    assert csv.isVisible()
    path = tmp_path / "verdict.csv"
    monkeypatch.setattr(FileDialog, "name_to_save", lambda *_: str(path))
    csv.click()
    assert path.read_text(encoding="utf-8").startswith("kernel,version,device,examination,outcome,reason")
    picture = tmp_path / "verdict.png"
    monkeypatch.setattr(FileDialog, "name_to_save", lambda *_: str(picture))
    part(window, QPushButton, "viewSave").click()
    assert picture.read_bytes().startswith(b"\x89PNG")
    dialog.reject()


def test_that_copy_takes_the_picture_and_the_table(
    window: MainWindow, qtbot: QtBot, judged: list[tuple[str, dict[str, int], str]]
) -> None:
    choose_kernel(window, "tiled")
    act(window, "refereeAction")
    qtbot.waitUntil(lambda: bool(judged) and not page_of(window).is_blank)
    act(window, "copyAction")
    data = QGuiApplication.clipboard().mimeData()
    assert data.hasImage()
    assert "Right at sizes nothing divides" in data.text()


def test_that_the_target_that_is_chosen_and_the_version_are_judged(
    window: MainWindow, qtbot: QtBot, make_ruling: MakeRuling, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[str, str]] = []
    monkeypatch.setattr(judging, "device_for", lambda _kernel, wanted, target: asked.append((wanted, target)) or "")
    monkeypatch.setattr(judging, "judge_confined", lambda kernel, *_, **__: make_ruling(kernel=kernel.id))
    choose_kernel(window, "tiled")
    kernel = window._set_up.kernel
    for number, text in enumerate(("old", kernel.file_text), 1):
        window._document.add_version(KernelVersion("tiled", number, "tiled.cu", text, ""), None)
    window._set_up.set_experiment(replace(window.experiment, device="", target="A100"))
    act(window, "refereeAction")
    qtbot.waitUntil(lambda: not page_of(window).is_blank)
    assert asked == [("", "A100")]
    ruling = page_of(window).ruling
    assert ruling is not None
    assert ruling.version == 2


def test_that_a_verdict_is_told_as_of_an_earlier_text_once_the_file_was_changed(
    window: MainWindow,
    qtbot: QtBot,
    judged: list[tuple[str, dict[str, int], str]],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    path = tmp_path / "mine.cu"
    text = (resource_folder("kernels") / "cuda" / "tiled_transposed.cu").read_text(encoding="utf-8")
    path.write_text(text, encoding="utf-8")
    window.open_path(path)
    qtbot.waitUntil(lambda: window.experiment.kernel == "mine")
    act(window, "refereeAction")
    page, messages = page_of(window), part(window, NoticeBar, "noticeBar")
    qtbot.waitUntil(lambda: not page.is_blank)
    assert (page.earlier, messages.texts()[0]) == ("", "mine TILE=8 is wrong.")

    def change(now: str) -> None:
        path.write_text(now, encoding="utf-8")
        window._set_up.read_again(path)
        qtbot.waitUntil(lambda: window._set_up.kernel.file_text == now)

    change(f"{text}\n// mended\n")
    assert page.earlier.endswith("before the file was changed")
    assert "mine TILE=8 is wrong." not in messages.texts()
    change(text)
    assert page.earlier == "", "the text that was judged is back"
    change(f"{text}\n// mended\n")
    choose_kernel(window, "tiled")
    page.again.click()
    qtbot.waitUntil(lambda: not page.is_blank)
    assert [kernel for kernel, _, _ in judged] == ["mine", "mine"]
    assert (window.experiment.kernel, page.earlier, messages.texts()[0]) == ("mine", "", "mine TILE=8 is wrong.")
    went_on = threading.Event()
    judge: Any = vars(judging)["judge_confined"]

    def judge_late(*given: Any, **named: Any) -> Ruling:
        went_on.wait(20)
        ruling: Ruling = judge(*given, **named)
        return ruling

    monkeypatch.setattr(judging, "judge_confined", judge_late)
    act(window, "refereeAction")
    change(text)
    went_on.set()
    qtbot.waitUntil(lambda: not page.is_blank)
    assert messages.texts()[0] == f"{page.earlier}: mine TILE=8 is wrong."
    assert page.earlier.startswith("Judged at ")
