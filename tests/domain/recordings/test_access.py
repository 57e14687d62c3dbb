"""What the units that make accesses are called where a person reads of them."""

from __future__ import annotations

from gemmviz.domain.recordings.access import AccessPath


def test_that_units_have_the_names_of_the_glossary() -> None:
    assert [path.words for path in AccessPath] == [
        "load/store",
        "asynchronous copy",
        "TMA",
        "tensor core",
        "warp tile",
        "atomic",
    ]
