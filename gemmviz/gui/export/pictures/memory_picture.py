"""The memory view as a picture on paper: the scene of a frame, below it what is wrong in the frame, what it does and
whence the figures.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPainter, QPen

from gemmviz.domain.unbroken_text import words_of
from gemmviz.domain.visible_text import visible
from gemmviz.explain.block.heat_maps import HeatKind
from gemmviz.explain.requests.frame_facts import facts_of
from gemmviz.explain.requests.selection import NOTHING, Selection
from gemmviz.gui.export.film_source import FilmSource
from gemmviz.gui.export.pictures.still_layer import Canvas, StillLayer
from gemmviz.gui.looks.fonts import SMALL, figures, words
from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.memory.hazard_sentences import warning_of
from gemmviz.gui.memory_view.composer import Composer
from gemmviz.gui.memory_view.motion_paths import still_key
from gemmviz.gui.memory_view.paint.looks import looks_of
from gemmviz.gui.memory_view.paint.painter import paint_moving, paint_still
from gemmviz.gui.memory_view.sampled_frames import sampled
from gemmviz.gui.memory_view.scene import Scene
from gemmviz.gui.memory_view.text.stepped_back import Flights
from gemmviz.gui.memory_view.text.text_item import lines_that_fit
from gemmviz.gui.player.caption_label import split_caption
from gemmviz.trace.frames.caption import head
from gemmviz.trace.frames.values import Frame

BAND = 64.0
"""Height of the strip at the foot that says what the frame does."""
LEFT, RIGHT = 16.0, 16.0
POINTS = 10.5
GAP = 8.0
NARROW = 900.0
"""Below that width the sentence gets a line of its own."""
LINE = 20.0
MOST_LINES, MOST_HAZARD_LINES = 4, 2
"""Lines of the longest sentence, and of what is wrong."""
MOST_OF_HEIGHT = 0.45
"""The part of a small picture that the strip takes at most."""


_UNITS = (1067, 600)
"""A larger picture shows the same as one of so many units, in letters as large as a presentation's; a smaller one has
less room.
"""


def unit_of(size: tuple[int, int]) -> float:
    """Pixels of a unit of a picture so large: 1 up to _UNITS."""
    return max(1.0, min(size[0] / _UNITS[0], size[1] / _UNITS[1]))


class SourceScenes:
    """Makes scenes of the frames of a source, `width` x `height` units large, in any thread, one at a time.

    They are laid out as on the screen of a presentation where it `is_presented`.
    """

    def __init__(
        self,
        source: FilmSource,
        width: float,
        height: float,
        heat: HeatKind = HeatKind.NONE,
        selection: Selection = NOTHING,
        *,
        is_presented: bool = False,
    ) -> None:
        self._source = source
        self._frame: Frame | None = None
        self._composer = Composer()
        self._composer.present(is_presented)
        self._composer.is_single = True  # a film says which frames it has: `keep_legend`
        self._composer.names_device = False  # what is written around the picture does
        self.resize(width, height)
        self._composer.show(source.run, source.block, source.frames, source.analysis)
        self._composer.use_values(source.a, source.b, source.c)
        self._composer.others = source.others
        self._composer.use_heat(heat)
        self._composer.thread, self._composer.warp = selection.thread, selection.warp
        self._composer.chosen = selection.element

    def resize(self, width: float, height: float, least_label: float = 0.0) -> None:
        """Make scenes of that size from now on, with labels of `least_label` pixels or more."""
        self._size = width, height
        self._composer.resize(width, height, least_label)

    def lay_out_beside(self, other: SourceScenes) -> None:
        """Place everything so that the scenes of `other` can stand beside these in the same layout."""
        self._composer.beside = other._composer.needs(other._size)

    def keep_legend(self, indices: Sequence[int], *, is_animated: bool = True) -> None:
        """Keep a place in every legend for what any of these frames shows, where `is_animated` also before its tiles
        have arrived; of many, some from everywhere are asked.
        """
        self._composer.keep_legend(indices, is_animated=is_animated)

    def frame(self, index: int) -> Frame:
        """A frame, counted from 0.

        Raises:
            IndexError: there is no such frame.
        """
        if self._frame is None or self._frame.index != index:
            self._frame = self._source.frames.frame(index)
            self._composer.show_frame(self._frame)
        return self._frame

    def scene(self, index: int, arrival: float = 1.0) -> Scene:
        """The scene of a frame, counted from 0.

        Raises:
            IndexError: there is no such frame.
        """
        self.frame(index)
        self._composer.arrival = arrival
        scene = self._composer.scene()
        assert scene is not None  # a source has a recording
        return scene


class MemoryPicture:
    """Paints frames of a source, `width` x `height` units large; a unit is a pixel of an unscaled picture.

    `selection` is marked as on the screen. It paints on anything but widgets, in any thread, one at a time.
    """

    def __init__(
        self,
        source: FilmSource,
        width: float,
        height: float,
        theme: Theme,
        heat: HeatKind = HeatKind.NONE,
        selection: Selection = NOTHING,
    ) -> None:
        self._source, self._width, self._height = source, width, height
        self._theme, self._looks = theme, looks_of(theme)
        frames = source.frames
        widest, _ = split_caption(head(frames.mode, len(frames) - 1, len(frames)))
        self._across = LEFT if width < NARROW else LEFT + _bold().horizontalAdvance(widest) + GAP
        self._facts = facts_of(frames, source.run.hazards)
        self._is_kept, self._still = False, StillLayer()
        self._lines, self._hazard_lines, self._band = 1, 0, BAND
        self._scenes = SourceScenes(source, width, height - BAND, heat, selection)

    def image(self, index: int, arrival: float, scale: float = 1.0, density: float = 1.0) -> QImage:
        """A frame, counted from 0, as an image whose units are `scale` pixels, `density` times as fine.

        Raises:
            IndexError: there is no such frame.
            MemoryError: the image does not fit in memory.
        """
        scene, canvas = self.scene(index, arrival), Canvas(self._width, self._height, scale, density)
        return self._still.image(
            canvas,
            (index, still_key(scene)),
            lambda painter: (self._draw_still(painter, scene, index),),
            lambda painter, flights: paint_moving(painter, scene, self._looks, *flights),
        )

    def draw(self, painter: QPainter, index: int, arrival: float = 1.0) -> None:
        """Paint a frame, counted from 0.

        Raises:
            IndexError: there is no such frame.
        """
        scene = self.scene(index, arrival)
        paint_moving(painter, scene, self._looks, self._draw_still(painter, scene, index))

    def _draw_still(self, painter: QPainter, scene: Scene, index: int) -> Flights:
        painter.save()
        flights = paint_still(painter, scene, self._looks)
        painter.restore()
        self._draw_band(painter, self._scenes.frame(index))
        return flights

    def keep_legend(self, indices: Sequence[int], *, is_animated: bool = True) -> None:
        """Keep the places of the legend in all of these frames, counted from 0, where `is_animated` also while tiles
        move, and below the scene room for the longest sentence among them; of many, some from everywhere are asked.
        """
        self._make_room(sampled(indices))
        self._is_kept, self._still = True, StillLayer()
        self._scenes.keep_legend(indices, is_animated=is_animated)

    def scene(self, index: int, arrival: float = 1.0) -> Scene:
        """What is painted above the strip, as values.

        Raises:
            IndexError: there is no such frame.
        """
        if not self._is_kept:
            self._make_room((index,))
        return self._scenes.scene(index, arrival)

    def caption(self, index: int) -> str:
        """What a frame, counted from 0, does.

        Raises:
            IndexError: there is no such frame.
        """
        return self._scenes.frame(index).caption

    def _make_room(self, indices: Sequence[int]) -> None:
        """Give the strip as many lines as the longest of these frames needs: those of every frame, so that a film
        stands still.
        """
        shown = [self._scenes.frame(index) for index in indices]
        fixed = BAND + LINE * (self._width < NARROW)
        spare = max(int((MOST_OF_HEIGHT * self._height - fixed) / LINE), 0)
        hazards = max((len(self._hazard_in_lines(frame)) for frame in shown), default=0)
        self._hazard_lines = min(hazards, MOST_HAZARD_LINES, spare)
        longest = max((len(self._sentence_in_lines(frame)) for frame in shown), default=1)
        self._lines = min(longest, MOST_LINES, spare - self._hazard_lines + 1)
        self._band = fixed + LINE * (self._hazard_lines + self._lines - 1)
        self._scenes.resize(self._width, self._height - self._band)

    def _sentence_in_lines(self, frame: Frame, most: int = MOST_LINES) -> list[str]:
        _, sentence = split_caption(frame.caption)
        measure = QFontMetricsF(words(POINTS)).horizontalAdvance
        return lines_that_fit(words_of(sentence), measure, self._width - RIGHT - self._across, most)

    def _hazard_in_lines(self, frame: Frame, most: int = MOST_HAZARD_LINES) -> list[str]:
        """What is wrong, no line in a recording without hazards."""
        wrong = warning_of(frame, self._source.run, self._facts, self._source.block)
        width = self._width - RIGHT - LEFT
        return lines_that_fit(words_of(wrong), _bold().horizontalAdvance, width, most) if wrong else []

    def _draw_band(self, painter: QPainter, frame: Frame) -> None:
        theme, top, right = self._theme, self._height - self._band, self._width - RIGHT
        painter.fillRect(QRectF(0, top, self._width, self._band), QColor(theme.panel))
        painter.setPen(QPen(QColor(theme.line), 1.0))
        painter.drawLine(QLineF(0, top + 0.5, self._width, top + 0.5))
        y, bold = top + 11, words(POINTS, QFont.Weight.DemiBold)
        wrong = self._hazard_in_lines(frame, self._hazard_lines) if self._hazard_lines else []
        for number, line in enumerate(wrong):
            self._say(painter, bold, theme.hazard, line, LEFT, y + number * LINE, right)
        y += self._hazard_lines * LINE
        self._say(painter, bold, theme.text, split_caption(frame.caption)[0], LEFT, y, right)
        if self._width < NARROW:
            y += LINE
        for number, line in enumerate(self._sentence_in_lines(frame, self._lines)):
            self._say(painter, words(POINTS), theme.text, line, self._across, y + number * LINE, right)
        evidence = words(SMALL, QFont.Weight.DemiBold)
        recorded = self._source.run.recorded_words
        said = QFontMetricsF(evidence).horizontalAdvance(recorded)
        y += self._lines * LINE + 3
        self._say(painter, evidence, theme.muted, recorded, right - said, y, right + 2)
        self._say(painter, figures(SMALL), theme.muted, self._source.words, LEFT, y, right - said - 2 * GAP)

    @staticmethod
    def _say(painter: QPainter, font: QFont, colour: str, text: str, x: float, y: float, right: float) -> None:
        """Write one line from `x` to `right` at most, cut short with dots."""
        metrics = QFontMetricsF(font)
        shown = metrics.elidedText(visible(text), Qt.TextElideMode.ElideRight, max(right - x, 0.0))
        painter.setFont(font)
        painter.setPen(QColor(colour))
        painter.drawText(QRectF(x, y, right - x, LINE), _LEFT, shown)


def _bold() -> QFontMetricsF:
    return QFontMetricsF(words(POINTS, QFont.Weight.DemiBold))


_LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
