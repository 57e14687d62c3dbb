"""How large the scenes of lessons are: on a large page, and on the whole screen."""

from __future__ import annotations

import pytest
from lesson_scenes import data_of, shown
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QApplication, QPushButton, QToolTip, QWidget
from pytestqt.qtbot import QtBot

from gemmviz.gui.lessons.lesson_page import LessonPage
from gemmviz.gui.lessons.magnification import magnification_for
from gemmviz.gui.lessons.scenes.attempt_scene import WIDEST, AttemptScene
from gemmviz.gui.lessons.scenes.chart_scene import ChartScene
from gemmviz.gui.lessons.scenes.played_scene import SPACE, PlayedScene
from gemmviz.gui.lessons.scenes.repair_scene import RepairScene
from gemmviz.gui.lessons.scenes.schedule_scene import ScheduleScene
from gemmviz.gui.looks.theme import LIGHT
from gemmviz.gui.memory_view.memory_view import MemoryView
from gemmviz.gui.widgets.plain_label import PlainLabel

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


def test_that_a_lesson_grows_with_its_page() -> None:
    assert magnification_for(1280, 692, is_full_screen=False) == 1.0
    assert magnification_for(640, 480, is_full_screen=True) == 1.0
    assert magnification_for(1920, 972, is_full_screen=False) == 1.3
    assert magnification_for(1920, 1080, is_full_screen=True) == 1.55
    assert magnification_for(9999, 9999, is_full_screen=True) == 3.0


@pytest.mark.parametrize("step", [0, 3, 5])
def test_that_words_pictures_and_charts_are_larger_on_a_large_page(qtbot: QtBot, step: int) -> None:
    _, data = data_of("race" if step == 3 else "coalescing")
    page = shown(qtbot, LessonPage(LIGHT), 1280, 700)
    page.show_lesson(data, step=step)
    text = page.findChild(PlainLabel, "lessonText")
    assert isinstance(text, PlainLabel)
    small = QFontMetrics(text.font()).height()
    page.resize(1920, 1000)
    qtbot.waitUntil(lambda: QFontMetrics(text.font()).height() > 1.2 * small)
    match page.scene:
        case PlayedScene():
            view = next(each for each in page.scene.findChildren(MemoryView) if each.isVisible())
            assert view.width() == pytest.approx(1.3 * view.canvas_size[0])
            assert page.scene.code.line_height > 25
        case ChartScene():
            assert page.scene.chart.width() < page.scene.width() / 1.25
        case scene:
            raise AssertionError(scene)
    page.stop()


@pytest.mark.parametrize("step", [9, 14, 15])
def test_that_a_chart_of_many_rows_is_larger_than_the_type_of_a_full_screen(qtbot: QtBot, step: int) -> None:
    lesson, data = data_of("gpu")
    wanted = lesson.steps[step].chart
    assert wanted is not None
    scene = ChartScene(LIGHT)
    qtbot.addWidget(scene)
    scene.resize(1846, 900)
    scene.set_magnification(1.55)
    scene.show()
    scene.show_chart(wanted, data)
    assert scene.chart.width() <= 1846 / (1.55 * 1.1) + 1
    assert scene.chart.least_height(scene.chart.width()) <= scene.chart.height()


@pytest.mark.parametrize("height", [620, 700, 900])
def test_that_the_result_stands_below_source_and_button_in_the_rest_of_the_height(qtbot: QtBot, height: int) -> None:
    lesson, data = data_of("race")
    scene = shown(qtbot, RepairScene(LIGHT), 1392, height)
    wanted = next(step.repair for step in lesson.steps if step.repair is not None)
    assert wanted is not None
    scene.show_repair(wanted, data)
    qtbot.waitUntil(lambda: scene.player.facts is not None)
    source, result = scene.code_area.geometry(), scene.result.geometry()
    assert source.height() == scene.code.height() == scene.code.sizeHint().height()
    said = scene.findChild(QPushButton, "lessonShowGap").parentWidget().geometry()
    assert said.top() - source.bottom() - 1 == result.top() - said.bottom() - 1 == SPACE
    assert result.bottom() == scene.beside.height() - 1


def test_that_the_last_step_has_a_card_as_large_as_scenes_and_larger_type_on_the_whole_screen(qtbot: QtBot) -> None:
    lesson, _ = data_of("race")
    window = QWidget()
    qtbot.addWidget(window)
    scene = AttemptScene(LIGHT, window)
    scene.show_attempt(lesson, None)
    scene.resize(1180, 600)
    window.show()
    text, button = scene.findChild(PlainLabel, "lessonAttemptText"), scene.findChild(QPushButton, "lessonRun")
    scene.layout().activate()
    card = text.parentWidget().parentWidget()
    assert card.property("role") == "card"
    assert card.geometry() == scene.rect()
    assert text.parentWidget().width() == WIDEST
    small, low = QFontMetrics(text.font()).height(), button.minimumHeight()
    window.showFullScreen()
    scene.resize(1181, 600)
    qtbot.waitUntil(lambda: QFontMetrics(text.font()).height() > 1.25 * small)
    assert button.minimumHeight() > 1.25 * low


def test_that_tooltips_are_as_large_as_the_page(qtbot: QtBot) -> None:
    page = shown(qtbot, LessonPage(LIGHT), 1280, 740)
    button = page.findChild(QPushButton, "lessonBack")
    heights = []
    for factor in (1.0, 2.0):
        page._magnify(factor)
        QToolTip.hideText()
        qtbot.waitUntil(lambda: not QToolTip.isVisible())
        QToolTip.showText(button.mapToGlobal(button.rect().center()), button.toolTip(), button)
        (tip,) = [each for each in QApplication.topLevelWidgets() if each.inherits("QTipLabel") and each.isVisible()]
        heights.append(tip.fontMetrics().height())
    QToolTip.hideText()
    assert heights[1] >= 1.8 * heights[0]


@pytest.mark.parametrize(("size", "magnification"), [((1232, 480), 1.0), ((1872, 760), 1.5)])
def test_that_all_units_of_a_wave_are_in_sight_without_scrolling(
    qtbot: QtBot, size: tuple[int, int], magnification: float
) -> None:
    lesson, data = data_of("gpu")
    wanted = next(step.schedule for step in lesson.steps if step.schedule is not None)
    scene = shown(qtbot, ScheduleScene(LIGHT), *size)
    scene.set_magnification(magnification)
    scene.show_schedule(wanted, data)
    now = scene.timeline.geometry_now
    assert now is not None
    assert now.visible == range(132)
    assert now.most_scroll == 0
    assert now.row * magnification > 2.5
