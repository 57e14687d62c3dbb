"""A vector of OpenCL C is loaded and stored at once, on the line that says so, however the source uses it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from gemmviz.backends.machine.device import MachineDevice
from gemmviz.backends.recording import recorder_for
from gemmviz.catalogue.loader import load_user_kernel
from gemmviz.domain.operands import make_operands
from gemmviz.domain.recordings.access import AccessKind, Site, Space
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import CodeForm, Fill
from gemmviz.trace.analyse import Analysis, analyse
from gemmviz.trace.recorder import Recorder

TEXT = """/*---
title = "Vectors"
entry = "vectors"
[launch]
block = ["32", "1"]
grid = ["1", "1"]
---*/
typedef struct { float4 sum; int count; } pair;
float4 one_of(__global const float4 *from, int i) { return from[i]; }
__kernel void vectors(__global const float *A, __global const float *Bs, __global float *Cs, int M, int N, int K)
{
    const int l = get_local_id(0);
    __global const float4 *B = (__global const float4 *)Bs;
    __global float4 *C = (__global float4 *)Cs;
    __local float4 tile[32];
    USE
}
"""
ASSIGNED = "tile[l] = B[l];\n    barrier(CLK_LOCAL_MEM_FENCE);\n    C[l] = tile[31 - l];"
USES = {
    "assignment": ASSIGNED,
    "variable": "float4 v;\n    v = B[l]; v = 2.0f * v;\n    tile[l] = v;\n    barrier(1);\n"
    "    v = tile[31 - l]; C[l] = v;",
    "ternary": "tile[l] = l < M + 31 ? B[l] : (float4)(0.0f);\n    barrier(1);\n"
    "    C[l] = l < M + 31 ? tile[31 - l] : (float4)(0.0f);",
    "value of a function": "tile[l] = one_of(B, l);\n    barrier(1);\n    C[l] = tile[31 - l];",
    "element": "float4 many[2];\n    many[0] = B[l];\n    many[1] = many[0]; tile[l] = many[1];\n    barrier(1);\n"
    "    many[0] = tile[31 - l]; C[l] = many[0];",
    "member": "pair p = {(float4)(0.0f), 1};\n    p.sum = B[l];\n    tile[l] = p.sum;\n    barrier(1);\n"
    "    p.sum += tile[31 - l]; C[l] = p.sum;",
    "operand": "tile[l] = A[0] * B[l];\n    barrier(1);\n    C[l] = A[0] * tile[31 - l];",
    "swizzle read": "tile[l] = B[l].wzyx;\n    barrier(1);\n    C[l] = tile[31 - l].s3210;",
    "swizzle written": "tile[l].wzyx = B[l];\n    barrier(1);\n    C[l].yxwz = tile[31 - l].wzyx.wzyx;",
}


def recorded(device: MachineDevice, path: Path, use: str, form: CodeForm) -> tuple[Recorder, Analysis]:
    path.write_text(TEXT.replace("USE", use), encoding="utf-8")
    kernel, shape = load_user_kernel(path), Shape(1, 128, 1)
    plan = kernel.plan(shape, kernel.params({}), device.device)
    recorder = recorder_for(device, kernel, plan, shape, make_operands(shape, Fill.INTEGERS, 3), 60.0, form)
    return recorder, analyse(recorder, np.zeros(1, np.int32), shape)


def sites_with_requests(recorder: Recorder, made: Analysis) -> list[Site]:
    """Where B, C and shared memory are accessed; as written the memory of a thread has sites without requests."""
    return [one for one in recorder.instrumented.sites if one.array != "A" and int(made.columns.requests[one.index])]


@pytest.mark.parametrize("form", CodeForm)
@pytest.mark.parametrize("use", USES)
def test_that_each_access_of_a_vector_is_one_of_16_bytes_on_its_line(
    machine: MachineDevice, tmp_path: Path, use: str, form: CodeForm
) -> None:
    recorder, made = recorded(machine, tmp_path / "vectors.cl", USES[use], form)
    sites = sites_with_requests(recorder, made)
    lines = TEXT.replace("USE", USES[use]).splitlines()
    named = {"B": "B[l]", "C": "C[l]", "tile": "tile["}
    for site in sites:
        words = lines[site.line - 1]
        assert named[site.array or "tile"] in words or "from[i]" in words
    assert {(one.space, one.kind, one.width_bytes) for one in sites} == {
        (Space.GLOBAL, AccessKind.LOAD, 16),
        (Space.GLOBAL, AccessKind.STORE, 16),
        (Space.SHARED, AccessKind.LOAD, 16),
        (Space.SHARED, AccessKind.STORE, 16),
    }
    assert [int(made.columns.requests[one.index]) for one in sites] == [1] * 4
    assert (made.totals.shared_load_wavefronts, made.totals.shared_store_wavefronts) == (4, 4)
    assert made.hazards == ()


@pytest.mark.parametrize("form", CodeForm)
def test_that_a_part_of_a_vector_is_set_alone(machine: MachineDevice, tmp_path: Path, form: CodeForm) -> None:
    """Another thread may set the other components at the same time."""
    use = "tile[l].xy = B[l].wz;\n    tile[31 - l].zw = B[l].yx;\n    barrier(1);\n    C[l] = tile[l];"
    recorder, made = recorded(machine, tmp_path / "vectors.cl", use, form)
    assert made.hazards == ()
    sites = sites_with_requests(recorder, made)
    stores = [one for one in sites if (one.space, one.kind) == (Space.SHARED, AccessKind.STORE)]
    assert sum(one.width_bytes * int(made.columns.requests[one.index]) for one in stores) == 16
