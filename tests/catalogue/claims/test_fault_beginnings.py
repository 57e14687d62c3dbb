"""The size from which on a recording shows a fault is found to the last step."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from broken_kernels import SUM, kernel_of

from gemmviz.backends.registry import find_device
from gemmviz.catalogue.claims.claims import Claims
from gemmviz.catalogue.claims.fault_beginnings import beginning_words
from gemmviz.domain.shape import Shape


def claims_of(folder: Path, keys: str = "") -> Claims:
    kernel = kernel_of(folder, SUM, keys=keys)
    return Claims(kernel, kernel.params({}), find_device("machine"))


@pytest.mark.parametrize(
    ("keys", "has_fault", "words"),
    [
        ("", lambda one: one.k > 64, "none at 300x40x64, but at 300x40x65"),
        ('constraints = ["K % 16 == 0"]', lambda one: one.k > 64, "none at 300x40x64, but at 300x40x80"),
        ("", lambda one: one.m > 211 and one.n > 3, "none at 211x40x640, but at 212x40x640"),
        ('constraints = ["M == N"]', lambda one: one.m > 211, "none at 211x211x640, but at 212x212x640"),
        ("", lambda _: True, ""),
    ],
)
def test_that_a_fault_begins_behind_the_last_size_without_it(
    tmp_path: Path, keys: str, has_fault: Callable[[Shape], bool], words: str
) -> None:
    size = Shape(300, 300, 640) if "M == N" in keys else Shape(300, 40, 640)
    assert beginning_words(claims_of(tmp_path, keys), size, has_fault) == words


def test_that_of_a_small_size_k_alone_is_told(tmp_path: Path) -> None:
    claims, size = claims_of(tmp_path), Shape(37, 41, 67)
    assert beginning_words(claims, size, lambda one: one.m > 2, along_k_alone=True) == ""
    assert (
        beginning_words(claims, size, lambda one: one.k > 64, along_k_alone=True) == "none at 37x41x64, but at 37x41x65"
    )


def test_that_nothing_is_told_where_time_ends(tmp_path: Path) -> None:
    asked: list[Shape] = []
    assert beginning_words(claims_of(tmp_path), Shape(300, 40, 640), asked.append) == ""
    assert asked == [Shape(300, 40, 1)]
