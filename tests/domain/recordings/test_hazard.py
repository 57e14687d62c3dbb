"""What hazards are called where a person reads of them."""

from __future__ import annotations

import pytest

from gemmviz.domain.recordings.hazard import Hazard, HazardKind


def test_that_hazards_have_the_names_of_the_glossary() -> None:
    assert [kind.words for kind in HazardKind] == [
        "out of bounds",
        "race",
        "uninitialised read",
        "divergent barrier",
        "race between blocks",
        "possible race between blocks",
        "plain read of a value that blocks change atomically",
        "asynchronous copy not waited for",
        "misaligned",
    ]


@pytest.mark.parametrize(
    ("count", "blocks", "times", "where"),
    [
        (1, 1, "", "block 1,0"),
        (12, 1, "12 times", "block 1,0"),
        (576, 3, "576 times in 3 blocks", "first in block 1,0"),
        (576, 0, "576 times", "first in block 1,0"),
    ],
)
def test_that_it_is_said_how_many_blocks_have_a_hazard(count: int, blocks: int, times: str, where: str) -> None:
    """A recording of an older version does not know in how many."""
    hazard = Hazard(HazardKind.OUT_OF_BOUNDS, 15, "A[i]", (1, 0, 0), (3,), 0, count, "past the end", blocks=blocks)
    assert (hazard.times_words, hazard.block_words) == (times, where)


def test_that_the_warps_of_a_race_are_named() -> None:
    def words(kind: HazardKind, *threads: int) -> str:
        return Hazard(kind, 6, "s[i]", (0, 0, 0), threads, 0, 1, "").warp_words

    assert words(HazardKind.RACE, 0, 16) == "both in warp 0"
    assert words(HazardKind.RACE, 40, 3) == "warps 1 and 0"
    assert words(HazardKind.BLOCK_RACE, 40) == words(HazardKind.OUT_OF_BOUNDS, 40, 3) == ""
