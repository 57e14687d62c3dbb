"""Rules that tie sizes to each other: sizes that hold to them are found and examined; trivial ones do not suffice."""

from __future__ import annotations

from pathlib import Path

import pytest
from broken_kernels import SUM, changed, kernel_of

from gemmviz.backends.registry import find_device
from gemmviz.domain.shape import Shape
from gemmviz.referee.admitted_sizes import admitted_sizes
from gemmviz.referee.claims import Claims, NoSizeError
from gemmviz.referee.examinations.sizes import ClaimedSizes
from gemmviz.referee.finding import Judgement, Outcome
from gemmviz.referee.judge import judge
from gemmviz.referee.recorded_size import blocks_at, recorded_size
from gemmviz.referee.subject import Subject
from gemmviz.referee.words import summary_words

MACHINE = find_device("machine")
TIED = [
    "M*M == N",
    "M*M*M == N and M < 100",
    "N == M*(M+1)//2",
    "N == 3*M",
    "K == M + N",
    "M % 12 == 5",
    "M*N == 77",
    "M*N*K == 30030",
    "M + N + K == 100",
]


def claims_of(folder: Path, *rules: str) -> Claims:
    kernel = kernel_of(folder, SUM, keys=f"constraints = {list(rules)!r}")
    return Claims(kernel, kernel.params({}), MACHINE)


@pytest.mark.parametrize("rule", TIED)
def test_that_sizes_are_found_whose_dimensions_differ_and_are_not_1(tmp_path: Path, rule: str) -> None:
    claims = claims_of(tmp_path, rule)
    home = claims.home
    assert len({home.m, home.n, home.k}) == 3
    assert 1 not in (home.m, home.n, home.k)
    assert claims.untelling == ""
    assert all(map(claims.is_claimed, claims.borders()))


@pytest.mark.parametrize("rule", [rule for rule in TIED if rule != "M*N == 77"])
def test_that_tied_sizes_are_recorded_at_more_than_one_block(tmp_path: Path, rule: str) -> None:
    claims = claims_of(tmp_path, rule)
    assert blocks_at(claims, recorded_size(claims)) > 1


def test_that_the_first_tied_sizes_and_large_ones_are_examined(tmp_path: Path) -> None:
    borders = {(m, n) for m, n, _ in claims_of(tmp_path, "M*M == N").borders()}
    assert {(1, 1), (2, 4), (3, 9), (4, 16)} <= borders
    assert max(m for m, _ in borders) > 32


def test_that_a_kernel_that_is_right_at_trivial_sizes_only_is_wrong(tmp_path: Path) -> None:
    kernel = kernel_of(tmp_path, changed("row < M", "row < 2"), keys='constraints = ["M*M*M == N"]')
    finding = ClaimedSizes().examine(Subject(kernel, kernel.params({}), MACHINE))
    assert finding.outcome is Outcome.FAILED


def test_that_a_kernel_that_no_telling_size_was_found_for_is_not_called_right(tmp_path: Path) -> None:
    """N would be 2^30 at the next size of the rule, and more products than are launched."""
    kernel = kernel_of(tmp_path, SUM, keys='constraints = ["N == M ** 30", "K < 20"]')
    ruling = judge(kernel, kernel.params({}), MACHINE)
    assert ruling.judgement is Judgement.NOT_EXAMINED
    assert "It was not examined at telling sizes: M and N could only be 1" in summary_words(ruling)
    assert f"{kernel.path.name}:" in ruling.fault


def test_that_dimensions_that_the_rules_hold_at_1_are_telling_enough(tmp_path: Path) -> None:
    claims = claims_of(tmp_path, "M == 1", "N == M")
    assert (claims.home, claims.untelling) == (Shape(1, 1, 1024), "")


def test_that_equal_dimensions_need_no_search(tmp_path: Path) -> None:
    assert claims_of(tmp_path, "M == N", "N == K").related == ()


def test_that_no_size_found_names_the_rule_its_line_and_what_to_do(tmp_path: Path) -> None:
    claims = claims_of(tmp_path, "M * N == 10007 * 10007 and M > 1 and N > 1")
    with pytest.raises(NoSizeError, match=r"mine\.cu:\d+: It takes none of the sizes .* 10007") as error:
        _ = claims.home
    assert "Correct 'constraints'" in str(error.value)


def test_that_the_search_ends_where_most_sizes_are_refused() -> None:
    assert admitted_sizes(["M * N * K == 1000003 * 1000003"], {}, (64, 48, 32)) == []


def test_that_a_dimension_without_a_rule_is_that_of_the_base() -> None:
    found = admitted_sizes(["N == 2 * M + STEP"], {"STEP": 3}, (64, 48, 32))
    assert all((n, k) == (2 * m + 3, 32) for m, n, k in found)
