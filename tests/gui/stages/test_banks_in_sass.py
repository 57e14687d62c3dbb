"""The bank stage where a GPU's machine code has other requests than the recorded PTX."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from pytestqt.qtbot import QtBot

from gemmviz.domain.recordings.access import BlockTrace
from gemmviz.domain.recordings.machine_accesses import (
    AccessSort,
    LineAccesses,
    MachineAccesses,
    MergedRequests,
    WidthCount,
)
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.explain.requests.what_if import NewLayout
from gemmviz.gui.looks.theme import LIGHT
from gemmviz.gui.stages.bank_canvas import BankCanvas
from gemmviz.gui.stages.bank_stage import BankStage

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


def test_that_what_a_gpu_runs_heads_a_request_that_its_code_has_merged(
    stage: BankStage, show: Show, transposed: TraceRun
) -> None:
    show(stage, merged_at(transposed, 38))
    assert picture(stage).count_words == (
        "SASS: 4 wavefronts",
        "no bank conflict (derived) · PTX: 32 wavefronts",
        False,
    )
    assert picture(stage).code == "PTX"
    assert stage.sentence == (
        "In SASS the shared stores of line 38 are merged: a request takes 4 wavefronts, without a bank conflict "
        "(derived). In PTX, as drawn: all 32 lanes need bank 0, so one store takes 32 wavefronts."
    )
    show(stage, merged_at(transposed, 38, excess=3))
    assert picture(stage).count_words == (
        "SASS: 7 wavefronts",
        "4 would be ideal (derived) · PTX: 32 wavefronts",
        True,
    )


def test_that_no_cost_is_told_of_a_gpus_request_that_nothing_was_derived_for(
    stage: BankStage, show: Show, transposed: TraceRun
) -> None:
    show(stage, merged_at(transposed, 38, is_known=False))
    assert picture(stage).count_words == ("PTX: 32 wavefronts", "SASS has other requests here", False)
    assert "What it costs is not known." in stage.sentence
    show(stage, merged_at(transposed, 38))
    stage.set_layout(NewLayout(1))
    assert picture(stage).count_words == ("PTX: 1 wavefront", "SASS has other requests here", False)
    assert "known as recorded only" in stage.sentence


def test_that_a_request_that_a_gpu_has_as_recorded_is_told_without_its_code(
    stage: BankStage, show: Show, transposed: TraceRun
) -> None:
    show(stage, merged_at(transposed, 45))
    assert stage.sentence == "All 32 lanes need bank 0, so one store takes 32 wavefronts."
    assert picture(stage).code == ""
