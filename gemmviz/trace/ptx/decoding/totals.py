"""What a kernel costs as nvcc compiled it: counts of its PTX instructions, to stand beside those of its source."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gemmviz.backends.base import OpenDevice
from gemmviz.backends.machine_device import MachineDevice
from gemmviz.catalogue.kernel import Kernel, Plan
from gemmviz.domain.operands import Operands
from gemmviz.domain.recordings.access import Site, ideal_bytes
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import CodeForm
from gemmviz.trace.counts.columns import SiteColumns
from gemmviz.trace.counts.summary import Tally
from gemmviz.trace.counts.totals import LineCounts, Totals, by_line, total
from gemmviz.trace.ptx.machine_recorder import machine_recorder_for
from gemmviz.trace.ptx.record import ptx_recorder_for
from gemmviz.trace.ptx.recorder import Recorder


@dataclass(frozen=True, slots=True, eq=False)
class CompiledTotals:
    """Counts of all blocks: per site (columns of shape (sites,)), per source line, and in all."""

    sites: tuple[Site, ...]
    columns: SiteColumns
    lines: tuple[LineCounts, ...]
    totals: Totals
    blocks: int


def as_compiled_totals(
    device: OpenDevice, kernel: Kernel, plan: Plan, shape: Shape, operands: Operands, limit_s: float = 60.0
) -> CompiledTotals:
    """Record the whole grid of a kernel's PTX and count it.

    Raises:
        RecordingRefusal, CompileError, KernelTimeoutError, LaunchError: as a PtxRecorder.
    """
    recorder: Recorder
    if isinstance(device, MachineDevice):
        recorder = machine_recorder_for(device, kernel, plan, shape, operands, limit_s, CodeForm.AS_COMPILED)
    else:
        recorder = ptx_recorder_for(device, kernel, plan, shape, operands, limit_s, CodeForm.AS_COMPILED)
    return totals_of(recorder, np.arange(plan.launch.blocks, dtype=np.int32), shape)


def totals_of(recorder: Recorder, indices: NDArray[np.int32], shape: Shape) -> CompiledTotals:
    """The counts of some blocks, given by linear index."""
    sites = recorder.instrumented.sites
    tally = Tally(sites)
    for block in recorder.requests(indices):
        tally.add_block(block)
    columns = tally.columns
    totals = total(sites, columns, shape, ideal_bytes(recorder.arrays, shape))
    return CompiledTotals(sites, columns, by_line(sites, columns), totals, tally.blocks)
