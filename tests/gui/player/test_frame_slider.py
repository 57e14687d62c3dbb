"""The slider: a click goes where it is made, and marks stand where their frames are."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor
from pytestqt.qtbot import QtBot

from gemmviz.explain.requests.frame_facts import NO_MARKS, FrameMarks
from gemmviz.gui.looks.theme import DARK, LIGHT, Theme
from gemmviz.gui.player.frame_slider import FrameSlider
from gemmviz.gui.player.slider_marks import LEAST_APART, signs, ticks

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def slider(qtbot: QtBot) -> FrameSlider:
    slider = FrameSlider()
    qtbot.addWidget(slider)
    slider.resize(700, 28)
    slider.set_count(66)
    slider.show()
    return slider


def frames(*indices: int) -> np.ndarray:
    return np.array(indices, np.int32)


def at(slider: FrameSlider, frame: int) -> QPoint:
    return QPoint(round(slider.place(frame)), slider.height() // 2)


@pytest.mark.parametrize("frame", [0, 1, 33, 64, 65])
def test_that_a_click_goes_where_it_is_made(qtbot: QtBot, slider: FrameSlider, frame: int) -> None:
    slider.setValue(20)
    qtbot.mouseClick(slider, LEFT, pos=at(slider, frame))
    assert slider.value() == frame
    assert not slider.isSliderDown()


def test_that_dragging_shows_every_frame_on_the_way_and_tells_when_it_is_held(
    qtbot: QtBot, slider: FrameSlider
) -> None:
    said: list[object] = []
    slider.sliderPressed.connect(lambda: said.append("held"))
    slider.valueChanged.connect(said.append)
    slider.sliderReleased.connect(lambda: said.append("let go"))
    qtbot.mousePress(slider, LEFT, pos=at(slider, 10))
    for frame in (11, 12, 40):
        qtbot.mouseMove(slider, at(slider, frame))
    qtbot.mouseMove(slider, QPoint(5000, 0))
    qtbot.mouseRelease(slider, LEFT, pos=QPoint(5000, 0))
    assert said == ["held", 10, 11, 12, 40, 65, "let go"]


def test_that_other_buttons_move_nothing(qtbot: QtBot, slider: FrameSlider) -> None:
    qtbot.mousePress(slider, Qt.MouseButton.RightButton, pos=at(slider, 30))
    qtbot.mouseMove(slider, at(slider, 40))
    qtbot.mouseRelease(slider, Qt.MouseButton.RightButton, pos=at(slider, 40))
    assert slider.value() == 0


@pytest.mark.parametrize("count", [0, 1])
def test_that_without_frames_there_is_nowhere_to_go(qtbot: QtBot, slider: FrameSlider, count: int) -> None:
    slider.set_count(count)
    slider.set_marks(FrameMarks(frames(0), frames(0)))
    qtbot.mouseClick(slider, LEFT, pos=QPoint(650, 10))
    assert slider.value() == 0
    assert not slider.grab().isNull()


def test_that_frames_and_places_agree_for_millions(slider: FrameSlider) -> None:
    slider.set_count(5_000_001)
    assert slider.frame_at(slider.place(0)) == 0
    assert slider.frame_at(slider.place(5_000_000)) == 5_000_000
    assert abs(slider.frame_at(slider.place(2_500_000)) - 2_500_000) < 10_000


def colours(slider: FrameSlider, x: float) -> set[str]:
    image = slider.grab().toImage()
    return {QColor(image.pixel(round(x) + dx, y)).name() for dx in (-1, 0) for y in range(image.height())}


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_that_barriers_and_hazards_are_marked_at_their_frames(slider: FrameSlider, theme: Theme) -> None:
    slider.set_theme(theme)
    plain = slider.grab().toImage()
    slider.set_marks(FrameMarks(frames(20, 30), frames(50)))
    assert theme.hazard in colours(slider, slider.place(50))
    assert theme.hazard not in colours(slider, slider.place(20))
    marked = slider.grab().toImage()
    changed = {
        x for x in range(marked.width()) for y in range(marked.height()) if plain.pixel(x, y) != marked.pixel(x, y)
    }
    for x in changed:
        assert min(abs(x - slider.place(frame)) for frame in (20, 30, 50)) < 6
    slider.set_marks(NO_MARKS)
    assert slider.grab().toImage() == plain


def test_that_ticks_stand_apart_or_not_at_all() -> None:
    assert ticks(frames(0, 1, 2), lambda frame: 10.0 * frame) == [0, 10, 20]
    assert ticks(frames(0, 1, 2), lambda frame: (LEAST_APART - 1) * frame) == []
    assert ticks(frames(7), lambda frame: float(frame)) == [7]
    assert ticks(frames(), lambda frame: float(frame)) == []


def test_that_signs_that_overlap_are_one() -> None:
    assert signs(frames(0, 1, 2, 3, 9), lambda frame: 4.0 * frame, 8.0) == [0, 8, 36]
    assert signs(frames(), lambda frame: float(frame), 8.0) == []


def test_that_the_tooltip_says_what_the_marks_stand_for(slider: FrameSlider) -> None:
    plain = slider.toolTip()
    assert "drag it" in plain
    assert "triangle" not in plain
    slider.set_marks(FrameMarks(frames(20, 30), frames(50)))
    assert "end at a barrier" in slider.toolTip()
    assert "the first frame of each hazard" in slider.toolTip()
    slider.set_marks(FrameMarks(frames(), frames(50, 51), are_all=True))
    assert "barrier" not in slider.toolTip()
    assert "every frame with a hazard" in slider.toolTip()
    slider.set_marks(NO_MARKS)
    assert slider.toolTip() == plain
