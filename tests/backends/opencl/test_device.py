"""The OpenCL backend on the embedded device."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gemmviz.backends.base import BackendError, Buffer, CompileError, LaunchError, Source, TrialRun
from gemmviz.backends.opencl import build as opencl_build
from gemmviz.backends.opencl.device import OpenClBackend, OpenClDevice
from gemmviz.backends.opencl.pocl import METHOD_VARIABLE
from gemmviz.domain.shape import Shape
from gemmviz.domain.spec import Launch
from gemmviz.domain.terms import Language

LAUNCH = Launch((2, 1, 1), (4, 1, 1))
PARAMETERS = "const float *A, const float *B, float *C, int M, int N, int K"
CL_PARAMETERS = "__global const float *A, __global const float *B, __global float *C, int M, int N, int K"


@pytest.fixture
def build(pocl: OpenClDevice, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """Compiles a text of mine.cu or mine.cl for blocks of four threads, choosing by trial in an empty memory."""
    monkeypatch.setattr(opencl_build, "cache_folder", tmp_path.joinpath)
    monkeypatch.delenv(METHOD_VARIABLE, raising=False)

    def compiled(text: str, suffix: str = ".cu", launch: Launch = LAUNCH) -> Any:
        path = tmp_path / f"mine{suffix}"
        language = {".cu": Language.CUDA, ".cl": Language.OPENCL}[suffix]
        trial = TrialRun(Shape(2, 4, 3), launch, 8)
        return pocl.compile(Source(path, text, "k", language), launch, trial, lambda _: None)

    return compiled


@pytest.fixture
def arguments(pocl: OpenClDevice) -> list[Any]:
    """A of ones, B of ones, C of zeros, and M N K = 2 4 3."""
    arrays = [np.ones(6, np.float32), np.ones(12, np.float32), np.zeros(8, np.float32)]
    buffers = [pocl.allocate(array.nbytes) for array in arrays]
    for array, buffer in zip(arrays, buffers, strict=True):
        pocl.upload(array, buffer)
    return [*buffers, 2, 4, 3]


def downloaded(pocl: OpenClDevice, buffer: Buffer) -> list[float]:
    c = np.empty(8, np.float32)
    pocl.download(buffer, c)
    return c.tolist()


@pytest.mark.parametrize(
    ("suffix", "text"),
    [
        (".cu", f"__global__ void k({PARAMETERS}) {{ C[blockIdx.x * 4 + threadIdx.x] += 1.0f + K; }}"),
        (".cl", f"__kernel void k({CL_PARAMETERS}) {{ C[get_global_id(0)] += 1.0f + K; }}"),
    ],
)
def test_that_launches_run_and_take_time(
    pocl: OpenClDevice, build: Callable[..., Any], arguments: list[Any], suffix: str, text: str
) -> None:
    compiled = build(text, suffix)
    assert compiled.build.startswith("PoCL, ")
    assert pocl.launch(compiled, LAUNCH, arguments).wait() > 0.0
    assert downloaded(pocl, arguments[2]) == [4.0] * 8
    assert pocl.launch(compiled, LAUNCH, arguments, count=5).wait(10.0) > 0.0
    assert downloaded(pocl, arguments[2]) == [24.0] * 8


def test_that_a_remembered_choice_is_not_tried_again(
    build: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    text = f"__global__ void k({PARAMETERS}) {{ C[threadIdx.x] = 5.0f; }}"
    first = build(text).build
    monkeypatch.setattr(OpenClDevice, "try_out", lambda *_: pytest.fail("it was tried again"))
    assert build(text).build == first


def test_that_a_method_from_the_environment_is_used_and_told(
    build: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(METHOD_VARIABLE, "workitemrepl")
    assert build(f"__global__ void k({PARAMETERS}) {{ C[1] = 6.0f; }}").build == "PoCL, workitemrepl"


def test_that_dynamic_shared_memory_reaches_the_kernel(
    pocl: OpenClDevice, build: Callable[..., Any], arguments: list[Any]
) -> None:
    launch = Launch((2, 1, 1), (4, 1, 1), dynamic_shared_bytes=16)
    text = (
        f"__global__ void k({PARAMETERS}) {{ extern __shared__ float s[]; s[threadIdx.x] = threadIdx.x;\n"
        "__syncthreads(); C[blockIdx.x * 4 + threadIdx.x] = s[3 - threadIdx.x]; }"
    )
    pocl.launch(build(text, launch=launch), launch, arguments).wait()
    assert downloaded(pocl, arguments[2]) == [3.0, 2.0, 1.0, 0.0] * 2


@pytest.mark.parametrize(
    ("suffix", "text", "line"),
    [
        (".cu", f"// one\n__global__ void k({PARAMETERS})\n{{\n    float x = nothing;\n}}\n", 4),
        (".cu", f'// one\nextern "C" {{\n__global__ void k({PARAMETERS}) {{\n\n\n    C[0] = later(3);\n}}\n}}\n', 6),
        (
            ".cu",
            f"__device__ float f(const float *p) {{\n    return p->x;\n}}\n__global__ void k({PARAMETERS})\n"
            "{ __shared__ float s[2]; C[0] = f(A) + f(s); }\n",
            2,
        ),
        (".cl", f"// one\n\n__kernel void k({CL_PARAMETERS})\n{{\n    float x = nothing;\n}}\n", 5),
    ],
)
def test_that_an_error_stands_at_the_line_of_the_original_file(
    build: Callable[..., Any], tmp_path: Path, suffix: str, text: str, line: int
) -> None:
    with pytest.raises(CompileError) as caught:
        build(text, suffix)
    assert str(caught.value).startswith(f"{tmp_path / f'mine{suffix}'}:{line}:")


def test_that_a_header_that_lies_about_its_entry_is_answered_with_what_there_is(
    build: Callable[..., Any],
) -> None:
    with pytest.raises(CompileError, match=r"mine\.cl: the entry 'k' is not in the file; it defines other"):
        build(f"__kernel void other({CL_PARAMETERS}) {{}}", ".cl")
    with pytest.raises(CompileError, match=r"mine\.cl: .*it defines no kernel"):
        build("int x();", ".cl")


def test_that_a_kernel_with_other_parameters_is_a_refused_launch(
    pocl: OpenClDevice, build: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, arguments: list[Any]
) -> None:
    monkeypatch.setenv(METHOD_VARIABLE, "workitemloops")
    compiled = build("__kernel void k(__global float *C) { C[0] = 1; }", ".cl")
    with pytest.raises(LaunchError, match="the launch was refused by"):
        pocl.launch(compiled, LAUNCH, arguments)


def test_that_opencl_words_may_be_names_in_cuda_c(
    pocl: OpenClDevice, build: Callable[..., Any], arguments: list[Any]
) -> None:
    text = (
        f"__global__ void k({PARAMETERS}) {{ int local = threadIdx.x, global = blockIdx.x * 4 + local;\n"
        "float half = 0.5f, kernel = 1, constant = 2, private = 4; C[global] = half + kernel + constant + private; }"
    )
    pocl.launch(build(text), LAUNCH, arguments).wait()
    assert downloaded(pocl, arguments[2]) == [7.5] * 8


def test_that_too_much_memory_is_refused_with_the_number(pocl: OpenClDevice) -> None:
    with pytest.raises(BackendError, match=rf"cannot allocate {2**60} bytes"):
        pocl.allocate(2**60)


def test_that_flushing_writes_more_than_the_caches_hold() -> None:
    backend = OpenClBackend()
    opened = backend.open(next(d for d in backend.devices() if d.id == "pocl"))
    opened.flush_caches()
    opened.flush_caches()
    opened.release()
    opened.release()


def test_that_a_device_that_is_gone_is_named(pocl: OpenClDevice) -> None:
    with pytest.raises(BackendError, match=r"the device opencl:9\.9 .* is gone"):
        OpenClBackend().open(replace(pocl.device, id="opencl:9.9"))


ENDLESS = """
import os, sys, time
from pathlib import Path
import numpy as np
from gemmviz.backends.base import KernelTimeoutError, Source, TrialRun
from gemmviz.backends.opencl.device import OpenClBackend
from gemmviz.domain.shape import Shape
from gemmviz.domain.spec import Launch
from gemmviz.domain.terms import Language
os.environ["POCL_WORK_GROUP_METHOD"] = "workitemloops"
backend = OpenClBackend()
device = backend.open(next(d for d in backend.devices() if d.id == "pocl"))
launch = Launch((1, 1, 1), (1, 1, 1))
text = '''__kernel void k(__global const float *A, __global const float *B, volatile __global float *C,
                          int M, int N, int K) { while (C[0] == 0.0f) C[1] = 1.0f; }'''
source = Source(Path("endless.cl"), text, "k", Language.OPENCL)
compiled = device.compile(source, launch, TrialRun(Shape(1, 1, 1), launch, 1), print)
buffers = [device.allocate(8) for _ in range(3)]
for buffer in buffers:
    device.upload(np.zeros(2, np.float32), buffer)
pending = device.launch(compiled, launch, [*buffers, 1, 1, 1])
begin = time.monotonic()
try:
    pending.wait(0.5)
except KernelTimeoutError as error:
    print(round(time.monotonic() - begin, 1), error, flush=True)
os._exit(7)  # the device is still at it: nothing that waits for it may run
"""


def test_that_a_launch_that_never_ends_is_given_up_within_its_limit() -> None:
    done = subprocess.run([sys.executable, "-c", ENDLESS], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 7, done.stderr
    waited, _, words = done.stdout.partition(" ")
    assert 0.5 <= float(waited) < 2.0
    assert words.startswith("the kernel did not end within 0.5 s")


def test_that_pyopencl_keeps_no_cache_of_its_own_that_could_be_damaged() -> None:
    code = (
        "from gemmviz.backends.registry import all_devices; all_devices(); "
        "import pyopencl.invoker; print(hasattr(pyopencl.invoker, 'invoker_cache'))"
    )
    environment = {name: value for name, value in os.environ.items() if name != "PYOPENCL_NO_CACHE"}
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=True)
    assert done.stdout.strip() == "False"
