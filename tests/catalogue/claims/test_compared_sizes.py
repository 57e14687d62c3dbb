"""Claimed sizes at which a kernel compares its own with a constant."""

from __future__ import annotations

from pathlib import Path

import pytest
from broken_kernels import SUM, kernel_of

from gemmviz.backends.registry import find_device
from gemmviz.catalogue.claims.claims import Claims
from gemmviz.catalogue.claims.compared_sizes import claimed_compared_sizes
from gemmviz.catalogue.claims.recorded_size import MOST_PRODUCTS, recorded_size
from gemmviz.domain.shape import Shape


def claims_of(folder: Path, *rules: str) -> Claims:
    kernel = kernel_of(folder, SUM, keys=f"constraints = [{', '.join(map(repr, rules))}]".replace("'", '"'))
    return Claims(kernel, kernel.params({}), find_device("machine"))


@pytest.mark.parametrize(
    ("rules", "compared", "sizes"),
    [
        ((), {"K": {77}}, ["37x41x77"]),
        ((), {"M": {83}, "N": {91}}, ["37x91x67", "83x41x67", "83x91x67"]),
        (("K % 16 == 0",), {"K": {72, 77, 97}}, ["19x19x112"]),
        (("M == N",), {"M": {5001}}, []),
        (("M == N",), {"N": {777}}, ["777x777x17"]),
        (("K <= 80",), {"K": {77, 90}}, ["37x41x77"]),
        ((), {"MN": {1000, 1001}}, ["24x41x67", "37x27x67", "25x41x67", "37x28x67", "25x40x67", "13x77x67"]),
        (("M == N", "M == K"), {"MM": {3000}}, ["54x54x54", "55x55x55"]),
    ],
)
def test_that_sizes_are_those_next_to_the_compared_ones_that_are_claimed(
    tmp_path: Path, rules: tuple[str, ...], compared: dict[str, set[int]], sizes: list[str]
) -> None:
    assert [str(one) for one in claimed_compared_sizes(claims_of(tmp_path, *rules), compared)] == sizes


@pytest.mark.parametrize(
    ("rules", "size"),
    [
        (("M % 32 == 0", "N % 40 == 0"), Shape(64, 80, 67)),
        (("K % 64 == 0",), Shape(19, 19, 192)),
        (("M % 128 == 0", "N % 128 == 0"), Shape(256, 256, 64)),
        (("K <= 30",), Shape(37, 41, 30)),
    ],
)
def test_that_the_recorded_size_spans_several_tiles_along_k(
    tmp_path: Path, rules: tuple[str, ...], size: Shape
) -> None:
    assert recorded_size(claims_of(tmp_path, *rules)) == size
    assert size.m * size.n * size.k <= MOST_PRODUCTS
