"""How far a reader has come in a lesson, and the words for it. No Qt."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from gemmviz.catalogue.lessons import Lesson
from gemmviz.domain.figures import counted


@dataclass(frozen=True, slots=True)
class LessonProgress:
    """`step`, from 0, is where the lesson goes on when it is opened. A lesson is read once its last step was shown, and
    done once each of its questions was answered and its exercise was done, too; `open_questions` are the steps whose
    questions are not answered, `answered` those that show their answers. A lesson that is done asks all of them again.
    """

    step: int = 0
    is_read: bool = False
    is_done: bool = False
    open_questions: tuple[int, ...] = ()
    is_exercised: bool = False
    answered: tuple[int, ...] = ()

    def with_answer(self, step: int) -> LessonProgress:
        """The progress once the question of a step is answered."""
        left = tuple(each for each in self.open_questions if each != step)
        return replace(self, open_questions=left, answered=(*self.answered, step))


NO_PROGRESS = LessonProgress()


def progress_in(
    lesson: Lesson, left_at: int, answered: Iterable[int], *, is_read: bool, is_done: bool, is_exercised: bool = False
) -> LessonProgress:
    """The progress of a reader who left the lesson at a step, and answered the questions of some.

    A step that the lesson does not have any more counts as its first. A lesson that is done begins again, one that was
    left at its end goes on at its first open question, any other where it was left.
    """
    given = set(answered)
    open_questions = () if is_done else tuple(step for step in lesson.question_steps if step not in given)
    step = left_at if left_at < lesson.step_count and not is_done else 0
    if step == lesson.step_count - 1 and open_questions:
        step = open_questions[0]
    shown = () if is_done else tuple(step for step in lesson.question_steps if step in given)
    return LessonProgress(step, is_read, is_done, open_questions, is_done or is_exercised, shown)


def progress_words(lesson: Lesson, progress: LessonProgress) -> str:
    """ "done", "read, exercise left", "read, open question in step 4" or "read, continue at step 4 of 7" where it goes
    on there, else "read, 1 of 2 questions answered"; "Continue at step 4 of 7" if the lesson was left at a step, or "".
    """
    if progress.is_done:
        return "done"
    if progress.is_read:
        asked, left = len(lesson.question_steps), len(progress.open_questions)
        if not left:
            return "read, exercise left"
        if progress.step in progress.open_questions:
            return f"read, open question in step {progress.step + 1}"
        if progress.step:
            return f"read, continue at step {progress.step + 1} of {lesson.step_count}"
        return "read, question not answered" if asked == 1 else f"read, {asked - left} of {asked} questions answered"
    return f"Continue at step {progress.step + 1} of {lesson.step_count}" if progress.step else ""


def end_words(
    lesson: Lesson,
    open_questions: tuple[int, ...],
    *,
    is_last: bool = False,
    is_exercised: bool = False,
    lessons_left: tuple[int, ...] = (),
) -> str:
    """What the last step says of a lesson: that it is done, or what is left: "1 question is open, in step 4. …", the
    exercise, or both. `is_last`: no lesson follows; `lessons_left` are then the numbers of the others that are not
    done.
    """
    if not open_questions:
        asked = len(lesson.question_steps)
        answered = f", and its {'question is' if asked == 1 else 'questions are'} answered" if asked else ""
        read = f"You have read lesson {lesson.number}{answered}. Only this exercise is left."
        done = f"✓ Lesson {lesson.number} is done." if is_exercised else read
        if not is_last:
            return done
        others = f". Not done yet: {_numbered('lesson', lessons_left)}." if lessons_left else ": well done."
        return f"{done} This was the last lesson{others}"
    several = len(open_questions) > 1
    counted_open = f"{counted(len(open_questions), 'question')} {'are' if several else 'is'} open"
    where = f"in {_numbered('step', [step + 1 for step in open_questions])}"
    exercise = "" if is_exercised else " and you have done this exercise"
    once = f"once {'they are' if several else 'it is'} answered{exercise}"
    return f"{counted_open}, {where}. The lesson is done {once}."


def _numbered(noun: str, numbers: Sequence[int]) -> str:
    """ "step 4", "steps 2, 4 and 5"."""
    *first, last = (str(number) for number in numbers)
    return f"{noun}s {', '.join(first)} and {last}" if first else f"{noun} {last}"
