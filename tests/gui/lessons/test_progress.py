"""How far a reader has come in a lesson: what is left open, where it goes on, and how that is said."""

from __future__ import annotations

from pathlib import Path

import pytest
from lesson_scenes import LESSONS

from gemmviz.gui.lessons.progress import LessonProgress, end_words, progress_in, progress_words
from gemmviz.gui.preferences import Preferences

RACE = LESSONS["race"]


def test_that_a_lesson_with_two_questions_is_done_after_both_and_its_exercise(tmp_path: Path) -> None:
    memory = Preferences(tmp_path)
    repair, question = RACE.question_steps
    assert RACE.steps[repair].repair is not None
    assert RACE.steps[question].question is not None
    memory.answer_question(RACE, question)
    assert memory.lesson_progress(RACE) == LessonProgress(open_questions=(repair,), answered=(question,))
    memory.use_lesson(RACE, RACE.step_count - 1)
    left = memory.lesson_progress(RACE)
    assert left == LessonProgress(repair, is_read=True, open_questions=(repair,), answered=(question,))
    assert progress_words(RACE, left) == f"read, open question in step {repair + 1}"
    for step, words in ((2, f"read, continue at step 3 of {RACE.step_count}"), (0, "read, 1 of 2 questions answered")):
        memory.use_lesson(RACE, step)
        assert memory.lesson_progress(RACE).step == step, "where it was left"
        assert progress_words(RACE, memory.lesson_progress(RACE)) == words
    memory.use_lesson(RACE, RACE.step_count - 1)
    memory.answer_question(RACE, repair)
    assert progress_words(RACE, memory.lesson_progress(RACE)) == "read, exercise left"
    assert memory.lesson_progress(RACE).step == RACE.step_count - 1, "it goes on at what is left"
    memory.finish_exercise(RACE)
    assert progress_words(RACE, memory.lesson_progress(RACE)) == "done"
    memory.use_lesson(RACE, 2)
    assert memory.lesson_progress(RACE) == LessonProgress(is_done=True, is_exercised=True)


def test_that_an_exercise_done_before_the_questions_does_not_finish_a_lesson(tmp_path: Path) -> None:
    memory = Preferences(tmp_path)
    memory.finish_exercise(RACE)
    memory.use_lesson(RACE, RACE.step_count - 1)
    found = memory.lesson_progress(RACE)
    assert (found.is_exercised, found.is_done) == (True, False)
    for step in RACE.question_steps:
        memory.answer_question(RACE, step)
    assert memory.lesson_progress(RACE).is_done


def test_that_answers_without_the_last_step_do_not_finish_a_lesson() -> None:
    found = progress_in(RACE, 4, RACE.question_steps, is_read=False, is_done=False)
    assert found == LessonProgress(4, answered=RACE.question_steps)
    assert progress_words(RACE, found) == f"Continue at step 5 of {RACE.step_count}"


def test_that_a_step_that_is_not_there_any_more_is_the_first() -> None:
    assert progress_in(RACE, 99, (), is_read=False, is_done=False).step == 0


@pytest.mark.parametrize(
    ("steps", "words"),
    [
        ((), "You have read lesson 4, and its questions are answered. Only this exercise is left."),
        ((3,), "1 question is open, in step 4. The lesson is done once it is answered{}."),
        ((3, 4), "2 questions are open, in steps 4 and 5. The lesson is done once they are answered{}."),
        ((1, 3, 4), "3 questions are open, in steps 2, 4 and 5. The lesson is done once they are answered{}."),
    ],
)
def test_that_the_last_step_names_what_is_left_or_says_that_the_lesson_is_done(
    steps: tuple[int, ...], words: str
) -> None:
    assert end_words(RACE, steps) == words.format(" and you have done this exercise")
    assert end_words(RACE, steps, is_exercised=True) == (words.format("") if steps else "✓ Lesson 4 is done.")
