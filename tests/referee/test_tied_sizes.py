"""Rules that tie sizes to each other: sizes that hold to them are found and examined; trivial ones do not suffice."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from broken_kernels import SUM, changed, kernel_of

from gemmviz.backends.registry import find_device
from gemmviz.catalogue.claims.admitted_sizes import admitted_sizes
from gemmviz.catalogue.claims.claims import Claims, NoSizeError
from gemmviz.catalogue.claims.recorded_size import blocks_at, recorded_size
from gemmviz.catalogue.claims.unmet_rules import unmet_rules
from gemmviz.catalogue.loader import load_user_kernel
from gemmviz.domain.shape import Shape
from gemmviz.referee.examinations.answers import Answers, telling_inputs
from gemmviz.referee.examinations.sizes import ClaimedSizes
from gemmviz.referee.finding import Judgement, Outcome
from gemmviz.referee.judge import judge
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


@pytest.fixture(scope="module")
def tied(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Claims]:
    """The claims of a kernel with one of the rules; some take a second to find sizes."""

    @cache
    def claims(rule: str) -> Claims:
        return claims_of(tmp_path_factory.mktemp("tied"), rule)

    return claims


@pytest.mark.parametrize("rule", TIED)
def test_that_sizes_are_found_whose_dimensions_differ_and_are_not_1(tied: Callable[[str], Claims], rule: str) -> None:
    claims = tied(rule)
    home = claims.home
    assert len({home.m, home.n, home.k}) == 3
    assert 1 not in (home.m, home.n, home.k)
    assert claims.untelling == ""
    assert all(map(claims.is_claimed, claims.borders()))


@pytest.mark.parametrize("rule", [rule for rule in TIED if rule != "M*N == 77"])
def test_that_tied_sizes_are_recorded_at_more_than_one_block(tied: Callable[[str], Claims], rule: str) -> None:
    claims = tied(rule)
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
    with pytest.raises(NoSizeError, match=r"mine\.cu:\d+: no size that is tried holds to the rule .* 10007") as error:
        _ = claims.home
    assert "Change it to a rule that sizes hold to" in str(error.value)


@pytest.mark.parametrize(
    ("rules", "unmet"),
    [
        (["M % 2 == 0", "K < 0"], ("K < 0",)),
        (["M > 1", "M < N", "K > 3", "N < M"], ("M < N", "N < M")),
        (["M > N", "N > K", "K > M"], ("M > N", "N > K", "K > M")),
        (["M > 100000", "M < 5"], ("M > 100000", "M < 5")),
        (["M % (N - N) == 0"], ("M % (N - N) == 0",)),
        (["N == 3 * M", "K % 8 == 0"], ()),
    ],
)
def test_that_the_fewest_rules_are_named_that_no_size_holds_to(rules: list[str], unmet: tuple[str, ...]) -> None:
    assert unmet_rules(rules, {}) == unmet


def test_that_rules_without_a_common_size_are_named_with_the_line_of_the_first(tmp_path: Path) -> None:
    path = tmp_path / "mine.cu"
    path.write_text("__global__ void mine(const float *A, const float *B, float *C, int M, int N, int K) {}")
    rules = 'entry = "mine"\nconstraints = [\n"K > 1",\n"M < N",\n"N < M",\n]\n[launch]\nblock = [1]\ngrid = [1]\n'
    (tmp_path / "mine.cu.toml").write_text(rules)
    kernel = load_user_kernel(path)
    with pytest.raises(NoSizeError, match=r"toml:4: .* the rules 'M < N' and 'N < M' together. Change one of them"):
        _ = Claims(kernel, kernel.params({}), MACHINE).home


def test_that_claimed_sizes_with_too_many_products_are_counted_and_told(tmp_path: Path) -> None:
    claims = claims_of(tmp_path, "M % 65536 == 0")
    assert claims.left_out == ""
    claims.borders()
    assert re.fullmatch(
        r" \d+ claimed sizes? had too many products to be tried: (the smallest is )?\d+x\d+x\d+\.", claims.left_out
    )


def test_that_the_search_ends_where_most_sizes_are_refused() -> None:
    assert admitted_sizes(["M * N * K == 1000003 * 1000003"], {}, (64, 48, 32)) == []


def test_that_a_dimension_without_a_rule_is_that_of_the_base() -> None:
    found = admitted_sizes(["N == 2 * M + STEP"], {"STEP": 3}, (64, 48, 32))
    assert all((n, k) == (2 * m + 3, 32) for m, n, k in found)


def test_that_inputs_whose_products_change_are_found_where_a_matrix_is_one_number() -> None:
    for shape in (Shape(1, 1, 1), Shape(1009, 1, 1), Shape(17, 19, 23)):
        one, other = telling_inputs(shape)
        products = [a @ b for a, b in ((one.a, one.b), (other.a, one.b), (one.a, other.b), (other.a, other.b))]
        assert not any((products[0] == further).all() for further in products[1:])


def test_that_a_kernel_for_single_numbers_follows_its_inputs(tmp_path: Path) -> None:
    kernel = kernel_of(tmp_path, SUM, keys='constraints = ["M == 1009", "N == 1", "K == 1"]')
    assert Answers().examine(Subject(kernel, kernel.params({}), MACHINE)).outcome is Outcome.HELD
