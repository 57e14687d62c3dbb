"""What a picture needs of a block before its first frame, made off the window's thread. Touches no widget."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.operands import make_operands
from gemmviz.domain.recordings.access import BlockTrace, result_of
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.explain.block.heat_maps import warm
from gemmviz.explain.requests.frame_facts import FrameFacts
from gemmviz.explain.requests.machine_requests import MachineRequests, RequestCode, frames_in_code
from gemmviz.gui.memory_view.block_analysis import BlockAnalysis, analyse_block
from gemmviz.trace.frames.frames import Frames
from gemmviz.trace.frames.plan import FrameMode
from gemmviz.trace.hazards.rules.hazard_marks import hazard_marks

MOST_VALUES = 1 << 22
"""Elements of a matrix whose values are made anew to be shown."""

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Made:
    """The recorded block, frames of the picture's own, which may have its requests as SASS does, and values only of
    matrices small enough to be read; `c` as it was stored.
    """

    block: BlockTrace
    frames: Frames
    analysis: BlockAnalysis
    a: Floats | None = None
    b: Floats | None = None
    c: Floats | None = None


def make(
    run: TraceRun,
    block: BlockTrace,
    mode: FrameMode,
    merged: MachineRequests | None = None,
    code: RequestCode = RequestCode.SASS,
) -> Made:
    """Make it. A and B are made anew as the recording had them; C is what the recording stored, or not known."""
    frames, shape = frames_in_code(run, block, mode, merged, code), run.spec.shape
    warm(frames)
    analysis = analyse_block(block)
    if run.hazards and len(frames):
        hazard_marks(frames.frame(0), run.hazards, block)  # without a barrier this goes through all there is, once
    c = stored_c(run)
    if max(shape.m * shape.k, shape.k * shape.n) > MOST_VALUES:
        return Made(block, frames, analysis, c=c)
    operands = make_operands(shape, run.spec.fill, run.spec.seed)
    return Made(block, frames, analysis, operands.a, operands.b, c)


def with_terms(facts: FrameFacts, frames: Frames, analysis: BlockAnalysis) -> FrameFacts:
    """The same facts, and how far sums and stores have come when each frame ends where the recording tells it."""
    if analysis.progress is None:
        return facts
    ends = frames.ends()
    return replace(facts, terms=analysis.progress.whole_shares(ends), stored=analysis.progress.stored_shares(ends))


def stored_c(run: TraceRun) -> Floats | None:
    """What lies in the result, C or D, after a recording, in the shape of its array; None if it is not known.

    Where two blocks touch one element, what lies there in the end need not be what the block shown stored.
    """
    array = result_of(run.arrays)
    races = any(hazard.kind.is_race_of_blocks for hazard in run.hazards)
    if array is None or not run.c.size or races:
        return None
    return run.c.reshape(array.rows, array.columns)
