"""Whether a device has what a kernel's `requires` asks for."""

from __future__ import annotations

import dataclasses

import pytest

from gemmviz.domain.device import Device, DeviceKind, GpuFacts
from gemmviz.domain.kernels.capability import (
    NOT_BY_CUDA,
    arch_of,
    capability_of,
    has,
    lack_of,
    nvidia_facts,
    short_lack_of,
    target_of,
)

POCL = Device(
    "pocl",
    "opencl",
    "EPYC (PoCL)",
    DeviceKind.CPU,
    "v",
    "d",
    2,
    64,
    (64, 64, 64),
    (9, 9, 9),
    0,
    1,
    1,
    0,
    0,
    ("opencl",),
)


def gpu(*capability: int) -> Device:
    return dataclasses.replace(
        POCL, name="GPU", capabilities=("cuda",), gpu_facts=nvidia_facts((capability[0], capability[1]))
    )


@pytest.mark.parametrize(
    ("capability", "arch"), [((7, 5), "sm_75"), ((9, 0), "sm_90"), ((10, 3), "sm_103"), ((12, 1), "sm_121")]
)
def test_that_an_architecture_is_named_after_its_capability(capability: tuple[int, int], arch: str) -> None:
    assert arch_of(capability) == arch
    assert capability_of(arch) == (capability, "")


@pytest.mark.parametrize(
    ("word", "able", "unable"),
    [
        ("sm_80", [(8, 0), (8, 9), (9, 0), (10, 3)], [(7, 5)]),
        ("sm_90a", [(9, 0)], [(8, 9), (10, 0), (12, 0)]),
        ("sm_103a", [(10, 3)], [(10, 0), (12, 1)]),
        ("sm_100f", [(10, 0), (10, 3)], [(9, 0), (12, 0)]),
    ],
)
def test_that_a_suffix_narrows_what_an_architecture_asks_for(
    word: str, able: list[tuple[int, int]], unable: list[tuple[int, int]]
) -> None:
    assert all(has(gpu(*capability), word) for capability in able)
    assert not any(has(gpu(*capability), word) for capability in unable)
    assert not has(POCL, word)


@pytest.mark.parametrize(
    ("requires", "device", "words"),
    [
        ((), POCL, ""),
        (("cuda", "sm_80"), gpu(9, 0), ""),
        (("cuda",), POCL, f"needs an NVIDIA GPU, but EPYC (PoCL) {NOT_BY_CUDA}"),
        (
            ("cuda", "sm_80"),
            POCL,
            f"needs an NVIDIA GPU of compute capability 8.0 or newer, but EPYC (PoCL) {NOT_BY_CUDA}",
        ),
        (("cuda", "sm_80"), gpu(7, 5), "needs an NVIDIA GPU of compute capability 8.0 or newer, but GPU has 7.5"),
        (("sm_90a",), gpu(10, 0), "needs an NVIDIA GPU of compute capability 9.0 and no other, but GPU has 10.0"),
        (("sm_100f",), gpu(9, 0), "needs an NVIDIA GPU of compute capability 10.0 or a newer 10.x, but GPU has 9.0"),
        (("opencl", "wings"), POCL, "needs wings, which EPYC (PoCL) does not have"),
    ],
)
def test_that_a_lack_is_a_sentence_with_the_numbers(requires: tuple[str, ...], device: Device, words: str) -> None:
    assert lack_of(requires, device) == words


def test_that_a_lack_has_a_word_for_a_list() -> None:
    assert short_lack_of(("cuda", "sm_90a"), POCL) == "cuda"
    assert short_lack_of(("cuda", "sm_90a"), gpu(8, 0)) == "sm_90a"
    assert short_lack_of(("cuda", "sm_90a"), gpu(9, 0)) == ""


def test_that_bandwidth_follows_from_clock_and_bus() -> None:
    assert GpuFacts(memory_clock_mhz=3201, memory_bus_bits=6144).memory_gb_per_s == pytest.approx(4916.7, abs=0.1)


@pytest.mark.parametrize(
    ("capability", "requires", "target"),
    [
        ((7, 5), (), "sm_75"),
        ((8, 9), ("cuda", "sm_80"), "sm_89"),
        ((9, 0), ("cuda", "sm_80"), "sm_90a"),
        ((9, 0), ("cuda", "sm_90a"), "sm_90a"),
        ((12, 1), (), "sm_121a"),
        ((10, 3), ("cuda", "sm_100f"), "sm_103f"),
    ],
)
def test_that_a_kernel_is_compiled_for_all_that_a_gpu_has_or_for_what_it_asks(
    capability: tuple[int, int], requires: tuple[str, ...], target: str
) -> None:
    assert target_of(capability, requires) == target
