"""The tables of plots and of pages: nothing is shown that is not in them, and nothing falls through."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pytestqt.qtbot import QtBot
from scheduling import written

from gemmviz.domain.device import Device
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.runs.result import RunResult, Session
from gemmviz.domain.shape import Shape
from gemmviz.gui.charts.page import Page
from gemmviz.gui.charts.page_spec import ChartSpec, PageSpec
from gemmviz.gui.charts.plot_table import Charted, Plot
from gemmviz.gui.charts.sweep_chart import SWEEP_CHART
from gemmviz.gui.charts.timing_chart import TIMING_CHART, TimingChart, TimingView
from gemmviz.gui.charts.traffic_chart import TRAFFIC_CHART
from gemmviz.gui.export.pictures.chart_picture import twin_of
from gemmviz.gui.export.pictures.charts import PictureMaker
from gemmviz.gui.export.plan import Planned, planned
from gemmviz.gui.layout.action_table import TABS
from gemmviz.gui.layout.dock_height import WANT_HEIGHT
from gemmviz.gui.looks.theme import DARK, LIGHT
from gemmviz.gui.pages.pages import Pages
from gemmviz.gui.pages.table import PAGES, chart_showing
from gemmviz.gui.window.session_views import tab_for

CHARTS = tuple(chart for page in PAGES for chart in page.charts)


@pytest.fixture
def pages(qtbot: QtBot) -> Pages:
    made = Pages(LIGHT)
    for _, widget in made.tabs:
        qtbot.addWidget(widget)
    return made


@pytest.fixture
def session(make_result: Callable[..., RunResult], host: Device) -> Session:
    runs = (
        make_result("tiled", params=(("TILE", 8),), sweep=1),
        make_result("tiled", sweep=1),
        make_result("cpu_ijk", backend="host", params=()),
    )
    return Session("", "1", host, 0.0, runs)


def test_that_every_plot_but_the_memory_view_is_shown_by_one_chart() -> None:
    assert Counter(plot for chart in CHARTS for plot in chart.plots) == Counter(set(Plot) - {Plot.MEMORY})
    with pytest.raises(ValueError, match="the plot memory"):
        chart_showing(Plot.MEMORY)


@pytest.mark.usefixtures("qtbot")
def test_that_a_picture_of_a_plot_that_no_page_shows_is_refused(session: Session) -> None:
    maker = PictureMaker(session, LIGHT, None)
    with pytest.raises(ValueError, match="no page of figures shows the plot memory"):
        maker.widget_for(Planned(Plot.MEMORY, "memory_1"))
    maker.close()


def test_that_titles_and_names_of_files_are_different() -> None:
    assert len({plot.spec.title for plot in Plot}) == len(Plot)
    assert len(set(TABS)) == len(PAGES) + 1


def test_that_the_guide_to_the_window_names_the_key_of_every_page() -> None:
    guide = (Path(__file__).parents[3] / "docs" / "WINDOW.md").read_text(encoding="utf-8")
    assert f"| Alt+1 to Alt+{len(TABS)} |" in guide
    assert [title for title in TABS if title not in guide] == []


def test_that_files_of_a_plot_begin_with_its_name(session: Session) -> None:
    found = planned(session)
    assert {one.plot for one in found} >= {Plot.RATE, Plot.SWEEP}
    assert all(one.name.startswith(one.plot) for one in found)


@pytest.mark.parametrize("spec", CHARTS, ids=lambda spec: spec.kind.__name__)
def test_that_each_view_of_a_chart_shows_one_plot(qtbot: QtBot, spec: ChartSpec[Any]) -> None:
    chart = spec.make(LIGHT)
    qtbot.addWidget(chart)
    for plot, view in spec.plots.items():
        spec.set_view(chart, view)
        assert spec.plots_shown(chart) == (plot,)
    assert spec.plots or spec.plots_shown(chart) == ()


@pytest.mark.parametrize("spec", CHARTS, ids=lambda spec: spec.kind.__name__)
def test_that_a_copy_of_a_chart_has_its_title_and_its_tables(
    qtbot: QtBot, pages: Pages, session: Session, spec: ChartSpec[Any]
) -> None:
    live = pages.chart(spec)
    pages.show_session(session, ())
    twin = twin_of(live, session, (), DARK)
    qtbot.addWidget(twin)
    assert (twin.title, twin.tables()) == (live.title, live.tables())
    assert twin.picture_height(1200) > 0


def test_that_a_page_that_is_in_no_table_has_no_copy(qtbot: QtBot, session: Session) -> None:
    class Stranger(TimingChart):
        pass

    stranger = Stranger(LIGHT)
    qtbot.addWidget(stranger)
    with pytest.raises(ValueError, match="Stranger is on no page of figures"):
        twin_of(stranger, session, (), LIGHT)


def test_that_the_choice_of_runs_fills_only_the_pages_that_compare_them(pages: Pages, session: Session) -> None:
    pages.show_session(session, ())
    timing, sweep = pages.chart(TIMING_CHART), pages.chart(SWEEP_CHART)
    assert len(timing.figure.rows) == 3
    assert len(sweep.figure.rows) == 2
    pages.show_chosen(replace(session, runs=session.runs[:1]), session.runs[:1])
    assert len(timing.figure.rows) == 1
    assert len(sweep.figure.rows) == 2


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.title)
def test_that_a_page_shows_its_first_chart_and_takes_its_first_view_again(pages: Pages, page: PageSpec) -> None:
    front = pages.in_front(page.title)
    assert isinstance(front, Page)
    assert front is pages.chart(page.charts[0])
    pages.chart(TIMING_CHART).set_view(TimingView.ROOFLINE)
    pages.reset_views()
    assert pages.chart(TIMING_CHART).view is TimingView.KERNEL
    assert pages.in_front("Memory") is None


def test_that_charts_compare_what_is_charted(session: Session) -> None:
    tables = [table for plot in (Plot.RATE, Plot.SWEEP) for table in plot.spec.tables(session, Charted((), ()))]
    assert [(table.name, len(table.make().rows)) for table in tables] == [("rate", 0), ("sweep_1", 2)]


def test_that_tabs_that_want_height_and_the_first_tab_of_a_session_come_from_the_table(session: Session) -> None:
    assert WANT_HEIGHT == ("Memory", "Sweep", "Schedule", "Referee")
    assert tab_for(session) == tab_for(replace(session, runs=())) == "Timing"
    with_schedule = replace(session, schedules=(written([(0, 0, 10)]),))
    assert tab_for(with_schedule) == "Timing"
    assert tab_for(replace(with_schedule, runs=())) == "Schedule"


def test_that_the_table_of_plots_needs_no_qt() -> None:
    qt = "m in ('PySide6', 'pyqtgraph')"
    code = f"import sys, gemmviz.gui.charts.plot_table; print(*(m for m in sys.modules if {qt}))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


def test_that_recordings_of_the_size_that_is_looked_at_are_compared(
    qtbot: QtBot, make_recording: Callable[..., TraceRun], host: Device
) -> None:
    pages = Pages(LIGHT)
    for _, widget in pages.tabs:
        qtbot.addWidget(widget)
    newest = make_recording()
    shape = newest.spec.shape
    turned = replace(newest.spec, shape=Shape(shape.n, shape.m, shape.k))
    assert turned.shape != shape
    one = replace(newest, spec=turned, a_loads=newest.b_loads, b_loads=newest.a_loads)
    looked_at = one, replace(one, spec=replace(turned, kernel="naive"))
    session = Session("", "1", host, 0.0, traces=(*looked_at, newest))
    traffic = pages.chart(TRAFFIC_CHART)
    pages.show_session(session, ())
    assert traffic.traces == (newest,), "nothing is looked at"
    pages.follow_recording(looked_at[0])
    assert traffic.traces == looked_at
    pages.show_session(session, ())
    assert traffic.traces == looked_at, "also once the session has changed"
    pages.show_session(replace(session, traces=(newest,)), ())
    assert traffic.traces == (newest,), "of another session without that size"
    pages.show_session(session, ())
    pages.follow_recording(None)
    assert traffic.traces == (newest,)
