"""All that is written on the picture, before a letter of it is painted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from gemmviz.gui.memory_view.foot import Foot, foot_of
from gemmviz.gui.memory_view.inscription import Inscription
from gemmviz.gui.memory_view.looks import Looks
from gemmviz.gui.memory_view.scene import Scene
from gemmviz.gui.memory_view.words_corner import corner_words
from gemmviz.gui.memory_view.words_figures import Figures, block_figures, room_of_two
from gemmviz.gui.memory_view.words_matrices import matrix_words
from gemmviz.gui.memory_view.words_place import words_of_place
from gemmviz.gui.memory_view.words_sums import SumsPlace, place_sums


@dataclass(frozen=True, slots=True)
class Writing:
    """Captions and what stands in the corner; figures and the sums of a thread left of A; the foot; its last line."""

    words: tuple[Inscription, ...]
    figures: Figures
    sums: SumsPlace | None
    foot: Foot
    place: tuple[Inscription, ...] = ()

    def __iter__(self) -> Iterator[Inscription]:
        """Every line of it."""
        yield from self.words
        yield from self.figures.words
        yield from self.sums.words if self.sums is not None else ()
        yield from self.foot.words
        yield from self.place


def write(scene: Scene, looks: Looks) -> Writing:
    """Where it all stands. Small matrices have the sums of a thread below the figures, or in their place."""
    words = (*matrix_words(scene, looks), *corner_words(scene, looks))
    figures, short = block_figures(scene, looks), block_figures(scene, looks, short=True)
    sums = None
    for bottom in (max(figures.bottom, room_of_two(scene)), figures.bottom) if scene.camera.shows_all else ():
        sums = sums if sums is not None else place_sums(scene, looks, bottom + 6)
    if sums is None and scene.camera.shows_all:
        sums = place_sums(scene, looks, short.bottom + 6)
        figures = short if sums is not None else figures
    return Writing(words, figures, sums, foot_of(scene, looks), words_of_place(scene, looks))
