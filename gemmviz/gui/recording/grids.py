"""What of a session can be played: the blocks at hand, and the launches they belong to. No Qt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gemmviz.domain.kernels.version_names import VersionNames
from gemmviz.domain.recordings.launches import launches_of, same_grid
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.explain.source.recording_titles import distinct_titles
from gemmviz.gui.memory_view.text.labels import block_words

FIRST, SECOND = 0, 1
"""The places of two pictures."""
Block = tuple[int, int, int]
Others = tuple[tuple[int, int], ...]
"""x and y of blocks."""


@dataclass(frozen=True, slots=True, eq=False)
class Playable:
    """One block that was kept: its recording, and which of the recording's blocks it is."""

    run: TraceRun
    number: int = 0

    @property
    def block(self) -> Block:
        return self.run.blocks[self.number].block

    def is_same(self, other: Playable | None) -> bool:
        """Whether both are the same block of the same recording."""
        return other is not None and self.run is other.run and self.number == other.number


@dataclass(frozen=True, slots=True, eq=False)
class Grid:
    """All that is recorded of one launch: the same kernel, source, form, parameters, size, inputs and device.

    `runs` are its recordings, the newest first; `blocks` those at hand, each from its newest recording, by y and x.
    """

    runs: tuple[TraceRun, ...]
    blocks: tuple[Playable, ...]

    @property
    def newest(self) -> Playable | None:
        """The first block of the newest recording; None if it keeps none."""
        return Playable(self.runs[0]) if self.runs[0].blocks else None

    def at(self, block: Block) -> Playable | None:
        """The newest recording of a block; None where it is not at hand."""
        return next((each for each in self.blocks if each.block == block), None)

    def holds(self, run: TraceRun) -> bool:
        """Whether a recording is one of this launch's."""
        return any(run is each for each in self.runs)


def grids_of(traces: Sequence[TraceRun]) -> tuple[Grid, ...]:
    """The launches of a session, that of the newest recording first."""
    return tuple(Grid(group, _blocks(group)) for group in launches_of(traces))


def grid_with(grids: Sequence[Grid], run: TraceRun | None) -> Grid | None:
    """The launch a recording belongs to; None for none, or where it is none of theirs."""
    return next((grid for grid in grids if run is not None and grid.holds(run)), None)


def recorded_with(grids: Sequence[Grid], run: TraceRun) -> Others:
    """The blocks at hand of the launch that a recording belongs to."""
    grid = grid_with(grids, run)
    return tuple(each.block[:2] for each in grid.blocks) if grid is not None else ()


def place_for(run: TraceRun, first: Playable | None, second: Playable | None) -> int:
    """Which of two pictures, FIRST or SECOND, a new recording takes, so that a comparison stays: that of its launch,
    else the one picture of its kernel, else the right one of two of its kernel. That of a third kernel takes the first,
    and leaves what that one is compared with.
    """
    if first is None or second is None:
        return FIRST
    launches = [same_grid(each.run, run) for each in (first, second)]
    kernels = [each.run.spec.kernel == run.spec.kernel for each in (first, second)]
    meant = launches if any(launches) else kernels
    return SECOND if meant[SECOND] else FIRST


def to_show(run: TraceRun, first: Playable | None, second: Playable | None) -> tuple[int, Playable]:
    """Which of two pictures a new recording takes, and its block: the one in view, so that both show the same block,
    else its first.
    """
    place = place_for(run, first, second)
    shown = (first if place == SECOND else second) or first
    if shown is None or (shown.run.spec.shape, shown.run.launch.grid) != (run.spec.shape, run.launch.grid):
        return place, Playable(run)
    blocks = [stored.block for stored in run.blocks]
    return place, Playable(run, blocks.index(shown.block) if shown.block in blocks else 0)


def way_back(
    run: TraceRun, first: Playable | None, second: Playable | None, before: Playable | None
) -> Playable | None:
    """What was in view before a new recording: what the picture plays whose place it takes, and what the first played
    `before` where both are of one launch; None where there is nothing to go back to.
    """
    if first is None or not run.blocks:
        return None
    place = place_for(run, first, second)
    shown = second if place == SECOND and second is not None else first
    if not same_grid(shown.run, run):
        return shown
    return before if place == FIRST else None


def titles_of(grids: Sequence[Grid], names: VersionNames | None = None) -> tuple[str, ...]:
    """A name for each: kernel, parameters and size, and what else tells it from others of that name."""
    return distinct_titles([grid.runs[0] for grid in grids], names)


def block_title(playable: Playable) -> str:
    """ "block (3, 1)"."""
    return block_words(playable.block)


def _blocks(runs: Sequence[TraceRun]) -> tuple[Playable, ...]:
    found: dict[Block, Playable] = {}
    for run in runs:
        for number, stored in enumerate(run.blocks):
            found.setdefault(stored.block, Playable(run, number))
    return tuple(found[block] for block in sorted(found, key=lambda block: block[::-1]))
