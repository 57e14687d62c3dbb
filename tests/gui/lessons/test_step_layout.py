"""The page of a lesson: what stays where it is from step to step."""

from __future__ import annotations

from itertools import combinations

import pytest
from lesson_scenes import LESSONS, data_of, shown
from PySide6.QtCore import QPoint, QRect
from PySide6.QtWidgets import QApplication, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from gemmviz.gui.charts.roofline.plot import RooflinePlot
from gemmviz.gui.lessons.lesson_page import MARGIN, LessonPage
from gemmviz.gui.lessons.question_row import QuestionRow
from gemmviz.gui.lessons.scenes.magnified import Magnified
from gemmviz.gui.lessons.step_words import SHARES, StepWords
from gemmviz.gui.looks.theme import LIGHT
from gemmviz.gui.widgets.plain_label import PlainLabel

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


@pytest.mark.parametrize("lesson_id", LESSONS)
@pytest.mark.parametrize("size", [(1280, 692), (1920, 972)])
def test_that_back_and_next_stay_where_they_are_in_all_steps(
    qtbot: QtBot, lesson_id: str, size: tuple[int, int]
) -> None:
    lesson, data = data_of(lesson_id)
    page = shown(qtbot, LessonPage(LIGHT), *size)
    places = set()
    for step in range(lesson.step_count):
        page.show_lesson(data, step=step)
        for _ in range(3):  # a layout is settled once its events have come
            QApplication.sendPostedEvents()
            QApplication.processEvents()
        buttons = [page.findChild(QPushButton, name) for name in ("lessonBack", "lessonNext")]
        places.add(tuple(QRect(button.mapTo(page, QPoint()), button.size()).getRect() for button in buttons))
        assert page.rect().contains(buttons[1].geometry().translated(buttons[1].parentWidget().pos()))
    assert len(places) == 1
    page.stop()


@pytest.mark.parametrize("sizes", [((1920, 972), (1280, 692)), ((1280, 692), (1920, 972))])
def test_that_choices_do_not_overlap_after_the_window_has_another_size(
    qtbot: QtBot, sizes: tuple[tuple[int, int], ...]
) -> None:
    """The type of the page has another size then; a choice keeps room for its mark, and no more."""
    lesson, data = data_of("race")
    page = shown(qtbot, LessonPage(LIGHT), *sizes[0])
    page.show_lesson(data, step=lesson.question_steps[-1])
    page.resize(*sizes[1])
    for _ in range(3):
        QApplication.sendPostedEvents()
        QApplication.processEvents()
    choices = [page.findChild(QPushButton, f"lessonChoice{number}") for number in range(3)]
    for one, other in combinations(choices, 2):
        assert not one.geometry().intersects(other.geometry())
    widths = [choice.width() for choice in choices]
    choices[0].click()
    assert all(choice.sizeHint().width() <= choice.width() for choice in choices)
    assert [choice.width() for choice in choices] == widths
    page.stop()


def test_that_a_magnified_widget_is_painted_at_the_size_it_has_by_then(qtbot: QtBot) -> None:
    """Painting it for the first time lays it out, which may change its size."""
    inner = QWidget()
    magnified = Magnified(inner)
    qtbot.addWidget(magnified)
    magnified.resize(300, 200)
    magnified.set_magnification(1.5)
    magnified.show()
    magnified.grab()
    inner.setGeometry(0, 0, 150, 100)
    inner.setAutoFillBackground(True)
    before = magnified._image
    magnified.grab()
    assert magnified._image is not before
    assert (magnified._image.width(), magnified._image.height()) == (225, 150)


def test_that_a_headline_has_the_whole_width_of_the_page(qtbot: QtBot) -> None:
    _, data = data_of("tiling")
    page = shown(qtbot, LessonPage(LIGHT), 1280, 692)
    page.show_lesson(data)
    for _ in range(3):
        QApplication.sendPostedEvents()
        QApplication.processEvents()
    headline, button = page.findChild(QWidget, "lessonText"), page.findChild(QPushButton, "lessonNext")
    assert headline.width() == page.width() - 2 * MARGIN
    assert button.mapTo(page, QPoint()).y() > headline.mapTo(page, QPoint()).y() + headline.height()
    page.stop()


@pytest.mark.parametrize("size", [(1280, 692), (1600, 900)])
def test_that_a_chart_of_several_steps_stays_where_it_is_also_when_it_gets_rings(
    qtbot: QtBot, size: tuple[int, int]
) -> None:
    lesson, data = data_of("registers")
    page = shown(qtbot, LessonPage(LIGHT), *size)
    steps = [n for n, step in enumerate(lesson.steps) if step.chart is not None and step.chart.view == "roofline"]
    assert len(steps) == 2
    places = []
    for step in steps:
        page.show_lesson(data, step=step)
        for _ in range(3):
            QApplication.sendPostedEvents()
            QApplication.processEvents()
        plot = page.scene.findChild(RooflinePlot)
        shown_points = plot._shown.points
        assert shown_points
        marks = [plot.place_of(point.stand, point.gflops).toTuple() for point in shown_points]
        places.append((page.scene.geometry(), plot.geometry(), plot.area, marks))
    assert places[0] == places[1]
    page.stop()


@pytest.mark.parametrize("lesson_id", LESSONS)
def test_that_a_question_stands_beside_its_words_and_leaves_most_of_the_height(qtbot: QtBot, lesson_id: str) -> None:
    lesson, data = data_of(lesson_id)
    page = shown(qtbot, LessonPage(LIGHT), 1280, 692)
    for step in (place for place, each in enumerate(lesson.steps) if each.question is not None):
        page.show_lesson(data, step=step)
        for _ in range(3):
            QApplication.sendPostedEvents()
            QApplication.processEvents()
        more, question = page.findChild(QWidget, "lessonMore"), page.findChild(QWidget, "lessonQuestion")
        assert more.mapTo(page, QPoint(more.width(), 0)).x() <= question.mapTo(page, QPoint()).x()
        assert question.height() >= question.heightForWidth(question.width())
        assert page.scene.height() >= 0.6 * page.height()
    page.stop()


def test_that_words_and_question_are_low_and_a_headline_beside_a_question_breaks_little(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of all ways that are a line higher than the lowest at most; what else they cost decides where that is alike."""
    lesson, data = data_of("tiling")
    page = shown(qtbot, LessonPage(LIGHT), 1280, 692)
    page.show_lesson(data, step=lesson.question_steps[-1])
    words, height_of_choices = page.findChild(StepWords), QuestionRow.height_of_choices
    headline, line = page.findChild(PlainLabel, "lessonText"), page.findChild(PlainLabel, "lessonMore").fontMetrics()
    assert headline.heightForWidth(headline.width()) <= 2 * headline.fontMetrics().height(), "at the width of a window"
    asked: list[int] = []
    monkeypatch.setattr(QuestionRow, "height_of_choices", lambda self, n: asked.append(n) or height_of_choices(self, n))
    for width in range(640, 1680, 80):
        words.resize(width, words.height())
        ways = [(above, share) for above in (False, True) for share in SHARES if words._fits(above, share)]
        asked.clear()
        found = words._best()
        assert len(asked) < len(ways), "each takes a layout of all choices"
        least = min(words._height(*way) for way in ways)
        costs = {
            way: (words._height_of_choices(*way), words._height_of_headline(*way), height, abs(way[1] - 0.5))
            for way in ways
            if (height := words._height(*way)) <= least + line.lineSpacing()
        }
        assert found == min(costs, key=costs.__getitem__)
    page.stop()
