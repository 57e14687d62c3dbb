"""What merged accesses to shared memory cost, derived from recordings and counted by an H200 (docs/RECORD.md)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from gemmviz.catalogue.loader import load_catalogue, load_user_kernel
from gemmviz.domain.recordings.machine_accesses import AccessSort, MachineAccesses, SharedMemoryCost, WidthCount
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import CodeForm, Fill
from gemmviz.engine.messages import Conditions, Job
from gemmviz.engine.recording import device_for_recording, record
from gemmviz.measure.bench import Watch
from gemmviz.trace.explain import totals_of
from gemmviz.trace.merged_requests import merged_requests

pytestmark = pytest.mark.usefixtures("nvrtc")

SLOW = pytest.mark.slow
HALF2 = """/*---
title = "Mine"
entry = "mine"
[launch]
block = ["16", "16"]
grid = ["ceil_div(N, 32)", "ceil_div(M, 16)"]
---*/
#include <cuda_fp16.h>
__global__ void mine(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ __half2 sA[16][16];
    __shared__ __half2 sB[32][16];
    const int tx = threadIdx.x, ty = threadIdx.y;
    float2 acc = make_float2(0.f, 0.f);
    for (int k0 = 0; k0 < K; k0 += 32) {
        sA[ty][tx] = __floats2half2_rn(A[ty * K + k0 + 2 * tx], A[ty * K + k0 + 2 * tx + 1]);
        sB[ty][tx] = __floats2half2_rn(B[(k0 + ty) * N + 2 * tx], B[(k0 + ty) * N + 2 * tx + 1]);
        sB[ty + 16][tx] = __floats2half2_rn(B[(k0 + ty + 16) * N + 2 * tx], B[(k0 + ty + 16) * N + 2 * tx + 1]);
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 16; ++k) {
            const float2 a = __half22float2(sA[ty][k]);
            const float2 b0 = __half22float2(sB[2 * k][tx]);
            const float2 b1 = __half22float2(sB[2 * k + 1][tx]);
            acc.x += a.x * b0.x + a.y * b1.x;
            acc.y += a.x * b0.y + a.y * b1.y;
        }
        __syncthreads();
    }
    C[ty * N + 2 * tx] = acc.x;
    C[ty * N + 2 * tx + 1] = acc.y;
}
"""


def recorded(name: str, size: str, form: CodeForm = CodeForm.AS_COMPILED) -> TraceRun:
    kernel = load_catalogue().get(name)
    device = device_for_recording(kernel, "machine", form=form)
    conditions = Conditions(
        Shape.parse(size), Fill.ONES, 0, device=device.id, launch_limit_s=60.0, form=form, values=False
    )
    return record(Job(kernel, kernel.params({})), conditions, device, [(0, 0, 0)], Watch())


def cost_of(run: TraceRun) -> SharedMemoryCost | None:
    found = totals_of(run)
    assert run.machine is not None
    return run.machine.shared_cost(SharedMemoryCost(found.shared_requests, found.wavefronts, found.excess_wavefronts))


@pytest.mark.parametrize(
    ("name", "loads", "stores"),
    [
        ("tiled", 49_152, 4_096),
        ("register_2d", 12_288, 1_024),
        ("vectorized", 8_192, 2_304),
        pytest.param("tiled_wide", 49_152, 6_144, marks=SLOW),
        pytest.param("register_1d", 20_480, 1_024, marks=SLOW),
        pytest.param("warp_tiled", 4_096, 512, marks=SLOW),
        pytest.param("double_buffered", 4_096, 576, marks=SLOW),
    ],
)
def test_that_the_derived_wavefronts_are_those_that_an_h200_counted(name: str, loads: int, stores: int) -> None:
    run = recorded(name, "128x128x64")
    cost = cost_of(run)
    assert cost is not None
    assert cost.wavefronts < totals_of(run).wavefronts
    assert cost.wavefronts * run.blocks_in_grid == loads + stores


def test_that_a_recording_as_written_tells_nothing_of_machine_code() -> None:
    assert recorded("tiled", "16x16x16", CodeForm.AS_WRITTEN).machine is None


def test_that_accesses_that_do_not_fit_together_are_not_joined() -> None:
    run = recorded("tiled", "16x16x16")
    assert run.machine is not None
    assert [one.lines for one in merged_requests(run)] == [one.lines for one in run.machine.merged] != []
    (block,) = run.blocks
    loads = [site.index for site in run.sites if site.line in run.machine.merged[0].lines]
    addresses = block.addresses.reshape(-1, block.slot_site.size, 32).copy()
    addresses[0, np.isin(block.slot_site, loads), 3] += 4
    moved = replace(run, blocks=(replace(block, addresses=addresses.reshape(-1)),))
    assert merged_requests(moved) == ()
    assert cost_of(replace(moved, machine=replace(run.machine, merged=()))) is None


def test_that_nothing_is_derived_where_machine_code_has_more_accesses_or_a_block_is_not_kept() -> None:
    run = recorded("tiled", "16x16x16")
    machine = run.machine
    assert machine is not None
    more = tuple(
        replace(one, sass=(*one.sass[:-1], WidthCount(one.sass[-1].nbytes, one.sass[-1].count + 1)))
        for one in machine.lines
    )
    assert merged_requests(replace(run, machine=MachineAccesses("sm_90a", "NVRTC", more))) == ()
    assert merged_requests(replace(run, blocks=())) == ()
    assert merged_requests(replace(run, blocks_recorded=2)) == ()


def test_that_merged_accesses_of_inlined_code_are_derived_line_by_line(tmp_path: Path) -> None:
    """By hand: 8 warps make 2 passes of 16 loads at each of three lines. Those of sA are of a lane's neighbouring
    words, four of which a 128-bit load takes; those of sB are 128 bytes apart, so each stays: 768 - 256 + 64 = 576.
    """
    (tmp_path / "mine.cu").write_text(HALF2, encoding="utf-8")
    kernel = load_user_kernel(tmp_path / "mine.cu")
    device = device_for_recording(kernel, "machine", form=CodeForm.AS_COMPILED)
    conditions = Conditions(
        Shape(16, 32, 64), Fill.ONES, 0, device=device.id, launch_limit_s=60.0, form=CodeForm.AS_COMPILED, values=False
    )
    run = record(Job(kernel, kernel.params({})), conditions, device, [(0, 0, 0)], Watch())
    assert run.machine is not None
    loads = [one for one in run.machine.lines if one.sort is AccessSort.SHARED_LOADS]
    first = next(number for number, line in enumerate(HALF2.splitlines(), 1) if "sA[ty][k]" in line)
    assert [(one.lines, one.sass) for one in loads] == [
        ((first,), (WidthCount(16, 4),)),
        ((first + 1,), (WidthCount(4, 16),)),
        ((first + 2,), (WidthCount(4, 16),)),
    ]
    cost = cost_of(run)
    assert cost is not None
    assert (totals_of(run).shared_requests, cost.requests) == (768 + 48, 576 + 48)
    assert [one.lines for one in run.machine.merged] == [(first,)]
