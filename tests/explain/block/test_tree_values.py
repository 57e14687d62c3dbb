"""The numbers of a tree of sums are those the kernel computes, to the bit."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest

from gemmviz.backends.recording import recorder_for
from gemmviz.backends.registry import backend_of
from gemmviz.catalogue.loader import load_catalogue
from gemmviz.domain.operands import make_operands
from gemmviz.domain.recordings.access import BlockTrace
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Fill
from gemmviz.engine.recording import device_for_recording
from gemmviz.explain.block.reduction import reduction_tree
from gemmviz.explain.block.rounding import fused
from gemmviz.explain.block.tree_values import MOST_TERMS, TreeValues, tree_values, written_terms
from gemmviz.trace.analyse import analyse

Record = Callable[..., TraceRun]
BlockOf = Callable[..., BlockTrace]


def values_of(trace: BlockTrace, k: int) -> TreeValues:
    tree, operands = reduction_tree(trace), make_operands(Shape(1, 1, k), Fill.UNIFORM, 0)
    assert tree is not None
    found = tree_values(trace, tree, operands.a, operands.b)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("k", "threads", "fill"),
    [(16, 4, Fill.UNIFORM), (16, 16, Fill.NORMAL), (5, 8, Fill.UNIFORM), (200, 2, Fill.NORMAL), (500, 8, Fill.UNIFORM)],
)
def test_that_every_block_comes_to_what_the_recorded_kernel_stores(
    recorded: Record, k: int, threads: int, fill: Fill
) -> None:
    recorded("dot", "1x1x16", (0, 0), THREADS=4)  # skips where there is no device
    kernel, shape = load_catalogue().get("dot"), Shape(1, 1, k)
    device = device_for_recording(kernel)
    operands = make_operands(shape, fill, 3)
    opened = backend_of(device).open(device)
    plan = kernel.plan(shape, kernel.params({"THREADS": threads}), device)
    recorder = recorder_for(opened, kernel, plan, shape, operands, 60.0)
    blocks = np.arange(plan.launch.blocks, dtype=np.int32)
    analyse(recorder, blocks, shape)
    came_to = []
    for trace in recorder.blocks(blocks):
        tree = reduction_tree(trace)
        assert tree is not None
        values = tree_values(trace, tree, operands.a, operands.b, recorder.c.reshape(-1, 1))
        assert values is not None
        assert values.outcome is not None
        came_to.append(values.outcome.value)
    assert np.array(came_to, np.float32).tobytes() == recorder.c.tobytes()
    opened.release()


def test_that_each_level_adds_what_the_one_before_left(recorded: Record, block_of: BlockOf) -> None:
    values = values_of(block_of(recorded("dot", "1x1x16", (0, 0), THREADS=4)), 16)
    assert [(leaf.thread, leaf.into, [p.term.k for p in leaf.products]) for leaf in values.leaves] == [
        (0, 0, [0]),
        (1, 1, [1]),
        (2, 2, [2]),
        (3, 3, [3]),
    ]
    assert [[(step.thread, step.read) for step in level] for level in values.levels] == [
        [(0, (0, 2)), (1, (1, 3))],
        [(0, (0, 1))],
    ]
    for number, level in enumerate(values.levels):
        before, after = values.after[number], values.after[number + 1]
        for step in level:
            assert (step.left, step.right) == (before[step.read[0]], before[step.read[1]])
            assert after[step.into] == step.total == float(np.float32(step.left) + np.float32(step.right))
        assert {
            slot: after[slot] for slot in after if slot not in {step.into for step in level}
        }.items() <= before.items()
    assert values.outcome is not None
    assert values.outcome.value == values.after[-1][0]


def test_that_threads_without_a_product_bring_zero(recorded: Record, block_of: BlockOf) -> None:
    values = values_of(block_of(recorded("dot", "1x1x5", (0, 0), THREADS=8)), 5)
    assert [(len(leaf.products), leaf.total == 0.0) for leaf in values.leaves] == [(1, False)] * 5 + [(0, True)] * 3


def test_that_large_trees_and_long_sums_are_not_written_out(recorded: Record, block_of: BlockOf) -> None:
    for size, threads, terms in (("1x1x16", 16, 1), ("1x1x200", 2, 4), ("1x1x300", 2, 0), ("1x1x64", 32, 0)):
        trace = block_of(recorded("dot", size, (0, 0), THREADS=threads))
        tree = reduction_tree(trace)
        assert tree is not None
        assert written_terms(trace, tree) == terms <= MOST_TERMS


def test_that_a_fused_step_rounds_once() -> None:
    generator = np.random.default_rng(0)
    for a, b, c in generator.standard_normal((200, 3)).astype(np.float32):
        exact = Fraction(float(a)) * Fraction(float(b)) + Fraction(float(c))
        got = fused(a, b, c)
        beside = [np.nextafter(got, np.float32(side)) for side in (-np.inf, np.inf)]
        assert all(abs(Fraction(float(got)) - exact) <= abs(Fraction(float(one)) - exact) for one in beside)
    tiny = np.float32(1 + 2**-20)
    assert fused(tiny, tiny, np.float32(-1)) == np.float32(2**-19 + 2**-40)  # a rounded product loses the last part
    assert tiny * tiny - np.float32(1) != fused(tiny, tiny, np.float32(-1))
