"""What was found out about one kernel at one size, held against a library by pairs in balanced random order."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from gemmviz.domain.runs.result import FloatColumn, Summary, summarise
from gemmviz.domain.shape import Shape


@dataclass(frozen=True, slots=True, eq=False)
class Measured:
    """`kernel_ms` and `library_ms` have shape (n,), those of a pair at the same index; without a library the second is
    empty. `ratio` is the speed of the kernel over the library's, from `low` to `high` with 95 %; nan where there is
    none. `clock_mhz` and `throttled` have shape (n,) or (0,) and stand beside the kernel's samples.
    """

    kernel: str
    size: str
    arithmetic: str
    params: str
    against: str
    build: str
    kernel_ms: FloatColumn
    library_ms: FloatColumn
    ratio: float
    low: float
    high: float
    clock_mhz: FloatColumn
    throttled: FloatColumn
    registers: int
    occupancy: str
    error: float
    bound: float
    passed: bool
    method: str
    tried: int = 1

    @property
    def time(self) -> Summary:
        return summarise(self.kernel_ms)

    @property
    def tflops(self) -> float:
        median_ms = self.time.median
        return Shape.parse(self.size).flop / (median_ms * 1e9) if median_ms > 0 else float("inf")

    def as_dict(self) -> dict[str, Any]:
        """Everything, as JSON can hold it: columns as lists, nan as None."""
        return {name: _plain(value) for name, value in asdict(self).items()}


@dataclass(frozen=True, slots=True)
class NotMeasured:
    """A kernel without figures at a size, and why."""

    kernel: str
    size: str
    reason: str


Found = Measured | NotMeasured


def as_found(row: Mapping[str, Any]) -> Found:
    """What `as_dict` wrote, or the fields of a NotMeasured."""
    if "reason" in row:
        return NotMeasured(**row)
    fields: dict[str, Any] = {
        name: _column(value) if isinstance(value, list) else _number(value) for name, value in row.items()
    }
    return Measured(**fields)


def _column(values: list[float | None]) -> FloatColumn:
    return np.array([np.nan if one is None else one for one in values], np.float64)


def _number(value: Any) -> Any:
    return np.nan if value is None else value


def _plain(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return [_plain(one) for one in value.tolist()]
    return None if isinstance(value, float) and not np.isfinite(value) else value
