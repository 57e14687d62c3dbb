"""What of a session the parts of the window show."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer

from gemmviz.catalogue.kernel import Kernel
from gemmviz.domain.runs.result import RunResult, Session
from gemmviz.gui.charts.accuracy_chart import AccuracyView
from gemmviz.gui.charts.timing_chart import TimingView
from gemmviz.gui.figures.last_run import recording_of
from gemmviz.gui.figures.run_choice import run_to_show
from gemmviz.gui.files.session_control import contents_words
from gemmviz.gui.results.chosen_runs import comparable_runs, comparable_traces
from gemmviz.gui.schedule.figure import ColourBy
from gemmviz.gui.window.parts import Parts


def after_this(owner: QObject, show: Callable[[], None]) -> QTimer:
    """A timer that, once started, calls `show` when the window has had its turn; started twice it calls once.

    So a recording that arrives, and is shown in many places, does not hold the window up.
    """
    timer = QTimer(owner, singleShot=True, interval=0)
    timer.timeout.connect(show)
    return timer


def show_session(parts: Parts, session: Session, kernel: Kernel) -> None:
    """A session that has changed, while `kernel` is the one of the experiment."""
    parts.results.show_session(session)
    parts.experiment.show_runs(session.runs)
    parts.sweep.show_runs(session.runs)
    parts.traffic.show_traces(comparable_traces(session), comparable_traces(session, all_sizes=True))
    parts.schedule.show_schedules(session.schedules)
    holds = contents_words(session)
    parts.first_page.show_session(f"It holds {holds}." if holds else "")
    show_chosen(parts, session, parts.results.selected(), kernel)


def show_first_charts(parts: Parts) -> None:
    """The charts that a new window begins with, of which the words of the examples speak."""
    parts.timing.set_view(TimingView.KERNEL)
    parts.accuracy_page.show_view(AccuracyView.BOUND)
    parts.schedule.colour.choose(ColourBy.WAVE)


def tab_for(session: Session) -> str:
    """The tab to begin with in a session that was opened."""
    if session.traces and not session.runs:
        return "Memory"
    return "Schedule" if session.schedules and not session.runs else "Timing"


def show_chosen(parts: Parts, session: Session, chosen: tuple[RunResult, ...], kernel: Kernel) -> None:
    """The chosen runs in the charts, or those that can be compared with the newest where none is chosen."""
    runs = chosen or comparable_runs(session)
    for page in (parts.timing, parts.accuracy, parts.error_map):
        page.count_failed(len(session.errors))
    parts.timing.show_runs(runs, session.roofs, session.traces)
    parts.accuracy.show_runs(runs)
    parts.error_map.show_runs(runs)
    show_figures(parts, session, chosen, kernel)


def show_figures(parts: Parts, session: Session, chosen: tuple[RunResult, ...], kernel: Kernel) -> None:
    """The figures of the run that belongs to what was chosen, in the results or else in the experiment."""
    experiment = parts.experiment.experiment()
    chosen_now = kernel.id, experiment.shape, experiment.params_of(kernel)
    parts.sweep.show_set(*chosen_now)
    run, head = run_to_show(session.runs, chosen, *chosen_now)
    parts.figures.show_run(run, session, is_chosen=bool(chosen), head=head)
    last = session.traces[-1] if session.traces else None
    of_kernel = recording_of(run.spec.kernel, session) if run is not None else None
    parts.figures.show_trace(of_kernel or last)
