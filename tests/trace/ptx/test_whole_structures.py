"""Code as written moves structures by members; what the source moves at once is one access of the type's width."""

from __future__ import annotations

from pathlib import Path

import pytest

from gemmviz.catalogue.loader import load_user_kernel
from gemmviz.domain.recordings.access import AccessKind
from gemmviz.domain.shape import Shape
from gemmviz.engine.messages import Conditions, Job
from gemmviz.engine.recording import device_for_recording, record
from gemmviz.measure.bench import Watch

SOURCE = """/*---
title = "Structures"
entry = "moves"
[launch]
block = ["32"]
grid = ["1"]
static_shared_bytes = "4096"
---*/
struct alignas(8) Aligned { float x, y; };
struct Loose { int x; float y; };
struct alignas(8) Half { int x, y, z, w; };
__device__ __noinline__ float sum(float2 v) { return v.x + v.y; }
extern "C" __global__ void moves(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ __align__(16) float s[1024];
    const int t = threadIdx.x;
    float x = 0.0f;
    for (int i = t; i < 1024; i += 32) s[i] = i;
    __syncthreads();
    LINES
    __syncthreads();
    C[t] = x + s[t];
}
"""
LOADS = {
    "float2 a = ((float2 *)s)[2 * t];": (8, 1),
    "float2 a = ((float2 *)s)[2 * t + 1];": (8, 1),
    "double2 a = ((double2 *)s)[t];": (16, 1),
    "float4 a = ((float4 *)s)[t];": (16, 1),
    "short4 a = ((short4 *)s)[t];": (8, 1),
    "int2 a = ((const int2 *)A)[t];": (8, 1),
    "Aligned a = ((Aligned *)s)[t];": (8, 1),
    "Half a = ((Half *)s)[t];": (8, 2),
    "Loose a = ((Loose *)s)[t];": (4, 2),
    "float2 &a = ((float2 *)s)[t];": (4, 2),
}
"""Bytes of an access, and accesses."""
STORES = {
    "((float2 *)s)[2 * t] = make_float2(1, t);": (8, 1),
    "((float2 *)s)[2 * t + 1] = make_float2(x, 2);": (8, 1),
    "((double2 *)s)[t] = make_double2(1, t);": (16, 1),
    "((float4 *)s)[t] = make_float4(1, 2, 3, t);": (16, 1),
    "int2 a = make_int2(1, t); ((int2 *)s)[t] = a;": (8, 1),
    "Half a = {1, 2, t, 3}; ((Half *)s)[t] = a;": (8, 2),
    "s[2 * t] = t, s[2 * t + 1] = 3;": (4, 2),
}


def widths(lines: list[str], kind: AccessKind, tmp_path: Path) -> list[list[int]]:
    """For each line the bytes of each access that the warp makes."""
    path = tmp_path / "moves.cu"
    path.write_text(SOURCE.replace("LINES", "\n    ".join(lines)), encoding="utf-8")
    kernel = load_user_kernel(path)
    job = Job(kernel, kernel.params({}))
    run = record(job, Conditions(Shape(32, 32, 32)), device_for_recording(kernel), [(0, 0, 0)], Watch())
    trace = run.blocks[0].trace(run.sites, run.arrays)
    first = 1 + kernel.text[: kernel.text.index(lines[0])].count("\n")
    found: list[list[int]] = [[] for _ in lines]
    for site in (trace.sites[number] for number in trace.slot_site.tolist() if number >= 0):
        if site.kind is kind and 0 <= site.line - first < len(lines):
            found[site.line - first].append(site.width_bytes)
    return found


@pytest.mark.parametrize("is_alone", [True, False])
def test_that_a_structure_is_loaded_at_once_as_far_as_its_type_is_aligned(is_alone: bool, tmp_path: Path) -> None:
    lines = [f"{{ {line} x += a.x + a.y; }}" for line in LOADS]
    expected = [[width] * count for width, count in LOADS.values()]
    if is_alone:
        assert [widths([line], AccessKind.LOAD, tmp_path)[0] for line in lines[:2]] == expected[:2]
    else:
        assert widths(lines, AccessKind.LOAD, tmp_path) == expected


def test_that_a_structure_is_stored_at_once_as_far_as_its_type_is_aligned(tmp_path: Path) -> None:
    lines = [f"{{ {line} }} __syncthreads();" for line in STORES]
    assert widths(lines, AccessKind.STORE, tmp_path) == [[width] * count for width, count in STORES.values()]


def test_that_neighbouring_vectors_are_accesses_of_their_own_though_the_compiler_joins_them(tmp_path: Path) -> None:
    lines = ["float2 a = ((float2 *)s)[2 * t], b = ((float2 *)s)[2 * t + 1];", "x += a.x + a.y + b.x + b.y;"]
    assert widths(lines, AccessKind.LOAD, tmp_path) == [[8, 8], []]
    assert widths(["x += sum(((float2 *)s)[2 * t]) + sum(((float2 *)s)[2 * t + 1]);"], AccessKind.LOAD, tmp_path) == [
        [8, 8]
    ]
