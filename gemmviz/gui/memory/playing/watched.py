"""What a person watches: one picture's block, frame and selection, and what stands beside it. No Qt of its own."""

from __future__ import annotations

from gemmviz.domain.kernels.version_names import VersionNames
from gemmviz.explain.block.heat_maps import HeatKind
from gemmviz.gui.memory.playing.frame_sync import FrameSync
from gemmviz.gui.memory.playing.playback import Playback
from gemmviz.gui.recording.block_names import Beside, Watched, picture_names
from gemmviz.gui.recording.grids import SECOND


def watched_in(
    playbacks: tuple[Playback, Playback], place: int, heat: HeatKind, sync: FrameSync, versions: VersionNames
) -> Watched | None:
    """What plays at a place, FIRST or SECOND, its frame and how it is shown; None for nothing."""
    playback, other = playbacks[place], playbacks[SECOND - place]
    if playback.playable is None or playback.facts is None:
        return None
    playable, facts = playback.playable, playback.facts
    beside: Beside | None = None
    if (shown := other.playable) is not None and sync.is_paired:
        names, is_left = picture_names(playable, shown, versions), place == SECOND
        beside = Beside(shown.run, shown.number, other.mode, sync.step, names, is_left, other.selection, *sync.moment)
    frame = playback.index, facts.count, facts.mode
    return Watched(playable.run, playable.number, *frame, heat, playback.selection, beside, playback.code)
