"""Which errors the colours of a map stand for: up to the bound, or what is there if that is far below it. No Qt."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain import figures

DECADES = 3.0
"""The scale begins at most this many powers of ten below its end."""

FAR_BELOW = 0.1
"""The part of the bound below which all errors have to be for the colours to span only what is there."""

_LEAST_RATIO = 1.25
"""From pale to dark is at least this factor: smaller differences stay as pale as they are."""


@dataclass(frozen=True, slots=True)
class ErrorScale:
    """The errors from pale (`low`) to dark (`high`), evenly in their logarithm; `least` and `largest` are those there.

    `is_fitted` says that the colours span what is there, which is far below the bound; else `high` is the bound.
    """

    low: float
    high: float
    bound: float
    least: float = 0.0
    largest: float = 0.0
    is_fitted: bool = False

    @property
    def legend(self) -> tuple[str, ...]:
        """The errors that a legend names, evenly from pale to dark; the palest colour may be that of all below."""
        steps = 2 if self.is_fitted else int(DECADES)
        first, *others = (figures.plain(self.high / self._ratio ** (step / steps)) for step in range(steps, -1, -1))
        if not self.is_fitted:
            others[-1] = f"bound {others[-1]}"
        return f"≤ {first}" if self.least < self.low else first, *others

    @property
    def share_words(self) -> str:
        """How far below the bound all of it is: "1.8 % of the bound 4 096"."""
        return f"{figures.percent(self.largest / self.bound, 2)} of the bound {figures.plain(self.bound)}"

    @property
    def notes(self) -> tuple[str, ...]:
        """What has to be said about colours that do not reach to the bound."""
        if not self.is_fitted:
            return ()
        return (
            f"all errors are far below the bound, the largest at {self.share_words}: the colours end at that "
            "error, and differ from run to run",
        )

    def parts(self, values: NDArray[np.float32]) -> NDArray[np.float64]:
        """Errors as parts of the way from pale to dark, 0 to 1; shape as `values`."""
        with np.errstate(all="ignore"):
            part = np.log(values.astype(np.float64) / self.low) / math.log(self._ratio)
        parts: NDArray[np.float64] = np.clip(np.nan_to_num(part, nan=0.0, posinf=1.0, neginf=0.0), 0.0, 1.0)
        return parts

    @property
    def _ratio(self) -> float:
        return self.high / self.low if self.low > 0 else 10.0**DECADES


def scale_of(values: NDArray[np.float32], bound: float) -> ErrorScale:
    """Up to the bound where an error comes near it or is no number, else from the smallest to the largest error."""
    largest = float(values.max(initial=0.0))  # nan where there is one
    least = float(np.fmin.reduce(values, axis=None, initial=np.inf))
    if not 0.0 < largest < FAR_BELOW * bound:
        return ErrorScale(bound / 10.0**DECADES, bound, bound, least, largest)
    low = max(float(values[values > 0].min()), largest / 10.0**DECADES)
    middle = (low * largest) ** 0.5
    room = _LEAST_RATIO**0.5
    return ErrorScale(min(low, middle / room), max(largest, middle * room), bound, least, largest, is_fitted=True)
