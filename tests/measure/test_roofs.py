"""Roofs measured on the embedded device, and which kernels would measure them elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from pace import MOST_ROUNDS
from short_roofs import shorten_roofs

from gemmviz.backends.base import OpenDevice
from gemmviz.backends.registry import backend_of, devices_for, find_device
from gemmviz.catalogue.loader import load_catalogue
from gemmviz.domain.device import Device, DeviceKind
from gemmviz.domain.figures import counted
from gemmviz.domain.kernels.capability import nvidia_facts
from gemmviz.domain.runs.roof import RoofKind, Roofs
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Fill, Language, Mode
from gemmviz.measure import roof_kernels
from gemmviz.measure import roofs as measured_roofs
from gemmviz.measure.bench import Bench, Patience, make_inputs
from gemmviz.measure.cancel import CancelledError
from gemmviz.measure.roof_kernels import RoofKernel, kernels_for
from gemmviz.measure.roof_sources import cpu
from gemmviz.measure.roofs import measure_roofs
from gemmviz.measure.stopping import StoppingRule, WarmUpRule

QUICK = StoppingRule(min_samples=5, min_seconds=0.05, limit_seconds=0.5)
PORTABLE = (RoofKind.COPY, RoofKind.FP32)
NOISE = 1.1
"""Times by which two measurements on a busy computer differ."""


@pytest.fixture(scope="module")
def pocl() -> Device:
    return next(device for device in devices_for(Language.CUDA) if device.embedded)


@pytest.fixture(scope="module")
def opened(pocl: Device) -> Iterator[OpenDevice]:
    device = backend_of(pocl).open(pocl)
    yield device
    device.release()


@pytest.fixture(scope="module")
def roofs(opened: OpenDevice) -> Roofs:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(measured_roofs, "_WARM_UP", WarmUpRule(min_seconds=0.02, limit_seconds=0.1))
        shorten_roofs(patch)
        return measure_roofs(opened, "2025-01-02T03:04:05+00:00", rule=QUICK)


@pytest.fixture(scope="module")
def host_roofs() -> Roofs:
    return measured_of_host()


def measured_of_host() -> Roofs:
    """The roofs of the CPU, of copies that are smaller than usual."""
    host = find_device("host")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(measured_roofs, "_WARM_UP", WarmUpRule(min_seconds=0.02, limit_seconds=0.1))
        patch.setattr(roof_kernels, "_CPU_COPY_BYTES", (2**22, 2**22))
        device = backend_of(host).open(host)
        try:
            return measure_roofs(device, "2025-01-02T03:04:05+00:00", rule=QUICK, kinds=PORTABLE)
        finally:
            device.release()


def test_that_the_cpu_has_a_copy_and_an_fma_roof_on_all_its_threads(host_roofs: Roofs) -> None:
    assert [roof.kind for roof in host_roofs.roofs] == list(PORTABLE)
    threads = counted(host_roofs.device.compute_units, "thread")
    assert all(f"on {threads}" in roof.how for roof in host_roofs.roofs)
    copy = host_roofs.of(RoofKind.COPY)
    assert copy is not None
    assert 0.1 < copy.median < 2000, "GB/s"


def test_that_no_cpu_kernel_is_faster_than_the_roof_of_the_cpu(host_roofs: Roofs) -> None:
    """While others have the cores roofs are lower: they are measured again before a kernel is called faster."""
    roof, inputs = highest_rate(host_roofs), make_inputs(Shape(256, 256, 256), Fill.UNIFORM, 0)
    with Bench() as bench:
        for name in ("cpu_ikj", "cpu_blas"):
            kernel, patience = load_catalogue().get(name), Patience(QUICK)
            run, _ = bench.run(kernel, kernel.params({}), host_roofs.device, inputs, Mode.HOT, patience)
            for _ in range(MOST_ROUNDS):
                if roof * NOISE <= run.gflops:
                    roof = max(roof, highest_rate(measured_of_host()))
            assert roof * NOISE > run.gflops > 0, name


def highest_rate(roofs: Roofs) -> float:
    """The highest rate of multiply-adds of a sample, in GFLOP/s."""
    roof = roofs.of(RoofKind.FP32)
    assert roof is not None
    return float(roof.rates.max())


def test_that_the_roof_of_the_cpu_counts_the_multiply_adds_that_are_done() -> None:
    """With 1 as factor and addend each multiply-add adds 1."""
    (kernel, _), _ = kernels_for(RoofKind.FP32, find_device("host"))
    threads, k = 2, 3
    a, ones = np.full((threads * cpu.ELEMENTS // 2, k), 5.0, np.float32), np.ones((1, 2), np.float32)
    c = np.zeros_like(a)
    cpu.fma_rate(a, ones, c, threads)
    done = c.reshape(-1)[: threads * cpu.ELEMENTS] - 5.0
    assert np.unique(done).size == 1
    assert kernel.shape is not None
    of_a_thread = kernel.work / dict(kernel.source.defines)["THREADS"] / kernel.shape.k
    assert 2 * done[0] * cpu.ELEMENTS / k == of_a_thread


@pytest.fixture
def gpu(pocl: Device) -> Device:
    """An H200 as CUDA describes it; a fixture."""
    facts = nvidia_facts((9, 0), uuid="GPU-fixture")
    return replace(
        pocl,
        id="cuda:0",
        backend="cuda",
        name="a GPU",
        kind=DeviceKind.GPU,
        compute_units=132,
        global_bytes=2**37,
        max_allocation_bytes=2**37,
        cache_bytes=50 * 2**20,
        capabilities=("cuda",),
        embedded=False,
        gpu_facts=facts,
    )


def test_that_the_embedded_device_has_a_copy_and_an_fma_roof(roofs: Roofs, pocl: Device) -> None:
    assert [roof.kind for roof in roofs.roofs] == list(PORTABLE)
    assert [words.partition(":")[0] for words in roofs.left_out] == ["tf32", "bf16"]
    assert all("needs an NVIDIA GPU" in words for words in roofs.left_out)
    assert roofs.device == pocl
    assert 0 < roofs.floor_ms < 10
    copy = roofs.of(RoofKind.COPY)
    assert copy is not None
    assert 1 < copy.median < 2000, "GB/s"


def test_that_no_kernel_is_faster_than_the_fma_roof(roofs: Roofs, pocl: Device) -> None:
    roof, kernel = roofs.of(RoofKind.FP32), load_catalogue().get("register_2d")
    inputs = make_inputs(Shape(256, 256, 256), Fill.UNIFORM, 0)
    with Bench() as bench:
        patience = Patience(StoppingRule(min_samples=5, min_seconds=0.05, limit_seconds=0.5))
        run, _ = bench.run(kernel, kernel.params({}), pocl, inputs, Mode.HOT, patience)
    assert roof is not None
    assert roof.rates.max() > run.gflops > 0


def test_that_a_launch_that_multiplies_lasts_long_enough(roofs: Roofs) -> None:
    roof = roofs.of(RoofKind.FP32)
    assert roof is not None
    assert roof.samples_ms.min() > 1.0, "a short launch would measure the launch"


def test_that_a_cancel_before_a_roof_ends_the_measurement(opened: OpenDevice) -> None:
    with pytest.raises(CancelledError):
        measure_roofs(opened, "", rule=QUICK, should_cancel=lambda: True)


def test_that_tensor_cores_are_measured_by_the_instructions_that_a_gpu_has(gpu: Device) -> None:
    def instructions(kind: RoofKind, capability: tuple[int, int]) -> list[str]:
        device = replace(gpu, gpu_facts=nvidia_facts(capability))
        return [kernel.instruction for kernel in kernels_for(kind, device)[0]]

    assert instructions(RoofKind.TF32, (9, 0)) == ["mma.sync m16n8k8 tf32", "wgmma m64n256k8 tf32"]
    assert instructions(RoofKind.BF16, (9, 0)) == ["mma.sync m16n8k16 bf16", "wgmma m64n256k16 bf16"]
    assert instructions(RoofKind.BF16, (8, 6)) == ["mma.sync m16n8k16 bf16"]
    assert instructions(RoofKind.BF16, (10, 0)) == ["mma.sync m16n8k16 bf16"], "wgmma exists on 9.0 alone"
    assert instructions(RoofKind.TF32, (7, 5)) == []
    assert "8.0 or newer" in kernels_for(RoofKind.TF32, replace(gpu, gpu_facts=nvidia_facts((7, 5))))[1]


@pytest.mark.parametrize(
    ("kind", "place", "work"),
    [
        (RoofKind.COPY, 0, 2 * 2**30),
        (RoofKind.FP32, 1, 2 * 16 * 132 * 4 * 256),
        (RoofKind.TF32, 0, 2 * 16 * 8 * 8 * 8 * (132 * 2 * 8)),
        (RoofKind.BF16, 0, 2 * 16 * 8 * 16 * 8 * (132 * 2 * 8)),
        (RoofKind.TF32, 1, 2 * 64 * 256 * 8 * 16 * (132 * 2)),
        (RoofKind.BF16, 1, 2 * 64 * 256 * 16 * 16 * (132 * 2)),
    ],
)
def test_that_the_work_of_a_launch_follows_from_its_geometry(
    gpu: Device, kind: RoofKind, place: int, work: int
) -> None:
    kernel = kernels_for(kind, gpu)[0][place]
    assert kernel.work == work
    assert replace(kernel, rounds=3).work == 3 * work


@pytest.mark.parametrize("kind", list(RoofKind))
def test_that_what_a_kernel_reads_and_writes_is_there(gpu: Device, kind: RoofKind) -> None:
    for kernel in kernels_for(kind, gpu)[0]:
        text, threads = kernel.source.text, kernel.threads
        assert f"{kernel.entry}(const float *A, const float *B, float *C, int M, int N, int K)" in text
        assert all(name in text for name, _ in kernel.defines)
        assert kernel.c_elements >= kernel.blocks * threads
        assert kernel.a_elements >= _elements_read(kernel)
        assert kernel.trial.m * kernel.trial.k >= min(kernel.a_elements, 256)


def _elements_read(kernel: RoofKernel) -> int:
    defines = dict(kernel.defines)
    return {
        "copy.cu": 4 * kernel.count,
        "fma.cu": defines.get("SUMS", 0),
        "mma.cu": 4 * kernel.threads,
        "wgmma.cu": kernel.count,
    }[kernel.file]


def test_that_what_is_counted_of_the_chains_on_a_cpu_is_what_they_do() -> None:
    """Their file says it once more, which is compiled without the other one."""
    counted = roof_kernels._HOST_ELEMENTS, roof_kernels._HOST_CHAIN, roof_kernels._HOST_ROUNDS_PER_K
    assert counted == (cpu.ELEMENTS, cpu.CHAIN, cpu.ROUNDS_PER_K)


def test_that_the_chains_of_every_thread_of_a_large_cpu_have_numbers() -> None:
    large = replace(find_device("host"), compute_units=768)
    fma, *_ = kernels_for(RoofKind.FP32, large)[0]
    assert min(fma.a_elements, fma.c_elements) >= 768 * cpu.ELEMENTS
