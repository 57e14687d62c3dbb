"""What "Export more" offers while a lesson is shown: what its step shows, and not the session behind it."""

from __future__ import annotations

from pathlib import Path

import pytest
from driving import act, part
from PySide6.QtWidgets import QCheckBox, QComboBox, QLabel, QLineEdit
from pytestqt.qtbot import QtBot

from gemmviz.catalogue.lesson_scenes import LessonChart, Pictures
from gemmviz.catalogue.lessons import load_lessons
from gemmviz.domain.runs.result import Session
from gemmviz.domain.session.session import save_session
from gemmviz.gui.export.dialog import ExportDialog
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


def step_with(lesson: str, kind: type[Pictures] | type[LessonChart]) -> tuple[int, Pictures | LessonChart]:
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
    combo = dialog.findChild(QComboBox, "exportRecording")
    assert [combo.itemText(place).split()[0] for place in range(combo.count())] == kernels
    assert combo.currentIndex() == 0, "the first picture, in its frame"
    assert [name for name, is_ticked in ticks(dialog).items() if is_ticked] == ["memory"]
    qtbot.waitUntil(lambda: dialog.film.counted)
    assert dialog.film.still_words.startswith(f"frame {shown.player.index + 1} of ")
    dialog.findChild(QLineEdit, "exportFolder").setText(str(tmp_path / "out"))
    dialog.export_asked.emit(dialog.choice())
    written = dialog.findChild(QLabel, "exportMessage")
    qtbot.waitUntil(lambda: written.text().startswith("Wrote 1 file"))
    assert [file.suffix for file in (tmp_path / "out").iterdir()] == [".png"]
    assert kernels[0] in next((tmp_path / "out").iterdir()).name


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
    assert [name for name, is_ticked in offered.items() if is_ticked] == ["rate"]
    assert "memory" not in offered


def test_that_both_pictures_of_a_step_can_be_had(behind: MainWindow, qtbot: QtBot) -> None:
    lesson = next(each for each in load_lessons() if each.id == "tiling")
    step = next(place for place, each in enumerate(lesson.steps) if each.question is not None)
    page = page_at(behind, qtbot, "tiling", step)
    shown = page.scene
    assert isinstance(shown, PicturesScene)
    qtbot.waitUntil(lambda: shown.player.is_paired)
    dialog = ask(behind)
    qtbot.waitUntil(lambda: dialog.film.counted)
    dialog.film.slide.click()
    qtbot.waitUntil(lambda: dialog.film.counted)
    assert page.contents is not None
    first, second = page.contents.traces
    beside = dialog.film.still().beside
    assert dialog.film.block_name is not None
    assert page.contents.traces[dialog.film.block_name.recording] is first
    assert beside is not None
    assert (beside.run, beside.step) == (second, shown.player.pair_step)


def test_that_a_step_without_recording_says_so(behind: MainWindow, qtbot: QtBot) -> None:
    steps = next(each for each in load_lessons() if each.id == "tiling").step_count
    page_at(behind, qtbot, "tiling", steps - 1)
    dialog = ask(behind)
    assert ticks(dialog) == {"window": False}
    assert dialog.findChild(QLabel, "exportAbout").text().startswith("No recording and no measurement is shown in step")


def test_that_outside_lessons_nothing_is_said(behind: MainWindow) -> None:
    dialog = ask(behind)
    assert dialog.findChild(QLabel, "exportAbout").isHidden()
    assert "memory" in ticks(dialog)
