"""Hazards that may only be there because something was not recorded."""

from __future__ import annotations

import pytest

from gemmviz.domain.recordings.access import AccessKind, Site, Space
from gemmviz.domain.recordings.hazard import Hazard, HazardKind
from gemmviz.trace.hazards.findings import ANY
from gemmviz.trace.hazards.hazards import without_doubtful
from gemmviz.trace.recorded_code import RecordedCode

SITES = tuple(
    Site(index, 3 + index, 1, f"{array}[t]", Space.SHARED, AccessKind.LOAD, 4, array)
    for index, array in enumerate(("s", "q", ""))
)


def hazard(kind: HazardKind, *sites: int) -> Hazard:
    return Hazard(kind, 3, "s[t]", (0, 0, 0), (0,), 0, 1, "", sites)


@pytest.mark.parametrize(("hidden", "left"), [({"s"}, [1]), ({"q"}, [0]), ({ANY}, []), (set(), [0, 1, 2])])
def test_that_what_may_be_written_unseen_is_not_unwritten(hidden: set[str], left: list[int]) -> None:
    """Site 2 is a helper's, which may reach any array."""
    found = [hazard(HazardKind.UNWRITTEN_READ, index) for index in range(3)]
    code = RecordedCode(SITES, (), frozenset(hidden), "")
    assert without_doubtful(found, code) == tuple(found[index] for index in left)
    races = [hazard(HazardKind.RACE, index) for index in range(3)]
    assert without_doubtful(races, code) == tuple(races)
