"""The colours of the slots of an array beside the banks."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from PySide6.QtWidgets import QApplication, QLabel, QWidget
from pytestqt.qtbot import QtBot

from gemmviz.domain.recordings.access import BlockTrace
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.explain.requests.what_if import NewLayout
from gemmviz.gui.looks.theme import DARK, LIGHT, WORDS_CONTRAST, Theme, contrast
from gemmviz.gui.stages.array_map import ArrayMap, padding_colour
from gemmviz.gui.stages.arrays_beside import ArraysBeside
from gemmviz.gui.stages.bank_canvas import BankCanvas
from gemmviz.gui.stages.bank_stage import BankStage
from gemmviz.gui.stages.slot_banks import SlotBanks
from gemmviz.gui.stages.stage_words import PADDING_COLUMNS


def column_colours(shown: ArrayMap) -> list[set[str]]:
    """The colours of the slots that stand out, as painted, of the first two columns of an array."""
    assert shown.slots is not None
    picture, place = shown.grab().toImage(), shown.place()
    each = place.width / shown.slots.columns
    there = {LIGHT.hazard, LIGHT.accent, LIGHT.reference}
    return [
        {
            picture.pixelColor(int((column + 0.5) * each), int((row + 0.5) * each)).name()
            for row in range(shown.slots.rows)
        }
        & there
        for column in (0, 1)
    ]


def test_that_only_what_is_needed_of_a_bank_with_a_conflict_is_red(
    qtbot: QtBot, transposed: TraceRun, block_of: Callable[[TraceRun], BlockTrace]
) -> None:
    stage = BankStage(LIGHT)
    qtbot.addWidget(stage)
    stage.resize(1000, 600)
    stage.show()
    stage.show_block(transposed, block_of(transposed))
    qtbot.waitUntil(lambda: not stage.is_busy)
    picture = stage.findChild(BankCanvas)
    recorded, now = (stage.findChild(ArrayMap, name) for name in ("bankMapRecorded", "bankMapNow"))
    legend = stage.findChild(QLabel, "bankMapLegend")
    assert column_colours(recorded) == [{LIGHT.hazard}, set()], "column 0 is needed, and all of it lies in bank 0"
    assert "bank conflict" in legend.text()
    assert "other elements" not in legend.text()
    assert PADDING_COLUMNS not in legend.text()
    picture.bank_pointed.emit(1)  # which this request does not need
    assert column_colours(recorded) == [{LIGHT.hazard}, {LIGHT.reference}]
    assert "others in bank 1" in legend.text()
    picture.bank_pointed.emit(None)
    stage.set_layout(NewLayout(1))
    assert column_colours(recorded) == [{LIGHT.hazard}, set()]
    assert column_colours(now) == [{LIGHT.accent}, {LIGHT.reference}], "a slot that is not needed has no conflict"
    assert "others in bank 0" in legend.text()
    assert PADDING_COLUMNS in legend.text(), "the outline of its column is named"
    image, place = now.grab().toImage(), now.place()
    beginning = int(place.width / 33 * 32)
    around = {image.pixelColor(beginning + by, int(place.height / 2)).name() for by in range(3)}
    assert padding_colour(LIGHT) in around, "the outline of the padding"


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_that_the_outline_of_a_padding_is_seen_in_either_theme(theme: Theme) -> None:
    assert contrast(padding_colour(theme), theme.panel) >= WORDS_CONTRAST


def test_that_an_array_uses_the_room_of_a_slide(
    qtbot: QtBot, transposed: TraceRun, block_of: Callable[[TraceRun], BlockTrace]
) -> None:
    stage = BankStage(LIGHT)
    qtbot.addWidget(stage)
    stage.show_block(transposed, block_of(transposed))
    qtbot.waitUntil(lambda: not stage.is_busy)
    picture = stage.twin(LIGHT).picture
    picture.setParent(None)
    qtbot.addWidget(picture)
    picture.resize(1920, 820)
    picture.set_magnification(1.8)
    picture.show()
    shown = picture.findChild(ArrayMap, "bankMapRecorded")
    qtbot.waitUntil(lambda: shown.place().width >= 0.9 * shown.width() > 360)


def test_that_an_array_with_padding_has_slots_as_large_as_without(
    qtbot: QtBot, transposed: TraceRun, block_of: Callable[[TraceRun], BlockTrace]
) -> None:
    stage = BankStage(LIGHT)
    qtbot.addWidget(stage)
    stage.show()
    stage.show_block(transposed, block_of(transposed))
    qtbot.waitUntil(lambda: not stage.is_busy)
    recorded, now = (stage.findChild(ArrayMap, name) for name in ("bankMapRecorded", "bankMapNow"))
    for size in ((640, 420), (800, 500), (1000, 600), (1400, 900)):
        stage.resize(*size)
        for padding in (0, 1, 2, 5):
            stage.set_layout(NewLayout(padding))
            stage.grab()
            assert recorded.slots is not None
            if padding and recorded.isHidden():
                assert now.slots is not None
                assert now.edge - now.place().width / now.slots.columns < 1, "alone, all the room"
            elif padding:
                assert now.slots is not None
                edges = {each.place().width / each.slots.columns for each in (recorded, now)}
                assert len(edges) == 1, (size, padding)
            else:
                assert recorded.edge - recorded.place().width / recorded.slots.columns < 1, "alone, all its room"


def test_that_an_array_is_never_much_smaller_because_another_layout_is_tried(
    qtbot: QtBot, transposed: TraceRun, block_of: Callable[[TraceRun], BlockTrace]
) -> None:
    stage = BankStage(LIGHT)
    qtbot.addWidget(stage)
    stage.show_block(transposed, block_of(transposed))
    qtbot.waitUntil(lambda: not stage.is_busy)
    twin = stage.twin(LIGHT)
    assert isinstance(twin, BankStage)
    picture = twin.picture
    picture.setParent(None)
    qtbot.addWidget(twin)
    qtbot.addWidget(picture)
    picture.show()
    maps = [picture.findChild(ArrayMap, name) for name in ("bankMapRecorded", "bankMapNow")]
    both = set()
    for height in (360, 420, 500, 640, 900):
        picture.resize(1280, height)
        picture.set_magnification(1.2)
        edges = []
        for padding in (0, 1):
            twin.set_layout(NewLayout(padding))
            picture.grab()
            seen = [each for each in maps if each.isVisible()]
            edges.append(min(each.place().width / each.slots.columns for each in seen if each.slots is not None))
            both |= {len(seen)} if padding else set()
        assert edges[1] >= 0.5 * edges[0], (height, edges)
    assert both == {1, 2}, "one where there is little room"


def test_that_the_legend_below_two_low_arrays_is_whole(
    qtbot: QtBot, transposed: TraceRun, block_of: Callable[[TraceRun], BlockTrace]
) -> None:
    stage = BankStage(LIGHT)
    qtbot.addWidget(stage)
    stage.resize(1000, 600)
    stage.show()
    stage.show_block(transposed, block_of(transposed))
    qtbot.waitUntil(lambda: not stage.is_busy)
    stage.set_layout(NewLayout(1))
    aside, legend = stage.findChild(ArraysBeside), stage.findChild(QLabel, "bankMapLegend")
    around = QWidget()  # a window of its own would be as large as its layout asks
    qtbot.addWidget(around)
    around.resize(300, 300)
    aside.setParent(around)
    banks = np.arange(8 * 64).reshape(8, 64) % 32
    maps = aside.findChildren(ArrayMap)
    for each in maps:
        each.show_slots(SlotBanks(banks, banks == 0, banks, 64), 0, (), "")
    aside.show()
    around.show()
    for height, seen in ((190, 1), (215, 2)):
        aside.resize(236, height)
        QApplication.processEvents()
        assert sum(each.isVisible() for each in maps) == seen
        assert legend.geometry().bottom() < height
        assert legend.height() >= legend.heightForWidth(legend.width()), "all of its lines are seen"
