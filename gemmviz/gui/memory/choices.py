"""Which recording and which of its blocks a picture plays, as two lists to choose from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QObject, QSignalBlocker, Qt, Signal, Slot

from gemmviz.catalogue.gpus import target_of_machine
from gemmviz.domain.figures import count
from gemmviz.domain.kernels.version_names import VersionNames
from gemmviz.domain.places import place_words
from gemmviz.domain.recordings.launches import same_grid
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.explain.requests.pairing import PairStep
from gemmviz.explain.source.recorded_lines import SEPARATOR, facts_of, title_of, titles_of_recordings
from gemmviz.explain.source.recordings_beside import NamesBeside, forms_note
from gemmviz.gui.memory.playing.offers import Offer
from gemmviz.gui.recording.combo import RecordingCombo
from gemmviz.gui.recording.grids import Grid, Playable, block_title, grid_with, titles_of
from gemmviz.gui.recording.name_search import NAME
from gemmviz.gui.widgets.fields import SHORT, ComboBox
from gemmviz.gui.widgets.named import named
from gemmviz.gui.widgets.plain_text import plain_text

EARLIER = "Show an earlier recording"
NOTHING_BESIDE = "Compare with: none"
MOST_BLOCK_WIDTH = 160
_BY_PHASE = "Both pictures are between the same two barriers; the one with fewer barriers waits at its end"
_BY_WORK = (
    "When one picture has added half of the products of its sums, so has the other; both store C at the end. "
    "Each step is one frame of the picture that is behind, or of both"
)
STEPS = (
    (PairStep.PHASE, "Align by: barrier interval", _BY_PHASE),
    (PairStep.WORK, "Align by: work done", _BY_WORK),
)


class FirstChoice(QObject):
    """Offers every launch that was recorded, the newest first, and the blocks of it that are at hand."""

    chosen = Signal(object)
    """The Playable a person chose."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.grids = RecordingCombo("memoryCombo", "The recording that plays; the newest comes first")
        self.blocks = BlockCombo("blockCombo")
        self.grids.setPlaceholderText(EARLIER)
        self._grids: tuple[Grid, ...] = ()
        self._played, self._is_covered = -1, False
        self.grids.activated.connect(self._on_grid)
        self.blocks.chosen.connect(self.chosen)

    def show_grids(self, grids: Sequence[Grid], played: Playable | None, names: VersionNames | None = None) -> None:
        """Offer these; `played` is what is played. A list that is open changes once it is closed."""
        self.grids.refill(partial(self._fill, grids, played, names))

    def _fill(self, grids: Sequence[Grid], played: Playable | None, names: VersionNames | None) -> None:
        self._grids = tuple(grids)
        grid = grid_with(grids, played.run) if played is not None else None
        facts = [facts_of(each.runs[0]) for each in grids]
        self._played = self._grids.index(grid) if grid is not None else -1
        self.grids.show_titles(titles_of(grids, names), -1 if self._is_covered else self._played, facts)
        self.blocks.show_blocks(grid, played)

    def show(self, shown: bool, *, is_covered: bool = False) -> None:
        """Show what there is to choose; a single recording is no choice. `is_covered`: words cover the picture, so that
        no recording is named as the one in view.
        """
        if is_covered != self._is_covered:
            self._is_covered = is_covered
            self.grids.show_place(-1 if is_covered else self._played)
        self.grids.setVisible(shown and len(self._grids) > 1)
        self.blocks.setVisible(shown and self.blocks.count() > 1)

    @Slot(int)
    def _on_grid(self, place: int) -> None:
        newest = self._grids[place].newest
        if newest is not None:
            self.chosen.emit(newest)


class SecondChoice(QObject):
    """Offers nothing, the other launches in the order of the first list but those of the same size first, kernels that
    could be recorded to stand beside, and at the end other blocks of the launch that plays.
    """

    chosen = Signal(object)
    """The Playable a person chose, or None for nothing."""
    offer_chosen = Signal(object)
    """The Offer of a kernel that is not recorded yet."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        tip = (
            "Compare with another recording, or with a kernel that is recorded now. "
            "What plays stays at the left; what you choose here comes to its right"
        )
        self.grids = RecordingCombo("compareCombo", tip)
        self.grids.setAccessibleName("Compare with")
        self.blocks = BlockCombo("compareBlockCombo")
        self._entries: tuple[Grid | Offer | None, ...] = (None,)
        self._first: Playable | None = None
        self._place = 0
        self.grids.activated.connect(self._on_grid)
        self.blocks.chosen.connect(self.chosen)

    def show_grids(
        self,
        grids: Sequence[Grid],
        first: Playable | None,
        second: Playable | None,
        offers: Sequence[Offer],
        names: VersionNames | None = None,
    ) -> None:
        """Offer what can stand beside `first`; `second` is what does. `offers` are kernels to be recorded. A list that
        is open changes once it is closed.
        """
        self.grids.refill(partial(self._fill, grids, first, second, offers, names))

    def _fill(
        self,
        grids: Sequence[Grid],
        first: Playable | None,
        second: Playable | None,
        offers: Sequence[Offer],
        names: VersionNames | None,
    ) -> None:
        self._first = first
        own = grid_with(grids, first.run) if first is not None else None
        known = dict(zip(grids, titles_of(grids, names), strict=True))
        others = [grid for grid in grids if grid is not own]
        if first is not None:
            others.sort(key=lambda grid: grid.runs[0].spec.shape != first.run.spec.shape)
        own_blocks = [own] if own is not None and len(own.blocks) > 1 else []
        groups: list[list[tuple[str, Grid | Offer | None]]] = [
            [(NOTHING_BESIDE, None), *((known[grid], grid) for grid in others)],
            [(offer.title, offer) for offer in offers],
            [(f"{known[grid]}, another block", grid) for grid in own_blocks],
        ]
        shown = grid_with([*others, *own_blocks], second.run) if second is not None else None
        titles, entries, separators = list[str](), list[Grid | Offer | None](), list[int]()
        for group in filter(None, groups):
            if len(entries) > 1:
                separators.append(len(entries))
                entries.append(None)
            titles += [title for title, _ in group]
            entries += [entry for _, entry in group]
        self._entries, self._place = tuple(entries), entries.index(shown)
        self.grids.show_titles(titles, 0)
        self.grids.setMinimumWidth(self.grids.width_for(NOTHING_BESIDE))
        for place, grid in enumerate(own_blocks, len(titles) - len(own_blocks)):
            self.grids.setItemData(place, known[grid], SHORT)  # which block is said by the list beside
        for place in separators:
            self.grids.insertSeparator(place)
        self.grids.setItemData(0, NOTHING_BESIDE.rpartition(" ")[2], NAME)
        for place, entry in enumerate(entries):
            if isinstance(entry, Offer):
                self.grids.setItemData(place, entry.kernel, NAME)
        self.grids.show_place(self._place)
        self.blocks.show_blocks(shown, second)

    def show(self, shown: bool) -> None:
        """Show what there is to choose."""
        self.grids.setVisible(shown and self._first is not None)
        self.blocks.setVisible(shown and self._place > 0 and self.blocks.count() > 1)

    @Slot(int)
    def _on_grid(self, place: int) -> None:
        entry = self._entries[place]
        if isinstance(entry, Offer):
            self.grids.show_place(self._place)  # until it is recorded, nothing has changed
            self.offer_chosen.emit(entry)
        else:
            self.chosen.emit(self._beside(entry) if entry is not None else None)

    def _beside(self, grid: Grid) -> Playable | None:
        """The same block of another launch, or another one of the same launch; else the first that is at hand."""
        first = self._first
        if first is None:
            return grid.newest
        if grid.holds(first.run):
            return next((each for each in grid.blocks if each.block != first.block), grid.newest)
        return grid.at(first.block) or grid.newest


class BlockCombo(ComboBox):
    """Offers the blocks of a launch that are at hand."""

    chosen = Signal(object)
    """The Playable a person chose."""

    def __init__(self, name: str) -> None:
        super().__init__()
        named(self, name, "The block that plays; only recorded blocks are offered", "Block")
        self.setSizeAdjustPolicy(ComboBox.SizeAdjustPolicy.AdjustToContents)
        self.setMaximumWidth(MOST_BLOCK_WIDTH)
        self._blocks: tuple[Playable, ...] = ()
        self.activated.connect(lambda place: self.chosen.emit(self._blocks[place]))

    def show_blocks(self, grid: Grid | None, played: Playable | None) -> None:
        """Offer the blocks of a launch; `played` is the one that is played. A list that is open changes once it is
        closed.
        """
        self.refill(partial(self._fill_blocks, grid, played))

    def _fill_blocks(self, grid: Grid | None, played: Playable | None) -> None:
        self._blocks = grid.blocks if grid is not None else ()
        with QSignalBlocker(self):
            self.clear()
            for place, each in enumerate(self._blocks):
                self.addItem(block_title(each))
                self.setItemData(place, plain_text(block_title(each)), Qt.ItemDataRole.ToolTipRole)
            here = [
                place for place, each in enumerate(self._blocks) if played is not None and each.block == played.block
            ]
            self.setCurrentIndex(here[0] if here else -1)


def names_of(
    traces: Sequence[TraceRun], played: Sequence[Playable | None], beside: NamesBeside | None
) -> tuple[str, ...]:
    """A name for each block that is played, one of these recordings: kernel, parameters, size and block, and what else
    tells two apart that are `beside` each other.
    """
    there = [each for each in played if each is not None]
    if beside is not None:
        facts = [
            (*name.facts, each.run.spec.shape.words, block_title(each))
            for name, each in zip(beside, there, strict=True)
        ]
        return tuple(
            SEPARATOR.join(dict.fromkeys((name.kernel, *told))) for name, told in zip(beside, facts, strict=True)
        )
    titles = dict(zip(map(id, traces), titles_of_recordings(traces), strict=True))
    return tuple(f"{titles.get(id(each.run), title_of(each.run))}{SEPARATOR}{block_title(each)}" for each in there)


def pair_note(first: Playable | None, second: Playable | None) -> str:
    """What is to be said where the two were recorded on, or for, different GPUs, or in different forms, where they are
    not of one size, where their blocks make parts of C of different sizes, or where two kernels are shown at different
    blocks by accident.
    """
    if first is None or second is None:
        return ""
    notes = _gpus_note(first.run, second.run), forms_note(first.run, second.run), _blocks_note(first, second)
    return " ".join(filter(None, notes))


def _gpus_note(one: TraceRun, other: TraceRun) -> str:
    """That two recordings are of different GPUs; "" where they are of one."""
    devices = one.device, other.device
    if all(device.is_emulated for device in devices):
        left, right = (target_of_machine(device) for device in devices)
        what = "The target GPUs differ"
    else:
        left, right = (place_words(replace(device, driver="")) for device in devices)
        what = "Recorded on different devices"
    return f"{what}: {left} at the left, {right} at the right." if left != right else ""


def _blocks_note(first: Playable, second: Playable) -> str:
    one, other = first.run, second.run
    if one.spec.shape != other.spec.shape:
        sizes = f"{one.spec.shape.words} and {other.spec.shape.words}"
        return f"The sizes differ: {sizes}. Each picture has its own scale, and the totals cannot be compared."
    if one.blocks_in_grid == other.blocks_in_grid:
        if first.block == second.block or same_grid(one, other):
            return ""
        blocks = [f"{block_title(each)} at the {side}" for each, side in ((first, "left"), (second, "right"))]
        return f"The pictures show different blocks: {blocks[0]}, {blocks[1]}."
    blocks = [f"1 of {count(run.blocks_in_grid)}" if run.blocks_in_grid > 1 else "the only one" for run in (one, other)]
    return (
        f"Each picture shows one block: {blocks[0]} at the left, {blocks[1]} at the right. "
        "Their totals count parts of the product that differ in size."
    )
