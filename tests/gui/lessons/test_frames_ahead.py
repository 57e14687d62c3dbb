"""The frames of the steps beside the one that is read."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest
from pytestqt.qtbot import QtBot

from gemmviz.catalogue.lesson_scenes import Pictures, Repair
from gemmviz.catalogue.lessons import Lesson, load_lessons
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.gui.lessons.frames_ahead import FramesAhead
from gemmviz.gui.lessons.lesson_data import LessonData, read_lesson_data
from gemmviz.gui.lessons.lesson_page import LessonPage
from gemmviz.gui.lessons.scenes.pictures_scene import PicturesScene
from gemmviz.gui.lessons.scenes.repair_scene import RepairScene
from gemmviz.gui.looks.theme import LIGHT
from gemmviz.gui.memory.playing import prepared
from gemmviz.gui.memory.playing.prepared import Preparation, PreparedPicture
from gemmviz.trace.frames.plan import FrameMode

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")
LESSONS = {lesson.id: lesson for lesson in load_lessons()}
Made = list[tuple[TraceRun, FrameMode, int]]


def data_of(lesson_id: str) -> tuple[Lesson, LessonData]:
    return LESSONS[lesson_id], read_lesson_data(LESSONS[lesson_id])


@pytest.fixture
def page(qtbot: QtBot) -> LessonPage:
    page = LessonPage(LIGHT)
    qtbot.addWidget(page)
    page.resize(1200, 700)
    page.show()
    return page


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> Made:
    """What was made, in its order."""
    found: Made = []
    make: Callable[[TraceRun, FrameMode, int], PreparedPicture] = prepared._prepare

    def note(run: TraceRun, mode: FrameMode, start: int) -> PreparedPicture:
        found.append((run, mode, start))
        return make(run, mode, start)

    monkeypatch.setattr(prepared, "_prepare", note)
    return found


def test_that_the_next_step_and_the_one_before_show_a_frame_at_once(qtbot: QtBot, page: LessonPage) -> None:
    lesson, data = data_of("tiling")
    page.show_lesson(data, step=4)
    qtbot.waitUntil(lambda: len(page._ahead.prepared) == 6)  # two pictures in each of three steps
    for step in (5, 4, 3):
        qtbot.waitUntil(lambda: len(page._ahead.prepared) == len(page._ahead._kept))
        page.go(step)
        assert isinstance(page.scene, PicturesScene)
        scenes = [pane.view.picture_state() for pane in page.scene.panes]
        assert [scene is not None and scene.picture is not None for scene in scenes] == [True, True]
    assert len(lesson.steps) > 5


def test_that_the_step_that_is_read_is_prepared_before_its_neighbours(
    qtbot: QtBot, page: LessonPage, made: Made
) -> None:
    _, data = data_of("tiling")
    page.show_lesson(data, step=3)
    qtbot.waitUntil(lambda: len(page._ahead.prepared) == 4)  # the step before shows one of the same
    assert {run for run, _, _ in made[:2]} == {data.traces["naive_4"], data.traces["tiled_4"]}
    assert len(made) == len(set(made))  # nothing is made twice


def test_that_only_the_steps_around_are_kept(page: LessonPage) -> None:
    _, data = data_of("tiling")
    page.show_lesson(data)
    for step in range(page.steps - 1):
        page.go(step)
        assert len(page._ahead._kept) <= 6
    page.go(0)
    kept = {preparation.run for _, preparation in page._ahead._kept}
    assert kept == {data.traces["naive_4"]}
    page.stop()
    assert not page._ahead._kept
    assert not page._ahead._background.waiting


def test_that_a_large_recording_is_not_prepared_ahead(
    qtbot: QtBot, page: LessonPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gemmviz.gui.lessons.frames_ahead.MOST_BYTES", 0)
    _, data = data_of("tiling")
    page.show_lesson(data, step=3)
    kept = [preparation.run for _, preparation in page._ahead._kept]
    assert kept == [data.traces["naive_4"], data.traces["tiled_4"]]
    scene = page.scene
    assert isinstance(scene, PicturesScene)
    qtbot.waitUntil(lambda: scene.player.facts is not None)


def test_that_the_mended_program_is_prepared_while_the_broken_one_plays(qtbot: QtBot, page: LessonPage) -> None:
    lesson, data = data_of("race")
    step, repair = next((at, each.repair) for at, each in enumerate(lesson.steps) if each.repair is not None)
    page.show_lesson(data, step=step)
    qtbot.waitUntil(lambda: data.traces[repair.fixed] in {each.run for each in page._ahead.prepared})
    scene = page.scene
    assert isinstance(scene, RepairScene)
    scene.gaps[repair.right].click()
    state = scene.pane.view.picture_state()
    assert state is not None
    assert state.picture is not None
    assert state.run is data.traces[repair.fixed]


def test_that_a_recording_asked_for_by_two_threads_is_made_once(made: Made) -> None:
    _, data = data_of("tiling")
    preparation = Preparation(data.traces["tiled_4"], FrameMode.REQUEST, -1)
    assert preparation.at_hand is None
    threads = [threading.Thread(target=preparation.get) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(made) == 1
    found = preparation.get()
    assert found.first is not None
    assert found.first.index == found.facts.count - 1


def test_that_scenes_of_two_kinds_never_share_frames() -> None:
    _, data = data_of("race")
    ahead, run = FramesAhead(), next(iter(data.traces.values()))
    shown = [ahead.of(kind, 0, run, FrameMode.REQUEST, 0) for kind in (Pictures, Repair, Pictures)]
    assert shown[0] is shown[2] is not shown[1]
