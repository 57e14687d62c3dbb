"""Claimed sizes whose grids have the blocks that a kernel compares its own with."""

from __future__ import annotations

from pathlib import Path

from broken_kernels import SUM, kernel_of

from gemmviz.backends.registry import find_device
from gemmviz.catalogue.claims.claims import Claims
from gemmviz.catalogue.claims.size_of_blocks import sizes_of_blocks
from gemmviz.domain.kernels.compared_blocks import ComparedBlocks
from gemmviz.domain.shape import Shape

NONE: frozenset[int] = frozenset()
FAR = ComparedBlocks((frozenset({45}), frozenset({5}), NONE))


def claims_of(folder: Path, keys: str = "") -> Claims:
    kernel = kernel_of(folder, SUM, keys=keys)
    return Claims(kernel, kernel.params({}), find_device("machine"))


def test_that_the_least_sizes_with_the_blocks_are_taken(tmp_path: Path) -> None:
    assert sizes_of_blocks(claims_of(tmp_path), FAR, []) == [Shape(81, 721, 67)]


def test_that_a_size_that_is_recorded_anyway_is_not_taken_again(tmp_path: Path) -> None:
    claims = claims_of(tmp_path)
    assert sizes_of_blocks(claims, FAR, [Shape(96, 736, 19)]) == []
    assert sizes_of_blocks(claims, FAR, [Shape(80, 736, 19)]) == [Shape(81, 721, 67)]


def test_that_sizes_keep_to_the_rules(tmp_path: Path) -> None:
    claims = claims_of(tmp_path, 'constraints = ["M == N", "N % 32 == 0"]')
    assert sizes_of_blocks(claims, FAR, []) == [Shape(736, 736, 67)]


def test_that_blocks_that_no_size_has_leave_those_of_the_other_axes(tmp_path: Path) -> None:
    compared = ComparedBlocks((frozenset({45}), NONE, frozenset({3})), frozenset({100}))
    assert sizes_of_blocks(claims_of(tmp_path), compared, []) == [Shape(37, 721, 67)]
