"""A race in one sentence."""

from __future__ import annotations

from dataclasses import replace

from gemmviz.domain.recordings.access import AccessKind, AccessPath, Site, Space
from gemmviz.trace.hazards.race_words import equal_words, race_words


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


def test_that_a_plain_access_beside_an_atomic_one_may_be_what_is_wrong() -> None:
    read, add = (
        Site(n, 5 + n, 1, "s[0]", Space.SHARED, kind, 4, "s", path=path)
        for n, (kind, path) in enumerate(
            [(AccessKind.LOAD, AccessPath.LOAD_STORE), (AccessKind.STORE, AccessPath.ATOMIC)]
        )
    )
    advice = "or the plain read beside the atomic one must be volatile or atomic as well"
    assert race_words(read, add, (0, 1), "s[0]").endswith(advice)
    assert advice not in race_words(replace(read, is_strong=True), add, (0, 1), "s[0]")
    assert advice not in race_words(read, replace(add, path=AccessPath.LOAD_STORE), (0, 1), "s[0]")


def test_that_a_race_within_one_warp_says_that_lock_step_is_no_guarantee() -> None:
    store, load = (
        Site(n, 5 + n, 1, "s[0]", Space.SHARED, kind, 4, "s")
        for n, kind in enumerate((AccessKind.STORE, AccessKind.LOAD))
    )
    within = "; both are in warp 1; a barrier between"
    assert within in race_words(store, load, (32, 63), "s[0]")
    assert "warp" not in race_words(store, load, (31, 32), "s[0]")
    assert "lock-step" not in equal_words(race_words(store, replace(store, index=1, line=6), (32, 63), "s[0]"))
