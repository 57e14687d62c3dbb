"""What is said of a lesson's run while it goes on, beside its result, and of the recordings that follow it. No Qt."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from gemmviz.catalogue.lessons import Lesson, LessonSequel
from gemmviz.domain.listing import listed
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.runs.result import RunResult
from gemmviz.gui.lessons.attempt_result import result_words, reversal_words
from gemmviz.gui.memory.page import MEMORY
from gemmviz.gui.work.experiment import LESSON_BUDGET_S
from gemmviz.trace.counts.totals import Totals
from gemmviz.trace.explain import totals_of


def result_cause(lesson: Lesson) -> str:
    """The cause of the message with what a lesson's work found; each lesson has one of its own."""
    return f"result of lesson {lesson.id}"


def attempt_head(lesson: Lesson, *, is_over: bool = True) -> str:
    """What the page of a lesson's attempt shows, or will show once it `is_over`."""
    if lesson.attempt.page == MEMORY:
        number = lesson.number
        return f"This is the recording of lesson {number}." if is_over else f"Recording the kernel of lesson {number} …"
    head = f"This is the run of lesson {lesson.number}"
    return f"{head}: each kernel is built, then measured until its time is steady, {LESSON_BUDGET_S:g} s at most."


def attempt_words(lesson: Lesson, runs: Sequence[RunResult] = ()) -> str:
    """What was seen in the lesson, and what to know of the result of its attempt that has ended, of the `runs` just
    made: the result itself stands above its chart.
    """
    attempt = lesson.attempt
    result = result_words(runs, attempt.kernels)
    head = f"{attempt.seen}." if result else attempt_head(lesson)
    reversal = reversal_words(runs, attempt.reversal) if result and attempt.reversal is not None else ""
    return " ".join(filter(None, (head, reversal, attempt.after)))


def apart_words(lesson: Lesson) -> str:
    """Why a person's session is closed where the work of a lesson begins."""
    return f"The exercise of lesson {lesson.number} opens a session of its own and closes this one."


def not_started_words(lesson: Lesson, *, records: bool = False) -> str:
    """What to do where something else runs, or nothing can run: another notice says which."""
    button = "Record" if records or lesson.attempt.page == MEMORY else "Run"
    return f"Lesson {lesson.number} is set up, but not started. Press {button} when the device is ready."


def not_recorded_words(lesson: Lesson, kernel: str = "") -> str:
    """What to do where a recording ended and there is nothing to see."""
    return f"{kernel or 'The kernel'} of lesson {lesson.number} was not recorded. Press Record to record it."


def mended_words(lesson: Lesson, kernel: str) -> str:
    """What a reader hears who has mended the kernel of a lesson."""
    mended = f"Well done: the race is gone, and {kernel} has no hazard any more."
    return f"{mended} The exercise of lesson {lesson.number} is done."


def back_words(lesson: Lesson) -> str:
    """What the button says that leads back: another lesson may be open."""
    return f"Back to lesson {lesson.number}"


def recording_words(lesson: Lesson, kernel: str) -> str:
    """What goes on while a kernel is recorded after the run."""
    return f"Recording {kernel} for lesson {lesson.number} …"


def newest_recordings(lesson: Lesson, traces: Sequence[TraceRun], before: Sequence[TraceRun]) -> Mapping[str, TraceRun]:
    """The newest recording of each kernel of the attempt that was made at its size since then, in the order of the
    attempt. `before` are the recordings that were there.
    """
    known = {id(trace) for trace in before}
    new = {each.spec.kernel: each for each in traces if id(each) not in known}
    new = {kernel: each for kernel, each in new.items() if each.spec.shape == lesson.attempt.size}
    return {kernel: new[kernel] for kernel in lesson.attempt.kernels if kernel in new}


def figure_words(sequel: LessonSequel, recordings: Mapping[str, TraceRun]) -> str:
    """The lesson's figure of each recording: "naive 2.00, naive_uncoalesced 8.51 sectors per request"; "" where the
    lesson names none.
    """
    if not sequel.figure:
        return ""
    figures = [f"{kernel} {_figure(sequel.figure, totals_of(trace)):.2f}" for kernel, trace in recordings.items()]
    return f"{', '.join(figures)} {sequel.figure}"


def _figure(name: str, totals: Totals) -> float:
    if name == "sectors per request":
        return totals.sectors_per_request
    return totals.wavefronts / totals.shared_requests if totals.shared_requests else math.nan


def recorded_words(
    lesson: Lesson, sequel: LessonSequel, recorded: Sequence[str], recordings: Mapping[str, TraceRun] | None = None
) -> str:
    """What is recorded by now, and what is left to be, or the figures of the `recordings` and what is seen of them."""
    left = [kernel for kernel in lesson.attempt.kernels if kernel not in recorded]
    verb = "is" if len(recorded) == 1 else "are"
    found = figure_words(sequel, recordings or {}) if recordings and not left else ""
    done = f"Lesson {lesson.number}: {found or f'{listed(recorded)} {verb} recorded'}."
    if left:
        return f"{done} Record {listed(left)} too to compare them."
    return " ".join(filter(None, (done, sequel.because if found else "", sequel.says)))


def next_to_record(lesson: Lesson, recorded: Sequence[str]) -> tuple[str, str]:
    """The kernel that is to be recorded next and what its button says; "" and "" once all are."""
    kernel = next((each for each in lesson.attempt.kernels if each not in recorded), "")
    return kernel, f"Record {kernel}{' too' if recorded else ''}" if kernel else ""
