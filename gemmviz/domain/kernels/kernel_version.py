"""Versions of a kernel's file: its text as it was saved, and what was found out about it then."""

from __future__ import annotations

from dataclasses import dataclass

from gemmviz.domain.kernels.resources import Occupancy, Resources
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.session.field_ranges import (
    Count,
    ErrorBound,
    PositiveCount,
    Reason,
    RelativeError,
    SourceText,
    Timestamp,
)
from gemmviz.domain.shape import Shape
from gemmviz.domain.spec import Params


@dataclass(frozen=True, slots=True)
class Compilation:
    """What a compiler made of a kernel for a GPU: `target` as "sm_90", `compiler` as "NVRTC 13.0", `shared_bytes` of a
    block, and the theoretical occupancy, None where the limits of the GPU are not known.
    """

    gpu: str
    target: str
    compiler: str
    resources: Resources
    shared_bytes: Count = 0
    occupancy: Occupancy | None = None

    @property
    def gpu_words(self) -> str:
        """ "H100 (sm_90a)"."""
        return f"{self.gpu.removeprefix('NVIDIA ')} ({self.target})"

    @property
    def launch_fault(self) -> str:
        """Why that GPU cannot launch it: "a multiprocessor has too few registers for one block"; "" where it can, or
        where nobody knows.
        """
        if self.occupancy is None or self.occupancy.blocks > 0:
            return ""
        return f"a multiprocessor has too few {' and '.join(self.occupancy.limited_by)} for one block"


@dataclass(frozen=True, slots=True)
class Check:
    """The result of a kernel at a small size, computed on the PTX machine and compared with the float64 product.

    `max_error_over_ug` is the largest |C−R| / (u·G), `unwritten` the elements of the result that were not written.
    `right_before` are the sizes at which the result was checked before, and right.
    """

    shape: Shape
    passed: bool
    max_error_over_ug: RelativeError
    bound: ErrorBound
    unwritten: Count = 0
    right_before: tuple[Shape, ...] = ()

    @property
    def shapes(self) -> tuple[Shape, ...]:
        """Every size at which the result was checked, in their order."""
        return (*self.right_before, self.shape)


@dataclass(frozen=True, slots=True)
class KernelVersion:
    """A text of the kernel `kernel` that compiled, with the time it was saved.

    `number` counts the versions of a kernel from 1. `recorded` is when its recording ended, which lies among those of
    the session, "" where there is none. `faults` are sentences on what could not be found out.
    """

    kernel: str
    number: PositiveCount
    source_name: str
    text: SourceText
    saved: Timestamp
    params: Params = ()
    compilation: Compilation | None = None
    check: Check | None = None
    recorded: Timestamp = ""
    faults: tuple[Reason, ...] = ()

    def is_of(self, trace: TraceRun) -> bool:
        """Whether a recording is the one that was made of this version."""
        has_text = trace.source_name != self.source_name or trace.source_text == self.text
        return bool(self.recorded) and (trace.spec.kernel, trace.finished) == (self.kernel, self.recorded) and has_text
