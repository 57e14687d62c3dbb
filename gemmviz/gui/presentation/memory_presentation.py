"""Presents the page of memory: its pictures and requests alone, in large type."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction

from gemmviz.gui.memory.memory_views import MEMORY_VIEWS
from gemmviz.gui.memory.page import MemoryPage
from gemmviz.gui.memory.playing.playback import Playback
from gemmviz.gui.player.player import Player
from gemmviz.gui.presentation.control import PresentationControl


def presentation_of(
    page: MemoryPage,
    playbacks: tuple[Playback, Playback],
    player: Player,
    parent: QObject,
    present: QAction | None,
) -> PresentationControl:
    """What presents `page`; `present` is what a person does to begin."""
    made = PresentationControl(page.panes, playbacks, player, page.stages, lambda: page.titles, parent)
    made.changed.connect(page.order_tabs)
    made.view_asked.connect(lambda view: page.show_view(MEMORY_VIEWS[view]))
    made.other_asked.connect(page.show_other_side)
    made.swap_asked.connect(page.options.swap.click)
    made.swap_asked.connect(made.begin)  # once they are exchanged, which ends the presentation
    page.pictures_changed.connect(made.end)
    if present is not None:  # the other pages are presented by those who export them
        present.triggered.connect(lambda _checked=False: page.presents_itself and made.toggle())
    return made
