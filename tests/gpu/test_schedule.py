"""Block schedules on a real GPU: each block once, on a unit there is, no more at once than fit, C as without stamps."""

from __future__ import annotations

import numpy as np
import pytest
from scheduling import at_each_start

from gemmviz.backends.base import HasVariables, OpenDevice
from gemmviz.catalogue.kernel import Refusal
from gemmviz.catalogue.loader import load_catalogue
from gemmviz.domain.device import Device
from gemmviz.domain.runs.schedule import BlockSchedule
from gemmviz.domain.runs.waves import figures_of
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Fill, Language, Mode
from gemmviz.engine.messages import Conditions, Job
from gemmviz.engine.scheduling import schedule
from gemmviz.measure.bench import Watch

KERNELS = [kernel.id for kernel in load_catalogue().kernels if kernel.language is Language.CUDA]
WARM_NS = 50_000
"""Between the host's events and the blocks' stamps: launching and the last writes."""


def recorded(device: Device, name: str, size: str, mode: Mode = Mode.COLD, **params: int) -> BlockSchedule:
    """A schedule; that C is bit by bit what it is without stamps is part of recording it."""
    kernel = load_catalogue().get(name)
    conditions = Conditions(Shape.parse(size), Fill.UNIFORM, 3, mode, device.id, launch_limit_s=30.0)
    try:
        return schedule(Job(kernel, kernel.params(params)), conditions, device, Watch())
    except Refusal as error:
        pytest.skip(str(error))


def check(found: BlockSchedule) -> None:
    """What holds for every schedule."""
    device = found.device
    assert found.unit.size == found.launch.blocks
    assert found.unit.min() >= 0
    assert found.unit.max() < device.compute_units
    assert (found.end_ns >= found.start_ns).all()
    assert found.start_ns.min() == 0
    assert 0 < found.makespan_ns <= found.kernel_ms * 1e6 + WARM_NS
    assert found.launches_before >= 1
    fits = found.occupancy
    assert fits is not None
    at_starts = np.concatenate([at_each_start(found, unit) for unit in np.unique(found.unit).tolist()])
    # The places of warps that have ended go to the next block while others of their blocks run on: now and then a block
    # more runs than fit with all their warps. At the edge of a matrix whole warps end at once.
    assert (at_starts <= fits.blocks).mean() >= 0.99
    assert at_starts.max() <= fits.most_warps
    assert found.resources.are_known


@pytest.mark.parametrize("name", KERNELS)
def test_that_every_kernel_of_the_catalogue_tells_where_its_blocks_ran(device: Device, name: str) -> None:
    size = "1x1x100000" if name.startswith("dot") else "1037x1031x1055"
    check(recorded(device, name, size))


def test_that_a_large_grid_comes_in_waves(device: Device) -> None:
    found = recorded(device, "tiled", "4096x4096x4096")
    check(found)
    figures = figures_of(found)
    assert figures.waves.count > 1
    assert figures.waves_needed > 1
    assert figures.units_idle == 0
    assert np.median(figures.busy) > 0.9
    assert figures.tail.fraction < 0.2


def test_that_a_grid_smaller_than_the_gpu_is_one_wave(device: Device) -> None:
    found = recorded(device, "tiled", "64x64x512")
    check(found)
    assert figures_of(found).is_at_once


def test_that_persistent_blocks_stay(device: Device) -> None:
    found = recorded(device, "wgmma_bf16_late", "8192x8192x1024")
    check(found)
    figures = figures_of(found)
    assert figures.is_at_once
    assert found.blocks <= device.compute_units
    assert figures.blocks_per_unit.max() == 1


@pytest.mark.parametrize("mode", [Mode.COLD, Mode.HOT])
def test_that_stamps_cost_next_to_nothing(device: Device, mode: Mode) -> None:
    found = recorded(device, "register_2d", "2048x2048x2048", mode)
    check(found)
    assert found.kernel_ms < 1.1 * found.plain_ms + 0.01


def test_that_the_clock_steps_finely_enough_to_see_blocks(device: Device) -> None:
    found = recorded(device, "tiled", "2048x2048x2048")
    assert 0 < found.resolution_ns <= 2048
    assert np.median(found.end_ns - found.start_ns) > found.resolution_ns


def test_that_a_gpu_has_variables(gpu: OpenDevice) -> None:
    assert isinstance(gpu, HasVariables)
