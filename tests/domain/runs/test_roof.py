"""Roofs: rates from times, which of them bounds a run, and that a file keeps them."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gemmviz.domain.device import Device, GpuFacts
from gemmviz.domain.recordings.access import MappedArray, Space
from gemmviz.domain.runs.gauges import NO_GAUGES, Gauges, Reading, gauges_of
from gemmviz.domain.runs.roof import (
    Roof,
    RoofKind,
    Roofs,
    attainable,
    compute_roof,
    ideal_bytes_in,
    newest_roofs,
)
from gemmviz.domain.session.session import Session, load_session, save_session
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Arithmetic, StopReason

FIXTURE = "a fixture, not measured"


def roof(kind: RoofKind, work: int, ms: tuple[float, ...] = (1.0, 2.0, 4.0), gauges: Gauges = NO_GAUGES) -> Roof:
    return Roof(kind, work, np.array(ms), FIXTURE, "none", "none", StopReason.STEADY, gauges)


def roofs_of(device: Device, finished: str = "2025-01-02T03:04:05Z") -> Roofs:
    """Copy 100 GB/s, fp32 1000 GFLOP/s, TF32 6000."""
    made = ((RoofKind.COPY, 2e8), (RoofKind.FP32, 2e9), (RoofKind.TF32, 1.2e10))
    return Roofs(device, finished, 0.002, tuple(roof(kind, int(work)) for kind, work in made), ("bf16: none",))


def test_that_a_rate_is_the_work_over_the_time_of_each_sample() -> None:
    found = roof(RoofKind.COPY, 4_000_000)
    assert found.rates.tolist() == [4.0, 2.0, 1.0]
    assert (found.median, found.iqr) == (2.0, 1.5)
    assert roof(RoofKind.FP32, 4_000_000).kind.unit == "GFLOP/s"


def test_that_the_clock_is_the_median_beside_the_samples() -> None:
    readings = [Reading(clock, 2619.0, 50.0, 300.0, 0) for clock in (1980.0, 1700.0, 1755.0)]
    assert roof(RoofKind.FP32, 1, gauges=gauges_of(readings)).clock_mhz == 1755.0
    assert roof(RoofKind.FP32, 1).clock_mhz == 0.0


@pytest.mark.parametrize("ms", [(), (0.0,), (-1.0, 1.0), (float("nan"),), (float("inf"),)])
def test_that_a_roof_without_sound_times_is_refused(ms: tuple[float, ...]) -> None:
    with pytest.raises(ValueError, match="fp32 roof"):
        roof(RoofKind.FP32, 1, ms)


def test_that_a_roof_has_a_reading_for_each_sample_or_none() -> None:
    with pytest.raises(ValueError, match="not a reading"):
        roof(RoofKind.FP32, 1, gauges=gauges_of([Reading(1.0, 1.0, 1.0, 1.0, 0)]))


def test_that_an_arithmetic_is_bounded_by_its_own_roof(session: Session) -> None:
    found = roofs_of(session.device)
    assert compute_roof(found, Arithmetic.FP32) == 1000.0
    assert compute_roof(found, Arithmetic.TF32) == 6000.0
    assert compute_roof(found, Arithmetic.TF32X3) == 2000.0, "three products make one"
    assert compute_roof(found, Arithmetic.BF16) is None, "it was not measured"
    assert compute_roof(found, Arithmetic.FP64) is None


def test_that_below_the_ridge_the_copy_rate_bounds(session: Session) -> None:
    found = roofs_of(session.device)
    assert attainable(found, Arithmetic.FP32, 2.0) == 200.0
    assert attainable(found, Arithmetic.FP32, 10.0) == 1000.0
    assert attainable(found, Arithmetic.FP32, 500.0) == 1000.0
    assert attainable(replace(found, roofs=found.roofs[1:]), Arithmetic.FP32, 2.0) is None


def test_that_ideal_bytes_follow_the_arithmetic_unless_arrays_tell_the_sizes() -> None:
    shape = Shape(3, 5, 7)
    assert ideal_bytes_in(Arithmetic.FP32, shape) == 4 * (21 + 35 + 15)
    assert ideal_bytes_in(Arithmetic.TF32X3, shape) == 4 * (21 + 35 + 15)
    assert ideal_bytes_in(Arithmetic.BF16, shape) == 2 * (21 + 35) + 4 * 15
    assert ideal_bytes_in(Arithmetic.FP64, shape) == 8 * (21 + 35 + 15)
    c = MappedArray("C", Space.GLOBAL, 1 << 40, 3, 5, 2)
    assert ideal_bytes_in(Arithmetic.FP16, shape, arrays=[c]) == 2 * (21 + 35 + 15), "C is stored in half"


def test_that_the_newest_roofs_of_the_very_device_are_taken(session: Session) -> None:
    device = session.device
    with_uuid = replace(device, gpu_facts=GpuFacts(uuid="GPU-1"))
    old, new = roofs_of(device, "2025-01-01T00:00:00Z"), roofs_of(device, "2025-01-02T00:00:00Z")
    other = roofs_of(replace(with_uuid, gpu_facts=GpuFacts(uuid="GPU-2")), "2026-01-01T00:00:00Z")
    own = roofs_of(replace(with_uuid, id="cuda:7"), "2025-01-01T00:00:00Z")
    assert newest_roofs((new, old, other, own), device) is new
    assert newest_roofs((new, old, other, own), with_uuid) is own, "a UUID names a device whatever its number"
    assert newest_roofs((other,), with_uuid) is None


def test_that_a_file_keeps_roofs(session: Session, same: Callable[[Any, Any], bool], tmp_path: Path) -> None:
    with_roofs, path = replace(session, roofs=(roofs_of(session.device),)), tmp_path / "roofs.gemmviz"
    save_session(with_roofs, path)
    assert same(load_session(path), with_roofs)
