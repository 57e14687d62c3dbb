"""The size from which on a recording shows a fault is found to the last step."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from broken_kernels import SUM, kernel_of

from gemmviz.backends.registry import find_device
from gemmviz.catalogue.claims.claims import Claims
from gemmviz.catalogue.claims.fault_beginnings import Choice, beginning_words
from gemmviz.domain.kernels.compared_blocks import ComparedBlocks
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
        ("", lambda one: one.k == 640, "none at 300x40x639 and 300x40x641, but at 300x40x640"),
        (
            'constraints = ["K % 16 == 0"]',
            lambda one: one.k == 640,
            "none at 300x40x624 and 300x40x656, but at 300x40x640",
        ),
        ("", lambda one: one.k > 639, "none at 300x40x639, but at 300x40x640"),
    ],
)
def test_that_a_fault_begins_behind_the_last_size_without_it(
    tmp_path: Path, keys: str, has_fault: Callable[[Shape], bool], words: str
) -> None:
    size = Shape(300, 300, 640) if "M == N" in keys else Shape(300, 40, 640)
    assert beginning_words(claims_of(tmp_path, keys), size, lambda one, _: has_fault(one), (None,)) == words


def test_that_of_a_small_size_k_alone_is_told(tmp_path: Path) -> None:
    claims, size = claims_of(tmp_path), Shape(37, 41, 67)
    assert beginning_words(claims, size, lambda one, _: one.m > 2, (None,), along_k_alone=True) == ""
    words = beginning_words(claims, size, lambda one, _: one.k > 64, (None,), along_k_alone=True)
    assert words == "none at 37x41x64, but at 37x41x65"


def test_that_the_size_above_is_not_told_where_time_ends_before_it(tmp_path: Path) -> None:
    def has_fault(shape: Shape, _: Choice) -> bool | None:
        return None if shape.k > 640 else shape.k == 640

    words = beginning_words(claims_of(tmp_path), Shape(300, 40, 640), has_fault, (None,))
    assert words == "none at 300x40x639, but at 300x40x640"


def test_that_nothing_is_told_where_time_ends(tmp_path: Path) -> None:
    asked: list[tuple[Shape, Choice]] = []

    def has_fault(shape: Shape, choose: Choice) -> None:
        asked.append((shape, choose))

    assert beginning_words(claims_of(tmp_path), Shape(300, 40, 640), has_fault, (None,)) == ""
    assert asked == [(Shape(300, 40, 1), None)]


@pytest.mark.parametrize("few_show_it", [True, False])
def test_that_few_blocks_are_recorded_where_they_show_the_fault(tmp_path: Path, *, few_show_it: bool) -> None:
    few, asked = ComparedBlocks().few_of, dict[Choice, None]()

    def has_fault(shape: Shape, choose: Choice) -> bool:
        if shape.k != 640:
            asked[choose] = None
        return shape.k > 64 and (few_show_it or choose is None)

    words = beginning_words(claims_of(tmp_path), Shape(300, 40, 640), has_fault, (few, None))
    assert words == "none at 300x40x64, but at 300x40x65"
    assert [*asked] == [few if few_show_it else None]
