"""When values lie too far apart for an axis that begins at 0. No Qt."""

from __future__ import annotations

import math
from collections.abc import Iterable
from statistics import median

SPREAD = 50.0
"""From so many times the smallest value on, the smallest is a sliver on an axis from 0."""

SQUEEZE = 10.0
"""From so many times the median on, the largest value leaves half of the others a tenth of the axis."""


def needs_log(values: Iterable[float]) -> bool:
    """Whether values can only be compared on a logarithmic axis; what such an axis cannot hold does not count."""
    usable = [value for value in values if math.isfinite(value) and value > 0]
    if not usable:
        return False
    largest = max(usable)
    return largest > SPREAD * min(usable) or largest > SQUEEZE * median(usable)
