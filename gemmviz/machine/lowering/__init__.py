"""Turns PTX statements into LLVM IR for 32 lanes at once."""

from gemmviz.machine.lowering import (
    async_copies,
    atomics,
    barriers,
    bits,
    comparisons,
    conversions,
    floats,
    integers,
    mbarriers,
    memory,
    stack,
    warp_wide,
)

__all__ = [
    "async_copies",
    "atomics",
    "barriers",
    "bits",
    "comparisons",
    "conversions",
    "floats",
    "integers",
    "mbarriers",
    "memory",
    "stack",
    "warp_wide",
]
