"""Launches with more dynamic shared memory than a GPU gives a kernel for which host code has not asked for more."""

from __future__ import annotations

import re
from collections.abc import Sequence

from gemmviz.adopt.host_launch import OpenKind, OpenLaunch
from gemmviz.adopt.prove.host.launch_numbers import sizes_of
from gemmviz.adopt.prove.host.launch_terms import LaunchTerms
from gemmviz.catalogue.expressions import ExpressionError, evaluate_whole
from gemmviz.catalogue.gpus import STATIC_SHARED_BYTES
from gemmviz.domain.figures import count
from gemmviz.domain.shape import Shape

_ASKS = re.compile(r"(?i)max_?dynamic_?shared")
"""In host code that asks for more: `cudaFuncAttributeMaxDynamicSharedMemorySize`, and the driver's."""
_HIP = re.compile(r"\bhip[A-Z_]\w+")
"""Of AMD's runtime, to which the limit does not apply."""


def asks_for_more_shared(text: str) -> bool:
    """Whether a file asks for more dynamic shared memory than a kernel gets, or need not ask."""
    return _ASKS.search(text) is not None or _HIP.search(text) is not None


def over_shared_limit(terms: LaunchTerms, sizes: Sequence[Shape]) -> OpenLaunch | None:
    """That a launch needs more dynamic shared memory than a kernel gets unasked, at the smallest of the `sizes` where
    it does; None where it does not, or where the bytes are unknown. Source: CUDA C++ Programming Guide, "Shared
    Memory" of compute capabilities 7.x to 10.x.
    """
    for shape in sorted(sizes, key=lambda one: one.m * one.n * one.k):
        try:
            nbytes = evaluate_whole(terms.shared_bytes, sizes_of(shape)) if terms.shared_bytes else 0
        except ExpressionError:
            return None
        if nbytes > STATIC_SHARED_BYTES:
            at = "" if terms.shared_bytes.isdigit() else f" at {shape}"
            why = (
                f"needs {count(nbytes)} bytes of dynamic shared memory{at}, and a GPU refuses more than "
                f"{count(STATIC_SHARED_BYTES)} unless host code allows them before: call "
                "cudaFuncSetAttribute(…, cudaFuncAttributeMaxDynamicSharedMemorySize, …)"
            )
            return OpenLaunch(terms.launch.line, why, kind=OpenKind.NOT_ALLOWED)
    return None
