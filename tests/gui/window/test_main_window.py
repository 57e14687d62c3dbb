"""The window as a whole: its controls, its memory, what can be undone, what it does with files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from driving import act, choose_kernel, choose_preset, compare_with, part, press, texts_of
from pace import clock_limit_s
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QAction, QDropEvent, QImage
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QComboBox,
    QDockWidget,
    QDoubleSpinBox,
    QLabel,
    QLineEdit,
    QPushButton,
    QSpinBox,
    QTableView,
    QTabWidget,
    QWidget,
)
from pytestqt.qtbot import QtBot

from gemmviz.domain.runs.result import RunResult
from gemmviz.gui.app import create_window
from gemmviz.gui.charts.sweep_chart import SweepChart
from gemmviz.gui.experiment.controls.parameter_field import ParameterField
from gemmviz.gui.lessons.lesson_page import LessonPage
from gemmviz.gui.notices.bar import NoticeBar
from gemmviz.gui.widgets.question import Answer, Question
from gemmviz.gui.window.main_window import MainWindow
from gemmviz.gui.work.last_work import Asked, LastWork

WIDGETS = (
    "mainWindow",
    "deviceCombo",
    "kernelList",
    "sizeM",
    "sizeN",
    "sizeK",
    "presetCombo",
    "param_TILE",
    "fillCombo",
    "seedSpin",
    "runButton",
    "quickBox",
    "recordButton",
    "sweepButton",
    "cancelButton",
    "geometryLabel",
    "refusalLabel",
    "timingChart",
    "accuracyChart",
    "errorMap",
    "sweepChart",
    "trafficChart",
    "resultsTable",
)
ACTIONS = ("exportAction", "copyAction", "openAction", "saveAction", "themeLight", "themeDark", "themeAuto")
CONTROLS = (QAbstractButton, QComboBox, QAbstractSpinBox, QLineEdit, QAbstractItemView)


def notices(window: MainWindow) -> str:
    return "\n".join(part(window, NoticeBar, "noticeBar").texts())


def drop(window: MainWindow, *paths: Path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    event = QDropEvent(
        QPointF(9, 9), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    )
    window.dropEvent(event)


def small(window: MainWindow, kernel_id: str = "tiled", compared: frozenset[str] = frozenset()) -> None:
    """An experiment that takes no time."""
    for name, value in zip(("sizeM", "sizeN", "sizeK"), (17, 33, 5), strict=True):
        part(window, QSpinBox, name).setValue(value)
    part(window, QDoubleSpinBox, "budgetSpin").setValue(0.1)
    choose_kernel(window, kernel_id)
    compare_with(window, set(compared))


def test_that_a_change_of_the_settings_is_undone_and_done_again(window: MainWindow) -> None:
    choose_preset(window, "512")
    choose_kernel(window, "tiled")
    part(window, ParameterField, "param_TILE").set_value(8)
    undo, redo = part(window, QAction, "undoAction"), part(window, QAction, "redoAction")
    assert "a parameter" in undo.text()
    act(window, "undoAction")
    assert part(window, ParameterField, "param_TILE").value() == 32
    act(window, "redoAction")
    assert part(window, ParameterField, "param_TILE").value() == 8
    for _ in range(3):
        act(window, "undoAction")
    assert part(window, QSpinBox, "sizeM").value() == 64
    assert not undo.isEnabled()
    assert redo.isEnabled()


def test_that_a_second_run_is_refused_while_one_is_under_way(qtbot: QtBot, window: MainWindow) -> None:
    small(window)
    part(window, QDoubleSpinBox, "budgetSpin").setValue(60.0)
    qtbot.mouseClick(part(window, QPushButton, "runButton"), Qt.MouseButton.LeftButton)
    assert not part(window, QPushButton, "runButton").isEnabled()
    window.run_chosen()
    assert "is under way" in notices(window)
    window.open_lesson("tiling")
    qtbot.waitUntil(lambda: window.findChild(LessonPage).lesson is not None)
    assert "is under way" not in notices(window)
    act(window, "tabTimingAction")
    window.run_chosen()
    assert "is under way" in notices(window)
    qtbot.mouseClick(part(window, QPushButton, "cancelButton"), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not window.work.busy, timeout=round(clock_limit_s(1000)))
    assert "is under way" not in notices(window)


def test_that_removed_runs_come_back(qtbot: QtBot, window: MainWindow) -> None:
    small(window, compared=frozenset({"naive"}))
    press(qtbot, window, "runButton")
    before = texts_of(window)
    part(window, QTableView, "resultsTable").selectRow(0)
    act(window, "deleteAction")
    assert [row[:3] for row in texts_of(window)] == [row[:3] for row in before[1:]], "units may suit the others now"
    act(window, "undoAction")
    assert texts_of(window) == before


def test_that_the_theme_changes_everything_at_once(window: MainWindow) -> None:
    act(window, "tabTimingAction")
    act(window, "themeLight")
    light = window.grab().toImage()
    act(window, "themeDark")
    dark = window.grab().toImage()
    assert shades(light, dark_below=False) > 0.9
    assert shades(dark, dark_below=True) > 0.9


def shades(image: QImage, *, dark_below: bool) -> float:
    """The part of a coarse grid of pixels that is light, or dark."""
    small_image = image.scaled(64, 40)
    lightness = [small_image.pixelColor(x, y).lightness() for x in range(64) for y in range(40)]
    return sum((value < 128) == dark_below for value in lightness) / len(lightness)


def test_that_docks_go_back_to_their_places(window: MainWindow) -> None:
    act(window, "tabTimingAction")
    docks = window.findChildren(QDockWidget)
    assert {dock.objectName() for dock in docks} == {
        "experimentDock",
        "figuresDock",
        "sourceDock",
        "frameDock",
        "resultsDock",
    }
    for dock in docks:
        dock.setFloating(True)
        dock.hide()
    act(window, "resetLayoutAction")
    assert all(not dock.isHidden() and not dock.isFloating() for dock in docks)


def test_that_the_settings_are_remembered(qtbot: QtBot, tmp_path: Path) -> None:
    first = create_window(tmp_path)
    qtbot.addWidget(first)
    assert isinstance(first, MainWindow)
    small(first, "naive")
    act(first, "themeDark")
    part(first, QTableView, "resultsTable").sortByColumn(0, Qt.SortOrder.DescendingOrder)
    part(first, QTableView, "resultsTable").horizontalHeader().moveSection(3, 2)
    assert first.close()
    second = create_window(tmp_path)
    qtbot.addWidget(second)
    assert isinstance(second, MainWindow)
    assert [part(second, QSpinBox, name).value() for name in ("sizeM", "sizeN", "sizeK")] == [17, 33, 5]
    assert part(second, QAction, "themeDark").isChecked()
    assert part(second, QWidget, "param_THREAD") is not None
    header = part(second, QTableView, "resultsTable").horizontalHeader()
    assert (header.sortIndicatorSection(), header.sortIndicatorOrder()) == (0, Qt.SortOrder.DescendingOrder)
    assert header.visualIndex(3) == 2
    assert second.close()


def test_that_unsaved_work_is_asked_for(qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    small(window)
    press(qtbot, window, "runButton")
    asked: list[str] = []

    def answer(_parent: QWidget, _title: str, words: str, *_: object) -> Answer:
        asked.append(words)
        return Answer.CANCEL

    monkeypatch.setattr(Question, "ask", answer)
    assert not window.close()
    assert window.isVisible()
    assert asked == ["This session holds 1 unsaved run."]
    monkeypatch.setattr(Question, "ask", lambda *_: Answer.DISCARD)
    assert window.close()


def test_that_a_file_that_is_no_session_changes_nothing(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    before = window.document.session
    for name, content in (("empty", b""), ("cut", b"PK\x03\x04 cut off"), ("foreign", b"\x89PNG\r\n\x1a\n foreign")):
        path = tmp_path / f"{name}.gemmviz"
        path.write_bytes(content)
        with qtbot.waitSignal(window.document.failed):
            drop(window, path)
        assert f"{name}.gemmviz" in notices(window)
        assert window.document.session is before


def test_that_a_damaged_settings_file_is_told_and_kept(qtbot: QtBot, tmp_path: Path) -> None:
    (tmp_path / "settings.json").write_text("{ broken", encoding="utf-8")
    window = create_window(tmp_path)
    qtbot.addWidget(window)
    assert isinstance(window, MainWindow)
    assert "settings.broken.json" in notices(window)
    assert (tmp_path / "settings.broken.json").read_text(encoding="utf-8") == "{ broken"
    assert window.close()


def test_that_every_promised_name_is_there_once(lasting_window: MainWindow) -> None:
    widgets = Counter(widget.objectName() for widget in (lasting_window, *lasting_window.findChildren(QWidget)))
    assert {name: widgets[name] for name in WIDGETS} == dict.fromkeys(WIDGETS, 1)
    actions = Counter(action.objectName() for action in lasting_window.findChildren(QAction))
    assert {name: actions[name] for name in ACTIONS} == dict.fromkeys(ACTIONS, 1)


def test_that_every_control_says_what_it_is(lasting_window: MainWindow) -> None:
    window = lasting_window
    act(window, "tabTimingAction")
    silent = [
        f"{type(control).__name__} {control.objectName()!r}"
        for kind in CONTROLS
        for control in window.findChildren(kind)
        if control.isVisible()
        and not control.objectName().startswith("qt_")
        and not isinstance(control.parent(), (QAbstractSpinBox, QComboBox, QTabWidget, QTableView))
        and not (control.accessibleName() or (isinstance(control, QAbstractButton) and control.text()))
    ]
    assert silent == []


def test_that_the_fastest_setting_of_a_sweep_is_set_up_and_undone(
    lasting_window: MainWindow, make_result: Callable[..., RunResult]
) -> None:
    window = lasting_window
    settings = ((8, 1.0), (2, 4.0))
    runs = [make_result(ms=(ms,) * 30, params=(("TILE", tile),), shape="40x48x32", sweep=1) for tile, ms in settings]
    part(window, SweepChart, "sweepChart").show_runs(runs)
    part(window, QPushButton, "useFastest").click()
    assert part(window, ParameterField, "param_TILE").value() == 8
    assert part(window, QSpinBox, "sizeM").value() == 40
    act(window, "undoAction")
    assert part(window, QSpinBox, "sizeM").value() == 64


@pytest.mark.parametrize(("asked", "results", "stays"), [(Asked.RUN, 0, 0), (Asked.RUN, 1, 1), (Asked.RECORDING, 0, 1)])
def test_that_rows_chosen_before_hide_no_new_runs(
    lasting_window: MainWindow, make_result: Callable[..., RunResult], asked: Asked, results: int, stays: int
) -> None:
    lasting_window.document.add_run(make_result(), 0.0)
    rows = part(lasting_window, QTableView, "resultsTable")
    rows.selectRow(0)
    lasting_window.work.work_changed.emit(LastWork(1, asked, ("naive",), "64×48×32", results=results))
    assert len(rows.selectionModel().selectedRows()) == stays
    lasting_window.work.work_changed.emit(None)


def test_that_a_size_beyond_the_memory_is_refused_beside_the_control(lasting_window: MainWindow) -> None:
    window = lasting_window
    act(window, "tabTimingAction")
    for name in ("sizeM", "sizeN"):
        part(window, QSpinBox, name).setValue(46_000)
    part(window, QSpinBox, "sizeK").setValue(46_000)
    refusal = part(window, QLabel, "refusalLabel")
    assert refusal.isVisible()
    assert "GiB" in refusal.text()
    assert not part(window, QPushButton, "runButton").isEnabled()
    for _ in range(3):
        act(window, "undoAction")
