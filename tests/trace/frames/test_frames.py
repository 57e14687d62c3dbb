"""Frames of small kernels, written down as text and compared to the letter."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import pytest
from frame_text import frame_text

from gemmviz.domain.recordings.access import OTHER, PADDING, UNWRITTEN, BlockTrace, SharedSnapshot
from gemmviz.trace.frames.frames import Frames
from gemmviz.trace.frames.plan import FrameMode

TraceOf = Callable[..., BlockTrace]
FIRST_A, SECOND_A = "A0 A1 / A4 A5", "A2 A3 / A6 A7"
FIRST_B, SECOND_B = "B2 B3 / B6 B7", "B10 B11 / B14 B15"
TILED = [
    *((epoch, "As", FIRST_A if epoch < 2 else SECOND_A) for epoch in range(5)),
    *((epoch, "Bs", FIRST_B if epoch < 2 else SECOND_B) for epoch in range(5)),
]


def snapshot(epoch: int, array: str, text: str) -> SharedSnapshot:
    """Rows divided by "/", words: `A4` the fifth element of A, `-` unwritten, `0` padding, `*` computed."""
    special = {"-": UNWRITTEN, "0": PADDING, "*": OTHER}
    words = [row.split() for row in text.split("/")]
    origin = np.array([[special[w] if w in special else int(w[1:]) for w in row] for row in words], np.int64)
    matrix = np.array([[int(w[0] == "B") for w in row] for row in words], np.int8)
    return SharedSnapshot(epoch, array, origin, matrix)


def texts(frames: Frames) -> Iterator[str]:
    return (frame_text(frames.frame(i)) for i in range(len(frames)))


def assert_frames(frames: Frames, expected: str) -> None:
    """`expected` has the frames one after the other, divided by empty lines."""
    assert list(texts(frames)) == [part.strip("\n") for part in expected.strip("\n").split("\n\n")]


@pytest.fixture
def tiled(tiled_block: TraceOf) -> BlockTrace:
    return replace(tiled_block((4, 4, 4), 2, 1, 0), snapshots=tuple(snapshot(*taken) for taken in TILED))


@pytest.fixture
def naive(trace_of: TraceOf) -> BlockTrace:
    """2x2x2, one block of 2x2 threads."""
    return trace_of(
        "5 global load 4 A\n5 global load 4 B\n7 global store 4 C",
        """
        0 | A:0*2 A:2*2
        1 | B:0-1 B:0-1
        0 | A:1*2 A:3*2
        1 | B:2-3 B:2-3
        2 | C:0-3
        """,
        "A global 2x2\nB global 2x2\nC global 2x2",
        threads=4,
    )


@pytest.fixture
def row_shared(trace_of: TraceOf) -> BlockTrace:
    """2x3x2 with four threads a block: the row of A goes to shared memory, of 4 floats; this is block 1."""
    trace = trace_of(
        """
        4 global load 4 A
        4 shared store 4 a_row
        9 shared load 4 a_row
        9 global load 4 B
        11 global store 4 C
        """,
        """
        0 | A:2-3
        1 | a_row:0-1
        barrier
        2 | a_row:0*3
        3 | B:0-2
        2 | a_row:1*3
        3 | B:3-5
        4 | C:3-5
        barrier
        """,
        "A global 2x2\nB global 2x3\nC global 2x3\na_row shared 1x4",
        block=(1, 0, 0),
        threads=4,
    )
    return replace(trace, snapshots=tuple(snapshot(epoch, "a_row", "A2 A3 - -") for epoch in (0, 1)))


def test_that_tiles_are_loaded_then_read_then_replaced_by_the_next(tiled: BlockTrace) -> None:
    assert_frames(
        Frames(tiled),
        """
barrier interval 1 of 5: load rows 0–1, columns 0–1 of A and rows 0–1, columns 2–3 of B into shared memory
block (1, 0, 0), epoch 0, slots 0-4, barrier
line 8: load A[0]
line 8: store As[1]
line 9: load B[2]
line 9: store Bs[3]
A     B     C     As  Bs
rr..  ..rr  ....  ww  ww
rr..  ..rr  ....  ww  ww
....  ....  ....
....  ....  ....
As holds
  A[0,0] A[0,1]
  A[1,0] A[1,1]
Bs holds
  B[0,2] B[0,3]
  B[1,2] B[1,3]

barrier interval 2 of 5: read As and Bs, each element twice: 16 values
block (1, 0, 0), epoch 1, slots 5-9, barrier
line 13: load As[4]
line 13: load Bs[5]
A     B     C     As  Bs
....  ....  ....  rr  rr
....  ....  ....  rr  rr
....  ....  ....
....  ....  ....
As holds
  A[0,0] A[0,1]
  A[1,0] A[1,1]
Bs holds
  B[0,2] B[0,3]
  B[1,2] B[1,3]

barrier interval 3 of 5: load rows 0–1, columns 2–3 of A and rows 2–3, columns 2–3 of B into shared memory
block (1, 0, 0), epoch 2, slots 10-14, barrier
line 8: load A[0]
line 8: store As[1]
line 9: load B[2]
line 9: store Bs[3]
A     B     C     As  Bs
..rr  ....  ....  ww  ww
..rr  ....  ....  ww  ww
....  ..rr  ....
....  ..rr  ....
As holds
  A[0,2] A[0,3]
  A[1,2] A[1,3]
Bs holds
  B[2,2] B[2,3]
  B[3,2] B[3,3]

barrier interval 4 of 5: read As and Bs, each element twice: 16 values
block (1, 0, 0), epoch 3, slots 15-19, barrier
line 13: load As[4]
line 13: load Bs[5]
A     B     C     As  Bs
....  ....  ....  rr  rr
....  ....  ....  rr  rr
....  ....  ....
....  ....  ....
As holds
  A[0,2] A[0,3]
  A[1,2] A[1,3]
Bs holds
  B[2,2] B[2,3]
  B[3,2] B[3,3]

barrier interval 5 of 5: store rows 0–1, columns 2–3 of C
block (1, 0, 0), epoch 4, slot 20
line 18: store C[6]
A     B     C     As  Bs
....  ....  ..ww  ..  ..
....  ....  ..ww  ..  ..
....  ....  ....
....  ....  ....
As holds
  A[0,2] A[0,3]
  A[1,2] A[1,3]
Bs holds
  B[2,2] B[2,3]
  B[3,2] B[3,3]
""",
    )


def test_that_a_kernel_without_barriers_is_one_phase(naive: BlockTrace) -> None:
    assert_frames(
        Frames(naive),
        """
barrier interval 1 of 1: load all of A and all of B; store all of C
block (0, 0, 0), epoch 0, slots 0-4
line 5: load A[0]
line 5: load B[1]
line 7: store C[2]
A   B   C
rr  rr  ww
rr  rr  ww
""",
    )


def test_that_a_kernel_without_barriers_goes_step_by_step_along_k(naive: BlockTrace) -> None:
    assert_frames(
        Frames(naive, FrameMode.STEP),
        """
step 1 of 2: load rows 0–1, column 0 of A and row 0, columns 0–1 of B
block (0, 0, 0), epoch 0, slots 0-1
line 5: load A[0]
line 5: load B[1]
A   B   C
r.  rr  ..
r.  ..  ..

step 2 of 2: load rows 0–1, column 1 of A and row 1, columns 0–1 of B; store all of C
block (0, 0, 0), epoch 0, slots 2-4
line 5: load A[0]
line 5: load B[1]
line 7: store C[2]
A   B   C
.r  ..  ww
.r  rr  ww
""",
    )


def test_that_a_row_in_shared_memory_is_read_by_every_thread(row_shared: BlockTrace) -> None:
    assert_frames(
        Frames(row_shared),
        """
barrier interval 1 of 2: load row 1, columns 0–1 of A into shared memory
block (1, 0, 0), epoch 0, slots 0-2, barrier
line 4: load A[0]
line 4: store a_row[1]
A   B    C    a_row
..  ...  ...  ww..
rr  ...  ...
a_row holds
  A[1,0] A[1,1] -      -

barrier interval 2 of 2: read a_row, each element 3 times: 6 values; load all of B; store row 1, columns 0–2 of C
block (1, 0, 0), epoch 1, slots 3-8, barrier
line 9: load a_row[2]
line 9: load B[3]
line 11: store C[4]
A   B    C    a_row
..  rrr  ...  rr..
..  rrr  www
a_row holds
  A[1,0] A[1,1] -      -
""",
    )


def test_that_each_request_says_which_lane_touches_what(naive: BlockTrace) -> None:
    first, *_, last = texts(Frames(naive, FrameMode.REQUEST))
    assert first.splitlines() == [
        "warp request 1 of 5: warp 0, 4 lanes: load rows 0–1, column 0 of A, line 5",
        "block (0, 0, 0), epoch 0, slot 0",
        "line 5: load A[0]",
        "A   B   C",
        "r.  ..  ..",
        "r.  ..  ..",
        "lane 0 A[0,0], 1 A[0,0], 2 A[1,0], 3 A[1,0]",
    ]
    assert last.splitlines()[0] == "warp request 5 of 5: warp 0, 4 lanes: store all of C, line 7"
    assert last.splitlines()[-1] == "lane 0 C[0,0], 1 C[0,1], 2 C[1,0], 3 C[1,1]"


def test_that_digits_count_the_touches_of_each_element(tiled: BlockTrace, naive: BlockTrace) -> None:
    assert frame_text(Frames(tiled).frame(1), digits=True).splitlines()[4:9] == [
        "A     B     C     As  Bs",
        "....  ....  ....  22  22",
        "....  ....  ....  22  22",
        "....  ....  ....",
        "....  ....  ....",
    ]
    assert frame_text(Frames(naive).frame(0), digits=True).splitlines()[-2:] == ["22  22  11", "22  22  11"]


def test_that_arrays_too_large_to_draw_are_named_with_what_is_touched(tiled_block: TraceOf) -> None:
    frames = Frames(tiled_block((37, 41, 35), 16, 2, 2))
    lines = frame_text(frames.frame(0)).splitlines()
    assert "A 37x35: r rows 32–36, columns 0–15 of A" in lines
    assert "B 35x41: r rows 0–15, columns 32–40 of B" in lines
    assert "C 37x41: ." in lines
    assert (
        lines[0] == "barrier interval 1 of 7: load rows 32–36, columns 0–15 of A and rows 0–15, columns 32–40 of B; "
        "store all of As and all of Bs"
    )
