"""What is set up for a kernel that was just described."""

from __future__ import annotations

from dataclasses import replace

import pytest
from some_devices import GPU, HOST

from gemmviz.catalogue.gpus import emulated
from gemmviz.catalogue.kernel import Constraint
from gemmviz.catalogue.loader import load_catalogue
from gemmviz.domain.shape import Shape
from gemmviz.gui.experiment.first_setup import first_setup
from gemmviz.gui.kernels.availability import Devices
from gemmviz.gui.work.experiment import Experiment, with_param

CATALOGUE = load_catalogue()
MACHINE = emulated("sm_90a", 2**34)
DEVICES = Devices((GPU, MACHINE, HOST))
MEMORY = 2**34
START = Shape(64, 64, 64)


def test_that_a_kernel_that_takes_multiples_alone_gets_a_size_and_a_device_with_which_it_runs() -> None:
    rules = tuple(Constraint(rule) for rule in ("M % 128 == 0", "N % 128 == 0", "K % 8 == 0"))
    rule = replace(CATALOGUE.get("tiled").rule, grid=("ceil_div(N, 128)", "ceil_div(M, 128)"))
    own = replace(CATALOGUE.get("tiled"), id="own", constraints=rules, requires=("cuda",), rule=rule)
    made = first_setup(Experiment("own", START), CATALOGUE.with_kernel(own), DEVICES, MEMORY)
    assert made.shape == Shape(256, 256, 64)
    assert made.device == MACHINE.choice


@pytest.mark.parametrize(("tile", "shape"), [(16, START), (32, START), (64, Shape(128, 128, 64))])
def test_that_a_picture_shows_two_tiles_each_way(tile: int, shape: Shape) -> None:
    kernel = CATALOGUE.get("tiled")
    larger = replace(
        kernel,
        id="own",
        rule=replace(kernel.rule, grid=(f"ceil_div(N, {tile})", f"ceil_div(M, {tile})")),
    )
    made = first_setup(Experiment("own", START), CATALOGUE.with_kernel(larger), DEVICES, MEMORY)
    assert made.shape == shape


def test_that_nothing_is_changed_where_the_kernel_runs_as_things_are_set() -> None:
    experiment = with_param(Experiment("tiled", Shape(70, 70, 70)), CATALOGUE.get("tiled"), "TILE", 16)
    assert first_setup(experiment, CATALOGUE, DEVICES, MEMORY) == experiment
