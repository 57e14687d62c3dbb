"""What the dialog of a handout begins with: what the window shows."""

from __future__ import annotations

from collections.abc import Collection

from PySide6.QtWidgets import QWidget

from gemmviz.catalogue.loader import load_catalogue
from gemmviz.domain.runs.result import Session
from gemmviz.gui.charts.plot_table import Charted
from gemmviz.gui.export.handout.contents import PrintedStep, first_choice
from gemmviz.gui.export.handout.maker import CHART_UNITS, PAPER_THEME, HandoutMaker
from gemmviz.gui.export.items import only
from gemmviz.gui.export.lesson_contents import lesson_contents
from gemmviz.gui.export.on_screen import charted_on_screen, plots_on_screen, scene_image
from gemmviz.gui.files.session_control import SUFFIX
from gemmviz.gui.layout.parts import Parts
from gemmviz.gui.lessons.lesson_page import LessonPage
from gemmviz.gui.lessons.scenes.fragments_scene import FragmentsScene
from gemmviz.gui.lessons.scenes.loops_scene import LoopsScene
from gemmviz.gui.lessons.scenes.repair_scene import RepairScene
from gemmviz.gui.lessons.scenes.request_scene import RequestScene
from gemmviz.gui.recording.block_names import Watched
from gemmviz.gui.widgets.widget_image import png_bytes

NOTHING_FOR_HANDOUT = "There are no results and no recordings for a handout. Run or record a kernel, or open a session"

_PICTURED = RequestScene, RepairScene, LoopsScene, FragmentsScene
"""Scenes of lessons that no part of a session is a picture of."""
_PICTURE_ROOM = 2 * CHART_UNITS, 2 * CHART_UNITS
"""Pixels that the picture of a scene has at most, twice as many as units of the page."""


def handout_asked(
    parts: Parts, tab: str, page: QWidget, session: Session, watched: Watched | None, name: str
) -> tuple[HandoutMaker, str, Collection[str]] | None:
    """The maker of a handout, its title, and the names of the parts that are taken at first; None where there is
    nothing to take.

    It is of the step of a lesson while its `page` is in the middle of the window, and has the end of a step that plays;
    else of the session, which is called `name`, with the runs chosen in the table alone where some are. `tab` is in
    front, and `watched` is what plays.
    """
    step: PrintedStep | None = None
    plots, charted = plots_on_screen(parts, tab), charted_on_screen(parts, session)
    if isinstance(page, LessonPage) and page.lesson is not None:
        lesson = lesson_contents(page, session.without_results(), ends=True)
        if lesson is None:
            return None
        session, plots, watched, name = lesson.session, lesson.plots, lesson.watched, page.lesson.title
        charted = Charted(session.runs, session.traces)
        step = printed_step(page)
    else:
        session = only(session, parts.results.selected())
    maker = HandoutMaker(session, charted, load_catalogue(), watched, step)
    return (maker, name.removesuffix(SUFFIX), first_choice(maker.parts, plots, watched)) if maker.parts else None


def printed_step(page: LessonPage) -> PrintedStep | None:
    """The step of a lesson that is shown, with a picture of what neither a frame nor a chart shows; None for one that
    says nothing.
    """
    text, scene, png = page.words, page.scene, b""
    if not text.sentence:
        return None
    if isinstance(scene, _PICTURED):
        png = png_bytes(scene_image(scene, page.theme, PAPER_THEME, _PICTURE_ROOM))
    return PrintedStep(f"Step {page.step + 1} of {page.steps}", text, png)
