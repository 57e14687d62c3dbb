"""A step of a lesson as a picture: as the whole screen shows it, without its buttons."""

from __future__ import annotations

from contextlib import closing

import pytest
from lesson_scenes import data_of
from PySide6.QtGui import QFontInfo
from PySide6.QtWidgets import QPushButton

from gemmviz.explain.requests.what_if import NewLayout
from gemmviz.gui.export.lesson.page_picture import PagePicture
from gemmviz.gui.lessons.scenes.request_scene import BanksScene
from gemmviz.gui.lessons.scenes.scene import SceneMoment
from gemmviz.gui.lessons.shown_step import ShownStep
from gemmviz.gui.looks.theme import DARK, LIGHT
from gemmviz.gui.widgets.plain_label import PlainLabel

pytestmark = [pytest.mark.qt_log_ignore("This plugin does not support"), pytest.mark.usefixtures("qapp")]


def test_that_a_step_has_the_type_of_the_whole_screen_and_no_buttons() -> None:
    with closing(PagePicture(ShownStep(data_of("bank-conflicts")[1], 1), (1920, 1080), LIGHT)) as picture:
        page = picture.page
        labels = [each for each in page.findChildren(PlainLabel) if each.isVisibleTo(page) and each.text()]
        assert any("recorded while" in each.text() for each in labels)
        assert min(QFontInfo(each.font()).pixelSize() for each in labels) >= 27
        assert not [each.text() for each in page.findChildren(QPushButton) if each.isVisibleTo(page)]
        assert picture.image().size().toTuple() == (1920, 1080)
        assert picture.image().pixelColor(5, 5).lightness() > 200


def test_that_a_picture_asks_for_no_click_and_says_nothing_of_what_a_reader_has_done() -> None:
    lesson, data = data_of("race")
    with closing(PagePicture(ShownStep(data, 5), (1280, 720), LIGHT)) as picture:
        asked = picture.page.findChild(PlainLabel, "lessonQuestionText")
        assert isinstance(asked, PlainLabel)
        assert asked.text()
        assert not [said for said in texts(picture) if "Click" in said]
        picture.show_step(ShownStep(data, lesson.step_count - 1))
        assert lesson.attempt.text in texts(picture)
        assert not [said for said in texts(picture) if "You have read" in said or "well done" in said]


def texts(picture: PagePicture) -> list[str]:
    """What is read in it."""
    labels = picture.page.findChildren(PlainLabel)
    return [each.text() for each in labels if each.isVisibleTo(picture.page)]


def test_that_a_moment_a_title_a_theme_and_a_layout_are_chosen() -> None:
    data = data_of("bank-conflicts")[1]
    tried = ShownStep(data, 2, layout=NewLayout(1))
    with closing(PagePicture(tried, (640, 360), DARK, "Mine")) as picture:
        assert isinstance(picture.page.scene, BanksScene)
        assert picture.page.scene.layout_tried == NewLayout(1)
        end = picture.image()
        assert end.size().toTuple() == (640, 360)
        assert end.pixelColor(5, 5).lightness() < 60
        picture.show_moment(SceneMoment(0))
        assert picture.image() != end
        assert "Mine" in [each.text() for each in picture.page.findChildren(PlainLabel)]
