"""What instructions of PTX take: types, modifiers and numbers of operands of those that compute.

Source: NVIDIA, PTX ISA, "Instruction Set". An instruction that is not here is not checked.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

_SIZES = ("16", "32", "64")
_WHOLE = frozenset(f"{kind}{size}" for kind in "us" for size in _SIZES)
_SIGNED = frozenset(f"s{size}" for size in _SIZES)
_PACKED_WHOLE = frozenset({"u16x2", "s16x2"})
_BITS = frozenset(f"b{size}" for size in _SIZES)
_HALVES = frozenset({"f16", "f16x2", "bf16", "bf16x2"})
_FLOATS = frozenset({"f32", "f64", "f32x2"}) | _HALVES
_ROUNDINGS = frozenset({"rn", "rz", "rm", "rp"})
TYPE_BITS: Mapping[str, int] = {
    "pred": 1,
    **{f"{kind}{size}": size for kind in "busf" for size in (8, 16, 32, 64, 128)},
    "bf16": 16,
    "f16x2": 32,
    "bf16x2": 32,
    "u16x2": 32,
    "s16x2": 32,
    "f32x2": 64,
    "tf32": 32,
}
"""Every type, and the bits of a register that holds it."""


@dataclass(frozen=True, slots=True)
class InstructionForm:
    """What an instruction takes. `required` are modifiers of which it must have one, unless it has another type than
    those of `required_for`, () for all types.
    """

    counts: frozenset[int]
    types: frozenset[str]
    modifiers: frozenset[str] = frozenset()
    required: frozenset[str] = frozenset()
    required_for: frozenset[str] = frozenset()


def _form(
    counts: int | tuple[int, ...],
    types: frozenset[str],
    modifiers: str = "",
    required: frozenset[str] = frozenset(),
    required_for: frozenset[str] = frozenset(),
) -> InstructionForm:
    numbers = frozenset({counts} if isinstance(counts, int) else counts)
    return InstructionForm(numbers, types, frozenset(modifiers.split()) | required, required, required_for)


_COMPARISONS = "eq ne lt le gt ge lo ls hi hs equ neu ltu leu gtu geu num nan and or xor ftz"
_PARTS = frozenset({"lo", "hi", "wide"})
_FLOAT_MODIFIERS = "rn rz rm rp ftz sat"
FORMS: Mapping[str, InstructionForm] = {
    **dict.fromkeys(("add", "sub"), _form(3, _WHOLE | _PACKED_WHOLE | _FLOATS, f"{_FLOAT_MODIFIERS} cc")),
    "mul": _form(3, _WHOLE | _FLOATS, _FLOAT_MODIFIERS, _PARTS, _WHOLE),
    "mad": _form(4, _WHOLE | {"f32", "f64"}, f"{_FLOAT_MODIFIERS} cc", _PARTS, _WHOLE),
    "fma": _form(4, _FLOATS, "ftz sat relu oob", _ROUNDINGS),
    "div": _form(3, _WHOLE | {"f32", "f64"}, "ftz", _ROUNDINGS | {"approx", "full"}, frozenset({"f32", "f64"})),
    "rem": _form(3, _WHOLE),
    **dict.fromkeys(("min", "max"), _form((3, 4), _WHOLE | _PACKED_WHOLE | _FLOATS, "ftz NaN xorsign abs relu")),
    **dict.fromkeys(("abs", "neg"), _form(2, _SIGNED | _FLOATS, "ftz noftz")),
    **dict.fromkeys(("sqrt", "rcp"), _form(2, frozenset({"f32", "f64"}), "ftz", _ROUNDINGS | {"approx"})),
    "rsqrt": _form(2, frozenset({"f32", "f64"}), "ftz", frozenset({"approx"})),
    **dict.fromkeys(("sin", "cos", "lg2"), _form(2, frozenset({"f32"}), "ftz", frozenset({"approx"}))),
    **dict.fromkeys(("ex2", "tanh"), _form(2, _FLOATS, "ftz", frozenset({"approx"}))),
    **dict.fromkeys(("and", "or", "xor"), _form(3, _BITS | {"pred"})),
    "not": _form(2, _BITS | {"pred"}),
    "cnot": _form(2, _BITS),
    "shl": _form(3, _BITS),
    "shr": _form(3, _BITS | _WHOLE),
    "selp": _form(4, _BITS | _WHOLE | {"f32", "f64"}),
    "mov": _form(2, _BITS | _WHOLE | {"f32", "f64", "b128", "pred"}),
    "setp": _form((3, 4), _BITS | _WHOLE | _FLOATS, _COMPARISONS),
}
"""The instructions whose operands all have one type, but for the amount of a shift, predicates that select or are
set, and the result of a product that is twice as wide.
"""
COUNTS: Mapping[str, frozenset[int]] = {
    "ld": frozenset({2, 3}),
    "st": frozenset({2, 3}),
    "cvt": frozenset({2, 3, 4}),
    "cvta": frozenset({2}),
    "ret": frozenset({0}),
    "exit": frozenset({0}),
    "trap": frozenset({0}),
}
"""The numbers of operands of further instructions."""
SPECIAL_REGISTERS = (
    "tid|ntid|ctaid|nctaid|clusterid|nclusterid|cluster_ctaid|cluster_nctaid|cluster_ctarank|cluster_nctarank|"
    "is_explicit_cluster|laneid|warpid|nwarpid|smid|nsmid|gridid|lanemask_(?:eq|le|lt|ge|gt)|clock(?:_hi|64)?|pm\\d.*|"
    "envreg\\d+|globaltimer.*|reserved_smem_.*|total_smem_size|aggr_smem_size|dynamic_smem_size|current_graph_exec"
)
"""A pattern of the registers that nobody declares."""
