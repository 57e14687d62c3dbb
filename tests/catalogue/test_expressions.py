from __future__ import annotations

import time

import pytest
from pace import clock_limit_s

from gemmviz.catalogue.expressions import (
    _EVALUATORS,
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


@pytest.mark.parametrize("expression", ["0.5 * M", "M > 3", "2.0"])
def test_that_what_is_no_whole_number_is_refused_as_a_size(expression: str) -> None:
    with pytest.raises(ExpressionError, match="not a whole number"):
        evaluate_whole(expression, NAMES)


@pytest.mark.parametrize("expression", ["M / 2", "M/4", "max(M / 2, K)"])
def test_that_a_division_that_gives_a_fraction_names_the_whole_number_one(expression: str) -> None:
    with pytest.raises(ExpressionError) as caught:
        evaluate_whole(expression, {**NAMES, "M": 32})
    assert str(caught.value) == f"{expression!r}: '/' gives a fraction; write // for the whole-number quotient"


@pytest.mark.parametrize("expression", ["M // 0", "M % 0", "ceil_div(M, 0)", "M / (K - 5)"])
def test_that_a_division_by_zero_is_an_error_that_quotes_the_expression(expression: str) -> None:
    with pytest.raises(ExpressionError, match="M "[:1]) as caught:
        evaluate_whole(expression, NAMES)
    assert repr(expression) in str(caught.value)


@pytest.mark.parametrize(
    "expression",
    [
        "M.real",
        "M.__class__",
        "'a' * 9",
        "'M'",
        "[M]",
        "(M, N)",
        "{M: 1}",
        "M[0]",
        "lambda: 1",
        "f'{M}'",
        "[x for x in (1, 2)]",
        "(M := 3)",
        "min(*[1, 2])",
        "None",
        "1j",
        "b'x'",
        "...",
    ],
)
def test_that_only_arithmetic_passes_the_check(expression: str) -> None:
    with pytest.raises(ExpressionError):
        check_names(expression, set(NAMES))


@pytest.mark.parametrize("expression", ["__import__('os')", "open(M)", "M(3)", "min.mro()", "(min)(1, 2)(3)"])
def test_that_only_the_known_functions_are_called(expression: str) -> None:
    with pytest.raises(ExpressionError):
        check_names(expression, set(NAMES))


def test_that_a_function_with_too_few_or_too_many_values_says_how_many_it_takes() -> None:
    for expression, words in (
        ("ceil_div(M)", "'ceil_div(M)': ceil_div takes 2 values, not 1: write one such as ceil_div(M, 16)"),
        ("ceil_div(M, 2, 3)", "ceil_div takes 2 values, not 3"),
        ("min()", "'min()': min takes 2 values or more, not none: write one such as min(M, N)"),
        ("max(M)", "max takes 2 values or more, not 1"),
        ("is_power_of_two()", "is_power_of_two takes 1 value, not none"),
    ):
        with pytest.raises(ExpressionError) as caught:
            evaluate(expression, {"M": 3})
        assert words in str(caught.value)
    assert evaluate("min(M, 4, 5)", {"M": 3}) == 3


@pytest.mark.parametrize("expression", ["", "M +", "M N", "1 = 2", "import os", "(" * 400 + "1" + ")" * 400, "M\0"])
def test_that_what_does_not_parse_is_refused(expression: str) -> None:
    with pytest.raises(ExpressionError, match="is not an expression"):
        check_names(expression, set(NAMES))


def test_that_an_unknown_name_is_answered_with_the_known_ones() -> None:
    with pytest.raises(ExpressionError, match=r"'W \+ 1': there is no 'W'; known are K, M, N, TILE"):
        check_names("W + 1", set(NAMES))
    with pytest.raises(ExpressionError):
        evaluate("W + 1", NAMES)


HUGE = [
    "9 ** 9 ** 9",
    "2 ** 10000000",
    "1 << 10000000000",
    "1 << 999999",
    "M >> 10 ** 9999",
    "9**99999*9**99999*9**99999",
    "*".join(["M ** 100"] * 50),
    "(1 << 1000) * (1 << 1000)",
    "max(2 ** 1000, 3) ** 2",
    "-(2 ** 600) * 2 ** 600",
]


@pytest.mark.parametrize("expression", HUGE)
def test_that_an_enormous_power_is_refused_in_our_words(expression: str) -> None:
    begin = time.monotonic()
    with pytest.raises(ExpressionError, match="needs a number too large to compute"):
        evaluate(expression, NAMES)
    assert time.monotonic() - begin < clock_limit_s(0.1)


@pytest.mark.parametrize("expression", ["2.0 ** 5000 > 1", "(-M) ** 0.5 > 1", "10.0 ** 400", "M << -1", "M << 0.5"])
def test_that_what_has_no_value_is_refused(expression: str) -> None:
    with pytest.raises(ExpressionError):
        evaluate(expression, NAMES)


@pytest.mark.parametrize(
    ("expression", "words"),
    [
        ("M + " * 300 + "M", "has 1201 characters: at most 1000 are computed"),
        ("M+" * 300 + "M", "is nested deeper than 100 levels"),
        ("-" * 500 + "M", "is nested deeper than 100 levels"),
        ("9" * 5000, "has 5000 characters"),
        ("M in N", "not arithmetic"),
        ("M is N", "not arithmetic"),
        ("M @ N", "not arithmetic"),
        ("max(M, key=N)", "not arithmetic"),
    ],
)
def test_that_what_is_too_long_or_too_deep_is_refused_before_it_is_computed(expression: str, words: str) -> None:
    for ask in (lambda: check_names(expression, set(NAMES)), lambda: evaluate(expression, NAMES)):
        with pytest.raises(ExpressionError, match=words) as caught:
            ask()
        assert len(str(caught.value)) < 300


def test_that_numbers_up_to_the_limit_are_computed() -> None:
    assert evaluate("2 ** 1000 // 2 ** 990", NAMES) == 1024
    assert evaluate("+".join(["M"] * 90), NAMES) == 90 * 17
    assert evaluate("1 ** (10 ** 100)", NAMES) == 1


def test_that_numbers_stand_in_for_names_in_an_explanation() -> None:
    assert with_numbers("TILE * TILE <= limit", NAMES) == "4 * 4 <= limit"
    assert with_numbers("ceil_div(K, TILE)", NAMES) == "ceil_div(5, 4)"


def test_that_an_answer_is_kept_whatever_the_names_are_that_it_does_not_use(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search for sizes asks the same of M thousands of times, with another N or K."""
    asked = "M * 7 + TILE"
    assert evaluate(asked, NAMES) == 123
    monkeypatch.setattr(_EVALUATORS.evaluator, "eval", lambda *_: pytest.fail("computed again"))
    assert evaluate(asked, {**NAMES, "N": 12345, "K": 678}) == 123
    monkeypatch.undo()
    assert evaluate(asked, {**NAMES, "M": 18}) == 130
