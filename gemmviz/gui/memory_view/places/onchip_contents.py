"""What the on-chip panel holds for a kernel: its shared arrays, or what its threads read instead, and its sums."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from gemmviz.domain.recordings.access import AccessKind, MappedArray, Space, result_name
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.explain.block.tree_values import MOST_LEAVES
from gemmviz.gui.memory_view.block_analysis import BlockAnalysis
from gemmviz.gui.memory_view.places.box import Box
from gemmviz.gui.memory_view.places.onchip_layout import OnchipContents, OnchipLayout, Size
from gemmviz.gui.memory_view.places.shared_layout import Lens, SharedArrayPlace, cells_of
from gemmviz.gui.memory_view.text.labels import direct_words
from gemmviz.trace.frames.frames import Frames
from gemmviz.trace.frames.regions import Rectangle
from gemmviz.trace.frames.values import FACTORS, Frame, Touch

MOST_CELLS = 64
"""Rows and columns of a piece of A or B that is shown enlarged."""
MOST_SUMS = 1 << 14
SENTENCE_LINES = 2
_LOOKED_AT = 8
TREE_HEAD, TREE_TERM, TREE_LEVEL = 97.0, 28.0, 45.0
"""Pixels of a tree whose numbers can be read well: around it and for the leaves, for a product, for a level."""

Reads = tuple[tuple[str, Size], ...]
"""The matrices that threads read from global memory, and rows and columns of what a frame reads of each."""


def reads_of(frames: Frames) -> Reads:
    """What frames from the middle of a block read of A and B at most; nothing if that is too much to enlarge."""
    middle = len(frames) // 2
    largest: dict[str, Size] = {}
    for index in range(middle, min(middle + _LOOKED_AT, len(frames))):
        for name in FACTORS:
            touch = frames.frame(index).touch(name, AccessKind.LOAD)
            if touch is not None:
                rows, columns = largest.get(name, (0, 0))
                largest[name] = max(rows, touch.box.rows), max(columns, touch.box.columns)
    if len(largest) < len(FACTORS) or max(max(size) for size in largest.values()) > MOST_CELLS:
        return ()
    return tuple((name, largest[name]) for name in FACTORS)


def last_reads(frames: Frames, frame: Frame) -> dict[str, Touch]:
    """What threads have read last of A and of B: in this frame, or in one of the few before it.

    Of an earlier frame only what is multiplied by what was read since: elements of the same k.
    """
    found: dict[str, Touch] = {}
    for index in range(frame.index, max(frame.index - _LOOKED_AT, -1), -1):
        earlier = frame if index == frame.index else frames.frame(index)
        read = {name: touch for name in FACTORS if (touch := earlier.touch(name, AccessKind.LOAD)) is not None}
        if found and not _has_common_k({**read, **found}):
            break
        found = {**read, **found}
        if len(found) == len(FACTORS):
            break
    return found


def _has_common_k(read: Mapping[str, Touch]) -> bool:
    """Whether columns of A and rows of B that were read meet in a sum; also where only one of them was read."""
    if len(read) < len(FACTORS):
        return True
    a, b = (read[name].box for name in FACTORS)
    return a.column_start < b.row_stop and b.row_start < a.column_stop


def onchip_contents_of(
    run: TraceRun,
    analysis: BlockAnalysis | None,
    reads: Reads,
    spoken_of: Collection[str] = (),
    enlarged: float = 1.0,
) -> OnchipContents:
    """What the on-chip panel has to show. Without `analysis`, which takes a while, the sums are not there yet. A text
    beside the picture is about the arrays `spoken_of`. Type is `enlarged`, so many times as large as in a window.
    """
    shared = [array for array in run.arrays if array.space is Space.SHARED]
    has_d = result_name(run.arrays) == "D"
    if analysis is not None and analysis.tree is not None:
        terms, levels = analysis.tree_terms, len(analysis.tree.levels)
        is_written = terms and len(analysis.tree.leaves) <= MOST_LEAVES
        height = TREE_HEAD + terms * TREE_TERM + levels * TREE_LEVEL if is_written else 0.0
        return OnchipContents(is_tree=True, tree_height=height, has_d=has_d, enlarged=enlarged)
    part = analysis.part if analysis is not None and analysis.progress is not None else None
    sums = cells_of(part.rows, part.columns) if part is not None and part.size <= MOST_SUMS else None
    has_values = analysis is not None and analysis.writes_sums_out
    sizes = tuple(cells_of(array.rows, array.columns) for array in shared) or tuple(size for _, size in reads)
    lines = SENTENCE_LINES if direct_words(run, analysis) else 0
    found = OnchipContents(sizes, sums, lines=lines, has_values=has_values, has_d=has_d, enlarged=enlarged)
    return replace(found, is_spoken_of=any(array.name in spoken_of for array in shared))


def shared_places(shared: Sequence[MappedArray], arrangement: OnchipLayout) -> tuple[SharedArrayPlace, ...]:
    """The shared arrays where the arrangement has room for them; all over it where a tree stands instead."""
    if not shared:
        return ()
    boxes = arrangement.factors or (arrangement.panel,) * len(shared)
    return tuple(
        SharedArrayPlace(array, box, *cells_of(array.rows, array.columns))
        for array, box in zip(shared, boxes, strict=True)
    )


def lenses_of(
    arrangement: OnchipLayout,
    arrays: Sequence[MappedArray],
    reads: Reads,
    read: Mapping[str, Touch],
    part: Rectangle | None,
) -> tuple[Lens, ...]:
    """The sums, and what was `read` last of A and B if there is no shared memory that holds it: a factor stays in sight
    while the other one is read.
    """
    found = []
    by_name = {array.name: array for array in arrays}
    if arrangement.sums is not None and part is not None:
        found.append(_lens(by_name[result_name(arrays)], part, arrangement.sums, cells_of(part.rows, part.columns)))
    for (name, size), box in zip(reads, arrangement.factors, strict=False):
        touch = read.get(name)
        if touch is not None:
            top, left = touch.box.row_start, touch.box.column_start
            rows, columns = min(touch.box.rows, size[0]), min(touch.box.columns, size[1])
            seen = box.part(*size, 0, 0, rows, columns)
            there = Rectangle(top, top + rows, left, left + columns)
            found.append(replace(_lens(by_name[name], there, seen, (rows, columns)), read=touch))
    return tuple(found)


def _lens(array: MappedArray, part: Rectangle, box: Box, cells: Size) -> Lens:
    piece = replace(array, rows=part.rows, columns=part.columns)
    return Lens(array.name, part, SharedArrayPlace(piece, box, *cells))


def together(contents: Sequence[OnchipContents]) -> tuple[OnchipContents, ...]:
    """The contents of pictures that are compared, so that each is arranged as the others are."""
    lines, has_values = max(each.lines for each in contents), any(each.has_values for each in contents)
    return tuple(
        replace(
            each,
            lines=lines,
            has_values=has_values,
            beside=tuple(other.factors for other in contents if other is not each and not other.is_tree),
        )
        for each in contents
    )
