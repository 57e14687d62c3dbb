"""A lesson's last step as an experiment that can be set up and run."""

from __future__ import annotations

from gemmviz.catalogue.lessons import Lesson, LessonAttempt
from gemmviz.catalogue.presets import Preset


def preset_of_attempt(lesson: Lesson, kernels: tuple[str, ...]) -> Preset:
    """A lesson's last step, of these kernels, as something that can be set up and run."""
    attempt: LessonAttempt = lesson.attempt
    return Preset(
        id=lesson.id,
        title=lesson.title,
        shape=attempt.size,
        kernels=kernels,
        params=tuple(attempt.params.items()),
        fill=attempt.fill,
        origin=f"lesson {lesson.number}",
    )
