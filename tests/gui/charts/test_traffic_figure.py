import math

import pytest

from gemmviz.domain.terms import Evidence
from gemmviz.domain.trace_run import TraceRun
from gemmviz.gui.charts.figure import Look
from gemmviz.gui.charts.traffic_figure import traffic_figure, traffic_table
from gemmviz.trace.explain import totals_of


def test_that_bars_are_the_totals_of_the_recording(traces: tuple[TraceRun, TraceRun]) -> None:
    figure = traffic_figure(traces[:1])
    totals = totals_of(traces[0])
    bars = {one.look: one.values.tolist() for one in figure.series}
    assert bars == {Look.ASKED: [totals.bytes_asked], Look.FETCHED: [totals.bytes_fetched],
                    Look.IDEAL: [totals.bytes_ideal]}  # fmt: skip
    assert figure.evidence is Evidence.RECORDED
    assert figure.axis.low == 0.0
    shifts = [one.shift for one in figure.series]
    assert shifts == sorted(set(shifts))


def test_that_a_part_is_called_that_and_not_held_against_the_ideal(traces: tuple[TraceRun, TraceRun]) -> None:
    figure = traffic_figure(traces)
    assert figure.rows[1].detail.startswith("1 of 9 blocks")
    assert "not held against the ideal" in figure.rows[1].tooltip
    assert "times the ideal" in figure.rows[0].tooltip
    (ideal,) = [one for one in figure.series if one.look is Look.IDEAL]
    assert ideal.places.tolist() == [0]


def test_that_equal_recordings_are_numbered(traces: tuple[TraceRun, TraceRun]) -> None:
    assert [row.name for row in traffic_figure(traces).rows] == ["tiled", "tiled #2"]


def test_that_the_table_has_requests_and_sectors(traces: tuple[TraceRun, TraceRun]) -> None:
    whole, part = traffic_table(traces).rows
    totals = totals_of(traces[0])
    assert whole["load_requests"] == totals.global_load_requests
    assert whole["store_sectors"] == totals.global_store_sectors
    assert whole["bytes_ideal"] == totals.bytes_ideal
    assert math.isnan(part["bytes_ideal"])  # type: ignore[arg-type]
    requests = totals.global_load_requests + totals.global_store_requests
    assert whole["sectors_per_request"] == pytest.approx(totals.bytes_fetched / 32 / requests)


def test_that_without_a_recording_it_says_what_to_do() -> None:
    assert "Record" in traffic_figure([]).empty
    assert traffic_figure([]).rows == ()
