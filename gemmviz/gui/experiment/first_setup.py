"""What is set up for a kernel that was just described: a size and a device with which it can run. No Qt."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import replace

from gemmviz.catalogue.kernel import Kernel, Refusal
from gemmviz.catalogue.loader import Catalogue
from gemmviz.domain.device import Device
from gemmviz.domain.shape import Shape
from gemmviz.gui.experiment.remedies import remedies_of
from gemmviz.gui.kernels.availability import Devices, availability_in
from gemmviz.gui.work.experiment import Experiment

LARGEST_TILE = 512
"""Rows or columns of C that a block makes at most: larger tiles are left alone."""


def first_setup(
    experiment: Experiment, catalogue: Catalogue, devices: Devices, available_bytes: int | None
) -> Experiment:
    """The experiment, changed as little as lets its kernel run, and where its blocks make larger tiles of C than half
    of that, with two tiles each way: a picture of one block does not show how a grid divides C.
    """
    remedies = remedies_of(experiment, catalogue, devices, available_bytes)
    made = next((each.experiment for each in remedies if each.experiment.kernel == experiment.kernel), experiment)
    kernel = catalogue.get(made.kernel)
    device = devices.of(kernel, made.device)
    if device is None or kernel.runs_on_host:
        return made
    m, n = (_two_tiles(kernel, made, device, dimension) for dimension in "mn")
    larger = replace(made, shape=Shape(m, n, made.shape.k))
    params = larger.params_of(kernel)
    return larger if availability_in(larger, kernel, params, devices, available_bytes).can_run else made


def _two_tiles(kernel: Kernel, experiment: Experiment, device: Device, dimension: str) -> int:
    """A dimension, or twice the tile where that is larger."""
    whole = experiment.shape
    now = whole.m if dimension == "m" else whole.n

    def blocks(value: int) -> int:
        shape = Shape(value, whole.n, whole.k) if dimension == "m" else Shape(whole.m, value, whole.k)
        try:
            return kernel.plan(shape, experiment.params_of(kernel), device).launch.blocks
        except Refusal:
            return 0

    if not (least := blocks(1)):  # only multiples of something can be tried: its tile is what it can run with
        is_one_tile = blocks(now) and blocks(2 * now) == 2 * blocks(now) and not blocks(now - now // 2)
        return 2 * now if is_one_tile and now <= LARGEST_TILE else now
    tile = bisect_right(range(1, LARGEST_TILE + 1), least, key=blocks)
    return max(now, 2 * tile) if tile < LARGEST_TILE else now
