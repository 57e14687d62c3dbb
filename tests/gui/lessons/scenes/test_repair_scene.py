"""The gaps of a source and the table of its result on the whole screen, where all of it is read from afar."""

from __future__ import annotations

import pytest
from lesson_scenes import data_of
from PySide6.QtGui import QFontInfo, QFontMetricsF
from PySide6.QtWidgets import QApplication, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from gemmviz.gui.lessons.lesson_page import LessonPage
from gemmviz.gui.lessons.scenes.repair_scene import RepairScene
from gemmviz.gui.lessons.scenes.result_table import StoredElement
from gemmviz.gui.looks.appearance import apply_theme
from gemmviz.gui.looks.theme import LIGHT

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


@pytest.fixture(params=[(1280, 800), (1920, 1080)], ids=["1280", "1920"])
def scene(
    qtbot: QtBot, qapp: QApplication, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> RepairScene:
    window = QWidget()
    apply_theme(qapp, window, LIGHT)
    monkeypatch.setattr(window, "isFullScreen", lambda: True, raising=False)
    qtbot.addWidget(window)
    window.resize(*request.param)
    page = LessonPage(LIGHT, window)
    page.resize(*request.param)
    window.show()
    lesson, data = data_of("race")
    page.show_lesson(data, step=next(place for place, step in enumerate(lesson.steps) if step.repair is not None))
    for _ in range(3):  # a layout is settled once its events have come
        qapp.sendPostedEvents()
        qapp.processEvents()
    assert isinstance(page.scene, RepairScene)
    page.scene.stop()
    return page.scene


def test_that_the_words_of_a_gap_are_as_large_as_the_lines_and_no_higher_than_its_row(scene: RepairScene) -> None:
    assert len(scene.gaps) == 3
    for gap in scene.gaps:
        metrics = QFontMetricsF(gap.font())
        assert QFontInfo(gap.font()).pixelSize() == scene.code.type_pixels
        drawn = metrics.tightBoundingRect(gap.text())
        baseline = (gap.height() - metrics.height()) / 2 + metrics.ascent()
        assert baseline + drawn.top() >= 1, "the frame is above"
        assert baseline + drawn.bottom() <= gap.height() - 1, "the underscores are above the frame"


def test_that_a_result_below_its_source_is_read_from_afar(scene: RepairScene) -> None:
    wrong = tuple(tuple(StoredElement(row, column, 6412.0, 7404.0) for column in range(4)) for row in range(4))
    scene.result.show_elements(wrong)
    QApplication.sendPostedEvents()
    scale, cell = scene.window().width() / 1280, scene.result.cell(0, 0)
    assert scene.result.value_type(cell.width(), cell.height()).pixelSize() >= 16 * scale
    verdict, form = scene.result.verdict_type(cell.width(), cell.height())
    assert verdict.pixelSize() >= 16 * scale
    assert QFontMetricsF(verdict).horizontalAdvance(wrong[0][0].verdicts[form]) <= cell.width()


def test_that_all_lines_of_the_exercise_are_in_sight_in_type_that_is_read_from_afar(scene: RepairScene) -> None:
    scale = scene.window().width() / 1280
    assert scene.code_area.viewport().height() >= scene.code.sizeHint().height()
    assert scene.code.type_pixels >= 16 * scale
    texts = [gap.geometry() for gap in scene.gaps]
    show = next(each for each in scene.code_area.findChildren(QPushButton) if each.objectName() == "lessonShowGap")
    assert not any(show.geometry().intersects(gap) for gap in texts)
    assert scene.code_area.rect().contains(show.geometry())
