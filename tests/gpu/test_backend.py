"""The CUDA backend on a real GPU: facts, launches, shared memory, boxes of the TMA, clusters, time."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gemmviz.backends.base import BackendError, Boxes, CompileError, LaunchError
from gemmviz.backends.cuda.device import CudaDevice
from gemmviz.backends.cuda.devices import load_cuda
from gemmviz.backends.cuda.launch import CudaCompiled
from gemmviz.domain.device import Device
from gemmviz.domain.kernels.call import Storage
from gemmviz.domain.kernels.capability import compute_capability, has
from gemmviz.domain.kernels.resources import occupancy
from gemmviz.domain.spec import Launch, TensorMap
from gemmviz.domain.stored import stored
from gemmviz.domain.terms import Element
from gemmviz.measure.floor import floor_ms

LAUNCH = Launch((2, 1, 1), (4, 1, 1))
PARAMETERS = "const float *A, const float *B, float *C, int M, int N, int K"
Compile = Callable[..., CudaCompiled]


def downloaded(gpu: CudaDevice, buffer: Any, count: int = 8) -> list[float]:
    c = np.empty(count, np.float32)
    gpu.download(buffer, c)
    return c.tolist()


def test_that_a_gpu_tells_everything(device: Device) -> None:
    assert device.gpu_facts.uuid.startswith("GPU-")
    assert device.id == f"cuda:{device.gpu_facts.uuid[4:12]}"
    for fact in (
        device.compute_units,
        device.max_threads_per_block,
        device.cache_bytes,
        device.clock_mhz,
        device.global_bytes,
        device.gpu_facts.shared_bytes_per_unit,
        device.gpu_facts.registers_per_unit,
        device.gpu_facts.registers_per_block,
        device.gpu_facts.threads_per_unit,
        device.gpu_facts.blocks_per_unit,
        device.gpu_facts.memory_gb_per_s,
    ):
        assert fact > 0
    assert device.shared_bytes_per_block >= device.gpu_facts.static_shared_bytes == 48 * 1024
    assert "driver" in device.driver


def test_that_the_drivers_own_tool_knows_the_uuid(device: Device) -> None:
    try:
        said = subprocess.run(["nvidia-smi", "-L"], capture_output=True, text=True, check=False).stdout
    except OSError:
        pytest.skip("there is no nvidia-smi")
    assert device.gpu_facts.uuid in said


@pytest.mark.parametrize("linkage", ['extern "C" ', ""])
def test_that_launches_run_and_take_time(
    gpu: CudaDevice, compiled: Compile, arguments: list[Any], linkage: str
) -> None:
    made = compiled(
        f"{linkage}__global__ void k({PARAMETERS}) {{ C[blockIdx.x * 4 + threadIdx.x] += ADD + K; }}", LAUNCH, ADD=1
    )
    assert made.build.startswith("nvcc ")
    assert f"for sm_{compute_capability(gpu.device.gpu_facts)[0]}" in made.build
    assert gpu.launch(made, LAUNCH, arguments).wait(10.0) > 0.0
    assert downloaded(gpu, arguments[2]) == [4.0] * 8
    assert gpu.launch(made, LAUNCH, arguments, count=500).wait(10.0) > 0.0
    assert downloaded(gpu, arguments[2]) == [2004.0] * 8
    assert gpu.overrun_bytes(arguments[2]) == (0, 0)


@pytest.mark.parametrize("kib", [48, 64, 200])
def test_that_shared_memory_beyond_48_kib_reaches_the_kernel(
    gpu: CudaDevice, compiled: Compile, arguments: list[Any], kib: int
) -> None:
    nbytes = kib * 1024
    if nbytes > gpu.device.shared_bytes_per_block:
        pytest.skip("the device has less")
    launch = Launch((2, 1, 1), (4, 1, 1), dynamic_shared_bytes=nbytes)
    text = (
        f"extern __shared__ float s[]; __global__ void k({PARAMETERS}) {{ const int last = {nbytes // 4 - 1};\n"
        "s[last - threadIdx.x] = threadIdx.x; __syncthreads();\n"
        "C[blockIdx.x * 4 + threadIdx.x] = s[last - 3 + threadIdx.x]; }"
    )
    gpu.launch(compiled(text, launch), launch, arguments).wait(10.0)
    assert downloaded(gpu, arguments[2]) == [3.0, 2.0, 1.0, 0.0] * 2


def test_that_more_shared_memory_than_there_is_is_refused_and_the_next_launch_works(
    gpu: CudaDevice, compiled: Compile, arguments: list[Any]
) -> None:
    text = f"extern __shared__ float s[]; __global__ void k({PARAMETERS}) {{ s[0] = 1; C[threadIdx.x] = 5 + s[0]; }}"
    too_much = Launch((2, 1, 1), (4, 1, 1), dynamic_shared_bytes=gpu.device.shared_bytes_per_block + 16)
    with pytest.raises(LaunchError, match="does not take the compiled kernel: invalid"):
        compiled(text, too_much)
    gpu.launch(compiled(text, Launch((1, 1, 1), (4, 1, 1), 16)), Launch((1, 1, 1), (4, 1, 1), 16), arguments).wait(10.0)
    assert downloaded(gpu, arguments[2])[:4] == [6.0] * 4


def test_that_a_block_its_registers_do_not_fit_is_refused_with_the_numbers(compiled: Compile) -> None:
    body = "".join(f"float r{i} = A[{i} * K + threadIdx.x];" for i in range(200))
    total = " + ".join(f"r{i} * r{(7 * i + 3) % 200}" for i in range(200))
    text = f'__global__ void k({PARAMETERS}) {{ {body} asm volatile("" ::: "memory"); C[threadIdx.x] = {total}; }}'
    with pytest.raises(LaunchError, match=r"1024 threads with \d+ registers each needs more than the 65536 registers"):
        compiled(text, Launch((1, 1, 1), (1024, 1, 1)))


def test_that_a_geometry_the_device_does_not_take_is_a_refused_launch(
    gpu: CudaDevice, compiled: Compile, arguments: list[Any]
) -> None:
    made = compiled(f"__global__ void k({PARAMETERS}) {{ C[0] = 7; }}", LAUNCH)
    with pytest.raises(LaunchError, match=r"the launch was refused by .*: invalid"):
        gpu.launch(made, Launch((1, 70_000, 1), (4, 1, 1)), arguments).wait(10.0)
    assert gpu.launch(made, LAUNCH, arguments).wait(10.0) > 0.0
    assert downloaded(gpu, arguments[2])[0] == 7.0


def test_that_a_kernel_with_other_parameters_is_a_refused_launch(
    gpu: CudaDevice, compiled: Compile, arguments: list[Any]
) -> None:
    with pytest.raises(LaunchError, match="takes parameters of 8 bytes and is given 8, 8, 8, 4, 4, 4"):
        gpu.launch(compiled("__global__ void k(float *C) { C[0] = 1; }", LAUNCH), LAUNCH, arguments)


def test_that_memory_that_is_not_there_is_refused_and_the_device_stays_well(gpu: CudaDevice) -> None:
    with pytest.raises(
        BackendError, match=r"cannot allocate .* GiB: .* of its .* GiB are free. Choose a smaller M, N or K"
    ):
        gpu.allocate(2 * gpu.device.global_bytes)
    gpu.allocate(16).release()


def test_that_a_write_beside_an_array_is_found(gpu: CudaDevice, compiled: Compile, arguments: list[Any]) -> None:
    text = f"__global__ void k({PARAMETERS}) {{ C[M * N + threadIdx.x % 2] = 1; C[-1] = 2; }}"
    gpu.launch(compiled(text, LAUNCH), LAUNCH, arguments).wait(10.0)
    assert gpu.overrun_bytes(arguments[2]) == (4, 8)


def test_that_an_error_stands_at_the_line_of_the_original_file(compiled: Compile, tmp_path: Path) -> None:
    with pytest.raises(CompileError) as caught:
        compiled(f"// one\n__global__ void k({PARAMETERS})\n{{\n    C[0] = nothing;\n}}\n", LAUNCH)
    assert str(caught.value).startswith(f'{tmp_path / "mine.cu"}:4: identifier "nothing" is undefined')


def test_that_resources_and_machine_code_are_kept(compiled: Compile) -> None:
    made = compiled(
        f"__global__ void k({PARAMETERS}) {{ __shared__ float s[8]; s[threadIdx.x] = A[0];\n"
        "__syncthreads(); C[0] = s[7 - threadIdx.x]; }",
        LAUNCH,
    )
    assert made.resources.static_shared_bytes == made.static_shared_bytes == 32
    assert made.resources.registers > 0
    assert ".entry" in made.ptx
    if made.sass is not None:
        assert "EXIT" in made.sass


BOXES = """
#include <cuda.h>
__global__ void k(const __grid_constant__ CUtensorMap A, const TYPE *B, float *C, int M, int N, int K)
{
    __shared__ alignas(128) TYPE tile[4][16];
    __shared__ alignas(8) unsigned long long barrier;
    const unsigned bar = (unsigned)__cvta_generic_to_shared(&barrier);
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared.b64 [%0], 1;" :: "r"(bar));
        asm volatile("fence.proxy.async.shared::cta;");
        asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" :: "r"(bar), "r"((int)sizeof(tile)));
        asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes"
            " [%0], [%1, {%2, %3}], [%4];"
            :: "r"((unsigned)__cvta_generic_to_shared(tile)), "l"(&A), "r"(8), "r"(1), "r"(bar) : "memory");
    }
    __syncthreads();
    asm volatile("{ .reg .pred p; WAIT: mbarrier.try_wait.parity.shared.b64 p, [%0], 0; @!p bra WAIT; }"
        :: "r"(bar) : "memory");
    for (int i = threadIdx.x; i < 64; i += blockDim.x) {
        C[i] = (float)tile[i / 16][i % 16];
    }
}
"""


@pytest.mark.parametrize("element", list(Element))
def test_that_the_copy_engine_brings_the_box_it_is_asked_for(
    gpu: CudaDevice, compiled: Compile, element: Element
) -> None:
    if not has(gpu.device, "sm_90"):
        pytest.skip("the device has no copy engine for tensors")
    a = np.arange(3 * 24, dtype=np.float32).reshape(3, 24)
    launch = Launch((1, 1, 1), (32, 1, 1))
    kind = {"float32": "float", "bfloat16": "__nv_bfloat16", "half": "half", "double": "double"}[element]
    made = compiled(
        f"#include <cuda_bf16.h>\n#include <cuda_fp16.h>\n{BOXES.replace('TYPE', kind)}", launch, ("cuda", "sm_90")
    )
    there = stored(a, Storage(element))
    buffers = [gpu.allocate(there.nbytes), gpu.allocate(16), gpu.allocate(4 * 64)]
    gpu.upload(there, buffers[0])
    boxes = Boxes(buffers[0], TensorMap("A", 3, 24, element, (16, 4)))
    gpu.launch(made, launch, [boxes, *buffers[1:], 3, 24, 24]).wait(10.0)
    expected = np.zeros((4, 16), np.float32)
    expected[:2] = a[1:, 8:]  # what lies beside the matrix is read as zeros
    assert downloaded(gpu, buffers[2], 64) == expected.ravel().tolist()
    for buffer in buffers:
        buffer.release()


def test_that_blocks_of_a_cluster_see_each_others_shared_memory(
    gpu: CudaDevice, compiled: Compile, arguments: list[Any]
) -> None:
    if not has(gpu.device, "sm_90"):
        pytest.skip("the device has no clusters")
    launch = Launch((8, 1, 1), (32, 1, 1), dynamic_shared_bytes=100_000, cluster=(2, 1, 1))
    text = f"""#include <cooperative_groups.h>
    extern __shared__ float s[];
    __global__ void k({PARAMETERS})
    {{
        auto cluster = cooperative_groups::this_cluster();
        s[0] = blockIdx.x;
        cluster.sync();
        C[blockIdx.x] = *cluster.map_shared_rank(s, cluster.block_rank() ^ 1) + 100 * cluster.num_blocks();
        cluster.sync();
    }}"""
    gpu.launch(compiled(text, launch, ("cuda", "sm_90")), launch, arguments).wait(10.0)
    assert downloaded(gpu, arguments[2]) == [200.0 + (block ^ 1) for block in range(8)]


def test_that_occupancy_is_what_the_driver_calculates(gpu: CudaDevice, compiled: Compile) -> None:
    cuda = load_cuda()
    text = f"""extern __shared__ float d[]; __global__ void __launch_bounds__(LIMIT) k({PARAMETERS})
    {{ __shared__ float s[STATIC]; float r[COUNT]; for (int i = 0; i < COUNT; ++i) r[i] = A[i * K + threadIdx.x];
      s[threadIdx.x % STATIC] = r[0]; d[0] = 1; __syncthreads(); float x = s[(threadIdx.x + 1) % STATIC] + d[0];
      for (int i = 0; i < COUNT; ++i) x = x * r[i] + r[(5 * i + 1) % COUNT]; C[threadIdx.x] = x; }}"""
    for threads, count, static, dynamic in (
        (32, 4, 8, 0),
        (96, 60, 8, 0),
        (256, 100, 1024, 0),
        (256, 100, 1024, 60_000),
        (512, 4, 8, 90_000),
        (1024, 20, 8, 0),
    ):
        launch = Launch((1, 1, 1), (threads, 1, 1), dynamic_shared_bytes=dynamic + 16)
        made = compiled(text, launch, LIMIT=threads, COUNT=count, STATIC=static)
        with gpu._active():
            function = cuda.library.load_function(made._built.cubin, made.symbol)
            cuda.library.set_attribute(function, 8, launch.dynamic_shared_bytes)
            told = cuda.library.active_blocks(function, threads, launch.dynamic_shared_bytes)
        found = occupancy(made.resources, launch, gpu.device.gpu_facts)
        assert found is not None
        assert found.blocks == told, (threads, made.resources, launch)


SPIN = f"""__global__ void k({PARAMETERS})
{{ unsigned long long begin, now; asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
   do {{ asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now)); }} while (now - begin < 1000ull * MICROSECONDS);
   C[0] = 1; }}"""


@pytest.mark.parametrize("microseconds", [200, 2000])
def test_that_events_measure_the_kernel_and_little_else(
    gpu: CudaDevice, compiled: Compile, arguments: list[Any], microseconds: int
) -> None:
    made = compiled(SPIN, LAUNCH, MICROSECONDS=microseconds)
    gpu.launch(made, LAUNCH, arguments).wait(10.0)
    times_ms = [gpu.launch(made, LAUNCH, arguments).wait(10.0) for _ in range(20)]
    assert microseconds / 1000 <= float(np.median(times_ms)) < microseconds / 1000 + 0.03


def test_that_short_kernels_run_back_to_back(gpu: CudaDevice, compiled: Compile, arguments: list[Any]) -> None:
    made = compiled(f"__global__ void k({PARAMETERS}) {{ C[0] = 1; }}", LAUNCH)
    gpu.launch(made, LAUNCH, arguments).wait(10.0)
    each_us = [1000 * gpu.launch(made, LAUNCH, arguments, count=300).wait(10.0) / 300 for _ in range(10)]
    assert 0.3 < float(np.median(each_us)) < 5.0


def test_that_an_empty_kernel_has_its_floor(gpu: CudaDevice) -> None:
    assert 0.0005 < floor_ms(gpu, 10.0) < 0.02


def test_that_a_flush_leaves_nothing_of_ours_in_the_cache(gpu: CudaDevice, compiled: Compile) -> None:
    """One thread goes from element to element, each telling where the next lies: nothing hides a load's time."""
    steps, apart = 512, 16 * 1024 // 4
    assert 4 * steps * apart < gpu.device.cache_bytes / 2
    launch = Launch((1, 1, 1), (1, 1, 1))
    text = f"__global__ void k({PARAMETERS}) {{ int i = 0; for (int s = 0; s < M; s++) i = (int)A[i]; C[0] = i; }}"
    made = compiled(text, launch)
    chain = np.zeros(steps * apart, np.float32)
    chain[::apart] = np.arange(1, steps + 1) * apart
    buffers = [gpu.allocate(chain.nbytes), gpu.allocate(16), gpu.allocate(16)]
    gpu.upload(chain, buffers[0])

    def time_ms(cold: bool) -> float:
        if cold:
            gpu.flush_caches()
        return gpu.launch(made, launch, [*buffers, steps, 1, 1]).wait(10.0)

    time_ms(False)
    hot = float(np.median([time_ms(False) for _ in range(15)]))
    cold = float(np.median([time_ms(True) for _ in range(15)]))
    assert downloaded(gpu, buffers[2], 1) == [steps * apart]
    assert cold > 1.5 * hot
    for buffer in buffers:
        buffer.release()


def test_that_gauges_are_read_beside_the_samples(gpu: CudaDevice) -> None:
    reading = gpu.gauge()
    if reading is None:
        pytest.skip("NVML is not there")
    assert 100.0 < reading.clock_mhz < 5000.0
    assert 10.0 < reading.temperature_c < 110.0
    assert 10.0 < reading.power_w < 2000.0


def test_that_page_locked_memory_is_faster(gpu: CudaDevice) -> None:
    host = np.ones(2**24, np.float32)
    pinned, buffer = gpu.pinned(host), gpu.allocate(host.nbytes)
    assert pinned is not None
    assert np.array_equal(pinned, host)

    def best_s(array: np.ndarray) -> float:
        times = []
        for _ in range(5):
            begin = time.perf_counter()
            gpu.upload(array, buffer)
            times.append(time.perf_counter() - begin)
        return min(times)

    assert best_s(pinned) < best_s(host)
    buffer.release()
