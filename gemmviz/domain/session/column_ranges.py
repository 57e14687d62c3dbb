"""What the columns of a session may hold, as `field_ranges` says it for single figures."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.session.field_ranges import ELEMENT, EXACT, RATIO, TIME_MS, YEAR_S, Range

MillisecondsColumn = Annotated[NDArray[np.float64], TIME_MS]
PartsColumn = Annotated[NDArray[np.float64], Range("time in ms", 0, 1e3 * YEAR_S, may_be_nan=True)]
"""Times of parts; nan where a part was not timed on its own."""
GaugesColumn = Annotated[NDArray[np.float64], Range("reading of a gauge", -300, 2.0**63)]
ErrorColumn = Annotated[NDArray[np.float32], RATIO]
ElementColumn = Annotated[NDArray[np.float32], ELEMENT]
CountColumn = Annotated[NDArray[np.int64], Range("count", 0, EXACT)]
AddressColumn = Annotated[NDArray[np.int64], Range("address", -(2**62), 2**62)]
"""Of accesses, out of bounds ones too; -1 of lanes that take no part."""
OriginColumn = Annotated[NDArray[np.int64], Range("origin", -4, EXACT)]
MatrixColumn = Annotated[NDArray[np.int8], Range("matrix", -128, 127)]
"""Means something only where there is an origin."""
SiteColumn = Annotated[NDArray[np.int32], Range("site", -1, 2**31)]
OrdinalColumn = Annotated[NDArray[np.int32], Range("number", 0, 2**31)]
LaneColumn = Annotated[NDArray[np.int64], Range("mask of lanes", 0, 2**32 - 1)]
NanosecondsColumn = Annotated[NDArray[np.int64], Range("time in ns", 0, EXACT)]
IndexColumn = Annotated[NDArray[np.int64], Range("index", 0, EXACT)]
CycleColumn = Annotated[NDArray[np.int64], Range("number of clock cycles", -EXACT, EXACT)]
"""Since a moment in a launch; below 0 before it."""
