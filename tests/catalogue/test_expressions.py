from __future__ import annotations

import time

import pytest
from pace import clock_limit_s

from gemmviz.catalogue.expressions import (
    ExpressionError,
    ceil_div,
    check_names,
    evaluate,
    evaluate_whole,
    is_power_of_two,
    with_numbers,
)

NAMES = {"M": 17, "N": 33, "K": 5, "TILE": 4}


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("ceil_div(N, TILE)", 9),
        ("ceil_div(32, TILE)", 8),
        ("ceil_div(1, 1024)", 1),
        ("4 * K * (M + N)", 1000),
        ("N // TILE", 8),
        ("N % TILE", 1),
        ("min(M, N, K)", 5),
        ("max(M, N) - K", 28),
        ("M if M > N else N", 33),
        ("2 ** 10", 1024),
        ("-K + 6", 1),
    ],
)
def test_that_arithmetic_gives_its_value(expression: str, value: int) -> None:
    check_names(expression, set(NAMES))
    assert evaluate_whole(expression, NAMES) == value


@pytest.mark.parametrize("dividend", [0, 1, 16, 17, 31, 32, 33])
def test_that_ceil_div_is_the_least_number_of_tiles_that_covers(dividend: int) -> None:
    count = ceil_div(dividend, 16)
    assert count * 16 >= dividend
    assert (count - 1) * 16 < dividend


def test_that_powers_of_two_are_told_from_other_numbers() -> None:
    assert [n for n in range(-4, 70) if is_power_of_two(n)] == [1, 2, 4, 8, 16, 32, 64]


@pytest.mark.parametrize("expression", ["M / 2", "0.5 * M", "M > 3", "2.0"])
def test_that_what_is_no_whole_number_is_refused_as_a_size(expression: str) -> None:
    with pytest.raises(ExpressionError, match="not a whole number"):
        evaluate_whole(expression, NAMES)


@pytest.mark.parametrize("expression", ["M // 0", "M % 0", "ceil_div(M, 0)", "M / (K - 5)"])
def test_that_a_division_by_zero_is_an_error_that_quotes_the_expression(expression: str) -> None:
    with pytest.raises(ExpressionError, match="M "[:1]) as caught:
        evaluate_whole(expression, NAMES)
    assert repr(expression) in str(caught.value)


@pytest.mark.parametrize(
    "expression",
    [
        "M.real", "M.__class__", "'a' * 9", "'M'", "[M]", "(M, N)", "{M: 1}", "M[0]", "lambda: 1", "f'{M}'",
        "[x for x in (1, 2)]", "(M := 3)", "min(*[1, 2])", "None", "1j", "b'x'", "...",
    ],
)  # fmt: skip
def test_that_only_arithmetic_passes_the_check(expression: str) -> None:
    with pytest.raises(ExpressionError):
        check_names(expression, set(NAMES))


@pytest.mark.parametrize("expression", ["__import__('os')", "open(M)", "M(3)", "min.mro()", "(min)(1, 2)(3)"])
def test_that_only_the_known_functions_are_called(expression: str) -> None:
    with pytest.raises(ExpressionError):
        check_names(expression, set(NAMES))


@pytest.mark.parametrize("expression", ["", "M +", "M N", "1 = 2", "import os", "-" * 100_000 + "1", "M\0"])
def test_that_what_does_not_parse_is_refused(expression: str) -> None:
    with pytest.raises(ExpressionError, match="is not an expression"):
        check_names(expression, set(NAMES))


def test_that_an_unknown_name_is_answered_with_the_known_ones() -> None:
    with pytest.raises(ExpressionError, match=r"'W \+ 1' uses 'W'; known are K, M, N, TILE"):
        check_names("W + 1", set(NAMES))
    with pytest.raises(ExpressionError):
        evaluate("W + 1", NAMES)


@pytest.mark.parametrize("expression", ["9 ** 9 ** 9", "2 ** 10000000", "1 << 10000000000", "(-M) ** 0.5 > 1"])
def test_that_an_enormous_power_is_refused_instead_of_computed(expression: str) -> None:
    begin = time.monotonic()
    with pytest.raises(ExpressionError):
        evaluate(expression, NAMES)
    assert time.monotonic() - begin < clock_limit_s(1.0)


@pytest.mark.parametrize("expression", ["9 ** 9 ** 9", "1 << 10000000000", "M >> 10 ** 9"])
def test_that_an_enormous_power_is_refused_in_our_words(expression: str) -> None:
    with pytest.raises(ExpressionError) as caught:
        evaluate(expression, NAMES)
    assert str(caught.value) == f"{expression!r} needs a number too large to compute"


def test_that_numbers_stand_in_for_names_in_an_explanation() -> None:
    assert with_numbers("TILE * TILE <= limit", NAMES) == "4 * 4 <= limit"
    assert with_numbers("ceil_div(K, TILE)", NAMES) == "ceil_div(5, 4)"
