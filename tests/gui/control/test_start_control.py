"""What is started, and what is told about it: in the whole window."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from driving import act, part, press, texts_of, until_idle
from PySide6.QtWidgets import QComboBox, QDockWidget, QLabel, QPushButton, QSpinBox
from pytestqt.qtbot import QtBot

from gemmviz.catalogue.examples import load_examples
from gemmviz.catalogue.presets import find_preset
from gemmviz.domain.recordings.hazard import Hazard, HazardKind
from gemmviz.domain.recordings.launches import same_grid
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.runs.result import RunResult
from gemmviz.domain.session.session import load_session
from gemmviz.domain.shape import Shape
from gemmviz.engine.client import Client
from gemmviz.engine.messages import RunRequest
from gemmviz.gui.charts.accuracy_page import AccuracyPage
from gemmviz.gui.charts.error_map.view import ErrorMapView
from gemmviz.gui.control.experiment_control import ExperimentControl
from gemmviz.gui.experiment.panel import ExperimentPanel
from gemmviz.gui.files.file_dialog import FileDialog
from gemmviz.gui.lessons.lesson_page import LessonPage
from gemmviz.gui.memory_view.memory_view import MemoryView
from gemmviz.gui.notices.bar import NoticeBar
from gemmviz.gui.notices.notice import Notice, NoticeKind
from gemmviz.gui.source.source_view import SourceView
from gemmviz.gui.welcome.first_page import FirstPage
from gemmviz.gui.widgets.question import Answer, Question
from gemmviz.gui.window.main_window import MainWindow
from gemmviz.gui.work.experiment import Experiment

MakeResult = Callable[..., RunResult]
BAD = "no_such_thing();"
HAZARD = Hazard(HazardKind.RACE, 6, "As[i] = x;", (0, 0, 0), (0, 1), 0, 1, "two threads write As[0]")


def set_up(window: MainWindow, kernel: str, **changes: object) -> Experiment:
    """A small experiment in quick mode."""
    base = Experiment(kernel, Shape(16, 16, 16), budget_s=0.1, is_quick=True)
    window.set_experiment(replace(base, **changes))  # type: ignore[arg-type]
    return window.experiment


def bar_of(window: MainWindow) -> NoticeBar:
    return part(window, NoticeBar, "noticeBar")


def test_that_what_cannot_run_is_left_out_of_a_run(qtbot: QtBot, window: MainWindow) -> None:
    set_up(window, "tiled", compared=frozenset({"dot"}))
    press(qtbot, window, "runButton")
    assert [row[0] for row in texts_of(window)] == ["tiled"]
    assert bar_of(window).texts() == ()


def test_that_a_refused_run_offers_its_mend_and_the_message_goes_with_its_cause(window: MainWindow) -> None:
    set_up(window, "dot")
    window.run_chosen()
    (message,) = bar_of(window).texts()
    assert message.startswith("Needs M = 1, but M is 16")
    bar_of(window).findChildren(QPushButton, "noticeAction")[-1].click()
    assert window.experiment.shape == Shape(1, 1, 16)
    assert bar_of(window).texts() == ()
    set_up(window, "dot")
    window.run_chosen()
    part(window, QSpinBox, "sizeM").setValue(1)
    assert bar_of(window).texts() == (), "the message would say that M is 16; the panel says what is still missing"
    window.run_chosen()
    assert bar_of(window).texts()[0].startswith("Needs N = 1, but N is 16")
    set_up(window, "dot_serial", compared=frozenset({"tiled"}))
    assert bar_of(window).texts() == (), "it was about another kernel"


def test_that_record_records_a_small_grid_at_once_with_every_block(qtbot: QtBot, window: MainWindow) -> None:
    set_up(window, "tiled", params=(("tiled", (("TILE", 8),)),))
    button = part(window, QPushButton, "recordButton")
    qtbot.waitUntil(lambda: button.text() == "Record all 4 blocks")
    press(qtbot, window, "recordButton")
    (trace,) = window.document.session.traces
    assert [stored.block for stored in trace.blocks] == [(0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0)]


def test_that_an_example_becomes_a_persons_own_copy_with_a_word_about_it(qtbot: QtBot, window: MainWindow) -> None:
    example = load_examples()[0]
    with qtbot.waitSignal(window.document.opened):
        act(window, f"exampleAction_{example.id}")
    assert window.windowTitle().startswith(example.title)
    runs = len(window.document.session.runs)
    set_up(window, "naive")
    window.run_chosen()
    until_idle(qtbot, window)
    assert len(window.document.session.runs) == runs + 1
    assert window.windowTitle().startswith(f"Copy of {example.title}")
    assert f"your own copy of “{example.title}”" in bar_of(window).texts()[0]
    window.run_chosen()
    until_idle(qtbot, window)
    assert window.windowTitle().startswith(f"Copy of {example.title}")
    assert sum("your own copy" in text for text in bar_of(window).texts()) == 1
    window.open_lesson("tiling")
    page = part(window, LessonPage, "lessonPage")
    qtbot.waitUntil(lambda: page.lesson is not None)
    assert not any("your own copy" in text for text in bar_of(window).texts())


def test_that_a_compile_error_leads_to_its_line_and_leaves_when_the_file_is_mended(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    good = Path("kernels/cuda/tiled.cu").read_text(encoding="utf-8")
    path = tmp_path / "mine.cu"
    path.write_text(good.replace("__syncthreads();", BAD, 1), encoding="utf-8")
    window.open_path(path)
    qtbot.waitUntil(lambda: window.experiment.kernel == "mine")
    set_up(window, "mine")
    press(qtbot, window, "runButton")
    line = good[: good.index("__syncthreads();")].count("\n") + 1
    assert bar_of(window).texts()[0].startswith(f"mine.cu does not compile. Line {line}: ")
    button = bar_of(window).findChildren(QPushButton, "noticeAction")[-1]
    assert button.text() == f"Go to line {line}"
    button.click()
    source = part(window, SourceView, "sourceView")
    assert part(window, QDockWidget, "sourceDock").isVisible()
    assert f"Line {line} does not compile" in part(window, QLabel, "sourceNote").text()
    assert bar_of(window).texts(), "going there does not remedy it"
    path.write_text(good, encoding="utf-8")
    qtbot.waitUntil(lambda: "does not compile" not in source.findChild(QLabel, "sourceNote").text())
    assert not any(BAD.rstrip("();") in text for text in bar_of(window).texts())


def test_that_a_compile_error_says_that_the_recording_in_view_is_of_another_kernel(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    set_up(window, "tiled", params=(("tiled", (("TILE", 8),)),))
    qtbot.waitUntil(part(window, QPushButton, "recordButton").isEnabled)
    press(qtbot, window, "recordButton")
    qtbot.waitUntil(lambda: part(window, QComboBox, "memoryCombo").itemText(0).startswith("tiled"))
    path = tmp_path / "mine.cu"
    path.write_text(Path("kernels/cuda/tiled.cu").read_text(encoding="utf-8").replace("__syncthreads();", BAD, 1))
    window.open_path(path)
    qtbot.waitUntil(lambda: window.experiment.kernel == "mine")
    set_up(window, "mine")
    compare = part(window, QComboBox, "compareCombo")
    assert compare.findText("Record mine with these settings") > 0
    press(qtbot, window, "runButton")
    assert bar_of(window).texts()[0].rstrip(".").endswith("The recording in view is still that of tiled")
    assert compare.findText("Record mine with these settings") == -1, "it is known not to compile"
    path.write_text(Path("kernels/cuda/tiled.cu").read_text(encoding="utf-8"), encoding="utf-8")
    qtbot.waitUntil(lambda: compare.findText("Record mine with these settings") > 0)


def test_that_a_preset_leaves_quick_mode_as_it_is(window: MainWindow) -> None:
    control = window.findChild(ExperimentControl)
    assert control is not None
    for is_quick in (True, False):
        window.set_experiment(replace(window.experiment, is_quick=is_quick))
        control.use_preset(find_preset("512"))
        assert window.experiment.is_quick is is_quick


def test_that_the_message_about_a_size_that_is_none_goes_with_it(window: MainWindow) -> None:
    set_up(window, "tiled", shape=Shape(16, 999, 999))
    part(window, QSpinBox, "sizeM").setValue(16_777_216)
    act(window, "runAction")
    assert "at most 2\u202f147\u202f483\u202f647" in bar_of(window).texts()[0]
    bar_of(window).findChildren(QPushButton, "noticeAction")[-1].click()
    assert part(window, QSpinBox, "sizeM").value() == 16
    assert part(window, QPushButton, "runButton").isEnabled()
    assert bar_of(window).texts() == ()


def test_that_the_ladder_leaves_out_what_cannot_run(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[RunRequest] = []
    monkeypatch.setattr(Client, "submit", lambda _client, work: started.append(work))
    set_up(window, "tiled")
    act(window, "ladderAction")
    kernels = [job.kernel.id for job in started[0].jobs]
    assert "dot" not in kernels
    assert {"tiled", "naive", "cpu_ijk"} <= set(kernels)
    assert len(kernels) == len(part(window, ExperimentPanel, "experimentPanel").plan.ladder)


def test_that_a_recording_is_followed_by_the_hazards_it_found_and_a_button_that_shows_them(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    good = Path("kernels/cuda/tiled.cu").read_text(encoding="utf-8")
    first, _, rest = good.rpartition("__syncthreads();")
    path = tmp_path / "mine.cu"
    path.write_text(f"{first}{rest}", encoding="utf-8")
    window.open_path(path)
    qtbot.waitUntil(lambda: window.experiment.kernel == "mine")
    set_up(window, "mine", params=(("mine", (("TILE", 4),)),))
    press(qtbot, window, "recordButton")
    (trace,) = window.document.session.traces
    lines = sorted({hazard.line for hazard in trace.hazards})
    assert len(lines) == 2
    said = bar_of(window).texts()[0]
    assert said.startswith(f"mine TILE=4: race on lines {lines[0]} and {lines[1]}. Thread ")
    assert said.count("(line ") == 2
    button = bar_of(window).findChildren(QPushButton, "noticeAction")[-1]
    assert button.text() == "Show it"
    view = part(window, MemoryView, "memoryView")
    part(window, QPushButton, "memoryTotals").click()
    act(window, "tabTimingAction")
    assert not view.isVisible()
    button.click()
    assert view.isVisible(), "whichever page was in front"
    qtbot.waitUntil(lambda: (seen := window._player.watched) is not None and seen.index > 0)
    set_up(window, "tiled", params=(("tiled", (("TILE", 4),)),))
    press(qtbot, window, "recordButton")
    assert bar_of(window).texts()[0].startswith("tiled TILE=4: no hazards found in "), "of the newest recording alone"
    assert not any("race" in text for text in bar_of(window).texts())


def test_that_a_word_about_a_copy_goes_with_the_copy(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    example = load_examples()[0]
    with qtbot.waitSignal(window.document.opened):
        act(window, f"exampleAction_{example.id}")
    set_up(window, "naive")
    window.run_chosen()
    until_idle(qtbot, window)
    assert any("your own copy" in text for text in bar_of(window).texts())
    monkeypatch.setattr(Question, "ask", lambda *_: Answer.DISCARD)
    act(window, "newAction")
    assert not window.document.session.runs
    assert not any("your own copy" in text for text in bar_of(window).texts())


def test_that_a_new_experiment_begins_anew_and_the_session_before_can_be_returned_to(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    page, back = part(window, FirstPage, "firstPage"), part(window, QPushButton, "sessionCard")
    assert back.isHidden()
    set_up(window, "naive")
    window.run_chosen()
    until_idle(qtbot, window)
    act(window, "firstPageAction")
    assert page.isVisible()
    assert back.isVisible()
    assert back.accessibleDescription() == "It holds 1 run."
    back.click()
    assert not page.isVisible()
    assert len(window.document.session.runs) == 1
    act(window, "firstPageAction")
    monkeypatch.setattr(Question, "ask", lambda *_: Answer.CANCEL)
    part(window, QPushButton, "experimentCard").click()
    assert page.isVisible(), "nothing is lost without a word"
    monkeypatch.setattr(Question, "ask", lambda *_: Answer.DISCARD)
    part(window, QPushButton, "experimentCard").click()
    assert not page.isVisible()
    assert not window.document.session.runs
    assert (window.experiment.kernel, window.experiment.compared) == ("tiled", frozenset({"naive"}))


def test_that_open_takes_a_kernel_file(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = tmp_path / "mine.cu"
    path.write_bytes(Path("kernels/cuda/naive.cu").read_bytes())
    monkeypatch.setattr(FileDialog, "name_to_open", lambda *_: str(path))
    act(window, "openAction")
    qtbot.waitUntil(lambda: window.experiment.kernel == "mine")
    assert bar_of(window).texts() == ()


def test_that_what_failed_is_told_in_its_own_session_only(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "mine.cu"
    text = Path("kernels/cuda/tiled.cu").read_text(encoding="utf-8")
    path.write_text(text.replace("__syncthreads();", BAD, 1), encoding="utf-8")
    window.open_path(path)
    qtbot.waitUntil(lambda: window.experiment.kernel == "mine")
    set_up(window, "mine")
    press(qtbot, window, "runButton")
    assert "does not compile" in bar_of(window).texts()[0]
    assert window.document.session.errors
    monkeypatch.setattr(Question, "ask", lambda *_: Answer.DISCARD)
    act(window, "newAction")
    assert bar_of(window).texts() == ()
    window.run_chosen()
    act(window, "newAction")
    until_idle(qtbot, window)
    assert window.document.session.errors == ()
    (said,) = bar_of(window).texts()
    assert said.startswith("In the session “New session”, which is no longer open: mine TILE=16: ")
    assert bar_of(window).findChild(Notice, "notice_info").text == said, "it goes when other work begins"


def test_that_a_wrong_result_is_an_error_that_leads_to_its_map(window: MainWindow, make_result: MakeResult) -> None:
    wrong = make_result("mine", passed=False, max_error_over_ug=500.0)
    window.document.add_run(wrong, 0.0)
    window.work.checked.emit(wrong)
    (message,) = bar_of(window).findChildren(Notice)
    assert message.kind is NoticeKind.ERROR
    assert message.text.startswith("mine TILE=16: the result is wrong at 64×48×32: largest error ")
    assert " times the allowed bound. " in message.text
    (button,) = [one for one in message.findChildren(QPushButton, "noticeAction") if one.text() == "Show where"]
    button.click()
    page = part(window, AccuracyPage, "accuracyPage")
    assert page.isVisible()
    assert isinstance(page.in_front, ErrorMapView)
    assert window.findChild(ErrorMapView).run is wrong
    window.work.checked.emit(make_result("other"))
    assert bar_of(window).texts(), "another kernel does not mend it"
    window.work.checked.emit(make_result("mine"))
    assert bar_of(window).texts() == ()


def test_that_a_right_setting_of_a_sweep_does_not_take_away_that_another_is_wrong(
    window: MainWindow, make_result: MakeResult
) -> None:
    window.work.checked.emit(make_result("mine", passed=False, unwritten=3, sweep=2))
    window.work.checked.emit(make_result("mine", params=(("TILE", 8),), sweep=2))
    (words,) = bar_of(window).texts()
    assert "3 elements of C were never written" in words


def test_that_messages_about_a_sweep_and_a_kernels_earlier_text_go(
    window: MainWindow, make_result: MakeResult, make_recording: Callable[..., TraceRun]
) -> None:
    set_up(window, "tiled")
    window.work.checked.emit(make_result("tiled", passed=False, unwritten=3, sweep=2))
    window._start.sweep(("NOT_THERE",))
    assert not any("never written" in text for text in bar_of(window).texts()), "it is swept again"
    bar_of(window).clear()
    window.work.checked.emit(make_result("mine", passed=False, unwritten=3))
    window.work.recorded.emit(make_recording("mine", hazards=(HAZARD,)))
    window.work.checked.emit(make_result("other", passed=False, unwritten=3))
    assert len(bar_of(window).texts()) == 3
    window._set_up.file_taken.emit("/mine.cu", "mine")
    (kept,) = bar_of(window).texts()
    assert kept.startswith("other "), "that file is as it was"


def test_that_a_file_without_a_description_is_no_error(window: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "mine.cu"
    window._set_up.file_failed.emit(str(path), f"{path}:1: no header", True)
    (shown,) = bar_of(window).findChildren(Notice)
    assert shown.kind is NoticeKind.HINT
    assert "Find out and describe it" in [each.text() for each in shown.findChildren(QPushButton)]
    bar_of(window).follow_kernel(str(path))
    assert shown.isVisible()
    bar_of(window).follow_kernel("tiled")
    assert not shown.isVisible(), "it goes with its file"
    window._set_up.file_failed.emit(str(path), f"{path}:3: the header never ends", False)
    assert [each.kind for each in bar_of(window).findChildren(Notice) if each.isVisible()] == [NoticeKind.ERROR]


def test_that_one_step_leads_back_to_the_recording_that_another_has_taken_the_place_of(
    qtbot: QtBot, window: MainWindow
) -> None:
    example = next(each for each in load_examples() if each.id == "cpu-four")
    earlier, later = load_session(example.path).traces[:2]
    assert not same_grid(earlier, later)

    def record(trace: TraceRun) -> TraceRun:
        window.document.add_trace(trace)
        window.work.recorded.emit(trace)
        qtbot.waitUntil(lambda: window._player.played[0] is not None and window._player.played[0].run is trace)
        return trace

    def ways_back() -> list[QPushButton]:
        buttons = part(window, NoticeBar, "noticeBar").findChildren(QPushButton, "noticeAction")
        return [button for button in buttons if button.text().startswith("Back to")]

    record(earlier)
    assert ways_back() == [], "nothing was in view before"
    record(later)
    (back,) = ways_back()
    assert earlier.spec.kernel != later.spec.kernel
    assert back.text() == f"Back to {earlier.spec.kernel}"
    assert earlier.spec.shape.words in back.toolTip()
    assert "block (0, 0)" in back.toolTip()
    back.click()
    assert window._player.played[0].run is earlier
    record(replace(earlier))
    (back,) = ways_back()
    assert back.text() == f"Back to {later.spec.kernel}", "what was in view before this launch"
