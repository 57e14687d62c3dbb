"""What several examinations look at, made once for a subject: how launches ended, and recordings."""

from __future__ import annotations

from dataclasses import dataclass

from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.shape import Shape

RUNS_TO_ITS_END, STAYS_INSIDE = "Runs to its end", "Stays inside its arrays"
"""The examinations that fail where a launch ends at a fault; others point to them."""


@dataclass(frozen=True, slots=True)
class Ending:
    """How a launch ended: `overruns` are the bytes beside its arrays that it wrote, `fault` is what ended it, "" where
    nothing did; `is_access` says that this was an access to memory, `is_late` that it was a time limit.
    """

    shape: Shape
    overruns: tuple[str, ...] = ()
    fault: str = ""
    is_access: bool = False
    is_late: bool = False

    @property
    def named_by(self) -> str:
        """The one examination that fails at its fault; "" where there is none."""
        if not self.fault:
            return ""
        return STAYS_INSIDE if self.is_access else RUNS_TO_ITS_END


@dataclass(frozen=True, slots=True)
class Recordings:
    """The recordings of whole grids of one size, as written and as compiled, or of several large ones, and in words why
    others are missing.
    """

    runs: tuple[TraceRun, ...]
    missing: tuple[str, ...]
