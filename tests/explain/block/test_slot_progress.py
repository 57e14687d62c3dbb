"""How far a sum has come that one thread adds up from shared memory, and where threads store their own sums."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from gemmviz.domain.recordings.access import BlockTrace, result_name
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.explain.block.partial_sums import NO_SLOT, partial_sums_of
from gemmviz.explain.block.progress import kept_in_shared
from gemmviz.explain.block.slot_progress import SlotProgress
from gemmviz.explain.block.timeline import timeline_of
from gemmviz.trace.frames.frames import Frames
from gemmviz.trace.frames.plan import FrameMode
from gemmviz.trace.frames.regions import Rectangle

Record = Callable[..., TraceRun]
BlockOf = Callable[..., BlockTrace]
ONE = Rectangle(0, 1, 0, 1)


def test_that_each_slot_is_a_term_once_thread_0_has_read_it(recorded: Record, block_of: BlockOf) -> None:
    trace = block_of(recorded("dot_serial", "1x1x16", (0, 0), THREADS=16))
    progress = SlotProgress(trace, timeline_of(trace), ONE)
    frames = Frames(trace, FrameMode.STEP)
    ends = frames.ends()
    assert (progress.thread, progress.depth) == (0, 16)
    assert [int(progress.terms(frames.frame(index))[0, 0]) for index in range(len(frames))] == list(range(17))
    assert [progress.slots(int(end)) for end in ends] == [tuple(range(count)) for count in range(17)]
    assert progress.whole_shares(ends).tolist() == [count / 16 for count in range(17)]
    assert progress.stored_shares(ends).tolist() == [0.0] * 16 + [1.0]
    assert progress.terms_before(0).tolist() == [[0]]


@pytest.mark.parametrize(("kernel", "size"), [("dot", "1x1x16"), ("tiled", "4x4x4"), ("naive", "1x1x4")])
def test_that_sums_of_another_sort_are_refused(recorded: Record, block_of: BlockOf, kernel: str, size: str) -> None:
    trace = block_of(recorded(kernel, size, (0, 0)))
    timeline = timeline_of(trace)
    with pytest.raises(ValueError, match=r"threads read|shared arrays"):
        SlotProgress(trace, timeline, timeline.matrices[result_name(trace.arrays)].box)


@pytest.mark.parametrize("kernel", ["dot", "dot_serial"])
def test_that_each_thread_of_a_dot_product_stores_its_sum_in_its_own_slot(
    recorded: Record, block_of: BlockOf, kernel: str
) -> None:
    trace = block_of(recorded(kernel, "1x1x17", (0, 0), THREADS=8))
    sums = partial_sums_of(trace, kept_in_shared(trace))
    assert sums is not None
    assert (sums.name, sums.columns) == ("sums", 8)
    assert NO_SLOT not in sums.slot_of
    assert np.array_equal(sums.slot_of, np.arange(8))


@pytest.mark.parametrize("kernel", ["tiled", "naive", "row_shared"])
def test_that_shared_memory_with_factors_holds_no_sums(recorded: Record, block_of: BlockOf, kernel: str) -> None:
    trace = block_of(recorded(kernel, "4x4x4", (0, 0)))
    assert partial_sums_of(trace, kept_in_shared(trace)) is None
