"""Compiled code that records itself, on the GPU: the same C to the bit, no fault, and the counters' figures."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gpu_record.counters import as_counted
from numpy.typing import NDArray
from usual_calls import usual_call

from gemmviz.backends.base import Argument, Boxes, Buffer, Source, TrialRun
from gemmviz.backends.cuda.device import CudaBackend, CudaDevice
from gemmviz.backends.cuda.recorder import CudaRecorder, cuda_recorder_for
from gemmviz.catalogue.kernel import Kernel, Plan, Refusal
from gemmviz.catalogue.loader import load_catalogue
from gemmviz.domain.device import Device
from gemmviz.domain.kernels.capability import compute_capability
from gemmviz.domain.operands import Operands, as_bfloat16, make_operands
from gemmviz.domain.recordings.access import AccessKind
from gemmviz.domain.shape import Shape
from gemmviz.domain.spec import Launch
from gemmviz.domain.terms import CodeForm, Element, Fill, Language
from gemmviz.trace.hazards.hazards import find_hazards
from gemmviz.trace.ptx.decoding.totals import totals_of

CATALOGUE = load_catalogue()
KERNELS = [kernel for kernel in CATALOGUE.kernels if kernel.language is Language.CUDA]
SIZES = [Shape(130, 70, 33), Shape(128, 128, 64), Shape(256, 512, 256), Shape(1, 1, 1025)]
GOLDEN = Path(__file__).parents[1] / "data" / "golden"
COUNTED = [
    counted
    for path in (GOLDEN / "h200_kernels.json", GOLDEN / "h200_ladder.json")
    for counted in json.loads(path.read_text(encoding="utf-8"))["kernels"]
    if path.stem == "h200_kernels" or (counted["size"] == "128x128x64" and CATALOGUE.get(counted["kernel"]).needs_cuda)
]
EXACT = (
    "global_load_requests",
    "global_load_sectors",
    "global_store_requests",
    "global_store_sectors",
    "copy_engine_written_bytes",
)
"""Of shared memory the assembler merges neighbouring scalar accesses, which PTX does not show."""
LIMIT_S = 60.0


@pytest.fixture(scope="module")
def opened(backend: CudaBackend, device: Device) -> Iterator[CudaDevice]:
    found = backend.open(device)
    assert isinstance(found, CudaDevice)
    yield found
    found.release()


MODULE_VARIABLES = """
__device__ unsigned int count;
__device__ __align__(256) float sums[64] = {1.0f, 2.0f};
extern "C" __global__ void k(const float *A, const float *B, float *C, int M, int N, int K) {
    int t = threadIdx.x;
    if (t == 0) atomicAdd(&count, 1u);
    C[blockIdx.x * 32 + t] = sums[t];
    sums[t] += 1.0f;
}
"""


@pytest.mark.parametrize("form", CodeForm)
def test_that_variables_of_the_module_are_recorded_from_their_initial_values(
    opened: CudaDevice, form: CodeForm
) -> None:
    shape = Shape(32, 1, 1)
    plan = Plan(Launch((1, 1, 1), (32, 1, 1)), (), 1, usual_call(shape), "k")
    source = Source(Path("mine.cu"), MODULE_VARIABLES, "k", Language.CUDA, ())
    made = CudaRecorder(opened, source, plan, shape, make_operands(shape, Fill.UNIFORM, 0), LIMIT_S, form)
    for _ in range(2):
        (block,) = made.blocks(np.zeros(1, np.int32))
        stored = [site.index for site in block.sites if site.array == "sums" and site.kind is AccessKind.STORE]
        (sums,) = [array for array in block.arrays if array.name == "sums"]
        slots = np.flatnonzero(np.isin(block.slot_site, stored))  # a warp that parted at `if` may stay apart
        np.testing.assert_array_equal(block.addresses[0, slots].max(axis=0), sums.base + 4 * np.arange(32))
        assert "count" in {site.array for site in block.sites}
        assert made.c[0, 1, 0] == 2.0


def plan_of(kernel: Kernel, shape: Shape, device: Device) -> Plan | None:
    try:
        return kernel.plan(shape, kernel.params({}), device)
    except Refusal:
        return None


def plain_c(opened: CudaDevice, kernel: Kernel, plan: Plan, shape: Shape, operands: Operands) -> NDArray[np.float32]:
    """What the kernel computes when nobody looks."""
    source = Source(kernel.path, kernel.text, kernel.entry, kernel.language, plan.defines, kernel.requires)
    c = np.full((plan.partial_sums, shape.m, shape.n), np.nan, np.float32)
    compiled = opened.compile(source, plan.launch, TrialRun(shape, plan.launch, c.size), lambda _: None)
    buffers: dict[str, Buffer] = {}
    for name, matrix in (("A", operands.a), ("B", operands.b), ("C", c)):
        stored = as_bfloat16(matrix) if plan.call.storage(name).element is Element.BFLOAT16 and name != "C" else matrix
        buffers[name] = opened.allocate(stored.nbytes)
        opened.upload(stored, buffers[name])
    maps = {one.matrix: Boxes(buffers[one.matrix], one) for one in plan.tensor_maps}
    arguments: list[Argument] = [maps.get(name, buffers[name]) for name in "ABC"]
    opened.launch(compiled, plan.launch, [*arguments, shape.m, shape.n, shape.k]).wait(LIMIT_S)
    opened.download(buffers["C"], c)
    for buffer in buffers.values():
        buffer.release()
    return c


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: kernel.id)
def test_that_recording_changes_no_bit_of_the_result(opened: CudaDevice, device: Device, kernel: Kernel) -> None:
    able = [(shape, plan) for shape in SIZES if (plan := plan_of(kernel, shape, device)) is not None]
    assert able
    for shape, plan in able:
        operands = make_operands(shape, Fill.UNIFORM, 5)
        recorder = cuda_recorder_for(opened, kernel, plan, shape, operands, LIMIT_S)
        last = plan.launch.blocks - 1
        traces = list(recorder.blocks(np.array(sorted({0, last}), np.int32)))
        assert [trace.block for trace in traces] == [recorder.block_of(block) for block in sorted({0, last})]
        assert all((trace.addresses >= 0).any() for trace in traces)
        assert all((np.diff(trace.slot_epoch) >= 0).all() for trace in traces)
        if shape == able[0][0]:
            assert [find_hazards(trace) for trace in traces] == [()] * len(traces)
        assert np.array_equal(recorder.c, plain_c(opened, kernel, plan, shape, operands)), shape


@pytest.mark.parametrize("counted", COUNTED, ids=lambda counted: f"{counted['kernel']}-{counted['size']}")
def test_that_compiled_code_makes_the_requests_the_hardware_counts(
    opened: CudaDevice, device: Device, counted: dict[str, Any]
) -> None:
    if compute_capability(device.gpu_facts) != (9, 0):
        pytest.skip("the counters were read on a GPU of compute capability 9.0")
    kernel, shape = CATALOGUE.get(counted["kernel"]), Shape.parse(counted["size"])
    plan = plan_of(kernel, shape, device)
    assert plan is not None
    recorder = cuda_recorder_for(opened, kernel, plan, shape, make_operands(shape, Fill.ONES, 0), LIMIT_S)
    found = totals_of(recorder, np.arange(plan.launch.blocks, dtype=np.int32), shape)
    assert found.blocks == plan.launch.blocks
    told, counters = as_counted(found.totals.as_dict()), counted["counters"]
    compared = [figure for figure in EXACT if figure in counters]
    assert compared
    assert {figure: told[figure] for figure in compared} == {figure: counters[figure] for figure in compared}


def test_that_every_element_is_fetched_by_the_copy_engine_as_often_as_tiles_need_it(
    opened: CudaDevice, device: Device
) -> None:
    """tf32x3 at 256 x 256 x 64: each tile of A serves all tiles across, each of B all tiles down."""
    kernel, shape = CATALOGUE.get("tf32x3"), Shape(256, 256, 64)
    plan = plan_of(kernel, shape, device)
    if plan is None:
        pytest.skip("the GPU has no copy engine of this kind")
    recorder = cuda_recorder_for(opened, kernel, plan, shape, make_operands(shape, Fill.ONES, 0), LIMIT_S)
    found = totals_of(recorder, np.arange(plan.launch.blocks, dtype=np.int32), shape)
    names = dict(plan.defines)
    across, down = -(-shape.n // names.get("BN", 128)), -(-shape.m // names.get("BM", 128))
    assert found.totals.copy_engine_bytes == 4 * shape.k * (shape.m * across + shape.n * down)
