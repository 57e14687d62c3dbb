"""What a person is told to do about the hazards of a kernel whose results are right."""

from __future__ import annotations

import pytest

from gemmviz.adopt.description import Description, FoundHazard
from gemmviz.adopt.words import remedy_words
from gemmviz.domain.kernels.call import Storage
from gemmviz.domain.recordings.hazard import HazardKind


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        (HazardKind.RACE, "Separate the two accesses by a barrier, and look again."),
        (
            HazardKind.BLOCK_RACE,
            "No barrier orders blocks: write to another array, or in a second launch, and look again.",
        ),
        (HazardKind.MISALIGNED, "Mend the line, and look again."),
    ],
)
def test_that_the_remedy_fits_the_hazard(kind: HazardKind, words: str) -> None:
    storages = (Storage(), Storage(), Storage(), Storage())
    hazards = (FoundHazard(kind, (8,), "a sentence"),)
    assert remedy_words(Description("mm", (), (), ("A", "B", "C"), storages, ("16",), ("1",), hazards=hazards)) == words
