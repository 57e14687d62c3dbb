"""What a call computes besides the product: alpha·A·B + beta·C0, with C0 as the launch finds C."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.call import Call
from gemmviz.domain.operands import Operands
from gemmviz.domain.terms import InitialC
from gemmviz.measure.reference import Reference


@dataclass(frozen=True, slots=True, eq=False)
class Combination:
    """alpha, beta and C0, float32 of shape (M, N); C0 is None where nothing of it is added."""

    alpha: float = 1.0
    beta: float = 0.0
    c: NDArray[np.float32] | None = None

    @classmethod
    def of(cls, call: Call, operands: Operands) -> Combination:
        """What a call computes."""
        adds = call.beta != 0.0 and call.c_begins is InitialC.RANDOM
        return cls(call.alpha, call.beta, operands.random_c() if adds else None)

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
