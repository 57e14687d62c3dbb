"""All that is written on the picture, before a letter of it is painted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from gemmviz.gui.memory_view.paint.looks import Looks
from gemmviz.gui.memory_view.places.foot import Foot, foot_of
from gemmviz.gui.memory_view.scene import Scene
from gemmviz.gui.memory_view.text.corner import corner_words
from gemmviz.gui.memory_view.text.figures import Figures, block_figures, end_of_two
from gemmviz.gui.memory_view.text.matrices import matrix_words
from gemmviz.gui.memory_view.text.place import words_of_place
from gemmviz.gui.memory_view.text.sums import SumsPlace, place_sums
from gemmviz.gui.memory_view.text.text_item import TextItem


@dataclass(frozen=True, slots=True)
class Writing:
    """Captions and what stands in the corner; figures and the sums of a thread left of A; the foot; its last line."""

    words: tuple[TextItem, ...]
    figures: Figures
    sums: SumsPlace | None
    foot: Foot
    place: tuple[TextItem, ...] = ()

    def __iter__(self) -> Iterator[TextItem]:
        """Every line of it."""
        yield from self.words
        yield from self.figures.words
        yield from self.sums.words if self.sums is not None else ()
        yield from self.foot.words
        yield from self.place


def write(scene: Scene, looks: Looks) -> Writing:
    """Where it all stands. Small matrices have the sums of a thread below the figures, or in their place."""
    words = (*matrix_words(scene, looks), *corner_words(scene, looks))
    figures, sums = block_figures(scene, looks), None
    for is_short in (False, True) if scene.camera.shows_all and scene.sums else ():
        way = block_figures(scene, looks, short=is_short)
        bottom = max(way.bottom, end_of_two(scene, short=is_short)) if scene.is_compared else way.bottom
        sums = place_sums(scene, looks, bottom + 6)
        if sums is not None:
            figures = way
            break
    return Writing(words, figures, sums, foot_of(scene, looks), words_of_place(scene, looks))
