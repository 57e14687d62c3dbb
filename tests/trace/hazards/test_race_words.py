"""A race in one sentence."""

from __future__ import annotations

from dataclasses import replace

from gemmviz.domain.recordings.access import AccessKind, AccessPath, Site, Space
from gemmviz.trace.hazards.race_words import race_words


def test_that_a_race_with_an_asynchronous_copy_says_so() -> None:
    copy, load = (
        Site(n, 5 + n, 1, "s[0]", Space.SHARED, kind, 4, "s", path=path)
        for n, (kind, path) in enumerate(
            [(AccessKind.STORE, AccessPath.ASYNC_COPY), (AccessKind.LOAD, AccessPath.LOAD_STORE)]
        )
    )
    told = race_words(copy, load, (0, 1), "s[0]")
    assert "thread 1 reads s[0] (line 6) while thread 0 asynchronously writes it (line 5)" in told
    assert told != race_words(replace(copy, path=AccessPath.LOAD_STORE), load, (0, 1), "s[0]")
