"""Instructions that warps execute, by line and kind, and how many of their lanes are active."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from gemmviz.backends.machine.device import MachineDevice
from gemmviz.backends.machine.recorder_factory import machine_recorder_for
from gemmviz.catalogue.loader import load_catalogue, load_kernel
from gemmviz.domain.operands import make_operands
from gemmviz.domain.recordings.executed import Executed, by_kind, by_line
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import CodeForm, Fill
from gemmviz.trace.recorder import Recorder

DIVERGENT = """/*---
title    = "Odd lanes of each warp compute, and only those of C"
entry    = "odd"
[launch]
block = ["64"]
grid  = ["2"]
---*/
extern "C" __global__ void odd(const float *A, const float *B, float *C, int M, int N, int K)
{
    const int me = threadIdx.x;
    float sum = 0.0f;
    if (me % 2 == 1)
        #pragma unroll 1
        for (int k = 0; k < K; ++k)
            sum += A[k] * B[k * N + me];
    if (me < 40)
        C[me] = sum;
}
"""
SUM, STORE = 15, 17
"""Lines."""


def recorder_of(machine: MachineDevice, path: Path, shape: Shape, form: CodeForm) -> Recorder:
    kernel = load_kernel(path)
    plan = kernel.plan(shape, kernel.params({}), machine.device)
    return machine_recorder_for(machine, kernel, plan, shape, make_operands(shape, Fill.INTEGERS, 3), 60.0, form)


def test_that_lines_tell_their_active_lanes(machine: MachineDevice, tmp_path: Path) -> None:
    path = tmp_path / "odd.cu"
    path.write_text(DIVERGENT, encoding="utf-8")
    shape = Shape(1, 64, 7)
    recorder = recorder_of(machine, path, shape, CodeForm.AS_COMPILED)
    assert recorder.executed == ()
    for blocks in ([0], [0, 1]):  # each time anew
        list(recorder.blocks(np.array(blocks, np.int32)))
        lines = by_line(recorder.executed, 2 * len(blocks))
        (adds,) = [one for one in recorder.executed if one.kind == "fused multiply-adds"]
        assert (adds.line, adds.instructions, adds.lanes) == (SUM, 14 * len(blocks), 16 * 14 * len(blocks))
        assert lines[SUM].lanes == 16
        (stores,) = [one for one in recorder.executed if one.kind == "global stores"]
        assert (stores.line, stores.instructions, stores.lanes) == (STORE, 2 * len(blocks), 40 * len(blocks))
        assert sum(one.share for one in lines.values()) == pytest.approx(1.0)


def test_that_a_tiled_kernel_multiplies_k_times_and_waits_twice_a_tile(machine: MachineDevice) -> None:
    shape = Shape(32, 32, 48)
    for form, products in (
        (CodeForm.AS_COMPILED, "fused multiply-adds"),
        (CodeForm.AS_WRITTEN, "other floating point"),
    ):
        recorder = recorder_of(machine, load_catalogue().get("tiled").path, shape, form)
        (trace,) = recorder.blocks(np.zeros(1, np.int32))
        kinds = by_kind(recorder.executed, trace.addresses.shape[0])
        assert kinds[products].per_warp == (shape.k if form is CodeForm.AS_COMPILED else 2 * shape.k)
        assert kinds[products].lanes == 32
        assert kinds["barriers and fences"].per_warp == 2 * shape.k / 16


def test_that_sums_are_of_all_warps() -> None:
    executed = (Executed(3, "moves", 8, 64), Executed(3, "global loads", 4, 128), Executed(5, "moves", 4, 128))
    lines, kinds = by_line(executed, 4), by_kind(executed, 4)
    assert (list(lines), list(kinds)) == ([3, 5], ["moves", "global loads"])
    assert (lines[3].per_warp, lines[3].share, lines[3].lanes) == (3.0, 0.75, 16.0)
    assert (kinds["moves"].per_warp, kinds["moves"].lanes) == (3.0, 16.0)
