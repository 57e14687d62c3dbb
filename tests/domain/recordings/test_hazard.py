"""What hazards are called where a person reads of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from gemmviz.domain.recordings.hazard import Hazard, HazardKind, by_gravity

GLOSSARY = Path(__file__).parents[3] / "docs" / "GLOSSARY.md"


@pytest.mark.parametrize("kind", HazardKind)
def test_that_a_hazard_has_a_name_of_the_glossary(kind: HazardKind) -> None:
    chapter = GLOSSARY.read_text(encoding="utf-8").partition("\n## Hazards\n")[2].partition("\n## ")[0]
    assert kind.words in [line.split(" | ")[0].removeprefix("| ") for line in chapter.splitlines()]


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


def test_that_races_across_warps_or_blocks_come_before_those_within_a_warp() -> None:
    def found(kind: HazardKind, *threads: int) -> Hazard:
        return Hazard(kind, 1, "", (0, 0, 0), threads, 0, 1, "")

    within, across = found(HazardKind.RACE, 0, 31), found(HazardKind.RACE, 0, 32)
    blocks, read = found(HazardKind.BLOCK_RACE, 0, 1), found(HazardKind.UNWRITTEN_READ, 0)
    outside = found(HazardKind.OUT_OF_BOUNDS, 3)
    assert by_gravity((within, read, across, outside, blocks)) == (across, outside, blocks, read, within)
