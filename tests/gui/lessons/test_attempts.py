"""What a lesson's last step promises of its run, and what is said beside the result."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from lesson_scenes import LESSONS
from pytestqt.qtbot import QtBot

from gemmviz.backends.registry import NoDeviceError
from gemmviz.catalogue.lessons import Lesson
from gemmviz.catalogue.loader import load_catalogue, load_kernel
from gemmviz.domain.device import DeviceKind
from gemmviz.domain.recordings.hazard import HazardKind
from gemmviz.domain.runs.result import RunResult
from gemmviz.domain.terms import StopReason
from gemmviz.engine.messages import Conditions, Job
from gemmviz.engine.recording import device_for_recording, record
from gemmviz.explain.figures.traffic.traffic import traffic_figure
from gemmviz.gui.lessons.attempt_result import result_words
from gemmviz.gui.lessons.attempt_words import attempt_words
from gemmviz.gui.lessons.scenes.attempt_scene import AttemptScene
from gemmviz.gui.looks.theme import LIGHT
from gemmviz.gui.widgets.plain_label import PlainLabel
from gemmviz.measure.bench import Watch

OF_RECORDINGS = "Traffic page", "Banks", "sectors", "wavefronts", "ecordings show"


@pytest.mark.parametrize("lesson", LESSONS.values(), ids=LESSONS)
def test_that_what_only_a_recording_shows_is_promised_where_recordings_are_offered(lesson: Lesson) -> None:
    words = f"{lesson.attempt.more} {lesson.attempt.after}"
    if lesson.attempt.page != "Memory" and any(each in words for each in OF_RECORDINGS):
        assert lesson.attempt.sequel is not None
        assert lesson.attempt.sequel.records


def test_that_a_lesson_says_that_it_is_done_once_no_question_and_no_exercise_is_left(qtbot: QtBot) -> None:
    scene = AttemptScene(LIGHT)
    qtbot.addWidget(scene)
    said = scene.findChild(PlainLabel, "lessonOpenQuestions")
    *_, before, last = LESSONS.values()
    scene.show_attempt(last, None, (2,))
    assert said.text().startswith("1 question is open")
    scene.show_attempt(last, None)
    only_the_exercise = "is answered. Only this exercise is left. This was the last lesson: well done."
    assert said.text() == f"You have read lesson 8, and its question {only_the_exercise}"
    scene.show_attempt(last, None, is_exercised=True, lessons_left=(3, 6, 7))
    assert said.text() == "✓ Lesson 8 is done. This was the last lesson. Not done yet: lessons 3, 6 and 7."
    scene.show_attempt(before, last, measured="You recorded: mine has hazards.")
    assert said.text().endswith("Only this exercise is left."), "not all that is measured is the exercise"
    scene.show_attempt(before, last, is_exercised=True)
    assert (said.isHidden(), said.text()) == (False, "✓ Lesson 7 is done.")


def test_that_the_kernel_of_the_race_lesson_has_a_race_until_it_is_mended_as_the_note_says(tmp_path: Path) -> None:
    attempt = LESSONS["race"].attempt
    assert "put __syncthreads(); into line 37" in attempt.more
    assert "put __syncthreads(); into line 37" in attempt.after
    text = attempt.file_path.read_text(encoding="utf-8")
    lines = text.split("\n")
    assert lines[36] == "", "nothing that stands there is lost"
    mended = "\n".join([*lines[:36], "__syncthreads();", *lines[37:]])
    found = []
    for name, source in (("broken.cu", text), ("mended.cu", mended)):
        (tmp_path / name).write_text(source, encoding="utf-8")
        kernel = load_kernel(tmp_path / name)
        try:
            device = device_for_recording(kernel)
        except NoDeviceError as error:
            pytest.skip(str(error))
        job = Job(kernel, kernel.params(dict(attempt.params)))
        run = record(job, Conditions(attempt.size), device, [(0, 0, 0)], Watch())
        found.append({hazard.kind for hazard in run.hazards})
    assert HazardKind.RACE in found[0]
    assert found[1] == set()
    assert attempt_words(LESSONS["race"]) == f"This is the recording of lesson 4. {attempt.after}"


def test_that_two_recordings_of_the_coalescing_lesson_differ_on_the_traffic_page() -> None:
    lesson = LESSONS["coalescing"]
    traces = []
    for name in lesson.attempt.kernels:
        kernel = load_catalogue().get(name)
        try:
            device = device_for_recording(kernel)
        except NoDeviceError as error:
            pytest.skip(str(error))
        job = Job(kernel, kernel.params(dict(lesson.attempt.params)))
        traces.append(record(job, Conditions(lesson.attempt.size), device, [(0, 0, 0)], Watch()))
    notes = [row.note for row in traffic_figure(traces).rows]
    assert all("sectors/request" in note for note in notes)
    assert notes[0] != notes[1]


def test_that_beside_the_result_of_a_run_stands_what_to_know_of_it() -> None:
    tree = LESSONS["tree"]
    assert attempt_words(tree) == (
        "This is the run of lesson 6: each kernel is built, then measured until its time is steady, 12 s at most. "
        f"{tree.attempt.after}"
    )
    assert "dot_serial may be faster" in tree.attempt.after


def test_that_the_result_is_said_against_the_first_kernel(make_result: Callable[..., RunResult]) -> None:
    tiled = make_result("tiled", (1.0, 1.0, 1.0))
    naive = make_result("naive", (16.0, 16.0, 16.0), params=())
    assert result_words((tiled, naive), ("naive", "tiled")) == "tiled is 16.0 times as fast as naive"
    assert result_words((tiled, naive), ("tiled", "naive")) == "tiled is 16.0 times as fast as naive"
    three = make_result("register_2d", (16.0, 16.0, 17.0))
    assert result_words((tiled, naive, three), ("naive", "tiled", "register_2d")) == (
        "tiled is 16.0 times as fast as naive, and register_2d and naive are too close to be ranked"
    )
    close = make_result("tiled", (16.0, 16.1, 16.0))
    assert result_words((close, naive, three), ("naive", "tiled", "register_2d")) == (
        "tiled and register_2d are too close to naive to be ranked"
    )


def test_that_the_result_says_as_much_as_the_chart_of_speedups(make_result: Callable[..., RunResult]) -> None:
    """Kernels sampled in turn that are the same by its rule, and times that it marks."""
    ms = tuple(2.0 + 0.0001 * (place % 3) for place in range(96))
    a, b = (make_result(name, ms, sweep=1) for name in ("tiled", "tiled_padded"))
    assert result_words((a, b), ("tiled", "tiled_padded")) == "tiled_padded is as fast as tiled"
    late = make_result("naive", (8.0, 8.0, 8.0), stopped_by=StopReason.TIME_LIMIT)
    assert result_words((a, late), ("naive", "tiled"), with_doubts=True) == (
        "tiled is 4.00 times as fast as naive (naive: time limit reached before the result settled)"
    )
    assert result_words((a, late), ("naive", "tiled")) == "tiled is 4.00 times as fast as naive", "the chart says it"


def test_that_noisy_times_are_called_so(make_result: Callable[..., RunResult]) -> None:
    runs = make_result("naive", (8.0, 8.0, 20.0, 40.0)), make_result("tiled", (1.0, 1.0, 1.0))
    ratio = "tiled is roughly 8.0 to 25 times as fast as naive"
    of_which = f"{ratio} (naive: samples scatter widely, run again)"
    assert result_words(runs, ("naive", "tiled"), with_doubts=True) == of_which
    assert result_words(runs, ("naive", "tiled")) == f"{ratio} (samples scatter widely, run again)", "in the heading"


def test_that_a_kernel_that_is_slower_on_a_cpu_alone_is_explained(make_result: Callable[..., RunResult]) -> None:
    lesson = LESSONS["gpu"]

    def said(register_ms: float, kind: DeviceKind) -> str:
        runs = [make_result(name, (ms,) * 3, params=()) for name, ms in (("tiled", 7.0), ("register_2d", register_ms))]
        runs = [make_result("naive", (350.0,) * 3, params=()), *runs]
        return attempt_words(lesson, [replace(run, device=replace(run.device, kind=kind)) for run in runs])

    why = lesson.attempt.reversal.says if lesson.attempt.reversal is not None else ""
    assert "too few registers" in why
    assert said(13.0, DeviceKind.CPU) == f"{lesson.attempt.seen}. {why} {lesson.attempt.after}"
    assert why not in said(13.0, DeviceKind.GPU)
    assert why not in said(3.0, DeviceKind.CPU)
    assert why not in attempt_words(lesson)


def test_that_there_is_no_result_where_one_kernel_alone_ran(make_result: Callable[..., RunResult]) -> None:
    assert result_words((make_result("tiled"),), ("naive", "tiled")) == ""
    assert result_words((), ("naive", "tiled")) == ""
    assert result_words((make_result("tiled"), make_result("register_1d")), ("naive", "tiled", "register_1d")) == ""


def test_that_beside_a_result_stands_what_was_seen_and_what_to_know(make_result: Callable[..., RunResult]) -> None:
    lesson = LESSONS["tiling"]
    runs = make_result("naive", (8.0, 8.0, 8.0)), make_result("tiled", (2.0, 2.0, 2.0))
    assert attempt_words(lesson, runs) == (
        f"In naive each thread loads for itself, in tiled a block shares its tiles. {lesson.attempt.after}"
    )
