"""What is offered after the run of a lesson: recordings of its kernels, the page that shows them, the way back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from driving import part
from lesson_driving import begin, click
from lesson_scenes import LESSONS
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from gemmviz.catalogue.lessons import Lesson, LessonSequel
from gemmviz.catalogue.presets import Preset
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.runs.result import RunResult
from gemmviz.domain.unbroken_text import with_plain_spaces
from gemmviz.gui.layout.action_table import TABS
from gemmviz.gui.lessons.attempt_words import (
    attempt_words,
    back_words,
    figure_words,
    newest_recordings,
    next_to_record,
    recorded_words,
)
from gemmviz.gui.lessons.lesson_data import read_lesson_data
from gemmviz.gui.memory.memory_views import SEGMENTS
from gemmviz.gui.memory.page import MemoryPage
from gemmviz.gui.notices.bar import NoticeBar
from gemmviz.gui.notices.notice import Notice, NoticeAction, NoticeKind
from gemmviz.gui.widgets.plain_label import PlainLabel
from gemmviz.gui.window.main_window import MainWindow

ONE = next(iter(read_lesson_data(LESSONS["tiling"]).traces.values()))
SIZES = (1280, 800), (1440, 900), (1920, 1080)
RECORDED = [lesson for lesson in LESSONS.values() if lesson.attempt.sequel and lesson.attempt.sequel.records]


def offered(window: MainWindow) -> dict[str, QPushButton]:
    """The buttons of the message that is shown, by what they say."""
    buttons = part(window, NoticeBar, "noticeBar").findChildren(QPushButton, "noticeAction")
    return {button.text(): button for button in buttons if button.isVisible()}


def shown(window: MainWindow) -> Notice:
    bar = part(window, NoticeBar, "noticeBar")
    return next(notice for notice in bar.findChildren(Notice) if notice.isVisible())


def small(lesson: Lesson) -> Lesson:
    """The same lesson with an attempt of the size of a recording that is there."""
    return replace(lesson, attempt=replace(lesson.attempt, size=ONE.spec.shape))


def recordings(lesson: Lesson) -> dict[str, TraceRun]:
    """One of each kernel of the attempt; what is in them is of no concern here."""
    return {kernel: replace(ONE, spec=replace(ONE.spec, kernel=kernel)) for kernel in lesson.attempt.kernels}


@pytest.mark.parametrize("lesson", LESSONS.values(), ids=LESSONS)
def test_that_what_a_sequel_opens_is_there(lesson: Lesson) -> None:
    sequel = lesson.attempt.sequel
    if sequel is not None:
        assert sequel.view in (*TABS, *(segment.words for segment in SEGMENTS))


def test_that_recordings_without_a_reason_are_refused() -> None:
    with pytest.raises(ValueError, match="the kernels are recorded to be looked at in 'Traffic'"):
        LessonSequel("Traffic", records=True)


def test_that_each_recording_names_what_is_left() -> None:
    lesson = small(LESSONS["bank-conflicts"])
    sequel, traces = lesson.attempt.sequel, recordings(lesson)
    assert sequel is not None
    one, two = traces["tiled"], traces["tiled_transposed"]
    assert newest_recordings(lesson, (one, two), ()) == {"tiled": one, "tiled_transposed": two}
    assert newest_recordings(lesson, (two, one), (one,)) == {"tiled_transposed": two}, "one of before does not count"
    assert newest_recordings(LESSONS["bank-conflicts"], (one,), ()) == {}, "one of another size does not count"
    assert next_to_record(lesson, ()) == ("tiled", "Record tiled")
    assert next_to_record(lesson, ("tiled",)) == ("tiled_padded", "Record tiled_padded too")
    assert next_to_record(lesson, lesson.attempt.kernels) == ("", "")
    assert recorded_words(lesson, sequel, ("tiled",)) == (
        "Lesson 3: tiled is recorded. Record tiled_padded and tiled_transposed too to compare them."
    )
    assert recorded_words(lesson, sequel, lesson.attempt.kernels) == (
        f"Lesson 3: tiled, tiled_padded and tiled_transposed are recorded. {sequel.says}"
    )


def test_that_a_lesson_tells_the_figures_of_what_was_recorded() -> None:
    """Those of the recordings that the lesson plays: a warp is one row of 32 threads there."""
    data = read_lesson_data(LESSONS["coalescing"])
    lesson, sequel = data.lesson, data.lesson.attempt.sequel
    assert sequel is not None
    rows, columns = data.traces["rows"], data.traces["columns"]
    told = {"naive": rows, "naive_uncoalesced": columns}
    # Each load of A is 1 sector or 32, each of B 4 or 1, and the one store 4 or 32: of 32 steps along K.
    means = (32 * (1 + 4) + 4) / 65, (32 * (32 + 1) + 32) / 65
    assert figure_words(sequel, told) == f"naive {means[0]:.2f}, naive_uncoalesced {means[1]:.2f} sectors per request"
    assert figure_words(replace(sequel, figure=""), told) == ""
    said = recorded_words(lesson, sequel, lesson.attempt.kernels, told)
    assert said == f"Lesson 2: {figure_words(sequel, told)}. {sequel.because} {sequel.says}"
    assert sequel.because not in recorded_words(lesson, sequel, lesson.attempt.kernels), "without the figures"
    with pytest.raises(ValueError, match="figure 'speed' is not known"):
        replace(sequel, figure="speed")


@pytest.mark.parametrize("lesson", RECORDED, ids=[lesson.id for lesson in RECORDED])
def test_that_the_buttons_lead_from_the_run_through_recordings_to_what_shows_them(
    qtbot: QtBot, window: MainWindow, lesson: Lesson
) -> None:
    """The device is not asked: what it would send is put into the session."""
    control, asked = window._lessons.attempts, list[tuple[str, str]]()

    def begin_work(preset: Preset, page: str) -> None:
        asked.append((preset.kernels[0], page))
        control._on_busy(True)

    def opens_what_is_not_in_front() -> bool:
        view = lesson.attempt.sequel.view
        return (f"Open {view}" in offered(window)) is not control._is_in_front(view)

    control.asked.disconnect()
    control.asked.connect(begin_work)
    page = begin(qtbot, window, lesson)
    kernels = lesson.attempt.kernels
    control.run(small(lesson), kernels)
    control._on_busy(False)
    assert list(offered(window)) == [back_words(lesson), f"Record {kernels[0]}"]
    traces = recordings(lesson)
    for number, kernel in enumerate(kernels):
        (button,) = (button for words, button in offered(window).items() if words.startswith(f"Record {kernel}"))
        button.click()
        assert asked[-1] == (kernel, "Memory")
        assert list(offered(window)) == [back_words(lesson)]
        window.document.add_trace(traces[kernel])
        control._on_busy(False)
        qtbot.waitUntil(opens_what_is_not_in_front)  # once the line is laid out
        assert any(words.startswith("Record") for words in offered(window)) is (number < len(kernels) - 1)
    assert shown(window).text.endswith(lesson.attempt.sequel.says)
    window._layout.show_tab("Timing")
    offered(window)[f"Open {lesson.attempt.sequel.view}"].click()
    segments = [segment.words for segment in SEGMENTS]
    if lesson.attempt.sequel.view in segments:
        view = part(window, MemoryPage, "memoryPage").view_in_front
        assert segments.index(lesson.attempt.sequel.view) == ["animation", "banks", "sectors", "totals"].index(view)
    else:
        assert window._layout.tab == lesson.attempt.sequel.view
    assert shown(window).text.endswith(lesson.attempt.sequel.says), "it says what is to be looked at there"
    assert f"Open {lesson.attempt.sequel.view}" not in offered(window), "it is in front"
    window._layout.show_tab("Timing")
    assert f"Open {lesson.attempt.sequel.view}" in offered(window)
    offered(window)[back_words(lesson)].click()
    assert page.lesson == lesson
    assert page.step == page.steps - 1


def test_that_one_button_records_every_kernel_and_opens_what_compares_them(qtbot: QtBot, window: MainWindow) -> None:
    lesson = LESSONS["coalescing"]
    control, traces, asked = window._lessons.attempts, recordings(lesson), list[str]()

    def begin_work(preset: Preset, _page: str) -> None:
        asked.append(preset.kernels[0])
        control._on_busy(True)

    control.asked.disconnect()
    control.asked.connect(begin_work)
    page = begin(qtbot, window, lesson)
    control.record_all(small(lesson))
    assert all(dock.isHidden() for dock in window._layout.docks.values()), "the chart stands alone"
    for number, kernel in enumerate(lesson.attempt.kernels, 1):
        qtbot.waitUntil(lambda number=number: len(asked) == number)
        window.document.add_trace(traces[kernel])
        control._on_busy(False)
    assert asked == list(lesson.attempt.kernels)
    assert window._layout.tab == "Traffic"
    assert shown(window).text.endswith(lesson.attempt.sequel.says)
    assert list(offered(window)) == [back_words(lesson)], "Traffic is there already"
    offered(window)[back_words(lesson)].click()
    assert page.findChild(PlainLabel, "lessonMeasured").text() == with_plain_spaces(
        f"You recorded: {figure_words(lesson.attempt.sequel, traces)}. {lesson.attempt.sequel.because} "
        f"{lesson.attempt.sequel.aside}"
    )
    control.record_all(small(lesson))
    control._on_busy(False)
    assert "was not recorded" in shown(window).text, "a cancel ends it"
    assert len(asked) == 3


def test_that_the_panels_stay_folded_while_one_kernel_after_the_other_is_recorded(
    qtbot: QtBot, window: MainWindow
) -> None:
    lesson = LESSONS["coalescing"]
    control, traces = window._lessons.attempts, recordings(lesson)
    control.asked.disconnect()
    control.asked.connect(lambda *_: (window._layout.show_source(), control._on_busy(True)))  # as a recording does
    begin(qtbot, window, lesson)
    control.record_all(small(lesson))
    first, second = lesson.attempt.kernels
    for kernel in (first, second):
        qtbot.waitUntil(lambda kernel=kernel: control._recording == kernel)
        window.document.add_trace(traces[kernel])
        control._on_busy(False)
    qtbot.waitUntil(lambda: window._layout.tab == "Traffic")
    assert [name for name, dock in window._layout.docks.items() if not dock.isHidden()] == []


@pytest.mark.parametrize("before", [0, 1])
def test_that_a_recording_that_ends_while_another_lesson_is_open_leaves_that_open_and_is_told(
    qtbot: QtBot, window: MainWindow, before: int
) -> None:
    """Also where it was the first of two: the message offers the other one."""
    lesson, following = LESSONS["coalescing"], LESSONS["race"]
    control, traces = window._lessons.attempts, recordings(lesson)
    control.asked.disconnect()
    control.asked.connect(lambda *_: control._on_busy(True))
    page = begin(qtbot, window, lesson)
    control.record_all(small(lesson))
    first, second = lesson.attempt.kernels
    if before:
        window.document.add_trace(traces[first])
        control._on_busy(False)
        qtbot.waitUntil(lambda: control._recording == second)
    window.open_lesson(following.id)
    qtbot.waitUntil(lambda: page.lesson == following)
    window.document.add_trace(traces[(first, second)[before]])
    control._on_busy(False)
    QApplication.processEvents()
    assert page.isVisible()
    assert page.lesson == following
    assert "Open Traffic" in offered(window)
    assert (f"Record {second} too" in offered(window)) is (before == 0)


def test_that_a_recording_by_the_record_button_is_taken_into_account_and_a_run_ends_it(
    qtbot: QtBot, window: MainWindow, make_result: Callable[..., RunResult]
) -> None:
    lesson = LESSONS["coalescing"]
    control, traces = window._lessons.attempts, recordings(lesson)
    control.asked.disconnect()
    control.asked.connect(lambda *_: control._on_busy(True))
    begin(qtbot, window, lesson)
    control.run(small(lesson), lesson.attempt.kernels)
    window.document.add_run(make_result("naive", (1.0, 1.0)), 0.0)
    control._on_busy(False)
    offered(window)["Run again"].click()
    assert control._attempted == small(lesson), "the same kernels run once more"
    control._on_busy(False)
    control._on_busy(True)
    assert offered(window) == {}
    window.document.add_trace(traces["naive"])
    control._on_busy(False)
    assert "Record naive_uncoalesced too" in offered(window)
    control._on_busy(True)
    assert offered(window) == {}
    control._on_busy(False)
    assert "Record naive_uncoalesced too" in offered(window), "the next step can be read without a click again"
    control._on_busy(True)
    window.document.add_run(make_result("tiled", (1.0, 1.0)), 0.0)
    control._on_busy(False)
    control._on_busy(True)
    window.document.add_trace(traces["naive_uncoalesced"])
    control._on_busy(False)
    assert offered(window) == {}, "something else was run since"


def test_that_the_result_of_a_lesson_can_be_read_while_the_next_lesson_is_open_and_after_it(
    qtbot: QtBot, window: MainWindow, make_result: Callable[..., RunResult]
) -> None:
    lesson, following = LESSONS["coalescing"], LESSONS["race"]
    control = window._lessons.attempts
    control.asked.disconnect()
    control.asked.connect(lambda *_: control._on_busy(True))
    page = begin(qtbot, window, lesson)
    control.run(small(lesson), lesson.attempt.kernels)
    for kernel, ms in zip(lesson.attempt.kernels, (1.0, 4.0), strict=True):
        window.document.add_run(make_result(kernel, (ms,) * 4, params=()), 0.0)
    window.open_lesson(following.id)
    qtbot.waitUntil(lambda: page.lesson == following)
    control._on_busy(False)
    found = shown(window).text
    assert "times as fast as" in found, "also where the next lesson was opened before the run has ended"
    offered(window)[back_words(lesson)].click()
    window.open_lesson(following.id)
    qtbot.waitUntil(lambda: page.lesson == following)
    bar = part(window, NoticeBar, "noticeBar")
    assert found in bar.texts()
    assert offered(window) == {}, "the line is free for the lesson"
    control._on_busy(True)
    control._on_busy(False)
    assert found in bar.texts(), "nor does other work erase it"
    window.document.new()
    assert found not in bar.texts(), "another session does not hold what was found"


def test_that_a_recording_that_comes_to_nothing_can_be_asked_for_again(qtbot: QtBot, window: MainWindow) -> None:
    lesson = LESSONS["coalescing"]
    control = window._lessons.attempts
    control.asked.disconnect()
    control.asked.connect(lambda *_: control._on_busy(True))
    page = begin(qtbot, window, lesson)
    page.go(page.steps)
    click(qtbot, window, "lessonRun")
    control._on_busy(False)
    offered(window)["Record naive"].click()
    control._on_busy(False)
    assert shown(window).text == "naive of lesson 2 was not recorded. Press Record to record it."
    assert "Record naive" in offered(window)


def test_that_the_kernel_with_the_race_can_be_edited_from_the_message(qtbot: QtBot, window: MainWindow) -> None:
    control, lesson = window._lessons.attempts, LESSONS["race"]
    window._layout.show_tab("Memory")
    control._tell(lesson, attempt_words(lesson), control._offers(lesson, ()))
    wanted = [back_words(lesson), "Edit the kernel", "Open Totals and hazards"]
    qtbot.waitUntil(lambda: list(offered(window)) == wanted)  # once the line is laid out
    offers: list[NoticeAction] = control._offers(lesson, ())
    assert all(offer.keeps for offer in offers), "the message says what to do in the editor"


@pytest.mark.parametrize("lesson", LESSONS.values(), ids=LESSONS)
def test_that_the_message_of_a_run_is_whole_at_every_size(
    lasting_window: MainWindow, make_result: Callable[..., RunResult], lesson: Lesson
) -> None:
    """Also beside results that are noisy, with and without factors, and beside an earlier message."""
    window = lasting_window
    control = window._lessons.attempts
    bar = part(window, NoticeBar, "noticeBar")
    window._layout.show_tab("Timing")
    noisy = 8.0, 8.0, 20.0, 40.0
    runs = [make_result(kernel, noisy, params=()) for kernel in lesson.attempt.kernels]
    apart = [
        replace(run, timing=replace(run.timing, kernel_samples_ms=np.array(noisy) * (50 - 20 * place)))
        for place, run in enumerate(runs)
    ]
    texts = [attempt_words(lesson, runs), attempt_words(lesson, apart)]
    sequel = lesson.attempt.sequel
    if sequel is not None and sequel.records:
        kernels = lesson.attempt.kernels
        texts += [recorded_words(lesson, sequel, kernels[: number + 1]) for number in range(len(kernels))]
        texts[-1] = recorded_words(lesson, sequel, kernels, recordings(lesson))
    for width, height in SIZES:
        window.resize(width, height)
        for place, text in enumerate(texts):
            bar.clear()
            bar.show_notice(NoticeKind.INFO, "Another message that came before.")
            control._tell(lesson, text, control._offers(lesson, lesson.attempt.kernels[: max(place - 1, 0)]))
            QApplication.sendPostedEvents()
            QApplication.processEvents()
            label = shown(window).findChild(PlainLabel, "noticeText")
            assert label.text().replace("\n", " ") == with_plain_spaces(text)
            assert not shown(window).findChild(QPushButton, "noticeDetailsButton").isVisible()
            assert label.width() <= window.width()
    bar.clear()
