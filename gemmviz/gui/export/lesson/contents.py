"""What a step of a lesson shows, for the export dialog: a session, the charts on the screen, and the frame."""

from __future__ import annotations

from dataclasses import dataclass

from gemmviz.domain.runs.result import Session
from gemmviz.explain.source.recordings_beside import names_beside
from gemmviz.gui.charts.plot_table import Plot
from gemmviz.gui.lessons.lesson_page import LessonPage
from gemmviz.gui.lessons.scenes.chart_scene import ChartScene
from gemmviz.gui.lessons.scenes.pictures_scene import PicturesScene
from gemmviz.gui.lessons.scenes.played_scene import PlayedScene
from gemmviz.gui.recording.block_names import Beside, Watched


@dataclass(frozen=True, slots=True, eq=False)
class LessonContents:
    """`plots` are those on the screen, `watched` is the frame that is shown, `words` say whose contents these are."""

    session: Session
    plots: tuple[Plot, ...]
    watched: Watched | None
    words: str


def lesson_contents(page: LessonPage, empty: Session, *, ends: bool = False) -> LessonContents | None:
    """What the step of the lesson shows; `empty` has neither runs nor recordings. None while no lesson is shown. What
    plays is shown as it is now, or where it `ends`.
    """
    lesson = page.lesson
    if lesson is None:
        return None
    session = page.contents
    where = f"step {page.step + 1} of {page.steps} of the lesson “{lesson.title}”"
    words = f"Recordings and measurements of {where}. Leave the lesson (Esc) to export your own session."
    if session is None:
        words = f"No recording and no measurement is shown in {where}."
    session = session or empty
    return LessonContents(session, _plots(page, session), _watched(page, session, ends=ends), words)


def _plots(page: LessonPage, session: Session) -> tuple[Plot, ...]:
    if isinstance(page.scene, ChartScene) and session.runs:
        return page.scene.plots_shown
    if session.schedules:
        return (Plot.SCHEDULE,)
    if session.warp_timelines:
        return (Plot.WARPS,)
    return (Plot.MEMORY,) if session.traces else ()


def _watched(page: LessonPage, session: Session, *, ends: bool) -> Watched | None:
    """The frame of the first picture, and what stands beside it, each once its frames are made, with the thread that
    the step is about; where a step plays that is to be shown where it `ends`, the frame that is printed of it.
    """
    scene = page.scene
    if not isinstance(scene, PlayedScene) or scene.player.facts is None or not session.traces:
        return None
    facts, player = scene.player.facts, scene.player
    is_at_end, (moment, moments) = ends and player.is_playing, player.moment
    index, beside = min(player.rest if is_at_end else player.first_index, facts.count - 1), None
    if isinstance(scene, PicturesScene) and player.is_paired:
        left, right = session.traces
        names = names_beside(left, right, session.version_names)
        beside = Beside(
            right,
            0,
            player.modes[1],
            player.pair_step,
            names,
            False,
            player.selections[1],
            player.rest if is_at_end else moment,
            moments,
        )
    chosen = player.selections[0]
    return Watched(session.traces[0], 0, index, facts.count, facts.mode, selection=chosen, beside=beside)
