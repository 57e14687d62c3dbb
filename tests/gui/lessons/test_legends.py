"""What the legends of the lessons' pictures name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest

from gemmviz.catalogue.lesson_scenes import Pictures
from gemmviz.catalogue.lessons import Lesson, LessonStep, load_lessons
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.gui.export.film_source import film_source_of
from gemmviz.gui.lessons.lesson_data import read_lesson_data
from gemmviz.gui.lessons.scenes.pictures_scene import spoken_of
from gemmviz.gui.memory_view.composer import Composer
from gemmviz.gui.memory_view.paint.painted import legend_of
from gemmviz.trace.frames.plan import FrameMode

LESSONS = load_lessons()
MOST = 9
"""Entries that a reader can take in beside a text."""
MOST_FRAMES = 12
UNCOMMON = "stale", "padding", "zero", "computed"
"""Words of a legend that no one guesses."""
PICTURES = [
    (lesson, step)
    for lesson in LESSONS
    for step in lesson.steps
    if isinstance(step.scene, Pictures) and step.scene.plays
]


def legends(wanted: Pictures, run: TraceRun) -> Iterator[set[str]]:
    """The words of the legend of some of the frames of a picture."""
    source = film_source_of(run, mode=FrameMode(wanted.mode))
    composer = Composer()
    composer.is_in_lesson = composer.is_single = True
    composer.show(source.run, source.block, source.frames, source.analysis)
    composer.use_values(source.a, source.b, source.c)
    composer.spoken_of, composer.thread = spoken_of(wanted), wanted.thread
    count = len(source.frames)
    for index in range(0, count, -(-count // MOST_FRAMES)):
        composer.show_frame(source.frames.frame(index))
        scene = composer.scene()
        assert scene is not None
        yield {entry.words for entry in legend_of(scene)}


@pytest.mark.parametrize(("lesson", "step"), PICTURES, ids=[f"{a.id}-{a.steps.index(b) + 1}" for a, b in PICTURES])
def test_that_a_legend_is_short_and_its_uncommon_words_are_in_the_text(lesson: Lesson, step: LessonStep) -> None:
    assert isinstance(step.scene, Pictures)
    said = f"{step.text} {step.more}"
    for run in read_lesson_data(lesson).recordings(step.scene):
        for words in legends(step.scene, run):
            assert len(words) <= MOST, words
            if step.scene.legend:
                assert not [word for word in UNCOMMON if word in words and not re.search(rf"\b{word}\b", said)]
                named = {word.partition(":")[0].split(" ")[0] for word in words}
                assert named <= {word.split(" ")[0] for word in (*step.scene.legend, "example", "thread")}


@pytest.mark.parametrize(("lesson", "step"), PICTURES, ids=[f"{a.id}-{a.steps.index(b) + 1}" for a, b in PICTURES])
def test_that_a_legend_names_the_frames_and_areas_that_are_painted_in_any_case(
    lesson: Lesson, step: LessonStep
) -> None:
    """The frame of the thread that is followed, and the block."""
    assert isinstance(step.scene, Pictures)
    everything = replace(step.scene, legend=())
    for run in read_lesson_data(lesson).recordings(step.scene):
        for named, painted in zip(legends(step.scene, run), legends(everything, run), strict=True):
            assert not {word for word in painted - named if "thread" in word or word == "block"}
