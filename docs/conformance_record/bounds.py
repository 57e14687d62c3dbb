"""How far approximate functions may be from the exact result: PTX ISA 9.1, sections 9.7.3 and 9.7.4.

Where the manual counts units in the last place, one of float32's is 2^-23 of the number at most. It gives no bound for
`rsqrt.approx.f64`, which is computed in software, nor for the `.ftz` forms of `rcp` and `rsqrt` in float64, whose
results have 20 bits of fraction; these are held to one unit in the last place.
"""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Bound:
    """The larger of a relative and an absolute error, for arguments up to `most`.

    From there to `far_most` the absolute error is `far_absolute`. Nothing is promised beyond both.
    """

    relative: float = 0.0
    absolute: float = 0.0
    most: float = float("inf")
    far_absolute: float = 0.0
    far_most: float = 0.0


_ANGLE = Bound(0, 2.0**-20.5, 2 * math.pi, 2.0**-14.7, 100 * math.pi)
_POWERS = {"rcp": 23, "sqrt": 23, "rsqrt": 22.9, "ex2": 22, "div.approx": 22, "div.full": 22, "tanh": 11}
_POWERS |= {"rcp64": 20, "rsqrt64": 52, "rsqrt64ftz": 20, "ex2.f16": 9.9, "ex2.bf16": 7}
"""Relative errors as negative powers of 2."""
BOUNDS = {name: Bound(2.0**-power) for name, power in _POWERS.items()}
BOUNDS |= {"sin": _ANGLE, "cos": _ANGLE, "lg2": Bound(2.0**-22, 2.0**-22)}
BOUNDS |= {"tanh.f16": Bound(0, 2.0**-10.987), "tanh.bf16": Bound(0, 2.0**-8)}
"""By the names that forms give."""
