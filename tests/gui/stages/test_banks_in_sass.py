"""The bank stage where a GPU's machine code has other requests than the recorded PTX."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QLabel, QPushButton
from pytestqt.qtbot import QtBot

from gemmviz.domain.recordings.access import BlockTrace, Space
from gemmviz.domain.recordings.machine_accesses import (
    AccessSort,
    LineAccesses,
    MachineAccesses,
    MergedRequests,
    WidthCount,
)
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.terms import CodeForm
from gemmviz.explain.requests.block_requests import BlockRequests, RequestsOfSite, requests_to
from gemmviz.explain.requests.machine_requests import MachineRequests, RequestCode, machine_requests, shared_requests
from gemmviz.explain.requests.request_choice import LaneRequest
from gemmviz.explain.requests.what_if import NewLayout
from gemmviz.gui.looks.theme import LIGHT
from gemmviz.gui.stages.bank_canvas import BankCanvas
from gemmviz.gui.stages.bank_stage import BankStage
from gemmviz.gui.stages.code_choice import CODE_KEYS, IN_OTHER_LAYOUT
from gemmviz.gui.stages.request_inspector import RequestInspector
from gemmviz.trace.frames.frames import Frames
from gemmviz.trace.frames.plan import FrameMode
from gemmviz.trace.model.wavefronts import shared_cost

Show = Callable[[BankStage, TraceRun], None]


@pytest.fixture
def stage(qtbot: QtBot) -> BankStage:
    made = BankStage(LIGHT)
    qtbot.addWidget(made)
    return made


@pytest.fixture
def show(qtbot: QtBot, block_of: Callable[[TraceRun], BlockTrace]) -> Show:
    def shown(stage: BankStage, run: TraceRun) -> None:
        stage.show_block(run, block_of(run))
        qtbot.waitUntil(lambda: not stage.is_busy)

    return shown


def picture(stage: BankStage) -> BankCanvas:
    return stage.findChild(BankCanvas)


def merged_at(run: TraceRun, line: int, *, excess: int = 0, is_known: bool = True) -> TraceRun:
    """The same recording, of which the assembler merged the shared stores of a line, four to one."""
    narrow, wide = (WidthCount(4, 4),), (WidthCount(16, 1),)
    machine = MachineAccesses("sm_90a", "NVRTC 13.5", (LineAccesses(line, AccessSort.SHARED_STORES, narrow, wide),))
    cost = MergedRequests((line,), AccessSort.SHARED_STORES, 2, 8 + 2 * excess, 8, 8, 256, 8)
    return replace(run, machine=replace(machine, merged=(cost,)) if is_known else machine)


@pytest.fixture(scope="module")
def merged(nvrtc: None, recorded: Callable[..., TraceRun]) -> TraceRun:
    """Line 75 loads As: PTX in 512 requests with a conflict each, SASS in 128 requests of 16 bytes without any."""
    del nvrtc
    return recorded("register_2d", "64x64x16", form=CodeForm.AS_COMPILED)


def site(stage: BankStage, line: int) -> int:
    assert stage.request is not None
    places = stage.findChild(QComboBox, "bankStageSite")
    return next(at for at in range(places.count()) if places.itemText(at).startswith(str(line)))


def choose_line(stage: BankStage, line: int) -> None:
    places = stage.findChild(QComboBox, "bankStageSite")
    places.setCurrentIndex(site(stage, line))
    places.activated.emit(places.currentIndex())


def switch(stage: BankStage, code: str) -> QPushButton:
    return stage.findChild(QPushButton, f"bankStage{code}")


def test_that_requests_are_drawn_as_sass_has_them_with_the_figures_derived_for_it(
    stage: BankStage, show: Show, merged: TraceRun
) -> None:
    show(stage, merged)
    choose_line(stage, 75)
    assert stage.request is not None
    assert merged.machine is not None
    (cost,) = merged.machine.merged
    assert (stage.code, picture(stage).code) == (RequestCode.SASS, "SASS")
    assert (stage.request.site.text, stage.request.site.width_bytes) == ("LDS.128", 16)
    assert len(stage.cost.wavefronts) == cost.wavefronts / cost.requests == 2
    assert picture(stage).count_words == ("2 wavefronts", "no bank conflict (derived)", False)
    assert stage.sentence.endswith("ptxas merged 4 requests of the PTX (line 75) into this one (derived).")
    assert stage.findChild(QLabel, "bankStagePlace").text() == f"request 1 of {cost.requests}"


def test_that_the_switch_draws_the_same_request_as_the_ptx_has_it(
    qtbot: QtBot, stage: BankStage, show: Show, merged: TraceRun
) -> None:
    show(stage, merged)
    choose_line(stage, 75)
    before = stage.request
    assert before is not None
    qtbot.mouseClick(switch(stage, "PTX"), Qt.MouseButton.LeftButton)
    request = stage.request
    assert request is not None
    assert (request.site.width_bytes, request.warp, request.site.line) == (4, before.warp, 75)
    assert request.addresses[0] == before.addresses[0]
    assert picture(stage).count_words == ("PTX: 2 wavefronts", "SASS: 2 wavefronts, no bank conflict (derived)", True)
    assert stage.sentence.startswith("In SASS the shared loads of line 75 are merged")
    qtbot.keyClick(stage, Qt.Key.Key_M)
    assert stage.request is not None
    assert (stage.request.addresses == before.addresses).all()


def test_that_all_requests_drawn_for_sass_cost_what_the_figures_say(
    block_of: Callable[[TraceRun], BlockTrace], merged: TraceRun
) -> None:
    block = block_of(merged)
    found = machine_requests(merged, block)
    assert found is not None
    assert merged.machine is not None
    (cost,) = merged.machine.merged
    requests = shared_requests(block, found)
    drawn = [each for each in requests[RequestCode.SASS].sites if found.is_merged(each.site)]
    costs = [
        shared_cost(request.addresses, request.site.width_bytes, request.site.kind)
        for each in drawn
        for at in range(len(each))
        if (request := requests[RequestCode.SASS].request(each.site.index, at)) is not None
    ]
    assert (len(costs), sum(len(one.wavefronts) for one in costs)) == (cost.requests, cost.wavefronts)
    pieces = {
        (p.warp, p.slot) for each in drawn for at in range(len(each)) for p in pieces_at(found, requests, each, at)
    }
    assert len(pieces) == cost.requests_before


def pieces_at(
    found: MachineRequests, requests: dict[RequestCode, BlockRequests], each: RequestsOfSite, at: int
) -> tuple[LaneRequest, ...]:
    request = requests[RequestCode.SASS].request(each.site.index, at)
    assert request is not None
    return found.pieces_of(request)


def test_that_another_layout_is_tried_with_the_requests_of_the_ptx(
    stage: BankStage, show: Show, merged: TraceRun
) -> None:
    show(stage, merged)
    choose_line(stage, 75)
    stage.set_layout(NewLayout(1))
    assert stage.code is RequestCode.PTX
    assert not switch(stage, "SASS").isEnabled()
    assert IN_OTHER_LAYOUT in switch(stage, "SASS").toolTip()
    assert picture(stage).count_words[1] == "SASS has other requests here"
    stage.set_layout(NewLayout())
    assert stage.code is RequestCode.SASS
    assert stage.request is not None
    assert stage.request.site.text == "LDS.128"


def test_that_the_presented_stage_has_the_code_and_gives_it_back(
    stage: BankStage, show: Show, merged: TraceRun, qtbot: QtBot
) -> None:
    show(stage, merged)
    choose_line(stage, 75)
    twin = stage.twin(LIGHT)
    qtbot.addWidget(twin)
    assert isinstance(twin, BankStage)
    assert twin.code is RequestCode.SASS
    assert CODE_KEYS in twin.key_words
    twin.show_code(RequestCode.PTX)
    stage.follow(twin)
    assert stage.request is not None
    assert (stage.code, stage.request.site.width_bytes) == (RequestCode.PTX, 4)


def test_that_a_recorded_request_is_found_among_those_of_sass(
    stage: BankStage, block_of: Callable[[TraceRun], BlockTrace], merged: TraceRun, qtbot: QtBot
) -> None:
    block = block_of(merged)
    recorded = requests_to(block, Space.SHARED)
    (loads,) = [each for each in recorded.sites if each.site.line == 75]
    stage.show_block(merged, block)
    stage.choose_request(loads.site.index, 40)  # while requests are gathered
    qtbot.waitUntil(lambda: not stage.is_busy)
    piece = recorded.request(loads.site.index, 40)
    assert stage.request is not None
    assert piece is not None
    assert stage.request.site.text == "LDS.128"
    assert 0 <= piece.addresses[0] - stage.request.addresses[0] < 16


def test_that_no_switch_is_there_where_sass_merged_nothing(
    stage: BankStage, show: Show, transposed: TraceRun, merged: TraceRun
) -> None:
    show(stage, merged)
    assert not switch(stage, "SASS").parentWidget().parentWidget().isHidden()
    show(stage, transposed)
    assert switch(stage, "SASS").parentWidget().parentWidget().isHidden()
    assert stage.code is RequestCode.PTX


def test_that_this_request_is_the_merged_one_and_its_switch_shows_the_recorded_one(
    qtbot: QtBot, block_of: Callable[[TraceRun], BlockTrace], merged: TraceRun
) -> None:
    inspector, block = RequestInspector(LIGHT), block_of(merged)
    qtbot.addWidget(inspector)
    found = machine_requests(merged, block)
    frames = Frames(block, FrameMode.REQUEST)
    slot = int(
        np.flatnonzero(
            block.slot_site == next(s.index for s in block.sites if s.line == 75 and s.space is Space.SHARED)
        )[0]
    )
    inspector.show_frame(frames.frame(frames.frame_at(slot, 0)), block, merged.machine, found)
    assert inspector.request is not None
    assert inspector.request.site.width_bytes == 16
    assert "ptxas merged 4 requests" in inspector.findChild(QLabel, "requestSentence").text()
    inspector.findChild(QPushButton, "requestPTX").click()
    assert inspector.request is not None
    assert inspector.request.site.width_bytes == 4
    sentence = inspector.findChild(QLabel, "requestSentence")
    assert sentence.text().startswith("In SASS the shared loads of line 75")
    inspector.show()
    place = sentence.y()
    inspector.show_frame(frames.frame(0), block, merged.machine, found)
    assert not inspector.findChild(QPushButton, "requestPTX").isVisible()
    assert sentence.y() == place, "nothing moves while frames go by"


def test_that_no_cost_is_told_of_a_gpus_request_that_nothing_was_derived_for(
    stage: BankStage, show: Show, transposed: TraceRun
) -> None:
    show(stage, merged_at(transposed, 38, is_known=False))
    assert picture(stage).count_words == ("PTX: 32 wavefronts", "SASS has other requests here", False)
    assert "What it costs is not known." in stage.sentence


def test_that_a_request_that_a_gpu_has_as_recorded_is_told_without_its_code(
    stage: BankStage, show: Show, transposed: TraceRun
) -> None:
    show(stage, merged_at(transposed, 45))
    assert stage.sentence == "All 32 lanes need bank 0, so one store takes 32 wavefronts."
    assert picture(stage).code == ""
