"""What the fields of a session may hold: types with a range, which the codec holds to when it reads a file.

A dataclass writes `compile_ms: Milliseconds`. In the program that is a float; a file in which it is 1e308, -1 or nan is
refused, and the message names the field.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray

YEAR_S = 366 * 86_400
EXACT = 2**53
"""Up to here every whole number is a float64 as well."""


@dataclass(frozen=True, slots=True)
class Range:
    """Numbers from `least` to `most`, alone or in a column; nan and infinity only where that is said.

    `what` stands in the message: "-1.0 is no time in ms".
    """

    what: str
    least: float
    most: float
    may_be_nan: bool = False
    may_be_infinite: bool = False

    def fault(self, value: Any) -> str:
        """What is wrong with a number or a column; "" if nothing."""
        if hasattr(value, "dtype"):
            return self._fault_of_column(value)
        if isinstance(value, float) and math.isnan(value):
            is_right = self.may_be_nan
        elif isinstance(value, float) and math.isinf(value):
            is_right = self.may_be_infinite and (value > 0 or self.least < 0)
        else:
            is_right = self.least <= value <= self.most
        return "" if is_right else f"{value if isinstance(value, float) else _short(value)} is not a valid {self}"

    def _fault_of_column(self, column: NDArray[Any]) -> str:
        import numpy as np  # columns alone need it: what a command imports to give help does not

        with np.errstate(invalid="ignore", over="ignore"):  # of float32, and limits that it does not reach
            is_right = (column >= self.least) & (column <= self.most)
        if column.dtype.kind == "f":
            is_endless = np.isinf(column) & ((column > 0) | (self.least < 0))
            is_right &= np.isfinite(column)
            is_right |= (is_endless & self.may_be_infinite) | (np.isnan(column) & self.may_be_nan)
        if is_right.all():
            return ""
        place = int(np.argmin(is_right))
        return f"element {place} is {column[place]}, not a valid {self}"

    def __str__(self) -> str:
        return f"{self.what} from {self.least:g} to {self.most:g}"


@dataclass(frozen=True, slots=True)
class Moment:
    """A time in ISO 8601, or "" where none is known."""

    def fault(self, value: str) -> str:
        """What is wrong with a text; "" if nothing."""
        if not value:
            return ""
        try:
            year = datetime.fromisoformat(value).replace(tzinfo=UTC).year
        except ValueError:
            return f"{value[:40]!a} is not a time in ISO 8601"
        return "" if 1970 <= year <= 2200 else f"{value[:40]!a} is not a time from 1970 to 2200"


@dataclass(frozen=True, slots=True)
class Length:
    """A text of at most so many characters."""

    most: int

    def fault(self, value: str) -> str:
        """What is wrong with a text; "" if nothing."""
        return "" if len(value) <= self.most else f"a text of {len(value)} characters: at most {self.most} are allowed"


Limit = Range | Moment | Length

LONGEST_TEXT = Length(2**16)
"""Of a text that says nothing else."""


def _short(value: int) -> str:
    return str(value) if value.bit_length() < 128 else f"a number of {value.bit_length()} bits"


TIME_MS = Range("time in ms", 0, 1e3 * YEAR_S)
RATIO = Range("error", 0, 1e100, may_be_nan=True, may_be_infinite=True)
ELEMENT = Range("element of a matrix", -1e100, 1e100, may_be_nan=True, may_be_infinite=True)

Milliseconds = Annotated[float, TIME_MS]
Seconds = Annotated[float, Range("time in s", 0, YEAR_S)]
RelativeError = Annotated[float, RATIO]
"""A quotient; infinite or nan where C is, or where it is divided by 0."""
ErrorBound = Annotated[float, Range("bound of an error", 0, 1e30)]
ElementValue = Annotated[float, ELEMENT]

Count = Annotated[int, Range("count", 0, EXACT)]
PositiveCount = Annotated[int, Range("count", 1, EXACT)]
Bytes = Annotated[int, Range("number of bytes", 0, 2**64)]
DeviceLimit = Annotated[int, Range("limit of a device", 0, 2**64)]
"""Some drivers tell the largest number there is where they know no limit."""
Extent = Annotated[int, Range("size", 1, 2**32)]
"""Of a grid, a block or a cluster along one axis."""
Index = Annotated[int, Range("index", 0, 2**53)]
Line = Annotated[int, Range("line", 0, 2**31)]
"""0 where none is known."""
Dimension = Annotated[int, Range("dimension", 0, 2**31)]
ElementBytes = Annotated[int, Range("size of an element in bytes", 1, 2**16)]
ParameterValue = Annotated[int, Range("value of a parameter", -(2**63), 2**63)]
Seed = Annotated[int, Range("seed", 0, 2**63)]
VirtualAddress = Annotated[int, Range("address", 0, 2**62)]

ArchitectureName = Annotated[str, Length(40)]
"""Of a GPU, as its vendor's compilers call it."""
Timestamp = Annotated[str, Moment()]
SourceText = Annotated[str, Length(2**25)]
Printed = Annotated[str, Length(2**21)]
"""What a kernel printed."""
Reason = Annotated[str, Length(2**20)]
