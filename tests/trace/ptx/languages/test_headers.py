"""Accesses in functions of an included file are told by the line that calls them, and by their place in that file."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from gemmviz.backends.machine.device import MachineDevice
from gemmviz.backends.recording import recorder_for
from gemmviz.catalogue.loader import load_user_kernel
from gemmviz.domain.operands import make_operands
from gemmviz.domain.recordings.access import Space
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import CodeForm, Fill
from gemmviz.trace.analyse import Analysis, analyse
from gemmviz.trace.hazards.naming import line_words
from gemmviz.trace.recorder import Recorder

HEADER = """#pragma once
KINDfloat load(const float *p, int i)
{
    float v = p[i];
    return v;
}
KINDfloat outer(const float *p, int i)
{
    return load(p, i) + 0.0f;
}
"""
TEXT = """/*---
title = "Mine"
entry = "mine"
[launch]
block = ["8", "8"]
grid = ["1", "1"]
---*/
#include "helper.cuh"
__global__ void mine(const float *A, const float *B, float *C, int M, int N, int K)
{
    const int x = threadIdx.x, y = threadIdx.y;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) {
        float a = load(A, y * K + k);
        float b = load(B, k * N + x);
        sum += a * b;
    }
    C[y * N + x] = sum + 0.0f * outer(A, y);
}
"""
SHAPE = Shape(8, 8, 8)
KINDS = {"inlined": "__device__ ", "a function": "__device__ __noinline__ "}


def recorded(device: MachineDevice, folder: Path, kind: str, form: CodeForm) -> tuple[Recorder, Analysis]:
    (folder / "helper.cuh").write_text(HEADER.replace("KIND", KINDS[kind]), encoding="utf-8")
    (folder / "mine.cu").write_text(TEXT, encoding="utf-8")
    kernel = load_user_kernel(folder / "mine.cu")
    plan = kernel.plan(SHAPE, kernel.params({}), device.device)
    operands = make_operands(SHAPE, Fill.INTEGERS, 3)
    recorder = recorder_for(device, kernel, plan, SHAPE, operands, 60.0, form)
    return recorder, analyse(recorder, np.zeros(1, np.int32), SHAPE)


@pytest.mark.parametrize("form", CodeForm)
@pytest.mark.parametrize("kind", KINDS)
def test_that_each_access_has_the_line_of_its_call_and_its_own(
    machine: MachineDevice, tmp_path: Path, kind: str, form: CodeForm
) -> None:
    recorder, made = recorded(machine, tmp_path, kind, form)
    found = {
        (site.line, site.array, site.header, int(made.columns.requests[site.index]))
        for site in recorder.instrumented.sites
        if site.space is Space.GLOBAL and made.columns.requests[site.index]
    }
    outer = "helper.cuh:4, called in helper.cuh:9"
    assert found == {
        (14, "A", "helper.cuh:4", 16),
        (15, "B", "helper.cuh:4", 16),
        (18, "A", outer, 2),
        (18, "C", "", 2),
    }
    assert {line_words(site) for site in recorder.instrumented.sites if site.header == outer} == {f"line 18 ({outer})"}
    assert recorder.c.reshape(8, 8) == pytest.approx(expected())


def expected() -> np.ndarray:
    operands = make_operands(SHAPE, Fill.INTEGERS, 3)
    return operands.a.reshape(8, 8) @ operands.b.reshape(8, 8)


CALLS = """/*---
title = "Calls"
entry = "calls"
[launch]
block = ["8", "8"]
grid = ["1", "1"]
---*/
#include "helper.cuh"
template <int STEP> __device__ __noinline__ float part(const float *p, const float *q, int n, int stride)
{
    float s = 0.0f;
    for (int k = 0; k < n; k += STEP)
        for (int u = 0; u < STEP; ++u)
            s += p[k + u] * q[(k + u) * stride];
    return s;
}
typedef float (*reader)(const float *, int);
__device__ __noinline__ float direct(const float *p, int i) { return p[i]; }
__device__ __noinline__ float negated(const float *p, int i) { return -p[i]; }
template <class T, class F> __device__ T apply(F f, T v) { return f(v); }
__global__ void calls(const float *A, const float *B, float *C, int M, int N, int K)
{
    const int x = threadIdx.x, y = threadIdx.y;
    float sum = part<2>(A + y * K, B + x, K / 2, N);
    sum += part<4>(A + y * K + K / 2, B + K / 2 * N + x, K / 2, N);
    reader r = x & 1 ? direct : negated;
    float same = r(A, y) - r(A, y);
    auto of = [&](int i) { return load(B, i); };
    sum = apply([&](float v) { return v + same; }, sum) + load(A, x) - load(A, x) + of(y) - of(y);
    C[y * N + x] = sum;
}
"""


@pytest.mark.parametrize("form", CodeForm)
def test_that_functions_templates_pointers_and_lambdas_compute_and_have_their_lines(
    machine: MachineDevice, tmp_path: Path, form: CodeForm
) -> None:
    (tmp_path / "helper.cuh").write_text(HEADER.replace("KIND", KINDS["a function"]), encoding="utf-8")
    (tmp_path / "calls.cu").write_text(CALLS, encoding="utf-8")
    kernel = load_user_kernel(tmp_path / "calls.cu")
    plan = kernel.plan(SHAPE, kernel.params({}), machine.device)
    operands = make_operands(SHAPE, Fill.INTEGERS, 3)
    recorder = recorder_for(machine, kernel, plan, SHAPE, operands, 60.0, form)
    made = analyse(recorder, np.zeros(1, np.int32), SHAPE)
    assert made.hazards == ()
    assert recorder.c.reshape(8, 8) == pytest.approx(expected())
    lines = {site.line: site.header for site in recorder.instrumented.sites if made.columns.requests[site.index]}
    assert set(lines) == {14, 18, 19, 28, 29, 30}
    assert {line for line, header in lines.items() if header == "helper.cuh:4"} == {28, 29}
