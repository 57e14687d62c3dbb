"""Which runs are the newest: those of the last request, as long as its session is shown."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from pytestqt.qtbot import QtBot

from gemmviz.domain.device import Device
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.runs.result import RunResult, Session
from gemmviz.gui.charts.newest_runs import NEWEST_RECORDING
from gemmviz.gui.charts.timing_chart import TIMING_CHART
from gemmviz.gui.charts.traffic_chart import TRAFFIC_CHART
from gemmviz.gui.looks.theme import LIGHT
from gemmviz.gui.pages.pages import Pages
from gemmviz.gui.work.last_work import Asked, LastWork


@pytest.fixture
def pages(qtbot: QtBot) -> Pages:
    made = Pages(LIGHT)
    for _, widget in made.tabs:
        qtbot.addWidget(widget)
    return made


@pytest.fixture
def session(make_result: Callable[..., RunResult], host: Device) -> Session:
    return Session("", "1", host, 0.0, tuple(make_result(name) for name in ("naive", "tiled", "coarsened")))


def new_runs(pages: Pages) -> list[str]:
    figure = pages.chart(TIMING_CHART).figure
    assert figure is not None
    return [row.name for row in figure.rows if row.is_new]


def test_that_runs_stand_out_until_the_next_are_under_way(pages: Pages, session: Session) -> None:
    pages.show_session(session, ())
    for run in session.runs[1:]:
        pages.add_newest(run)
    assert new_runs(pages) == ["tiled", "coarsened"]
    asked = LastWork(1, Asked.RECORDING, ("tiled",), "8×8×8")
    pages.show_work(asked)
    assert new_runs(pages) == ["tiled", "coarsened"]
    pages.show_work(replace(asked, asked=Asked.RUN))
    assert new_runs(pages) == []


def test_that_runs_of_one_request_are_all_new(pages: Pages, session: Session) -> None:
    pages.show_session(session, ())
    work = LastWork(1, Asked.RUN, ("tiled",), "8×8×8")
    pages.show_work(work)
    pages.add_newest(session.runs[1])
    pages.show_work(replace(work, results=1))
    assert new_runs(pages) == ["tiled"]


def test_that_a_recording_stands_out_until_the_next_is_under_way(
    pages: Pages, session: Session, make_recording: Callable[..., TraceRun]
) -> None:
    first = make_recording()
    second = replace(first, spec=replace(first.spec, kernel="naive"))
    pages.show_session(replace(session, traces=(first, second)), ())
    pages.add_newest(second)
    pages.add_newest(session.runs[1])

    def new() -> list[tuple[bool, str]]:
        figure = pages.chart(TRAFFIC_CHART).figure
        assert figure is not None
        return [(row.is_new, row.tooltip.partition("\n")[0]) for row in figure.rows]

    assert [found for found, _ in new()] == [False, True]
    assert new()[1][1] == NEWEST_RECORDING
    asked = LastWork(1, Asked.RECORDING, ("naive",), "8×8×8", recordings=2)
    pages.show_work(replace(asked, recordings=1, results=1))
    assert [found for found, _ in new()] == [False, True], "the first of both forms stays"
    pages.show_work(asked)
    assert [found for found, _ in new()] == [False, False]
    assert new_runs(pages) == ["tiled"]


def test_that_another_session_has_no_newest_run(pages: Pages, session: Session) -> None:
    pages.show_session(session, ())
    pages.add_newest(session.runs[1])
    pages.show_session(replace(session, runs=session.runs[:1]), ())
    pages.show_session(session, ())
    assert new_runs(pages) == []
