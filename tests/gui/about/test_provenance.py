"""Figures say where they were measured."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from scheduling import written

from gemmviz.domain.device import Device
from gemmviz.domain.runs.result import ErrorMap, RunResult
from gemmviz.explain.figures.error_map import error_picture
from gemmviz.explain.figures.run_facts import facts_of, notes_of
from gemmviz.explain.runs.block_schedule import ScheduleFigure
from gemmviz.explain.runs.columns import COLUMNS, Key
from gemmviz.explain.runs.provenance import measured_on
from gemmviz.explain.runs.rows import row_of
from gemmviz.gui.figures.last_run import run_section

Make = Callable[..., RunResult]
MORNING, EVENING, NEXT = "2026-11-21T06:00:00+00:00", "2026-11-21T20:00:00+00:00", "2026-11-22T01:00:00+00:00"


def test_that_each_device_is_named_once_with_its_days(make_result: Make, host: Device) -> None:
    gpu = replace(host, name="NVIDIA H200", driver="580")
    runs = [replace(make_result(), device=gpu, finished=when) for when in (MORNING, EVENING, NEXT)]
    assert measured_on(runs[:2]) == ("measured on NVIDIA H200, driver 580, 2026-11-21",)
    other = replace(make_result(backend="host"), finished=NEXT)
    (words,) = measured_on([*runs, other])
    assert (
        words == "measured on NVIDIA H200, driver 580, 2026-11-21 to 2026-11-22; on Device host, driver 1, 2026-11-22"
    )


def test_that_runs_without_a_date_say_nothing(make_result: Make) -> None:
    assert measured_on([make_result()]) == ()


def test_that_charts_and_figures_say_it(make_result: Make) -> None:
    run = replace(make_result(), finished=MORNING)
    assert notes_of(facts_of([run]))[0] == "measured on Device pocl, driver 1, 2026-11-21"
    assert "Measured on Device pocl, driver 1, 2026-11-21." in run_section(run).note


def test_that_the_results_table_says_it_of_each_run(make_result: Make) -> None:
    row = row_of(replace(make_result(), finished=MORNING))
    cell = next(cell for column, cell in zip(COLUMNS, row.cells, strict=True) if column.key is Key.DEVICE)
    assert cell.tip.splitlines()[0] == "Device pocl, driver 1, 2026-11-21"


def test_that_a_map_of_errors_says_it(make_result: Make) -> None:
    run = replace(make_result(), finished=MORNING)
    values = np.ones(1, np.float32)
    mapped = replace(run, error_map=ErrorMap(1, 1, run.spec.shape.m, run.spec.shape.n, values, ()))
    assert error_picture(mapped).notes[0] == "measured on Device pocl, driver 1, 2026-11-21"
    exact = replace(mapped, error_map=replace(mapped.error_map, values=np.zeros(1, np.float32)))
    assert error_picture(exact).empty.endswith("Measured on Device pocl, driver 1, 2026-11-21.")


def test_that_a_schedule_says_it_once(host: Device) -> None:
    gpu = replace(host, name="NVIDIA H200", driver="580")
    made = replace(written([(0, 0, 4), (1, 0, 6)]), device=gpu, finished="")
    assert ScheduleFigure(made).notes[0] == "measured on NVIDIA H200, driver 580"
    notes = ScheduleFigure(replace(made, finished=MORNING)).notes
    assert notes[0] == "measured on NVIDIA H200, driver 580, 2026-11-21"
    assert not any("H200" in note for note in notes[1:])
