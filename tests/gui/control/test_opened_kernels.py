"""The source of a kernel file is seen once it is opened, with what is wrong in it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from driving import part, press, until_idle
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices, QTextCursor
from PySide6.QtWidgets import QApplication, QDockWidget, QPushButton
from pytestqt.qtbot import QtBot

from gemmviz.adopt.description import Description
from gemmviz.adopt.finding import AdoptionStep, Findings, KernelFinding, Progress
from gemmviz.adopt.reasons import FaultKind, Reason
from gemmviz.domain.kernels.call import Storage
from gemmviz.domain.runs.result import RunResult
from gemmviz.gui.editor.panel import EditorPanel
from gemmviz.gui.kernels import described
from gemmviz.gui.kernels.describe_dialog import DescribeDialog
from gemmviz.gui.kernels.found_dialog import FoundDialog
from gemmviz.gui.notices.bar import NoticeBar
from gemmviz.gui.source.source_view import SourceView
from gemmviz.gui.widgets.plain_label import PlainLabel
from gemmviz.gui.window.main_window import MainWindow

BODY = """extern "C" __global__ void mine(const float *A, const float *B, float *C, int M, int N, int K)
{
    int row = blockIdx.y * 4 + threadIdx.y, column = blockIdx.x * 4 + threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[row * K + k] * B[k * N + column];
    if (row < M && column < N) C[row * N + column] = sum;
}
"""
MINE = Description(
    "mine",
    (),
    (),
    ("A", "B", "C", "M", "N", "K"),
    (Storage(), Storage(), Storage(), Storage()),
    ("4", "4"),
    ("ceil_div(N, 4)", "ceil_div(M, 4)"),
)
HEADER = """/*---
title = "Mine"
entry = "mine"
arithmetic = "fp32"
[launch]
block = ["4", "4"]
grid = ["ceil_div(N, 4)", "ceil_div(M, 4)"]
---*/
"""


@pytest.fixture
def with_results(window: MainWindow, make_result: Callable[..., RunResult]) -> MainWindow:
    """A session with a result, at a page of charts."""
    window.document.add_run(make_result(), 0.0)
    window._layout.show_tab("Timing")
    return window


def opened(window: MainWindow, folder: Path, text: str) -> Path:
    path = folder / "mine.cu"
    path.write_text(text, encoding="utf-8")
    window.open_path(path)
    return path


def editor_of(window: MainWindow) -> EditorPanel:
    return part(window, EditorPanel, "editorPanel")


def is_source_in_front(window: MainWindow) -> bool:
    dock = part(window, QDockWidget, "sourceDock")
    return dock.isVisible() and not dock.visibleRegion().isEmpty()


def test_that_a_kernel_that_is_opened_shows_its_source(qtbot: QtBot, with_results: MainWindow, tmp_path: Path) -> None:
    ticked = with_results.experiment.compared
    opened(with_results, tmp_path, HEADER + BODY)
    qtbot.waitUntil(lambda: with_results.experiment.kernel == "mine")
    source = part(with_results, SourceView, "sourceView")
    qtbot.waitUntil(source.isVisible)
    assert is_source_in_front(with_results)
    assert not editor_of(with_results).isVisible()
    assert with_results.experiment.compared == ticked != frozenset(), "what was ticked stays ticked"


def test_that_a_file_without_a_description_is_shown_with_the_next_step_and_no_fault(
    qtbot: QtBot, with_results: MainWindow, tmp_path: Path
) -> None:
    opened(with_results, tmp_path, BODY)
    editor = editor_of(with_results)
    qtbot.waitUntil(editor.isVisible)
    assert (editor.edit.text(), editor.edit.faults) == (BODY, ())
    assert part(with_results, NoticeBar, "noticeBar").texts() == (), "it is said beside the text"
    assert editor.fault.isHidden()
    assert part(with_results, QPushButton, "describeFile").isVisible()
    assert not part(with_results, QPushButton, "runButton").isEnabled(), "of another kernel"
    assert "copy of" not in part(with_results, QPushButton, "editorFollow").text()
    said = part(with_results, PlainLabel, "examinationStatus").text()
    assert said == "mine.cu cannot run yet: nothing says how it is called. gemmviz can find that out."


def test_that_a_wrong_header_is_underlined_in_the_file_that_was_opened(
    qtbot: QtBot, with_results: MainWindow, tmp_path: Path
) -> None:
    opened(with_results, tmp_path, HEADER.replace("entry", "entri") + BODY)
    editor = editor_of(with_results)
    qtbot.waitUntil(lambda: editor.isVisible() and bool(editor.edit.faults))
    assert [(one.line, one.words) for one in editor.edit.faults] == [(3, "unknown key 'entri'; did you mean entry?")]
    assert is_source_in_front(with_results)


def test_that_a_wrong_description_can_be_opened_and_is_read_again_once_it_is_mended(
    qtbot: QtBot, with_results: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    beside = tmp_path / "mine.cu.toml"
    launch = '[launch]\nblock = [4, 4]\ngrid = ["ceil_div(N, 4)", "ceil_div(M, 4)"]\n'
    beside.write_text(f'requires = ["rocm"]\n{launch}', encoding="utf-8")
    opened(with_results, tmp_path, BODY)
    editor, urls = editor_of(with_results), list[QUrl]()
    qtbot.waitUntil(editor.isVisible)
    said = part(with_results, PlainLabel, "examinationStatus").text()
    assert said.startswith("mine.cu.toml:1: 'requires' does not know 'rocm'")
    assert said.endswith("Correct mine.cu.toml and save it: the kernel is then read again.")
    assert editor.edit.faults == (), "the fault is in another file"
    button = part(with_results, QPushButton, "openDescription")
    assert (button.isVisible(), button.text()) == (True, "Open mine.cu.toml")
    monkeypatch.setattr(QDesktopServices, "openUrl", urls.append)
    button.click()
    assert [Path(url.toLocalFile()) for url in urls] == [beside]
    beside.write_text(launch, encoding="utf-8")
    qtbot.waitUntil(lambda: with_results.experiment.kernel == "mine" or not button.isVisible())
    qtbot.waitUntil(lambda: any(one.id == "mine" for one in with_results._set_up.catalogue.kernels))


def test_that_a_file_that_is_opened_takes_the_place_of_one_that_was_no_kernel(
    qtbot: QtBot, with_results: MainWindow, tmp_path: Path
) -> None:
    path = opened(with_results, tmp_path, BODY)
    editor = editor_of(with_results)
    qtbot.waitUntil(editor.isVisible)
    path.write_text(HEADER + BODY, encoding="utf-8")
    with_results.open_path(path)
    qtbot.waitUntil(lambda: with_results.experiment.kernel == "mine")
    qtbot.waitUntil(lambda: not editor.isVisible())
    assert is_source_in_front(with_results)


def test_that_the_line_of_a_race_is_underlined_where_nothing_could_be_described(
    qtbot: QtBot, with_results: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = opened(with_results, tmp_path, BODY)
    editor = editor_of(with_results)
    qtbot.waitUntil(editor.isVisible)
    race = f"{path}:5: the kernel races, with blocks of 4 × 4 threads, which gemmviz guessed"
    found = Findings(("mine",), (KernelFinding("mine", 1, None, (Reason(race, FaultKind.RACE),)),))
    monkeypatch.setattr(described, "look_confined", lambda *_args, **_names: found)
    part(with_results, QPushButton, "describeFile").click()
    qtbot.waitUntil(lambda: bool(editor.edit.faults))
    assert editor.edit.faults[0].line == 5
    said = part(with_results, PlainLabel, "examinationStatus").text()
    assert said.startswith("mine.cu:5: the kernel races")
    assert "races" not in editor.fault.text()
    assert part(with_results, NoticeBar, "noticeBar").texts() == ()
    assert not part(with_results, QPushButton, "describeFile").isVisible()


def test_that_a_file_whose_race_was_mended_is_described_again_by_a_save(
    qtbot: QtBot, with_results: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = opened(with_results, tmp_path, BODY)
    editor, looks = editor_of(with_results), list[str]()
    qtbot.waitUntil(editor.isVisible)

    def look(_path: Path, **_names: object) -> Findings:
        looks.append(path.read_text(encoding="utf-8"))
        why = Reason(f"{path}:5: the kernel races", FaultKind.RACE)
        if len(looks) == 3:
            why = Reason(f"{path}:5: what one block wrote is no part of a product of what races", FaultKind.NO_PART)
        return Findings(("mine",), (KernelFinding("mine", 1, None, (why,)),))

    def save(words: str) -> None:
        editor.edit.moveCursor(QTextCursor.MoveOperation.End)
        qtbot.keyClicks(editor.edit, words)
        qtbot.keyClick(editor.edit, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)

    def said() -> str:
        return part(with_results, PlainLabel, "examinationStatus").text()

    monkeypatch.setattr(described, "look_confined", look)
    part(with_results, QPushButton, "describeFile").click()
    qtbot.waitUntil(lambda: "the kernel races" in said())
    save("")
    qtbot.waitUntil(lambda: "nothing says how it is called" in said())
    assert len(looks) == 1, "the text is the same"
    save("// one")
    qtbot.waitUntil(lambda: len(looks) == 2 and "the kernel races" in said())
    save("// two")
    qtbot.waitUntil(lambda: len(looks) == 3 and "no part of a product" in said())
    assert looks[-1].endswith("// one// two")
    save("// three")
    qtbot.waitUntil(lambda: "nothing says how it is called" in said())
    assert len(looks) == 3, "it was no race that was to be mended"


def test_that_a_kernel_that_does_not_compile_shows_its_line_whichever_page_is_in_front(
    qtbot: QtBot, with_results: MainWindow, tmp_path: Path
) -> None:
    opened(with_results, tmp_path, HEADER + BODY.replace("float sum", "floot sum"))
    qtbot.waitUntil(lambda: with_results.experiment.kernel == "mine")
    part(with_results, QDockWidget, "figuresDock").raise_()
    press(qtbot, with_results, "recordButton")
    until_idle(qtbot, with_results)
    assert is_source_in_front(with_results)
    assert part(with_results, NoticeBar, "noticeBar").texts()[0].startswith("mine.cu does not compile. Line 12:")


def test_that_the_window_is_not_locked_while_a_file_is_looked_at(
    qtbot: QtBot, with_results: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended = threading.Event()

    def look(_path: Path, progress: Progress, **_names: object) -> Findings:
        try:
            while True:
                progress(AdoptionStep("running mine", 1, 2))
                time.sleep(0.01)
        finally:
            ended.set()

    monkeypatch.setattr(described, "look_confined", look)
    path = opened(with_results, tmp_path, BODY)
    qtbot.waitUntil(editor_of(with_results).isVisible)
    part(with_results, QPushButton, "describeFile").click()
    dialog = part(with_results, DescribeDialog, "describe")
    qtbot.waitUntil(dialog.isVisible)
    assert not dialog.isModal()
    assert QApplication.activeModalWidget() is None
    part(with_results, QPushButton, "describeFile").click()
    assert len(with_results.findChildren(DescribeDialog)) == 1, "the same file is looked at once"
    assert path.exists()
    with_results.end.end_at_once()
    assert ended.wait(90), "it ends with the window"


def test_that_what_was_found_is_shown_with_its_lines_and_can_be_shown_again_and_taken_back(
    qtbot: QtBot, with_results: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = opened(with_results, tmp_path, BODY)
    qtbot.waitUntil(editor_of(with_results).isVisible)
    found = KernelFinding("mine", 2, MINE)
    monkeypatch.setattr(described, "look_confined", lambda *_args, **_names: Findings(("mine",), (found,)))
    with_results._set_up.describe(path)
    qtbot.waitUntil(lambda: with_results.experiment.kernel == "mine")
    dialog = part(with_results, FoundDialog, "foundDialog")
    assert dialog.isVisible()
    dialog.line_asked.emit(path, 2)
    assert is_source_in_front(with_results)
    dialog.close()
    with_results._parts.experiment.kernels.found_asked.emit("mine")
    again = next(one for one in with_results.findChildren(FoundDialog) if one.isVisible())
    assert any(text.startswith("mine: C = A·B") for text in bar_texts(with_results))
    part(again, QPushButton, "foundTakeBack").click()
    assert not any("mine: C = A·B" in text or "is set up with" in text for text in bar_texts(with_results))
    qtbot.waitUntil(lambda: all(kernel.id != "mine" for kernel in with_results._set_up.catalogue.kernels))
    said = part(with_results, PlainLabel, "examinationStatus")
    qtbot.waitUntil(lambda: "cannot run yet" in said.text())  # beside the text, which is in front
    again.close()


def test_that_a_kernel_that_is_described_takes_no_place_of_one_chosen_meanwhile(
    qtbot: QtBot, with_results: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = opened(with_results, tmp_path, HEADER + BODY)
    qtbot.waitUntil(lambda: with_results.experiment.kernel == "mine")
    monkeypatch.setattr(described, "look_confined", lambda *_args, **_names: Findings((), ()))
    with_results._set_up.describe(path)
    dialog = part(with_results, DescribeDialog, "describe")
    with_results._set_up.choose("naive")
    dialog.described.emit(path, "mine: C = A·B")
    qtbot.waitUntil(lambda: "mine: C = A·B. Its kernel is in the list now." in bar_texts(with_results))
    assert with_results.experiment.kernel == "naive"


def test_that_a_kernel_that_is_described_leaves_a_lesson_in_view_until_a_person_asks_for_it(
    qtbot: QtBot, with_results: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = opened(with_results, tmp_path, HEADER + BODY)
    qtbot.waitUntil(lambda: with_results.experiment.kernel == "mine")

    def look(_path: Path, progress: Progress, **_names: object) -> Findings:
        while True:  # until the dialog ends it
            progress(AdoptionStep("running mine", 1, 2))
            time.sleep(0.01)

    monkeypatch.setattr(described, "look_confined", look)
    with_results._set_up.describe(path)
    dialog, page = part(with_results, DescribeDialog, "describe"), with_results._parts.lesson_page
    with_results._lessons.open("tiling")
    qtbot.waitUntil(page.isVisible)
    page.findChild(QPushButton, "lessonNext").click()
    shown = page.lesson, page.step
    dialog.described.emit(path, "mine: C = A·B")
    dialog.reject()
    said = "mine: C = A·B. Its kernel is in the list now"
    qtbot.waitUntil(lambda: any(text.startswith(said) for text in bar_texts(with_results)))
    assert page.isVisible()
    assert (page.lesson, page.step) == shown
    buttons = part(with_results, NoticeBar, "noticeBar").findChildren(QPushButton)
    next(button for button in buttons if button.text() == "Show it").click()
    qtbot.waitUntil(lambda: not page.isVisible())
    assert with_results.experiment.kernel == "mine"
    assert is_source_in_front(with_results)


def bar_texts(window: MainWindow) -> tuple[str, ...]:
    return part(window, NoticeBar, "noticeBar").texts()
