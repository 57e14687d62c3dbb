"""The sizes at which a kernel is examined that was described as its host code launches it, and claims none."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from broken_kernels import SUM, changed, kernel_of

from gemmviz.backends.registry import find_device
from gemmviz.catalogue.kernel import NOT_VERIFIED, Constraint, Kernel
from gemmviz.referee.examinations.sizes import SUGGESTED_SIZES, ClaimedSizes, OddSizes
from gemmviz.referee.finding import Judgement, Outcome
from gemmviz.referee.judge import judge
from gemmviz.referee.subject import Subject
from gemmviz.referee.suggested_sizes import with_suggested_sizes
from gemmviz.referee.words import reach_words


def as_it_is(kernel: Kernel) -> Kernel:
    return replace(kernel, description=f"{NOT_VERIFIED}: taken from its host code")


def suggested(kernel: Kernel) -> list[str]:
    return [one.rule for one in with_suggested_sizes(kernel, (), find_device("machine")).constraints]


@pytest.mark.parametrize("grid", ['["ceil_div(N, 48)", "ceil_div(M, 64)"]', '["N // 48", "M // 64"]'])
def test_that_the_grid_tells_the_tiles_of_a_kernel_that_claims_no_sizes(tmp_path: Path, grid: str) -> None:
    kernel = kernel_of(tmp_path, SUM, grid=grid)
    assert suggested(as_it_is(kernel)) == ["M % 64 == 0", "N % 48 == 0", "K % 32 == 0"]
    why = [one.because for one in with_suggested_sizes(as_it_is(kernel), (), find_device("machine")).constraints]
    assert why[0] == why[1] == "its launch suggests it"
    assert "nothing of K" in why[2], "no launch tells the tile along K"
    assert suggested(kernel) == []
    ruled = replace(kernel, constraints=with_suggested_sizes(as_it_is(kernel), (), find_device("machine")).constraints)
    assert with_suggested_sizes(as_it_is(ruled), (), find_device("machine")) == as_it_is(ruled)


def test_that_a_limit_that_a_guard_gives_the_lie_to_is_a_caveat(tmp_path: Path) -> None:
    doubted = Constraint("M % 16 == 0", "wrong at 17x1x1", "line 7: past the end of A", "line 5 guards M")
    kernel = replace(kernel_of(tmp_path, SUM), constraints=(doubted,))
    found = ClaimedSizes().examine(Subject(kernel, (), find_device("machine")))
    assert found.outcome is Outcome.HELD
    assert found.caveat == "it is wrong at 17x1x1: line 7: past the end of A; line 5 guards M"
    assert f"I{found.caveat[1:]}." in found.reason


def test_that_a_kernel_that_claims_no_sizes_is_right_at_those_that_its_launch_suggests(tmp_path: Path) -> None:
    without_bounds = changed("row < M && col < N", "true")
    kernel = as_it_is(kernel_of(tmp_path, without_bounds))
    ruling = judge(kernel, (), find_device("machine"))
    assert ruling.judgement is Judgement.RIGHT
    assert "no sizes (examined at M and N in multiples of 16, K in multiples of 32" in ruling.claims
    assert "any size" not in ruling.claims
    (sizes,) = (one for one in ruling.findings if one.name == SUGGESTED_SIZES.name)
    assert "claims" not in sizes.name
    assert sizes.reason.startswith("No sizes are claimed; examined were M and N in multiples of 16")
    assert not any("refused" in case.found for case in sizes.cases), "these rules are not its own"
    assert "“Right at sizes its launch suggests”" in reach_words(ruling)
    (odd,) = (one for one in ruling.findings if one.name == OddSizes().name)
    assert odd.reason == "The description names no sizes, and “Right at sizes its launch suggests” has none of these."
    assert not odd.cases, "nothing refuses a size"
