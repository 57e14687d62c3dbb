"""The pages of figures of a window: made once, filled from a session."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.runs.result import RunResult, Session
from gemmviz.domain.shape import Shape
from gemmviz.gui.charts.page import Page
from gemmviz.gui.charts.page_spec import ChartSpec, JoinedCharts, PageSpec
from gemmviz.gui.charts.plot_table import Charted, Plot
from gemmviz.gui.files.edits import Item
from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.pages.table import PAGES, chart_of
from gemmviz.gui.results.chosen_runs import comparable_runs, comparable_traces, key_of
from gemmviz.gui.work.last_work import Asked, LastWork

C = TypeVar("C", bound=Page)


def charted_in_window(session: Session, chosen: tuple[RunResult, ...], shape: Shape | None = None) -> Charted:
    """What the charts of the window compare: the runs chosen in the table, or those comparable with the newest where
    none is chosen, of which charts of times may show a part; the recordings of that `shape`, of the newest one's where
    there is none.
    """
    comparable, wanted = comparable_runs(session.runs), {id(run) for run in chosen}
    sizes = {run.spec.shape for run in chosen}
    return Charted(
        chosen or comparable,
        comparable_traces(session, shape=shape),
        comparable_traces(session, all_sizes=True),
        others=tuple(run for run in comparable if run.spec.shape in sizes and id(run) not in wanted),
        folds=not chosen,
    )


class Pages:
    """One widget for each page of the table, and its charts."""

    def __init__(self, theme: Theme) -> None:
        self._charts: dict[ChartSpec[Any], Page] = {chart: chart.make(theme) for page in PAGES for chart in page.charts}
        self._pages: dict[PageSpec, QWidget] = {page: self._put_together(page) for page in PAGES}
        self._left_out: tuple[Item, ...] = ()
        self._newest: tuple[RunResult | TraceRun, ...] = ()
        self._watched: Shape | None = None
        self._shown: tuple[Session, tuple[RunResult, ...]] | None = None

    @property
    def tabs(self) -> tuple[tuple[str, QWidget], ...]:
        """The title and the widget of each page, in order."""
        return tuple((page.title, widget) for page, widget in self._pages.items())

    def chart(self, spec: ChartSpec[C]) -> C:
        """The widget of a chart."""
        chart = self._charts[spec]
        assert isinstance(chart, spec.kind)
        return chart

    def page(self, spec: PageSpec) -> QWidget:
        """The widget of a page."""
        return self._pages[spec]

    def in_front(self, tab: str) -> Page | None:
        """The chart that can be seen on a tab; None where no page of figures has that title."""
        page = next((widget for title, widget in self.tabs if title == tab), None)
        return page.in_front if isinstance(page, JoinedCharts) else page if isinstance(page, Page) else None

    def plot_on(self, tab: str) -> Plot | None:
        """The plot that can be seen on a tab; None where it shows none."""
        chart = self.in_front(tab)
        return next(iter(chart_of(chart).plots_shown(chart)), None) if chart is not None else None

    def show_plot(self, tab: str, plot: str) -> None:
        """Let the page of a tab show a plot by its word; a word of none of its plots changes nothing."""
        for spec in PAGES:
            for chart in spec.charts if spec.title == tab else ():
                page, known = self._pages[spec], next((one for one in chart.plots if str(one) == plot), None)
                if known is not None and isinstance(page, JoinedCharts):
                    page.show_plot(known)
                elif known is not None:
                    chart.set_view(self._charts[chart], chart.plots[known])

    def leave_out(self, items: tuple[Item, ...]) -> None:
        """Compare these no longer, unless they are chosen, once a session is shown the next time."""
        self._left_out = items

    def compared(self, session: Session) -> Session:
        """A session without what the charts leave out."""
        if not self._left_out:
            return session
        out = {id(item) for item in self._left_out}
        runs = tuple(run for run in session.runs if id(run) not in out)
        return replace(session, runs=runs, traces=tuple(one for one in session.traces if id(one) not in out))

    def charted(self, session: Session, chosen: tuple[RunResult, ...]) -> Charted:
        """What the charts of the window compare of a session now."""
        found, compared = charted_in_window(session, chosen, self._watched), self.compared(session)
        if compared is session:
            return found
        kept = charted_in_window(compared, chosen, self._watched)
        same = {key_of(trace) for trace in kept.all_traces}
        others = tuple(trace for trace in found.all_traces if key_of(trace) not in same)
        return replace(kept, all_traces=(*others, *kept.all_traces))

    def offer(self, action_named: Callable[[str], QAction]) -> None:
        """Let each chart without figures have the button that brings some."""
        for page in PAGES:
            for place, chart in enumerate(page.charts):
                self._charts[chart].offer(action_named(page.starts[min(place, len(page.starts) - 1)]))

    def show_session(self, session: Session, chosen: tuple[RunResult, ...]) -> None:
        """Fill every page. Of another session no run and no recording is the newest."""
        self._shown = session, chosen
        here = {id(one) for one in (*session.runs, *session.traces)}
        self._light(tuple(run for run in self._newest if id(run) in here))
        self._fill(PAGES, session, self.charted(session, chosen))

    def show_chosen(self, session: Session, chosen: tuple[RunResult, ...]) -> None:
        """Fill the pages that compare the runs chosen in the table."""
        self._shown = session, chosen
        pages = tuple(page for page in PAGES if page.compares_chosen)
        self._fill(pages, session, self.charted(session, chosen))

    def follow_recording(self, run: TraceRun | None) -> None:
        """Compare the recordings of the size of the one that is looked at."""
        watched = run.spec.shape if run is not None else None
        if watched == self._watched:
            return
        self._watched = watched
        if self._shown is not None:
            of_recordings = (page for page in PAGES if any(self._is_of_recordings(chart) for chart in page.charts))
            self._fill(tuple(of_recordings), self._shown[0], self.charted(*self._shown))

    def _is_of_recordings(self, chart: ChartSpec[Any]) -> bool:
        return Asked.RECORDING in self._charts[chart].filled_by

    def add_newest(self, made: RunResult | TraceRun) -> None:
        """Let a run that has just been made stand out, with the others of its request, until the next runs; likewise a
        recording.
        """
        self._light((*self._newest, made))

    def _light(self, newest: tuple[RunResult | TraceRun, ...]) -> None:
        self._newest = newest
        for page in PAGES:
            for spec in page.charts:
                self._charts[spec].light_newest(newest)

    def reset_views(self) -> None:
        """Bring every page to the view that a new window begins with, of which the words of the examples speak."""
        for page, widget in self._pages.items():
            page.reset(widget)

    def set_theme(self, theme: Theme) -> None:
        """Tell all that paint colours themselves."""
        for chart in self._charts.values():
            chart.set_theme(theme)
        for widget in self._pages.values():
            if isinstance(widget, JoinedCharts):
                widget.set_theme(theme)

    def show_work(self, last: LastWork | None) -> None:
        """Tell all that have nothing to show what is going on. Once runs are under way no others are the newest;
        likewise recordings.
        """
        if last is not None and last.begins_runs:
            self._light(tuple(one for one in self._newest if isinstance(one, TraceRun)))
        elif last is not None and last.is_running and not last.results and last.asked is Asked.RECORDING:
            self._light(tuple(one for one in self._newest if isinstance(one, RunResult)))
        for chart in self._charts.values():
            chart.show_work(last)

    def _fill(self, pages: tuple[PageSpec, ...], session: Session, charted: Charted) -> None:
        for page in pages:
            for spec in page.charts:
                chart = self._charts[spec]
                if page.compares_chosen:
                    chart.count_failed(len(session.errors))
                spec.fill(chart, session, charted)

    def _put_together(self, page: PageSpec) -> QWidget:
        charts = [self._charts[spec] for spec in page.charts]
        if page.join is not None:
            return page.join(*charts)
        (only,) = charts
        return only
