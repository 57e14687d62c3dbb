"""The bank stage, by clicks and keys."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QHelpEvent, QImage
from PySide6.QtWidgets import QApplication, QComboBox, QLabel, QPushButton, QSlider, QToolButton, QToolTip, QWidget
from pytestqt.qtbot import QtBot

from gemmviz.domain.recordings.access import BlockTrace
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.explain.requests.what_if import NewLayout, Swizzle
from gemmviz.gui.looks.theme import DARK, LIGHT
from gemmviz.gui.player.schedule import SPEEDS
from gemmviz.gui.stages import bank_stage, request_stage
from gemmviz.gui.stages.array_map import ArrayMap
from gemmviz.gui.stages.bank_canvas import BankCanvas
from gemmviz.gui.stages.bank_stage import BankStage
from gemmviz.gui.stages.stage_words import LOOKING, NO_BLOCK, NO_SHARED

Show = Callable[[BankStage, TraceRun], None]
ALL_IN_ONE = "All 32 lanes need bank 0, so one store takes 32 wavefronts."
Key = Qt.Key


@pytest.fixture
def stage(qtbot: QtBot) -> BankStage:
    made = BankStage(LIGHT)
    qtbot.addWidget(made)
    made.resize(1000, 600)
    made.show()
    return made


@pytest.fixture
def show(qtbot: QtBot, block_of: Callable[[TraceRun], BlockTrace]) -> Show:
    def shown(stage: BankStage, run: TraceRun) -> None:
        stage.show_block(run, block_of(run))
        qtbot.waitUntil(lambda: not stage.is_busy)

    return shown


def canvas(stage: BankStage) -> BankCanvas:
    return stage.findChild(BankCanvas)


def count(stage: BankStage) -> str:
    return canvas(stage).count_words[0]


def press(qtbot: QtBot, stage: QWidget, *keys: Qt.Key) -> None:
    for key in keys:
        qtbot.keyClick(stage, key)


def test_that_the_request_that_conflicts_most_is_chosen(stage: BankStage, show: Show, transposed: TraceRun) -> None:
    assert stage.sentence == NO_BLOCK
    show(stage, transposed)
    assert stage.sentence == ALL_IN_ONE
    assert (len(stage.cost.wavefronts), count(stage)) == (32, "32 wavefronts")
    assert canvas(stage).count_words[1:] == ("without conflicts it would be 1", True)
    assert stage.findChild(QLabel, "bankStagePlace").text() == "request 1 of 32"


def test_that_it_says_that_it_is_looking(
    qtbot: QtBot, stage: BankStage, transposed: TraceRun, block_of: Callable[[TraceRun], BlockTrace]
) -> None:
    stage.show_block(transposed, block_of(transposed))
    assert (stage.is_busy, stage.sentence, stage.request) == (True, LOOKING, None)
    with qtbot.waitSignal(stage.request_shown):
        pass
    assert stage.sentence == ALL_IN_ONE
    stage.show_block(None, None)
    assert (stage.sentence, stage.request) == (NO_BLOCK, None)


def test_that_what_is_asked_meanwhile_is_done_once_it_is_there(
    qtbot: QtBot, stage: BankStage, transposed: TraceRun, block_of: Callable[[TraceRun], BlockTrace]
) -> None:
    block = block_of(transposed)
    load = next(site for site in block.sites if (site.array, site.line) == ("As", 45))
    stage.set_reduced_motion(True)
    stage.show_block(transposed, block)
    stage.choose_request(load.index, 3)
    stage.set_layout(NewLayout(1))
    stage.play()
    assert stage.is_playing
    with qtbot.waitSignal(stage.finished):
        pass
    assert stage.request is not None
    assert (stage.request.site, stage.new_layout) == (load, NewLayout(1))
    assert stage.sentence.startswith("With 1 column of padding, all 32 lanes need the same word")
    assert not stage.is_playing


def test_that_padding_by_keys_takes_the_conflict_away(
    qtbot: QtBot, stage: BankStage, show: Show, transposed: TraceRun
) -> None:
    show(stage, transposed)
    slider = stage.findChild(QSlider, "paddingSlider")
    told: list[NewLayout] = []
    stage.layout_changed.connect(told.append)
    press(qtbot, slider, Key.Key_Right)
    qtbot.waitUntil(lambda: stage.effect is not None)
    assert told == [NewLayout(1)]
    assert (len(stage.cost.wavefronts), count(stage)) == (1, "1 wavefront")
    assert stage.sentence == (
        "With 1 column of padding, no two of the 32 lanes share a bank, so one store takes 1 wavefront."
    )
    assert stage.effect is not None
    assert stage.effect.after < stage.effect.before
    assert "(modelled; " in stage.findChild(QLabel, "bankStageDetail").text()
    press(qtbot, slider, Key.Key_End)
    assert stage.new_layout == NewLayout(8)
    press(qtbot, slider, Key.Key_Home)
    assert (stage.new_layout, stage.sentence) == (NewLayout(), ALL_IN_ONE)


@pytest.mark.parametrize(
    ("button", "swizzle", "wavefronts"),
    [("swizzleColumn", Swizzle.COLUMN, 1), ("swizzle64", Swizzle.PIECES_64, 8), ("swizzle128", Swizzle.PIECES_128, 4)],
)
def test_that_a_swizzle_by_a_click_reflows_the_banks(
    qtbot: QtBot, stage: BankStage, show: Show, transposed: TraceRun, button: str, swizzle: Swizzle, wavefronts: int
) -> None:
    show(stage, transposed)
    qtbot.mouseClick(stage.findChild(QPushButton, button), Qt.MouseButton.LeftButton)
    assert (stage.new_layout, len(stage.cost.wavefronts)) == (NewLayout(0, swizzle), wavefronts)
    stage.set_layout(NewLayout())
    assert stage.findChild(QPushButton, "swizzleNone").isChecked()
    assert stage.sentence == ALL_IN_ONE


def test_that_words_are_somewhere_between_while_they_move_to_another_layout(
    qtbot: QtBot, stage: BankStage, show: Show, transposed: TraceRun
) -> None:
    show(stage, transposed)
    before, first = canvas(stage).geometry_now().tokens[9].box, canvas(stage).place_of(9)
    assert first == before
    stage.set_layout(NewLayout(1))
    assert canvas(stage).is_reflowing
    assert canvas(stage).place_of(9).x == before.x < canvas(stage).geometry_now().tokens[9].box.x
    qtbot.waitUntil(lambda: not canvas(stage).is_reflowing)
    assert canvas(stage).place_of(9) == canvas(stage).geometry_now().tokens[9].box
    stage.set_reduced_motion(True)
    stage.set_layout(NewLayout(2))
    assert not canvas(stage).is_reflowing


def test_that_playing_goes_from_wavefront_to_wavefront_and_tells_its_end(
    qtbot: QtBot, stage: BankStage, show: Show, transposed: TraceRun, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(request_stage, "speed_for", lambda _steps: 1.0)  # with motion that no busy machine misses
    show(stage, transposed)
    stage.set_layout(NewLayout(1))
    seen: list[str] = []
    stage.request_shown.connect(lambda _: seen.append("another request"))
    with qtbot.waitSignal(stage.finished):
        qtbot.mouseClick(stage.findChild(QPushButton, "bankStagePlay"), Qt.MouseButton.LeftButton)
        assert stage.is_playing
        assert (count(stage), canvas(stage).progress) == ("0 of 1 wavefront", 0.0)
        qtbot.waitUntil(lambda: 0.0 < canvas(stage).progress < 1.0)
        stage._player.set_speed(SPEEDS[-1])
    assert (stage.is_playing, canvas(stage).progress, seen) == (False, 1.0, [])


def test_that_keys_step_play_and_choose_while_it_has_the_focus(
    qtbot: QtBot, stage: BankStage, show: Show, transposed: TraceRun
) -> None:
    show(stage, transposed)
    qtbot.mouseClick(canvas(stage), Qt.MouseButton.LeftButton)
    assert stage.hasFocus()
    press(qtbot, stage, Key.Key_Home)
    assert count(stage) == "0 of 32 wavefronts"
    press(qtbot, stage, Key.Key_Right, Key.Key_Right, Key.Key_Right, Key.Key_Left)
    assert stage._player.index == 2
    press(qtbot, stage, Key.Key_End)
    assert count(stage) == "32 wavefronts"
    press(qtbot, stage, Key.Key_Space)
    assert stage.is_playing
    press(qtbot, stage, Key.Key_Space)
    assert not stage.is_playing
    press(qtbot, stage, Key.Key_Down, Key.Key_Down, Key.Key_Up)
    assert stage.findChild(QLabel, "bankStagePlace").text() == "request 2 of 32"
    assert stage.request is not None
    assert stage.request.warp == 1


def test_that_buttons_and_the_list_choose_requests(
    qtbot: QtBot, stage: BankStage, show: Show, transposed: TraceRun
) -> None:
    show(stage, transposed)
    after, before = (stage.findChild(QToolButton, f"bankStage{name}") for name in ("Next", "Previous"))
    assert not before.isEnabled()
    qtbot.mouseClick(after, Qt.MouseButton.LeftButton)
    assert stage.findChild(QLabel, "bankStagePlace").text() == "request 2 of 32"
    sites = stage.findChild(QComboBox, "bankStageSite")
    place = next(at for at in range(sites.count()) if "load Bs" in sites.itemText(at))
    sites.setFocus()
    while sites.currentIndex() < place:
        press(qtbot, sites, Key.Key_Down)
    assert stage.request is not None
    assert (stage.request.site.array, stage.request.site.kind.value) == ("Bs", "load")
    qtbot.mouseClick(stage.findChild(QPushButton, "bankStageCostliest"), Qt.MouseButton.LeftButton)
    assert stage.sentence == ALL_IN_ONE
    stage.choose_request(999, 0)
    assert stage.sentence == ALL_IN_ONE


def test_that_reduced_motion_shows_the_end_at_once(
    qtbot: QtBot, stage: BankStage, show: Show, transposed: TraceRun
) -> None:
    show(stage, transposed)
    stage.restart()
    stage.set_reduced_motion(True)
    with qtbot.waitSignal(stage.finished):
        stage.play()
    assert (stage.is_playing, count(stage)) == (False, "32 wavefronts")


def test_that_the_array_shows_the_banks_of_its_slots_as_recorded_and_as_laid_out(
    stage: BankStage, show: Show, transposed: TraceRun
) -> None:
    show(stage, transposed)
    recorded, now = (stage.findChild(ArrayMap, name) for name in ("bankMapRecorded", "bankMapNow"))
    assert (recorded.isVisible(), now.isVisible(), recorded.marked) == (True, False, 0)
    stage.set_layout(NewLayout(1))
    assert now.isVisible()
    for each, slots in ((recorded, [0] * 32), (now, list(range(32)))):
        assert each.slots is not None
        assert each.slots.banks[:, 0].tolist() == slots
        assert each.slots.is_wanted[:, 0].all()
    assert now.tip_at(now.place().x + 1, now.place().y + 1) == "row 0, column 0: bank 0"
    stage.set_layout(NewLayout(0, Swizzle.COLUMN))
    cell = now.place().width / 32
    assert now.tip_at(1.5 * cell, 1.5 * cell) == "element [1][0], in row 1, column 1: bank 1"
    stage.set_layout(NewLayout(1))
    box = canvas(stage).geometry_now().banks[7]
    canvas(stage).bank_pointed.emit(7)
    assert now.marked == 7
    assert box.x > 0


@pytest.mark.parametrize("width", [640, 1000, 1400])
@pytest.mark.parametrize(("kernel", "size"), [("tiled_transposed", "32x32x32"), ("vectorized", "64x64x8")])
def test_that_controls_and_arrays_stay_where_they_are_whatever_is_said(
    qtbot: QtBot, stage: BankStage, show: Show, recorded: Callable[..., TraceRun], width: int, kernel: str, size: str
) -> None:
    show(stage, recorded(kernel, size))
    stage.resize(width, 700)
    for _ in range(3):  # a layout within a layout takes its place in the next turn
        QApplication.processEvents()
    stage.set_reduced_motion(True)
    names = ("paddingSlider", "swizzleChoice", "bankStageSite", "bankStagePrevious", "bankStageNext", "bankStagePlay")
    controls = [stage.findChild(QWidget, name) for name in names]
    second_array = stage.findChild(QWidget, "bankMapNow")
    places, arrays = set(), set()  # a wider array has smaller slots, so its height depends on the padding
    for request in range(2):
        for padding in (0, 1, 8):
            for swizzle in Swizzle:
                stage.set_layout(NewLayout(padding, swizzle))
                qtbot.waitUntil(lambda: stage.effect is not None)
                stage.layout().activate()
                QApplication.processEvents()
                places.add(tuple(control.mapTo(stage, QPoint()).toTuple() for control in controls))
                if padding and second_array.isVisible():
                    arrays.add((request, padding, second_array.y()))
        press(qtbot, stage, Key.Key_A if request == 0 else Key.Key_Down)
    assert len(places) == 1
    assert len({(request, padding) for request, padding, _ in arrays}) == len(arrays)


def test_that_a_word_tells_its_element_in_any_layout(stage: BankStage, show: Show, transposed: TraceRun) -> None:
    show(stage, transposed)
    stage.set_layout(NewLayout(1))
    picture, token = canvas(stage), canvas(stage).geometry_now().tokens[5]
    at = QPoint(round(picture.area.x + token.box.middle_x), round(picture.area.y + token.box.middle_y))
    QApplication.sendEvent(picture, QHelpEvent(QHelpEvent.Type.ToolTip, at, picture.mapToGlobal(at)))
    assert QToolTip.text() == "bank 5, wavefront 1: As[5,0], lane 5"


def test_that_an_array_of_one_row_cannot_be_laid_out(
    stage: BankStage, show: Show, recorded: Callable[..., TraceRun]
) -> None:
    show(stage, recorded("dot", "1x1x256"))
    assert stage.request is not None
    assert not stage.findChild(QSlider, "paddingSlider").isEnabled()
    before = stage.sentence
    stage.set_layout(NewLayout(3, Swizzle.PIECES_128))
    assert stage.sentence == before


def test_that_a_block_without_shared_memory_says_so(
    qtbot: QtBot, stage: BankStage, show: Show, recorded: Callable[..., TraceRun]
) -> None:
    show(stage, recorded("naive", "16x16x16"))
    assert (stage.sentence, stage.request) == (NO_SHARED, None)
    button = stage.findChild(QPushButton, "bankStageSectors")
    assert button.isVisibleTo(stage)
    with qtbot.waitSignal(stage.sectors_asked):
        button.click()
    assert not stage.twin(LIGHT).findChild(QPushButton, "bankStageSectors").isVisibleTo(stage), "no part of a slide"
    with qtbot.waitSignal(stage.finished):
        stage.play()
    press(qtbot, stage, Key.Key_Right, Key.Key_Down, Key.Key_Home, Key.Key_End)
    assert not stage.findChild(QPushButton, "bankStagePlay").isEnabled()


def test_that_a_fault_is_told(
    qtbot: QtBot,
    stage: BankStage,
    transposed: TraceRun,
    block_of: Callable[[TraceRun], BlockTrace],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(*_: object) -> None:
        raise MemoryError("no room")

    monkeypatch.setattr(bank_stage, "shared_requests", fail)
    stage.show_block(transposed, block_of(transposed))
    qtbot.waitUntil(lambda: stage.sentence != LOOKING)
    assert stage.sentence == "The requests of this block cannot be shown: no room."


def test_that_the_controls_can_be_left_out_and_have_names(stage: BankStage, show: Show, transposed: TraceRun) -> None:
    show(stage, transposed)
    names = "paddingSlider", "bankStageSite", "bankStagePrevious", "bankStageNext", "bankStagePlay", "bankStageRestart"
    for name in (*names, "bankStageEnd", "bankStageCostliest", "swizzleNone", "swizzle128"):
        control = stage.findChild(QWidget, name)
        assert control.isVisible()
        assert control.toolTip()
        assert control.accessibleName()
    stage.set_controls_visible(False)
    assert not any(stage.findChild(QWidget, name).isVisible() for name in names)
    assert canvas(stage).isVisible()
    assert canvas(stage).accessibleName() == ALL_IN_ONE


def test_that_the_name_of_another_layout_stands_next_to_its_own_array(
    stage: BankStage, show: Show, transposed: TraceRun
) -> None:
    show(stage, transposed)
    stage.set_layout(NewLayout(1))
    QApplication.processEvents()
    recorded, now = (stage.findChild(ArrayMap, name) for name in ("bankMapRecorded", "bankMapNow"))
    name = stage._aside._names[1]
    assert name.text() == "Padding 1"
    assert name.alignment() & Qt.AlignmentFlag.AlignBottom
    line = name.fontMetrics().height()
    above = name.geometry().bottom() - line - recorded.geometry().bottom()
    below = now.geometry().top() - name.geometry().bottom()
    assert 0 < below < above


def test_that_a_narrow_stage_leaves_the_arrays_out(
    qtbot: QtBot, stage: BankStage, show: Show, transposed: TraceRun
) -> None:
    show(stage, transposed)
    assert stage.minimumSizeHint().width() <= 674
    aside = stage.findChild(ArrayMap, "bankMapRecorded")
    assert aside.isVisible()
    stage.set_controls_visible(False)
    stage.resize(700, 500)
    qtbot.waitUntil(lambda: stage.minimumWidth() <= 540)
    stage.resize(540, 500)
    qtbot.waitUntil(lambda: not aside.isVisible())


def test_that_both_themes_paint_conflicts_in_their_own_colour(
    stage: BankStage, show: Show, transposed: TraceRun
) -> None:
    show(stage, transposed)
    for theme in (LIGHT, DARK):
        stage.set_theme(theme)
        picture = canvas(stage)
        image = picture.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
        first, last = picture.geometry_now().tokens[0].box, picture.geometry_now().tokens[-1].box
        for box, colour in ((first, theme.accent), (last, theme.hazard)):
            at = int(picture.area.x + box.x + 2), int(picture.area.y + box.middle_y)
            assert image.pixelColor(*at).name() == colour


def test_that_the_small_form_is_the_same_picture_finished(
    qtbot: QtBot, transposed: TraceRun, stage: BankStage, show: Show
) -> None:
    show(stage, transposed)
    small = BankCanvas(LIGHT, is_small=True)
    qtbot.addWidget(small)
    small.resize(288, 96)
    small.show_request(stage.request, stage.cost)
    assert (small.progress, small.geometry_now().lanes) == (32.0, ())
    assert [token.word for token in small.geometry_now().tokens] == [
        token.word for token in canvas(stage).geometry_now().tokens
    ]
    assert np.all([token.box.bottom <= 96 for token in small.geometry_now().tokens])
