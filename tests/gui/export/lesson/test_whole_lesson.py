"""A whole lesson: one handout, and a picture of each step."""

from __future__ import annotations

from pathlib import Path

import pytest
from lesson_scenes import data_of
from pypdf import PdfReader

from gemmviz.gui.export.choice import ExportChoice
from gemmviz.gui.export.items import of_lesson, targets_of
from gemmviz.gui.export.lesson.whole_lesson import lesson_items, whole_lesson_steps
from gemmviz.gui.looks.theme import LIGHT, ThemeChoice

pytestmark = [pytest.mark.qt_log_ignore("This plugin does not support"), pytest.mark.usefixtures("qapp")]


def test_that_a_whole_lesson_is_written_step_by_step_in_one_go(tmp_path: Path) -> None:
    lesson, data = data_of("tree")
    choice = ExportChoice(lesson_items(lesson), ("png",), 1, (320, 180), ThemeChoice.LIGHT, tmp_path)
    stills = [f"lesson_{lesson.number}_step_{step}.png" for step in range(1, lesson.step_count + 1)]
    handout = f"lesson_{lesson.number}.pdf"
    assert set(of_lesson(choice)) == {handout, *stills}, "a handout is a PDF whatever format pictures have"
    assert set(targets_of(data.empty, choice)) == {tmp_path / name for name in (handout, *stills)}
    made = list(whole_lesson_steps(data, choice, LIGHT, may_replace=False))
    assert [step.path.name for step in made if step.path is not None] == [handout, *stills]
    assert len(made) > 2 * lesson.step_count, "it can be stopped between its steps"
    said = " ".join(" ".join(page.extract_text() for page in PdfReader(tmp_path / handout).pages).split())
    places = [said.index(step.text) for step in lesson.steps]
    assert places == sorted(places), "one after the other"
    assert lesson.attempt.text in said
    assert said.count("Sources") == said.count("Terms") == 1


def test_that_a_lesson_that_is_given_up_leaves_whole_files_only(tmp_path: Path) -> None:
    lesson, data = data_of("tree")
    choice = ExportChoice(lesson_items(lesson)[1:], ("pdf",), 1, (320, 180), ThemeChoice.LIGHT, tmp_path)
    steps = whole_lesson_steps(data, choice, LIGHT, may_replace=False)
    while next(steps).path is None:
        pass
    steps.close()
    assert [path.name for path in tmp_path.iterdir()] == [f"lesson_{lesson.number}_step_1.pdf"]
