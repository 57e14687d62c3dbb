"""How far a reader has come in a lesson, and the words for it. No Qt."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from gemmviz.catalogue.lessons import Lesson
from gemmviz.domain.figures import counted


@dataclass(frozen=True, slots=True)
class LessonProgress:
    """`step`, from 0, is where the lesson goes on when it is opened. A lesson is read once its last step was shown, and
    done once each of its questions was answered and its exercise was done, too; `open_questions` are the steps whose
    questions are not answered.
    """

    step: int = 0
    is_read: bool = False
    is_done: bool = False
    open_questions: tuple[int, ...] = ()
    is_exercised: bool = False


def progress_in(
    lesson: Lesson, left_at: int, answered: Iterable[int], *, is_read: bool, is_done: bool, is_exercised: bool = False
) -> LessonProgress:
    """The progress of a reader who left the lesson at a step, and answered the questions of some.

    A step that the lesson does not have any more counts as its first. A lesson that is done begins again, one that is
    read goes on at its first open question, else where it was left.
    """
    given = set(answered)
    open_questions = () if is_done else tuple(step for step in lesson.question_steps if step not in given)
    step = left_at if left_at < lesson.step_count and not is_done else 0
    if is_read and open_questions:
        step = open_questions[0]
    return LessonProgress(step, is_read, is_done, open_questions, is_done or is_exercised)


def progress_words(lesson: Lesson, progress: LessonProgress) -> str:
    """ "done", "read, exercise left", "read, 1 of 2 questions answered", "Continue at step 4 of 7" if the lesson was
    left at a step, or "".
    """
    if progress.is_done:
        return "done"
    if progress.is_read:
        asked, left = len(lesson.question_steps), len(progress.open_questions)
        if not left:
            return "read, exercise left"
        return "read, question not answered" if asked == 1 else f"read, {asked - left} of {asked} questions answered"
    return f"Continue at step {progress.step + 1} of {lesson.step_count}" if progress.step else ""


def end_words(
    lesson: Lesson, open_questions: tuple[int, ...], *, is_last: bool = False, is_exercised: bool = False
) -> str:
    """What the last step says of a lesson: that it is done, or what is left: "1 question is open, in step 4. …", the
    exercise, or both. `is_last`: and all other lessons are behind its reader.
    """
    if not open_questions:
        asked = len(lesson.question_steps)
        answered = f", and its {'question is' if asked == 1 else 'questions are'} answered" if asked else ""
        read = f"You have read lesson {lesson.number}{answered}. Only this exercise is left."
        done = f"✓ Lesson {lesson.number} is done." if is_exercised else read
        return f"{done}{' This was the last lesson: well done.' if is_last else ''}"
    *first, last = (str(step + 1) for step in open_questions)
    counted_open = f"{counted(len(open_questions), 'question')} {'are' if first else 'is'} open"
    where = f"in steps {', '.join(first)} and {last}" if first else f"in step {last}"
    once = (
        f"once {'they are' if first else 'it is'} answered{'' if is_exercised else ' and you have done this exercise'}"
    )
    return f"{counted_open}, {where}. The lesson is done {once}."
