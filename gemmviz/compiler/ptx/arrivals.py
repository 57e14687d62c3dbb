"""Barriers at which some threads arrive and do not wait: what they order, the search for races does not follow."""

from __future__ import annotations

import re

_ARRIVE = re.compile(r"(?<![\w.])bar(?:rier)?(?:\.cta)?\.arrive\b")
UNFOLLOWED = "it uses bar.arrive, and what that orders is not followed"


def uses_arrivals(text: str) -> bool:
    """Whether a source, or its inline PTX, has `bar.arrive`, by which a warp hands shared memory to another one."""
    return _ARRIVE.search(text) is not None
