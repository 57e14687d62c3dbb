"""The view that is on the screen, made ready to be painted in any size."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QPoint
from PySide6.QtGui import QColor, QImage, QPainter, QRegion
from PySide6.QtWidgets import QWidget

from gemmviz.catalogue.kernel_names import kernel_name
from gemmviz.domain.kernels.version_names import VersionNames
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.runs.result import RunResult, Session
from gemmviz.explain.source.recorded_lines import facts_of
from gemmviz.explain.source.recordings_beside import names_beside, titles_together
from gemmviz.gui.charts.plot_table import Charted, Plot
from gemmviz.gui.export.drawn_view import DrawnLook, ViewOnScreen
from gemmviz.gui.export.film_source import FilmSource, film_source_of
from gemmviz.gui.export.lesson.step_view import step_view
from gemmviz.gui.export.pictures.chart_picture import Size, blank, chart_image, draw_chart, fitted
from gemmviz.gui.export.pictures.recording_picture import fit_recording
from gemmviz.gui.export.pictures.slide_picture import SlidePicture, SourceBeside, source_beside
from gemmviz.gui.layout.parts import Parts
from gemmviz.gui.lessons.lesson_page import LessonPage
from gemmviz.gui.looks.appearance import palette
from gemmviz.gui.looks.style_sheet import style_sheet
from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.memory.hazard_sentences import recording_warning
from gemmviz.gui.memory.page import MEMORY
from gemmviz.gui.pages.table import chart_of
from gemmviz.gui.presentation.slide import (
    LEAST_LABEL_UNITS,
    TITLE,
    SlideText,
    paint_words,
    plan_slide,
    slide_text,
)
from gemmviz.gui.recording.block_names import Watched, block_words, file_title, picture_title, still_stem, watched_stem
from gemmviz.gui.recording.grids import Others, Playable, grids_of, recorded_with
from gemmviz.gui.recording.view import RecordingView
from gemmviz.gui.stages.bank_stage import BankStage
from gemmviz.gui.stages.request_stage import RequestStage
from gemmviz.gui.widgets.widget_image import EVERYTHING, render_image, settle


def plots_on_screen(parts: Parts, tab: str) -> tuple[Plot, ...]:
    """The charts that a tab shows, by the names of their files; none for the first page."""
    if tab == MEMORY:
        return (Plot.MEMORY,)
    chart = parts.pages.in_front(tab)
    return chart_of(chart).plots_shown(chart) if chart is not None else ()


def charted_on_screen(parts: Parts, session: Session) -> Charted:
    """What the charts on the screen compare of a session, with the choices made in them."""
    timing, compared = parts.timing, parts.pages.charted(session, parts.results.selected())
    return replace(
        compared,
        traces=parts.traffic.traces,
        all_traces=(),
        folds=compared.folds and not timing.shows_all,
        baseline=timing.baseline,
    )


def chart_file_stem(plot: str, session: Session, chosen: Sequence[RunResult] = ()) -> str:
    """The name of a chart's file, with the size and the device where the runs have one of each in common:
    "time-1024x1024x1024-h200". `chosen` are the runs that it shows, none for all.
    """
    runs = chosen or session.runs
    sizes = {str(run.spec.shape) for run in runs}
    devices = {re.sub(r"[^a-z0-9]+", "-", run.device.short_name.lower()).strip("-") for run in runs}
    return "-".join([plot, *(next(iter(facts)) for facts in (sizes, devices) if len(facts) == 1)])


def view_on_screen(
    centre: QWidget, parts: Parts, tab: str, session: Session, chosen: tuple[RunResult, ...], watched: Watched | None
) -> ViewOnScreen:
    """What a person sees in the middle of the window; `centre` is shown there where there is no tab.

    `chosen` are the runs chosen in the table, `watched` is what plays on the page of memory.
    """
    plot = next(iter(plots_on_screen(parts, tab)), None)
    live = parts.pages.in_front(tab)
    if live is not None and (plot is not None or not live.is_blank):
        return ViewOnScreen(
            chart_file_stem(plot.value if plot is not None else tab.lower(), session, chosen),
            live.title,
            lambda _made, size, theme, title: chart_image(live, session, chosen, size, theme, title),
            paint_large=lambda _made, size, theme, title: chart_image(
                live, session, chosen, size, theme, title, large=True
            ),
            tables=live.tables if plot is None else tuple,
            draw=lambda _made, painter, look: draw_chart(
                painter, live, session, chosen, look.size, look.theme, look.title, large=look.is_large
            ),
        )
    page = parts.memory_page
    if plot is Plot.MEMORY and watched is not None and parts.memory.isVisible():
        stem = watched_stem(session, watched)
        return _memory_view(watched, stem, recorded_with(grids_of(session.traces), watched.run))
    request = request_on_screen(parts)
    if plot is Plot.MEMORY and request is not None:
        return request
    shown = page.shown if plot is Plot.MEMORY else centre
    if isinstance(shown, RecordingView) and (trace := shown.shown()) is not None:
        return _recording_view(trace, shown.compared, shown.pair, session.version_names)
    lesson = step_view(centre) if isinstance(centre, LessonPage) and plot is None else None
    if lesson is not None:
        return lesson
    name = plot.value if plot else "view"
    return ViewOnScreen(name, "", lambda _made, size, theme, title: _widget_image(shown, size, theme, title))


def request_on_screen(parts: Parts) -> ViewOnScreen | None:
    """The request that a stage in front on the page of memory shows; None where there is none."""
    stages = parts.memory_page.stages
    stage, playable = stages.in_front, stages.playable
    if stage is None or stage.request is None or playable is None:
        return None
    return request_view(stage, playable)


def _memory_view(watched: Watched, stem: str, others: Others) -> ViewOnScreen:
    """The frame that is shown, and the one beside it, as a slide; `stem` is that of its block's files, `others` are the
    blocks of its launch at hand.
    """

    def prepare() -> tuple[FilmSource, SourceBeside | None]:
        source = film_source_of(watched.run, watched.place, watched.mode, others, watched.code)
        return source, source_beside(source, watched.beside, watched.code) if watched.beside is not None else None

    def slide_of(made: Any, size: Size, theme: Theme, title: str, beside_title: str | None) -> SlidePicture:
        (source, beside_source), beside = made, watched.beside
        return SlidePicture(
            source, *size, theme, watched.heat, watched.selection, beside, title, beside_source, beside_title
        )

    def paint(made: Any, size: Size, theme: Theme, title: str, beside_title: str | None = None) -> QImage:
        slide = slide_of(made, size, theme, title, beside_title)
        return fitted(slide.image(watched.shown, 1.0, slide.scale), size, theme)

    def draw(made: Any, painter: QPainter, look: DrawnLook) -> None:
        slide = slide_of(made, look.size, look.theme, look.title, look.beside_title)
        painter.scale(slide.scale, slide.scale)
        slide.draw(painter, watched.shown)

    beside = watched.beside
    name = still_stem(stem, beside, watched.shown + 1)
    if beside is None:
        return ViewOnScreen(name, picture_title(watched.run), paint, prepare, draw=draw, is_slide=True)
    title, other = (each.title for each in beside.names)
    return ViewOnScreen(
        name,
        title,
        paint,
        prepare,
        beside_title=other,
        beside_is_left=beside.is_left,
        paint_both=paint,
        draw=draw,
        is_slide=True,
    )


def request_view(stage: RequestStage, playable: Playable) -> ViewOnScreen:
    """The request that a stage shows, as a slide, with the bank marked that the pointer is on.

    How the array is laid out is said in the request's sentence.
    """
    pointed = stage.pointed if isinstance(stage, BankStage) else None
    is_modelled = isinstance(stage, BankStage) and stage.is_modelled
    said = f"{stage.sentence} {stage.detail}".strip()
    wrong = recording_warning(playable.run)
    text = slide_text(playable.run, playable.block, "", said, wrong, is_modelled=is_modelled)

    def draw(_made: Any, painter: QPainter, look: DrawnLook) -> None:
        size, theme = look.size, look.theme
        plan, twin = plan_slide(*size, hazards=bool(wrong)), stage.twin(theme)
        if isinstance(twin, BankStage):
            twin.point(pointed)
        pane = plan.panes[0].picture
        picture = twin.picture
        picture.setParent(None)
        picture.setStyleSheet(style_sheet(theme))
        picture.set_magnification(plan.scale, LEAST_LABEL_UNITS * plan.scale)
        picture.resize(round(pane.width * plan.scale), round(pane.height * plan.scale))
        try:
            settle(picture)
            painter.fillRect(0, 0, *size, QColor(theme.canvas))
            picture.render(
                painter, QPoint(round(pane.x * plan.scale), round(pane.y * plan.scale)), QRegion(), EVERYTHING
            )
            painter.scale(plan.scale, plan.scale)
            paint_words(painter, plan, (replace(text, title=look.title),), theme)
        finally:
            picture.deleteLater()
            twin.deleteLater()

    def paint(_made: Any, size: Size, theme: Theme, title: str) -> QImage:
        image = blank(size, theme)
        with QPainter(image) as painter:
            draw(None, painter, DrawnLook(size, theme, title))
        return image

    what = "banks" if isinstance(stage, BankStage) else "sectors"
    name = file_title(playable.run, None, what)
    return ViewOnScreen(name, text.title, paint, draw=draw, is_slide=True, tables=lambda: (stage.table(),))


def _recording_view(
    trace: TraceRun, other: TraceRun | None, pair: tuple[TraceRun, TraceRun] | None, names: VersionNames
) -> ViewOnScreen:
    """The source, the totals and the hazards of a recording, as a slide; those of `other`, its other form, beside, or
    the totals and hazards of a `pair` that it is one of. `names` are those of the session's versions.

    The lines with figures are in letters as large as they can be, from the first hazard on where not all have room.
    """
    kernel, shape, _ = block_words(trace, trace.blocks[0].block)
    about = kernel_name(trace.spec.kernel).title
    head, both = "", None
    if pair is not None and other is None:
        both = names_beside(*pair, names)
        own = both[0 if trace is pair[0] else 1].title
        kernel, about, head = titles_together(both), "", f"Source of {own}"
    text = SlideText(kernel, f"M×N×K = {shape}", about, head, facts_of(trace, with_note=True))

    def paint(_made: Any, size: Size, theme: Theme, title: str) -> QImage:
        plan, twin = plan_slide(*size), RecordingView()
        pane = plan.panes[0].picture
        twin.setStyleSheet(style_sheet(theme))
        twin.setPalette(palette(theme))
        twin.set_theme(theme)
        twin.show_traces((pair or (trace,)) if other is None else (other, trace), names)
        twin.show_pair(pair)
        twin.show_trace(trace)
        smaller = fit_recording(twin, (pane.width, pane.height), trace)
        image = blank(size, theme)
        try:
            with QPainter(image) as painter:
                at = round(pane.x * plan.scale), round(pane.y * plan.scale)
                painter.drawImage(*at, render_image(twin, plan.scale / smaller))
                painter.scale(plan.scale, plan.scale)
                paint_words(painter, plan, (replace(text, title=title),), theme)
        finally:
            twin.deleteLater()
        return image

    return ViewOnScreen(file_title(trace, both, "totals_and_hazards"), text.title, paint)


def _widget_image(widget: QWidget, size: Size, theme: Theme, title: str) -> QImage:
    """Any other page as it is, below its title if it has one."""
    width, height = size
    plan = plan_slide(width, height)
    band = round(TITLE * plan.scale) if title else 0
    scale = min(width / widget.width(), (height - band) / widget.height())
    image = blank(size, theme)
    with QPainter(image) as painter:
        painter.drawImage(0, band, fitted(render_image(widget, scale), (width, height - band), theme))
        if title:
            painter.scale(plan.scale, plan.scale)
            paint_words(painter, plan, (SlideText(title),), theme)
    return image
