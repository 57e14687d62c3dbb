"""The coalescing stage, by clicks and keys."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QFontMetricsF, QHelpEvent, QImage
from PySide6.QtWidgets import QApplication, QPushButton, QToolTip, QWidget
from pytestqt.qtbot import QtBot

from gemmviz.catalogue.examples import examples_folder
from gemmviz.domain.recordings.access import AccessKind, BlockTrace, Space
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.session.session import load_session
from gemmviz.explain.requests.request_choice import LaneRequest
from gemmviz.gui.looks.theme import DARK, LIGHT, Theme
from gemmviz.gui.stages.coalescing_stage import CoalescingStage
from gemmviz.gui.stages.sector_canvas import SectorCanvas, unused_colour
from gemmviz.trace.model.sectors import global_cost

LANES = np.arange(32, dtype=np.int64)
BlockOf = Callable[[TraceRun], BlockTrace]


@pytest.fixture
def stage(qtbot: QtBot) -> CoalescingStage:
    made = CoalescingStage(LIGHT)
    qtbot.addWidget(made)
    made.resize(900, 560)
    made.show()
    return made


@pytest.fixture
def uncoalesced(
    qtbot: QtBot, stage: CoalescingStage, recorded: Callable[..., TraceRun], block_of: BlockOf
) -> CoalescingStage:
    """With a block whose loads of A go down its rows."""
    run = recorded("naive_uncoalesced", "32x32x32")
    stage.show_block(run, block_of(run))
    qtbot.waitUntil(lambda: not stage.is_busy)
    return stage


def canvas(stage: CoalescingStage) -> SectorCanvas:
    return stage.findChild(SectorCanvas)


def test_that_the_request_that_wastes_most_is_chosen(uncoalesced: CoalescingStage) -> None:
    request = uncoalesced.request
    assert request is not None
    assert (request.site.array, len(uncoalesced.cost.sectors)) == ("A", 16)
    assert uncoalesced.sentence == (
        "32 lanes touch 16 sectors of 32 bytes: 64 of 512 bytes fetched are used, 448 are not."
    )
    assert canvas(uncoalesced).count_words == ("16 sectors", "64 of 512 bytes used", True)


def test_that_sectors_that_serve_many_lanes_are_no_waste(
    qtbot: QtBot, stage: CoalescingStage, recorded: Callable[..., TraceRun], block_of: BlockOf
) -> None:
    run = recorded("naive", "32x32x512")
    stage.show_block(run, block_of(run))
    qtbot.waitUntil(lambda: not stage.is_busy)
    assert len(stage.cost.sectors) == 2, "two rows of A, a sector each, with one element for 16 lanes"
    assert canvas(stage).count_words == ("2 sectors", "8 of 64 bytes used", False)


def test_that_sectors_are_counted_with_their_bytes_as_they_come(qtbot: QtBot, uncoalesced: CoalescingStage) -> None:
    uncoalesced.setFocus()
    qtbot.keyClick(uncoalesced, Qt.Key.Key_Home)
    assert canvas(uncoalesced).count_words[:2] == ("0 of 16 sectors", "")
    uncoalesced.set_reduced_motion(True)
    for _ in range(6):
        qtbot.keyClick(uncoalesced, Qt.Key.Key_Right)
    assert canvas(uncoalesced).count_words[:2] == ("6 of 16 sectors", "24 of 192 bytes used")
    with qtbot.waitSignal(uncoalesced.finished):
        qtbot.mouseClick(uncoalesced.findChild(QPushButton, "coalescingStagePlay"), Qt.MouseButton.LeftButton)
    assert canvas(uncoalesced).count_words[0] == "16 sectors"


def test_that_a_sector_tells_what_of_it_is_used(uncoalesced: CoalescingStage) -> None:
    picture, geometry = canvas(uncoalesced), canvas(uncoalesced).geometry_now()
    assert geometry is not None
    for box, words in (
        (geometry.order[3].box, "A[3,0]: 4 of 32 bytes used, lanes 3 and 19"),
        (
            geometry.lines[3].sectors[2].box,
            "an untouched sector, drawn narrower although it also has 32 bytes",
        ),
    ):
        at = QPoint(round(picture.area.x + box.middle_x), round(picture.area.y + box.middle_y))
        QApplication.sendEvent(picture, QHelpEvent(QHelpEvent.Type.ToolTip, at, picture.mapToGlobal(at)))
        assert QToolTip.text() == words


def test_that_a_copy_past_l1_is_shown_with_what_is_sent(
    qtbot: QtBot, stage: CoalescingStage, block_of: BlockOf
) -> None:
    traces = load_session(examples_folder() / "gpu-feeding.gemmviz").traces
    run = next(trace for trace in traces if trace.spec.kernel == "mma_tf32")
    stage.show_block(run, block_of(run))
    qtbot.waitUntil(lambda: not stage.is_busy)
    assert (len(stage.cost.sectors), stage.cost.counted, stage.cost.sent) == (16, 18, 24)
    assert stage.sentence.endswith(
        "This copy past L1 counts as 18 sectors, and L2 sends 24, because its targets are not aligned to sectors."
    )
    assert not canvas(stage).grab().isNull()


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize(("name", "role"), [("A", "a"), ("B", "b"), ("C", "c"), ("D", "c")])
def test_that_used_bytes_have_the_colour_of_their_matrix_and_others_are_hatched(
    qtbot: QtBot, request_of: Callable[..., LaneRequest], theme: Theme, name: str, role: str
) -> None:
    picture = SectorCanvas(theme)
    qtbot.addWidget(picture)
    picture.resize(900, 400)
    request = request_of(128 * LANES, Space.GLOBAL, AccessKind.LOAD, name=name)
    picture.show_request(request, global_cost(request.addresses, 4))
    geometry = picture.geometry_now()
    assert geometry is not None
    box, (part,) = geometry.order[5].box, geometry.order[5].parts

    def colours(top: float, bottom: float) -> set[str]:
        image = picture.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
        x = int(picture.area.x + box.x + 2)
        return {image.pixelColor(x, int(picture.area.y + y)).name() for y in np.arange(top + 2, bottom - 2)}

    assert getattr(theme, role) not in colours(part.box.y, box.bottom)
    picture.set_progress(6.0)
    assert colours(part.box.y, part.box.bottom) == {getattr(theme, role)}
    assert {theme.field, unused_colour(theme)} <= colours(part.box.bottom, box.bottom)


def test_that_nothing_is_told_as_such(
    qtbot: QtBot, stage: CoalescingStage, request_of: Callable[..., LaneRequest]
) -> None:
    assert (stage.request, stage.cost.sectors) == (None, ())
    assert not stage.findChild(QWidget, "coalescingStagePlay").isEnabled()
    small = SectorCanvas(LIGHT, is_small=True)
    qtbot.addWidget(small)
    small.resize(288, 96)
    idle = request_of(np.full(32, -1, np.int64), Space.GLOBAL, name="A")
    small.show_request(idle, global_cost(idle.addresses, 4))
    assert (small.steps, small.count_words) == (0, ("", "", False))
    assert not small.grab().isNull()
    busy = request_of(4 * LANES, Space.GLOBAL, name="A")
    small.show_request(busy, global_cost(busy.addresses, 4))
    assert small.progress == 4.0


@pytest.mark.parametrize("kernel", ["naive", "naive_uncoalesced"])
def test_that_an_element_is_named_where_its_bytes_lie(
    qtbot: QtBot, stage: CoalescingStage, recorded: Callable[..., TraceRun], block_of: BlockOf, kernel: str
) -> None:
    run = recorded(kernel, "32x32x32")
    stage.show_block(run, block_of(run))
    qtbot.waitUntil(lambda: not stage.is_busy)
    for site in run.sites:
        stage.choose_request(site.index, 0)
        picture = canvas(stage)
        geometry, request = picture.geometry_now(), stage.request
        assert geometry is not None
        assert request is not None
        labels = picture.element_labels(geometry, QFontMetricsF(picture.font()))
        assert labels
        for box, says in labels:
            begins = [
                part.box.x
                for sector in geometry.order
                for part in sector.parts
                if sector.sector is not None and request.element_at(sector.sector.begin + part.offset) == says
            ]
            assert box.x == min(begins) or box.right >= picture.area.width


@pytest.mark.parametrize("width", [420, 700, 1100])
def test_that_lines_are_named_in_one_step(
    qtbot: QtBot, stage: CoalescingStage, recorded: Callable[..., TraceRun], block_of: BlockOf, width: int
) -> None:
    run = recorded("naive_uncoalesced", "32x32x32")
    stage.show_block(run, block_of(run))
    qtbot.waitUntil(lambda: not stage.is_busy)
    stage.choose_request(next(site.index for site in run.sites if site.text.startswith("A[")), 0)
    picture = canvas(stage)
    picture.resize(width, 300)
    geometry = picture.geometry_now()
    assert geometry is not None
    labels = picture.element_labels(geometry, QFontMetricsF(picture.font()))
    rows = [int(re.findall(r"\d+", says)[0]) for _, says in labels]
    assert len(rows) > 2
    assert len(set(np.diff(rows).tolist())) == 1
    assert all(after.x >= before.right for (before, _), (after, _) in pairwise(labels))
