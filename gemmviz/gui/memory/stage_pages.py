"""The bank stage and the coalescing stage on the page of memory, for the block that is played."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QStatusTipEvent
from PySide6.QtWidgets import QApplication, QWidget

from gemmviz.domain.recordings.launches import same_grid
from gemmviz.explain.requests.what_if import NewLayout
from gemmviz.gui.looks.theme import LIGHT, Theme
from gemmviz.gui.recording.grids import Playable
from gemmviz.gui.stages.bank_stage import BankStage
from gemmviz.gui.stages.coalescing_stage import CoalescingStage
from gemmviz.gui.stages.own_keys import letters_of_window
from gemmviz.gui.stages.request_stage import RequestStage


class StagePages(QObject):
    """Gives a stage its block once it is in front, so that nothing is gathered for one that nobody looks at."""

    layout_chosen = Signal()
    """A person tries another layout of a shared array."""
    block_changed = Signal()
    """The stage in front shows another block, or none any more."""

    def __init__(self, theme: Theme = LIGHT, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.banks, self.sectors = BankStage(theme), CoalescingStage(theme)
        self._played: tuple[Playable | None, ...] = ()
        self._followed = 0
        self._front: QWidget | None = None
        self._layouts: list[tuple[Playable, NewLayout]] = []
        self._shown: dict[QWidget, Playable | None] = dict.fromkeys(self.stages)
        self.banks.layouts.changed.connect(lambda _: self.layout_chosen.emit())
        for stage in self.stages:
            letters_of_window(stage, stage.keys)
            stage.refused.connect(partial(_say, stage))
            stage.request_shown.connect(lambda _, stage=stage: _say(stage, ""))
        self.banks.layout_changed.connect(lambda _: _say(self.banks, ""))

    @property
    def stages(self) -> tuple[BankStage, CoalescingStage]:
        """Both, in the order of their segments."""
        return self.banks, self.sectors

    @property
    def in_front(self) -> RequestStage | None:
        """The stage that is in front; None where something else is."""
        return next((stage for stage in self.stages if stage is self._front), None)

    @property
    def playable(self) -> Playable | None:
        """What the stage in front shows."""
        return self._played[self._followed] if self._followed < len(self._played) else None

    def keep_layout(self, playable: Playable | None, layout: NewLayout) -> None:
        """Lay the shared arrays of a block out like this: at once where its banks are shown, else once they are."""
        if playable is None:
            return
        self._layouts = [(each, kept) for each, kept in self._layouts if not each.is_same(playable)]
        self._layouts.append((playable, layout))
        if playable.is_same(self._shown[self.banks]):
            self.banks.set_layout(layout)

    def layout_of(self, playable: Playable | None) -> NewLayout:
        """The layout of the shared arrays of a block that is tried, or is kept until its banks are shown."""
        shown = self._shown[self.banks]
        if shown is not None and shown.is_same(playable):
            return self.banks.new_layout
        return next((layout for each, layout in self._layouts if each.is_same(playable)), NewLayout())

    def show_played(self, played: tuple[Playable | None, ...]) -> None:
        """What the pictures play now; layouts of what is played no longer are forgotten, but another recording of the
        same block of the same launch takes over the layout of the one before.
        """
        for was, now in zip(self._played, played, strict=False):
            if was is not None and now is not None and not was.is_same(now) and _is_repeated(was, now):
                self.keep_layout(now, self.layout_of(was))
        self._played = played
        self._update()
        self._layouts = [(each, kept) for each, kept in self._layouts if any(each.is_same(one) for one in played)]

    def follow(self, place: int) -> None:
        """Which picture a person has turned to."""
        self._followed = place
        self._update()

    def show_front(self, widget: QWidget | None) -> None:
        """Which page is in front, be it a stage or not."""
        self._front = widget
        for stage in self.stages:
            if stage is not widget:
                stage.pause()
        self._update()

    @Slot(bool)
    def set_reduced_motion(self, reduced: bool) -> None:
        """Whether things jump to their places instead of moving there."""
        for stage in self.stages:
            stage.set_reduced_motion(reduced)

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        for stage in self.stages:
            stage.set_theme(theme)

    def _update(self) -> None:
        """The stage in front shows what is played; the other one lets go of what is not."""
        playable = self.playable
        for stage in self.stages:
            wanted = playable if stage is self._front else None
            shown = self._shown[stage]
            if shown is wanted or (shown is not None and shown.is_same(playable)):
                continue
            if stage is self.banks:
                self.keep_layout(shown, self.banks.new_layout)  # for when a person turns to it again
            layout = self.layout_of(wanted)
            self._shown[stage] = wanted
            if wanted is None:
                stage.show_block(None, None)
            else:
                run = wanted.run
                stage.show_block(run, run.blocks[wanted.number].trace(run.sites, run.arrays))
                if stage is self.banks:
                    self.banks.set_layout(layout)
            if stage is self._front:
                self.block_changed.emit()


def _say(stage: RequestStage, words: str) -> None:
    """Say in the status bar why a key changed nothing, until another one changes something."""
    if stage.isVisible():
        QApplication.sendEvent(stage, QStatusTipEvent(words))


def _is_repeated(was: Playable, now: Playable) -> bool:
    """Whether a block was recorded again: its kernel's text is the same, as when the editor opens it."""
    return same_grid(was.run, now.run) and was.block == now.block
