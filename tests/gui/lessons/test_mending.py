"""When a reader has mended the kernel of a lesson: what its newest recording, or the editor's examination, found."""

from __future__ import annotations

from dataclasses import replace

import pytest
from lesson_scenes import LESSONS

from gemmviz.domain.kernels.kernel_version import Check, KernelVersion
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.runs.result import Session
from gemmviz.domain.shape import Shape
from gemmviz.gui.files.edits import NO_DEVICE
from gemmviz.gui.lessons.attempt_words import attempt_head, mended_words, not_recorded_words
from gemmviz.gui.lessons.lesson_data import read_lesson_data
from gemmviz.gui.lessons.mending import achieved_words, is_mended

TRACES = read_lesson_data(LESSONS["race"]).traces


def of_mine(name: str) -> TraceRun:
    """A recording of the lesson as one of a reader's own kernel."""
    trace = TRACES[name]
    return replace(trace, spec=replace(trace.spec, kernel="mine"))


def session(*traces: TraceRun, versions: tuple[KernelVersion, ...] = ()) -> Session:
    return Session("2026-01-01T00:00:00+00:00", "0", NO_DEVICE, 0.0, (), (), traces, versions=versions)


def test_that_a_kernel_is_mended_once_its_newest_recording_has_no_hazard() -> None:
    broken, fixed = of_mine("broken"), of_mine("fixed")
    assert not is_mended(session(), "mine")
    assert not is_mended(session(broken), "mine")
    assert is_mended(session(broken, fixed), "mine")
    assert not is_mended(session(fixed, broken), "mine")
    assert not is_mended(session(broken, TRACES["fixed"]), "mine"), "another kernel's recording says nothing of it"
    assert not is_mended(session(fixed), "mine", before=(fixed,)), "one of an earlier copy does not count"


@pytest.mark.parametrize("passed", [True, False])
def test_that_a_kernel_whose_checked_result_is_wrong_is_not_mended(passed: bool) -> None:
    fixed = of_mine("fixed")
    version = KernelVersion(
        "mine", 1, "mine.cu", fixed.source_text, fixed.finished, check=Check(Shape(64, 64, 64), passed, 0.0, 64.0, 0)
    )
    assert is_mended(session(fixed, versions=(version,)), "mine") is passed


def test_that_a_recording_is_spoken_of_only_once_it_is_there() -> None:
    race = LESSONS["race"]
    assert attempt_head(race, is_over=False) == "Recording the kernel of lesson 4 …"
    assert not_recorded_words(race) == "The kernel of lesson 4 was not recorded. Press Record to record it."
    assert mended_words(race, "mine") == (
        "Well done: the race is gone, and mine has no hazard any more. The exercise of lesson 4 is done."
    )


def test_that_a_reader_who_mended_a_kernel_is_told_what_was_found_before_and_now() -> None:
    broken, fixed = of_mine("broken"), of_mine("fixed")
    faults = sum(hazard.count for hazard in broken.hazards)
    said = achieved_words(session(broken, fixed), "mine")
    assert said.startswith(f"You mended mine. Before: {faults} accesses at fault (race on line 39")
    assert said.endswith("Now: no hazard.")
    assert achieved_words(session(fixed), "mine") == "", "nothing was wrong before"


def test_that_the_right_result_of_a_mended_kernel_is_told() -> None:
    broken, fixed = of_mine("broken"), of_mine("fixed")
    check = Check(Shape(64, 64, 64), True, 0.0, 64.0, 0)
    version = KernelVersion("mine", 1, "mine.cu", fixed.source_text, fixed.finished, check=check)
    said = achieved_words(session(broken, fixed, versions=(version,)), "mine")
    assert said.endswith("Now: no hazard, and its result is right.")
