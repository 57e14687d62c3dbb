"""Which columns are in sight: a GPU's only while a run has something in them; of a run made by hand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from gpu_runs import gpu_run
from PySide6.QtWidgets import QTableView
from pytestqt.qtbot import QtBot

from gemmviz.domain.device import Device
from gemmviz.domain.runs.result import RunResult, Session
from gemmviz.explain.runs.columns import PLACE, Key
from gemmviz.explain.runs.rows import row_of
from gemmviz.gui.results.table import ResultsTable
from gemmviz.gui.results.view import RunsView

GPUS = {"regs", "spills", "occup.", "clock", "power"}


def headings(table: ResultsTable) -> set[str]:
    return set(table.copy_text(whole=True).splitlines()[0].split("\t"))


def test_that_a_gpus_columns_are_in_sight_while_a_run_has_them(
    qtbot: QtBot, host: Device, make_result: Callable[..., RunResult]
) -> None:
    table, other = ResultsTable(), ResultsTable()
    for each in (table, other):
        qtbot.addWidget(each)
    without = Session("", "1", host, 0.0, (make_result(),))
    on_gpu = replace(without, runs=(*without.runs, gpu_run()))
    table.show_session(without)
    assert not GPUS & headings(table)
    table.show_session(on_gpu)
    assert headings(table) >= GPUS
    view = table.findChild(QTableView, "resultsTable")
    assert isinstance(view, RunsView)
    view.want(PLACE[Key.POWER], False)
    table.show_session(without)
    assert other.restore(table.state())
    other.show_session(on_gpu)
    assert "regs" in headings(other), "what was out of sight was not put away"
    assert "power" not in headings(other), "what a person put away stays away"


def test_that_a_gpu_is_named_and_its_id_is_in_the_tooltip_and_in_what_is_kept(
    make_result: Callable[..., RunResult],
) -> None:
    run = gpu_run()
    named = replace(run, device=replace(run.device, id="cuda:01234567", name="NVIDIA H200"))
    cell = row_of(named).cells[PLACE[Key.DEVICE]]
    assert (cell.text, cell.value) == ("H200", "cuda:01234567")
    assert cell.tip.splitlines()[-1] == "cuda:01234567"
    cpu = make_result()
    assert row_of(cpu).cells[PLACE[Key.DEVICE]].text == cpu.device.id
