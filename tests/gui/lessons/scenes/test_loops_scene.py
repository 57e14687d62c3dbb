"""The scene of loops plays, counts as it goes, and shows a copy of B where a kernel makes one."""

from __future__ import annotations

import pytest
from image_pixels import colours_of
from lesson_scenes import data_of, shown
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gemmviz.catalogue.lesson_scenes import Loops
from gemmviz.gui.lessons.scenes.loops_scene import LoopsScene
from gemmviz.gui.lessons.scenes.loops_view import LoopsView
from gemmviz.gui.looks.theme import DARK, LIGHT, Theme
from gemmviz.gui.widgets.plain_label import PlainLabel
from gemmviz.trace.host_loops import COPY


def test_that_loops_play_to_the_end_and_count_as_they_go(qtbot: QtBot) -> None:
    _, data = data_of("cpu")
    scene = LoopsScene(LIGHT)
    qtbot.addWidget(scene)
    scene.show_loops(Loops(("cpu_ijk", "cpu_ikj"), plays=False), data)
    assert not scene.is_playing
    scene.step(10_000)
    assert [pane.figure for pane in scene.panes] == ["512", "32"]
    scene.toggle()
    assert scene.is_playing
    qtbot.waitUntil(lambda: int(scene.panes[0].figure) > 3)
    scene.stop()
    assert not scene.is_playing


def test_that_a_kernel_that_turns_b_over_shows_its_copy(qtbot: QtBot) -> None:
    _, data = data_of("cpu")
    scene = LoopsScene(LIGHT)
    qtbot.addWidget(scene)
    scene.show_loops(Loops(("cpu_ikj", "cpu_transposed"), plays=False), data)
    scene.step(10_000)
    assert [pane.figure for pane in scene.panes] == ["32", "304"]  # of the copy 256, and 48 reads of other rows
    assert [COPY in pane.view._boxes(pane.walk) for pane in scene.panes if pane.walk is not None] == [False, True]


def test_that_every_kernel_of_the_lesson_of_loops_is_shown() -> None:
    lesson, _ = data_of("cpu")
    shown = {name for step in lesson.steps if isinstance(step.scene, Loops) for name in step.scene.show}
    assert shown == set(lesson.attempt.kernels)


def test_that_loops_with_reduced_motion_show_their_end(qtbot: QtBot) -> None:
    _, data = data_of("cpu")
    scene = LoopsScene(DARK)
    qtbot.addWidget(scene)
    scene.set_reduced_motion(True)
    scene.show_loops(Loops(("cpu_ijk",)), data)
    assert not scene.is_playing
    assert scene.panes[0].figure == "512"
    assert scene.panes[1].isHidden()


def test_that_one_visit_is_one(qtbot: QtBot) -> None:
    _, data = data_of("cpu")
    scene = LoopsScene(LIGHT)
    qtbot.addWidget(scene)
    scene.show_loops(Loops(("cpu_ijk",), plays=False), data)
    words, seen = scene.findChild(PlainLabel, "lessonLoopsLeftWords"), {}
    for _ in range(8):
        seen.setdefault(scene.panes[0].figure, words.text())
        scene.step(1)
    assert {seen[figure] for figure in ("0", "2")} == {"visits to cache lines of B so far"}
    assert seen["1"] == "visit to cache lines of B so far"


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_that_the_legend_has_the_colours_of_all_three_matrices_and_is_not_cut(qtbot: QtBot, theme: Theme) -> None:
    _, data = data_of("cpu")
    view = LoopsView(theme)
    qtbot.addWidget(view)
    view.show_walk(data.walks["cpu_ijk"], 1)
    view.set_magnification(2.0)
    places = set()
    for size in ((574, 320), (574, 130), (1200, 320)):
        view.resize(*size)
        places.add(view.is_legend_beside(data.walks["cpu_ijk"]))
        assert {theme.a, theme.b, theme.c} <= colours_of(view.grab().toImage())
        assert all(view.rect().contains(said.toAlignedRect()) for _, said in view.legend_places(data.walks["cpu_ijk"]))
    assert places == {True, False}


def test_that_one_picture_is_as_large_after_two_beside_each_other_as_before(qtbot: QtBot) -> None:
    _, data = data_of("cpu")
    scene = shown(qtbot, LoopsScene(LIGHT), 1232, 600)
    boxes = []
    for kernels in (("cpu_ijk",), ("cpu_ijk", "cpu_ikj"), ("cpu_ijk",)):
        scene.show_loops(Loops(kernels, plays=False), data)
        for _ in range(3):
            QApplication.sendPostedEvents()
            QApplication.processEvents()
        view = scene.panes[0].view
        boxes.append(view.boxes_in(data.walks["cpu_ijk"], view.height())["B"].size())
    assert boxes[1].width() < boxes[0].width()
    assert boxes[2] == boxes[0]


def test_that_the_newest_access_is_bright_also_where_its_element_was_read_before(qtbot: QtBot) -> None:
    _, data = data_of("cpu")
    walk, view = data.walks["cpu_ikj"], LoopsView(LIGHT)
    qtbot.addWidget(view)
    view.resize(900, 500)
    places, _ = walk.lines_of("C")
    twice = next(at for at in range(1, places.size) if walk.element[places[at]] == walk.element[places[at - 1]])
    view.show_walk(walk, int(places[twice]) + 1)
    box, columns = view.boxes_in(walk, view.height())["C"], walk.size_of("C")[1]
    row, column = divmod(int(walk.element[places[twice]]), columns)
    cell = box.width() / columns
    at = QPoint(round(box.left() + (column + 0.5) * cell), round(box.top() + (row + 0.5) * cell))
    assert view.grab().toImage().pixelColor(at).name() == LIGHT.c


def test_that_a_copy_has_the_name_that_it_has_in_the_kernel() -> None:
    _, data = data_of("cpu")
    assert COPY in data.loops["cpu_transposed"].source
