"""How the threads of a warp hold the matrices of one mma instruction, frame by frame."""

from __future__ import annotations

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QWidget

from gemmviz.catalogue.lesson_scenes import Fragments
from gemmviz.gui.lessons.scenes.card_scene import CardScene
from gemmviz.gui.lessons.scenes.fragments_view import FragmentsView
from gemmviz.gui.looks.projector import words_magnification
from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.widgets.named import named

FRAME_MS = 3000
"""Time to read what a frame says."""


class FragmentsScene(CardScene):
    """The picture, with its title and where the places of the elements are from."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        view = named(FragmentsView(theme), "lessonFragmentsView", says="Which thread holds which element")
        super().__init__(theme, "lessonFragments", view, parent)
        self.view = view
        self._is_reduced = False
        self._timer = QTimer(self, interval=FRAME_MS)
        self._timer.timeout.connect(self._advance)

    def show_fragments(self, wanted: Fragments) -> None:
        """Show the first frame, and play from there."""
        self.show_words(wanted.title, "mma.m16n8k8 with TF32 numbers; places by NVIDIA's PTX ISA")
        self.view.show_frame(0)
        self._set_playing(is_playing=not self._is_reduced)

    @property
    def can_play(self) -> bool:
        return True

    @property
    def is_playing(self) -> bool:
        return self._timer.isActive()

    def replay(self) -> None:
        self.view.show_frame(0)
        self._set_playing(is_playing=True)

    def toggle(self) -> None:
        if not self.is_playing and self.view.index == self.view.count - 1:
            self.replay()
        else:
            self._set_playing(is_playing=not self.is_playing)

    def step(self, frames: int) -> None:
        self._set_playing(is_playing=False)
        self.view.show_frame(self.view.index + frames)

    def stop(self) -> None:
        self._set_playing(is_playing=False)

    def set_reduced_motion(self, is_reduced: bool) -> None:
        self._is_reduced = is_reduced

    def set_magnification(self, factor: float) -> None:
        self.view.set_magnification(words_magnification(self, factor))

    def set_theme(self, theme: Theme) -> None:
        self.view.set_theme(theme)

    def _set_playing(self, *, is_playing: bool) -> None:
        if is_playing != self.is_playing:
            self._timer.start() if is_playing else self._timer.stop()
            self.playing_changed.emit(is_playing)

    def _advance(self) -> None:
        self.view.show_frame(self.view.index + 1)
        if self.view.index == self.view.count - 1:
            self._set_playing(is_playing=False)
