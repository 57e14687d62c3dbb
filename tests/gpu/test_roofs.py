"""Roofs on a GPU: within what such a device can be, and above every kernel of the ladder in the same run."""

from __future__ import annotations

import pytest

from gemmviz.backends.registry import backend_of
from gemmviz.catalogue.kernel import Refusal
from gemmviz.catalogue.loader import load_catalogue
from gemmviz.domain.device import Device
from gemmviz.domain.kernels.capability import compute_capability
from gemmviz.domain.runs.roof import RoofKind, Roofs, compute_roof
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Arithmetic, Fill, Mode
from gemmviz.measure.bench import Bench, Patience, make_inputs
from gemmviz.measure.roofs import measure_roofs
from gemmviz.measure.stopping import StoppingRule

ABOVE = 1.02
"""A kernel's median may exceed a roof's by its noise and no more: clocks differ between two measurements."""


@pytest.fixture(scope="module")
def roofs(device: Device) -> Roofs:
    opened = backend_of(device).open(device)
    try:
        return measure_roofs(opened, "", rule=StoppingRule(limit_seconds=3.0))
    finally:
        opened.release()


def test_that_every_roof_of_the_device_is_measured_at_a_known_clock(roofs: Roofs, device: Device) -> None:
    tensor = [RoofKind.TF32, RoofKind.BF16] if compute_capability(device.gpu_facts) >= (8, 0) else []
    assert [roof.kind for roof in roofs.roofs] == [RoofKind.COPY, RoofKind.FP32, *tensor]
    assert all(roof.clock_mhz > 0 for roof in roofs.roofs)
    assert 0.0 < roofs.floor_ms < 0.1


def test_that_the_copy_roof_is_below_the_data_sheets_bandwidth(roofs: Roofs, device: Device) -> None:
    copy = roofs.of(RoofKind.COPY)
    assert copy is not None
    assert 0.7 < copy.median / device.gpu_facts.memory_gb_per_s <= 1.0


def test_that_the_fma_roof_is_what_the_units_can_do_at_that_clock(roofs: Roofs, device: Device) -> None:
    roof = roofs.of(RoofKind.FP32)
    lanes = {(9, 0): 128, (8, 6): 128, (8, 9): 128, (8, 0): 64}.get(compute_capability(device.gpu_facts))
    if lanes is None:
        pytest.skip("how many float32 lanes a unit of this device has is not written down here")
    assert roof is not None
    most = 2e-3 * lanes * device.compute_units * device.clock_mhz
    assert 0.75 < roof.median / most <= 1.02


def test_that_the_roofs_of_an_h200_are_where_they_are_known_to_be(roofs: Roofs, device: Device) -> None:
    if "H200" not in device.name:
        pytest.skip("the figures are those of an H200")
    found = {roof.kind: roof for roof in roofs.roofs}
    assert 3500 < found[RoofKind.COPY].median < 4800
    assert 50_000 < found[RoofKind.FP32].median < 67_000
    assert 330_000 < found[RoofKind.TF32].median < 500_000
    assert 660_000 < found[RoofKind.BF16].median < 1_000_000
    assert "wgmma" in found[RoofKind.TF32].instruction
    assert "wgmma" in found[RoofKind.BF16].instruction


def test_that_no_rung_is_above_its_roof(roofs: Roofs, device: Device) -> None:
    shape = Shape(4096, 4096, 4096)
    inputs = make_inputs(shape, Fill.UNIFORM, 0)
    patience = Patience(StoppingRule(min_seconds=0.1, limit_seconds=1.0))
    compared = 0
    with Bench() as bench:
        for name in ("vectorized", "sgemm_best", "mma_tf32", "wgmma_tf32", "wgmma_bf16", "tf32x3"):
            kernel = load_catalogue().get(name)
            roof = compute_roof(roofs, kernel.arithmetic)
            try:
                run, _ = bench.run(kernel, kernel.params({}), device, inputs, Mode.COLD, patience)
            except Refusal:
                continue
            assert roof is not None, kernel.arithmetic
            assert run.gflops <= ABOVE * roof, f"{name}: {run.gflops:.0f} of {roof:.0f} GFLOP/s"
            compared += kernel.arithmetic is Arithmetic.FP32
    assert compared == 2
