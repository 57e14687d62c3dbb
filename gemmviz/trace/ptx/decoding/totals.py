"""What a kernel costs as nvcc compiled it: counts of its PTX instructions, to stand beside those of its source."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.recordings.access import Site, ideal_bytes
from gemmviz.domain.shape import Shape
from gemmviz.trace.counts.columns import SiteColumns
from gemmviz.trace.counts.summary import SiteCounter
from gemmviz.trace.counts.totals import LineCounts, Totals, by_line, total
from gemmviz.trace.recorder import Recorder


@dataclass(frozen=True, slots=True, eq=False)
class CompiledTotals:
    """Counts of all blocks: per site (columns of shape (sites,)), per source line, and in all."""

    sites: tuple[Site, ...]
    columns: SiteColumns
    lines: tuple[LineCounts, ...]
    totals: Totals
    blocks: int


def totals_of(recorder: Recorder, indices: NDArray[np.int32], shape: Shape) -> CompiledTotals:
    """The counts of some blocks, given by linear index."""
    sites = recorder.instrumented.sites
    counter = SiteCounter(sites)
    for block in recorder.requests(indices):
        counter.add_block(block)
    columns = counter.columns
    totals = total(sites, columns, shape, ideal_bytes(recorder.arrays, shape, recorder.call.words))
    return CompiledTotals(sites, columns, by_line(sites, columns), totals, counter.blocks)
