"""An equality or a multiple is called needed only where no size beside it is right."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from gemmviz.adopt.description import Description, SizeRule, SweptParameter
from gemmviz.adopt.propose.geometry import BlockGuess
from gemmviz.adopt.prove.sizes.limits import limits_of
from gemmviz.adopt.prove.sizes.loosened import loosened
from gemmviz.adopt.words import rule_texts, summary_of
from gemmviz.catalogue.rule_words import needs
from gemmviz.catalogue.size_words import size_words
from gemmviz.domain.kernels.call import Storage
from gemmviz.domain.shape import Shape

PLAIN = Description(
    "f",
    (),
    (),
    ("A", "B", "C", "M", "N", "K"),
    (Storage(), Storage(), Storage(), Storage()),
    ("16", "16"),
    ("ceil_div(N, 16)", "ceil_div(M, 16)"),
)
ROLES = {3: "M", 4: "N", 5: "K"}


def described(start: Description, base: Shape, is_right: Callable[[Shape], bool]) -> Description:
    limits = limits_of(start, base, is_right)
    assert limits is not None
    found, others = loosened(start, limits, lambda _: is_right, ROLES)
    assert all(is_right(shape) for shape in others.right)
    return found


def tiles(size: int) -> int:
    return -(-size // 16)


def test_that_a_multiple_is_not_called_needed_where_sizes_beyond_the_next_one_are_right() -> None:
    """A loop by four products with two more behind it is right for K = 5, and wrong for K = 3 and 7."""
    found = described(PLAIN, Shape(64, 96, 128), lambda s: s.k % 4 != 3)
    assert summary_of(found) == "C = A·B, right with K in multiples of 2"


@pytest.mark.parametrize(
    ("is_right", "words", "rule"),
    [
        (lambda s: tiles(s.n) >= tiles(s.k), "right where N >= K", "N >= K"),
        (lambda s: s.n <= s.k, "right where N <= K", "N <= K"),
        (lambda s: s.n == s.k, "needs N = K", "N == K"),
        (lambda s: tiles(s.n) == tiles(s.k), "needs N = K", "N == K"),
    ],
)
def test_that_an_order_is_told_where_one_side_of_an_equality_is_right(
    is_right: Callable[[Shape], bool], words: str, rule: str
) -> None:
    found = described(replace(PLAIN, equal=(("N", "K"),)), Shape(64, 96, 96), is_right)
    assert summary_of(found) == f"C = A·B, {words}"
    why = "others that were tried go wrong" if "==" in rule else "some others that were tried go wrong"
    assert rule_texts(found) == [(rule, why)]


def test_that_equal_sizes_are_given_to_the_parameters_that_are_called_so() -> None:
    start = replace(
        PLAIN,
        arguments=("A", "B", "C", "K", "N", "K"),
        grid=("ceil_div(N, 16)", "ceil_div(K, 16)"),
        equal=(("M", "K"),),
    )
    found = described(start, Shape(96, 64, 96), lambda s: s.k <= max(s.m, s.n))
    assert (found.arguments, found.grid) == (PLAIN.arguments, PLAIN.grid)
    assert summary_of(found) == "C = A·B, right where M >= K"


WRONG, SOME = "others that were tried go wrong", "some others that were tried go wrong"


@pytest.mark.parametrize(
    ("is_right", "words", "rule", "why"),
    [
        (
            lambda s: tiles(s.m) % 4 == 0 or s.n <= 16,
            "needs M in multiples of 64 (or N of at most 16 or ceil(M / 16) in multiples of 4)",
            "M % 64 == 0 or N <= 16 or ceil_div(M, 16) % 4 == 0",
            WRONG,
        ),
        (
            lambda s: s.m % 64 == 0 or s.k <= 40,
            "needs M in multiples of 64 (or K of at most 40)",
            "M % 64 == 0 or K <= 40",
            WRONG,
        ),
        (
            lambda s: tiles(s.m) % 4 == 0 or s.n + s.k == 2,
            "right with M in multiples of 64 (or ceil(M / 16) in multiples of 4)",
            "M % 64 == 0 or ceil_div(M, 16) % 4 == 0",
            SOME,
        ),
        (lambda s: s.m % 64 == 0 or s.n * s.k < 9, "right with M in multiples of 64", "M % 64 == 0", SOME),
        (lambda s: s.m % 64 == 0, "needs M in multiples of 64", "M % 64 == 0", WRONG),
    ],
)
def test_that_sizes_beside_a_multiple_are_told_where_a_rule_says_which_are_right(
    is_right: Callable[[Shape], bool], words: str, rule: str, why: str
) -> None:
    found = described(PLAIN, Shape(256, 384, 128), is_right)
    assert summary_of(found) == f"C = A·B, {words}"
    assert rule_texts(found) == [(rule, why)]
    for shape in (Shape(m, n, k) for m in range(1, 140, 3) for n in (1, 16, 17) for k in (1, 40, 41)):
        assert is_right(shape) or not all(one.allows(shape) for one in found.rules)


def test_that_such_sizes_are_those_of_the_defaults_alone() -> None:
    rule = SizeRule("M", 64, multiple_words="T * GROUP", tile=16, beside=("N", 16))
    swept = (SweptParameter("T", (8, 16), 16), SweptParameter("GROUP", (2, 4), 4), SweptParameter("W", (1,), 1))
    found = replace(PLAIN, rules=(rule,), parameters=swept)
    text, _ = rule_texts(found)[0]
    assert text == "M % (T * GROUP) == 0 or T == 16 and GROUP == 4 and (N <= 16 or ceil_div(M, 16) % 4 == 0)"
    sizes = {"M": 40, "N": 17, "K": 9}
    needed = needs(text, {**sizes, "T": 16, "GROUP": 4})
    assert needed.startswith("needs M to be a multiple of T * GROUP or N <= 16 or ceil(M / 16) to be a multiple of 4, ")
    assert size_words([text], {"T": 16, "GROUP": 4}) == (
        "M in multiples of 64 or N at most 16 or ceil_div(M, 16) in multiples of 4"
    )
    assert size_words([text], {"T": 8, "GROUP": 4}) == "M in multiples of 32"


def test_that_a_guessed_launch_is_named_and_one_of_host_code_is_not() -> None:
    guess = BlockGuess((256, 1, 1), "0", "", {})
    assert guess.guessed_words(("1",)) == " with blocks of 256 threads and a grid of 1 block, which gemmviz guessed"
    assert replace(guess, is_launched=True).guessed_words(("1",)) == ""
