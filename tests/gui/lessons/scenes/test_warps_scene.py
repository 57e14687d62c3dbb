"""The warps of an SM in the lesson on GPUs: time goes on, stops, and can be stepped through."""

from __future__ import annotations

import pytest
from lesson_scenes import data_of, shown
from PySide6.QtGui import QFontInfo
from pytestqt.qtbot import QtBot

from gemmviz.catalogue.lesson_scenes import Warps
from gemmviz.gui.charts.plot_table import Plot
from gemmviz.gui.lessons.scenes.warps_scene import WarpsScene
from gemmviz.gui.looks.fonts import NORMAL, words
from gemmviz.gui.looks.theme import LIGHT
from gemmviz.gui.widgets.plain_label import PlainLabel

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


def scene_of(qtbot: QtBot, wanted: Warps) -> WarpsScene:
    _, data = data_of("gpu")
    scene = shown(qtbot, WarpsScene(LIGHT), 1232, 500)
    scene.show_warps(wanted, data)
    return scene


def test_that_time_goes_from_the_first_cycle_to_the_last_and_begins_again(qtbot: QtBot) -> None:
    scene = scene_of(qtbot, Warps("gpu-waves", ("tiled",), (1,), "One block", cycles=(270, 3635)))
    assert scene.is_playing
    assert scene.view.span == (270, 3635)
    qtbot.waitUntil(lambda: scene.view.until > 270)
    scene.toggle()
    assert not scene.is_playing
    scene.step(10_000)
    assert scene.view.until == 3635
    scene.step(-1)
    assert 270 < scene.view.until < 3635
    scene.step(1)
    scene.toggle()
    assert scene.is_playing
    assert scene.view.until == 270
    scene.stop()
    assert not scene.is_playing


def test_that_all_is_shown_at_once_where_motion_is_reduced(qtbot: QtBot) -> None:
    _, data = data_of("gpu")
    scene = shown(qtbot, WarpsScene(LIGHT), 1232, 500)
    scene.set_reduced_motion(True)
    scene.show_warps(Warps("gpu-waves", ("tiled",), (1, 8), "Two"), data)
    assert (scene.is_playing, scene.view.until) == (False, 12_000)
    assert len(scene.view.panels_in_sight) == 2


def test_that_the_scene_says_where_and_by_which_clock_it_was_measured(qtbot: QtBot) -> None:
    scene = scene_of(qtbot, Warps("gpu-waves", ("tiled",), (1,), "One block", plays=False))
    said = scene.findChild(PlainLabel, "lessonWarpsSubtitle").text()
    for part in ("2048×2048×2048", "NVIDIA H200", "2026-11-28", "by the clock of SM 0"):
        assert part in said


def test_that_the_lesson_shows_one_warp_then_few_and_many_then_loads_first_and_ahead() -> None:
    lesson, data = data_of("gpu")
    scenes = [step.warps for step in lesson.steps if step.warps is not None]
    assert [(scene.blocks, scene.rows) for scene in scenes] == [((1,), 1), ((1,), 0), ((1, 8), 0), ((1,), 0)]
    exported, ahead = data.session_of(scenes[2]), data.session_of(scenes[3])
    assert exported is not None
    assert ahead is not None
    assert [one.rows for one in exported.warp_timelines] == [8, 64]
    assert [one.spec.kernel for one in ahead.warp_timelines] == ["warp_tiled", "double_buffered"]
    assert list(Plot.WARPS.spec.pictures(exported))


def test_that_words_in_the_picture_have_twenty_pixels_on_a_whole_screen(qtbot: QtBot) -> None:
    del qtbot
    assert QFontInfo(words(NORMAL * 1.55)).pixelSize() >= 20
