"""Frames of a source in the form of a presentation, alone or beside those of another: title, picture, caption."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import permutations
from typing import TypeVar

from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage, QPainter

from gemmviz.domain.recordings.access import Space
from gemmviz.explain.block.heat_maps import HeatKind
from gemmviz.explain.block.running_totals import RunningTotals
from gemmviz.explain.requests.frame_facts import facts_of
from gemmviz.explain.requests.machine_requests import RequestCode
from gemmviz.explain.requests.selection import NOTHING, Selection
from gemmviz.explain.source.machine_words import differs_in
from gemmviz.gui.export.film_source import FilmSource, film_source_of, moments_beside
from gemmviz.gui.export.pictures.memory_picture import SourceScenes
from gemmviz.gui.export.pictures.still_layer import AllFlights, Canvas, StillLayer
from gemmviz.gui.looks.projector import projector_theme
from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.memory.hazard_sentences import warning_of
from gemmviz.gui.memory_view.motion_paths import still_key
from gemmviz.gui.memory_view.paint.device_pixels import pixels_of_unit
from gemmviz.gui.memory_view.paint.looks import looks_of
from gemmviz.gui.memory_view.paint.number_room import with_numbers_alike
from gemmviz.gui.memory_view.paint.painter import paint_moving, paint_still
from gemmviz.gui.memory_view.places.legend import with_legends_alike
from gemmviz.gui.memory_view.sampled_frames import sampled
from gemmviz.gui.memory_view.scene import Scene
from gemmviz.gui.player.caption_label import split_caption
from gemmviz.gui.presentation.paint_ratios import RATIOS_HEIGHT, RatioPart, paint_ratios, ratio_words, so_far_words
from gemmviz.gui.presentation.slide import (
    CAPTION_UNITS,
    LEAST_LABEL_UNITS,
    SlideText,
    caption_units,
    paint_words,
    picture_units,
    plan_slide,
    slide_text,
)
from gemmviz.gui.recording.block_names import Beside, totals_words

Painted = TypeVar("Painted")
SourceBeside = tuple[FilmSource, list[int], list[int]]
"""What stands beside a source, and at every moment of both the frame of that source and its own."""


def source_beside(source: FilmSource, beside: Beside, code: RequestCode = RequestCode.SASS) -> SourceBeside:
    """Make the source beside another one ready, with the moments that the player counts for both. Its warp requests are
    as `code` has them.
    """
    other = film_source_of(beside.run, beside.place, beside.mode, code=code)
    return other, *moments_beside(source, other, beside)


class SlidePicture:
    """Paints frames of a source on slides of `width` x `height` pixels; `beside` is what stands beside it, in step.

    Of two pictures an index counts the moments of both, as the player does.

    It paints on anything but widgets, in any thread, one at a time.
    """

    def __init__(
        self,
        source: FilmSource,
        width: float,
        height: float,
        theme: Theme,
        heat: HeatKind = HeatKind.NONE,
        selection: Selection = NOTHING,
        beside: Beside | None = None,
        title: str | None = None,
        beside_source: SourceBeside | None = None,
        beside_title: str | None = None,
        *,
        has_captions: bool = True,
    ) -> None:
        """`title` stands above the picture of `source` instead of its kernel, `beside_title` above the other one; ""
        for nothing. `beside_source` is what `source_beside` found, which takes its time.

        Below two pictures whose totals can be compared stands what both have needed so far; at the end of both, which
        part of it the whole block of one needs. Without `has_captions`, as in print, the picture has their room:
        `texts` has them.
        """
        sources = [(source, list(range(len(source.frames))))]
        if beside is not None:
            other, own, others = beside_source if beside_source is not None else source_beside(source, beside)
            sources = [(source, own)]
            sources.insert(0 if beside.is_left else 1, (other, others))
        compares = beside is not None and not totals_words(source.run, beside.run)
        blocks = sources if compares else ()
        self._running = tuple(
            RunningTotals(each.block, each.analysis.timeline, is_of_ptx=differs_in(each.run.machine, Space.SHARED))
            for each, _ in blocks
        )
        self.totals = tuple(each.in_all for each in self._running)
        """The totals of the whole blocks of two pictures, where they can be compared."""
        figures, hazards = RATIOS_HEIGHT if compares else 0.0, any(each.run.hazards for each, _ in sources)
        self._has_captions, caption = has_captions, None if has_captions else 0.0
        warns = hazards and has_captions
        self._plan = plan_slide(width, height, len(sources), figures, hazards=warns, caption=caption)
        self._facts = [facts_of(each.frames, each.run.hazards) for each, _ in sources]
        self._theme, self._looks = theme, looks_of(theme)
        self._sources = sources
        self._first = next(place for place, (each, _) in enumerate(sources) if each is source)
        named, others_named = (name.title for name in beside.names) if beside is not None else ("", "")
        self._proposed = [named if each is source else others_named for each, _ in sources]
        self._titles = [title if each is source else beside_title for each, _ in sources]
        of_beside = beside.selection if beside is not None else NOTHING
        self._scenes = [
            SourceScenes(
                each,
                pane.picture.width,
                pane.picture.height,
                heat,
                selection if each is source else of_beside,
                is_presented=True,
            )
            for (each, _), pane in zip(sources, self._plan.panes, strict=True)
        ]
        self._caption_units, self._still = CAPTION_UNITS[0], StillLayer()
        shapes = [each.run.spec.shape for each, _ in sources]
        self._magnification = picture_units(shapes, is_printed=not has_captions)
        self._lay_out()

    def keep_legend(self, indices: Sequence[int], *, is_animated: bool = True) -> None:
        """Name in every legend what any of these frames shows, where `is_animated` also before its tiles have arrived,
        and write every caption in the type in which those of all of them fit; of many, some from everywhere are asked.
        """
        self._caption_units = caption_units(self._plan, (self.texts(index) for index in sampled(indices)))
        self._still = StillLayer()
        for (_, frames), scenes in zip(self._sources, self._scenes, strict=True):
            own = sorted({frames[index] for index in indices})
            scenes.keep_legend(own, is_animated=is_animated)

    @property
    def count(self) -> int:
        """How many frames there are, of two pictures how many moments."""
        return len(self._sources[0][1])

    @property
    def scale(self) -> float:
        """Pixels of a unit."""
        return self._plan.scale

    @property
    def words(self) -> str:
        """The recorded blocks in one line, from left to right."""
        return " and ".join(source.words for source, _ in self._sources)

    def image(self, index: int, arrival: float, scale: float = 1.0) -> QImage:
        """The slide of a frame or a moment, counted from 0, as an image of `scale` pixels a unit.

        Raises:
            IndexError: there is no such frame.
            MemoryError: the image does not fit in memory.
        """
        canvas, scenes = Canvas(self._plan.width, self._plan.height, scale), self._scenes_of(index, arrival)
        return self._still.image(
            canvas,
            (index, *(still_key(scene) for scene in scenes)),
            lambda painter: self._draw_still(painter, scenes, index),
            lambda painter, flights: self._draw_moving(painter, scenes, flights),
        )

    def draw(self, painter: QPainter, index: int, arrival: float = 1.0) -> None:
        """Paint the slide of a frame or a moment, counted from 0, in units.

        Raises:
            IndexError: there is no such frame.
        """
        scenes = self._scenes_of(index, arrival)
        self._draw_moving(painter, scenes, self._draw_still(painter, scenes, index))

    def _draw_still(self, painter: QPainter, scenes: list[Scene], index: int) -> AllFlights:
        """All but the tiles on their way, which stay in their pictures."""
        plan, theme = self._plan, self._theme
        painter.fillRect(QRectF(0, 0, plan.width, plan.height), QColor(theme.canvas))
        flights = self._in_panes(painter, scenes, lambda scene, _: paint_still(painter, scene, self._looks))
        texts = self.texts(index)
        if self.totals:
            paint_ratios(painter, plan.ratios, self._ratios(index, texts), projector_theme(theme))
        shown = texts if self._has_captions else _without_captions(texts)
        paint_words(painter, plan, shown, theme, self._caption_units)
        return flights

    def _draw_moving(self, painter: QPainter, scenes: list[Scene], flights: AllFlights) -> None:
        self._in_panes(painter, scenes, lambda scene, place: paint_moving(painter, scene, self._looks, flights[place]))

    def _in_panes(
        self, painter: QPainter, scenes: list[Scene], paint: Callable[[Scene, int], Painted]
    ) -> tuple[Painted, ...]:
        """What `paint` returns of each scene, painted in the units of its picture."""
        alike = with_numbers_alike(scenes, pixels_of_unit(painter) * self._magnification)
        found = []
        for place, (scene, pane) in enumerate(zip(alike, self._plan.panes, strict=True)):
            box = pane.picture_at(self._magnification)
            painter.save()
            painter.translate(box.x, box.y)
            painter.setClipRect(QRectF(0, 0, box.width, box.height))
            painter.scale(self._magnification, self._magnification)
            found.append(paint(scene, place))
            painter.restore()
        return tuple(found)

    def _scenes_of(self, index: int, arrival: float) -> list[Scene]:
        """The pictures of a frame or a moment, from left to right."""
        shown = zip(self._scenes, self._sources, strict=True)
        found = [scenes.scene(frames[index], _arrival_of(frames, index, arrival)) for scenes, (_, frames) in shown]
        return with_legends_alike(found, self._looks) if len(found) > 1 else found

    def _ratios(self, index: int, texts: Sequence[SlideText]) -> list[RatioPart]:
        """The line below two pictures at a moment: the result at the end of both."""
        if index == self.count - 1:
            return ratio_words(self.totals, texts)
        moments = zip(self._running, self._scenes, self._sources, strict=True)
        counted = [totals.until(scenes.frame(frames[index])) for totals, scenes, (_, frames) in moments]
        return so_far_words(counted, self.totals, texts)

    def _lay_out(self) -> None:
        """Place everything in the pictures, whose smallest words are read from afar."""
        factor = self._magnification
        for scenes, pane in zip(self._scenes, self._plan.panes, strict=True):
            box = pane.picture_at(factor)
            scenes.resize(box.width / factor, box.height / factor, LEAST_LABEL_UNITS / factor)
        for scenes, others in permutations(self._scenes, 2):
            scenes.lay_out_beside(others)

    def texts(self, index: int) -> tuple[SlideText, ...]:
        """The words of the slide of a frame or a moment, counted from 0.

        Raises:
            IndexError: there is no such frame.
        """
        found = []
        shown = zip(self._scenes, self._sources, self._facts, self._proposed, strict=True)
        for scenes, (source, frames), facts, title in shown:
            frame = scenes.frame(frames[index])
            wrong = warning_of(frame, source.run, facts, source.block)
            other = next((each.run for each, _ in self._sources if each is not source), None)
            caption = split_caption(frame.caption)
            found.append(slide_text(source.run, source.block.block, *caption, wrong, other, title=title))
        return tuple(
            text if typed is None else replace(text, title=typed)
            for text, typed in zip(found, self._titles, strict=True)
        )

    def caption(self, index: int) -> str:
        """What a frame or a moment, counted from 0, does.

        Raises:
            IndexError: there is no such frame.
        """
        return self._scenes[self._first].frame(self._sources[self._first][1][index]).caption


def _without_captions(texts: tuple[SlideText, ...]) -> tuple[SlideText, ...]:
    """The titles, of two without their sizes, which would stand below both."""
    bare = (replace(text, head="", sentence="", note="", hazard="") for text in texts)
    return tuple(replace(text, size="") for text in bare) if len(texts) > 1 else tuple(bare)


def _arrival_of(frames: Sequence[int], index: int, arrival: float) -> float:
    """How much of a frame is over, 0 to 1; all of one that its picture shows already, because it waits."""
    return 1.0 if index and frames[index] == frames[index - 1] else arrival
