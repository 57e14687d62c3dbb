"""Which elements fall on which pixels, along one axis."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, floor

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class Bins:
    """Edges of bins of elements, shape (bins + 1,), and where they are drawn: from `start` to `stop`."""

    edges: NDArray[np.int64]
    start: float
    stop: float


def bins(begin: float, extent: float, elements: int, view: tuple[float, float], ratio: float = 1.0) -> Bins | None:
    """What of `elements`, drawn from `begin` over `extent`, is seen between the ends of `view`; None if nothing is.

    Elements larger than a pixel have a bin each; smaller ones share the bin of their pixel, of which `ratio` make one
    unit of length.
    """
    if elements <= 0 or extent <= 0:
        return None
    first, last = max(begin, view[0]), min(begin + extent, view[1])
    if first >= last:
        return None
    each = extent / elements
    if each * ratio >= 1.0:
        low = min(max(floor((first - begin) / each), 0), elements - 1)
        high = max(min(ceil((last - begin) / each), elements), low + 1)
        return Bins(np.arange(low, high + 1, dtype=np.int64), begin + low * each, begin + high * each)
    low, high = floor(first * ratio), ceil(last * ratio)
    edges = np.floor((np.arange(low, high + 1) / ratio - begin) / each).astype(np.int64)
    edges = np.clip(edges, 0, elements)
    edges[:-1] = np.minimum(edges[:-1], elements - 1)
    edges[-1] = max(int(edges[-1]), int(edges[-2]) + 1)
    return Bins(edges, low / ratio, high / ratio)
