"""Kernels that could be recorded to stand beside a recording. No Qt."""

from __future__ import annotations

from collections.abc import Sequence

from gemmviz.catalogue.kernel import Refusal
from gemmviz.domain.spec import Launch
from gemmviz.domain.trace_run import TraceRun
from gemmviz.engine.messages import Job
from gemmviz.gui.memory.grids import Block, Grid, Playable


def offered(jobs: Sequence[Job], grids: Sequence[Grid], run: TraceRun | None) -> tuple[Job, ...]:
    """Of these kernels with their parameters, those that run at a recording's size and are not recorded at it yet."""
    if run is None:
        return ()
    wanted = run.spec.shape, run.spec.fill, run.spec.seed
    recorded = [grid.runs[0].spec for grid in grids]
    there = {spec.kernel for spec in recorded if (spec.shape, spec.fill, spec.seed) == wanted}
    return tuple(
        job for job in jobs
        if not job.kernel.runs_on_host and job.kernel.id not in there and launch_of(job, run) is not None
    )  # fmt: skip


def launch_of(job: Job, run: TraceRun) -> Launch | None:
    """How a kernel would be launched at a recording's size on its device; None if it cannot be."""
    try:
        return job.kernel.plan(run.spec.shape, job.params, run.device).launch
    except Refusal:
        return None


def blocks_beside(job: Job, first: Playable) -> tuple[Block, ...]:
    """Which blocks to record so that there is one to compare with `first`; none for the whole grid.

    The whole grid where all of the other was recorded and its first block is played, else the block in that place.
    """
    run, launch = first.run, launch_of(job, first.run)
    if launch is None or (first.block == (0, 0, 0) and run.blocks_recorded == run.blocks_in_grid):
        return ()
    x, y, z = (min(number, size - 1) for number, size in zip(first.block, launch.grid, strict=True))
    return ((x, y, z),)
