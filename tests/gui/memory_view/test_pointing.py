"""What the mouse, the touchpad and the keys do to the view."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gemmviz.domain.recordings.access import BlockTrace
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.gui.looks.theme import LIGHT
from gemmviz.gui.memory_view.memory_view import MemoryView
from gemmviz.gui.memory_view.paint.looks import looks_of
from gemmviz.gui.memory_view.paint.texts import cell_fonts
from gemmviz.gui.memory_view.places.box import Box
from gemmviz.gui.memory_view.places.overview import overview_box
from gemmviz.gui.memory_view.scene import Element, Scene
from gemmviz.gui.memory_view.text.card_place import place_card
from gemmviz.trace.frames.frames import Frames

Record = Callable[..., TraceRun]
BlockOf = Callable[..., BlockTrace]
Show = Callable[..., tuple[MemoryView, Frames]]


def scene_of(view: MemoryView) -> Scene:
    scene = view.picture_state()
    assert scene is not None
    return scene


def middle(view: MemoryView, element: Element) -> QPoint:
    cell = scene_of(view).cell(*element)
    assert cell is not None
    return QPoint(int(cell.middle_x), int(cell.middle_y))


def _point(at: QPoint) -> tuple[float, float]:
    return float(at.x()), float(at.y())


def test_that_a_click_on_another_block_of_c_asks_for_it(qtbot: QtBot, show: Show, recorded: Record) -> None:
    view, _ = show(recorded("tiled", "64x64x64", (1, 2)))
    with qtbot.waitSignal(view.block_chosen, check_params_cb=lambda x, y: (x, y) == (3, 0)):
        qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=middle(view, ("C", 8, 56)))


def test_that_a_click_in_the_shown_block_chooses_the_element_and_its_thread(
    qtbot: QtBot, show: Show, recorded: Record
) -> None:
    view, _ = show(recorded("tiled", "64x64x64", (1, 2)))
    asked: list[tuple[int, int]] = []
    view.block_chosen.connect(lambda x, y: asked.append((x, y)))
    row, column = scene_of(view).element_at(*_point(middle(view, ("C", 34, 21))))[1:]
    with qtbot.waitSignal(view.element_chosen) as chosen, qtbot.waitSignal(view.thread_chosen) as thread:
        qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=middle(view, ("C", 34, 21)))
    assert chosen.args == [("C", row, column)]
    assert thread.args == [(row - 32) * 16 + column - 16]
    assert asked == []


def test_that_the_card_has_the_name_for_which_its_cell_has_no_room(qtbot: QtBot, show: Show, recorded: Record) -> None:
    view, _ = show(recorded("tiled", "8x8x8", (0, 0), TILE=8))
    for element in (("A", 2, 3), ("B", 4, 1), ("C", 7, 5), ("As", 6, 2)):
        cell = scene_of(view).cell(*element)
        assert cell is not None
        name = f"{element[0]}[{element[1]},{element[2]}]"
        assert cell_fonts(cell, [name], 2).name is None
        with qtbot.waitSignal(view.element_hovered):
            point_at(view, middle(view, element))
        place = place_card(scene_of(view), looks_of(LIGHT))
        assert place is not None
        assert name in [line.text.split(" = ")[0] for line in place.words]


def test_that_the_pointer_names_the_element_under_it(qtbot: QtBot, show: Show, recorded: Record) -> None:
    view, _ = show(recorded("tiled", "4x4x4", (1, 0), TILE=2))
    for element in (("A", 1, 2), ("As", 1, 0)):
        with qtbot.waitSignal(view.element_hovered) as told:
            point_at(view, middle(view, element))
        assert told.args == [element]
        card = scene_of(view).card
        assert card is not None
        assert card.title == f"{element[0]}[{element[1]},{element[2]}]"
    with qtbot.waitSignal(view.element_hovered) as told:
        point_at(view, QPoint(2, 2))
    assert told.args == [None]


def test_that_a_block_that_a_click_would_record_is_shown_as_such(show: Show, recorded: Record) -> None:
    view, _ = show(recorded("tiled", "64x64x64", (1, 2)))
    point_at(view, middle(view, ("C", 8, 56)))
    assert scene_of(view).hovered_block == (3, 0)
    assert view.cursor().shape() is Qt.CursorShape.PointingHandCursor
    point_at(view, middle(view, ("C", 34, 21)))
    assert scene_of(view).hovered_block is None
    assert view.cursor().shape() is Qt.CursorShape.ArrowCursor


def test_that_dragging_moves_and_does_not_choose(qtbot: QtBot, show: Show, recorded: Record) -> None:
    view, _ = show(recorded("tiled", "64x64x64", (1, 2)))
    view.zoom_in()
    view.zoom_in()
    chosen: list[object] = []
    view.element_chosen.connect(chosen.append)
    before = scene_of(view).camera
    qtbot.mousePress(view, Qt.MouseButton.LeftButton, pos=QPoint(500, 300))
    qtbot.mouseMove(view, QPoint(460, 280))
    qtbot.mouseRelease(view, Qt.MouseButton.LeftButton, pos=QPoint(460, 280))
    after = scene_of(view).camera
    assert (after.x - before.x, after.y - before.y) == (-40, -20)
    assert chosen == []


def test_that_keys_zoom_move_and_fit(qtbot: QtBot, show: Show, recorded: Record) -> None:
    view, _ = show(recorded("tiled", "64x64x64", (1, 2)))
    qtbot.keyClick(view, Qt.Key.Key_Plus)
    qtbot.keyClick(view, Qt.Key.Key_Plus)
    near = scene_of(view).camera
    assert near.zoom > 1.5
    qtbot.keyClick(view, Qt.Key.Key_Right)
    assert scene_of(view).camera.x < near.x
    qtbot.keyClick(view, Qt.Key.Key_Down)
    assert scene_of(view).camera.y < near.y
    qtbot.keyClick(view, Qt.Key.Key_Minus)
    assert scene_of(view).camera.zoom < near.zoom
    qtbot.keyClick(view, Qt.Key.Key_0)
    assert scene_of(view).camera.shows_all


def point_at(view: MemoryView, at: QPoint) -> None:
    """Move the pointer there without pressing anything; the view need not be on the screen."""
    here = QPointF(at)
    event = QMouseEvent(
        QMouseEvent.Type.MouseMove,
        here,
        view.mapToGlobal(here),
        Qt.MouseButton.NoButton,
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
    )
    QApplication.sendEvent(view, event)


def wheel(view: MemoryView, at: QPoint, pixels: QPoint, angle: QPoint) -> None:
    event = QWheelEvent(
        QPointF(at),
        QPointF(view.mapToGlobal(at)),
        pixels,
        angle,
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(view, event)


def test_that_the_wheel_zooms_at_the_pointer_and_a_touchpad_moves(show: Show, recorded: Record) -> None:
    view, _ = show(recorded("tiled", "64x64x64", (1, 2)))
    at = middle(view, ("A", 38, 24))
    element = scene_of(view).element_at(*_point(at))
    wheel(view, at, QPoint(), QPoint(0, 480))
    assert scene_of(view).camera.zoom == pytest.approx(1.25**4)
    assert scene_of(view).element_at(*_point(at)) == element
    before = scene_of(view).camera
    wheel(view, at, QPoint(-12, -7), QPoint(0, -15))
    assert (scene_of(view).camera.x - before.x, scene_of(view).camera.y - before.y) == (-12, -7)


def test_that_a_click_into_the_overview_goes_there(qtbot: QtBot, show: Show, recorded: Record) -> None:
    view, _ = show(recorded("tiled", "64x64x64", (1, 2)))
    for _ in range(8):
        view.zoom_in()
    box = overview_box(scene_of(view))
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=QPoint(int(box.x) + 4, int(box.bottom) - 4))
    seen = scene_of(view).camera.looked_at(Box(0, 0, 980, 560))
    assert seen.x == pytest.approx(0, abs=1)
    assert seen.bottom == pytest.approx(560, abs=1)


@pytest.mark.parametrize("name", ["As", "Bs", "A", "B"])
def test_that_a_double_click_shows_an_array_large_and_another_all_of_it(
    qtbot: QtBot, show: Show, recorded: Record, name: str
) -> None:
    view, _ = show(recorded("register_2d", "64x64x64", (0, 0)), 2)
    before = scene_of(view)
    small = before.area(name)
    at = QPoint(round(small.middle_x), round(small.middle_y))
    qtbot.mouseDClick(view, Qt.MouseButton.LeftButton, pos=at)
    scene = scene_of(view)
    large = scene.area(name)
    assert large.height > 1.4 * small.height
    assert scene.window.holds(large.x, large.y)
    assert scene.window.holds(large.right, large.bottom)
    qtbot.mouseDClick(view, Qt.MouseButton.LeftButton, pos=at)
    assert scene_of(view).camera.shows_all


def test_that_a_double_click_on_another_block_of_c_asks_for_it_only(qtbot: QtBot, show: Show, recorded: Record) -> None:
    view, _ = show(recorded("tiled", "64x64x64", (1, 2)), 1)
    asked: list[tuple[int, int]] = []
    view.block_chosen.connect(lambda x, y: asked.append((x, y)))
    cell = scene_of(view).cell("C", 4, 4)
    at = QPoint(int(cell.middle_x), int(cell.middle_y))
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=at)
    qtbot.mouseDClick(view, Qt.MouseButton.LeftButton, pos=at)
    assert set(asked) == {(0, 0)}
    assert scene_of(view).camera.shows_all


def test_that_a_view_of_another_size_shows_no_card_of_what_the_pointer_was_at_before(
    show: Show, recorded: Record
) -> None:
    """As when a picture comes to fill the screen: the mouse has not moved, and is at something else."""
    view, _ = show(recorded("tiled", "8x8x8", (0, 0), TILE=8))
    point_at(view, middle(view, ("A", 2, 3)))
    assert scene_of(view).card is not None
    view.resize(view.width() + 200, view.height() + 100)
    view.grab()  # a view that is not on a screen learns its size when it is painted
    assert scene_of(view).card is None
    assert scene_of(view).pointed.hovered is None
