"""The short texts of the picture."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest
from numpy.typing import NDArray

from gemmviz.domain.recordings.access import BlockTrace, MappedArray, Space
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Layout
from gemmviz.gui.memory_view.block_analysis import analyse_block
from gemmviz.gui.memory_view.picture import picture_of
from gemmviz.gui.memory_view.text.labels import (
    area_labels,
    block_words,
    direct_words,
    held_labels,
    held_words,
    onchip_head,
    origin_name,
    shared_words,
    size_words,
    threads_words,
    value_text,
)
from gemmviz.trace.frames.frames import Frames
from gemmviz.trace.frames.plan import FrameMode
from gemmviz.trace.frames.regions import Rectangle
from gemmviz.trace.frames.values import SharedContents

Record = Callable[..., TraceRun]
BlockOf = Callable[..., BlockTrace]
GAP = "\N{NARROW NO-BREAK SPACE}"


def held(trace: BlockTrace, index: int) -> list[str]:
    frame = Frames(trace).frame(index)
    return [held_words(contents.after, trace.arrays, nothing_of(contents)) for contents in frame.shared]


def nothing_of(contents: SharedContents) -> NDArray[np.bool_]:
    """No slot of a shared array."""
    return np.zeros(contents.after.origin.shape, np.bool_)


def held_after_stores(trace: BlockTrace, name: str) -> list[str]:
    """What a shared array holds after each request that stores to it."""
    frames, analysis = Frames(trace, FrameMode.REQUEST), analyse_block(trace)
    shown = [picture_of(analysis, frames.frame(index)).shared[name] for index in range(len(frames))]
    stored = [shade for shade in shown if shade.written is not None]
    return [held_words(shade.contents.after, trace.arrays, shade.pending_after) for shade in stored]


def test_that_what_lies_in_shared_memory_is_said_in_rows_and_columns(recorded: Record, block_of: BlockOf) -> None:
    trace = block_of(recorded("tiled_transposed", "64x64x64", (1, 2)))
    frame = Frames(trace).frame(2)
    assert held_labels(frame.shared[0].after, trace.arrays, nothing_of(frame.shared[0])) == (
        "rows 32–47, columns 16–31 of A, transposed",
        "rows 32–47, columns 16–31, transposed",
        "A[32–47,16–31], transposed",
    )
    a = next(array for array in trace.arrays if array.name == "A")
    assert area_labels(a, Rectangle(3, 4, 0, 1)) == ("A[3,0]", "row 3, column 0", "A[3,0]")
    assert area_labels(a, Rectangle(0, 2, 2, 4))[2] == "A[0–1,2–3]"


def test_that_a_shared_array_says_which_part_it_holds(recorded: Record, block_of: BlockOf) -> None:
    assert held(block_of(recorded("tiled", "64x64x64", (1, 2))), 2) == [
        "rows 32–47, columns 16–31 of A",
        "rows 16–31, columns 16–31 of B",
    ]
    odd = block_of(recorded("tiled", "17x33x5", (8, 4), TILE=4))
    assert held(odd, 0) == ["row 16, columns 0–3 of A and zeros", "rows 0–3, column 32 of B and zeros"]


def test_that_a_transposed_tile_says_so(recorded: Record, block_of: BlockOf) -> None:
    assert held(block_of(recorded("tiled_transposed", "64x64x64", (1, 2))), 2) == [
        "rows 32–47, columns 16–31 of A, transposed",
        "rows 16–31, columns 16–31 of B",
    ]


def test_that_empty_and_computed_slots_are_named(recorded: Record, block_of: BlockOf) -> None:
    dot = block_of(recorded("dot", "1x1x16", (0, 0), THREADS=4))
    frame = Frames(dot).frame(0)
    nothing = nothing_of(frame.shared[0])
    assert held_words(frame.shared[0].before, dot.arrays, nothing) == "empty"
    assert held_words(frame.shared[0].after, dot.arrays, nothing) == "computed values"


def test_that_a_tile_that_is_being_refilled_says_only_what_has_come(recorded: Record, block_of: BlockOf) -> None:
    """Two warps of 32 of the 64 threads store one after the other, each half a tile."""
    trace = block_of(recorded("tiled", "16x16x16", (0, 0), TILE=8))
    assert held_after_stores(trace, "As") == [
        "rows 0–3, columns 0–7 of A so far",
        "rows 0–7, columns 0–7 of A",
        "rows 0–3, columns 8–15 of A so far",
        "rows 0–7, columns 8–15 of A",
    ]
    turned = block_of(recorded("tiled_transposed", "16x16x16", (0, 0), TILE=8))
    assert held_after_stores(turned, "As")[2] == "rows 0–3, columns 8–15 of A so far, transposed"


def test_that_of_two_halves_the_one_that_is_read_is_said_while_the_other_is_refilled(
    recorded: Record, block_of: BlockOf
) -> None:
    trace = block_of(recorded("double_buffered", "64x64x24", (0, 0), BM=64, BN=64, BK=8, TM=8, TN=8))
    said = held_after_stores(trace, "Bs")
    assert "rows 0–15, columns 0–63 of B" in said
    refilled = said.index("rows 8–23, columns 0–63 of B")
    assert said[refilled - 1] == "rows 8–23, columns 0–63 of B so far"


def test_that_sizes_have_their_letters() -> None:
    c = MappedArray("C", Space.GLOBAL, 0, 1037, 1031)
    assert size_words(c, Shape(1037, 1031, 5)) == ("M×N", f"1{GAP}037×1{GAP}031")
    assert size_words(MappedArray("C", Space.GLOBAL, 0, 8, 1), Shape(1, 1, 4096)) == ("partial sums", "8×1")
    turned = MappedArray("A", Space.GLOBAL, 0, 33, 20, layout=Layout.COLUMN)
    assert size_words(turned, Shape(33, 17, 20)) == ("M×K", "33×20, column by column")


def test_that_the_head_says_what_the_panel_shows(recorded: Record) -> None:
    assert onchip_head(recorded("tiled", "64x64x64", (1, 2))) == "Shared memory"
    assert onchip_head(recorded("naive", "4x4x4", (0, 0))) == "Read by the threads"
    assert block_words((1, 2, 0)) == "block (1, 2)"
    assert block_words((1, 2, 3)) == "block (1, 2, 3)"


@pytest.mark.parametrize(
    ("kernel", "words"),
    [
        ("tiled", None),
        ("naive", "Each thread reads A and B from global memory for itself. The kernel uses no shared memory."),
        ("row_shared", "Each thread reads B from global memory for itself."),
        ("global_accumulate", "Each thread reads A and B and adds to C in global memory."),
        ("tiled_global_accumulate", "Each thread adds to C in global memory."),
    ],
)
def test_that_what_bypasses_shared_memory_is_said(
    recorded: Record, block_of: BlockOf, kernel: str, words: str | None
) -> None:
    run = recorded(kernel, "64x64x64", (0, 0))
    said = direct_words(run, analyse_block(block_of(run)))
    assert said[:1] == ((words,) if words is not None else ())
    assert all(len(shorter) < len(longer) for longer, shorter in pairwise(said))


def test_that_shared_memory_is_explained_where_there_is_some(recorded: Record) -> None:
    said = shared_words(recorded("tiled", "64x64x64", (1, 2)))
    assert said[0] == "On the chip: what one thread stores here, all 256 threads of the block can read."
    assert all(len(shorter) < len(longer) for longer, shorter in pairwise(said))
    assert shared_words(recorded("naive", "4x4x4", (0, 0))) == ()


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (3.0, "3"),
        (-12.0, "-12"),
        (0.5, "0.5"),
        (1.125, "1.125"),
        (-12.25, "-12.25"),
        (1.5625, "1.562"),
        (1.1251, "1.125"),
        (1.3, "1.3"),
        (12.3456, "12.35"),
        (1234.5, "1234"),
        (0.033611, "0.034"),
        (0.0027163, "0.003"),
        (123.4, "123.4"),
        (1e7, "1e7"),
        (-1.25e-9, "-1e-9"),
        (float("nan"), "nan"),
        (float("inf"), "inf"),
    ],
)
def test_that_values_are_short(value: float, text: str) -> None:
    assert value_text(value) == text


@pytest.mark.parametrize(
    ("threads", "text"),
    [
        ([3], "thread 3"),
        ([0, 1], "threads 0, 1"),
        ([16, 17, 18], "threads 16–18"),
        ([2, 18, 34], "threads 2, 18, 34"),
        (list(range(0, 64, 2)), "threads 0, 2, 4, … 62 (32)"),
    ],
)
def test_that_threads_are_named_together(threads: list[int], text: str) -> None:
    assert threads_words(threads) == text


def test_that_slots_name_what_lies_in_them() -> None:
    arrays = [MappedArray("A", Space.GLOBAL, 0, 4, 5), MappedArray("B", Space.GLOBAL, 0, 5, 3)]
    assert [origin_name(7, matrix, arrays) for matrix in (0, 1)] == ["A[1,2]", "B[2,1]"]
    assert [origin_name(code, 0, arrays) for code in (-1, -2, -3)] == ["", "0", "sum"]
