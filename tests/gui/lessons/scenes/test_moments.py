"""Scenes of lessons at any moment: those of playing, without waiting for them."""

from __future__ import annotations

from itertools import pairwise

import pytest
from lesson_scenes import data_of
from pytestqt.qtbot import QtBot

from gemmviz.gui.lessons.scene_stack import SceneStack
from gemmviz.gui.lessons.scenes.loops_scene import FIRST, done_at_ticks
from gemmviz.gui.lessons.scenes.scene import LessonScene, SceneMoment
from gemmviz.gui.lessons.scenes.step_scene import show_scene
from gemmviz.gui.looks.theme import LIGHT


@pytest.fixture
def stack(qtbot: QtBot) -> SceneStack:
    made = SceneStack(LIGHT)
    qtbot.addWidget(made)
    made.keep_still()
    made.resize(900, 500)
    return made


def scene_of(stack: SceneStack, lesson: str, step: int) -> LessonScene:
    show_scene(data_of(lesson)[0].scene_at(step), data_of(lesson)[1], stack.use)
    assert stack.front is not None
    return stack.front


@pytest.mark.parametrize(
    ("lesson", "step"), [("tiling", 4), ("bank-conflicts", 1), ("gpu", 0), ("gpu", 11), ("cpu", 2), ("race", 4)]
)
def test_that_every_scene_that_plays_comes_to_each_of_its_moments(stack: SceneStack, lesson: str, step: int) -> None:
    """Two recordings in step, a request, warps, tensor cores, CPU loops, and a race that is to be mended."""
    scene = scene_of(stack, lesson, step)
    assert scene.can_play
    assert scene.seconds > 0.0
    moments = [scene.moment_at(scene.seconds * part / 8) for part in range(9)]
    assert all(one.place <= other.place for one, other in pairwise(moments))
    assert len({each.place for each in moments}) > 2
    scene.show_moment(moments[0])
    first = scene.grab().toImage()
    scene.show_moment(moments[-1])
    assert not scene.is_playing
    assert scene.has_ended
    assert scene.moment == SceneMoment(moments[-1].place)
    last = scene.grab().toImage()
    assert last != first
    scene.show_moment(moments[4])
    assert scene.moment.place == moments[4].place
    assert scene.grab().toImage() not in (first, last)
    scene.stop()


def test_that_a_walk_begins_with_single_accesses_and_ends_with_all() -> None:
    done = done_at_ticks(4096)
    assert done[:FIRST] == tuple(range(1, FIRST + 1))
    assert done[-1] == 4096
    steps = [after - before for before, after in pairwise(done)]
    assert steps[:-1] == sorted(steps[:-1]), "ever faster"


def test_that_a_step_that_waits_for_the_reader_is_about_its_beginning(stack: SceneStack) -> None:
    scene = scene_of(stack, "tiling", 0)
    assert scene.rest == SceneMoment(0)
    scene.stop()
