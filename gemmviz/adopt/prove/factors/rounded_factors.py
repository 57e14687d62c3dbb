"""Factors that a kernel rounds before it multiplies by them: alpha and beta that no coarser type can hold show it."""

from __future__ import annotations

import numpy as np

from gemmviz.adopt.description import FIRST_ALPHA, FIRST_BETA, Description
from gemmviz.adopt.prove.check import Checked, check
from gemmviz.adopt.prove.machine import CompiledKernel, array_of, values_in
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Element

_VALUES = (1 / 3, -2 / 3)
"""Of a factor: half, bfloat16, TF32 and float32 all round them."""
_COARSER = (
    ("half or TF32", Element.HALF),  # of such values the same: both have 11 bits
    ("bfloat16", Element.BFLOAT16),
    ("float32", Element.FLOAT32),
)


def fault_of_rounded_factors(kernel: CompiledKernel, description: Description, shape: Shape, limit_s: float) -> str:
    """What is wrong where alpha or beta is 1/3 or -2/3 in the type of its parameter, at a size at which the kernel is
    right else; "" for nothing. A kernel that is as exact as float32 with other factors must be so with these. Each run
    may take `limit_s` seconds.
    """
    words = [word for word in ("alpha", "beta") if word in description.arguments]
    if not words:
        return ""
    in_float32 = check(kernel, description, shape, limit_s, in_float32=True).is_right
    for word in words:
        element = kernel.types[description.arguments.index(word)].scalar.element

        def tried(given: float, meant: float, word: str = word) -> Checked:
            """What comes of one value where right is what another one gives."""
            own, other = ((one, FIRST_BETA) if word == "alpha" else (FIRST_ALPHA, one) for one in (given, meant))
            return check(kernel, description, shape, limit_s, 1, *own, in_float32=in_float32, meant=other)

        for value in () if element is None else (_held(one, element) for one in _VALUES):
            found = tried(value, value)
            if not found.is_right and not found.is_untold:
                why = f"at {shape} {found.fault}"
                name = next((one for one, to in _COARSER if tried(value, _held(value, to)).is_right), "")
                rounded = f"{word} is rounded to {name} before it multiplies: multiply by it as it is given ({why})"
                return rounded if name else f"{word} does not act as such: with {word} = {value:g} {why}"
    return ""


def _held(value: float, element: Element) -> float:
    """The value that a number of a type holds."""
    return float(values_in(array_of(np.array([value]), element, ""), element)[0])
