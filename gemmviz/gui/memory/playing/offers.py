"""Kernels that could be recorded to stand beside a recording. No Qt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gemmviz.catalogue.kernel import Kernel, Refusal
from gemmviz.catalogue.recordable import recorded_forms, recording_device, records, usual_form
from gemmviz.domain.device import Device
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.spec import Launch
from gemmviz.domain.terms import CodeForm
from gemmviz.engine.messages import Job
from gemmviz.gui.recording.grids import Block, Grid, Playable


@dataclass(frozen=True, slots=True)
class Offer:
    """A kernel that could be recorded: its id, and the `form` to ask for, None for the usual one."""

    kernel: str
    form: CodeForm | None = None

    @property
    def title(self) -> str:
        """ "Record tiled as compiled with these settings"."""
        form = f" {self.form}" if self.form is not None else ""
        return f"Record {self.kernel}{form} with these settings"


@dataclass(frozen=True, slots=True)
class Offers:
    """Kernels with the parameters they would have, the devices of this machine, the choice or id of the one that is
    `wanted`, and the ids of kernels that are `faulty`: known not to compile, or to fail, as their files are now.
    """

    jobs: tuple[Job, ...] = ()
    devices: tuple[Device, ...] = ()
    wanted: str = ""
    faulty: frozenset[str] = frozenset()

    def beside(self, run: TraceRun | None, grids: Sequence[Grid]) -> tuple[Offer, ...]:
        """Those that can be recorded here at a recording's size, and are not recorded at it yet in its form, which they
        are offered in where they can be recorded so.
        """
        if run is None:
            return ()
        wanted = run.spec.shape, run.spec.fill, run.spec.seed
        newest = [grid.runs[0] for grid in grids]
        there = {
            (each.spec.kernel, each.form)
            for each in newest
            if (each.spec.shape, each.spec.fill, each.spec.seed) == wanted
        }
        offered = [(job, self._offer(job.kernel, run)) for job in self.jobs if job.kernel.id not in self.faulty]
        return tuple(
            offer
            for job, offer in offered
            if (offer.kernel, offer.form or usual_form(job.kernel)) not in there
            and self._launch_of(job, run) is not None
        )

    def blocks_beside(self, kernel_id: str, first: Playable) -> tuple[Block, ...]:
        """Which blocks to record so that there is one to compare with `first`; none for the whole grid.

        The whole grid where all of the other was recorded and its first block is played, else the block in that place.
        """
        run = first.run
        launch = next((self._launch_of(job, run) for job in self.jobs if job.kernel.id == kernel_id), None)
        if launch is None or (first.block == (0, 0, 0) and run.blocks_recorded == run.blocks_in_grid):
            return ()
        x, y, z = (min(number, size - 1) for number, size in zip(first.block, launch.grid, strict=True))
        return ((x, y, z),)

    def _offer(self, kernel: Kernel, run: TraceRun) -> Offer:
        """A kernel in the form of a recording, or in its usual one where it cannot be recorded so."""
        is_usual = run.form is usual_form(kernel) or run.form not in recorded_forms(kernel, self.devices)
        return Offer(kernel.id, None if is_usual else run.form)

    def _launch_of(self, job: Job, run: TraceRun) -> Launch | None:
        """How a kernel would be launched at a recording's size to be recorded; None if it cannot be."""
        device = recording_device(job.kernel, self.devices, self.wanted)
        if job.kernel.runs_on_host or device is None or not records(device, job.kernel):
            return None
        try:
            params = job.kernel.params_beside(job.params, run.spec.params)
            return job.kernel.plan(run.spec.shape, params, device).launch
        except Refusal:
            return None
