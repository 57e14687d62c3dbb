"""The request that a page shows, for the panel beside it."""

from __future__ import annotations

from dataclasses import dataclass

from gemmviz.domain.terms import Evidence
from gemmviz.explain.requests.request_choice import LaneRequest
from gemmviz.trace.model.wavefronts import SharedCost


@dataclass(frozen=True, slots=True, eq=False)
class RequestInFront:
    """The request that *Banks* or *Sectors* shows: what is said of it there, what its banks cost in the layout that is
    tried, and where it comes from.
    """

    request: LaneRequest
    said: str
    near: SharedCost
    evidence: Evidence
