"""C has the values that the kernel stored, bit for bit, from the frame of the store on: in its cells, on its card."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from gemmviz.domain.recordings.access import BlockTrace
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.explain.block import arithmetic
from gemmviz.explain.block.arithmetic import Sum, makers_of, rounding_of, sums_of
from gemmviz.explain.block.rounding import Rounding
from gemmviz.gui.looks.theme import LIGHT
from gemmviz.gui.memory.playing.making import Made, make, stored_c
from gemmviz.gui.memory_view.memory_view import MemoryView
from gemmviz.gui.memory_view.paint.painted import legend_of
from gemmviz.gui.memory_view.scene import Scene
from gemmviz.gui.memory_view.text.cell_values import whole_text
from gemmviz.gui.memory_view.text.signs import Sign
from gemmviz.trace.frames.frames import Frames, natural_mode
from gemmviz.trace.frames.plan import FrameMode

Record = Callable[..., TraceRun]
BlockOf = Callable[..., BlockTrace]
SMALL = {"TILE": 2}
FEW_THREADS = {"BM": 16, "BN": 16, "BK": 4}
ACCUMULATING = ("global_accumulate", "tiled_global_accumulate")


def opened(run: TraceRun, trace: BlockTrace, mode: FrameMode | None = None) -> tuple[MemoryView, Made]:
    view, made = MemoryView(LIGHT), make(run, trace, mode or natural_mode(trace))
    view.resize(1280, 800)
    view.show_recording(run, trace, made.frames, made.analysis)
    view.set_values(made.a, made.b, made.c)
    return view, made


def at(view: MemoryView, made: Made, index: int) -> Scene:
    view.show_frame(made.frames.frame(index))
    scene = view.picture_state()
    assert scene is not None
    return scene


def in_the_end(made: Made, rounding: Rounding) -> list[Sum]:
    assert made.a is not None
    assert made.b is not None
    last = len(made.frames) - 1
    return [
        found
        for thread in makers_of(made.frames)
        for found in sums_of(made.frames, thread, last, made.a, made.b, rounding, made.c)
    ]


@pytest.mark.parametrize("size", ["4x4x4", "8x8x8"])
def test_that_every_sum_ends_as_the_bits_that_lie_in_c(
    gpu_kernels: tuple[str, ...], recorded: Record, block_of: BlockOf, size: str
) -> None:
    tried = 0
    for kernel in gpu_kernels:
        if kernel.startswith("dot"):
            continue
        run = recorded(kernel, size, (0, 0))
        trace = block_of(run)
        made = make(run, trace, natural_mode(trace))
        assert made.a is not None
        assert made.b is not None
        assert made.c is not None
        rounding = rounding_of(made.frames, made.a, made.b, made.c)
        assert rounding is not None, kernel
        sums = in_the_end(made, rounding)
        assert len(sums) >= 2
        for found in sums:
            assert np.float32(found.total).tobytes() == made.c[found.row, found.column].tobytes(), kernel
            assert len(found.terms) == run.spec.shape.k
        tried += 1
    assert tried >= 15


def test_that_the_rounding_is_told_by_the_bits_in_c(
    recorded: Record, block_of: BlockOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = recorded("naive", "8x8x8", (0, 0))
    trace = block_of(run)
    made = make(run, trace, natural_mode(trace))
    assert made.a is not None
    assert made.b is not None
    for rounding in Rounding:
        c = np.zeros((8, 8), np.float32)
        for found in in_the_end(made, rounding):
            c[found.row, found.column] = found.total
        assert rounding_of(made.frames, made.a, made.b, c) is rounding
    c[0, 0] = np.nextafter(c[0, 0], np.float32(9))
    c[7, 7] = np.nextafter(c[7, 7], np.float32(-9))
    asked: list[int] = []

    def counted(frames: Frames, thread: int, *rest: Any) -> tuple[Sum, ...]:
        asked.append(thread)
        return sums_of(frames, thread, *rest)

    monkeypatch.setattr(arithmetic, "sums_of", counted)
    assert rounding_of(made.frames, made.a, made.b, c) is None
    assert asked == [0] * len(Rounding), "one other sum tells"
    known = sums_of(made.frames, 0, 0, made.a, made.b, None)
    assert all(term.total is None and term.a is not None for found in known for term in found.terms)


@pytest.mark.parametrize(
    ("kernel", "params"),
    [
        ("tiled", SMALL),
        ("naive", {}),
        ("row_shared", {}),
        ("vectorized", FEW_THREADS),
        ("register_1d", FEW_THREADS),
        ("cl_naive", {}),
        ("dot", {"THREADS": 4}),
        ("dot_serial", {"THREADS": 4}),
    ],
)
def test_that_c_has_its_values_from_the_frame_of_the_store_on(
    qapp: object, recorded: Record, block_of: BlockOf, kernel: str, params: dict[str, int]
) -> None:
    assert qapp is not None
    size = "1x1x4" if kernel.startswith("dot") else "4x4x4"
    run = recorded(kernel, size, (0, 0), **params)
    trace = block_of(run)
    for mode in FrameMode:
        view, made = opened(run, trace, mode)
        stored: set[tuple[int, int]] = set()
        seen: set[tuple[int, int]] = set()
        for index in range(len(made.frames)):
            frame = made.frames.frame(index)
            stored |= {
                (int(r), int(c))
                for touch in frame.touches
                if touch.array.name == "C" and str(touch.kind) == "store"
                for r, c in zip(touch.rows, touch.columns, strict=True)
            }
            scene = at(view, made, index)
            for row, column in np.ndindex(run.c.reshape(-1, run.spec.shape.n).shape):
                value = scene.in_result(row, column)
                assert (value is not None) == ((row, column) in stored), (mode, index)
                if value is not None:
                    assert np.float32(value).tobytes() == run.c[row * run.spec.shape.n + column].tobytes()
                    seen.add((row, column))
        assert seen


@pytest.mark.parametrize("kernel", ACCUMULATING)
def test_that_a_running_sum_in_global_memory_has_its_value_after_every_store(
    qapp: object, recorded: Record, block_of: BlockOf, kernel: str
) -> None:
    assert qapp is not None
    run = recorded(kernel, "4x4x4", (0, 0), TILE=2)
    view, made = opened(run, block_of(run), FrameMode.REQUEST)
    assert made.a is not None
    assert made.b is not None
    wanted = [np.float32(0)]
    for k in range(4):
        wanted.append(Rounding.FUSED.added(made.a[1, k], made.b[k, 0], wanted[-1]))
    values = [at(view, made, index).in_result(1, 0) for index in range(len(made.frames))]
    told = list(dict.fromkeys(value for value in values if value is not None))
    assert told == [float(value) for value in wanted]
    assert np.float32(told[-1]).tobytes() == run.c.reshape(4, 4)[1, 0].tobytes()
    assert at(view, made, len(made.frames) - 1).in_result(3, 3) is None  # another block's


@pytest.mark.parametrize("kernel", ["tiled", *ACCUMULATING])
def test_that_the_card_of_an_element_of_c_has_what_lies_there(
    qapp: object, recorded: Record, block_of: BlockOf, kernel: str
) -> None:
    assert qapp is not None
    run = recorded(kernel, "4x4x4", (0, 0), TILE=2)
    view, made = opened(run, block_of(run))
    titles = []
    for index in (0, len(made.frames) - 1):
        at(view, made, index)
        view._composer.hovered = ("C", 1, 1)
        view._changed()
        scene = view.picture_state()
        assert scene is not None
        assert scene.card is not None
        titles.append(scene.card.title)
    assert titles[1] == f"C[1,1] = {whole_text(float(run.c.reshape(4, 4)[1, 1]))}"
    assert titles[0] == "C[1,1]" or kernel in ACCUMULATING


def test_that_what_two_blocks_store_is_nobodys_value(recorded: Record) -> None:
    assert stored_c(recorded("tiled", "4x4x4", (0, 0), TILE=2)) is not None
    torn = recorded("two_blocks.cu", "16x8x8")
    assert torn.c.size
    assert stored_c(torn) is None


@pytest.mark.parametrize("kernel", ACCUMULATING)
def test_that_the_legend_names_the_frame_on_a_sum_in_c_also_where_nothing_is_added_yet(
    recorded: Record, block_of: BlockOf, kernel: str
) -> None:
    run = recorded(kernel, "4x4x4", (0, 0), TILE=2)
    view, made = opened(run, block_of(run))
    for index in range(len(made.frames)):
        named = {entry.sign: entry.words for entry in legend_of(at(view, made, index))}
        assert named.get(Sign.THREAD) == "thread 0", index
