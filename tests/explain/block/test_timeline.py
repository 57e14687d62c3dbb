"""When elements are first touched, against a plain walk through the trace."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from gemmviz.domain.recordings.access import AccessKind, BlockTrace
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.explain.block import timeline as timeline_module
from gemmviz.explain.block.timeline import NEVER, timeline_of
from gemmviz.trace.frames.access import decode
from gemmviz.trace.frames.regions import EMPTY

Record = Callable[..., TraceRun]
BlockOf = Callable[..., BlockTrace]
KERNELS = [
    ("tiled", "17x33x5"),
    ("vectorized", "64x64x64"),
    ("register_2d", "33x17x20"),
    ("dot", "1x1x300"),
    ("global_accumulate", "17x33x5"),
]


@pytest.mark.parametrize(("kernel", "size"), KERNELS)
def test_that_first_touches_are_those_of_a_plain_walk(
    recorded: Record, block_of: BlockOf, kernel: str, size: str
) -> None:
    trace = block_of(recorded(kernel, size, (0, 0)))
    warps = trace.addresses.shape[0]
    accesses = decode(trace, np.arange(trace.slot_site.size), (0, warps))
    timeline = timeline_of(trace)
    for index, array in enumerate(trace.arrays):
        touched = {**timeline.matrices, **timeline.shared}[array.name]
        for kind, first in ((AccessKind.LOAD, touched.loaded), (AccessKind.STORE, touched.stored)):
            chosen = accesses.of(index, kind)
            expected: dict[int, int] = {}
            elements, which = chosen.elements()
            for element, slot, thread in zip(elements, chosen.slot[which], chosen.thread[which], strict=True):
                expected.setdefault(int(element), int(slot) * warps + int(thread) // 32)
            rows, columns = np.nonzero(first != NEVER)
            box = touched.box
            found = {
                int((row + box.row_start) * array.columns + column + box.column_start): int(first[row, column])
                for row, column in zip(rows, columns, strict=True)
            }
            assert found == expected


def test_that_an_array_nobody_touches_has_no_box(recorded: Record, block_of: BlockOf) -> None:
    """The last of 32 threads' blocks of a 4x4 matrix has nothing to do."""
    trace = block_of(recorded("cl_naive", "4x4x4", (0, 0)))
    idle = type(trace)(
        trace.block,
        trace.threads,
        trace.sites,
        trace.arrays,
        trace.slot_site,
        trace.slot_epoch,
        np.full_like(trace.addresses, -1),
    )
    assert timeline_of(idle).matrices["A"].box == EMPTY


@pytest.mark.parametrize(("kernel", "size"), KERNELS)
def test_that_a_large_array_is_looked_at_in_its_box_with_the_same_result(
    recorded: Record, block_of: BlockOf, kernel: str, size: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    trace = block_of(recorded(kernel, size, (0, 0)))
    whole = timeline_of(trace)
    monkeypatch.setattr(timeline_module, "_SMALL", 0)
    monkeypatch.setattr(timeline_module, "_CHUNK", 1 << 8)
    boxed = timeline_of(trace)
    for one, other in ((whole.matrices, boxed.matrices), (whole.shared, boxed.shared)):
        assert one.keys() == other.keys()
        for name in one:
            assert one[name].box == other[name].box
            np.testing.assert_array_equal(one[name].loaded, other[name].loaded, strict=True)
            np.testing.assert_array_equal(one[name].stored, other[name].stored, strict=True)
