from dataclasses import replace
from pathlib import Path

import pytest
from some_devices import GPU, HOST

from gemmviz.catalogue.gpus import emulated
from gemmviz.catalogue.loader import load_catalogue, load_user_kernel
from gemmviz.domain.kernels.capability import nvidia_facts
from gemmviz.domain.shape import Shape
from gemmviz.gui.kernels.availability import ON_MACHINE, Devices, availabilities_of, availability_of, choice_refusals
from gemmviz.gui.kernels.choice import with_kernel
from gemmviz.gui.work.experiment import Experiment

CATALOGUE = load_catalogue()
DATA = Path(__file__).parents[2] / "data"

BOTH = Devices((GPU, HOST))
EXPERIMENT = Experiment("tiled", Shape(64, 48, 32))


def test_that_cpu_kernels_run_on_the_host_and_others_on_the_wanted_device() -> None:
    other = replace(GPU, id="gpu1")
    devices = Devices((GPU, other, HOST))
    assert devices.of(CATALOGUE.get("cpu_ijk"), "gpu1") == HOST
    assert devices.of(CATALOGUE.get("tiled"), "gpu1") == other
    assert devices.of(CATALOGUE.get("tiled"), "") == GPU
    assert devices.of(CATALOGUE.get("tiled"), "gone") is None


def test_that_without_a_device_cpu_kernels_still_run() -> None:
    availability = availabilities_of(EXPERIMENT, CATALOGUE, Devices((HOST,)), 2**34)
    assert {kernel.id for kernel in CATALOGUE.kernels if availability[kernel.id].can_run} == {
        kernel.id for kernel in CATALOGUE.kernels if kernel.runs_on_host
    }
    assert availability["tiled"].word == "no device"


def test_that_a_device_that_is_gone_is_named() -> None:
    availability = availabilities_of(replace(EXPERIMENT, device="gone"), CATALOGUE, BOTH, None)["tiled"]
    assert "no device gone" in availability.reason


def test_that_a_missing_capability_is_the_word() -> None:
    kernel = replace(CATALOGUE.get("tiled"), requires=("sm_80",))
    availability = availability_of(kernel, kernel.params({}), EXPERIMENT.shape, GPU, None)
    assert availability.word == "needs an NVIDIA GPU"
    words = "Needs an NVIDIA GPU of compute capability 8.0 or newer, but A graphics card does not run CUDA"
    assert availability.reason.startswith(words)
    assert "Help, About" in availability.reason, "the window names a place in the window"


def test_that_the_list_says_what_the_ptx_machine_alone_executes() -> None:
    machine = emulated("", 2**33)
    found = availabilities_of(EXPERIMENT, CATALOGUE, Devices((GPU, HOST, machine)), None)
    assert found["cp_async"].word == found["sgemm_best"].word == ON_MACHINE
    assert found["mma_tf32"].word == "needs an NVIDIA GPU"
    assert "--device" not in "".join(each.reason for each in found.values())


def test_that_an_older_nvidia_gpu_is_told_the_capability_that_it_lacks() -> None:
    nvidia = replace(GPU, capabilities=("cuda",), gpu_facts=nvidia_facts((8, 0)))
    kernel = CATALOGUE.get("wgmma_bf16")
    availability = availability_of(kernel, kernel.params({}), EXPERIMENT.shape, nvidia, None)
    assert availability.word == "needs compute capability 9.0"
    assert "8.0" in availability.reason


@pytest.mark.parametrize(("available", "word"), [(2**34, ""), (2**20, "needs more memory"), (None, "")])
def test_that_main_memory_is_checked_where_it_is_known(available: int | None, word: str) -> None:
    kernel = CATALOGUE.get("tiled")
    assert availability_of(kernel, kernel.params({}), Shape(1000, 1000, 1000), GPU, available).word == word


def test_that_choices_that_cannot_run_beside_the_others_say_why() -> None:
    small = Devices((replace(GPU, max_threads_per_block=64), HOST))
    refused = choice_refusals(EXPERIMENT, CATALOGUE.get("tiled"), small)
    assert set(refused) == {("TILE", 16), ("TILE", 32)}
    assert "Needs TILE * TILE <= 64 threads, but 16 * 16 = 256" in refused["TILE", 16].reason


def test_that_a_size_too_large_for_memory_is_no_fault_of_a_choice() -> None:
    small = Devices((replace(GPU, global_bytes=1), HOST))
    assert choice_refusals(EXPERIMENT, CATALOGUE.get("tiled"), small) == {}
    assert choice_refusals(with_kernel(EXPERIMENT, "cpu_ijk", CATALOGUE), CATALOGUE.get("cpu_ijk"), small) == {}
    assert choice_refusals(EXPERIMENT, CATALOGUE.get("tiled"), Devices()) == {}


def test_that_the_need_counts_elements_as_they_are_stored() -> None:
    kernel = load_user_kernel(DATA / "foreign" / "half_inputs.cu")
    nvidia = replace(GPU, capabilities=("cuda",), gpu_facts=nvidia_facts((9, 0)))
    shape = Shape(64, 48, 32)
    need = availability_of(kernel, kernel.params({}), shape, nvidia, None).need
    assert need is not None
    assert need.device_bytes == 2 * (64 * 32 + 32 * 48 + 64 * 48)
