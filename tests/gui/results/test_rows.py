"""Runs as rows: what stands in a cell, what it sorts by, what a run is compared with."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, timedelta, timezone

import pytest

from gemmviz.domain.device import Device
from gemmviz.domain.runs.result import NO_ERROR_MAP, RunError, RunResult, Session, WorstElement
from gemmviz.domain.terms import StopReason
from gemmviz.explain.runs.cells import NOTHING
from gemmviz.explain.runs.columns import COLUMNS, PLACE, Key
from gemmviz.explain.runs.rows import (
    DID_NOT_RUN,
    TIME_COLUMNS,
    items_in_order,
    reason_of,
    row_of,
)

Make = Callable[..., RunResult]


def test_that_every_column_says_what_it_means_and_every_time_is_measured() -> None:
    assert [column.key for column in COLUMNS] == list(Key)
    assert all(column.meaning and column.title and column.width > 0 for column in COLUMNS)
    assert {column.evidence for column in COLUMNS if column.key in (*TIME_COLUMNS, Key.IQR)} == {"measured"}
    assert all(str(column.evidence) in column.tip for column in COLUMNS if column.evidence)


def test_that_a_run_fills_its_cells(make_result: Make) -> None:
    row = row_of(make_result(ms=(1.0, 1.5, 2.0, 3.0, 4.0), sweep=3, seed=7), UTC)
    texts = {column.key: cell.text for column, cell in zip(COLUMNS, row.cells, strict=True)}
    assert texts[Key.KERNEL] == "tiled"
    assert texts[Key.PARAMS] == "TILE=16"
    assert texts[Key.SIZE] == "64×48×32"
    assert texts[Key.MEDIAN] == "2.00 ms"
    assert texts[Key.IQR] == "1.50 ms"
    assert texts[Key.HOST_CLOCK] == "2.50 ms"
    assert (texts[Key.MOVED_IN], texts[Key.MOVED_OUT], texts[Key.END_TO_END]) == ("250 µs", "125 µs", "4.00 ms")
    assert (texts[Key.SEED], texts[Key.SWEEP], texts[Key.FINISHED]) == ("7", "3", "")
    assert texts[Key.PASSED] == "passed"
    assert row.cell(Key.MEDIAN).value == 2.0


@pytest.mark.parametrize(
    ("ms", "stopped_by", "text"),
    [
        ((2.0, 2.0), StopReason.STEADY, "2"),
        ((1.0, 2.0, 9.0), StopReason.STEADY, "3 ~"),
        ((2.0,), StopReason.TIME_LIMIT, "1 *"),
        ((1.0, 2.0, 9.0), StopReason.TIME_LIMIT, "3 ~*"),
        ((0.001, 0.002, 0.009), StopReason.STEADY, "3"),
    ],
)
def test_that_marks_stand_at_the_number_of_samples(
    make_result: Make, ms: tuple[float, ...], stopped_by: StopReason, text: str
) -> None:
    cell = row_of(make_result(ms=ms, stopped_by=stopped_by)).cell(Key.SAMPLES)
    assert cell.text == text
    assert cell.value == len(ms)
    assert ("noisy" in cell.tip) == ("~" in text)
    assert ("time limit reached" in cell.tip) == ("*" in text)


def test_that_a_wrong_result_is_said_in_a_word(make_result: Make) -> None:
    row = row_of(make_result(passed=False, max_error_over_ug=math.nan, unwritten=3))
    assert row.is_wrong
    assert row.cell(Key.PASSED).text == "WRONG"
    assert "Never written: 3 elements of C" in row.cell(Key.PASSED).tip
    assert row.cell(Key.ERROR).order is None, "what is no number sorts as missing"
    worst = (WorstElement(1, 2, math.nan, 2.0, math.nan),)
    tip = row_of(replace(make_result(passed=False), error_map=replace(NO_ERROR_MAP, worst=worst))).cell(Key.PASSED).tip
    assert "C[1,2] = nan, expected 2\nPress Record to search this kernel" in tip


def test_that_what_did_not_run_gives_its_reason_in_one_line() -> None:
    error = RunError("tiled", "tiled: too\n large", (("TILE", 32),), "3x4x5", "2026-01-02T03:04:05Z")
    row = row_of(error, UTC)
    assert row.failed
    assert reason_of(error) == "too large"
    assert row.cell(Key.PASSED).text == DID_NOT_RUN
    assert row.cell(Key.PASSED).tip == "too large"
    assert row.cell(Key.FINISHED).text == "2026-01-02 03:04"
    assert row.cell(Key.MEDIAN) is NOTHING


def test_that_a_time_is_shown_where_the_person_is(make_result: Make) -> None:
    row = row_of(make_result(finished="2026-01-02T23:30:00Z"), timezone(timedelta(hours=2)))
    assert row.cell(Key.FINISHED).text == "2026-01-03 01:30"
    assert row.cell(Key.FINISHED).value == "2026-01-02T23:30:00Z"


@pytest.mark.parametrize("finished", ["", "soon", "9999-12-31T23:59:59Z"])
def test_that_a_time_that_is_none_breaks_nothing(make_result: Make, finished: str) -> None:
    row = row_of(make_result(finished=finished), timezone(timedelta(hours=2)))
    assert row.cell(Key.FINISHED).text == finished


def order(rows: list[RunResult | RunError], key: Key) -> list[object]:
    """The values of a column in the order they sort in."""
    cells = [row_of(row, UTC).cell(key) for row in rows]
    known = [cell for cell in cells if cell.order is not None]
    return [cell.text for cell in sorted(known, key=lambda cell: cell.order or ())]


def test_that_figures_sort_as_figures(make_result: Make) -> None:
    runs = [make_result(ms=(value,) * 3) for value in (10.0, 9.0, 0.001, math.pi)]
    assert order(list(runs), Key.MEDIAN) == ["1.00 µs", "3.14 ms", "9.00 ms", "10.0 ms"]


def test_that_parameters_sort_by_their_values_and_sizes_by_their_work(make_result: Make) -> None:
    tiles = [make_result(params=(("TILE", tile),)) for tile in (32, 4, 16)]
    assert order(list(tiles), Key.PARAMS) == ["TILE=4", "TILE=16", "TILE=32"]
    sizes: list[RunResult | RunError] = [make_result(shape=shape) for shape in ("100x100x1", "9x9x9", "64x64x64")]
    sizes.append(RunError("tiled", "why", size="no size"))
    assert order(sizes, Key.SIZE) == ["9×9×9", "100×100×1", "64×64×64", "no size"]


def test_that_runs_and_errors_stand_in_the_order_they_came(make_result: Make, host: Device) -> None:
    early, late = make_result(finished="2026-01-01T00:00:00Z"), make_result(finished="2026-01-03T00:00:00Z")
    between = RunError("naive", "why", finished="2026-01-02T00:00:00Z")
    timeless = RunError("naive", "why")
    session = Session("", "1", host, 0.0, (early, late), (between, timeless))
    assert items_in_order(session) == [early, between, timeless, late]
    longer = replace(session, runs=(early, late, make_result()), errors=(between, timeless, RunError("x", "y")))
    assert [item for item in items_in_order(longer) if item in (early, between, timeless, late)] == items_in_order(
        session
    )


def test_that_the_table_of_places_is_right() -> None:
    assert all(COLUMNS[place].key is key for key, place in PLACE.items())
