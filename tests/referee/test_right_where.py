"""What right sizes have in common is told where it holds at none that is wrong."""

from __future__ import annotations

import pytest

from gemmviz.referee.examinations.right_where import where_right
from gemmviz.referee.finding import Case


def cases(right: str, wrong: str) -> list[Case]:
    return [
        *(Case("ones", "exact", shape) for shape in right.split()),
        *(Case("ones", "3 are wrong", shape, failed=True) for shape in wrong.split()),
    ]


@pytest.mark.parametrize(
    ("right", "wrong", "words"),
    [
        ("72x72x72 1x1x1", "17x19x23 256x128x64", "M = N = K"),
        ("72x72x7 1x1x5", "17x19x23 256x128x64 72x7x72", "M = N"),
        ("256x17x64 32x32x4160", "72x72x72 40x40x21 17x19x23", "M is a multiple of 16"),
        ("256x128x5 32x64x7", "32x17x64 17x64x32 40x40x21", "M and N are multiples of 16"),
        ("256x128x5 32x64x7", "17x64x32 40x40x21", "M and N are multiples of 16"),
        ("256x128x64", "17x19x23 40x40x21", ""),
        ("256x128x64 17x19x23", "256x128x65 17x19x24", ""),
        ("72x72x72 64x64x64", "", ""),
    ],
)
def test_that_the_first_condition_that_parts_right_and_wrong_sizes_is_told(right: str, wrong: str, words: str) -> None:
    said = f" It is right at those of these sizes where {words}." if words else ""
    assert where_right(cases(right, wrong)) == said


def test_that_a_size_with_a_right_and_a_wrong_case_is_wrong_and_other_values_do_not_count() -> None:
    both = [*cases("72x72x72 64x64x64", "17x19x23 5x6x7"), Case("twos", "wrong", "64x64x64", failed=True)]
    assert where_right(both) == ""
    others = [*cases("72x72x72 1x1x1", "17x19x23 5x6x7"), Case("a", "wrong", "8x8x8", failed=True, other_value="T = 8")]
    assert where_right(others).endswith("where M = N = K.")


@pytest.mark.parametrize(("shape", "words"), [("72x72x72", ", where M = N = K"), ("24x37x19", "")])
def test_that_the_only_right_one_of_many_sizes_is_told(shape: str, words: str) -> None:
    wrong = " ".join(f"{m}x8x{m + 1}" for m in range(1, 9))
    assert where_right(cases(shape, wrong)) == f" Of these sizes it is right at {shape} alone{words}."
    assert where_right(cases(shape, wrong[:11])) == ""
