"""What a picture needs of a block before its first frame, made off the window's thread. Touches no widget."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.access import BlockTrace
from gemmviz.domain.operands import make_operands
from gemmviz.domain.trace_run import TraceRun
from gemmviz.gui.memory_view.hazard_marks import hazard_marks
from gemmviz.gui.memory_view.heat_maps import warm
from gemmviz.gui.memory_view.material import Material, material_of
from gemmviz.trace.frame_plan import FrameMode
from gemmviz.trace.frames import Frames

MOST_VALUES = 1 << 22
"""Elements of a matrix whose values are made anew to be shown."""
MOST_PRODUCTS = 1 << 28
"""Products that are added up anew for the values of C: a few tenths of a second."""

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Made:
    """Frames of the picture's own, and values only of matrices small enough to be read; `c` once a run proved it."""

    frames: Frames
    material: Material
    a: Floats | None = None
    b: Floats | None = None
    c: Floats | None = None


def make(run: TraceRun, block: BlockTrace, mode: FrameMode, is_proved: bool) -> Made:
    """Make it.

    C is the float64 product, rounded; it is given only where `is_proved` tells that a run of this very kernel agreed
    with it: of any other kernel nobody knows what it stores.
    """
    frames, shape = Frames(block, mode), run.spec.shape
    warm(frames)
    material = material_of(block)
    if run.hazards and len(frames):
        hazard_marks(frames.frame(0), run.hazards, block)  # without a barrier this goes through all there is, once
    if max(shape.m * shape.k, shape.k * shape.n, shape.m * shape.n) > MOST_VALUES:
        return Made(frames, material)
    operands = make_operands(shape, run.spec.fill, run.spec.seed)
    is_whole = any(array.name == "C" and (array.rows, array.columns) == (shape.m, shape.n) for array in block.arrays)
    product = None
    if is_proved and is_whole and shape.m * shape.n * shape.k <= MOST_PRODUCTS:
        product = (operands.a.astype(np.float64) @ operands.b.astype(np.float64)).astype(np.float32)
    return Made(frames, material, operands.a, operands.b, product)
