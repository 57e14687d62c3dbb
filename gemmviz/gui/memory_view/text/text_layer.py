"""All that is written on the picture, before a letter of it is painted."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace

from gemmviz.gui.memory_view.paint.looks import Looks
from gemmviz.gui.memory_view.places.legend import PictureLegend, picture_legend
from gemmviz.gui.memory_view.scene import Scene
from gemmviz.gui.memory_view.text.figures import Figures, block_figures, end_of_two
from gemmviz.gui.memory_view.text.matrices import matrix_words
from gemmviz.gui.memory_view.text.onchip import onchip_words
from gemmviz.gui.memory_view.text.place import words_of_place
from gemmviz.gui.memory_view.text.sums import SumsPlace, place_sums
from gemmviz.gui.memory_view.text.text_item import TextItem

LEADING = 2.0
"""Pixels of a line below its letters."""


@dataclass(frozen=True, slots=True)
class TextLayer:
    """Captions and what stands on chip; figures and the sums of a thread left of A; the legend; the last line."""

    words: tuple[TextItem, ...]
    figures: Figures
    sums: SumsPlace | None
    legend: PictureLegend
    place: tuple[TextItem, ...] = ()

    def __iter__(self) -> Iterator[TextItem]:
        """Every line of it."""
        yield from self.words
        yield from self.figures.words
        yield from self.sums.words if self.sums is not None else ()
        yield from self.legend.words
        yield from self.legend.faint_words
        yield from self.place

    def without(self, items: Collection[TextItem]) -> TextLayer:
        """The same but for these lines."""
        if not items:
            return self

        def kept(lines: Iterable[TextItem]) -> tuple[TextItem, ...]:
            return tuple(line for line in lines if line not in items)

        legend = replace(self.legend, words=kept(self.legend.words), faint_words=kept(self.legend.faint_words))
        return TextLayer(
            kept(self.words),
            replace(self.figures, words=kept(self.figures.words)),
            replace(self.sums, words=kept(self.sums.words)) if self.sums is not None else None,
            legend,
            kept(self.place),
        )


def text_layer(scene: Scene, looks: Looks) -> TextLayer:
    """Where it all stands. Small matrices have the sums of a thread below the figures, or in their place."""
    words = (*matrix_words(scene, looks), *onchip_words(scene, looks))
    figures, sums = block_figures(scene, looks), None
    for is_short in (False, True) if scene.camera.shows_all and scene.sums.of_thread else ():
        way = block_figures(scene, looks, short=is_short, has_below=True)
        bottom = max(way.bottom, end_of_two(scene, short=is_short)) if scene.is_compared else way.bottom
        sums = place_sums(scene, looks, bottom + 6)
        if sums is not None:
            figures = way
            break
    return TextLayer(words, figures, sums, *_foot(scene, looks))


def foot_top(scene: Scene, looks: Looks) -> float:
    """Where the legend begins, or ends what is written below the matrices."""
    captions = [line.box.bottom for line in matrix_words(scene, looks)] if scene.camera.shows_all else []
    return max([picture_legend(scene, looks).top, *captions])


def _foot(scene: Scene, looks: Looks) -> tuple[PictureLegend, tuple[TextItem, ...]]:
    """The legend and the last line, each as long as nothing else stands there."""
    end = scene.window.bottom - scene.notes.covered + LEADING
    legend, place = picture_legend(scene, looks), words_of_place(scene, looks)
    if any(line.box.bottom > end for line in legend.words):
        legend = PictureLegend((), top=scene.window.bottom)
    return legend, () if any(line.box.bottom > end for line in place) else place
