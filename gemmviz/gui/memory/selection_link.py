"""Follows on one side what is selected on the other, while two recordings are compared."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject

from gemmviz.domain.kernels.call import OPERANDS
from gemmviz.domain.recordings.access import Space
from gemmviz.explain.requests.selection import NOTHING, Selection
from gemmviz.gui.memory.playing.playback import Playback


class SelectionLink(QObject):
    """Selects in each of two playbacks what corresponds to a selection in the other."""

    def __init__(self, playbacks: tuple[Playback, Playback], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._playbacks = playbacks
        self._is_busy = False
        for place, playback in enumerate(playbacks):
            playback.selected.connect(partial(self._on_selected, place))
            playback.ready.connect(partial(self._on_ready, place))

    def _on_selected(self, place: int, selection: Selection) -> None:
        if self._playbacks[place].facts is not None:  # else it is being opened, which forgets what was selected there
            self._follow(1 - place, selection)

    def _on_ready(self, place: int) -> None:
        """A recording that comes beside another one takes over what is selected there."""
        if self._playbacks[place].selection.is_empty:
            self._follow(place, self._playbacks[1 - place].selection)

    def _follow(self, place: int, selection: Selection) -> None:
        playback = self._playbacks[place]
        if self._is_busy or playback.facts is None or playback.block is None:
            return
        self._is_busy = True
        try:
            followed = corresponding(selection, playback)
            if followed is not None and followed != playback.selection:
                playback.select(followed)
        finally:
            self._is_busy = False


def corresponding(selection: Selection, playback: Playback) -> Selection | None:
    """What to select in a playback for a selection in another one; None where nothing corresponds to it.

    An element of A, B, C or D is the same element, with the thread that computes it there; a thread or a warp is that
    of the same number.
    """
    block = playback.block
    if selection.is_empty:
        return NOTHING
    if block is None:
        return None
    if selection.element is not None:
        name, row, column = selection.element
        array = next((each for each in block.arrays if each.name == name and each.space is Space.GLOBAL), None)
        if name not in OPERANDS or array is None or row >= array.rows or column >= array.columns:
            return None
        maker = playback.view.thread_of(selection.element)
        return Selection(selection.element, maker if selection.thread is not None else None)
    if selection.thread is not None:
        return selection if selection.thread < block.threads else None
    warps = block.addresses.shape[0]
    return selection if selection.warp is not None and selection.warp < warps else None
