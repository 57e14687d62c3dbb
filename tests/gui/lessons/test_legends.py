"""What the legends of the lessons' pictures name."""

from __future__ import annotations

from collections.abc import Iterator

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
MOST = 10
"""Entries that a reader can take in beside a text."""
MOST_FRAMES = 12
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
def test_that_a_legend_is_short(lesson: Lesson, step: LessonStep) -> None:
    assert isinstance(step.scene, Pictures)
    for run in read_lesson_data(lesson).recordings(step.scene):
        for words in legends(step.scene, run):
            assert len(words) <= MOST, words


@pytest.mark.parametrize(
    ("lesson", "step", "expected"),
    [
        ("registers", 3, {"stale", "not written"}),
        ("gpu", 9, {"padding", "stale"}),
        ("race", 3, {"its other accesses", "hazard"}),
    ],
)
def test_that_a_legend_names_what_is_painted_also_where_the_text_is_about_something_else(
    lesson: str, step: int, expected: set[str]
) -> None:
    told = next(each for each in LESSONS if each.id == lesson)
    wanted = told.steps[step - 1].scene
    assert isinstance(wanted, Pictures)
    found = (legends(wanted, run) for run in read_lesson_data(told).recordings(wanted))
    assert expected <= set().union(*(words for each in found for words in each))
