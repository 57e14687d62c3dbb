"""Which frame of the memory view becomes a picture. No Qt."""

from __future__ import annotations

from dataclasses import dataclass

from gemmviz.explain.block.heat_maps import HeatKind
from gemmviz.explain.requests.selection import NOTHING, Selection
from gemmviz.gui.recording.block_names import Beside, stem_beside, still_stem
from gemmviz.trace.frames.plan import FrameMode


@dataclass(frozen=True, slots=True)
class StillChoice:
    """Which frame of the recorded blocks is shown and how.

    `frames` are the first and the last, counted from 1, among which one is chosen; all for None. `stems` are the
    blocks that are wanted; all for None. `frame` is the stem of a block and the one frame of it that was chosen, with
    a block beside it the moment of both, and
    `selection` what was chosen in that block. `is_slide` has the form of a presentation, where another block may stand
    `beside` that one.
    """

    mode: FrameMode | None = None
    heat: HeatKind = HeatKind.NONE
    frames: tuple[int, int] | None = None
    stems: tuple[str, ...] | None = None
    frame: tuple[str, int] | None = None
    selection: Selection = NOTHING
    is_slide: bool = False
    beside: Beside | None = None

    def beside_of(self, stem: str) -> Beside | None:
        """What stands beside a block on its slide."""
        return self.beside if self.frame is not None and self.frame[0] == stem else None

    def file_of(self, stem: str) -> str:
        """The name of a block's picture without suffix: with the kernel that stands beside it, as a film has it, and
        with the frame or the moment where one was chosen.
        """
        beside = self.beside_of(stem) if self.is_slide else None
        has_frame = self.frame is not None and self.frame[0] == stem
        return still_stem(stem, beside, self.frame[1]) if self.frame and has_frame else stem_beside(stem, beside)

    def frames_of(self, stem: str) -> tuple[int, int] | None:
        """Among which frames of a block one is chosen; all for None."""
        return (self.frame[1], self.frame[1]) if self.frame is not None and self.frame[0] == stem else self.frames

    def selection_of(self, stem: str) -> Selection:
        """What is chosen in a block."""
        return self.selection if self.frame is not None and self.frame[0] == stem else NOTHING


EVERY_BLOCK = StillChoice()
"""Each recorded block at its telling frame."""
