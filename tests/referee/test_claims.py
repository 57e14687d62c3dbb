"""Which sizes a description claims, and which of them are examined."""

from __future__ import annotations

from pathlib import Path

import pytest
from broken_kernels import SUM, kernel_of

from gemmviz.backends.registry import find_device
from gemmviz.catalogue.loader import load_catalogue
from gemmviz.domain.shape import Shape
from gemmviz.referee.claims import ODD, Claims, NoSizeError


def claims_of(folder: Path, *rules: str) -> Claims:
    kernel = kernel_of(folder, SUM, keys=f"constraints = {list(rules)!r}")
    return Claims(kernel, kernel.params({}), find_device("machine"))


def test_that_a_kernel_without_rules_claims_every_size(tmp_path: Path) -> None:
    claims = claims_of(tmp_path)
    assert (claims.words, claims.steps, claims.home) == ("any size", (1, 1, 1), Shape(256, 128, 64))
    assert claims.beyond() == []
    assert tuple(claims.odd()) == ODD


def test_that_multiples_and_limits_are_found_and_their_borders_examined(tmp_path: Path) -> None:
    claims = claims_of(tmp_path, "M % 16 == 0", "K <= 100")
    assert claims.words == "M in steps of 16"
    borders = claims.borders()
    assert (16, 128, 64) in borders
    assert all(m % 16 == 0 and k <= 100 for m, _, k in borders)
    assert claims.beyond() == [(255, 128, 64), (257, 128, 64)]
    assert not any(map(claims.is_claimed, ((17, 19, 23), (16, 19, 101))))
    assert (32, 19, 23) in claims.odd()
    assert all(m % 16 == 0 for m, _, _ in claims.odd())


def test_that_nothing_is_odd_where_every_dimension_is_restricted(tmp_path: Path) -> None:
    assert claims_of(tmp_path, "M % 16 == 0", "N % 8 == 0", "K % 4 == 0").odd() == []


def test_that_the_largest_claimed_size_is_examined(tmp_path: Path) -> None:
    assert max(k for _, _, k in claims_of(tmp_path, "K <= 1000").borders()) == 1000


def test_that_a_fixed_dimension_is_kept() -> None:
    kernel = load_catalogue().get("dot")
    claims = Claims(kernel, kernel.params({}), find_device("machine"))
    assert (claims.words, claims.home) == ("M = 1, N = 1", Shape(1, 1, 1024))
    assert all((m, n) == (1, 1) for m, n, _ in claims.borders())
    assert claims.odd()[0] == (1, 1, 23)
    assert (1, 1, 1021) in claims.odd()


def test_that_square_sizes_can_be_all_that_is_claimed(tmp_path: Path) -> None:
    claims = claims_of(tmp_path, "M == N", "N == K")
    assert claims.home == Shape(128, 128, 128)
    assert claims.words == "M = 128, N = 128, K = 128"


def test_that_a_kernel_that_claims_no_usual_size_says_why(tmp_path: Path) -> None:
    with pytest.raises(NoSizeError, match="needs M > 100000"):
        _ = claims_of(tmp_path, "M > 100000").home
