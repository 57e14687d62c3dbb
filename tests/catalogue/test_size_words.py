"""The rules of a description about sizes, in words."""

from __future__ import annotations

import pytest

from gemmviz.catalogue.size_words import size_words

NAMES = {"M": 64, "N": 64, "K": 64, "TILE": 16, "shared_bytes_per_block": 4096}


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        ([], ""),
        (["TILE * TILE <= 1024"], ""),
        (["N <= 99"], "N at most 99"),
        (["99 >= N"], "N at most 99"),
        (["M == N", "M == K"], "M = N = K"),
        (["M == N and N == K", "M % 16 == 0"], "M = N = K, M in multiples of 16"),
        (["M == N", "K == 8"], "M = N, K = 8"),
        (["M == 1", "N == 1"], "M = N = 1"),
        (["M % TILE == 0", "N % TILE == 0", "K % 8 == 0"], "M and N in multiples of 16, K in multiples of 8"),
        (["1 <= K <= 4 * TILE"], "K at least 1, K at most 64"),
        (["16 * ceil_div(K, 4) <= shared_bytes_per_block"], "16 * ceil_div(K, 4) at most 4096"),
        (["is_power_of_two(K)"], "K a power of two"),
        (["K == 1 or K % 4 == 0"], "K = 1 or K in multiples of 4"),
        (["M % 4 == 2"], "M % 4 == 2"),
        (["M != 3"], "M other than 3"),
        (["M < N"], "M below N"),
    ],
)
def test_that_rules_about_sizes_are_told_with_their_numbers(rules: list[str], words: str) -> None:
    assert size_words(rules, NAMES) == words
