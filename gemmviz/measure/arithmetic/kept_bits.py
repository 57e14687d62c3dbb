"""How many bits of an input reach the result, counted by probes of one product: for cuts that are no format's."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gemmviz.domain.shape import Shape
from gemmviz.measure.arithmetic.formats import FLOAT32
from gemmviz.measure.arithmetic.probes import SumProbe
from gemmviz.measure.arithmetic.probing import Launch


def kept_bits(found: Sequence[tuple[SumProbe, float]]) -> dict[str, int]:
    """Of A and of B, the significant bits of an element that the answers to the probes (1 + 2^-k)·1 and 1·(1 + 2^-k)
    keep, at most those of float32. An answer that differs within its row keeps none of the bits asked for.
    """
    kept = {"A": FLOAT32.bits, "B": FLOAT32.bits}
    for probe, value in found:
        if len(probe.terms) != 1:
            continue
        a, b = probe.terms[0]
        for name, x, one in (("A", a, b), ("B", b, a)):
            k = _place(x)
            if one == 1.0 and k and value != x:
                kept[name] = min(kept[name], k)
    return kept


def is_lost(launch: Launch, shape: Shape, name: str, k: int) -> bool:
    """Whether the last bit of 1 + 2^-k, alone in A or B, the other of which has a single 1, is not in C: what kernels
    add up before they multiply is then 0.
    """
    a, b = np.zeros((shape.m, shape.k), np.float32), np.zeros((shape.k, shape.n), np.float32)
    a[0, 0] = b[0, 0] = 1.0
    (a if name == "A" else b)[0, 0] += np.float32(2.0**-k)
    return float(launch(a, b)[0, 0]) != 1.0 + 2.0**-k


def _place(x: float) -> int:
    """The k of 1 + 2^-k; 0 for another number."""
    return next((k for k in range(1, FLOAT32.bits) if x == 1.0 + 2.0**-k), 0)
