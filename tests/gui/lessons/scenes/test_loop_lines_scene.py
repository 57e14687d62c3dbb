"""The lines of the loops above each picture of a CPU kernel's accesses."""

from __future__ import annotations

import pytest
from lesson_scenes import data_of, shown
from PySide6.QtGui import QFontInfo
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gemmviz.catalogue.lesson_scenes import Loops
from gemmviz.gui.lessons.scenes.loops_scene import LoopsScene
from gemmviz.gui.lessons.scenes.loops_view import GOOD_CELL
from gemmviz.gui.looks.projector import LEAST_WORDS
from gemmviz.gui.looks.theme import DARK, LIGHT


def test_that_each_picture_of_loops_stands_below_the_lines_of_its_loops(qtbot: QtBot) -> None:
    _, data = data_of("cpu")
    scene = shown(qtbot, LoopsScene(LIGHT), 1232, 518)
    scene.show_loops(Loops(("cpu_ijk", "cpu_ikj"), plays=False), data)
    said = [pane.code.accessibleDescription().split("\n") for pane in scene.panes]
    loops = [[line.split()[1] for line in lines if line.strip().startswith("for")] for lines in said]
    assert loops == [["i", "j", "k"], ["i", "j", "k", "j"]]
    assert said[0][4].strip() == "acc += a[i, k] * b[k, j]"
    assert [said[1][place].strip() for place in (2, 6)] == ["c[i, j] = np.float32(0)", "c[i, j] += a_ik * b[k, j]"]
    for pane in scene.panes:
        assert pane.code.isVisible()
        assert pane.code.width() >= pane.code.sizeHint().width()
        assert pane.code.geometry().bottom() < pane.view.geometry().top()


@pytest.mark.parametrize(("width", "height"), [(1232, 420), (1872, 700), (952, 420), (800, 500)])
def test_that_the_lines_of_loops_leave_the_picture_its_room(qtbot: QtBot, width: int, height: int) -> None:
    _, data = data_of("cpu")
    scene = shown(qtbot, LoopsScene(DARK), width, height)
    scene.show_loops(Loops(("cpu_ikj", "cpu_transposed"), plays=False), data)
    for pane in scene.panes:
        assert pane.walk is not None
        assert pane.code.isVisible()
        assert pane.code.width() >= pane.code.sizeHint().width()
        assert pane.view.cell_in(pane.walk, pane.view.height()) >= GOOD_CELL


@pytest.mark.parametrize(("width", "height"), [(952, 226), (560, 500)])
def test_that_without_room_for_both_the_picture_stays_and_the_lines_go(qtbot: QtBot, width: int, height: int) -> None:
    _, data = data_of("cpu")
    scene = shown(qtbot, LoopsScene(LIGHT), width, height)
    scene.show_loops(Loops(("cpu_ikj", "cpu_transposed"), plays=False), data)
    for pane in scene.panes:
        assert not pane.code.isVisible()
        assert pane.view.geometry().top() > pane.title.geometry().bottom()
    scene.resize(1232, 518)
    assert all(pane.code.isVisible() for pane in scene.panes)


@pytest.mark.parametrize(("kernels", "height"), [(("cpu_ikj", "cpu_transposed"), 406), (("cpu_ijk", "cpu_ikj"), 480)])
def test_that_the_same_matrix_has_one_size_in_both_pictures_with_both_loops_above(
    qtbot: QtBot, kernels: tuple[str, str], height: int
) -> None:
    _, data = data_of("cpu")
    scene = shown(qtbot, LoopsScene(LIGHT), 1232, height)
    scene.show_loops(Loops(kernels, plays=False), data)
    QApplication.processEvents()
    assert all(pane.code.isVisible() for pane in scene.panes)
    left, right = (pane.view._boxes(pane.walk)["B"] for pane in scene.panes if pane.walk is not None)
    assert (left.size(), left.top()) == (right.size(), right.top())


def test_that_on_the_whole_screen_loops_are_as_large_as_the_words_where_there_is_room(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, data = data_of("cpu")
    scene = shown(qtbot, LoopsScene(LIGHT), 1232, 640)
    monkeypatch.setattr(scene, "isFullScreen", lambda: True)
    scene.set_magnification(1.0)
    scene.show_loops(Loops(("cpu_ijk", "cpu_ikj"), plays=False), data)
    assert all(QFontInfo(pane.code._font).pixelSize() >= int(LEAST_WORDS) for pane in scene.panes)
    scene.show_loops(Loops(("cpu_ikj", "cpu_transposed"), plays=False), data)
    scene.resize(1232, 460)  # beside a question, on a screen of 1280 × 800
    QApplication.processEvents()
    assert all(pane.code.isVisible() for pane in scene.panes)
    assert all(QFontInfo(pane.code._font).pixelSize() < LEAST_WORDS for pane in scene.panes)
    boxes = [pane.view._boxes(pane.walk)["B"] for pane in scene.panes if pane.walk is not None]
    assert boxes[0].size() == boxes[1].size()
    assert boxes[0].width() / 16 >= 9, "elements are seen, and lines of code give way"


@pytest.mark.parametrize(("width", "height"), [(1232, 518), (1872, 760)])
def test_that_the_lines_of_one_loop_stand_in_the_corner_of_its_picture(qtbot: QtBot, width: int, height: int) -> None:
    _, data = data_of("cpu")
    scene = shown(qtbot, LoopsScene(LIGHT), width, height)
    scene.show_loops(Loops(("cpu_ijk",), plays=False), data)
    QApplication.processEvents()
    pane, _ = scene.panes
    assert pane.walk is not None
    boxes = {name: box.translated(pane.view.pos().toPointF()) for name, box in pane.view._boxes(pane.walk).items()}
    code = pane.code.geometry().toRectF()
    code.setWidth(pane.code.sizeHint().width())
    assert pane.code.isVisible()
    assert boxes["B"].top() < code.bottom(), "they take no height from the picture"
    assert not any(box.intersects(code) for box in boxes.values())
    scene.show_loops(Loops(("cpu_ijk", "cpu_ikj"), plays=False), data)
    QApplication.processEvents()
    assert pane.code.geometry().bottom() < pane.view.geometry().top()
