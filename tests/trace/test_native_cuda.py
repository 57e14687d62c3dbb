"""A recording through the CUDA backend, whose driver is an array and whose GPU is the CPU. On a real one: tests/gpu."""

from __future__ import annotations

import ctypes
import re
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fake_cuda import FakeDriver, fake_library
from gpu_on_cpu import GpuOnCpu, compiled_by_gpp, has_compiler

from gemmviz.backends import cuda as cuda_module
from gemmviz.backends.base import CompileError, KernelTimeoutError, OpenDevice, Source
from gemmviz.backends.cuda import CudaDevice
from gemmviz.backends.cuda_build import Built
from gemmviz.backends.cuda_devices import Cuda, describe
from gemmviz.backends.cuda_gauges import GaugeReader
from gemmviz.backends.nvcc import Nvcc
from gemmviz.catalogue.kernel import Kernel
from gemmviz.catalogue.loader import load_catalogue, load_user_kernel
from gemmviz.compiler.ptx import Parameter
from gemmviz.domain.operands import make_operands
from gemmviz.domain.resources import Resources
from gemmviz.domain.shape import Shape
from gemmviz.domain.spec import Launch
from gemmviz.domain.terms import Fill, Language
from gemmviz.trace import native_recording, record
from gemmviz.trace.record import Recorder, recorder_for

UUID = "GPU-00112233-4455-6677-8899-aabbccddeeff"
POINTER, NUMBER = Parameter(8, 8), Parameter(4, 4)
FORM = "<QQQiii4x9Q"
SHAPE = Shape(17, 33, 5)
_LOGGED = re.compile(r"(?P<name>\w+) \((?P<grid>\d+), 1, 1\) \((?P<block>\d+, \d+, \d+)\) \d+")
CATALOGUE = load_catalogue()


@pytest.fixture
def driver() -> FakeDriver:
    return FakeDriver()


@pytest.fixture
def gpu(driver: FakeDriver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> CudaDevice:
    """A GPU for which g++ compiles what nvcc would; its memory is the driver's array."""
    if not has_compiler():
        pytest.skip("g++ is not there to compile what nvcc would")

    def build(source: Source, target: str, *_: object) -> Built:
        parameters = (POINTER, NUMBER, NUMBER) if source.entry == "hold" else (*[POINTER] * 3, *[NUMBER] * 3)
        if source.entry != "hold":
            if "GvRecording" not in source.text:
                raise CompileError("the source itself is at fault")
            made: Any = compiled_by_gpp(
                source.text, source.entry, Launch((1, 1, 1), (1, 1, 1), 64), source.defines, tmp_path
            )
            driver.kernels[source.entry] = lambda driver, packed: run(driver, made, packed)
            parameters = (*parameters, *[POINTER] * 9)
        return Built(target, "13.0", source.entry, parameters, Resources(40), b"\x7fELF", "ptx")

    monkeypatch.setattr(cuda_module, "find_nvcc", lambda: Nvcc(Path("nvcc"), "13.0", "13.0.88"))
    monkeypatch.setattr(cuda_module, "build", build)
    monkeypatch.setattr(cuda_module, "_ABANDONED", [])
    cuda = Cuda(driver, fake_library()[1])
    context = cuda.driver.Device(0).retain_primary_context()
    return CudaDevice(describe(cuda, 0, UUID), cuda, context, GaugeReader(None, UUID))


def run(driver: FakeDriver, made: Any, packed: bytes) -> None:
    """Run what g++ made on the driver's memory."""
    match = _LOGGED.fullmatch(driver.log[-1])
    assert match is not None
    start = driver.memory.ctypes.data
    given = struct.unpack(FORM, packed)
    values = [ctypes.c_int(v) if 3 <= i < 6 else ctypes.c_void_p(start + v) for i, v in enumerate(given)]
    pointers = (ctypes.c_void_p * len(values))(*(ctypes.addressof(value) for value in values))
    made.gpu_launch(int(match["grid"]), *map(int, match["block"].split(", ")), pointers, 0)


def recorder_on(gpu: CudaDevice, name: str, shape: Shape = SHAPE, **params: int) -> Recorder:
    kernel = CATALOGUE.get(name)
    plan = kernel.plan(shape, kernel.params(params), gpu.device)
    found = recorder_for(gpu, kernel, plan, shape, make_operands(shape, Fill.INTEGERS, 1), 60.0)
    assert isinstance(found, Recorder)
    return found


@pytest.mark.parametrize("name", ["naive", "tiled", "row_shared"])
def test_that_a_gpu_records_what_the_same_code_records_elsewhere(gpu: CudaDevice, name: str, tmp_path: Path) -> None:
    recorder, kernel = recorder_on(gpu, name), CATALOGUE.get(name)
    plan = kernel.plan(SHAPE, kernel.params({}), gpu.device)
    source = Source(kernel.path, kernel.text, kernel.entry, kernel.language, plan.defines)
    operands = make_operands(SHAPE, Fill.INTEGERS, 1)
    elsewhere = Recorder(GpuOnCpu(tmp_path / ".."), source, plan.launch, SHAPE, operands)
    indices = np.arange(plan.launch.blocks, dtype=np.int32)
    for ours, theirs in zip(recorder.blocks(indices), elsewhere.blocks(indices), strict=True):
        assert np.array_equal(ours.addresses, theirs.addresses)
        assert ours.arrays == theirs.arrays
    assert np.array_equal(recorder.c[0], operands.a @ operands.b)
    for our, their in zip(recorder.snapshots(0), elsewhere.snapshots(0), strict=True):
        assert (our.array, our.epoch) == (their.array, their.epoch)
        assert np.array_equal(our.origin, their.origin)


def test_that_memory_for_events_is_given_back_and_no_context_stays(gpu: CudaDevice, driver: FakeDriver) -> None:
    recorder = recorder_on(gpu, "tiled")
    kept = set(gpu._buffers)
    trace = next(recorder.blocks(np.array([1], np.int32)))
    recorder.snapshots(0)
    assert gpu._buffers == kept
    assert driver.depth == 0
    assert trace.block == (1, 0, 0)
    assert (trace.addresses >= 0).any()


def test_that_batches_follow_each_other(gpu: CudaDevice, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native_recording, "BATCH_BYTES", 1)
    recorder = recorder_on(gpu, "naive")
    indices = np.array([5, 0, 3], np.int32)
    one_by_one = [(trace.block, trace.addresses.copy()) for trace in recorder.blocks(indices)]
    monkeypatch.setattr(native_recording, "BATCH_BYTES", 2**20)
    (at_once,) = list(recorder.batches(indices))
    assert [trace.block for trace in at_once] == [block for block, _ in one_by_one]
    assert all(np.array_equal(t.addresses, kept) for t, (_, kept) in zip(at_once, one_by_one, strict=True))


def test_that_a_kernel_that_never_ends_costs_the_device(gpu: CudaDevice, driver: FakeDriver) -> None:
    kernel = CATALOGUE.get("naive")
    plan = kernel.plan(SHAPE, kernel.params({}), gpu.device)
    recorder = recorder_for(gpu, kernel, plan, SHAPE, make_operands(SHAPE, Fill.ONES, 0), 0.01)
    driver.endless = True
    with pytest.raises(KernelTimeoutError, match=r"did not end within 0\.01 s"):
        list(recorder.blocks(np.array([0], np.int32)))
    gpu.release()  # gives nothing back: that would wait for ever
    assert driver.depth == 0


@pytest.mark.parametrize("name", ["sgemm_best", "templates"])
def test_that_what_cannot_be_instrumented_is_recorded_from_its_compiled_code(
    gpu: CudaDevice, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []

    def by_code(_: OpenDevice, kernel: Kernel, *rest: object) -> str:
        del rest
        said.append(kernel.id)
        return "by its code"

    monkeypatch.setattr(record, "ptx_recorder_for", by_code)
    if name == "templates":
        path = tmp_path / "templates.cu"
        path.write_text(
            '/*---\ntitle = "t"\nentry = "k"\n[launch]\nblock = ["32"]\ngrid = ["1"]\n---*/\n'
            "template <int N> __device__ int n() { return N; }\n"
            "__global__ void k(const float *A, const float *B, float *C, int M, int N, int K)\n"
            "{ C[n<3>()] = A[0]; }\n"
        )
        kernel = load_user_kernel(path)
    else:
        kernel = CATALOGUE.get(name)
    shape = Shape(64, 64, 64)
    assert kernel.language is Language.CUDA
    plan = kernel.plan(shape, kernel.params({}), gpu.device)
    assert recorder_for(gpu, kernel, plan, shape, make_operands(shape, Fill.ONES, 0), 1.0) == "by its code"
    assert said == [kernel.id]
