"""What "Export more" offers while a lesson is shown: what its step shows, and not the session behind it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from driving import act, part
from PySide6.QtWidgets import QCheckBox, QLabel, QLineEdit
from pytestqt.qtbot import QtBot

from gemmviz.catalogue.lesson_scenes import Banks, LessonChart, Pictures
from gemmviz.catalogue.lessons import load_lessons
from gemmviz.domain.runs.result import Session
from gemmviz.domain.session.session import save_session
from gemmviz.gui.export.choice import FORMATS
from gemmviz.gui.export.dialog import ExportDialog
from gemmviz.gui.export.film.runner import FilmRunner
from gemmviz.gui.export.film.step_choice import StepFilmChoice
from gemmviz.gui.lessons.lesson_page import LessonPage
from gemmviz.gui.lessons.scenes.pictures_scene import PicturesScene
from gemmviz.gui.window.main_window import MainWindow


@pytest.fixture
def behind(window: MainWindow, recorded: Session, tmp_path: Path, qtbot: QtBot) -> MainWindow:
    """A window with a session that has a recording of its own."""
    save_session(recorded, tmp_path / "s.gemmviz")
    with qtbot.waitSignal(window.document.opened):
        window.open_path(tmp_path / "s.gemmviz")
    qtbot.waitUntil(lambda: window._player.watched is not None)
    return window


def page_at(window: MainWindow, qtbot: QtBot, lesson: str, step: int) -> LessonPage:
    window.open_lesson(lesson)
    page = part(window, LessonPage, "lessonPage")
    qtbot.waitUntil(lambda: page.lesson is not None and page.lesson.id == lesson)
    page.go(step)
    return page


def ask(window: MainWindow) -> ExportDialog:
    act(window, "exportAction")
    return window.findChildren(ExportDialog)[-1]


def ticks(dialog: ExportDialog) -> dict[str, bool]:
    """The names of what is offered, and whether each is ticked."""
    found = dialog.findChildren(QCheckBox)
    begin = "exportItem_"
    return {
        tick.objectName().removeprefix(begin): tick.isChecked() for tick in found if tick.objectName().startswith(begin)
    }


def step_with(lesson: str, kind: type[Pictures] | type[LessonChart] | type[Banks]) -> tuple[int, object]:
    steps = next(each for each in load_lessons() if each.id == lesson).steps
    return next((place, step.scene) for place, step in enumerate(steps) if isinstance(step.scene, kind))


def test_that_the_recordings_of_the_step_are_offered_and_written(
    behind: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    step, scene = step_with("tiling", Pictures)
    assert isinstance(scene, Pictures)
    page = page_at(behind, qtbot, "tiling", step)
    assert page.contents is not None
    kernels = [trace.spec.kernel for trace in page.contents.traces]
    assert len(kernels) == len(scene.show)
    shown = page.scene
    assert isinstance(shown, PicturesScene)
    qtbot.waitUntil(lambda: shown.player.facts is not None)
    dialog = ask(behind)
    about = dialog.findChild(QLabel, "exportAbout")
    assert about.isVisible()
    assert f"step {step + 1} of {page.steps} of the lesson “{page.lesson.title}”" in about.text()
    offered = ticks(dialog)
    assert [name for name, is_ticked in offered.items() if is_ticked] == ["step"]
    assert set(offered) == {"step", "recordings", "handout", "stills", "window"}, "no chart that the step does not show"
    dialog.findChild(QLineEdit, "exportFolder").setText(str(tmp_path / "out"))
    dialog.export_asked.emit(dialog.choice())
    written = dialog.findChild(QLabel, "exportMessage")
    qtbot.waitUntil(lambda: written.text().startswith("Wrote 1 file"))
    assert [file.name for file in (tmp_path / "out").iterdir()] == [f"lesson_1_step_{step + 1}.png"]


def test_that_a_request_of_a_step_has_every_form_that_it_has_elsewhere(
    behind: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    step, _ = step_with("bank-conflicts", Banks)
    page = page_at(behind, qtbot, "bank-conflicts", step)
    scene = page.scene
    assert scene is not None
    qtbot.waitUntil(lambda: scene.seconds > 0)
    dialog = ask(behind)
    assert "traffic" not in ticks(dialog)
    for name, is_wanted in (("exportItem_step", False), ("exportItem_request", True)):
        dialog.findChild(QCheckBox, name).setChecked(is_wanted)
    for form in ("Png", "Svg", "Pdf", "Csv"):
        dialog.findChild(QCheckBox, f"export{form}").setChecked(True)
    dialog.findChild(QLineEdit, "exportFolder").setText(str(tmp_path / "out"))
    dialog.export_asked.emit(dialog.choice())
    written = dialog.findChild(QLabel, "exportMessage")
    qtbot.waitUntil(lambda: written.text().startswith("Wrote 4 files"))
    assert {file.name for file in (tmp_path / "out").iterdir()} == {f"request.{form}" for form in FORMATS}
    head, *rows = (tmp_path / "out" / "request.csv").read_text(encoding="utf-8").split()
    assert (head, len(rows)) == ("wavefront,bank,word_address,lane,element", 32)


def test_that_a_step_whose_picture_no_recording_is_becomes_a_film(
    behind: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    page_at(behind, qtbot, "cpu", 2)
    dialog = ask(behind)
    dialog.findChild(QCheckBox, "exportGif").setChecked(True)
    choice = dialog.choice()
    assert isinstance(choice.film, StepFilmChoice)
    small = replace(choice.film, fps=1, speed=4.0, size=(640, 360))
    dialog.export_asked.emit(replace(choice, items=(), folder=tmp_path / "out", film=small))
    film = behind.findChild(FilmRunner)
    qtbot.waitUntil(lambda: not film.busy and (tmp_path / "out").exists())
    assert [file.name for file in (tmp_path / "out").iterdir()] == ["lesson_8_step_3.gif"]


def test_that_the_chart_of_the_step_is_offered_with_its_runs_alone(behind: MainWindow, qtbot: QtBot) -> None:
    lesson = next(
        lesson.id
        for lesson in load_lessons()
        if any(isinstance(step.scene, LessonChart) and step.scene.view == "rate" for step in lesson.steps)
    )
    step, scene = step_with(lesson, LessonChart)
    assert isinstance(scene, LessonChart)
    page = page_at(behind, qtbot, lesson, step)
    assert page.contents is not None
    assert [run.spec.kernel for run in page.contents.runs] == list(scene.kernels)
    assert page.contents.traces == ()
    offered = ticks(ask(behind))
    assert [name for name, is_ticked in offered.items() if is_ticked] == ["step"]
    assert "rate" in offered
    assert "memory" not in offered


def test_that_a_step_without_recording_says_so(behind: MainWindow, qtbot: QtBot) -> None:
    steps = next(each for each in load_lessons() if each.id == "tiling").step_count
    page_at(behind, qtbot, "tiling", steps - 1)
    dialog = ask(behind)
    assert ticks(dialog) == {"step": True, "handout": False, "stills": False, "window": False}
    assert dialog.findChild(QLabel, "exportAbout").text().startswith("No recording and no measurement is shown in step")


def test_that_outside_lessons_nothing_is_said(behind: MainWindow) -> None:
    dialog = ask(behind)
    assert dialog.findChild(QLabel, "exportAbout").isHidden()
    assert "memory" in ticks(dialog)
