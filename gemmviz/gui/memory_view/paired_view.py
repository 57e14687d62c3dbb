"""Memory views that stand beside each other: one layout, and numbers and legends alike."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QWidget

from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.memory_view.memory_view import MemoryView
from gemmviz.gui.memory_view.paint.number_room import with_numbers_alike
from gemmviz.gui.memory_view.places.legend import with_legends_alike
from gemmviz.gui.memory_view.scene import Scene
from gemmviz.gui.memory_view.text.cell_values import NumberForm


class _Alike(NamedTuple):
    """The scenes of two views, and what the first of them shows beside the second."""

    own: Scene
    other: Scene
    shown: Scene


class _Agreed(NamedTuple):
    """What a picture takes over from the one beside it."""

    factors: NumberForm | None
    result: NumberForm | None
    legend_lines: int


class PairedView(MemoryView):
    """A memory view that another one may stand beside."""

    def __init__(self, theme: Theme, parent: QWidget | None = None, *, is_in_lesson: bool = False) -> None:
        self._other: PairedView | None = None
        self._alike: _Alike | None = None
        self._agreed: _Agreed | None = None
        super().__init__(theme, parent, is_in_lesson=is_in_lesson)

    def stand_beside(self, other: PairedView) -> None:
        """Have the layout, the forms of numbers and the height of the legend in common while both show a recording."""
        for one, its in ((self, other), (other, self)):
            one._other = its
            one.needs_changed.connect(its.lay_out_beside)

    def picture_state(self) -> Scene | None:
        own, other = super().picture_state(), self._other
        theirs = MemoryView.picture_state(other) if other is not None else None
        if own is None or theirs is None or not own.is_compared:
            return own
        if self._alike is None or self._alike.own is not own or self._alike.other is not theirs:
            scenes = with_legends_alike((own, theirs), self._looks)
            self._alike = _Alike(own, theirs, with_numbers_alike(scenes, self.magnification)[0])
        return self._alike.shown

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        scene = self.picture_state()
        agreed = _agreed_in(scene) if scene is not None else None
        if agreed != self._agreed and self._other is not None:
            self._agreed = agreed
            self._other.update()


def _agreed_in(scene: Scene) -> _Agreed | None:
    """What a scene that is shown beside another has from that; None for one alone."""
    if scene.numbers is None:
        return None
    return _Agreed(scene.numbers.factors.first, scene.numbers.result.first, scene.notes.legend_lines)
