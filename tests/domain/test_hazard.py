"""What hazards are called where a person reads of them."""

from __future__ import annotations

from gemmviz.domain.hazard import HazardKind


def test_that_hazards_have_the_names_of_the_glossary() -> None:
    assert [kind.words for kind in HazardKind] == [
        "out of bounds", "race", "uninitialised read", "divergent barrier", "race between blocks",
        "asynchronous copy not waited for", "misaligned",
    ]  # fmt: skip
