"""A run that has nothing to do with a lesson does not go into the session of lessons."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from driving import press
from pytestqt.qtbot import QtBot

from gemmviz.domain.runs.result import RunResult
from gemmviz.domain.shape import Shape
from gemmviz.gui.files.session_control import OWN_WORK
from gemmviz.gui.widgets.question import Answer, Question
from gemmviz.gui.window.main_window import MainWindow
from gemmviz.gui.work.experiment import Experiment

MakeResult = Callable[..., RunResult]


def set_up(window: MainWindow, kernel: str, shape: Shape) -> None:
    """A small experiment in quick mode."""
    window.set_experiment(Experiment(kernel, shape, budget_s=0.1, is_quick=True))


def test_that_a_run_that_no_lesson_has_begins_a_session_of_its_own(
    qtbot: QtBot, window: MainWindow, make_result: MakeResult, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    monkeypatch.setattr(Question, "ask", lambda *words: (asked.append(words[2]), Answer.DISCARD)[1])
    document, of_lesson = window.document, make_result()
    document.begin_lessons()
    document.add_run(of_lesson, 1.0)
    set_up(window, of_lesson.spec.kernel, of_lesson.spec.shape)
    press(qtbot, window, "runButton")
    assert (asked, document.is_of_lessons, len(document.session.runs)) == ([], True, 2), "the lesson's kernel and size"
    set_up(window, "naive", Shape(16, 16, 16))
    press(qtbot, window, "runButton")
    assert [words.endswith(OWN_WORK) for words in asked] == [True]
    assert not document.is_of_lessons
    assert [run.spec.kernel for run in document.session.runs] == ["naive"]
