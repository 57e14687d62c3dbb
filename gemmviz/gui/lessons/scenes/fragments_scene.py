"""How the threads of a warp hold the matrices of one mma instruction, frame by frame."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from gemmviz.catalogue.lesson_scenes import Fragments
from gemmviz.gui.lessons.scenes.card_scene import CardScene
from gemmviz.gui.lessons.scenes.fragments_view import FragmentsView
from gemmviz.gui.lessons.scenes.timed_scene import TimedScene
from gemmviz.gui.looks.projector import words_magnification
from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.widgets.named import named

FRAME_MS = 3000
"""Time to read what a frame says."""


class FragmentsScene(CardScene, TimedScene):
    """The picture, with its title and where the places of the elements are from."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        view = named(FragmentsView(theme), "lessonFragmentsView", says="Which thread holds which element")
        super().__init__(theme, "lessonFragments", view, parent)
        self.view = view
        self.tick_every(FRAME_MS)

    def show_fragments(self, wanted: Fragments) -> None:
        """Show the first frame, and play from there."""
        self.show_words(wanted.title, "mma.m16n8k8 with TF32 numbers; places by NVIDIA's PTX ISA")
        self.view.show_frame(0)
        self.set_playing(not self._is_reduced)

    @property
    def is_at_end(self) -> bool:
        return self.view.index == self.view.count - 1

    def replay(self) -> None:
        self.view.show_frame(0)
        self.set_playing(True)

    @property
    def ticks(self) -> int:
        return self.view.count

    @property
    def tick(self) -> int:
        return self.view.index

    def show_tick(self, tick: int) -> None:
        self.view.show_frame(tick)

    def advance(self) -> None:
        self.go_on(1)

    def go_on(self, frames: int) -> None:
        self.view.show_frame(self.view.index + frames)

    def set_magnification(self, factor: float) -> None:
        self.view.set_magnification(words_magnification(self, factor))

    def set_theme(self, theme: Theme) -> None:
        self.view.set_theme(theme)
