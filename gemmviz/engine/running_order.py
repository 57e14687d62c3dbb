"""In which order the jobs of a request run, and what is said of those after one that does not end; the window and the
worker both need to know.
"""

from __future__ import annotations

from collections.abc import Sequence

from gemmviz.catalogue.loader import is_shipped
from gemmviz.domain.runs.result import RunError
from gemmviz.engine.messages import Job

_AFTER = " ran before and did not end, or left the device unusable"


def in_running_order(jobs: Sequence[Job]) -> tuple[Job, ...]:
    """As asked for, but the kernel that exact comparisons compare with goes first, and the user's own kernels go last:
    one that does not end leaves no device for those after it.
    """
    return tuple(sorted(jobs, key=lambda job: (not job.kernel.is_reference, not is_shipped(job.kernel))))


def not_run_words(before: str) -> str:
    """Why a job was not run after the kernel with the id `before`."""
    return f"{before}{_AFTER}"


def was_not_run(error: RunError) -> bool:
    """Whether a job only failed because another one did before it."""
    return error.reason.endswith(_AFTER)
