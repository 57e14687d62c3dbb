"""What a device can do at most, measured: how fast it copies, multiplies and adds; the roofs of a roofline.

Williams, Waterman and Patterson, "Roofline: an insightful visual performance model", CACM 52 (2009). A roof here is
never a figure of a data sheet: it is what a small kernel reached on that device, at the clock it had.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from gemmviz.domain.device import Device
from gemmviz.domain.recordings.access import MappedArray, ideal_bytes
from gemmviz.domain.runs.gauges import NO_GAUGES, FloatColumn, Gauges
from gemmviz.domain.session.column_ranges import MillisecondsColumn
from gemmviz.domain.session.field_ranges import Milliseconds, PositiveCount, Timestamp
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Arithmetic, StopReason


class RoofKind(StrEnum):
    """What a roof bounds; `COPY` in bytes, the others in operations, a multiply-add being two."""

    COPY = "copy"
    FP32 = "fp32"
    TF32 = "tf32"
    BF16 = "bf16"

    @property
    def unit(self) -> str:
        return "GB/s" if self is RoofKind.COPY else "GFLOP/s"


@dataclass(frozen=True, slots=True, eq=False)
class Roof:
    """One roof: `samples_ms`, shape (n,), are the device's times of a launch that does `work` bytes or operations.

    `how` says in words what was launched, `instruction` what its inner loop consists of. `gauges` stand beside the
    samples, where the device has some.

    Raises:
        ValueError: there is no sample, a time is not positive, or the gauges are not those of the samples.
    """

    kind: RoofKind
    work: PositiveCount
    samples_ms: MillisecondsColumn
    how: str
    instruction: str
    build: str
    stopped_by: StopReason
    gauges: Gauges = NO_GAUGES

    def __post_init__(self) -> None:
        if self.samples_ms.ndim != 1 or not self.samples_ms.size or self.work <= 0:
            raise ValueError(f"the {self.kind} roof has no samples, or did no work")
        if not (np.isfinite(self.samples_ms).all() and (self.samples_ms > 0).all()):
            raise ValueError(f"a time of the {self.kind} roof is not positive")
        if self.gauges.count not in (0, self.samples_ms.size):
            raise ValueError(f"the {self.kind} roof has not a reading of the gauges for each sample")

    @property
    def rates(self) -> FloatColumn:
        """Of each sample, in GB/s or GFLOP/s (10^9)."""
        rates: FloatColumn = self.work / (self.samples_ms * 1e6)
        return rates

    @property
    def median(self) -> float:
        return float(np.median(self.rates))

    @property
    def iqr(self) -> float:
        first, third = np.percentile(self.rates, (25.0, 75.0))
        return float(third - first)

    @property
    def clock_mhz(self) -> float:
        """The median clock beside the samples; 0 where nobody can tell."""
        return float(np.median(self.gauges.clock_mhz)) if self.gauges.count else 0.0


@dataclass(frozen=True, slots=True)
class Roofs:
    """The roofs of one device, measured together; `finished` in ISO 8601, UTC.

    `floor_ms` is the time of a kernel that does nothing. `left_out` says of each kind that is missing why.
    """

    device: Device
    finished: Timestamp
    floor_ms: Milliseconds
    roofs: tuple[Roof, ...]
    left_out: tuple[str, ...] = ()

    def of(self, kind: RoofKind) -> Roof | None:
        return next((roof for roof in self.roofs if roof.kind is kind), None)


@dataclass(frozen=True, slots=True)
class Share:
    """Which part of which roof the operations 2·M·N·K of an arithmetic can reach: `kind` divided by `divisor`."""

    kind: RoofKind
    divisor: int = 1


_BOUNDED_BY = {
    Arithmetic.FP32: Share(RoofKind.FP32),
    Arithmetic.TF32: Share(RoofKind.TF32),
    Arithmetic.TF32X3: Share(RoofKind.TF32, 3),
    Arithmetic.BF16: Share(RoofKind.BF16),
}
"""Three TF32 products make one of `TF32X3`."""


def share_of(arithmetic: Arithmetic) -> Share | None:
    """What bounds an arithmetic; None for one that has no roof here."""
    return _BOUNDED_BY.get(arithmetic)


def compute_roof(roofs: Roofs, arithmetic: Arithmetic) -> float | None:
    """The most GFLOP/s (of 2·M·N·K) in an arithmetic; None where its roof was not measured."""
    share = share_of(arithmetic)
    roof = roofs.of(share.kind) if share is not None else None
    return roof.median / share.divisor if roof is not None and share is not None else None


def attainable(roofs: Roofs, arithmetic: Arithmetic, intensity: float) -> float | None:
    """min(compute roof, copy roof · intensity) in GFLOP/s, `intensity` in operations per byte; None if either is
    missing.
    """
    flat, copy = compute_roof(roofs, arithmetic), roofs.of(RoofKind.COPY)
    return min(flat, copy.median * intensity) if flat is not None and copy is not None else None


def ideal_bytes_in(arithmetic: Arithmetic, shape: Shape, computes: str = "", arrays: Sequence[MappedArray] = ()) -> int:
    """What it takes to read A and B, and C where it is added, and to write the result once, with elements as the
    `arrays` of a recording have them; `computes` as for `ideal_bytes`. Without arrays those of A and B have 2 bytes in
    bf16 and fp16, all have 8 in fp64, and any other has 4.
    """
    return ideal_bytes(arrays, shape, computes, arithmetic.operand_bytes, arithmetic.result_bytes)


def newest_roofs(measured: tuple[Roofs, ...], device: Device) -> Roofs | None:
    """The roofs of a device that were measured last. A device is known by its UUID, or else by id and name."""
    own = [roofs for roofs in measured if is_same_device(roofs.device, device)]
    return max(own, key=lambda roofs: roofs.finished) if own else None


def is_same_device(one: Device, other: Device) -> bool:
    """Whether both are the same device, by UUID, or else by id and name."""
    if one.gpu_facts.uuid or other.gpu_facts.uuid:
        return one.gpu_facts.uuid == other.gpu_facts.uuid
    return (one.id, one.name) == (other.id, other.name)
