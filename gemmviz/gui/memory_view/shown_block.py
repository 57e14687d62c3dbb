"""What a memory view shows, as values: a recorded block and one of its frames. What follows from one is worked out
when it is asked for, and once: another block, frame or heat is another value.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.recordings.access import BlockTrace, Space, result_name, result_of
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.explain.block.heat_maps import HeatKind, HeatMaker
from gemmviz.gui.memory_view.block_analysis import BlockAnalysis
from gemmviz.gui.memory_view.block_sums import BlockSums
from gemmviz.gui.memory_view.example import ThreadExample, elements_made, example_of, thread_for_example
from gemmviz.gui.memory_view.motion_paths import STORE_FROM, adds_before_storing
from gemmviz.gui.memory_view.picture import Picture, picture_of
from gemmviz.gui.memory_view.places.onchip_contents import Reads, last_reads, reads_of
from gemmviz.gui.memory_view.scene import Values
from gemmviz.trace.frames.frames import Frames
from gemmviz.trace.frames.regions import Rectangle
from gemmviz.trace.frames.values import Frame, Touch


@dataclass(frozen=True, eq=False)
class DividedBlock:
    """A block of a recording, divided into frames."""

    run: TraceRun | None = None
    block: BlockTrace | None = None
    frames: Frames | None = None

    @cached_property
    def reads(self) -> Reads:
        """What the threads of a kernel without shared memory read at a time."""
        has_shared = self.run is not None and any(array.space is Space.SHARED for array in self.run.arrays)
        return () if has_shared or self.frames is None else reads_of(self.frames)

    @cached_property
    def heat(self) -> HeatMaker | None:
        """What makes the heat maps of the block."""
        return HeatMaker(self.run, self.frames) if self.run is not None and self.frames is not None else None


@dataclass(frozen=True, eq=False)
class ShownBlock:
    """A divided block with the numbers of its matrices. `analysis` is None while it is worked out."""

    divided: DividedBlock = field(default_factory=DividedBlock)
    analysis: BlockAnalysis | None = None
    values: Values = field(default_factory=Values)

    @cached_property
    def sums(self) -> BlockSums:
        """What is known of the sums of the block."""
        divided = self.divided
        return BlockSums(divided.run, divided.block, divided.frames, self.analysis, self.values)

    @cached_property
    def example_thread(self) -> int | None:
        """A thread near the middle of the block, to be followed where none is chosen."""
        analysis = self.analysis
        c = result_of(analysis.trace.arrays) if analysis is not None else None
        if analysis is None or analysis.part is None or c is None:
            return None
        return thread_for_example(analysis.trace, c, analysis.part)

    def made_by(self, thread: int) -> tuple[Rectangle, ...]:
        """The elements of the result that a thread makes."""
        if thread not in self._made:
            c = result_of(self.analysis.trace.arrays) if self.analysis is not None else None
            assert self.analysis is not None  # who asks has a thread of the block
            assert c is not None
            self._made[thread] = elements_made(self.analysis.trace, c, thread)
        return self._made[thread]

    def example(self, frame: Frame, thread: int, arrival: float) -> ThreadExample | None:
        """What a thread does in a frame; None where the block has no such thread."""
        if self.analysis is None or not 0 <= thread < self.analysis.trace.threads:
            return None
        return example_of(frame, thread, self.made_by(thread), arrival)

    @cached_property
    def _made(self) -> dict[int, tuple[Rectangle, ...]]:
        return {}


@dataclass(frozen=True, eq=False)
class DrawnFrame:
    """A frame of a block with a heat map. `terms_before` counts the products added to each sum before it; it is None
    where the frame before was not shown.
    """

    shown: ShownBlock
    frame: Frame
    kind: HeatKind
    terms_before: NDArray[np.int32] | None = None

    @cached_property
    def picture(self) -> Picture | None:
        """What becomes of each element in it; None while the block is analysed."""
        run, analysis, maker = self.shown.divided.run, self.shown.analysis, self.shown.divided.heat
        if run is None or analysis is None or maker is None:
            return None
        return picture_of(analysis, self.frame, run.hazards, maker.heat(self.kind, self.frame))

    @cached_property
    def reads(self) -> dict[str, Touch]:
        """What threads have read last of A and B when it ends, where no shared memory holds it."""
        divided = self.shown.divided
        return last_reads(divided.frames, self.frame) if divided.reads and divided.frames is not None else {}

    @cached_property
    def terms(self) -> NDArray[np.int32] | None:
        """The products added to each sum when it is done, shape of the block's part of the result."""
        analysis = self.shown.analysis
        return analysis.progress.terms(self.frame) if analysis is not None and analysis.progress is not None else None

    def terms_at(self, arrival: float) -> NDArray[np.int32] | None:
        """The same; while products are still added, those of the frames that are done."""
        analysis = self.shown.analysis
        if arrival >= self._added_at or analysis is None or analysis.progress is None:
            return self.terms
        if self.terms_before is not None:
            return self.terms_before
        return analysis.progress.terms_before(analysis.timeline.span(self.frame)[0])

    def arrived(self, arrival: float) -> int:
        """The last frame whose sums are done: while its factors are under way a frame has added nothing yet."""
        return self.frame.index if arrival >= self._added_at else self.frame.index - 1

    @cached_property
    def _added_at(self) -> float:
        """The part of the motion after which its products are added: all of it, but where it stores the sums then."""
        return STORE_FROM if adds_before_storing(self.frame, result_name(self.frame.arrays)) else 1.0
