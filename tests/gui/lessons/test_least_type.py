"""A lesson on a whole screen of 1280 x 800: no type is too small, and choices stand in one row where they have room."""

from __future__ import annotations

import pytest
from lesson_scenes import data_of
from painted_type import painted_type
from PySide6.QtWidgets import QApplication, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from gemmviz.gui.lessons.lesson_page import LessonPage
from gemmviz.gui.lessons.scenes.loops_scene import LoopsScene
from gemmviz.gui.looks.appearance import apply_theme
from gemmviz.gui.looks.theme import LIGHT
from gemmviz.gui.memory_view.memory_view import MemoryView

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")
LEAST = 16.0


@pytest.fixture
def page(qtbot: QtBot, qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> LessonPage:
    window = QWidget()
    apply_theme(qapp, window, LIGHT)
    monkeypatch.setattr(window, "isFullScreen", lambda: True, raising=False)
    qtbot.addWidget(window)
    window.resize(1280, 800)
    made = LessonPage(LIGHT, window)
    made.resize(1280, 800)
    window.show()
    return made


@pytest.mark.parametrize(
    ("lesson", "step"),
    [("tiling", 4), ("coalescing", 3), ("race", 1), ("race", 4), ("tree", 0), ("tree", 2), ("cpu", 3)],
)
def test_that_no_type_has_less_than_16_pixels(page: LessonPage, qtbot: QtBot, lesson: str, step: int) -> None:
    """Numbers in cells and slots, those of lanes, lines of code, a table without values yet."""
    page.show_lesson(data_of(lesson)[1], step=step)
    views = [view for view in page.findChildren(MemoryView) if view.isVisible()]

    def are_there() -> bool:
        states = [view.picture_state() for view in views]
        return all(state is not None and state.analysis is not None for state in states)

    qtbot.waitUntil(are_there, timeout=90_000)
    qtbot.waitUntil(lambda: len(painted_type(page.window())) > 40)
    found = painted_type(page.window())
    assert min(found, key=lambda each: each[1])[1] >= LEAST - 0.01, min(found, key=lambda each: each[1])
    page.stop()


@pytest.mark.parametrize(("lesson", "step"), [("tiling", 6), ("registers", 3), ("coalescing", 4)])
def test_that_choices_stand_in_one_row_above_the_buttons_where_they_have_room(
    page: LessonPage, qapp: QApplication, lesson: str, step: int
) -> None:
    page.show_lesson(data_of(lesson)[1], step=step)
    for _ in range(3):
        qapp.sendPostedEvents()
        qapp.processEvents()
    question = page.findChild(QWidget, "lessonQuestion")
    assert question is not None
    choices = [each for each in question.findChildren(QPushButton) if each.objectName().startswith("lessonChoice")]
    assert len(choices) > 2
    assert len({choice.y() for choice in choices}) == 1
    assert max(choice.geometry().right() for choice in choices) < question.width()
    page.stop()


def test_that_a_legend_stands_beside_the_loops_where_the_matrices_are_larger_so(
    page: LessonPage, qapp: QApplication
) -> None:
    page.show_lesson(data_of("cpu")[1], step=3)
    for _ in range(3):
        qapp.sendPostedEvents()
        qapp.processEvents()
    scene = page.scene
    assert isinstance(scene, LoopsScene)
    scene.stop()
    cells = set()
    for pane in scene.panes:
        walk, view, code = pane.walk, pane.view, pane.code
        assert walk is not None
        boxes = view.boxes_in(walk, view.height())
        cells.add(boxes["B"].width() / walk.size_of("B")[1])
        assert all(view.y() + box.top() > code.geometry().bottom() for box in boxes.values()), "below the loops"
        for swatch, words in view.legend_places(walk):
            end = code.right_above(swatch.bottom() + view.y() - code.y())
            assert code.x() + end < view.x() + swatch.left(), "beside the loops"
            assert words.right() <= view.width()
            assert words.bottom() <= min(box.top() for box in boxes.values())
    (cell,) = cells
    assert cell > 8.0, "so large they are with the legend beside them"
