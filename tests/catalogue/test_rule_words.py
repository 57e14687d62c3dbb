"""A broken constraint is a sentence: what is needed, and what there is."""

from __future__ import annotations

import pytest

from gemmviz.catalogue.expressions import evaluate
from gemmviz.catalogue.loader import load_catalogue
from gemmviz.catalogue.rule_words import needs

NAMES = {
    "M": 17,
    "N": 33,
    "K": 5,
    "TILE": 32,
    "TM": 8,
    "BM": 20,
    "F": 3,
    "max_threads_per_block": 256,
    "shared_bytes_per_block": 1024,
    "max_grid_x": 7,
    "max_grid_y": 3,
}


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ("M == 1", "needs M = 1, but M is 17"),
        ("M\n  ==  1", "needs M = 1, but M is 17"),
        ("M != 17", "needs M != 17, but M is 17"),
        ("K >= TM", "needs K >= TM, but K is 5 and TM is 8"),
        ("K <= 4", "needs K <= 4, but K is 5"),
        ("BM % TM == 0", "needs BM to be a multiple of TM, but BM is 20 and TM is 8"),
        ("N % 4 == 0", "needs N to be a multiple of 4, but N is 33"),
        ("(M + N) % 4 == 0", "needs M + N to be a multiple of 4, but 17 + 33 = 50"),
        ("N % 4 == 2", "needs N % 4 = 2, but 33 % 4 = 1"),
        ("is_power_of_two(F)", "needs F to be a power of two, but F is 3"),
        ("is_power_of_two(F * TM)", "needs F * TM to be a power of two, but 3 * 8 = 24"),
        ("TILE * TILE <= max_threads_per_block", "needs TILE * TILE <= 256 threads, but 32 * 32 = 1024"),
        ("TILE * F <= min(64, max_threads_per_block)", "needs TILE * F <= 64 threads, but 32 * 3 = 96"),
        ("max_grid_x >= BM", "needs 7 blocks in x >= BM, but BM is 20"),
        ("N <= max_grid_y", "needs N <= 3 blocks in y, but N is 33"),
        (
            "64 * ceil_div(N, 2) <= shared_bytes_per_block",
            "needs 64 * ceil(N / 2) <= 1024 bytes of shared memory, but 64 * ceil(33 / 2) = 1088",
        ),
        ("M == 1 and N == 1", "needs M = 1 and N = 1, but M is 17 and N is 33"),
        ("M == 17 and N == 1", "needs N = 1, but N is 33"),
        ("M == 1 and M % (F - 3) == 0", "needs M = 1, but M is 17"),
        ("M == 1 or M == 2", "needs M = 1 or M = 2, but M is 17"),
        ("(M == 1 or N == 1) and K == 1", "needs (M = 1 or N = 1) and K = 1, but M is 17 and N is 33 and K is 5"),
        ("1 <= M <= 4", "needs 1 <= M <= 4, but M is 17"),
        (
            "TM if M < N else BM - 20",
            "needs TM if M < N else BM - 20, but TM is 8 and M is 17 and N is 33 and BM is 20",
        ),
        ("1 == 2", "needs 1 = 2"),
        (
            "(BM != 20) + (TM != 4) <= 0 or BM == 32 and TM == 4",
            "needs none of BM and TM to differ from 20 and 4, or BM = 32, but TM is 8",
        ),
        (
            "(BM != 64) + (TM != 4) + (F != 3) <= 1 or BM == 32 and TM == 4 and F == 5 "
            "or BM == 32 and TM == 2 and F == 3",
            "needs at most 1 of BM, TM and F to differ from 64, 4 and 3, or BM = 32 and F = 5, or BM = 32 and TM = 2, "
            "but BM is 20 and TM is 8",
        ),
    ],
)
def test_that_a_rule_says_what_it_needs_and_what_there_is(rule: str, words: str) -> None:
    assert needs(rule, NAMES) == words


RULES = sorted({constraint.rule for kernel in load_catalogue().kernels for constraint in kernel.constraints})
BREAKING = NAMES | {
    "K": 9999,
    "GROUP": 999,
    "GROUP_X": 99,
    "GROUP_Y": 99,
    "THREAD": 99,
    "THREADS": 99,
    "BN": 990,
    "BK": 99,
    "TN": 7,
    "STAGES": 9,
}


@pytest.mark.parametrize("rule", RULES)
def test_that_every_rule_of_the_catalogue_reads_as_a_sentence(rule: str) -> None:
    assert not evaluate(rule, BREAKING), "these numbers must break every rule"
    wanted, _, found = needs(rule, BREAKING).partition(", but ")
    assert wanted.startswith("needs ")
    assert any(digit in found for digit in "0123456789"), found
    for jargon in ("==", "%", "ceil_div", "is_power_of_two", "_per_block"):
        assert jargon not in wanted + found


def test_that_a_part_that_was_never_asked_has_no_value() -> None:
    rule = "K == 0 or (K == 2 and M // (K - 5) > 3)"
    assert evaluate(rule, NAMES) is False
    assert needs(rule, NAMES).endswith(", but K is 5")
