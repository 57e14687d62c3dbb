"""Functions of CUDA that NVIDIA's compiler cannot compile as written (`-G`): kernels with them have one form only."""

from __future__ import annotations

import re

from gemmviz.catalogue.kernel_functions import plain_text

UNSUPPORTED = "unsupported operation"
"""What NVRTC says, without a place, where it has no form of a function for `-G`."""
_CALL = re.compile(r"\b(?:__dp4a|__dp2a_lo|__dp2a_hi)\b(?=\s*\()")


def unwritten_call(text: str) -> tuple[str, int] | None:
    """The first call of such a function in a source, and its line; None without one."""
    plain = plain_text(text)
    found = _CALL.search(plain)
    return (found[0], plain.count("\n", 0, found.start()) + 1) if found is not None else None


def unwritten_words(text: str) -> str:
    """Why a kernel of this text is recorded as compiled only; "" if it can be recorded as written."""
    found = unwritten_call(text)
    if found is None:
        return ""
    return f"NVIDIA's compiler cannot compile {found[0]} (line {found[1]}) as written (-G): recorded as compiled only."
