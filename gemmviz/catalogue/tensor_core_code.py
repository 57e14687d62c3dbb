"""Whether a source uses tensor cores."""

from __future__ import annotations

import re

_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
_INSTRUCTION = re.compile(r"\b(?:wmma|mma|wgmma|tcgen05)\b|\bmma_sync\b|\bnvcuda\b")


def has_tensor_core_code(text: str) -> bool:
    """Whether a text in CUDA C or PTX names an instruction of tensor cores, or the library for them, in its code. What
    an included file does is not looked at: the PTX machine names it when it compiles it.
    """
    return _INSTRUCTION.search(_COMMENT.sub(" ", text)) is not None
