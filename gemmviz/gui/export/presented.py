"""What the whole screen shows of the window, where that differs from what an export of the same view has."""

from __future__ import annotations

from dataclasses import replace

from gemmviz.domain.runs.result import RunResult, Session
from gemmviz.gui.charts.page import Page
from gemmviz.gui.export.drawn_view import ViewOnScreen
from gemmviz.gui.export.pictures.chart_picture import chart_image
from gemmviz.gui.export.pictures.words_picture import words_image

NOTES_KEY = "N"
"""The key that lists all notes of what is presented."""


def presented_on_screen(
    view: ViewOnScreen, live: Page | None, tab: str, session: Session, chosen: tuple[RunResult, ...]
) -> ViewOnScreen:
    """What the whole screen shows of a view of a tab: of a page without figures what it says instead; where notes have
    no room, the key that lists them; above a chart that a lesson filled, what the lesson's exercise has shown.
    """
    if live is None:
        return view
    if live.is_blank:
        return words_view(tab, live.empty_words)
    return replace(
        view,
        title=live.lesson_verdict or view.title,
        paint_large=lambda _made, size, theme, title: chart_image(
            live, session, chosen, size, theme, title, large=True, notes_key=NOTES_KEY
        ),
    )


def words_view(title: str, words: str) -> ViewOnScreen:
    """A slide of words alone."""
    return ViewOnScreen("view", title, lambda _made, size, theme, title: words_image(size, theme, title, words))
