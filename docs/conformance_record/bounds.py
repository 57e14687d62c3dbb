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
BOUNDS = {
    "rcp": Bound(2.0**-23), "sqrt": Bound(2.0**-23), "rsqrt": Bound(2.0**-22.9),
    "sin": _ANGLE, "cos": _ANGLE, "lg2": Bound(2.0**-22, 2.0**-22), "ex2": Bound(2.0**-22),
    "div.approx": Bound(2.0**-22), "div.full": Bound(2.0**-22),
    "rcp64": Bound(2.0**-20), "rsqrt64": Bound(2.0**-52), "rsqrt64ftz": Bound(2.0**-20), "tanh": Bound(2.0**-11),
    "tanh.f16": Bound(0, 2.0**-10.987), "tanh.bf16": Bound(0, 2.0**-8), "ex2.f16": Bound(2.0**-9.9),
    "ex2.bf16": Bound(2.0**-7),
}  # fmt: skip
"""By the names that forms give."""
