"""What a page of figures is, as values: its tab, its charts, and how each is made, filled and copied."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar, cast

from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from gemmviz.domain.runs.result import Session
from gemmviz.gui.charts.page import Page
from gemmviz.gui.charts.plot_table import Charted, Plot
from gemmviz.gui.looks.theme import LIGHT, Theme

C = TypeVar("C", bound=Page)


@dataclass(frozen=True, slots=True, eq=False)
class ChartSpec(Generic[C]):
    """A widget of figures and the plots it shows.

    `kind` is its class, called with a theme. `fill` shows what is charted of a session. `plots` are its plots, each
    with the view that shows it; `view` tells the view of a widget and `set_view` changes it, where there are several.
    `show_number` is for plots with a picture for each sweep, run or schedule: it shows the one of that number instead
    of `fill`. `copy` lets a second widget show what the first one was given, where that is not what `fill` gives.
    """

    kind: type[C]
    fill: Callable[[C, Session, Charted], None]
    plots: Mapping[Plot, object] = field(default_factory=dict)
    view: Callable[[C], object] = lambda _chart: None
    set_view: Callable[[C, Any], None] = lambda _chart, _view: None
    show_number: Callable[[C, Session, int], None] | None = None
    copy: Callable[[C, C], None] | None = None

    def make(self, theme: Theme) -> C:
        """A new widget, empty."""
        return cast(Callable[[Theme], C], self.kind)(theme)

    def plots_shown(self, chart: C) -> tuple[Plot, ...]:
        """The plots that a widget shows in its view of now; none for a page that shows no part of a session."""
        view = self.view(chart)
        return tuple(plot for plot, of_plot in self.plots.items() if of_plot is view)

    def show_picture(self, chart: C, session: Session, charted: Charted, plot: Plot, number: int) -> None:
        """Let a widget show a plot; `number` says which of its pictures."""
        if self.show_number is not None:
            self.show_number(chart, session, number)
        else:
            self.fill(chart, session, charted)
        self.set_view(chart, self.plots[plot])

    def fill_copy(self, live: C, twin: C, session: Session, charted: Charted) -> None:
        """Let `twin` show what `live` was given."""
        if self.copy is not None:
            self.copy(live, twin)
        else:
            self.fill(twin, session, charted)


class JoinedCharts(QWidget):
    """A page with several charts, one of them in front, on their background."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = LIGHT

    @property
    def in_front(self) -> Page:
        """The chart that can be seen."""
        raise NotImplementedError

    def show_plot(self, plot: Plot) -> None:
        """Bring the chart to the front that has a plot, showing it."""
        raise NotImplementedError

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme; the charts take theirs by themselves."""
        self._theme = theme
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.fillRect(event.rect(), QColor(self._theme.canvas))


@dataclass(frozen=True, slots=True, eq=False)
class PageSpec:
    """A page of figures.

    `title` is that of its tab. One chart is the whole page; several are put together by `join`. `compares_chosen` says
    that the page shows the runs chosen in the table and is filled again when others are chosen; `wants_height`, that
    the results make room for it in a low window; `begins_with`, whether a session that was opened is shown on this page
    first. `starts` names the actions that bring figures to its charts, one for each; the last is also that of charts
    for which none is left. `reset` brings the view of the page, a Page or what `join` made, to the one that examples
    speak of.
    """

    title: str
    charts: tuple[ChartSpec[Any], ...]
    join: Callable[..., JoinedCharts] | None = None
    compares_chosen: bool = False
    wants_height: bool = False
    begins_with: Callable[[Session], bool] = lambda _session: False
    starts: tuple[str, ...] = ("runAction",)
    reset: Callable[[Any], None] = lambda _page: None
