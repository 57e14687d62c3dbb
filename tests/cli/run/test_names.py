"""A report names the device of every run in a table."""

from __future__ import annotations

from dataclasses import replace

from gpu_runs import GPU, gpu_run

from gemmviz.cli.run.names import device_lines, names_of
from gemmviz.domain.device import HOST, NO_GPU_FACTS, Device, DeviceKind
from gemmviz.domain.runs.result import RunResult
from gemmviz.domain.spec import Params

CPU = replace(
    GPU,
    id=HOST,
    backend=HOST,
    name="A processor",
    kind=DeviceKind.CPU,
    driver="Python 3.12.3",
    compute_units=16,
    gpu_facts=NO_GPU_FACTS,
)
GPU_LINE = "GPU made by hand, driver 13.0, 2025-01-02, 132 compute units"
CPU_LINE = "A processor, Python 3.12.3, 2025-01-02, 16 compute units"


def on(device: Device, kernel: str, params: Params = ()) -> RunResult:
    return gpu_run(kernel, device=device, params=params)


def test_that_what_ran_on_the_cpu_is_named_beside_the_cpu_and_behind_the_gpu() -> None:
    runs = [on(CPU, "cpu_ijk"), on(GPU, "tiled"), on(CPU, "cpu_blas"), on(CPU, "cpu_ijk")]
    assert device_lines(runs) == [GPU_LINE, f"cpu_ijk, cpu_blas: {CPU_LINE}"]


def test_that_a_device_alone_needs_no_names() -> None:
    assert device_lines([on(CPU, "cpu_ijk")]) == [CPU_LINE]


def test_that_times_of_gpu_kernels_on_a_cpu_are_doubted_there() -> None:
    (line,) = device_lines([on(replace(CPU, id="pocl", backend="opencl"), "tiled")])
    assert line == f"{CPU_LINE}: times of GPU kernels on a CPU are not GPU times."


def test_that_the_same_kernel_on_two_devices_is_told_apart() -> None:
    other = replace(GPU, id="cuda:1", name="Another GPU")
    runs = [on(GPU, "tiled", (("TILE", 16),)), on(other, "tiled", (("TILE", 16),)), on(other, "naive")]
    assert [name.plain for name in names_of(runs).values()] == ["tiled TILE=16 cuda:0", "tiled TILE=16 cuda:1", "naive"]
    assert device_lines(runs)[1].startswith("tiled cuda:1, naive: Another GPU, driver 13.0")
