"""What a call computes besides the product: alpha·A·B + beta·C0, with C0 as the launch finds C."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.kernels.call import Call
from gemmviz.domain.operands import Operands
from gemmviz.domain.stored import rounded
from gemmviz.domain.terms import Element, InitialC
from gemmviz.measure.check.reference import Reference


@dataclass(frozen=True, slots=True, eq=False)
class Combination:
    """alpha, beta and C0 as it is stored, of shape (M, N); C0 is None where nothing of it is added."""

    alpha: float = 1.0
    beta: float = 0.0
    c: NDArray[Any] | None = None

    @classmethod
    def of(cls, call: Call, operands: Operands) -> Combination:
        """What a call computes."""
        adds = call.beta != 0.0 and call.c_begins is InitialC.RANDOM
        return cls(call.alpha, call.beta, rounded(operands.random_c(), call.storage("C").element) if adds else None)

    @property
    def is_plain(self) -> bool:
        """Whether it is the product alone."""
        return self.alpha == 1.0 and self.c is None

    def reference(self, product: Reference) -> Reference:
        """R = alpha·A·B + beta·C0 and G = |alpha|·|A|·|B| + |beta|·|C0| from those of the product. Each term takes two
        roundings more than a product's: that of its factor, and that of the sum.
        """
        if self.is_plain:
            return product
        r, g = self.alpha * product.r, abs(self.alpha) * product.g
        if self.c is not None:
            r += self.beta * self.c.astype(np.float64)
            g += abs(self.beta) * np.abs(self.c).astype(np.float64)
        return Reference(r, g, product.k, roundings=product.k + MORE_ROUNDINGS)


MORE_ROUNDINGS = 2


def operands_as_stored(call: Call, operands: Operands) -> Operands:
    """A and B as a kernel finds them: rounded where they are stored in fewer bits; the same operands where not."""
    few = (Element.HALF, Element.BFLOAT16)
    a, b = (
        rounded(matrix, element) if (element := call.storage(name).element) in few else matrix
        for name, matrix in (("A", operands.a), ("B", operands.b))
    )
    return operands if a is operands.a and b is operands.b else replace(operands, a=a, b=b)
