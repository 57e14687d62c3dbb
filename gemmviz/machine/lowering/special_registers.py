"""Special registers: PTX ISA, "Special Registers"."""

from __future__ import annotations

from gemmviz.machine import layout
from gemmviz.machine.emitter import Value
from gemmviz.machine.lowering.context import I32, I64, Lowering
from gemmviz.machine.lowering.memory import reserved_offset
from gemmviz.machine.ptx.parse import Statement

_TRIPLES = {"ctaid": layout.BLOCK_INDEX, "ntid": layout.BLOCK_SHAPE, "nctaid": layout.GRID_SHAPE}
_ONE_BLOCK = {"clusterid": "ctaid", "nclusterid": "nctaid"}
"""A launch without clusters has one block in each."""
_CONSTANTS = {
    "cluster_ctarank": 0,
    "cluster_nctarank": 1,
    "gridid": 0,
    "smid": 0,
    "nsmid": 1,
    "is_explicit_cluster": 0,
    "envreg1": 0,
    "envreg2": 0,
}
"""The environment registers 1 and 2 are the address of what blocks of a cooperative launch share. There is none, so
that `this_grid().is_valid()` is false, as it is on a GPU after an ordinary launch.
"""
_LANES = "<" + ", ".join(f"i32 {lane}" for lane in range(32)) + ">"
_MASKS = {
    "lanemask_eq": [1 << lane for lane in range(32)],
    "lanemask_le": [(2 << lane) - 1 for lane in range(32)],
    "lanemask_lt": [(1 << lane) - 1 for lane in range(32)],
    "lanemask_ge": [0xFFFFFFFF >> lane << lane for lane in range(32)],
    "lanemask_gt": [0xFFFFFFFE << lane & 0xFFFFFFFF for lane in range(32)],
}


def special(low: Lowering, name: str, statement: Statement) -> Value:
    """What a special register holds, in each lane.

    Raises:
        NotImplementedInMachineError: the machine has no such register.
    """
    emit = low.emit
    word, _, part = name.removeprefix("%").partition(".")
    word = _ONE_BLOCK.get(word, word)
    if part in {"x", "y", "z"}:
        number = "xyz".index(part)
        if word == "tid":
            return emit.load(I32, emit.at(low.state, layout.TIDS + 128 * number), 64)
        if word in _TRIPLES:
            return emit.splat(low.block_field(_TRIPLES[word] + 4 * number))
        if word in {"cluster_ctaid", "cluster_nctaid"}:
            return emit.constant(I32, int(word == "cluster_nctaid"))
    if word == "laneid":
        return Value(I32, _LANES)
    if word in _MASKS:
        return Value(I32, "<" + ", ".join(f"i32 {mask}" for mask in _MASKS[word]) + ">")
    if word == "warpid":
        return emit.splat(emit.load("i32", emit.at(low.state, layout.WARP_NUMBER)))
    if word == "nwarpid":
        return emit.splat(low.block_field(layout.WARPS))
    if word in {"dynamic_smem_size", "total_smem_size"}:
        return emit.splat(low.block_field(layout.DYNAMIC_SHARED_BYTES if word.startswith("d") else layout.SHARED_BYTES))
    if word == "reserved_smem_offset_1":
        return emit.splat(emit.cast("trunc", reserved_offset(low), "i32"))
    if word in _CONSTANTS:
        return emit.constant(I32, _CONSTANTS[word])
    if word in {"clock", "clock64", "clock_hi", "globaltimer", "globaltimer_lo"}:
        count = emit.splat(emit.load("i64", emit.at(low.state, layout.INSTRUCTIONS)))
        if word == "clock_hi":
            count = emit.binary("lshr", count, emit.constant(I64, 32))
        return count if word in {"clock64", "globaltimer"} else emit.cast("trunc", count, I32)
    return low.refuse(statement, f"{name} is not known")
