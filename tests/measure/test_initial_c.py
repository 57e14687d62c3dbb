"""Kernels that add to C: their header says that C begins as zero, and it does before every launch."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from gemmviz.backends.registry import devices_for, emulated_devices
from gemmviz.catalogue.loader import load_user_kernel
from gemmviz.domain.device import Device
from gemmviz.domain.kernels.examined_sweep import digest_of
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Fill, InitialC, Language, Mode
from gemmviz.measure.bench import Bench, Patience, make_inputs
from gemmviz.measure.sampling import Launcher
from gemmviz.measure.stopping import StoppingRule
from gemmviz.measure.whole_runs import WholeRunRule, time_whole_runs

KERNELS = Path(__file__).parents[1] / "data" / "c_begins"
RULE = StoppingRule(min_samples=3, limit_seconds=0.05)


def device_that_is(emulated: bool) -> Device:
    found = emulated_devices() if emulated else [one for one in devices_for(Language.CUDA) if one.embedded]
    if not found:
        pytest.skip("no such device")
    return found[0]


@pytest.mark.parametrize("mode", Mode)
@pytest.mark.parametrize(("name", "emulated"), [("adds_to_c", False), ("adds_to_c", True), ("split_k", True)])
def test_that_a_kernel_that_adds_to_c_passes(name: str, emulated: bool, mode: Mode) -> None:
    kernel, device = load_user_kernel(KERNELS / f"{name}.cu"), device_that_is(emulated)
    inputs = make_inputs(Shape(7, 35, 6), Fill.INTEGERS, 1)
    with Bench() as bench:
        result, c = bench.run(kernel, (), device, inputs, mode, Patience(RULE))
    assert result.accuracy.passed
    assert result.source_digest == digest_of(kernel.file_text), "by which a run is of a version"
    np.testing.assert_array_equal(c, inputs.operands.a @ inputs.operands.b)


def test_that_it_fails_where_c_begins_undefined() -> None:
    kernel = load_user_kernel(KERNELS / "adds_to_c.cu")
    kernel = replace(kernel, call=replace(kernel.call, c_begins=InitialC.UNDEFINED))
    inputs = make_inputs(Shape(7, 35, 6), Fill.INTEGERS, 1)
    with Bench() as bench:
        result, _ = bench.run(kernel, (), device_that_is(False), inputs, Mode.HOT, Patience(RULE))
    assert not result.accuracy.passed


@pytest.fixture
def zeroing(launcher, operands) -> Launcher:
    return replace(launcher, begins=(np.zeros_like(operands.c), operands.c_buffer))


def test_that_c_becomes_zero_before_each_batch_and_outside_its_window(zeroing: Launcher, device) -> None:
    sample = zeroing.run(4)
    assert device.log == ["upload (17, 33) C", "launch 4"]
    assert sample.host_ms == pytest.approx((4 * 2.0 + 0.004) / 4)


def test_that_c_becomes_zero_before_the_caches_are_flushed(zeroing: Launcher, device) -> None:
    sample = zeroing.cold()
    assert device.log == ["upload (17, 33) C", "flush", "launch 1"]
    assert sample.host_ms == pytest.approx(2.004)


def test_that_c_becomes_zero_before_an_end_to_end_run(zeroing: Launcher, device, operands) -> None:
    runs, _ = time_whole_runs(zeroing, operands, WholeRunRule(most=1), RULE, lambda: False)
    assert device.log[0] == "upload (17, 33) C"
    assert runs.runs[0].in_ms == pytest.approx(2 * 3.0)
