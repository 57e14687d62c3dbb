"""What is recorded by a kernel's own threads is what thread loops record."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from gpu_on_cpu import GpuOnCpu, has_compiler
from same_recordings import check_the_same

from gemmviz.backends.base import Source
from gemmviz.backends.opencl import OpenClDevice
from gemmviz.catalogue.kernel import Kernel
from gemmviz.catalogue.loader import load_catalogue, load_user_kernel
from gemmviz.domain.access import BARRIER_SITE, INACTIVE, UNWRITTEN
from gemmviz.domain.operands import make_operands
from gemmviz.domain.shape import Shape
from gemmviz.domain.spec import Launch
from gemmviz.domain.terms import Fill, Language
from gemmviz.trace.analyse import analyse
from gemmviz.trace.opencl_recording import OpenClRecording
from gemmviz.trace.record import Recorder
from gemmviz.trace.recording_device import RecordingDevice

DATA = Path(__file__).parents[1] / "data"
CATALOGUE = load_catalogue()
PORTABLE = [k.id for k in CATALOGUE.kernels if k.language is Language.CUDA and not k.needs_cuda]
OWN = sorted(path.stem for path in (DATA / "kernels").glob("*.cu"))
FAULTY = sorted({path.stem for path in (DATA / "faulty").glob("*.cu")} - {"endless"})
SHAPES = (Shape(4, 4, 4), Shape(17, 33, 5), Shape(64, 48, 40))

Pair = tuple[Recorder, Recorder]
Make = Callable[[Kernel, Shape], Pair]


@pytest.fixture
def recorders(embedded: OpenClDevice, tmp_path: Path) -> Make:
    """Recorders of a kernel by thread loops and by its own threads; all numbers are whole, so that sums are exact."""
    if not has_compiler():
        pytest.skip("g++ is not there to compile what nvcc would")

    def make(kernel: Kernel, shape: Shape) -> Pair:
        plan = kernel.plan(shape, kernel.params({}), embedded.device)
        source = Source(kernel.path, kernel.text, kernel.entry, kernel.language, plan.defines)
        operands = make_operands(shape, Fill.INTEGERS, 3)

        def on(device: RecordingDevice) -> Recorder:
            return Recorder(device, source, plan.launch, shape, operands, plan.partial_sums)

        return on(OpenClRecording(embedded)), on(GpuOnCpu(tmp_path, backwards=shape.m % 2 == 1))

    return make


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("name", PORTABLE)
def test_that_threads_record_what_thread_loops_record(recorders: Make, name: str, shape: Shape) -> None:
    loops, threads = recorders(CATALOGUE.get(name), Shape(1, 1, shape.k * 27) if name.startswith("dot") else shape)
    assert threads.instrumented.skipped == loops.instrumented.skipped == []
    check_the_same(threads, loops, zeros=not name.startswith("dot"))


@pytest.mark.parametrize("name", OWN)
def test_that_kernels_of_other_styles_are_recorded_alike(recorders: Make, name: str) -> None:
    loops, threads = recorders(load_user_kernel(DATA / "kernels" / f"{name}.cu"), Shape(17, 20, 30))
    assert threads.instrumented.past_barriers == ""
    check_the_same(threads, loops, results=loops.instrumented.keeps_barriers, zeros=False)


@pytest.mark.parametrize("name", FAULTY)
def test_that_the_same_is_found_wrong(recorders: Make, name: str) -> None:
    shape = Shape(17, 20, 31)
    found = [
        analyse(recorder, np.arange(np.prod(recorder.grid), dtype=np.int32), shape)
        for recorder in recorders(load_user_kernel(DATA / "faulty" / f"{name}.cu"), shape)
    ]
    assert found[0].hazards == found[1].hazards != ()
    assert found[0].totals == found[1].totals


HEAD = "__global__ void k(const float *A, const float *B, float *C, int M, int N, int K) {\nint t = threadIdx.x;\n"
OTHER = {
    "a barrier in a helper": (
        "__device__ void all() { __syncthreads(); }\n",
        "__shared__ float s[64]; s[t] = A[63 - t]; all(); C[t] = s[t];", 1
    ),
    "helpers declared before they are defined": (
        "__device__ float at(const float *p, int i);\n__device__ float first(const float *p,\n    int i)\n"
        "{ return at(p, i); }\n__device__ float at(const float *p, int i) { return p[i]; }\n",
        "C[t] = first(A, 63 - t);", 0
    ),
    "a loop with nothing but a barrier": (
        "", "for (int i = 0; i < 3; ++i) __syncthreads(); C[t] = A[63 - t];", 3
    ),
    "a loop with nothing but a return": (
        "", "if (t >= 40) while (1) return; else ; __syncthreads(); C[t] = A[63 - t]; while (M) return;", 1
    ),
    "assertions and constants": (
        "__constant__ float one[1] = {1};\n", "assert(B[t] < 0); C[t] = A[63 - t] * (one[0] == 1 ? 1 : 2);", 0
    ),
    "loads through calls": ("", "C[t] = __ldg(&A[63 - t]) + __ldcs(B + t) - B[t];", 0),
    "threads that leave before shared memory is declared": (
        "", "if (t >= 40) return; __shared__ float s[64]; s[t] = A[63 - t]; __syncthreads(); C[t] = s[t];", 1
    ),
    "shared memory inside a loop": (
        "", "for (int i = 0; i < 2; ++i) { __shared__ float s[64]; s[t] = A[63 - t]; __syncthreads(); C[t] = s[t]; }", 2
    ),
    "alignment in CUDA's words": (
        "struct __align__(8) P { float x, y; };\n",
        "__shared__ __align__(16) P p[64]; p[t].x = A[63 - t]; __syncthreads(); C[t] = p[t].x;", 1
    ),
    "headers among the file's own words": (
        "#include <cuda_runtime.h>\n__device__ float at(const float *p, int i);\n#ifdef K\n#define ONE\n#else\n"
        "#include <cuda_runtime.h>\n#define ONE 1\n#endif\n"
        "__device__ float at(const float *p, int i) { return p[i * ONE]; }\n", "C[t] = at(A, 63 - t);", 0
    ),
    "which block it is": ("#include <cuda_runtime.h>\n", "C[t] = A[63 - t] + blockIdx.y + gridDim.z - 1;", 0),
    "characters that nobody aligns": (
        "", "__shared__ char c[3]; __shared__ float s[64]; if (t < 3) c[t] = 1; s[t] = A[63 - t]; C[t] = s[t];", 0
    ),
}  # fmt: skip


@pytest.mark.parametrize("style", OTHER)
def test_that_threads_record_what_they_do(tmp_path: Path, style: str) -> None:
    if not has_compiler():
        pytest.skip("g++ is not there to compile what nvcc would")
    before, body, barriers = OTHER[style]
    source = Source(Path("mine.cu"), f"{before}{HEAD}{body}\n}}\n", "k", Language.CUDA)
    shape, launch = Shape(8, 8, 8), Launch((1, 1, 1), (64, 1, 1))
    operands = make_operands(shape, Fill.COUNTING, 0)
    recorder = Recorder(GpuOnCpu(tmp_path), source, launch, shape, operands)
    trace = next(recorder.blocks(np.zeros(1, np.int32)))
    assert recorder.instrumented.keeps_barriers
    assert int((trace.slot_site == BARRIER_SITE).sum()) == trace.slot_epoch[-1] == barriers
    (load,) = {site.index for site in trace.sites if site.array == "A" or site.array == "" if site.kind == "load"}
    rows = trace.addresses[:, trace.slot_site == load].reshape(2, -1, 32)
    threads = np.arange(64).reshape(2, 1, 32)
    expected = np.where((threads < 40) | ("t >= 40" not in body), (1 << 40) + 4 * (63 - threads), INACTIVE)
    assert np.array_equal(rows, np.broadcast_to(expected, rows.shape))
    recorder.snapshots(0)
    list(recorder.blocks(np.zeros(1, np.int32)))
    there = np.arange(64) < 40 if "t >= 40" in body else np.ones(64, bool)
    assert np.array_equal(recorder.c.reshape(-1)[there], operands.a.reshape(-1)[63 - np.arange(64)][there])


def test_that_a_snapshot_of_threads_that_leave_is_whole(tmp_path: Path) -> None:
    if not has_compiler():
        pytest.skip("g++ is not there to compile what nvcc would")
    body = (
        "__shared__ float s[64];\nif (t >= 40) return;\ns[t] = A[t]; __syncthreads(); s[t + 24] = B[t];\nif (t) return;"
    )
    source = Source(Path("mine.cu"), f"{HEAD}{body}\nC[0] = 1;\n}}\n", "k", Language.CUDA)
    shape, launch = Shape(8, 8, 8), Launch((1, 1, 1), (64, 1, 1))
    for backwards in (False, True):
        device = GpuOnCpu(tmp_path, backwards)
        recorder = Recorder(device, source, launch, shape, make_operands(shape, Fill.COUNTING, 0))
        first, last = recorder.snapshots(0)
        assert first.origin.reshape(-1).tolist() == [*range(40), *([UNWRITTEN] * 24)]
        assert last.origin.reshape(-1).tolist() == [*range(24), *range(40)]
        assert last.matrix.reshape(-1).tolist() == [0] * 24 + [1] * 40


def test_that_a_recorder_gives_back_what_it_took_for_a_recording(tmp_path: Path) -> None:
    if not has_compiler():
        pytest.skip("g++ is not there to compile what nvcc would")
    device = GpuOnCpu(tmp_path)
    shape, launch = Shape(8, 8, 8), Launch((1, 1, 1), (64, 1, 1))
    text = f"{HEAD}__shared__ float s[64]; s[t] = A[t]; C[t] = s[t];\n}}\n"
    source = Source(Path("mine.cu"), text, "k", Language.CUDA)
    recorder = Recorder(device, source, launch, shape, make_operands(shape, Fill.ONES, 0))
    kept = [buffer for buffer in device.buffers if not buffer.is_released]
    trace = next(recorder.blocks(np.zeros(1, np.int32)))  # nobody asks for more
    recorder.snapshots(0)
    list(recorder.blocks(np.zeros(1, np.int32)))
    assert [buffer for buffer in device.buffers if not buffer.is_released] == kept
    assert (trace.addresses[trace.addresses >= 0] > 0).all()
