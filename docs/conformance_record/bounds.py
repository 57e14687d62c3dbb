"""How far approximate functions may be from the exact result: PTX ISA 9.0, "Floating Point Instructions"."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Bound:
    """The larger of a relative and an absolute error, for arguments up to `most`; nothing is promised beyond it."""

    relative: float = 0.0
    absolute: float = 0.0
    most: float = float("inf")


BOUNDS = {
    "rcp": Bound(2.0**-23), "sqrt": Bound(2.0**-23), "rsqrt": Bound(2.0**-22.9),
    "sin": Bound(0, 2.0**-20.5, 6.2831), "cos": Bound(0, 2.0**-20.5, 6.2831),
    "lg2": Bound(2.0**-22, 2.0**-22), "ex2": Bound(2.0**-22), "div.approx": Bound(2.0**-22),
    "div.full": Bound(2.0**-22),
    "rcp64": Bound(2.0**-20), "rsqrt64": Bound(2.0**-52), "rsqrt64ftz": Bound(2.0**-20), "tanh": Bound(2.0**-11),
    "tanh.f16": Bound(0, 2.0**-10.987), "tanh.bf16": Bound(0, 2.0**-8), "ex2.f16": Bound(2.0**-9.9),
    "ex2.bf16": Bound(2.0**-7),
}  # fmt: skip
"""By the names that forms give."""
