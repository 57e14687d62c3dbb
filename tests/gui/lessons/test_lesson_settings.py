"""A lesson's run has the lesson's settings, its charts the lesson's results, and a person gets the own ones back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from driving import part
from lesson_scenes import LESSONS
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from gemmviz.catalogue.gpus import load_gpus
from gemmviz.domain.runs.result import RunResult
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Fill
from gemmviz.gui.editor.examiner import Examiner
from gemmviz.gui.lessons.lesson_page import LessonPage
from gemmviz.gui.window.main_window import MainWindow
from gemmviz.gui.work.experiment import LESSON_BUDGET_S, budget_s_of, with_param


def opened(qtbot: QtBot, window: MainWindow, lesson_id: str) -> LessonPage:
    page = part(window, LessonPage, "lessonPage")
    window.open_lesson(lesson_id)
    qtbot.waitUntil(lambda: page.lesson == LESSONS[lesson_id])
    return page


def run(qtbot: QtBot, window: MainWindow, lesson_id: str) -> None:
    """Start the run of a lesson's last step, as its button does; the device is not asked."""
    page = opened(qtbot, window, lesson_id)
    page.go(page.steps)
    part(window, QPushButton, "lessonRun").click()


def charted(window: MainWindow) -> list[str]:
    """The kernels that the charts of times compare."""
    return [each.spec.kernel for each in window._parts.pages.charted(window.document.session, ()).runs]


def test_that_a_lessons_run_has_its_own_settings_and_a_person_gets_the_others_back(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Examiner, "examine", lambda *_: None)  # only what is set up is of interest
    window._start.run_chosen = lambda: None  # type: ignore[method-assign]
    mine = tmp_path / "mine.cu"
    mine.write_bytes(LESSONS["race"].attempt.file_path.read_bytes())
    set_up = window._set_up
    assert window._editor.open(mine)
    qtbot.waitUntil(lambda: set_up.kernel.id == "mine")
    set_up.set_kernel("tiled")
    own = with_param(set_up.experiment, set_up.catalogue.get("tiled"), "TILE", 8)
    own = replace(own, shape=Shape(65, 33, 17), fill=Fill.COUNTING, seed=7, is_quick=False, target=load_gpus()[0].id)
    set_up.set_experiment(own)
    run(qtbot, window, "tiling")
    of_lesson = set_up.experiment
    assert dict(of_lesson.params_of(set_up.catalogue.get("tiled"))) == {"TILE": 16}
    assert dict(of_lesson.params_of(set_up.catalogue.get("naive"))) == {"THREAD": 16}
    assert of_lesson.shape == Shape(512, 512, 512)
    assert (of_lesson.fill, of_lesson.target) == (LESSONS["tiling"].attempt.fill, "")
    assert budget_s_of(of_lesson) == LESSON_BUDGET_S
    assert of_lesson.seed != 7
    assert window._editor.path is None, "the source of the kernel that runs is shown, not a file of before"
    assert set_up.as_table()["size"] == "65x33x17", "settings keep what the person has set up"
    assert window._keep_settings() == ""
    kept = window._memory.experiment(set_up.catalogue, ())
    assert kept.shape == own.shape, "so that the next start has it, too"
    run(qtbot, window, "gpu")
    assert dict(set_up.experiment.params_of(set_up.catalogue.get("tiled"))) == {"TILE": 16}
    page = opened(qtbot, window, "tiling")
    assert set_up.experiment == own
    page.left.emit()
    assert set_up.experiment == own
    run(qtbot, window, "tiling")
    changed = replace(set_up.experiment, shape=Shape(64, 64, 64))
    set_up.set_experiment(changed)
    opened(qtbot, window, "coalescing")
    assert set_up.experiment == changed, "what a person has changed since is the own one now"


def test_that_the_charts_of_a_lesson_compare_no_run_of_another(
    qtbot: QtBot, window: MainWindow, make_result: Callable[..., RunResult]
) -> None:
    window._start.run_chosen = lambda: None  # type: ignore[method-assign]
    run(qtbot, window, "tiling")
    for kernel in ("naive", "tiled"):
        window.document.add_run(make_result(kernel), 0.0)
    assert charted(window) == ["naive", "tiled"]
    run(qtbot, window, "coalescing")
    assert charted(window) == []
    window.document.add_run(make_result("naive_uncoalesced"), 0.0)
    assert charted(window) == ["naive_uncoalesced"]
    assert len(window.document.session.runs) == 3, "nothing is lost"
    run(qtbot, window, "tiling")
    assert charted(window) == ["naive", "tiled"], "what a lesson ran before is its own"
    opened(qtbot, window, "registers").left.emit()
    assert charted(window) == ["naive", "tiled", "naive_uncoalesced"]
