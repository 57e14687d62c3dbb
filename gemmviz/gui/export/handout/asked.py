"""What the dialog of a handout begins with: what the window shows."""

from __future__ import annotations

from collections.abc import Collection

from PySide6.QtWidgets import QWidget

from gemmviz.catalogue.loader import load_catalogue
from gemmviz.domain.runs.result import Session
from gemmviz.gui.charts.plot_table import Charted
from gemmviz.gui.export.handout.contents import PrintedStep, first_choice
from gemmviz.gui.export.handout.maker import HandoutMaker
from gemmviz.gui.export.handout.printed_step import printed_step
from gemmviz.gui.export.items import only
from gemmviz.gui.export.lesson.contents import lesson_contents
from gemmviz.gui.export.on_screen import charted_on_screen, plots_on_screen
from gemmviz.gui.files.session_control import SUFFIX
from gemmviz.gui.layout.parts import Parts
from gemmviz.gui.lessons.lesson_page import LessonPage
from gemmviz.gui.recording.block_names import Watched

NOTHING_FOR_HANDOUT = "There are no results and no recordings for a handout. Run or record a kernel, or open a session"


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
