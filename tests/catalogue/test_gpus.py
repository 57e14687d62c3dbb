"""The GPUs to compile for: figures within their ranges, names, targets, and an H200 as CUDA itself describes it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from cattrs.errors import BaseValidationError

from gemmviz.catalogue import gpus
from gemmviz.catalogue.gpus import UnknownGpuError, emulated, find_gpu, gpu_of_target, load_gpus, target_of_machine
from gemmviz.domain.kernels.capability import compute_capability
from gemmviz.domain.kernels.resources import Occupancy, Resources, occupancy
from gemmviz.domain.session.codec import CodecError
from gemmviz.domain.session.session import load_session
from gemmviz.domain.spec import Launch
from gemmviz.resources import resource_folder

EXAMPLES = Path(__file__).parents[2] / "assets" / "examples"
BLOCK = Launch((100, 1, 1), (256, 1, 1))


def test_that_an_h200_is_described_as_cuda_describes_it() -> None:
    measured = load_session(EXAMPLES / "gpu-waves.gemmviz").device
    ours = find_gpu(measured.name)
    for name in (
        "name",
        "compute_units",
        "max_threads_per_block",
        "max_block",
        "max_grid",
        "shared_bytes_per_block",
        "kind",
        "backend",
        "capabilities",
    ):
        assert getattr(ours, name) == getattr(measured, name), name
    assert replace(measured.gpu_facts, uuid="", memory_clock_mhz=0, memory_bus_bits=0) == ours.gpu_facts


@pytest.mark.parametrize(
    ("gpu", "registers", "shared", "expected"),
    [
        # By hand: T4 has 32 warps and 16 blocks; a 4090 48 warps; 40 registers are 1280 a warp, 12 warps in a quarter.
        ("T4", 32, 0, Occupancy(4, 32, 32, ("warps",))),
        ("RTX 4090", 40, 0, Occupancy(6, 48, 48, ("warps", "registers"))),
        ("A100", 40, 0, Occupancy(6, 48, 64, ("registers",))),
        ("RTX 3090", 32, 48 * 1024, Occupancy(2, 16, 48, ("shared memory",))),
        ("B200", 32, 48 * 1024, Occupancy(4, 32, 64, ("shared memory",))),
    ],
)
def test_that_occupancy_follows_from_the_figures(gpu: str, registers: int, shared: int, expected: Occupancy) -> None:
    found = occupancy(Resources(registers=registers, static_shared_bytes=shared), BLOCK, find_gpu(gpu).gpu_facts)
    assert found == expected


def test_that_all_ten_are_there_from_turing_to_blackwell() -> None:
    capabilities = [compute_capability(gpu.gpu_facts) for gpu in load_gpus()]
    assert len(capabilities) == 10
    assert capabilities == sorted(capabilities)
    assert (capabilities[0], capabilities[-1]) == ((7, 5), (12, 0))


@pytest.mark.parametrize("name", ["RTX 4090", "rtx4090", "NVIDIA GeForce RTX 4090", "  Rtx 4090 "])
def test_that_a_gpu_is_found_however_its_name_is_written(name: str) -> None:
    assert find_gpu(name).id == "RTX 4090"


def test_that_an_unknown_gpu_is_answered_with_the_list() -> None:
    with pytest.raises(UnknownGpuError, match=r"choose from T4, .*; did you mean 'RTX 3090'\?"):
        find_gpu("RTX 3900")


@pytest.mark.parametrize(("target", "gpu"), [("sm_90a", "H100"), ("sm_75", "T4"), ("sm_120", "RTX 5090")])
def test_that_a_target_leads_to_a_gpu_of_its_architecture(target: str, gpu: str) -> None:
    assert gpu_of_target(target).id == gpu


def test_that_an_architecture_without_a_gpu_in_the_list_has_its_limits() -> None:
    assert gpu_of_target("sm_121").gpu_facts.blocks_per_unit == 24
    orin, thor = (gpu_of_target(target).gpu_facts for target in ("sm_87", "sm_110f"))
    assert (orin.threads_per_unit, orin.blocks_per_unit, orin.shared_bytes_per_unit) == (1536, 16, 164 * 1024)
    assert (thor.threads_per_unit, thor.blocks_per_unit, thor.shared_bytes_per_unit) == (1536, 24, 228 * 1024)
    for unknown in ("sm_50", "sm_", "H100", "sm_90a; rm"):
        with pytest.raises(UnknownGpuError, match="choose from sm_75, "):
            gpu_of_target(unknown)


@pytest.mark.parametrize(
    ("figure", "wrong"), [("multiprocessors = 40", "multiprocessors = 0"), ("blocks_per_unit = 16", "blocks = 16")]
)
def test_that_a_figure_out_of_range_is_refused(
    figure: str, wrong: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (resource_folder("assets") / "gpus.toml").read_text(encoding="utf-8")
    assert figure in text
    (tmp_path / "gpus.toml").write_text(text.replace(figure, wrong), encoding="utf-8")
    monkeypatch.setattr(gpus, "resource_folder", lambda _: tmp_path)
    with pytest.raises((CodecError, BaseValidationError)):
        gpus._tables()


@pytest.mark.parametrize(
    ("wanted", "target", "like"),
    [
        ("", "sm_90a", "H100"),
        ("A100", "sm_80", "A100"),
        ("rtx 5090", "sm_120a", "RTX 5090"),
        ("sm_90", "sm_90", "H100"),
        ("sm_89", "sm_89", "RTX 4090"),
        ("sm_103a", "sm_103a", ""),
    ],
)
def test_that_the_machine_emulates_a_gpu_of_the_list(wanted: str, target: str, like: str) -> None:
    machine = emulated(wanted, 2**30)
    assert machine.is_emulated
    assert machine.name == f"PTX machine, {target} on this CPU"
    assert (target_of_machine(machine), machine.choice, machine.global_bytes) == (target, "machine", 2**30)
    if like:
        gpu = find_gpu(like)
        assert (machine.gpu_facts, machine.compute_units) == (gpu.gpu_facts, gpu.compute_units)
        assert (gpu.is_emulated, gpu.choice) == (False, gpu.id)


@pytest.mark.parametrize("wanted", ["sm_42", "sm_80a", "sm_90f", "H900", "x86"])
def test_that_an_unknown_target_is_answered_with_the_choices(wanted: str) -> None:
    with pytest.raises(UnknownGpuError, match=r"unknown target; choose from sm_75, sm_80, .*sm_121"):
        emulated(wanted)
