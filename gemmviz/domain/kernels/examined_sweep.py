"""The settings of a kernel's parameters, each with what was found out about it without a GPU."""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass

from gemmviz.domain.figures import counted
from gemmviz.domain.kernels.kernel_version import Check, Compilation
from gemmviz.domain.recordings.machine_accesses import MachineAccesses
from gemmviz.domain.session.field_ranges import Count, Index, PositiveCount, Reason, Timestamp
from gemmviz.domain.shape import Shape
from gemmviz.domain.spec import Params
from gemmviz.domain.terms import CodeForm

MOST_SWEEPS = 16
"""Of one session; the oldest goes for another one."""
MOST_SETTINGS = 64
"""Of one sweep: each is compiled, recorded and checked, which takes seconds."""


@dataclass(frozen=True, slots=True)
class BlockCounts:
    """What is kept of a recorded block: what it does, as counts.

    `block` is its place in the grid. `multiply_adds` are those of the product, 0 where the recording does not tell;
    `instructions` are those of all its `warps` together, 0 where they were not counted. `machine` is what each line
    accesses in PTX and in SASS, None where that is not known.
    """

    shape: Shape
    block: tuple[Index, Index, Index]
    form: CodeForm
    warps: PositiveCount
    global_requests: Count
    global_sectors: Count
    shared_requests: Count
    wavefronts: Count
    excess_wavefronts: Count
    hazards: Count
    multiply_adds: Count = 0
    instructions: Count = 0
    machine: MachineAccesses | None = None

    @property
    def sectors_per_request(self) -> float:
        """32-byte sectors per request to global memory; nan without a request."""
        return self.global_sectors / self.global_requests if self.global_requests else math.nan


@dataclass(frozen=True, slots=True)
class ExaminedSetting:
    """One setting, examined at that time. What could not be found out is None, and stands in the sentences `faults`.
    `gpu` is the one it was compiled for where a sweep is over GPUs, "" where all of a sweep are for one.
    """

    params: Params
    examined: Timestamp
    compilation: Compilation | None = None
    check: Check | None = None
    block: BlockCounts | None = None
    faults: tuple[Reason, ...] = ()
    gpu: str = ""


@dataclass(frozen=True, slots=True)
class ExaminedSweep:
    """The settings of a kernel, examined for one GPU.

    `digest` is that of the kernel's file (`digest_of`). `gpu` is the one they were compiled for. `left_out` counts
    combinations of values that the kernel's constraints leave out, `missing` settings that a cancel left unexamined.
    """

    kernel: str
    source_name: str
    digest: str
    gpu: str
    settings: tuple[ExaminedSetting, ...] = ()
    left_out: Count = 0
    missing: Count = 0

    @property
    def finished(self) -> str:
        """When the last setting was examined, ISO 8601 in UTC; "" while none is."""
        return self.settings[-1].examined if self.settings else ""


def left_out_words(count: int) -> str:
    """ "12 combinations of values break the kernel's constraints and are left out"; "" for none."""
    if not count:
        return ""
    breaks, are = ("breaks", "is") if count == 1 else ("break", "are")
    return f"{counted(count, 'combination')} of values {breaks} the kernel's constraints and {are} left out"


def digest_of(text: str) -> str:
    """The SHA-256 of a file's text in UTF-8, in 64 hexadecimal digits."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def with_sweep(sweeps: tuple[ExaminedSweep, ...], new: ExaminedSweep) -> tuple[ExaminedSweep, ...]:
    """The sweeps with one more at the end, and without the oldest where they are too many."""
    return (*sweeps, new)[-MOST_SWEEPS:]
