"""By how much the totals of two blocks differ."""

from __future__ import annotations

import pytest

from gemmviz.explain.block.running_totals import TotalsSoFar
from gemmviz.explain.block.totals_ratios import EXCESS, LOADS, MOVED, TotalsRatio, part_words, totals_ratios

NAIVE = TotalsSoFar(loads=16384, sectors=1056)
TILED = TotalsSoFar(loads=1024, sectors=160, wavefronts=272)


def test_that_a_ratio_says_which_block_needs_what_part_of_what() -> None:
    loads, moved = totals_ratios(TILED, NAIVE)
    assert loads == TotalsRatio(0, "a sixteenth", "of the values loaded from global memory", LOADS)
    assert moved == TotalsRatio(0, "15 %", "of the bytes moved", MOVED)
    assert [each.place for each in totals_ratios(NAIVE, TILED)] == [1, 1]


def test_that_nothing_is_said_of_figures_that_are_alike_or_not_there_yet() -> None:
    assert totals_ratios(NAIVE, NAIVE) == ()
    assert totals_ratios(TotalsSoFar(), NAIVE) == ()
    assert totals_ratios(TotalsSoFar(loads=1000), TotalsSoFar(loads=1001)) == ()


@pytest.mark.parametrize(
    ("excess", "part", "words"),
    [(0, "no", "excess wavefronts instead of 992"), (31, "1/32", "of the excess wavefronts")],
)
def test_that_bank_conflicts_of_two_kernels_with_shared_memory_are_compared(excess: int, part: str, words: str) -> None:
    conflicts = TotalsSoFar(loads=1024, sectors=160, wavefronts=1264, excess_wavefronts=992)
    padded = TotalsSoFar(loads=1024, sectors=160, wavefronts=272, excess_wavefronts=excess)
    assert totals_ratios(conflicts, padded) == (TotalsRatio(1, part, words, EXCESS),)
    assert totals_ratios(conflicts, TotalsSoFar(loads=1024, sectors=160)) == ()


def test_that_wavefronts_of_the_ptx_are_no_ratio_where_those_of_a_gpu_are_others() -> None:
    conflicts = TotalsSoFar(loads=1024, sectors=160, wavefronts=1264, excess_wavefronts=992, is_of_ptx=True)
    padded = TotalsSoFar(loads=1024, sectors=160, wavefronts=272, excess_wavefronts=31)
    assert totals_ratios(conflicts, padded) == totals_ratios(padded, conflicts) == ()
    line = conflicts.lines[-1]
    assert line.words.startswith("excess wavefronts in PTX, of ")
    assert line.words.endswith("; SASS differs")
    assert "SASS" not in padded.lines[-1].words


@pytest.mark.parametrize(
    ("low", "high", "words"),
    [
        (1, 2, "half"),
        (8, 24, "a third"),
        (128, 1024, "an eighth"),
        (16, 112, "a seventh"),
        (1, 16, "a sixteenth"),
        (1, 17, "1/17"),
        (1, 4096, "1/4\u202f096"),
        (2, 3, "67 %"),
        (10, 11, "91 %"),
        (2, 1001, "0.2 %"),
        (1000, 2004, "half"),
    ],
)
def test_that_a_part_has_a_name_or_is_a_percentage(low: int, high: int, words: str) -> None:
    assert part_words(low, high) == words
