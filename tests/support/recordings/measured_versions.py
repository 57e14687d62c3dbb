"""Versions of a kernel with figures by hand, for comparisons of two."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gemmviz.domain.kernels.kernel_version import Check, Compilation, KernelVersion
from gemmviz.domain.kernels.resources import Occupancy, Resources
from gemmviz.domain.recordings.machine_accesses import (
    AccessSort,
    LineAccesses,
    MachineAccesses,
    MergedRequests,
    WidthCount,
)
from gemmviz.domain.recordings.trace_run import SiteCounts, TraceRun
from gemmviz.domain.shape import Shape
from gemmviz.explain.source.version_figures import FigureChange, Measured

SAVED = "2026-11-26T03:00:00+00:00"
RIGHT = Check(Shape(65, 63, 67), passed=True, max_error_over_ug=2.0, bound=67.0)


def measured(trace: TraceRun | None, registers: int = 32, warps: int = 64, check: Check | None = RIGHT) -> Measured:
    """A version that was compiled and checked, with this recording."""
    fits = Occupancy(8, warps, 64, ("registers",))
    compilation = Compilation("NVIDIA H200", "sm_90a", "NVRTC 13.0", Resources(registers), 2048, fits)
    text = trace.source_text if trace is not None else "text"
    return Measured(KernelVersion("tiled", 1, "tiled.cu", text, SAVED, (), compilation, check), trace)


def by_name(changes: tuple[FigureChange, ...]) -> dict[str, FigureChange]:
    """The changes by the names of the figures."""
    return {one.name: one for one in changes}


def with_counts(trace: TraceRun, wavefronts: int, ideal: int, source: str = "") -> TraceRun:
    """The recording with so many wavefronts of its stores to shared memory."""
    counts = {name: getattr(trace.counts, name).copy() for name in SiteCounts.__dataclass_fields__}
    counts["wavefronts"] = np.array([0, wavefronts])
    counts["ideal_wavefronts"] = np.array([0, ideal])
    return replace(trace, counts=SiteCounts(**counts), source_text=source or trace.source_text)


def with_sass(trace: TraceRun, saved: int, *, is_known: bool = True, line: int = 6) -> TraceRun:
    """The same, where merged loads save wavefronts in SASS; `is_known`: how many."""
    lines = (LineAccesses(line, AccessSort.SHARED_LOADS, (WidthCount(4, 4),), (WidthCount(16, 1),)),)
    merged = (MergedRequests((line,), AccessSort.SHARED_LOADS, 1, 4, 4, 4, 4 + saved, 4),) if is_known else ()
    return replace(trace, machine=MachineAccesses("sm_90a", "NVRTC 13.5", lines, merged))
