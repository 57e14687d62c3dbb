"""Accesses in a function of the kernel's file that several lines call are shown at these lines, and tell its own."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from gemmviz.backends.machine.device import MachineDevice
from gemmviz.backends.recording import recorder_for
from gemmviz.catalogue.loader import load_user_kernel
from gemmviz.domain.operands import make_operands
from gemmviz.domain.recordings.access import Site, Space
from gemmviz.domain.recordings.hazard import HazardKind
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import CodeForm, Fill
from gemmviz.machine.faults import KernelFaultError
from gemmviz.machine.ptx.places import Place
from gemmviz.trace.analyse import Analysis, analyse
from gemmviz.trace.hazards.naming import line_words
from gemmviz.trace.recorder import Recorder

SHAPE = Shape(8, 8, 8)
TEXT = """/*---
title = "Mine"
entry = "mine"
[launch]
block = ["8", "8"]
grid = ["1", "1"]
---*/
template <class T> KINDT load(const T *p, int i)
{
    return p[i];
}
KINDvoid keep(float *p, int i, float v)
{
    p[i] = v;
}
__global__ void mine(const float *A, const float *B, float *C, int M, int N, int K)
{
    const int x = threadIdx.x, y = threadIdx.y;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) {
        float a = load(A, y * K + k);
        float b = load(B, k * N + x);
        sum += a * b;
    }
    keep(C, y * N + x, sum);
}
"""
KINDS = {"inlined": "__device__ ", "forced": "__device__ __forceinline__ ", "a function": "__device__ __noinline__ "}


def analysed(device: MachineDevice, folder: Path, text: str, form: CodeForm) -> tuple[Recorder, Analysis]:
    (folder / "mine.cu").write_text(text, encoding="utf-8")
    kernel = load_user_kernel(folder / "mine.cu")
    plan = kernel.plan(SHAPE, kernel.params({}), device.device)
    recorder = recorder_for(device, kernel, plan, SHAPE, make_operands(SHAPE, Fill.INTEGERS, 3), 60.0, form)
    return recorder, analyse(recorder, np.zeros(1, np.int32), SHAPE)


def sites(device: MachineDevice, folder: Path, text: str, form: CodeForm = CodeForm.AS_COMPILED) -> list[Site]:
    recorder, made = analysed(device, folder, text, form)
    every = recorder.instrumented.sites
    return [one for one in every if one.space is Space.GLOBAL and made.columns.requests[one.index]]


@pytest.mark.parametrize("form", CodeForm)
@pytest.mark.parametrize("kind", KINDS)
def test_that_an_access_is_shown_at_the_line_that_calls_a_helper_which_several_do(
    machine: MachineDevice, tmp_path: Path, kind: str, form: CodeForm
) -> None:
    found = sites(machine, tmp_path, TEXT.replace("KIND", KINDS[kind]), form)
    assert [(site.line, site.array) for site in found[:2]] in ([(21, "A"), (22, "B")], [(14, "C"), (21, "A")])
    loads = [site for site in found if site.array in ("A", "B")]
    told = "helper in line 10"
    assert {(site.array, site.line, site.header) for site in loads} == {("A", 21, told), ("B", 22, told)}
    assert line_words(loads[0]) == "line 21 (helper in line 10)"


def test_that_a_helper_which_one_line_calls_keeps_its_lines(machine: MachineDevice, tmp_path: Path) -> None:
    found = sites(machine, tmp_path, TEXT.replace("KIND", KINDS["inlined"]))
    assert [(site.line, site.header) for site in found if site.array == "C"] == [(14, "")]


def test_that_a_macro_is_at_its_use_and_a_lambda_at_the_lines_that_call_it(
    machine: MachineDevice, tmp_path: Path
) -> None:
    text = TEXT.replace("KIND", KINDS["inlined"])
    text = text.replace(
        "float sum = 0.0f;", "float sum = 0.0f; auto get = [&](const float *p, int i) { return p[i]; };"
    )
    text = text.replace("load(A,", "get(A,").replace("load(B,", "get(B,")
    macro = text.replace("template <class T>", "#define FROM(p, i) (p)[i]\ntemplate <class T>")
    macro = macro.replace("get(A, y * K + k)", "FROM(A, y * K + k)")
    loads = [site for site in sites(machine, tmp_path, text) if site.array in ("A", "B")]
    assert [(site.line, site.header) for site in loads] == [(21, "helper in line 19"), (22, "helper in line 19")]
    (load,) = (site for site in sites(machine, tmp_path, macro) if site.array == "A")
    assert (load.line, load.header) == (22, "")


@pytest.mark.parametrize("form", CodeForm)
@pytest.mark.parametrize("kind", ["inlined", "a function"])
def test_that_a_hazard_in_a_helper_is_at_the_line_that_calls_it(
    machine: MachineDevice, tmp_path: Path, kind: str, form: CodeForm
) -> None:
    text = TEXT.replace("KIND", KINDS[kind]).replace("k * N + x", "k * N + x + 1000")
    _, made = analysed(machine, tmp_path, text, form)
    (hazard,) = made.hazards
    assert (hazard.kind, hazard.line) == (HazardKind.OUT_OF_BOUNDS, 22)


def test_that_a_fault_names_the_line_that_calls_the_helper_and_the_helpers() -> None:
    fault = KernelFaultError("ld.global.f32 outside every array", Place(10, 5).called_from(Place(21, 9)), (0, 0, 0))
    assert str(fault) == "line 21: ld.global.f32 outside every array (helper in line 10; block (0, 0, 0))"
