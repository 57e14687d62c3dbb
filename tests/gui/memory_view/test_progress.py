"""How far sums have come, against a plain walk through the frames; what stands in the corner for a kernel."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from gemmviz.domain.recordings.access import AccessKind, BlockTrace, Space
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.explain.block import progress
from gemmviz.explain.block.arithmetic import sums_of
from gemmviz.explain.block.progress import ProductProgress
from gemmviz.gui.memory_view.block_analysis import analyse_block
from gemmviz.gui.memory_view.memory_view import MemoryView
from gemmviz.gui.memory_view.paint.onchip import STORED, sum_levels
from gemmviz.gui.memory_view.places.onchip_contents import onchip_contents_of, reads_of
from gemmviz.gui.memory_view.places.onchip_layout import OnchipContents
from gemmviz.trace.frames.frames import Frames, natural_mode
from gemmviz.trace.frames.plan import FrameMode
from gemmviz.trace.frames.values import FACTORS

Record = Callable[..., TraceRun]
BlockOf = Callable[..., BlockTrace]
Show = Callable[..., tuple[MemoryView, Frames]]


def terms(trace: BlockTrace, mode: FrameMode | None = None) -> list[tuple[int, int]]:
    """The least and the most products of any sum, frame by frame."""
    found = analyse_block(trace).progress
    assert found is not None
    frames = Frames(trace, mode or natural_mode(trace))
    counts = [found.terms(frames.frame(index)) for index in range(len(frames))]
    return [(int(count.min()), int(count.max())) for count in counts]


def test_that_tiles_count_once_they_are_read(recorded: Record, block_of: BlockOf) -> None:
    trace = block_of(recorded("tiled", "64x64x64", (1, 2)))
    each = [0, 16, 16, 32, 32, 48, 48, 64, 64]
    assert terms(trace) == [(count, count) for count in each]


@pytest.mark.parametrize(
    ("kernel", "size", "params"),
    [
        ("tiled", "4x4x4", {"TILE": 2}),
        ("tiled", "17x33x5", {"TILE": 4}),
        ("tiled_transposed", "64x64x64", {}),
        ("tiled", "64x64x64", {}),
        ("naive", "17x33x5", {}),
        ("row_shared", "17x33x5", {}),
        ("register_2d", "64x64x32", {}),
        ("double_buffered", "64x64x32", {}),
    ],
)
@pytest.mark.parametrize("mode", list(FrameMode))
def test_that_a_sum_has_the_terms_of_which_its_thread_has_read_both_factors(
    recorded: Record, block_of: BlockOf, kernel: str, size: str, params: dict[str, int], mode: FrameMode
) -> None:
    trace = block_of(recorded(kernel, size, (0, 0), **params))
    analysis = analyse_block(trace)
    frames, part = Frames(trace, mode), analysis.part
    assert part is not None
    assert isinstance(analysis.progress, ProductProgress)
    chosen = range(len(frames)) if len(frames) < 40 else np.linspace(0, len(frames) - 1, 40).astype(int).tolist()
    threads = np.unique(np.linspace(0, trace.threads - 1, 5).astype(int)).tolist()
    seen = set()
    for index in chosen:
        found = analysis.progress.terms(frames.frame(index))
        for thread in threads:
            for one in sums_of(frames, thread, index):
                assert found[one.row - part.row_start, one.column - part.column_start] == len(one.terms)
                order = analysis.progress.order(frames.frame(index), one.row, one.column)
                assert order == tuple(term.k for term in one.terms)
                seen.add(len(one.terms))
    assert max(seen) == analysis.progress.depth


def test_that_every_step_of_a_small_product_adds_a_term(recorded: Record, block_of: BlockOf) -> None:
    trace = block_of(recorded("tiled", "4x4x4", (1, 0), TILE=2))
    assert terms(trace, FrameMode.STEP) == [(count, count) for count in (0, 1, 2, 2, 3, 4, 4)]


def test_that_the_order_of_a_sum_elsewhere_is_refused(recorded: Record, block_of: BlockOf) -> None:
    trace = block_of(recorded("tiled", "4x4x4", (1, 0), TILE=2))
    found = analyse_block(trace).progress
    assert isinstance(found, ProductProgress)
    with pytest.raises(ValueError, match=r"C\[0,0\] is not in"):
        found.order(Frames(trace).frame(0), 0, 0)


@pytest.mark.parametrize(
    ("kernel", "size"), [("naive", "17x33x5"), ("row_per_block", "17x33x5"), ("row_shared", "17x33x5")]
)
def test_that_what_is_read_at_once_counts_for_the_sums_it_belongs_to(
    recorded: Record, block_of: BlockOf, kernel: str, size: str
) -> None:
    """A product counts if A's factor and B's were loaded in a frame up to this: no A is read later than B."""
    trace = block_of(recorded(kernel, size, (1, 0)))
    found = analyse_block(trace).progress
    assert found is not None
    frames = Frames(trace, FrameMode.STEP)
    part = analyse_block(trace).part
    assert part is not None
    had: dict[str, set[tuple[int, int]]] = {"A": set(), "B": set()}
    for index in range(len(frames)):
        frame = frames.frame(index)
        for name in FACTORS:
            touch = frame.touch(name, AccessKind.LOAD)
            if touch is not None:
                had[name] |= set(zip(touch.rows.tolist(), touch.columns.tolist(), strict=True))
        expected = [
            [
                sum((row, k) in had["A"] and (k, column) in had["B"] for k in range(5))
                for column in range(part.column_start, part.column_stop)
            ]
            for row in range(part.row_start, part.row_stop)
        ]
        assert found.terms(frame).tolist() == expected


def test_that_all_is_added_when_c_is_stored(recorded: Record, block_of: BlockOf, gpu_kernels: tuple[str, ...]) -> None:
    seen = 0
    for kernel in gpu_kernels:
        if kernel.startswith("dot"):
            continue
        trace = block_of(recorded(kernel, "64x64x64", (0, 0)))
        if analyse_block(trace).progress is not None:
            assert terms(trace)[-1] == (64, 64), kernel
            seen += 1
    assert seen >= 8


def test_that_a_large_block_tells_what_every_sum_has_at_least(
    recorded: Record, block_of: BlockOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    trace = block_of(recorded("row_shared", "17x33x5", (1, 0)))
    exact = terms(trace, FrameMode.STEP)
    monkeypatch.setattr(progress, "LARGEST", 1)
    assert terms(trace, FrameMode.STEP) == [(least, least) for least, _ in exact]


@pytest.mark.parametrize("kernel", ["global_accumulate", "tiled_global_accumulate", "dot"])
def test_that_sums_kept_elsewhere_than_in_registers_are_not_shown_there(
    recorded: Record, block_of: BlockOf, kernel: str
) -> None:
    size = "1x1x300" if kernel.startswith("dot") else "64x64x64"
    assert analyse_block(block_of(recorded(kernel, size, (0, 0)))).progress is None


def test_that_sums_get_stronger_and_are_solid_when_stored(show: Show, recorded: Record) -> None:
    view, frames = show(recorded("tiled", "64x64x64", (1, 2)))
    levels = []
    for index in range(len(frames)):
        view.show_frame(frames.frame(index))
        scene = view.picture_state()
        assert scene is not None
        lens = scene.lens("C")
        assert lens is not None
        shown = np.unique(sum_levels(scene, lens))
        assert shown.size == 1
        levels.append(int(shown[0]))
    assert levels[0] == 0
    assert levels == sorted(levels)
    assert levels[-2:] == [STORED - 1, STORED]


def content(run: TraceRun, trace: BlockTrace) -> OnchipContents:
    has_shared = any(array.space is Space.SHARED for array in run.arrays)
    return onchip_contents_of(
        run, analyse_block(trace), () if has_shared else reads_of(Frames(trace, natural_mode(trace)))
    )


@pytest.mark.parametrize(
    ("kernel", "expected"),
    [
        ("tiled", OnchipContents(((16, 16), (16, 16)), (16, 16))),
        ("naive", OnchipContents(((16, 1), (1, 16)), (16, 16), lines=2)),
        ("row_shared", OnchipContents(((2, 32),), (2, 32), lines=2)),
        ("register_2d", OnchipContents(((64, 16), (16, 64)), (64, 64))),
        ("tiled_padded", OnchipContents(((16, 17), (16, 16)), (16, 16))),
        ("global_accumulate", OnchipContents(((16, 1), (1, 16)), None, lines=2)),
        ("tiled_global_accumulate", OnchipContents(((2, 2), (2, 2)), None, lines=2)),
    ],
)
def test_that_the_corner_shows_what_a_kernel_has(
    recorded: Record, block_of: BlockOf, kernel: str, expected: OnchipContents
) -> None:
    run = recorded(kernel, "64x64x64", (0, 0))
    assert content(run, block_of(run)) == expected


def test_that_a_tree_stands_alone_and_pieces_too_large_to_enlarge_are_left_out(
    recorded: Record, block_of: BlockOf
) -> None:
    dot = recorded("dot", "1x1x300", (0, 0))
    assert content(dot, block_of(dot)) == OnchipContents(is_tree=True)
    rows = recorded("cl_row_private", "64x64x64", (0, 0))
    found = content(rows, block_of(rows))
    assert found.factors == () or max(max(size) for size in found.factors) <= 64
    assert onchip_contents_of(dot, None, ()) == OnchipContents(((16, 32),))


def test_that_numbers_want_room_only_where_they_are_written(recorded: Record, block_of: BlockOf) -> None:
    small = recorded("tiled", "4x4x4", (1, 0), TILE=2)
    assert content(small, block_of(small)).has_values
    assert not onchip_contents_of(small, None, ()).has_values
