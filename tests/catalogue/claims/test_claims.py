"""Which sizes a description claims, and which of them are examined."""

from __future__ import annotations

from pathlib import Path

import pytest
from broken_kernels import SUM, kernel_of

from gemmviz.backends.registry import find_device
from gemmviz.catalogue.claims.claims import Claims, NoSizeError
from gemmviz.catalogue.kernel import Kernel
from gemmviz.catalogue.loader import load_catalogue
from gemmviz.domain.edge_case_sizes import LONG, ODD, Sizes
from gemmviz.domain.shape import Shape


def claims_of(folder: Path, *rules: str) -> Claims:
    kernel = kernel_of(folder, SUM, keys=f"constraints = {list(rules)!r}")
    return Claims(kernel, kernel.params({}), find_device("machine"))


def test_that_a_kernel_without_rules_claims_every_size(tmp_path: Path) -> None:
    claims = claims_of(tmp_path)
    assert (claims.words, claims.home) == ("any size", Shape(256, 128, 64))
    assert all(axis.is_free for axis in claims.axes)
    assert claims.beyond() == []
    assert tuple(claims.odd()) == ODD


def test_that_multiples_and_limits_are_found_and_their_borders_examined(tmp_path: Path) -> None:
    claims = claims_of(tmp_path, "M % 16 == 0", "K <= 100")
    assert claims.words == "M in multiples of 16, K at most 100"
    borders = claims.borders()
    assert (16, 128, 64) in borders
    assert all(m % 16 == 0 and k <= 100 for m, _, k in borders)
    assert claims.beyond() == [(255, 128, 64), (257, 128, 64), (256, 128, 101)]
    assert not any(map(claims.is_claimed, ((17, 19, 23), (16, 19, 101))))
    assert (32, 19, 23) in claims.odd()
    assert all(m % 16 == 0 for m, _, _ in claims.odd())


def test_that_no_launch_is_planned_for_sizes_that_a_rule_refuses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Hundreds are asked for, and a refusal in words takes as long as ten answers."""
    planned: list[Shape] = []
    plan = Kernel.plan
    monkeypatch.setattr(Kernel, "plan", lambda self, shape, *given: planned.append(shape) or plan(self, shape, *given))
    assert len(claims_of(tmp_path, "M % 16 == 0", "K <= 100").axes) == 3
    assert planned
    assert all(shape.m % 16 == 0 and shape.k <= 100 for shape in planned)


def test_that_the_launch_of_a_size_is_planned_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    claims = claims_of(tmp_path, "M <= 64")
    assert claims.is_claimed((40, 37, 19))
    monkeypatch.setattr(Kernel, "plan", lambda *_: pytest.fail("planned again"))
    assert claims.blocks_at((40, 37, 19)) == 9
    assert claims.is_claimed((40, 37, 19))


def test_that_nothing_is_odd_where_every_dimension_is_restricted(tmp_path: Path) -> None:
    assert claims_of(tmp_path, "M % 16 == 0", "N % 8 == 0", "K % 4 == 0").odd() == []


def test_that_the_largest_claimed_size_is_examined(tmp_path: Path) -> None:
    assert max(k for _, _, k in claims_of(tmp_path, "K <= 1000").borders()) == 1000
    claims = claims_of(tmp_path, "K <= 4096")  # too many products beside the usual M and N
    assert max(k for _, _, k in claims.borders()) < 4096
    assert claims.long() == [(LONG, 32, 32), (32, LONG, 32), (32, 32, 4096)]


def test_that_a_fixed_dimension_is_kept() -> None:
    kernel = load_catalogue().get("dot")
    claims = Claims(kernel, kernel.params({}), find_device("machine"))
    assert (claims.words, claims.home) == ("M = N = 1", Shape(1, 1, 1024))
    assert all((m, n) == (1, 1) for m, n, _ in claims.borders())
    assert claims.odd()[0] == (1, 1, 23)
    assert (1, 1, 1021) in claims.odd()


def test_that_square_sizes_can_be_all_that_is_claimed(tmp_path: Path) -> None:
    claims = claims_of(tmp_path, "M == N", "N == K")
    assert claims.home == Shape(128, 128, 128)
    assert claims.words == "M = N = K"
    borders = claims.borders()
    assert len(borders) > 5
    assert all(m == n == k for m, n, k in borders)
    assert {(1, 1, 1), (17, 17, 17), (256, 256, 256)} <= set(borders)
    assert {(7, 7, 7), (131, 131, 131)} <= set(claims.odd())
    assert (127, 128, 128) in claims.beyond()


def test_that_equal_dimensions_are_examined_in_their_multiples(tmp_path: Path) -> None:
    claims = claims_of(tmp_path, "M == N", "M % 16 == 0")
    assert claims.words == "M = N, M in multiples of 16"
    assert {(16, 16, 128), (32, 32, 128), (64, 64, 128)} <= set(claims.borders())
    assert all(m == n and m % 16 == 0 for m, n, _ in claims.borders())
    assert (32, 32, 23) in claims.odd()


def test_that_one_dimension_can_be_twice_another(tmp_path: Path) -> None:
    claims = claims_of(tmp_path, "N == 2 * M")
    assert (claims.words, claims.home) == ("N = 2 * M", Shape(128, 256, 64))
    assert {(1, 2, 64), (17, 34, 64)} <= set(claims.borders())
    assert (17, 34, 23) in claims.odd()


def test_that_a_limit_is_told_and_examined_on_both_sides(tmp_path: Path) -> None:
    claims = claims_of(tmp_path, "N <= 99")
    assert (claims.words, claims.home) == ("N at most 99", Shape(64, 64, 64))
    assert (64, 99, 64) in claims.borders()
    assert claims.beyond() == [(64, 100, 64)]


def test_that_a_grid_of_whole_blocks_only_claims_no_least_size_by_itself(tmp_path: Path) -> None:
    kernel = kernel_of(tmp_path, SUM, grid='["N // 16", "ceil_div(M, 16)"]')
    claims = Claims(kernel, kernel.params({}), find_device("machine"))
    assert claims.words == "any size (but some have no launch)"


@pytest.mark.parametrize(
    ("rules", "sizes"),
    [
        ((), [(256, 128, 64), (256, 128, 256), (256, 128, 1024)]),
        (("M == N", "M == K"), [(32, 32, 32), (128, 128, 128), (256, 256, 256)]),
        (("K <= 100",), [(256, 128, 16), (256, 128, 64)]),
        (("K == 64",), [(256, 128, 64)]),
    ],
)
def test_that_k_grows_within_what_is_claimed(tmp_path: Path, rules: tuple[str, ...], sizes: list[Sizes]) -> None:
    assert claims_of(tmp_path, *rules).growing() == sizes


def test_that_a_kernel_that_claims_no_usual_size_says_why(tmp_path: Path) -> None:
    with pytest.raises(NoSizeError, match="needs M > 100000000"):
        _ = claims_of(tmp_path, "M > 100000000").home


@pytest.mark.parametrize(
    ("rules", "home"),
    [
        (("N == 112", "K == 48", "M % 16 == 0"), Shape(256, 112, 48)),
        (("M == N", "N % 48 == 0", "K <= 50", "K % 3 == 0"), Shape(288, 288, 48)),
        (("64 <= K and K < 100", "M == 3 * 7"), Shape(21, 128, 64)),
    ],
)
def test_that_sizes_follow_from_the_rules_where_no_usual_one_is_claimed(
    tmp_path: Path, rules: tuple[str, ...], home: Shape
) -> None:
    assert claims_of(tmp_path, *rules).home == home
