"""What a lesson's last step promises of its run, and what is said beside the result."""

from __future__ import annotations

import pytest
from lesson_scenes import LESSONS

from gemmviz.backends.registry import NoDeviceError
from gemmviz.catalogue.lessons import Lesson
from gemmviz.catalogue.loader import load_catalogue
from gemmviz.engine.messages import Conditions, Job
from gemmviz.engine.recording import device_for_recording, record
from gemmviz.gui.charts.traffic_figure import traffic_figure
from gemmviz.gui.lessons.lesson_control import attempt_words
from gemmviz.measure.bench import Watch

OF_RECORDINGS = "Traffic page", "Totals and hazards", "sectors", "wavefronts"


@pytest.mark.parametrize("lesson", LESSONS.values(), ids=LESSONS)
def test_that_what_only_a_recording_shows_is_promised_with_the_button_that_records(lesson: Lesson) -> None:
    words = f"{lesson.attempt.more} {lesson.attempt.note}"
    if lesson.attempt.page != "Memory" and any(each in words for each in OF_RECORDINGS):
        assert "press Record" in words
        assert "record it, too" in words or len(lesson.attempt.kernels) == 1


def test_that_the_recording_of_the_race_lesson_has_no_race_as_its_note_says() -> None:
    lesson = LESSONS["race"]
    kernel = load_catalogue().get(lesson.attempt.kernels[0])
    try:
        device = device_for_recording(kernel)
    except NoDeviceError as error:
        pytest.skip(str(error))
    job = Job(kernel, kernel.params(dict(lesson.attempt.params)))
    run = record(job, Conditions(lesson.attempt.size), device, [(0, 0, 0)], Watch())
    assert run.hazards == ()
    assert attempt_words(lesson) == f"This is the recording of lesson 4. {lesson.attempt.note}"
    assert lesson.attempt.note.endswith("lists no race.")


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
    assert attempt_words(tree) == f"This is the run of lesson 6, in quick mode. {tree.attempt.note}"
    assert "dot_serial may be faster" in tree.attempt.note
