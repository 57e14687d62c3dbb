"""OpenCL C on the PTX machine: what an OpenCL device computes and accesses, errors at their lines."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from gemmviz.backends.base import OpenDevice
from gemmviz.backends.machine.device import MachineDevice
from gemmviz.backends.recording import recorder_for
from gemmviz.backends.registry import find_device
from gemmviz.catalogue.loader import load_catalogue, load_user_kernel
from gemmviz.compiler.nvidia.nvrtc import compile_cuda
from gemmviz.compiler.opencl.translation import as_cuda_text
from gemmviz.compiler.source import CompileError, Source
from gemmviz.domain.device import Device
from gemmviz.domain.operands import make_operands
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import CodeForm, Fill, Language
from gemmviz.measure.bench import Bench, make_inputs
from gemmviz.trace.analyse import analyse

pytestmark = pytest.mark.usefixtures("nvrtc")

SHAPE = Shape(32, 32, 32)
HEAD = """/*---
title = "Mine"
entry = "mine"
[launch]
block = ["8", "8"]
grid = ["ceil_div(N, 8)", "ceil_div(M, 8)"]
---*/
"""
SIGNATURE = """__attribute__((reqd_work_group_size(8, 8, 1)))
kernel void mine(const global float *restrict A, __global const float *B, global float *C, int M, int N, const int K)
{
    const int x = get_global_id(0), y = get_global_id(1), lx = get_local_id(0), ly = get_local_id(1);
"""
PRODUCT = "    float sum = 0.0f; for (int k = 0; k < K; ++k) sum = mad(A[y * K + k], B[k * N + x], sum);\n"
KINDS = {
    "vectors": "float4 v = (float4)(1.0f, 2.0f, 3.0f, 4.0f); v += (float4)(1.0f) * 2.0f; v = 3.0f - v; v.s1 = -v.w;"
    " float2 h = (float2)(v.x, v.y) / 2.0f; sum += dot(v, v) + h.x + h.y + v.s2;",
    "loads": "float4 v = vload4(y, A) + ((__global const float4 *)B)[x]; float8 w = (float8)(2.0f);"
    " sum += v.x + v.y * v.z - v.w + w.s7; float p[4]; vstore2((float2)(sum, 2.0f), 1, p); sum += p[2] + p[3];",
    "swizzles read": "float4 v = (float4)(1.0f, 2.0f, 3.0f, 4.0f); float2 h = v.zx; sum += dot(v.wzyx, v.s0123) + h.x"
    " + v.lo.y + v.hi.s0 + dot(v.even, v.odd); float8 w = (float8)(v, v.s3210); sum += w.s7 + dot(w.lo, w.s7531)"
    " + dot(w.even, w.odd) + dot(v.xxyy * 2.0f - v.wwww, (float4)(v.yz, 1.0f, 2.0f)); float3 u = (float3)(h, 5.0f);"
    " sum += dot(u.zyx, u) + (-u.yx).s1;",
    "swizzles written": "float4 v = (float4)(0.0f); v.xy = (float2)(1.0f, 2.0f); v.hi = v.lo * 3.0f; v.wzyx += v;"
    " v.even = v.odd; v.s31 = v.s10; v.yw *= (float2)(2.0f, 3.0f); float4 w = v; w.zw = v.xy; w.lo.y = 9.0f;"
    " local float4 many[8][8]; many[ly][lx] = w; many[ly][lx].yz = w.wx; float16 big = (float16)(sum); big.sF = 2.0f;"
    " big.s0f = v.xy; sum += v.x + 10.0f * v.y + 100.0f * v.z + dot(many[ly][lx], w) + big.sf + big.lo.hi.s3;",
    "conversions": "int4 n = (int4)(1, 2, 3, 4); float4 v = convert_float4(n.wzyx) + convert_float4(n);"
    " sum += dot(max(v, (float4)(4.0f)), min(v.xyzw, v.wzyx)) + convert_int2(v.xy).y; float p[8];"
    " vstore4(v.wzyx, 1, p); sum += p[4] + vload2(3, p).y;",
    "comparisons": "float4 v = (float4)(1.0f, -2.0f, 3.0f, -4.0f), w = v.wzyx; int4 n = v > w;"
    " int4 m = (v >= 0.0f) && !n; int4 o = (v != w) || (int4)(0);"
    " sum += dot(convert_float4(n + 2 * m + 4 * o), v) + any(n) + 10 * all(n) + 20 * any(m) + 40 * all(o == -1)"
    " + any(v.xy < w.zw); v = select(v, (float4)(7.0f), v > (float4)(0));"
    " v.zw = select(v.xy, w.xy, (int2)(0, -1)); sum += dot(v, w); short2 h = (short2)(1, 2) == (short)1; sum += h.x;",
    "integer vectors": "int4 n = (int4)(1, 2, 3, 4) * x + y; uint4 u = (uint4)(7u, 8u, 9u, 1u << 31);"
    " n = (n & 6) | (n ^ ~n) % 5; n <<= 2; n += n.wzyx >> 1; u = u >> 3u;"
    " sum += n.x + n.y + n.z + n.w + u.w + (u.x & 1u) + as_int4(u).z"
    " + as_uint2((float2)(1.0f)).x % 7u; n.xy *= 3; sum += n.s1;",
    "swizzles of swizzles": "float4 v = (float4)(1.0f, 2.0f, 3.0f, 4.0f), *p = &v; v = v.wzyx.wzyx + p->wzyx.s0123;"
    " float8 w = (float8)(v.even.yx, v.hi, v.s32.yx, v.wzyx.hi); sum += dot(w.s76543210.s0246, v) + v.xyz.zyx.y"
    " + p->zw.x + w.odd.wz.x; p->xy = p->yx; sum += v.x - 3.0f * v.y;",
    "functions": "float4 v = (float4)(1.5f, -2.25f, 4.0f, 0.25f), w = fabs(v);"
    " sum += dot(sqrt(w), floor(v)) + dot(ceil(v.xy), fmax(v.zw, v.xy)) + min(v.wzyx, 1.0f).x + max(v, 0.0f).y"
    " + dot(clamp(v, -1.0f, 1.0f), mix(v, w, 0.5f)) + clamp(v.xy, v.ww, v.zz).x;"
    " sum += mad(v.xyz, v.yzw, (float3)(1.0f)).z + fma(v, v, 1.0f * v).w;",
    "local": "local float tile[8][9]; __local float *row = &tile[ly][0]; row[lx] = sum; barrier(CLK_LOCAL_MEM_FENCE);"
    " sum += tile[lx][ly] + twice(row, (local float *)tile[0]);",
    "integers": "uint u = 7u; sum += mad24(x, 3, 1) + mul24(y, 2) + popcount(u) + clamp(x, 2, 5) + min(y, 3)"
    " + (float)as_uint(1.0f) / 1065353216.0f + select(1.0f, 2.0f, x > 3) + convert_int(2.7f) + mul_hi(1 << 30, 8);",
    "ids": "sum += get_group_id(0) + 2 * get_group_id(1) + get_local_size(0) + get_num_groups(1) + get_global_size(0)"
    " + get_global_size(2) + scale[1];",
    "tags": '// kernel (float4)(1) __local float *\n    __constant const char *words = "(float4)(a, b)";'
    " sum += words[1] == 'f';",
}
HELPERS = """__constant float scale[2] = {1.0f, 2.0f};
float twice(__local const float *one, local float *other);
float twice(__local const float *one, local float *other) { return one[0] + other[1]; }
"""


def c_of(device: Device, path: Path) -> np.ndarray:
    """C as the kernel of a file computes it."""
    kernel = load_user_kernel(path)
    with Bench() as bench:
        ready = bench.prepare(kernel, kernel.params({}), device, make_inputs(SHAPE, Fill.INTEGERS, 3), 60.0)
        try:
            ready.launcher.run()
            return ready.result()
        finally:
            ready.release()


@pytest.mark.parametrize("kind", KINDS)
def test_that_it_computes_what_an_opencl_device_does(embedded: OpenDevice, tmp_path: Path, kind: str) -> None:
    path = tmp_path / "mine.cl"
    path.write_text(f"{HEAD}{HELPERS}{SIGNATURE}{PRODUCT}    {KINDS[kind]}\n    C[y * N + x] = sum;\n}}\n", "utf-8")
    expected = c_of(embedded.device, path)
    assert np.isfinite(expected).all()
    np.testing.assert_array_equal(c_of(find_device("machine"), path), expected)


@pytest.mark.parametrize(("name", "each_of_a", "each_of_b"), [("cl_naive", 24, 40), ("cl_row_private_grouped", 1, 40)])
def test_that_the_catalogue_makes_the_accesses_of_its_source(
    machine: MachineDevice, name: str, each_of_a: int, each_of_b: int
) -> None:
    """A thread for each element loads A once for each column; one that keeps its row of A loads it once."""
    kernel, shape = load_catalogue().get(name), Shape(40, 24, 20)
    plan = kernel.plan(shape, kernel.params({}), machine.device)
    operands = make_operands(shape, Fill.INTEGERS, 3)
    recorder = recorder_for(machine, kernel, plan, shape, operands, 60.0, CodeForm.AS_WRITTEN)
    made = analyse(recorder, np.arange(plan.launch.blocks, dtype=np.int32), shape)
    assert made.hazards == ()
    assert set(made.reuse.a.reshape(-1).tolist()) == {each_of_a}
    assert set(made.reuse.b.reshape(-1).tolist()) == {each_of_b}


def test_that_an_error_has_its_line_and_an_unknown_component_is_no_guess(tmp_path: Path) -> None:
    text = f"{SIGNATURE}    float4 v = (float4)(1.0f);\n    C[0] = v.xxyyz;\n}}\n"
    source = Source(tmp_path / "mine.cl", text, "mine", Language.OPENCL)
    with pytest.raises(
        CompileError, match=r'mine\.cl:6: class "float4" has no member "xxyyz".*an OpenCL device, such as PoCL, runs'
    ):
        compile_cuda(source, "sm_90a")


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (
            "if (v > w) v = w;",
            r"bool type.*: where the condition of an if or a loop is a vector, write any\(condition\)",
        ),
        ("v = (v > w).xy ? v : w;", "no instance of overloaded function"),
        ("v = sub_group_reduce_add(v.x);", 'identifier "sub_group_reduce_add" is undefined'),
        ("int2 q = v.xy;", r'from "float2" to "int2" exists'),
        ("ulong2 q = v.lo;", r'from "float2" to "ulong2" exists'),
        ("v.xx = w.xy;", "a swizzle that is assigned to names a component twice"),
        ("v = v % w;", 'no operator "%" matches these operands'),
        ("v = select(v, w, M);", 'no instance of overloaded function "select"'),
        ("v.x = v.even.even;", 'class "float2" has no member "even"'),
    ],
)
def test_that_what_is_missing_is_an_error_in_words_of_opencl_at_its_line(tmp_path: Path, line: str, told: str) -> None:
    text = f"{SIGNATURE}    float4 v = (float4)(1.0f), w = v;\n    {line}\n    C[0] = v.x;\n}}\n"
    source = Source(tmp_path / "mine.cl", text, "mine", Language.OPENCL)
    with pytest.raises(CompileError, match=rf"mine\.cl:6: .*{told}.*an OpenCL device, such as PoCL, runs") as found:
        compile_cuda(source, "sm_90a")
    assert "gemmviz_" not in str(found.value)


def test_that_a_member_called_like_a_swizzle_keeps_its_components() -> None:
    text = "typedef struct { float2 xy; } place;\nfloat f(place p, float4 v) { return p.xy.x + v.zw.x; }"
    assert as_cuda_text(text).endswith("return p.xy.x + v.z   ; }")


def test_that_the_text_keeps_every_place() -> None:
    text = HELPERS + SIGNATURE + "".join(KINDS.values()) + "\n/* local */ global int *p; '\\'' private"
    made = as_cuda_text(text)
    assert [len(line) for line in made.splitlines()] == [len(line) for line in text.splitlines()]
    assert "(float4)(a, b)" in made
    assert "// kernel (float4)(1) __local float *" in made
    assert "/* local */" in made
