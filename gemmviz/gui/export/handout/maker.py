"""Makes the pages of a handout from a session: on screens and in PDF files the same."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from PySide6.QtCore import QPoint, QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QPageSize, QPainter, QRegion

from gemmviz import __version__
from gemmviz.catalogue.glossary import GlossaryTerm
from gemmviz.catalogue.loader import Catalogue
from gemmviz.catalogue.term_words import terms_in
from gemmviz.domain.runs.result import Session
from gemmviz.domain.visible_text import visible
from gemmviz.explain.figures.circumstances import subtitle_of
from gemmviz.gui.charts.plot_table import Charted
from gemmviz.gui.export.film_source import film_source_of
from gemmviz.gui.export.handout.contents import (
    HandoutChoice,
    HandoutPart,
    HandoutPicture,
    Paper,
    PartKind,
    PrintedSource,
    PrintedStep,
    ScenePicture,
    parts_of,
    shown_of,
)
from gemmviz.gui.export.handout.flow import PagePiece, PlacedPiece, paged
from gemmviz.gui.export.handout.tables import PrintedTable, requests_table, resources_table, results_table
from gemmviz.gui.export.handout.text_pieces import (
    NOTE,
    caption_pieces,
    section_head,
    small_head,
    source_pieces,
    step_pieces,
    table_pieces,
    term_pieces,
    title_pieces,
)
from gemmviz.gui.export.lesson.scene_drawing import SceneDrawing
from gemmviz.gui.export.pictures.charts import PictureMaker
from gemmviz.gui.export.pictures.slide_picture import SlidePicture, source_beside
from gemmviz.gui.export.pictures.still import still_frame
from gemmviz.gui.export.pictures.widget_pdf import pdf_of_pages
from gemmviz.gui.export.plan import Planned
from gemmviz.gui.lessons.shown_step import ShownStep
from gemmviz.gui.looks.fonts import words
from gemmviz.gui.looks.theme import LIGHT, Theme
from gemmviz.gui.memory_view.paint.device_pixels import PRINTED_DENSITY
from gemmviz.gui.presentation.slide import MARGIN
from gemmviz.gui.recording.block_names import Watched
from gemmviz.gui.widgets.widget_image import BASE_DPI, EVERYTHING, settle

PAPER_THEME = replace(LIGHT, window="#ffffff", canvas="#ffffff")
"""The colours of print, whatever theme the window has."""
SIDE, TOP, BOTTOM, FOOT = 60.0, 56.0, 76.0, 44.0
"""Margins in units of 1/96 inch; the last is from the words at the foot to the edge of the paper."""
CHART_UNITS = 716
"""Units that a chart is wide, whatever paper it is on: its smallest type then has about 8 points."""
_LEAST_CHART, _LEAST_SCENE = 0.97, 0.9
"""A chart, or the scene of a lesson, may be so small, at least, below what stands on its page."""
_OWN_HEADS = PartKind.STEP, PartKind.CHART
"""Parts of these kinds have headings of their own."""
MOST_TERMS = 40
_PICTURE_GAP = 14.0
_SLIDE = 900, 600
"""Width and height of what a picture is painted in: no label in it has less than 9 points on A4. Its captions are text
below it.
"""
_SIZES = {Paper.A4: QPageSize.PageSizeId.A4, Paper.LETTER: QPageSize.PageSizeId.Letter}


@dataclass(frozen=True, slots=True, eq=False)
class HandoutPages:
    """The pages of a handout, in units of 1/96 inch: paint them before their maker makes others, or is closed."""

    title: str
    page_size: QPageSize
    pages: tuple[tuple[PlacedPiece, ...], ...]
    theme: Theme = PAPER_THEME

    @property
    def count(self) -> int:
        """How many pages there are."""
        return len(self.pages)

    @property
    def size(self) -> QSizeF:
        """Width and height of a page."""
        return paper_units(self.page_size)

    def draw(self, painter: QPainter, number: int) -> None:
        """Paint a page, counted from 0.

        Raises:
            IndexError: there is no such page.
        """
        size, placed = self.size, self.pages[number]
        painter.fillRect(QRectF(QPointF(), size), QColor(self.theme.canvas))
        for one in placed:
            painter.save()
            painter.translate(SIDE, TOP + one.y)
            one.piece.draw(painter)
            painter.restore()
        self._draw_foot(painter, number)

    def _draw_foot(self, painter: QPainter, number: int) -> None:
        font, size = words(NOTE), self.size
        metrics = QFontMetricsF(font)
        where = f"Page {number + 1} of {self.count}"
        right, y = size.width() - SIDE - metrics.horizontalAdvance(where), size.height() - FOOT
        painter.setFont(font)
        painter.setPen(QColor(self.theme.muted))
        made = " · ".join(filter(None, (visible(self.title), f"gemmviz {__version__}")))
        said = metrics.elidedText(made, Qt.TextElideMode.ElideRight, right - SIDE - 24.0)
        painter.drawText(QPointF(SIDE, y), said)
        painter.drawText(QPointF(right, y), where)

    def image(self, number: int, width: int) -> QImage:
        """A page, counted from 0, as an image of a width in pixels.

        Raises:
            IndexError: there is no such page.
        """
        size = self.size
        scale = width / size.width()
        if scale < PRINTED_DENSITY:
            sharp, high = self.image(number, round(PRINTED_DENSITY * size.width())), round(size.height() * scale)
            return sharp.scaled(
                width, high, Qt.AspectRatioMode.IgnoreAspectRatio, Qt.TransformationMode.SmoothTransformation
            )
        image = QImage(width, round(size.height() * scale), QImage.Format.Format_RGB32)
        image.fill(QColor(self.theme.canvas))  # its last row may be more than the page has
        image.setDotsPerMeterX(round(BASE_DPI / 0.0254))
        image.setDotsPerMeterY(round(BASE_DPI / 0.0254))
        with QPainter(image) as painter:
            painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.TextAntialiasing)
            painter.scale(scale, scale)
            self.draw(painter, number)
        return image

    def pdf(self) -> bytes:
        """All pages as a PDF file, its text as text."""
        paints = (partial(self.draw, number=number) for number in range(self.count))
        return pdf_of_pages(paints, self.page_size, self.size, self.title or "gemmviz")


class HandoutMaker:
    """Makes handouts of a session, whose charts compare what is `charted`; `watched` is what plays, with its frame,
    and `step` what the step of a lesson says.

    `prepare` may take a while and touches no widget; `pages` is for the thread of the window. What both have made is
    kept for the next choice.
    """

    def __init__(
        self,
        session: Session,
        charted: Charted,
        catalogue: Catalogue,
        watched: Watched | None = None,
        step: PrintedStep | None = None,
    ) -> None:
        self._session = session
        self._reference = next((kernel.id for kernel in catalogue.kernels if kernel.is_reference), "")
        self.parts = parts_of(session, catalogue, watched, step)
        self._charts, self._dense_charts = (
            PictureMaker(session, PAPER_THEME, (CHART_UNITS, 0), charted, dense=dense) for dense in (False, True)
        )
        self._pictures: dict[str, tuple[SlidePicture, int]] = {}
        self._scenes: list[SceneDrawing] = []
        self._pieces: dict[tuple[str, float, float], tuple[tuple[PagePiece, ...], str]] = {}
        """The pieces of a part in a width and a height, and words whose terms are explained."""

    def prepare(self, choice: HandoutChoice) -> None:
        """Make the recordings ready that the pictures of a choice are painted from; safe in one thread at a time."""
        for part in self._chosen(choice):
            if isinstance(part.content, HandoutPicture) and part.name not in self._pictures:
                self._pictures[part.name] = _slide(part.content)

    def pages(self, choice: HandoutChoice) -> HandoutPages:
        """The pages of a choice that was prepared."""
        page_size = page_size_of(choice.paper)
        width, height = room_on(page_size)
        chosen = self._chosen(choice)
        pieces = list(title_pieces(choice.title, subtitle_of(shown_of(self._session, chosen)), width, PAPER_THEME))
        texts: list[str] = []
        for kind in dict.fromkeys(part.kind for part in self.parts):
            parts = [part for part in chosen if part.kind is kind]
            room = height
            if kind is PartKind.RESULTS:  # a table that may stand first: its notes are to stand on its page
                head = section_head(kind.value, width, PAPER_THEME)
                room -= sum(each.height + each.gap for each in (*pieces, *head))
            made = [self._made(part, width, room) for part in parts if kind is not PartKind.TERMS]
            if kind is PartKind.TERMS and parts:
                pieces += terms_section(texts, width)
            elif made and kind not in _OWN_HEADS:
                pieces += section_head(kind.value, width, PAPER_THEME)
            for found, said in made:
                pieces += found
                texts.append(said)
        return HandoutPages(choice.title, page_size, paged(pieces, height))

    def made(
        self, choice: HandoutChoice, width: float, height: float
    ) -> Iterator[tuple[HandoutPart, tuple[PagePiece, ...], str]]:
        """The parts of a choice that was prepared, but for its terms, in pages of so many units: each with its pieces,
        and words whose terms are explained.
        """
        for part in self._chosen(choice):
            if part.kind is not PartKind.TERMS:
                yield part, *self._made(part, width, height)

    def close(self) -> None:
        """Let go of the charts."""
        self._charts.close()
        self._dense_charts.close()
        for scene in self._scenes:
            scene.close()
        self._scenes.clear()

    def _chosen(self, choice: HandoutChoice) -> list[HandoutPart]:
        return [part for part in self.parts if part.name in choice.parts]

    def _made(self, part: HandoutPart, width: float, height: float) -> tuple[tuple[PagePiece, ...], str]:
        key = part.name, width, height
        if key not in self._pieces:
            self._pieces[key] = self._make(part, width, height)
        return self._pieces[key]

    def _make(self, part: HandoutPart, width: float, height: float) -> tuple[tuple[PagePiece, ...], str]:
        match part.content:
            case Planned() as chart:
                return self._chart_pieces(chart, width, height)
            case HandoutPicture():
                return self._picture_pieces(part.name, width)
            case ScenePicture(shown):
                return self._scene_pieces(shown, width), ""
            case PrintedStep() as step:
                return step_pieces(step, width, PAPER_THEME), f"{step.text.sentence} {step.text.rest}"
            case PrintedSource() as source:
                head = small_head(source.file, source.about, width, PAPER_THEME)
                return (*head, *source_pieces(source, width, PAPER_THEME, height)), ""
        table = self._table(part.kind)
        room = height if part.kind is PartKind.RESULTS else math.inf
        return table_pieces(table, width, PAPER_THEME, room), "\n".join((*table.heads, *table.notes))

    def _table(self, kind: PartKind) -> PrintedTable:
        match kind:
            case PartKind.RESOURCES:
                return resources_table(self._session)
            case PartKind.REQUESTS:
                return requests_table(self._session)
        return results_table(self._session, self._reference)

    def _chart_pieces(self, chart: Planned, width: float, height: float) -> tuple[tuple[PagePiece, ...], str]:
        """The chart as wide as the text; with rows of one line where it would be higher than a page."""
        charts = self._charts
        widget = charts.widget_for(chart)
        if widget.height() * width > height * widget.width():
            charts = self._dense_charts
            widget = charts.widget_for(chart)
        settle(widget)
        left = widget.contents_left  # what is in the chart begins where the text does
        wide, high = widget.width() - 2 * left, widget.height()
        scale = min(width / wide, height / high)

        def draw(painter: QPainter) -> None:
            shown = charts.widget_for(chart)
            settle(shown)
            painter.translate((width - wide * scale) / 2 - left * scale, 0.0)
            painter.scale(scale, scale)
            shown.render(painter, QPoint(), QRegion(), EVERYTHING)

        said = "\n".join((widget.title, widget.evidence, widget.notes_words))
        return (PagePiece(high * scale, draw, _PICTURE_GAP, shrinks=_LEAST_CHART),), said

    def _picture_pieces(self, name: str, width: float) -> tuple[tuple[PagePiece, ...], str]:
        slide, index = self._pictures[name]
        wide, high = (side / slide.scale for side in _SLIDE)
        scale = width / (wide - 2 * MARGIN)  # what is in the picture begins where the text does

        def draw(painter: QPainter) -> None:
            painter.scale(scale, scale)
            painter.translate(-MARGIN, 0.0)
            slide.draw(painter, index)

        texts = slide.texts(index)
        said = "\n".join(words for text in texts for words in (text.head, text.sentence))
        captions = caption_pieces(texts, width, PAPER_THEME)
        return (PagePiece(high * scale, draw, _PICTURE_GAP, keeps=True), *captions), said

    def _scene_pieces(self, shown: ShownStep, width: float) -> tuple[PagePiece, ...]:
        """What a step of a lesson shows, as wide as the text."""
        scene = SceneDrawing(shown, PAPER_THEME)
        self._scenes.append(scene)
        scale = width / scene.size[0]

        def draw(painter: QPainter) -> None:
            painter.scale(scale, scale)
            scene.draw(painter)

        return (PagePiece(scene.size[1] * scale, draw, _PICTURE_GAP, shrinks=_LEAST_SCENE),)


def terms_section(texts: Sequence[str], width: float) -> tuple[PagePiece, ...]:
    """The terms of some texts, below their heading; nothing where there are none."""
    terms = sorted(terms_in(*texts)[:MOST_TERMS], key=_in_dictionary)
    head = section_head(PartKind.TERMS.value, width, PAPER_THEME)
    return (*head, *term_pieces(terms, width, PAPER_THEME)) if terms else ()


def page_size_of(paper: Paper) -> QPageSize:
    """A size of paper."""
    return QPageSize(_SIZES[paper])


def room_on(page_size: QPageSize) -> tuple[float, float]:
    """Width and height between the margins, in units of 1/96 inch."""
    size = paper_units(page_size)
    return size.width() - 2 * SIDE, size.height() - TOP - BOTTOM


def _in_dictionary(term: GlossaryTerm) -> str:
    """What a term is sorted by: its name without signs before it, capitals as small letters."""
    return term.name.lstrip("×% ").casefold()


def paper_units(page_size: QPageSize) -> QSizeF:
    """Width and height of paper in units of 1/96 inch."""
    return page_size.size(QPageSize.Unit.Inch) * BASE_DPI


def _slide(picture: HandoutPicture) -> tuple[SlidePicture, int]:
    """The slide of a picture, and the frame or moment of it that is shown, from 0."""
    watched = picture.watched
    if watched is None:
        source = film_source_of(picture.run, picture.place, None, picture.others)
        slide = SlidePicture(source, *_SLIDE, PAPER_THEME, title=picture.title, has_captions=False)
        return slide, still_frame(source)
    source = film_source_of(picture.run, picture.place, watched.mode, picture.others, watched.code)
    beside = watched.beside
    other = source_beside(source, beside, watched.code) if beside is not None else None
    title = picture.title if beside is None else None
    chosen = watched.heat, watched.selection
    slide = SlidePicture(source, *_SLIDE, PAPER_THEME, *chosen, beside, title, beside_source=other, has_captions=False)
    return slide, watched.shown
