"""CUDA C as OpenCL C, as text: address spaces, casts, helpers, constants, and what is beyond the dialect."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from gemmviz.backends.base import CompileError

Translate = Callable[..., str]

SHARED = "__shared__ float s[4][4]; int ty = threadIdx.y, tx = threadIdx.x;\n"


@pytest.mark.parametrize(
    ("declaration", "expected"),
    [
        ("const float *a = A + 3;", "__global const float *a = A + 3;"),
        ("float *c = C;", "__global float *c = C;"),
        ("const float *a = &A[M * K];", "__global const float *a = &A[M * K];"),
        ("const float *a; a = B + 1;", "__global const float *a; a = B + 1;"),
        ("const float *a = A; const float *b = a + 1;", "__global const float *b = a + 1;"),
        ("const float *a = (M > 3) ? A : B;", "__global const float *a = (M > 3) ? A : B;"),
        ("const float *a = A, *b = B;", "__global const float *a = A; __global const float *b = B;"),
        ("float *p = s[ty];", "GV_SHARED float *p = s[ty];"),
        ("float *p = &s[ty][0];", "GV_SHARED float *p = &s[ty][0];"),
        ("float *p = s[ty] + tx;", "GV_SHARED float *p = s[ty] + tx;"),
        ("float x; float *p = &x;", "__private float *p = &x;"),
        ("float r[3]; float *p = r + 1;", "__private float *p = r + 1;"),
        ("float4 v = *(float4 *)&A[4];", "*(__global float4 *)&A[4]"),
        ("float4 v = *(const float4 *)(s[ty]);", "*(GV_SHARED const float4 *)(s[ty])"),
        ("float4 v = *reinterpret_cast<const float4 *>(&A[4]);", "*((__global const float4 *)(&A[4]))"),
        ("float4 v = reinterpret_cast<float4 *>(s)[1];", "((GV_SHARED float4 *)(s))[1]"),
        ("float4 *v = reinterpret_cast<float4 *>(C);", "__global float4 *v = ((__global float4 *)(C));"),
        ("int i = static_cast<int>(A[0]);", "int i = ((int)(A[0]));"),
        ("float f = (float)M;", "float f = (float)M;"),
        ("auto x = 3 * M;", "__auto_type x = 3 * M;"),
        ("__shared__ __align__(16) float t[8];", "GV_SHARED_ARRAY __attribute__((aligned  (16))) float t[8];"),
        ("constexpr int T = 4; float r[T];", "enum { T = 4 }; float r[T];"),
        ("const int T = 4, U = T; float r[U];", "enum { T = 4 }; enum { U = T }; float r[U];"),
        ("const int row = M + tx; C[row] = 0;", "const int row = M + tx; C[row] = 0;"),
        ("constexpr unsigned T = 4; float r[T]; if (tx < T) r[0] = 1;", "if (tx < ((unsigned)T)) r[0] = 1;"),
    ],
)
def test_that_a_declaration_becomes_opencl_c(work_items: Translate, declaration: str, expected: str) -> None:
    assert expected in work_items(SHARED + declaration)


def test_that_parameters_are_global_and_qualifiers_go(translate_file: Translate) -> None:
    text = translate_file(
        'extern "C" __global__ void __launch_bounds__(64, 2) k(const float *__restrict__ A,\n'
        "    const float *__restrict__ B, float *C, int M, int N, int K) { C[0] = A[0]; }\n"
    )
    assert re.search(r"__kernel\s+void\s+k\(__global const float \*__restrict__ A,\s+__global const", text)
    assert "extern" not in text
    assert "launch_bounds" not in text


def test_that_the_block_form_of_extern_c_goes(translate_file: Translate) -> None:
    text = translate_file(
        'extern "C" {\n__global__ void k(const float *A, const float *B, float *C, int M, int N, int K) {}\n}\n'
    )
    assert "extern" not in text
    assert text.count("{") == text.count("}") == 1


def test_that_dynamic_shared_memory_becomes_a_last_parameter(work_items: Translate) -> None:
    text = work_items("extern __shared__ float row[]; row[threadIdx.x] = A[0];")
    assert "int K, __local float *row)" in text
    assert "extern" not in text


SIGNATURE = "__global__ void k(const float *A, const float *B, float *C, int M, int N, int K)"


@pytest.mark.parametrize(
    "before",
    [
        "extern __shared__ float row[];",
        "__shared__ extern __align__(16)\n// why\nfloat row[];",
        'extern "C" { extern __shared__ float row[]; }',
    ],
)
def test_that_dynamic_shared_memory_of_the_file_becomes_that_of_the_kernel(
    translate_file: Translate, before: str
) -> None:
    kernel = f"{SIGNATURE}\n{{\n    row[threadIdx.x] = A[0];\n    float *p = row + 1; C[0] = *p;\n}}\n"
    text = translate_file(f"{before}\n{kernel}")
    assert "int K, __local float *row)" in text
    assert "GV_SHARED float *p = row + 1;" in text
    assert "extern" not in text
    assert text.count("\n") == before.count("\n") + 1 + kernel.count("\n")


def test_that_dynamic_shared_memory_of_the_file_is_seen_through_a_macro(work_items: Translate) -> None:
    before = "extern __shared__ float row[];\n#define AT(i) row[i]"
    assert "__local float *row)" in work_items("C[0] = AT(1);", before)


def test_that_dynamic_shared_memory_that_the_kernel_does_not_use_goes(work_items: Translate) -> None:
    before = f"extern __shared__ float row[]; {SIGNATURE.replace(' k(', ' other(')} {{ C[0] = row[0]; }}"
    assert "row" not in work_items("C[0] = A[0];", before)
    assert work_items("extern __shared__ float row[]; C[0] = row[0];", before).count("float *row") == 1


def test_that_a_helper_with_the_shared_memory_of_the_file_is_refused(work_items: Translate) -> None:
    before = "extern __shared__ float row[]; __device__ float at(int i) { float *p = row; return p[i]; }"
    with pytest.raises(CompileError, match=r"^mine\.cu:1:\d+: the helper at uses the shared array 'row' of the file; "):
        work_items("row[0] = 1; C[0] = at(0);", before)
    assert "__local float *row)" in work_items("C[0] = row[0];", before)


@pytest.mark.parametrize(
    "header",
    [
        "<stdio.h>",
        "<stdlib.h>",
        "<math.h>",
        "<assert.h>",
        "<cstdio>",
        "<cstdlib>",
        "<cmath>",
        "<cassert>",
        "<cuda.h>",
        '"cuda_runtime.h"',
        "<cuda_runtime_api.h>",
        '"device_launch_parameters.h"',
    ],
)
def test_that_headers_of_the_host_are_left_out(work_items: Translate, header: str) -> None:
    assert "#include" not in work_items("C[0] = A[0];", f"#include {header}")


def test_that_other_headers_stay(work_items: Translate) -> None:
    assert '#include "my_math.h"' in work_items("C[0] = A[0];", '#include "my_math.h"')


def test_that_a_helper_is_written_once_for_each_memory_it_is_given(work_items: Translate) -> None:
    helper = "__device__ __forceinline__ float first(const float *p, int i) { return p[i]; }"
    text = work_items(SHARED + "float r[2]; C[0] = first(A, 1) + first(s[ty], 2) + first(r, 0) + first(B, 3);", helper)
    for space, keyword in (("global", "__global"), ("shared", "GV_SHARED"), ("private", "__private")):
        assert len(re.findall(rf"static\s+float first_{space}\({keyword} const float \*p", text)) == 1
    assert "first_global(A, 1) + first_shared(s[ty], 2) + first_private(r, 0) + first_global(B, 3)" in text


def test_that_helpers_called_by_helpers_follow(work_items: Translate) -> None:
    helpers = (
        "__device__ float one(const float *p) { return *p; } "
        "__device__ float two(const float *p, const float *q) { return one(p) + one(q + 1); } "
        "__device__ float unused(const float *p) { return *p; }"
    )
    text = work_items(SHARED + "C[0] = two(A, s[ty]);", helpers)
    assert "two_global_shared(__global const float *p, GV_SHARED const float *q)" in text
    assert "one_global(p) + one_shared(q + 1)" in text
    assert "unused" not in text


def test_that_a_chosen_pointer_is_an_argument_with_a_memory(work_items: Translate) -> None:
    assert "at_global(M > 1 ? A : B)" in work_items(
        "C[0] = at(M > 1 ? A : B);", "__device__ float at(const float *p) { return *p; }"
    )


def test_that_constants_of_the_file_can_size_arrays(translate_file: Translate) -> None:
    text = translate_file(
        "constexpr int T = 4, U = 2 * T; static const unsigned V = 3; const float F = 0.5f;\n"
        "__device__ const float W[2] = {1.0f, 2.0f};\n"
        "__global__ void k(const float *A, const float *B, float *C, int M, int N, int K)\n"
        "{ float r[T * V]; C[0] = F; }\n"
    )
    assert "enum { T = 4, U = 2 * T };" in text
    assert "enum { V = 3 };" in text
    assert "__constant float F = 0.5f ;" in text
    assert "__constant float W[2] = {1.0f, 2.0f} ;" in text
    assert "r[T * ((unsigned)V)]" in text


FAULTS = {
    "two memories": (SHARED + "const float *p = A;\np = s[0];", 5, "'p' points into global memory elsewhere"),
    "two memories in one declaration": (
        SHARED + "for (const float *p = A, *q = s[0]; p == A; ++p) C[0] = *p;",
        4,
        "different memories",
    ),
    "a pointer and a value in one declaration": (
        "for (const float *p = A, x = 1; p == A; ++p) C[0] = *p + x;",
        3,
        "declare them apart",
    ),
    "no memory": ("float *p;", 3, "the pointer 'p', whose address space is not known is beyond"),
    "a cast of a number": ("float x = *(float *)16;", 3, "a cast to a pointer whose address space is not known"),
    "a null argument": ("C[0] = at(0);", 3, "a pointer whose address space is not known is beyond"),
    "too few arguments": ("C[0] = at();", 3, "at takes 1 arguments; here are 0"),
    "lambda": ("auto f = [](int x) { return x; };", 3, "lambda functions"),
    "reference": ("int &r = M;", 3, "references"),
    "new": ("\nfloat *p = new float[3];", 4, ""),
    "range": ("for (int x : {1, 2}) { C[0] = x; }", 3, ""),
    "throw": ("throw 1;", 3, "exceptions"),
    "assembly": ('asm volatile("nop;");', 3, "inline assembly"),
    "template call": ("C[0] = twice<int>(3);", 3, "templates"),
    "atomics": ("\natomicAdd(&C[0], 1.0f);", 4, "atomicAdd is beyond the CUDA C that gemmviz translates to OpenCL C"),
    "shuffle": ("C[0] = __shfl_down_sync(~0u, A[0], 1);", 3, "__shfl_down_sync is beyond the CUDA C"),
    "fence": ("__threadfence();", 3, "__threadfence is beyond the CUDA C"),
    "half": ("C[0] = __half2float(M);", 3, "__half2float is beyond the CUDA C"),
    "tensor cores": ("wmma::mma_sync(M, N, K, M);", 3, "wmma::mma_sync is beyond the CUDA C"),
    "assembly, in its number": ('asm("nop;");', 3, "pieces of inline assembly are beyond"),
    "counted barriers": (
        "\nint n = __syncthreads_count(M);",
        4,
        "__syncthreads_count is beyond the CUDA C that gemmviz "
        "translates to OpenCL C: use __syncthreads() and count in shared memory",
    ),
    "memcpy": ("memcpy(C, A, 4);", 3, "copy element by element"),
    "launch": ("k<<<1, 1>>>(A, B, C, M, N, K);", 3, "launches from a kernel"),
}


@pytest.mark.parametrize(("body", "line", "reason"), FAULTS.values(), ids=FAULTS.keys())
def test_that_what_cannot_be_translated_is_named_with_its_line(
    work_items: Translate, body: str, line: int, reason: str
) -> None:
    with pytest.raises(CompileError, match=rf"^mine\.cu:{line}:\d+: .*{re.escape(reason)}"):
        work_items(body, "__device__ float at(const float *p) { return *p; }")


def test_that_opencls_own_atomics_pass(work_items: Translate) -> None:
    assert "atomic_add(p, 1)" in work_items("__shared__ int s[2]; int *p = s; atomic_add(p, 1);")


def test_that_cudas_own_function_in_a_helper_is_named(work_items: Translate) -> None:
    helper = "__device__ void add(float *p) { atomicAdd(p, 1.0f); }"
    with pytest.raises(CompileError, match=r"^mine\.cu:1:\d+: atomicAdd is beyond"):
        work_items("add(C);", helper)
    assert "atomic" not in work_items("C[0] = 1;", helper)


@pytest.mark.parametrize(
    "before",
    ["__device__ void atomicMine(float *p) { *p = 1; }", "#define atomicMine(...) (*(__VA_ARGS__) = 1)"],
)
def test_that_the_files_own_function_may_have_a_name_like_cudas(work_items: Translate, before: str) -> None:
    assert "atomicMine" in work_items("atomicMine(C);", before)


FILE_FAULTS = {
    "template": "template <int T> __device__ int f() { return T; }",
    "class": "class X { int y; };",
    "namespace": "namespace a { int f(); }",
    "using": "using F = float;",
    "reference parameter": "__device__ void f(float &x) { x = 1; }",
    "overloads": "__device__ int f(int x) { return x; } __device__ int f(float x) { return 1; }",
}


@pytest.mark.parametrize("before", FILE_FAULTS.values(), ids=FILE_FAULTS.keys())
def test_that_c_plus_plus_beyond_the_dialect_is_named_with_its_line(work_items: Translate, before: str) -> None:
    uses = "float x; f(x);" if "&x" in before else ""
    with pytest.raises(CompileError, match=r"^mine\.cu:1:\d+: "):
        work_items(uses, before)


def test_that_what_does_not_parse_is_named_with_its_line(work_items: Translate) -> None:
    with pytest.raises(CompileError, match=r"^mine\.cu:\d+:\d+: "):
        work_items("int x = ;\n")
    with pytest.raises(CompileError, match=r"^mine\.cu:3:\d+: a ';' is missing here"):
        work_items("int x = 3")


KERNEL = "(const float *A, const float *B, float *C, int M, int N, int K) {}\n"


def test_that_a_header_that_lies_about_its_entry_is_answered_with_what_there_is(translate_file: Translate) -> None:
    with pytest.raises(CompileError, match=r"mine\.cu: the entry 'x' is not in the file; it defines k, l$"):
        translate_file(f"__global__ void k{KERNEL}__global__ void l{KERNEL}", "x")
    with pytest.raises(CompileError, match="it defines no __global__ function"):
        translate_file("int y;\n", "x")
    with pytest.raises(CompileError, match=r"mine\.cu:2:1: the entry 'k' is not a __global__ function"):
        translate_file(f"\n__device__ void k{KERNEL}")


@pytest.mark.parametrize(
    "parameters",
    [
        "",
        "float *C",
        "const float *A, const float *B, float *C, int M, int N",
        "int M, int N, int K, const float *A, const float *B, float *C",
        "const float *A, const float *B, float *C, int M, int N, int K, float alpha",
    ],
)
def test_that_an_entry_with_other_parameters_is_refused(translate_file: Translate, parameters: str) -> None:
    with pytest.raises(CompileError, match=r"mine\.cu:1:1: k must take \(const float \*A, .*; it takes \d parameters"):
        translate_file(f"__global__ void k({parameters}) {{}}\n")


def test_that_a_matrix_of_another_type_is_named_before_anything_runs(translate_file: Translate) -> None:
    rest = "float *C, int M, int N, int K) {}\n"
    with pytest.raises(
        CompileError, match=r"mine\.cu:1:35: `const double \*B` points to double, but .* of B are float32"
    ):
        translate_file(f"__global__ void k(const float *A, const double *B, {rest}")
    with pytest.raises(CompileError, match=r"`unsigned short \*A` points to unsigned short"):
        translate_file(f"__global__ void k(unsigned short *A, const float *B, {rest}")
    with pytest.raises(CompileError, match=r"mine\.cu:2:19: `double \*A` points to double"):
        translate_file(f"#define REAL double\n__global__ void k(REAL *A, const float *B, {rest}")
    assert translate_file(f"typedef float real;\n__global__ void k(const real *A, const real *B, {rest}")


def test_that_every_line_keeps_its_number(translate_file: Translate) -> None:
    lines = [
        "#include <cuda_runtime.h>",
        "constexpr int T =",
        "    4;",
        "__device__ float unused(const float *p)",
        "{",
        "    return *p;",
        "}",
        "__device__ float at(const float *p) { return *p; } int line8;",
        'extern "C" __global__ void',
        "__launch_bounds__(4) k(const float *A, const float *B, float *C, int M, int N, int K)",
        "{",
        "    extern __shared__ float s[]; int line13 = 0;",
        "    C[0] = at(A) + at(s); int line14 = 0;",
        "}",
    ]
    found = translate_file("\n".join(lines) + "\n")
    numbered: dict[int, str] = {}
    number = 1
    for line in found.split("\n"):
        if match := re.match(r"#line (\d+)", line):
            number = int(match[1])
            continue
        numbered[number] = numbered.get(number, "") + line
        number += 1
    assert "int line8" in numbered[8]
    assert "line13" in numbered[12]
    assert "line14" in numbered[13]
    assert "4" in numbered[2] + numbered[3]


def test_that_a_variable_of_the_file_is_refused_and_a_constant_kept(work_items: Translate) -> None:
    with pytest.raises(CompileError, match=r"^mine\.cu:1:1: a variable of the file that kernels write is not possible"):
        work_items("C[0] = g[0];", "__device__ float g[4];")
    assert "__constant float g[2] = {1, 2} ;" in work_items("C[0] = g[0];", "__device__ const float g[2] = {1, 2};")


def test_that_functions_that_call_each_other_are_refused(work_items: Translate) -> None:
    before = "__device__ int odd(int n); __device__ int even(int n) { return n ? odd(n - 1) : 1; }\n"
    before += "__device__ int odd(int n) { return n ? even(n - 1) : 0; }"
    with pytest.raises(CompileError, match=r"^mine\.cu:2:\d+: even calls itself here"):
        work_items("C[0] = even(M);", before)
    assert "odd(M)" in work_items("C[0] = odd(M);", before.replace("odd(n - 1)", "2"))
