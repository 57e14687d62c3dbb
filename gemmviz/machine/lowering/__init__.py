"""Turns PTX statements into LLVM IR for 32 lanes at once."""

from gemmviz.machine.lowering import (
    atomics,
    barriers,
    bits,
    comparisons,
    conversions,
    floats,
    integers,
    memory,
    warp_wide,
)

__all__ = ["atomics", "barriers", "bits", "comparisons", "conversions", "floats", "integers", "memory", "warp_wide"]
