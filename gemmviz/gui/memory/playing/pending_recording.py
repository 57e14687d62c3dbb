"""A recording that was asked for and is still to come: where it goes once it is there. No Qt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gemmviz.domain.recordings.hazard import Hazard
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.spec import RunSpec
from gemmviz.domain.terms import CodeForm
from gemmviz.gui.recording.grids import Block, Playable


@dataclass(frozen=True, slots=True)
class PendingRecording:
    """A kernel at the size and with the inputs of `spec`, for one of the two pictures.

    `block` is the one that was asked for, None if it does not matter; `hazard` what is to be shown of it; `form` the
    form that it must have, None for the usual one, which is as compiled where a kernel cannot be recorded as written.
    """

    place: int
    kernel: str
    spec: RunSpec
    block: Block | None = None
    hazard: Hazard | None = None
    form: CodeForm | None = None

    def found_in(self, run: TraceRun) -> Playable | None:
        """What is to be played, if this is the recording."""
        wanted, got = self.spec, run.spec
        if (got.kernel, got.shape, got.fill, got.seed) != (self.kernel, wanted.shape, wanted.fill, wanted.seed):
            return None
        if self.form is not None and run.form is not self.form:
            return None
        blocks = [stored.block for stored in run.blocks]
        if self.block is None:
            return Playable(run) if blocks else None
        return Playable(run, blocks.index(self.block)) if self.block in blocks else None

    def among(self, runs: Sequence[TraceRun]) -> Playable | None:
        """What is to be played of the first of these recordings that is the one."""
        found = (self.found_in(run) for run in runs)
        return next((playable for playable in found if playable is not None), None)
