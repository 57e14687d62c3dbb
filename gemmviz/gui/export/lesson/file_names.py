"""The names of the files that lessons are exported to. No Qt."""

from __future__ import annotations

from collections.abc import Sequence

from gemmviz.catalogue.lessons import Lesson


def step_stem(lesson: Lesson, step: int) -> str:
    """The name of the file of a step, counted from 0, without suffix: "lesson_3_step_2"."""
    return f"lesson_{lesson.number}_step_{step + 1}"


def still_names(lesson: Lesson, forms: Sequence[str]) -> tuple[str, ...]:
    """The pictures of all steps of a lesson in some formats."""
    return tuple(f"{step_stem(lesson, step)}.{form}" for step in range(lesson.step_count) for form in forms)


def handout_name(lesson: Lesson) -> str:
    """The handout of a lesson: "lesson_3.pdf"."""
    return f"lesson_{lesson.number}.pdf"
