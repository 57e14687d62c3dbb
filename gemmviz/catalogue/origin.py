"""Where a kernel or a preset comes from, in words that say what its tutorials are."""

from __future__ import annotations

import re

_TUTORIALS = re.compile(r"tutorials? \d{3}(?:(?:,| and) \d{3})*")
_WHICH = "of the five that gemmviz grew from"


def origin_words(origin: str) -> str:
    """ "tutorial 002 of the five that gemmviz grew from, dot product"; other origins as they are."""
    return _TUTORIALS.sub(lambda found: f"{found[0]} {_WHICH}", origin.strip(), count=1)
