"""The matrices of an mma instruction in the lesson on GPUs: the frames play, stop, and can be stepped through."""

from __future__ import annotations

import pytest
from lesson_scenes import shown
from pytestqt.qtbot import QtBot

from gemmviz.catalogue.lesson_scenes import Fragments
from gemmviz.gui.lessons.scenes.fragments_scene import FragmentsScene
from gemmviz.gui.lessons.scenes.fragments_view import THREAD, frames
from gemmviz.gui.looks.theme import DARK, LIGHT, Theme
from gemmviz.trace.model.fragments import held_by

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


def scene_of(qtbot: QtBot, theme: Theme = LIGHT) -> FragmentsScene:
    scene = shown(qtbot, FragmentsScene(theme), 1232, 500)
    scene.show_fragments(Fragments("One instruction"))
    return scene


def test_that_the_frames_play_to_the_last_and_begin_again(qtbot: QtBot) -> None:
    scene = scene_of(qtbot)
    assert (scene.is_playing, scene.view.index) == (True, 0)
    scene._timer.setInterval(1)
    qtbot.waitUntil(lambda: not scene.is_playing)
    assert scene.view.index == scene.view.count - 1
    scene.step(-1)
    assert scene.view.index == scene.view.count - 2
    scene.step(9)
    scene.toggle()
    assert (scene.is_playing, scene.view.index) == (True, 0)
    scene.stop()
    assert not scene.is_playing


def test_that_nothing_plays_where_motion_is_reduced(qtbot: QtBot) -> None:
    scene = shown(qtbot, FragmentsScene(LIGHT), 1232, 500)
    scene.set_reduced_motion(True)
    scene.show_fragments(Fragments("One instruction"))
    assert not scene.is_playing


def test_that_a_frame_lights_what_it_speaks_of(qtbot: QtBot) -> None:
    own, terms = frames()[3:5]
    assert own.lit == own.framed == {name: frozenset(held_by(THREAD, name)) for name in "ABC"}
    assert own.says == "Thread 5 holds 4 of A, 2 of B, 4 of C."
    assert {name: len(cells) for name, cells in terms.lit.items()} == {"A": 8, "B": 8, "C": 1}
    assert "4, 6, 7, 8, 9, 10, 11" in terms.says
    scene = scene_of(qtbot, DARK)
    scene.step(3)
    assert scene.view.accessibleDescription() == own.says
    view = scene.view
    picture, area = view.grab().toImage(), view.areas()["C"]
    row, column = held_by(THREAD, "C")[0]
    wide, high = area.width() / 8, area.height() / 16

    def ground(row: int, column: int) -> str:
        place = area.topLeft().toPoint()
        return picture.pixelColor(int(place.x() + column * wide) + 4, int(place.y() + row * high) + 4).name()

    assert ground(row, column) == DARK.c
    assert ground(row + 1, column) != DARK.c
