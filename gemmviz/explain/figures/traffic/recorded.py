"""The traffic of each recording, with a name that no other has. No Qt."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from gemmviz.domain.input_words import input_words
from gemmviz.domain.kernels.version_names import VersionNames
from gemmviz.domain.recordings.access import adds_to_c
from gemmviz.domain.recordings.multiply_adds import is_complete
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.explain.figures.distinctions import BETWEEN, distinctions
from gemmviz.explain.figures.traffic.units import Per, divisor
from gemmviz.trace.counts.totals import Totals
from gemmviz.trace.explain import totals_of

_AT_IDEAL = 1.01  # times the ideal


@dataclass(frozen=True, slots=True, eq=False)
class Traffic:
    """A recording's name among the others, its kernel's version, "" where that has one text only, and totals."""

    run: TraceRun
    name: str
    version_number: str
    totals: Totals

    @property
    def is_whole(self) -> bool:
        return is_complete(self.run)

    @property
    def is_ideal_by_size(self) -> bool:
        """Whether the ideal is reached because the product is so small that one block makes all of it."""
        ideal = self.totals.bytes_ideal
        return self.run.blocks_in_grid == 1 and bool(ideal) and self.totals.bytes_moved <= _AT_IDEAL * (ideal or 0)

    def per(self, per: Per) -> tuple[float, float, float]:
        """Bytes asked, moved and ideal; nan where the recording does not tell, and for the ideal of a part."""
        by, totals = divisor(self.run, per), self.totals
        ideal = math.nan if totals.bytes_ideal is None else totals.bytes_ideal
        asked, moved, ideal = (
            nbytes / by if by else math.nan for nbytes in (totals.bytes_asked, totals.bytes_moved, ideal)
        )
        return asked, moved, ideal


def ideal_words(trace: TraceRun) -> str:
    """Which bytes of a kernel are its ideal: "A and B read once, C written once"."""
    has_d = any(array.name == "D" for array in trace.arrays)
    read = "A, B and C" if has_d or adds_to_c(trace.spec.computes) else "A and B"
    return f"{read} read once, {'D' if has_d else 'C'} written once"


def traffic_of(traces: Sequence[TraceRun], names: VersionNames | None = None) -> tuple[Traffic, ...]:
    """One for each recording. That of a version of a kernel says which; of those that differ neither in this nor in
    what a row says beside its name, each says which inputs or which block it has, else when it was made. `names` are
    those of a session's versions; without them the different texts of these recordings count as such.
    """
    known = names or VersionNames(traces=tuple(traces))
    return tuple(
        Traffic(
            run,
            BETWEEN.join(filter(None, (run.spec.kernel, *version_and_rest))),
            known.number_of_recording(run),
            totals_of(run),
        )
        for run, version_and_rest in zip(traces, versions_apart(traces, known), strict=True)
    )


def versions_apart(traces: Sequence[TraceRun], names: VersionNames) -> tuple[tuple[str, str], ...]:
    """The version of each recording, and what tells it from others of that version, with the same parameters, size,
    form, device and number of blocks: its inputs or its block, else when it was made; "" for nothing to say.
    """
    versions = [names.of_recording(run) for run in traces]
    apart = distinctions(
        [
            (run.spec.kernel, run.spec.params, run.spec.shape, run.form, version, run.device.id, run.blocks_recorded)
            for run, version in zip(traces, versions, strict=True)
        ],
        [(input_words(run.spec.fill, run.spec.seed), _block_words(run)) for run in traces],
        [run.finished for run in traces],
        "recording",
    )
    return tuple(zip(versions, apart, strict=True))


def _block_words(run: TraceRun) -> str:
    """ "block 2,0" of a recording of that one alone, else ""."""
    if is_complete(run) or len(run.blocks) != 1 or run.blocks_recorded != 1:
        return ""
    x, y, z = run.blocks[0].block
    return f"block {x},{y},{z}" if z else f"block {x},{y}"
