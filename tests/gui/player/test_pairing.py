"""Two kernels in step."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.explain.requests.frame_facts import FrameFacts, FrameMarks, facts_of
from gemmviz.explain.requests.pairing import Moments, PairStep, aligned_frames, moments_of, usual_step, waiting_words
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


def all_aligned_frames(first: FrameFacts, second: FrameFacts, step: PairStep) -> list[int]:
    return [int(index) for index in aligned_frames(first, second, step)]


def test_that_phases_of_the_same_kernel_go_together(facts: Facts) -> None:
    tiled = facts("tiled", FrameMode.PHASE)
    assert all_aligned_frames(tiled, tiled, PairStep.PHASE) == list(range(9))
    assert all_aligned_frames(tiled, tiled, PairStep.WORK) == list(range(9))


def test_that_the_one_with_fewer_phases_waits_at_its_end(facts: Facts) -> None:
    tiled, wide = facts("tiled", FrameMode.PHASE), facts("wide", FrameMode.PHASE)
    assert (tiled.count, wide.count) == (9, 5)
    assert all_aligned_frames(tiled, wide, PairStep.PHASE) == [0, 1, 2, 3, 4, 4, 4, 4, 4]
    assert all_aligned_frames(wide, tiled, PairStep.PHASE) == [0, 1, 2, 3, 4]


def test_that_a_phase_cut_into_steps_goes_with_the_whole_phase(facts: Facts) -> None:
    steps, phases = facts("tiled", FrameMode.STEP), facts("tiled", FrameMode.PHASE)
    ends = steps.marks.barriers.tolist()
    found = all_aligned_frames(steps, phases, PairStep.PHASE)
    assert found == [sum(end < index for end in ends) for index in range(steps.count)]
    assert all_aligned_frames(phases, steps, PairStep.PHASE) == [*ends, steps.count - 1]


def test_that_a_kernel_without_barriers_keeps_step_by_its_work(facts: Facts) -> None:
    naive, tiled = facts("naive", FrameMode.STEP), facts("tiled", FrameMode.PHASE)
    found = all_aligned_frames(naive, tiled, PairStep.WORK)
    assert found[0] == 0
    assert found[-1] == tiled.count - 1
    assert found == sorted(found)
    for index, other in enumerate(found[:-1]):
        assert other == 0 or tiled.shares[other] <= naive.shares[index] + 1e-9
        assert tiled.shares[other + 1] > naive.shares[index]


def with_sums(run: TraceRun, mode: FrameMode) -> FrameFacts:
    made = make(run, run.blocks[0].trace(run.sites, run.arrays), mode)
    return with_terms(facts_of(made.frames, run.hazards), made.frames, made.analysis)


def test_that_equal_work_means_as_many_products_of_each_sum(runs: dict[str, TraceRun]) -> None:
    """What a class reads off the counters then is the quotient of loads for the same work."""
    tiled, naive = with_sums(runs["tiled"], FrameMode.PHASE), with_sums(runs["naive"], FrameMode.STEP)
    assert tiled.terms is not None
    assert naive.terms is not None
    assert (tiled.terms[:5] * 16).tolist() == [0, 4, 4, 8, 8]
    together = aligned_frames(tiled, naive, PairStep.WORK)
    adding = (tiled.terms > 0) & (tiled.terms < 1)
    assert (naive.terms[together][adding] == tiled.terms[adding]).all()


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


@pytest.mark.parametrize("mode", list(FrameMode))
@pytest.mark.parametrize("one", ["naive", "tiled", "wide"])
@pytest.mark.parametrize("other", ["naive", "tiled", "wide"])
def test_that_neither_is_ahead_where_both_have_added_as_much(
    runs: dict[str, TraceRun], one: str, other: str, mode: FrameMode
) -> None:
    first, second = with_sums(runs[one], mode), with_sums(runs[other], FrameMode.PHASE)
    assert first.terms is not None
    assert second.terms is not None
    together = aligned_frames(first, second, PairStep.WORK)
    assert (np.diff(together) >= 0).all()
    assert together[-1] == second.count - 1
    assert first.work is not None
    assert second.work is not None
    begun = (together > 0) & (np.arange(first.count) < first.count - 1)
    assert (second.work[together] <= first.work + 1e-9)[begun].all()
    for share in np.intersect1d(first.work, second.work):
        reached = together[np.searchsorted(first.work, share)]
        assert share == 0 or second.work[reached] == share


def test_that_loads_of_tiles_are_seen_beside_a_kernel_with_one_frame_at_a_time(runs: dict[str, TraceRun]) -> None:
    tiled = with_sums(runs["tiled"], FrameMode.PHASE)
    halves = np.array([0.5, 1.0])
    single = replace(tiled, count=2, terms=halves, shares=halves, stored=np.array([0.0, 1.0]))
    assert aligned_frames(tiled, single, PairStep.WORK).tolist() == [0, 0, 0, 0, 0, 0, 0, 0, 1]


@pytest.mark.parametrize("step", list(PairStep))
@pytest.mark.parametrize("modes", [(FrameMode.REQUEST, FrameMode.PHASE), (FrameMode.STEP, FrameMode.REQUEST)])
def test_that_it_never_goes_back_and_ends_together(
    facts: Facts, step: PairStep, modes: tuple[FrameMode, FrameMode]
) -> None:
    first, second = facts("tiled", modes[0]), facts("wide", modes[1])
    found = all_aligned_frames(first, second, step)
    assert all(before <= after for before, after in pairwise(found))
    assert found[-1] == second.count - 1


def test_that_frames_that_are_not_there_have_no_partner(facts: Facts) -> None:
    tiled = facts("tiled", FrameMode.PHASE)
    empty = FrameFacts(
        tiled.trace, FrameMode.PHASE, 0, FrameMarks(np.zeros(0, np.int32), np.zeros(0, np.int32)), np.zeros(0)
    )
    assert aligned_frames(empty, tiled, PairStep.WORK).size == 0
    for step in PairStep:
        with pytest.raises(IndexError, match="the second has no frames"):
            aligned_frames(tiled, empty, step)


def test_that_kernels_with_barriers_are_usually_compared_phase_by_phase(facts: Facts) -> None:
    tiled, wide, naive = (facts(name, FrameMode.STEP) for name in ("tiled", "wide", "naive"))
    assert usual_step(tiled, wide) is PairStep.PHASE
    assert usual_step(tiled, naive) is usual_step(naive, wide) is PairStep.WORK


def test_that_two_versions_of_one_kernel_are_told_apart_by_their_sides() -> None:
    said = waiting_words((5, "tiled"), (1, "tiled"))
    assert said.startswith("tiled (right) has no barrier and waits at its end, because tiled (left) has 5 barrier")
    assert waiting_words((2, "tiled"), (5, "naive")).startswith("tiled has 2 barrier intervals")
    assert waiting_words((2, "tiled"), (2, "tiled")) == ""
