"""Whether a kernel's source sounds as if a size must be a power of two."""

from __future__ import annotations

import re

from gemmviz.adopt.source.kernels import FoundKernel

_MASK = re.compile(r"&=?\s*\(?\s*[A-Za-z_][\w.]*\s*-\s*1\b")
_LOGARITHMS = {"__clz", "__ffs", "__popc", "log2", "log2f", "ilogb", "ilogbf", "clz", "popcount"}
_HALVES = re.compile(r">>=\s*1\b|/=\s*2\b")


def takes_powers(text: str, kernel: FoundKernel) -> bool:
    """Whether a kernel takes a size less 1 as a mask, halves something again and again, or takes a logarithm to base
    2.
    """
    body = "\n".join(text.split("\n")[kernel.line - 1 : kernel.last_line])
    return bool(_MASK.search(body) or _HALVES.search(body) or _LOGARITHMS & kernel.words)
