"""What the on-chip panel shows of A and B where no shared memory holds them."""

from __future__ import annotations

from collections.abc import Callable

from gemmviz.domain.recordings.access import BlockTrace
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.gui.memory_view.places.onchip_contents import last_reads
from gemmviz.trace.frames.frames import Frames
from gemmviz.trace.frames.plan import FrameMode


def test_that_a_column_of_a_stands_beside_no_row_of_b_but_the_one_it_is_multiplied_by(
    recorded: Callable[..., TraceRun], block_of: Callable[..., BlockTrace]
) -> None:
    frames = Frames(block_of(recorded("naive", "4x4x4", (0, 0), THREAD=2)), FrameMode.REQUEST)
    shown = []
    for index in range(4):
        read = last_reads(frames, frames.frame(index))
        shown.append({name: (touch.box.row_start, touch.box.column_start) for name, touch in read.items()})
    assert [sorted(each) for each in shown] == [["A"], ["A", "B"], ["A"], ["A", "B"]]
    assert [each["A"] for each in shown] == [(0, 0), (0, 0), (0, 1), (0, 1)]
    assert [each["B"] for each in shown[1::2]] == [(0, 0), (1, 0)]
