"""Launches whose brackets an editor took for operators and spaced: `kernel << <grid, block >> > (a, b)`."""

from __future__ import annotations

import re

_SPACED = re.compile(r"<<(?P<before>\s*)<(?P<launch>[^;<]*?(?:<[^;<>]*>[^;<]*?)*)>>(?P<behind>\s*)>(?=\s*\()")


def with_launches_joined(text: str) -> str:
    """The text with `<<<` and `>>>` in one piece, which nvcc takes as the same; lengths and lines stay as they are."""
    return _SPACED.sub(lambda one: f"<<<{one['before']}{one['launch']}>>>{one['behind']}", text)
