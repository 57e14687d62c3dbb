"""How far the result of a kernel is off: by the full product where that was computed, else by a random projection."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gemmviz.catalogue.kernel import Kernel
from gemmviz.domain.kernels.call import Call
from gemmviz.domain.operands import Operands
from gemmviz.domain.runs.result import NO_ERROR_MAP, Accuracy, ErrorMap
from gemmviz.domain.terms import Element
from gemmviz.measure.check.accuracy import check, rounded_name
from gemmviz.measure.check.combination import Combination, operands_as_stored
from gemmviz.measure.check.error_map import error_map
from gemmviz.measure.check.freivalds import freivalds
from gemmviz.measure.check.reference import Reference, build_reference

Matrix = NDArray[np.float32]
"""Shape (M, N)."""


@dataclass(frozen=True, slots=True, eq=False)
class Exact:
    """A result to compare with element by element."""

    name: str
    c: Matrix


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """How far a result is off, and where."""

    accuracy: Accuracy
    error_map: ErrorMap


@dataclass(frozen=True, slots=True, eq=False)
class Expected:
    """What a result is held against: A and B as it is judged by, and their product; None where that costs too much."""

    operands: Operands
    are_rounded: bool
    product: Reference | None


def expected_of(kernel: Kernel, call: Call, operands: Operands, reference: Reference | None) -> Expected:
    """What the result of a call is held against. `reference` is the product of the operands as they are.

    A and B in half or bf16 are taken as they are stored, except where the header names the arithmetic of tensor cores,
    whose bound has their rounding in it.
    """
    taken = _taken(kernel, call, operands)
    if taken is operands or reference is None:
        return Expected(taken, taken is not operands, reference)
    return Expected(taken, True, build_reference(taken.a, taken.b))


def expected_product(kernel: Kernel, call: Call, operands: Operands) -> Expected:
    """The same where nobody has computed a product yet, which is computed once."""
    taken = _taken(kernel, call, operands)
    return Expected(taken, taken is not operands, build_reference(taken.a, taken.b))


def _taken(kernel: Kernel, call: Call, operands: Operands) -> Operands:
    return operands if kernel.names_tensor_core_arithmetic else operands_as_stored(call, operands)


def judge(
    kernel: Kernel, c: Matrix, call: Call, expected: Expected, unwritten: int, exact: Exact | None = None
) -> Judged:
    """How far the result of a call, shape (M, N), is off; so many of its elements nobody has written.

    A result that is no plain product is not compared with `exact`, the product of another kernel.
    """
    operands, result = expected.operands, call.storage(call.result).element
    combination = Combination.of(call, operands)
    if expected.product is None:
        rng = np.random.default_rng(operands.seed)
        found = freivalds(
            operands.a,
            operands.b,
            c,
            rng,
            arithmetic=kernel.arithmetic,
            combination=combination,
            result=result,
            inputs_are_exact=expected.are_rounded,
            unwritten=unwritten,
        )
        return Judged(found, NO_ERROR_MAP)
    reference = combination.reference(expected.product)
    others = exact if call.is_plain_product and result is Element.FLOAT32 and not expected.are_rounded else None
    with_what, name = (None, rounded_name(result)) if others is None else (others.c, others.name)
    accuracy = check(
        c,
        reference,
        with_what,
        name,
        kernel.arithmetic,
        result,
        inputs_are_exact=expected.are_rounded,
        unwritten=unwritten,
    )
    return Judged(accuracy, error_map(c, reference))
