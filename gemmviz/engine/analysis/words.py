"""How a person hears of what Numba compiles once for all kernels. Loads no Numba."""

from __future__ import annotations

import re

COMPILING = "compiling the analysis"
"""How such words begin. It is no kernel's own time."""
_FUNCTIONS = re.compile(rf"{COMPILING}\b.*: function (\d+) of up to (\d+)")


def function_words(done: int, most: int) -> str:
    """How the words end while the number of functions is known: "function 32 of up to 51"."""
    return f"function {done} of up to {most}"


def functions_in(words: str) -> tuple[int, int] | None:
    """Which function of how many is compiled, as such words say; None where they are others, or do not tell."""
    found = _FUNCTIONS.search(words)
    return (int(found[1]), int(found[2])) if found is not None else None
