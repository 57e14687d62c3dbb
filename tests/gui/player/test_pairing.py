"""Two kernels in step."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest

from gemmviz.domain.trace_run import TraceRun
from gemmviz.gui.player.frame_facts import FrameFacts, Marks, facts_of
from gemmviz.gui.player.pairing import Step, leading, partner, partners, second_leads, usual_step
from gemmviz.trace.frame_plan import FrameMode
from gemmviz.trace.frames import Frames

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


def all_partners(first: FrameFacts, second: FrameFacts, step: Step) -> list[int]:
    return [partner(index, first, second, step) for index in range(first.count)]


def test_that_phases_of_the_same_kernel_go_together(facts: Facts) -> None:
    tiled = facts("tiled", FrameMode.PHASE)
    assert all_partners(tiled, tiled, Step.PHASE) == list(range(9))
    assert all_partners(tiled, tiled, Step.WORK) == list(range(9))


def test_that_the_one_with_fewer_phases_waits_at_its_end(facts: Facts) -> None:
    tiled, wide = facts("tiled", FrameMode.PHASE), facts("wide", FrameMode.PHASE)
    assert (tiled.count, wide.count) == (9, 5)
    assert all_partners(tiled, wide, Step.PHASE) == [0, 1, 2, 3, 4, 4, 4, 4, 4]
    assert all_partners(wide, tiled, Step.PHASE) == [0, 1, 2, 3, 4]


def test_that_a_phase_cut_into_steps_goes_with_the_whole_phase(facts: Facts) -> None:
    steps, phases = facts("tiled", FrameMode.STEP), facts("tiled", FrameMode.PHASE)
    ends = steps.marks.barriers.tolist()
    found = all_partners(steps, phases, Step.PHASE)
    assert found == [sum(end < index for end in ends) for index in range(steps.count)]
    assert all_partners(phases, steps, Step.PHASE) == [*ends, steps.count - 1]


def test_that_a_kernel_without_barriers_keeps_step_by_its_work(facts: Facts) -> None:
    naive, tiled = facts("naive", FrameMode.STEP), facts("tiled", FrameMode.PHASE)
    found = all_partners(naive, tiled, Step.WORK)
    assert found[0] == 0
    assert found[-1] == tiled.count - 1
    assert found == sorted(found)
    for index, other in enumerate(found[:-1]):
        assert tiled.shares[other] >= naive.shares[index] - 1e-9
        assert other == 0 or tiled.shares[other - 1] < naive.shares[index]


@pytest.mark.parametrize("step", list(Step))
@pytest.mark.parametrize("modes", [(FrameMode.REQUEST, FrameMode.PHASE), (FrameMode.STEP, FrameMode.REQUEST)])
def test_that_it_never_goes_back_and_ends_together(
    facts: Facts, step: Step, modes: tuple[FrameMode, FrameMode]
) -> None:
    first, second = facts("tiled", modes[0]), facts("wide", modes[1])
    found = all_partners(first, second, step)
    assert all(before <= after for before, after in pairwise(found))
    assert found[-1] == second.count - 1


def test_that_frames_that_are_not_there_have_no_partner(facts: Facts) -> None:
    tiled = facts("tiled", FrameMode.PHASE)
    empty = FrameFacts(
        tiled.trace, FrameMode.PHASE, 0, Marks(np.zeros(0, np.int32), np.zeros(0, np.int32)), np.zeros(0)
    )
    for wrong in (-1, 9):
        with pytest.raises(IndexError, match="the first has frames 0 to 8"):
            partner(wrong, tiled, tiled, Step.WORK)
    with pytest.raises(IndexError, match="the second has no frames"):
        partner(0, tiled, empty, Step.PHASE)


def test_that_kernels_with_barriers_are_usually_compared_phase_by_phase(facts: Facts) -> None:
    tiled, wide, naive = (facts(name, FrameMode.STEP) for name in ("tiled", "wide", "naive"))
    assert usual_step(tiled, wide) is Step.PHASE
    assert usual_step(tiled, naive) is usual_step(naive, wide) is Step.WORK


def test_that_the_one_leads_of_which_there_is_more_to_see(facts: Facts) -> None:
    tiled, wide, naive = facts("tiled", FrameMode.PHASE), facts("wide", FrameMode.PHASE), facts("naive", FrameMode.STEP)
    assert second_leads(wide, tiled, Step.PHASE)
    assert not second_leads(tiled, wide, Step.PHASE)
    assert second_leads(tiled, naive, Step.WORK)
    assert not second_leads(tiled, naive, Step.PHASE), "naive has one phase only"
    assert not second_leads(tiled, tiled, Step.PHASE)


@pytest.mark.parametrize("step", list(Step))
def test_that_every_frame_of_the_one_that_is_led_can_be_gone_to(facts: Facts, step: Step) -> None:
    naive, tiled = facts("naive", FrameMode.STEP), facts("tiled", FrameMode.PHASE)
    for index in range(tiled.count):
        at = leading(index, naive, tiled, step)
        assert partner(at, naive, tiled, step) >= index or at == naive.count - 1
        assert at == 0 or partner(at - 1, naive, tiled, step) < index
    assert leading(0, naive, tiled, step) == 0


@pytest.mark.parametrize("step", list(Step))
@pytest.mark.parametrize("mode", list(FrameMode))
@pytest.mark.parametrize("one", ["naive", "tiled", "wide"])
@pytest.mark.parametrize("other", ["naive", "tiled", "wide"])
def test_that_partners_are_found_at_once_as_one_by_one(
    facts: Facts, one: str, other: str, mode: FrameMode, step: Step
) -> None:
    first, second = facts(one, mode), facts(other, FrameMode.PHASE if one == other else mode)
    assert partners(first, second, step).tolist() == all_partners(first, second, step)
    assert partners(second, first, step).tolist() == all_partners(second, first, step)
