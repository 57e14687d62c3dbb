"""What all frames of one block have in common: made once, on another thread where the trace is large."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from gemmviz.catalogue.header import SUFFIXES, HeaderError, has_header, read_description, read_header
from gemmviz.domain.recordings.access import (
    INACTIVE,
    PADDING,
    AccessKind,
    BlockTrace,
    MappedArray,
    Space,
    result_name,
    result_of,
)
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.recordings.warp import LANES
from gemmviz.explain.block.arithmetic import is_small
from gemmviz.explain.block.grid_of_blocks import Block, BlockGrid, grid_of, part_of_c
from gemmviz.explain.block.load_counters import RunningLoadCounters
from gemmviz.explain.block.partial_sums import PartialSums, partial_sums_of
from gemmviz.explain.block.progress import ProductProgress, kept_in_shared
from gemmviz.explain.block.reduction import ReductionTree, reduction_tree
from gemmviz.explain.block.slot_progress import SlotProgress
from gemmviz.explain.block.timeline import NEVER, Timeline, stores_of, timeline_of
from gemmviz.explain.block.tree_values import written_terms
from gemmviz.gui.memory_view.shades import Firsts
from gemmviz.trace.frames.regions import Rectangle


@dataclass(frozen=True, slots=True, eq=False)
class BlockAnalysis:
    """One block of a recording, looked through: `firsts` by the name of the matrix; `part` is what it makes of C.

    `depth` is how many columns of A one phase loads, 0 if all; `stores_once` whether each element of C is stored once.
    `progress` is None where the sums are not kept by the threads, or make no whole rectangle of C; `kept` are the
    matrices that go through shared memory; `partial_sums` are the slots there that threads store their own sums in;
    `has_zeros` and `has_unused` tell whether shared slots are ever so.
    `tree_terms` is how many products a thread adds under a tree that is written out, 0 for any other.
    """

    trace: BlockTrace
    timeline: Timeline
    firsts: dict[str, Firsts]
    load_counters: RunningLoadCounters
    part: Rectangle | None
    tree: ReductionTree | None
    writes_sums_out: bool
    depth: int
    stores_once: bool
    progress: ProductProgress | SlotProgress | None = None
    kept: frozenset[str] = frozenset()
    partial_sums: PartialSums | None = None
    has_zeros: bool = False
    has_unused: bool = False
    tree_terms: int = 0


def analyse_block(trace: BlockTrace) -> BlockAnalysis:
    """Look through a trace. Touches no widget."""
    timeline = timeline_of(trace)
    firsts = {name: Firsts(touched) for name, touched in timeline.matrices.items()}
    c = result_of(trace.arrays)
    part = part_of_c(trace, c)[0] if c is not None else None
    part = part if part is not None and part.size else None
    stores_once = _stores_once(trace, c)
    tree = reduction_tree(trace)
    kept = kept_in_shared(trace)
    return BlockAnalysis(
        trace,
        timeline,
        firsts,
        RunningLoadCounters(trace, timeline),
        part,
        tree,
        is_small(trace),
        _depth(trace, timeline),
        stores_once,
        _progress(trace, timeline, part, kept) if stores_once and tree is None else None,
        kept,
        partial_sums_of(trace, kept),
        any(bool(np.any(s.origin == PADDING)) for s in trace.snapshots),
        _has_unused(timeline),
        written_terms(trace, tree) if tree is not None else 0,
    )


def _progress(
    trace: BlockTrace, timeline: Timeline, part: Rectangle | None, kept: frozenset[str]
) -> ProductProgress | SlotProgress | None:
    """None where threads of several blocks share a row or column of the part, or the sums are no matrix product's."""
    a, c = timeline.matrices.get("A"), timeline.matrices.get(result_name(trace.arrays))
    if part is None or a is None or c is None or int(np.sum(c.stored != NEVER)) != part.size:
        return None
    try:
        if timeline.shared and not kept:  # what lies there are sums already
            return SlotProgress(trace, timeline, part)
        return ProductProgress(trace, timeline, part, a.array.columns, kept)
    except ValueError:
        return None


def _has_unused(timeline: Timeline) -> bool:
    return any(
        touched.box.size < touched.array.rows * touched.array.columns
        or bool(np.any(np.minimum(touched.loaded, touched.stored) == NEVER))
        for touched in timeline.shared.values()
    )


def _depth(trace: BlockTrace, timeline: Timeline) -> int:
    touched = timeline.matrices.get("A")
    if touched is None or touched.loaded.size == 0:
        return 0
    earliest = touched.loaded.min(axis=0)
    epochs = trace.slot_epoch[np.minimum(earliest // timeline.warps, trace.slot_epoch.size - 1)]
    together = int(np.sum((epochs == epochs.min()) & (earliest != NEVER)))
    return together if together < touched.box.columns else 0


def _stores_once(trace: BlockTrace, c: MappedArray | None) -> bool:
    if c is None:
        return False
    elements = stores_of(trace, c).element
    return bool(np.unique(elements).size == elements.size)


@dataclass(frozen=True, slots=True, eq=False)
class RecordedBlocks:
    """The blocks of a recording on the result: the grid, None if it is not known; the parts of the recorded blocks."""

    grid: BlockGrid | None
    parts: dict[Block, Rectangle]


def recorded_blocks(run: TraceRun) -> RecordedBlocks:
    """Where the recorded blocks lie. Quick: of each block only the stores to the result are looked at.

    Where other blocks lie follows from these, but not of a kernel with arguments of its own: what its numbers of blocks
    mean is known of the recorded ones only.
    """
    c = result_of(run.arrays)
    if c is None:
        return RecordedBlocks(None, {})
    parts: dict[Block, Rectangle] = {}
    goes_down = False
    for stored in run.blocks:
        part, down = part_of_c(stored.trace(run.sites, run.arrays), c)
        parts[stored.block[0], stored.block[1]] = part
        goes_down = goes_down or down
    is_whole = len(parts) == run.launch.grid[0] * run.launch.grid[1]
    if not is_whole and has_own_arguments(run):
        return RecordedBlocks(None, parts)
    return RecordedBlocks(grid_of(run.launch, c, parts, goes_down), parts)


def has_own_arguments(run: TraceRun) -> bool:
    """Whether the kernel lists its arguments (`args`), so that a block may make any part of the result."""
    path, text, described = Path(run.source_name or "kernel"), run.source_text, run.spec.description
    with suppress(HeaderError):
        if described:
            return "args" in read_description(path, described, is_file=False).values
        if path.suffix in SUFFIXES and has_header(path, text):
            return "args" in read_header(path, text).values
    return False


def thread_that_makes(trace: BlockTrace, c: MappedArray, row: int, column: int) -> int | None:
    """The first thread that stores an element of C; None if none does."""
    address = c.address_of(row, column)
    for site in trace.sites:
        if site.kind is AccessKind.STORE and site.space is Space.GLOBAL:
            slots = np.flatnonzero(trace.slot_site == site.index)
            starts = trace.addresses[:, slots]
            meets = (starts != INACTIVE) & (starts <= address) & (address < starts + site.width_bytes)
            warp, _, lane = np.nonzero(meets)
            if warp.size:
                return int(warp[0]) * LANES + int(lane[0])
    return None
