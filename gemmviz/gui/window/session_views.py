"""What of a session the parts of the window show."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from gemmviz.catalogue.kernel import Kernel
from gemmviz.domain.runs.baselines import Baseline, comparable_of
from gemmviz.domain.runs.result import RunResult, Session, timed_runs
from gemmviz.domain.session.shown import Shown
from gemmviz.domain.spec import RunSpec
from gemmviz.gui.control.experiment_control import ExperimentControl
from gemmviz.gui.control.memory_control import MemoryControl
from gemmviz.gui.figures.last_run import recording_of
from gemmviz.gui.figures.run_choice import run_to_show
from gemmviz.gui.files.document import SessionDocument
from gemmviz.gui.files.session_control import contents_words
from gemmviz.gui.layout.action_table import TABS
from gemmviz.gui.layout.layout import WindowLayout
from gemmviz.gui.layout.parts import Parts
from gemmviz.gui.memory.page import MEMORY
from gemmviz.gui.pages.table import PAGES


def show_session(parts: Parts, session: Session, kernel: Kernel) -> None:
    """A session that has changed, while `kernel` is the one of the experiment."""
    parts.results.show_session(session, parts.pages.compared(session))
    parts.experiment.show_done(session.runs, session.traces)
    parts.pages.show_session(session, parts.results.selected())
    holds = contents_words(session)
    parts.first_page.show_session(f"It holds {holds}." if holds else "")
    show_figures(parts, session, parts.results.selected(), kernel)


def tab_for(session: Session) -> str:
    """The tab to begin with in a session that was opened: the one that it was saved on, if it says so."""
    if tab := saved_tab(session):
        return tab
    if session.traces and not session.runs:
        return MEMORY
    return next((page.title for page in PAGES if page.begins_with(session)), PAGES[0].title)


def saved_tab(session: Session) -> str:
    """The tab that a session was saved on; "" where it does not say, or where there is no such tab."""
    return session.shown.tab if session.shown is not None and session.shown.tab in TABS else ""


def shown_on(played: Shown | None, tab: str, parts: Parts, set_up: RunSpec, session: Session) -> Shown:
    """What is kept with the session: what is played, the tab that is in front, the plot on it, what is set up, the
    places of the runs that are chosen and of one that others are compared with, and whether times are of all runs.
    """
    wanted = parts.timing.wanted_baseline
    compared = (place for place, run in enumerate(session.runs) if wanted is not None and wanted.includes(run))
    return replace(
        played or Shown(),
        tab=tab,
        plot=str(parts.pages.plot_on(tab) or ""),
        set_up=set_up,
        chosen=places_of(parts.results.selected(), session),
        baseline=next(compared, None),
        shows_all=parts.timing.shows_all,
    )


def places_of(chosen: tuple[RunResult, ...], session: Session) -> tuple[int, ...]:
    """The places of these runs among those of a session."""
    wanted = {id(run) for run in chosen}
    return tuple(place for place, run in enumerate(session.runs) if id(run) in wanted)


def runs_chosen(session: Session) -> tuple[RunResult, ...]:
    """The runs that were chosen when a session was saved, as far as it has them."""
    places = session.shown.chosen if session.shown is not None else ()
    return tuple(session.runs[place] for place in places if place < len(session.runs))


def baseline_chosen(session: Session) -> Baseline | None:
    """What speed-ups were against when a session was saved; None where it does not say, or has no such run."""
    place = session.shown.baseline if session.shown is not None else None
    if place is None or place >= len(session.runs):
        return None
    run = session.runs[place]
    return next((one for one in comparable_of(timed_runs(session.runs)) if one.includes(run)), None)


def keep_shown(
    document: SessionDocument,
    parts: Parts,
    player: MemoryControl,
    set_up: ExperimentControl,
    layout: WindowLayout,
    show_title: Callable[[], None],
) -> None:
    """Keep with the session what is played, the tab in front, what is set up, which runs are chosen and how times are
    compared; another layout of shared arrays changes it.
    """

    def shown() -> Shown:
        return shown_on(player.shown, layout.last_tab, parts, set_up.as_spec, document.session)

    document.keep_shown(shown)
    layout_chosen = parts.memory_page.stages.layout_chosen
    layout_chosen.connect(document.change_layout)
    layout_chosen.connect(show_title)


def show_chosen(parts: Parts, session: Session, chosen: tuple[RunResult, ...], kernel: Kernel) -> None:
    """The chosen runs in the charts, or those that can be compared with the newest where none is chosen."""
    parts.pages.show_chosen(session, chosen)
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
