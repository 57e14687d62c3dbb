"""What the export dialog offers: of a session, or of the step of a lesson what that shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from PySide6.QtWidgets import QWidget

from gemmviz.domain.runs.result import Session
from gemmviz.gui.charts.plot_table import Charted, Plot
from gemmviz.gui.export.choice import PICTURES, ExportItem, ItemKind
from gemmviz.gui.export.drawn_view import ViewOnScreen
from gemmviz.gui.export.film.step_form import StepFilmForm
from gemmviz.gui.export.items import REQUEST, TABLES, WINDOW, item_of, only
from gemmviz.gui.export.lesson.contents import lesson_contents
from gemmviz.gui.export.lesson.file_names import step_stem
from gemmviz.gui.export.lesson.step_view import step_view
from gemmviz.gui.export.lesson.whole_lesson import lesson_items
from gemmviz.gui.export.on_screen import charted_on_screen, plots_on_screen, request_on_screen, request_view
from gemmviz.gui.export.plan import plots_of
from gemmviz.gui.export.targets import fixed_tables
from gemmviz.gui.layout.parts import Parts
from gemmviz.gui.lessons.lesson_page import LessonPage
from gemmviz.gui.lessons.scenes.request_scene import RequestScene
from gemmviz.gui.lessons.shown_step import ShownStep
from gemmviz.gui.recording.block_names import Watched
from gemmviz.gui.recording.grids import Playable


@dataclass(frozen=True, slots=True, eq=False)
class ExportOffer:
    """The `session` whose `items` these are, of which those called `ticked` are proposed, and what its charts compare.

    `views` are drawn as they stand on the screen, by the names of their items; `watched` is what plays. `step` is that
    of a lesson, whose film can be made by `step_film`, and `about` says so.
    """

    session: Session
    charted: Charted
    items: Sequence[ExportItem]
    ticked: Sequence[str]
    views: Mapping[str, ViewOnScreen] = field(default_factory=dict)
    watched: Watched | None = None
    step: ShownStep | None = None
    step_film: StepFilmForm | None = None
    about: str = ""


def export_offer(
    parts: Parts, tab: str, page: QWidget, session: Session, watched: Watched | None = None
) -> ExportOffer:
    """What can be exported of the session, or of the step of a lesson while its `page` is in the middle of the window;
    `tab` is in front there. What a lesson plays is paused.
    """
    offer = _of_step(page, session.without_results()) if isinstance(page, LessonPage) else None
    if offer is not None:
        return offer
    plots, charted = plots_on_screen(parts, tab), charted_on_screen(parts, session)
    session = only(session, parts.results.selected())
    request = request_on_screen(parts) if Plot.MEMORY in plots else None
    screen, ticked = ((REQUEST, WINDOW), (REQUEST.name,)) if request is not None else ((WINDOW,), plots)
    items = [item_of(plot, session, charted) for plot in plots_of(session)]
    views = {} if request is None else {REQUEST.name: request}
    return ExportOffer(session, charted, [*items, *_tables(session), *screen], ticked, views, watched)


def _of_step(page: LessonPage, empty: Session) -> ExportOffer | None:
    """The step in every form that its view has elsewhere, and the whole lesson; nothing that the step does not show."""
    contents, shown, view = lesson_contents(page, empty), page.shown, step_view(page)
    if contents is None or shown is None or view is None:
        return None
    session, scene = contents.session, page.scene
    charted, stem = Charted(session.runs, session.traces), step_stem(shown.data.lesson, shown.step)
    items = [ExportItem(stem, "This step, as the whole screen shows it", PICTURES, (), ItemKind.VIEW, "step")]
    views = {stem: view}
    if isinstance(scene, RequestScene) and scene.run is not None:
        items.append(REQUEST)
        views[REQUEST.name] = request_view(scene.stage, Playable(scene.run))
    elif not isinstance(scene, RequestScene):
        items += [item_of(plot, session, charted) for plot in contents.plots if plot is not Plot.MEMORY]
    tables = [item for item in _tables(session) if session.runs or item is not TABLES[0]]
    film = StepFilmForm(stem, scene.seconds if scene is not None else 0.0)
    items += [*tables, *lesson_items(shown.data.lesson), WINDOW]
    return ExportOffer(session, charted, items, (stem,), views, None, shown, film, contents.words)


def _tables(session: Session) -> list[ExportItem]:
    return [item for item in TABLES if fixed_tables(session, item.files)]
