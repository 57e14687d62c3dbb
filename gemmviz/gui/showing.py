"""What of a session the parts of the window show."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer

from gemmviz.catalogue.kernel import Kernel
from gemmviz.domain.result import RunResult, Session
from gemmviz.gui.chosen_runs import comparable_runs, comparable_traces
from gemmviz.gui.last_run import recording_of
from gemmviz.gui.parts import Parts


def after_this(owner: QObject, show: Callable[[], None]) -> QTimer:
    """A timer that, once started, calls `show` when the window has had its turn; started twice it calls once.

    So a recording that arrives, and is shown in many places, does not hold the window up.
    """
    timer = QTimer(owner, singleShot=True, interval=0)
    timer.timeout.connect(show)
    return timer


def show_session(parts: Parts, session: Session) -> None:
    """A session that has changed."""
    parts.results.show_session(session)
    parts.sweep.show_runs(session.runs)
    parts.traffic.show_traces(comparable_traces(session))
    show_chosen(parts, session, parts.results.selected())


def show_source(parts: Parts, session: Session, kernel: Kernel) -> None:
    """The source of the chosen kernel, with the figures of its newest recording if there is one."""
    trace = recording_of(kernel.id, session)
    parts.source.show_kernel(kernel)
    parts.source.show_trace(trace)
    parts.source.set_stale(trace is not None and trace.source_text != kernel.text)


def show_chosen(parts: Parts, session: Session, chosen: tuple[RunResult, ...]) -> None:
    """The chosen runs in the charts, or those that can be compared with the newest where none is chosen."""
    runs = chosen or comparable_runs(session)
    parts.timing.show_runs(runs)
    parts.accuracy.show_runs(runs)
    parts.error_map.show_runs(runs)
    newest = chosen[-1] if chosen else session.runs[-1] if session.runs else None
    parts.figures.show_run(newest, session)
    last = session.traces[-1] if session.traces else None
    of_kernel = recording_of(newest.spec.kernel, session) if newest is not None else None
    parts.figures.show_trace(of_kernel or last)
