"""Two kernels in step."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.explain.requests.frame_facts import FrameFacts, facts_of
from gemmviz.explain.requests.pairing import Moments, PairStep, moments_of, usual_step, waiting_words
from gemmviz.gui.memory.playing.making import make, with_terms
from gemmviz.trace.frames.frames import Frames, natural_mode
from gemmviz.trace.frames.plan import FrameMode

Facts = Callable[[str, FrameMode], FrameFacts]


@pytest.fixture(scope="module")
def runs(recorded: Callable[..., TraceRun]) -> dict[str, TraceRun]:
    return {
        "naive": recorded("naive", "16x16x16"),
        "tiled": recorded("tiled", "16x16x16", TILE=4),
        "wide": recorded("tiled", "16x16x16", TILE=8),
    }


@pytest.fixture
def facts(runs: dict[str, TraceRun]) -> Facts:
    def make(name: str, mode: FrameMode) -> FrameFacts:
        run = runs[name]
        return facts_of(Frames(run.blocks[0].trace(run.sites, run.arrays), mode), run.hazards)

    return make


def with_sums(run: TraceRun, mode: FrameMode) -> FrameFacts:
    made = make(run, run.blocks[0].trace(run.sites, run.arrays), mode)
    return with_terms(facts_of(made.frames, run.hazards), made.frames, made.analysis)


PAIRS = [
    (("naive", "16x16x16", {}), ("tiled", "16x16x16", {"TILE": 4})),
    (("naive", "32x32x32", {}), ("tiled", "32x32x32", {"TILE": 16})),
    (("naive", "17x33x20", {}), ("tiled", "17x33x20", {"TILE": 8})),
    (("tiled", "64x64x32", {}), ("register_1d", "64x64x32", {})),
    (("naive", "64x64x32", {}), ("register_2d", "64x64x32", {})),
    (("register_1d", "64x64x32", {}), ("register_2d", "64x64x32", {})),
]


@pytest.mark.parametrize("modes", [(None, None), (FrameMode.STEP, FrameMode.STEP), (FrameMode.PHASE, FrameMode.STEP)])
@pytest.mark.parametrize("pair", PAIRS)
def test_that_both_store_and_end_together_by_work(
    recorded: Callable[..., TraceRun], pair: tuple[tuple[str, str, dict[str, int]], ...], modes: tuple[FrameMode, ...]
) -> None:
    found = []
    for (kernel, size, params), mode in zip(pair, modes, strict=True):
        run = recorded(kernel, size, **params)
        found.append(with_sums(run, mode or natural_mode(run.blocks[0].trace(run.sites, run.arrays))))
    first, second = found
    moments = moments_of(first, second, PairStep.WORK)
    assert [each[-1] for each in moments.frames] == [first.count - 1, second.count - 1]
    works, counts = [], (first.count, second.count)
    for facts, frames in zip(found, moments.frames, strict=True):
        assert facts.work is not None
        works.append(facts.work[frames])
    stored = [np.flatnonzero(work > 2 - 1e-9)[0] for work in works]
    assert stored[0] == stored[1] or min(counts) == 1, "the last element of C is stored at the same moment"


@pytest.mark.parametrize("step", list(PairStep))
@pytest.mark.parametrize("modes", [(FrameMode.STEP, FrameMode.PHASE), (FrameMode.STEP, FrameMode.STEP)])
@pytest.mark.parametrize("names", [("naive", "tiled"), ("tiled", "naive"), ("tiled", "wide"), ("wide", "tiled")])
def test_that_no_frame_of_either_is_left_out(
    runs: dict[str, TraceRun], names: tuple[str, str], modes: tuple[FrameMode, FrameMode], step: PairStep
) -> None:
    first, second = (with_sums(runs[name], mode) for name, mode in zip(names, modes, strict=True))
    moments = moments_of(first, second, step)
    moved = [np.diff(frames) for frames in moments.frames]
    for frames, facts in zip(moments.frames, (first, second), strict=True):
        assert np.unique(frames).tolist() == list(range(facts.count))
    assert (np.maximum(*moved) == 1).all(), "every moment moves one picture or both by a single frame"
    assert (np.minimum(*moved) >= 0).all()


def test_that_equal_work_means_as_many_products_of_each_sum(runs: dict[str, TraceRun]) -> None:
    """What a class reads off the counters then is the quotient of loads for the same work."""
    tiled, naive = with_sums(runs["tiled"], FrameMode.PHASE), with_sums(runs["naive"], FrameMode.STEP)
    assert tiled.terms is not None
    assert naive.terms is not None
    assert (tiled.terms[:5] * 16).tolist() == [0, 4, 4, 8, 8]
    moments = moments_of(tiled, naive, PairStep.WORK)
    pairs = set(zip(*(frames.tolist() for frames in moments.frames), strict=True))
    added = [frame for frame in range(1, tiled.count) if tiled.terms[frame - 1] < tiled.terms[frame] < 1]
    assert len(added) == 3
    for frame in added:
        assert any(own == frame and naive.terms[other] == tiled.terms[frame] for own, other in pairs)


def test_that_the_one_with_fewer_intervals_waits_at_its_end(facts: Facts) -> None:
    tiled, wide = facts("tiled", FrameMode.PHASE), facts("wide", FrameMode.PHASE)
    assert (tiled.count, wide.count) == (9, 5)
    ends = [[0, 1, 2, 3, 4, 5, 6, 7, 8], [0, 1, 2, 3, 4, 4, 4, 4, 4]]
    assert [frames.tolist() for frames in moments_of(tiled, wide, PairStep.PHASE).frames] == ends
    assert [frames.tolist() for frames in moments_of(wide, tiled, PairStep.PHASE).frames] == ends[::-1]


def test_that_naive_waits_while_the_next_tile_is_loaded(runs: dict[str, TraceRun]) -> None:
    naive, tiled = with_sums(runs["naive"], FrameMode.STEP), with_sums(runs["tiled"], FrameMode.PHASE)
    moments = moments_of(naive, tiled, PairStep.WORK)
    assert [frames[:7].tolist() for frames in moments.frames] == [[0, 1, 2, 3, 3, 4, 5], [0, 0, 0, 1, 2, 2, 2]]
    assert moments.leader == 1, "tiled has the barriers"
    assert moments.count == 16 + 9 // 2


def test_that_a_moment_is_found_again_by_its_frames() -> None:
    moments = Moments((np.array([0, 1, 1, 2], np.int32), np.array([0, 0, 1, 1], np.int32)))
    assert [moments.nearest(1, second) for second in (0, 1, 2)] == [1, 2, 1]
    assert moments.first_showing(1, 1) == 2
    assert moments.first_showing(0, 9) == 3, "a frame that is not there"
    assert moments.showing(0, np.array([1, 2], np.int32)).tolist() == [1, 3]


def test_that_kernels_with_barriers_are_usually_compared_phase_by_phase(facts: Facts) -> None:
    tiled, wide, naive = (facts(name, FrameMode.STEP) for name in ("tiled", "wide", "naive"))
    assert usual_step(tiled, wide) is PairStep.PHASE
    assert usual_step(tiled, naive) is usual_step(naive, wide) is PairStep.WORK


def test_that_two_versions_of_one_kernel_are_told_apart_by_their_sides() -> None:
    said = waiting_words((5, "tiled"), (1, "tiled"))
    assert said.startswith("tiled (right) has no barrier and waits at its end, because tiled (left) has 5 barrier")
    assert waiting_words((2, "tiled"), (5, "naive")).startswith("tiled has 2 barrier intervals")
    assert waiting_words((2, "tiled"), (2, "tiled")) == ""
