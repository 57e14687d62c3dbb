"""How far a reader has come in a lesson, and the words for it. No Qt."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from gemmviz.catalogue.lessons import Lesson
from gemmviz.domain.figures import counted


@dataclass(frozen=True, slots=True)
class LessonProgress:
    """`step`, from 0, is where the lesson goes on when it is opened. A lesson is seen once its last step was shown, and
    done once each of its questions was answered, too; `open_questions` are the steps whose questions are not.
    """

    step: int = 0
    is_seen: bool = False
    is_done: bool = False
    open_questions: tuple[int, ...] = ()


def progress_in(
    lesson: Lesson, left_at: int, answered: Iterable[int], *, is_seen: bool, is_done: bool
) -> LessonProgress:
    """The progress of a reader who left the lesson at a step, and answered the questions of some.

    A step that the lesson does not have any more counts as its first. A lesson that is done begins again, one that is
    seen goes on at its first open question.
    """
    given = set(answered)
    open_questions = () if is_done else tuple(step for step in lesson.question_steps if step not in given)
    step = left_at if left_at < lesson.step_count and not is_done else 0
    if is_seen and open_questions:
        step = open_questions[0]
    return LessonProgress(step, is_seen, is_done, open_questions)


def progress_words(lesson: Lesson, progress: LessonProgress) -> str:
    """ "done", "seen, 1 of 2 questions answered", "Continue at step 4 of 7" if the lesson was left at a step, or ""."""
    if progress.is_done:
        return "done"
    if progress.is_seen:
        asked = len(lesson.question_steps)
        if asked == 1:
            return "seen, question not answered"
        return f"seen, {asked - len(progress.open_questions)} of {asked} questions answered"
    return f"Continue at step {progress.step + 1} of {lesson.step_count}" if progress.step else ""


def end_words(lesson: Lesson, open_questions: tuple[int, ...], *, is_last: bool = False, has_run: bool = False) -> str:
    """What the last step says of a lesson: "1 question is open, in step 4. …", or that only the exercise is left, or
    not even that, as it `has_run`; `is_last`: and all other lessons are behind its reader.
    """
    if not open_questions:
        asked = len(lesson.question_steps)
        answered = f", and its {'question is' if asked == 1 else 'questions are'} answered" if asked else ""
        read = f"You have read lesson {lesson.number}{answered}. Only this exercise is left."
        done = f"✓ {f'Lesson {lesson.number} is done.' if has_run else read}"
        return f"{done}{' This was the last lesson: well done.' if is_last else ''}"
    *first, last = (str(step + 1) for step in open_questions)
    if not first:
        return f"1 question is open, in step {last}. The lesson is done once it is answered."
    return (
        f"{counted(len(open_questions), 'question')} are open, in steps {', '.join(first)} and {last}. "
        "The lesson is done once they are answered."
    )
