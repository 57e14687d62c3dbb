"""Large sizes at which races are looked for."""

from __future__ import annotations

from pathlib import Path

from broken_kernels import SUM, kernel_of

from gemmviz.backends.registry import find_device
from gemmviz.catalogue.claims.claims import Claims
from gemmviz.catalogue.claims.large_sizes import large_sizes, long_sums


def claims_of(folder: Path, keys: str) -> Claims:
    kernel = kernel_of(folder, SUM, keys=keys)
    return Claims(kernel, kernel.params({}), find_device("machine"))


def test_that_sums_are_long_beside_tiles_that_are_large_too(tmp_path: Path) -> None:
    claims = claims_of(tmp_path, 'constraints = ["M % 128 == 0", "N % 128 == 0", "K % 8 == 0"]')
    assert [str(one) for one in long_sums(claims, 520)] == ["128x128x4160", "128x128x2080", "128x128x1040"]


def test_that_large_sizes_are_claimed_ones(tmp_path: Path) -> None:
    keys = 'constraints = ["K % 16 == 0", "K <= 4096", "M == N"]'
    claims = claims_of(tmp_path, keys)
    shapes = [(one.m, one.n, one.k) for one in large_sizes(claims)]
    assert all(m == n and k % 16 == 0 for m, n, k in shapes)
    assert max(k for *_, k in shapes) == 4096
    assert max(m for m, *_ in shapes) > 300
