"""Every remedy that is offered lets the kernel run: tried for all kernels, many sizes, several devices."""

from dataclasses import replace

import pytest
from some_devices import GPU, HOST

from gemmviz.catalogue.kernel import Constraint
from gemmviz.catalogue.loader import load_catalogue
from gemmviz.domain.device import Device
from gemmviz.domain.kernels.capability import nvidia_facts
from gemmviz.domain.shape import Shape
from gemmviz.gui.experiment.remedies import MOST_REMEDIES, remedies_of
from gemmviz.gui.kernels.availability import LACKS, Devices, availability_in
from gemmviz.gui.work.experiment import Experiment

CATALOGUE = load_catalogue()
MEMORY = 2**34
SMALL = replace(GPU, id="small", name="Small", max_threads_per_block=64, shared_bytes_per_block=2048)
LOW = replace(GPU, id="low", name="Low", max_grid=(1000, 100, 10), global_bytes=2**28, max_allocation_bytes=2**26)
HOPPER = replace(
    GPU,
    id="cuda0",
    backend="cuda",
    name="Hopper",
    capabilities=("cuda",),
    gpu_facts=nvidia_facts((9, 0)),
    shared_bytes_per_block=232448,
)
SIZES = (
    Shape(1, 1, 1),
    Shape(32, 32, 32),
    Shape(17, 33, 99),
    Shape(1037, 1031, 1055),
    Shape(8192, 8192, 8192),
    Shape(40000, 40000, 20000),
    Shape(1, 1, 2**24),
    Shape(2**24, 1, 1),
    Shape(1, 2**24, 100),
)


@pytest.mark.parametrize(
    ("device", "sizes"),
    [(GPU, SIZES), (SMALL, SIZES[1::5]), (LOW, SIZES[3::3]), (HOPPER, SIZES[::2]), (None, SIZES)],
    ids=["gpu", "small", "low", "hopper", "none"],
)
def test_that_after_a_mend_the_kernel_can_run(device: Device | None, sizes: tuple[Shape, ...]) -> None:
    devices = Devices((HOST,) if device is None else (device, HOST))
    refused = 0
    for shape in sizes:
        for kernel in CATALOGUE.kernels:
            experiment = Experiment(kernel.id, shape)
            if availability_in(experiment, kernel, experiment.params_of(kernel), devices, MEMORY).can_run:
                continue
            refused += 1
            remedies = remedies_of(experiment, CATALOGUE, devices, MEMORY)
            lacks = availability_in(experiment, kernel, experiment.params_of(kernel), devices, MEMORY).word
            assert int(not lacks.startswith(LACKS)) <= len(remedies) <= MOST_REMEDIES, (kernel.id, shape)
            for remedy in remedies:
                after, chosen = remedy.experiment, CATALOGUE.get(remedy.experiment.kernel)
                assert after != experiment
                availability = availability_in(after, chosen, after.params_of(chosen), devices, MEMORY)
                assert availability.can_run, (kernel.id, shape, remedy.text, availability.reason)
    assert refused


@pytest.mark.parametrize(
    ("kernel", "shape", "device", "texts"),
    [
        ("dot", Shape(32, 32, 32), GPU, ["Set M = N = 1"]),
        ("dot", Shape(32, 1, 32), GPU, ["Set M = 1"]),
        ("dot", Shape(32, 32, 32), SMALL, ["Set M = N = 1, THREADS = 64"]),
        ("tiled", Shape(32, 32, 32), SMALL, ["Set TILE = 8"]),
        ("register_1d", Shape(32, 32, 32), SMALL, ["Set BM = BN = 16"]),
        ("cl_row_private", Shape(64, 64, 5000), GPU, ["Set K = 4096"]),
        ("tiled", Shape(2**24, 1, 1), GPU, ["Set M = 524288"]),
        ("wgmma_tf32", Shape(256, 256, 33), HOPPER, ["Set K = 32"]),
        ("wmma_tf32", Shape(32, 32, 32), GPU, []),
        ("naive", Shape(40000, 40000, 20000), GPU, ["Set 16384 × 16384 × 16384"]),
    ],
)
def test_that_the_smallest_change_is_offered(kernel: str, shape: Shape, device: Device, texts: list[str]) -> None:
    found = remedies_of(Experiment(kernel, shape), CATALOGUE, Devices((device, HOST)), MEMORY)
    assert [remedy.text for remedy in found[: len(texts)]] == texts
    assert bool(found) is bool(texts)


def test_that_another_device_is_offered_where_the_chosen_one_is_gone_or_lacks_something() -> None:
    devices = Devices((GPU, HOPPER, HOST))
    for kernel, wanted in (("tiled", "gone"), ("wmma_tf32", "gpu0")):
        (remedy,) = remedies_of(Experiment(kernel, Shape(64, 64, 64), device=wanted), CATALOGUE, devices, MEMORY)
        assert remedy.text in ("Use A graphics card", "Use Hopper")
        assert remedy.experiment.kernel == kernel


def test_that_a_rule_of_a_persons_own_is_mended_too() -> None:
    rule = (Constraint("M % 48 == 0 and N >= 100 and K > M"),)
    own = replace(CATALOGUE.get("tiled"), id="own", constraints=rule)
    catalogue = CATALOGUE.with_kernel(own)
    (remedy, *_) = remedies_of(Experiment("own", Shape(50, 200, 200)), catalogue, Devices((GPU, HOST)), MEMORY)
    assert remedy.text == "Set M = 48"


def test_that_what_can_run_needs_no_mend() -> None:
    assert remedies_of(Experiment("tiled", Shape(32, 32, 32)), CATALOGUE, Devices((GPU, HOST)), MEMORY) == ()


MULTIPLES = (Constraint("M % 128 == 0"), Constraint("N % 128 == 0"), Constraint("K % 8 == 0"))


def test_that_several_dimensions_are_raised_together_where_a_rule_asks_for_multiples() -> None:
    own = replace(CATALOGUE.get("tiled"), id="own", constraints=MULTIPLES)
    found = remedies_of(Experiment("own", Shape(64, 64, 64)), CATALOGUE.with_kernel(own), Devices((GPU, HOST)), MEMORY)
    assert found[0].text == "Set M = N = 128"


def test_that_device_and_size_are_changed_together_where_neither_change_is_enough() -> None:
    own = replace(CATALOGUE.get("tiled"), id="own", constraints=MULTIPLES, requires=("cuda",))
    devices = Devices((GPU, HOPPER, HOST))
    (remedy,) = remedies_of(
        Experiment("own", Shape(64, 64, 64), device="gpu0"), CATALOGUE.with_kernel(own), devices, MEMORY
    )
    assert remedy.text == "Use Hopper, set M = N = 128"
