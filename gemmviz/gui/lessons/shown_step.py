"""A step of a lesson as a page shows it, so that another page can show the same."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from gemmviz.catalogue.lesson_scenes import Scene
from gemmviz.catalogue.lessons import Lesson
from gemmviz.explain.requests.what_if import NewLayout
from gemmviz.gui.lessons.lesson_data import LessonData
from gemmviz.gui.lessons.progress import NO_PROGRESS, LessonProgress


@dataclass(frozen=True, slots=True)
class RunHere:
    """Whether the run of a lesson goes on a GPU here, and about how long all of it takes, "" where nobody knows."""

    is_on_gpu: bool = False
    time: str = ""


ANYWHERE = RunHere()
"""That of a lesson whose run was not looked into."""


@dataclass(frozen=True, slots=True)
class LessonEnd:
    """What the last step of a lesson knows besides the lesson: the one that follows, the sentence with what the reader
    has `measured`, "" for nothing, and the numbers of the lessons that are not done.
    """

    following: Lesson | None = None
    measured: str = ""
    lessons_left: tuple[int, ...] = ()


NO_END = LessonEnd()
"""That of a lesson that is read alone."""


def _runs_anywhere(_: Lesson) -> RunHere:
    return ANYWHERE


@dataclass(frozen=True, slots=True, eq=False)
class ShownStep:
    """A `step` of a lesson, from 0, with the answers given before. `run_here` says on what its exercise would run, and
    `layout` is the one that a reader has tried on the banks of the step; None where there are none.
    """

    data: LessonData
    step: int
    progress: LessonProgress = NO_PROGRESS
    end: LessonEnd = NO_END
    run_here: Callable[[Lesson], RunHere] = _runs_anywhere
    layout: NewLayout | None = None

    @property
    def is_answered(self) -> bool:
        """Whether the question of the step was answered."""
        return self.step in self.progress.answered

    @property
    def scene(self) -> Scene | None:
        """What the step shows, with its answer where that was given; None at the end of the lesson."""
        lesson = self.data.lesson
        if self.step >= len(lesson.steps):
            return None
        answer = lesson.steps[self.step].answer_scene if self.is_answered else None
        return answer or lesson.scene_at(self.step)
