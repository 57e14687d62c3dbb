"""A refusal names file and line, what is not supported, and what to do about it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from gemmviz.adopt import look
from gemmviz.adopt.finding import AdoptionStep
from gemmviz.adopt.look import look_at
from gemmviz.adopt.reasons import FaultKind, Reason, explained

PARAMETERS = "(const float *A, const float *B, float *C, int M, int N, int K)"
USED = "which the PTX machine does not execute; "
ON_GPU = "an NVIDIA GPU does if ptxas accepts it: describe the kernel in mine.cu.toml and run it there"
REFUSED = {
    "tensor cores": (
        "mine.cu",
        "#include <mma.h>\n"
        "__global__ void k(const half *A, const half *B, float *C, int M, int N, int K)\n{\n"
        "    nvcuda::wmma::fragment<nvcuda::wmma::accumulator, 16, 16, 16, float> sums;\n"
        "    nvcuda::wmma::fill_fragment(sums, 0.0f);\n"
        "    nvcuda::wmma::store_matrix_sync(C, sums, N, nvcuda::wmma::mem_row_major);\n}\n",
        f"mine.cu:6: it uses tensor cores (wmma.store.d), {USED}{ON_GPU}",
    ),
    "textures": (
        "mine.cu",
        f"__global__ void k{PARAMETERS.replace('(const', '(cudaTextureObject_t t, const')}\n"
        "{\n    C[0] = tex2D<float>(t, 0.0f, 0.0f) * A[0] * B[0];\n}\n",
        f"mine.cu:3: it uses textures or surfaces (tex.2d.v4), {USED}read through pointers instead",
    ),
    "a structure": (
        "mine.cu",
        "struct Arguments { float *C; int N; };\n\n__global__ void k(Arguments given) { given.C[0] = 1; }\n",
        "mine.cu:3: it takes 0 pointers; a product needs A, B and C. `Arguments given` is a structure of C and N "
        "(line 1), and gemmviz gives no values of structures: pass its members as parameters of their own",
    ),
    "a tensor map": (
        "mine.cu",
        "#include <cuda.h>\n__global__ void k(const __grid_constant__ CUtensorMap map, float *C) { C[0] = 1; }\n",
        "mine.cu:2: it takes 1 pointer; a product needs A, B and C. `const __grid_constant__ CUtensorMap map` is a",
    ),
    "PTX that reads no parameter": (
        "mine.ptx",
        ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 a)\n{\n    ret;\n}\n",
        "mine.ptx:4: it takes 0 pointers; a product needs A, B and C. Parameter 1 has 64 bits, and nothing says",
    ),
    "a function that calls itself": (
        "mine.cu",
        "__device__ __noinline__ float f(const float *p, int n)\n"
        "{ return n <= 0 ? 0.0f : p[n] + f(p, n - 1) * 0.5f + f(p + 1, n - 2); }\n"
        f"__global__ void k{PARAMETERS} {{ C[threadIdx.x] = f(A, K) * B[0]; }}\n",
        "mine.cu:2: f comes to call itself, which is not implemented: write it as a loop",
    ),
    "a missing file": (
        "mine.cu",
        f'#include "helpers.h"\n__global__ void k{PARAMETERS} {{ C[0] = help(A[0], B[0]); }}\n',
        'mine.cu:2: does not compile: identifier "help" is undefined. Not found beside the file or in '
        "the compiler, and left out: helpers.h (line 1); put the missing files beside it",
    ),
    "a missing sign": (
        "mine.cu",
        f"\n__global__ void k{PARAMETERS}\n{{ int r = threadIdx.x C[r] = A[r] * B[r]; }}\n",
        'mine.cu:3: does not compile: expected a ";"; correct that line, or what it needs, and look again',
    ),
    "whole numbers": (
        "mine.cu",
        f"__global__ void k{PARAMETERS.replace('float', 'int')} {{ C[0] = A[0] * B[0]; }}\n",
        "mine.cu:1: it points to int, and gemmviz gives kernels matrices of float, double, half and bf16. A product of "
        "whole numbers is not described: take them as floats",
    ),
    "images": (
        "mine.cl",
        "__kernel void k(__read_only image2d_t A, __global float *B, __global float *C, __global float *D, int N)\n"
        "{ C[0] = 1; }\n",
        "mine.cl:1: image2d_t: images, samplers, pipes and queues of OpenCL are not supported, on any device, since "
        "gemmviz gives a kernel buffers and numbers only: use buffers",
    ),
    "two pointers": (
        "mine.cu",
        f"__global__ void k{PARAMETERS} {{ C[0] = A[0] + B[0] + A[1]; }}\n"
        "__global__ void transpose(const float *A, float *B, int N) { B[threadIdx.x * N] = A[threadIdx.x]; }\n",
        "mine.cu:2: it takes 2 pointers; a product needs A, B and C",
    ),
    "a factor behind a pointer": (
        "mine.cu",
        "__global__ void k(const float *alpha, const float *A, const float *B, float *C, int N)\n"
        "{ C[N] = *alpha * A[0] * B[0]; }\n",
        "mine.cu:1: it takes alpha through a pointer, and gemmviz gives numbers by value only: make alpha a number",
    ),
    "two results": (
        "mine.cu",
        f"__global__ void k{PARAMETERS.replace('float *C,', 'float *C, float *other,')}\n"
        "{ C[threadIdx.x] = A[0] * B[0]; other[threadIdx.x * N] = A[1] * B[1]; }\n",
        "mine.cu:1: it writes to C in line 2, and to other in line 2, and a product has one result: write each in a "
        "kernel of its own, and keep what is only a workspace, such as parts of sums, in a `__device__` array",
    ),
    "no sizes": (
        "mine.cu",
        "__global__ void k(const float *A, const float *B, float *C) { C[0] = A[0] * B[0]; }\n",
        "mine.cu:1: no parameter, no named constant and no number in the body of k is a size: make its sizes "
        "parameters",
    ),
    "sizes in a structure": (
        "mine.cu",
        "struct Sizes { int m, n, k; };\n"
        "__global__ void k(Sizes s, const float *A, const float *B, float *C) { C[s.m] = A[s.n] * B[s.k]; }\n",
        "mine.cu:2: `Sizes s` is a structure of m, n and k (line 1), and gemmviz gives no values of structures: pass "
        "its members as parameters of their own",
    ),
    "sizes in a vector": (
        "mine.cu",
        "__global__ void k(const float *A, const float *B, float *C, int3 dims)\n"
        "{ C[dims.x] = A[dims.y] * B[dims.z]; }\n",
        "mine.cu:1: parameter dims is a structure (int3), which gemmviz gives no values of, and no other parameter is",
    ),
}


def quiet(step: AdoptionStep) -> None:
    del step


@pytest.mark.usefixtures("nvrtc")
@pytest.mark.parametrize("what", REFUSED)
def test_that_a_file_is_refused_with_place_reason_and_remedy(what: str, tmp_path: Path) -> None:
    name, text, words = REFUSED[what]
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    found = look_at(path, text, "", 30.0, quiet).found[-1]
    assert not found.is_proven
    assert any(words in reason for reason in found.reasons), found.reasons
    for reason in found.reasons:
        assert re.match(rf"{re.escape(str(path))}:\d+: ", reason), reason
        assert "Traceback" not in reason


SCORES = """__global__ void NAME(const float *left_, const float *right_, float *out, int T, int D) {
    int row = blockIdx.y * 16 + threadIdx.y, column = blockIdx.x * 16 + threadIdx.x;
    float sum = 0.0f;
    BODY
    if (row < T && column < T) out[row * T + column] = sum;
}
"""
PRODUCT = "for (int d = 0; d < D; ++d) sum += left_[row * D + d] * right_[column * D + d];"


@pytest.mark.usefixtures("nvrtc")
@pytest.mark.parametrize(
    ("name", "body", "words", "is_describable"),
    [
        (
            "scores",
            f"if (column <= row) {PRODUCT}",
            "are left_·(right_)ᵀ, and the others are 0; leave out the mask",
            False,
        ),
        (
            "conv2d",
            "for (int d = 0; d < 9; ++d) sum += left_[row * T + column + d % 3] * fabsf(right_[d]);",
            "sounds like a convolution",
            False,
        ),
        ("scores", f"{PRODUCT} if (column > row + 9) sum += 1.0f;", "it comes near a product", True),
    ],
)
def test_that_no_description_is_offered_for_what_none_makes_a_product(
    name: str, body: str, words: str, is_describable: bool
) -> None:
    text = SCORES.replace("NAME", name).replace("BODY", body)
    (found,) = look_at(Path("mine.cu"), text, "", 60.0, quiet).found
    assert not found.is_proven
    assert any(words in one for one in found.reasons), found.reasons
    assert found.is_describable == is_describable


@pytest.mark.usefixtures("nvrtc")
@pytest.mark.parametrize(
    ("body", "is_describable"),
    [
        ("C[threadIdx.x] = A[threadIdx.x] * B[threadIdx.x + 1] + 1", True),
        ("C[threadIdx.x] = A[threadIdx.x]", False),  # it looks like a copy
        ("while (C[0] == C[0]) { } C[1] = A[0] * B[0]", False),
        ("C[0] = nothing(A[0])", False),
    ],
)
def test_that_a_description_is_advised_where_one_may_help(body: str, is_describable: bool) -> None:
    text = f"__global__ void k{PARAMETERS} {{ if (blockIdx.x + blockIdx.y + threadIdx.y == 0) {{ {body}; }} }}\n"
    (found,) = look_at(Path("mine.cu"), text, "", 30.0, quiet).found
    assert not found.is_proven
    assert found.is_describable == is_describable, found.reasons


@pytest.mark.usefixtures("nvrtc")
def test_that_the_first_kernels_of_a_long_file_are_looked_at_and_told_one_by_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(look, "MOST_KERNELS", 2)
    text = "".join(f"__global__ void k{one}(float *C) {{ C[0] = {one}; }}\n" for one in range(3))
    parts: list[int] = []
    found = look_at(Path("mine.cu"), text, "", 30.0, quiet, on_part=lambda part: parts.append(len(part.found)))
    assert ([one.kernel for one in found.found], found.unseen, parts) == (["k0", "k1"], 1, [1])
    (last,) = look_at(Path("mine.cu"), text, "k2", 30.0, quiet).found
    assert last.kernel == "k2"


def test_that_kernels_of_an_included_file_are_named_where_the_file_has_none(tmp_path: Path) -> None:
    (tmp_path / "kernels.cuh").write_text("template <int T> __global__ void mm(float *C) { C[T] = 0; }\n", "utf-8")
    text = '#include "kernels.cuh"\n#include "missing.h"\nvoid run(float *C) { mm<16><<<1, 32>>>(C); }\n'
    path = tmp_path / "mine.cu"
    path.write_text(text, encoding="utf-8")
    words = "there is no kernel in it: kernels.cuh, which it includes, has mm: look at that file"
    assert look_at(path, text, "", 30.0, quiet).fault == f"{path}: {words}"


KERNEL = "__global__ void k(float *C) { int x = 0; GROWN C[x] = 0; }"
GROWN = "#define G0 ++x;\n" + "".join(f"#define G{one} G{one - 1} G{one - 1}\n" for one in range(1, 40))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            f"{GROWN}#define K {KERNEL.replace('GROWN', 'G39')}\nK\n",
            "mine.cu:42: with its macros the file has more than",
        ),
        (
            f"{GROWN}#define OPEN {{\n{KERNEL.replace('GROWN', 'G39').replace('{', 'OPEN')}",
            "mine.cu:42: with its macros the file has more than",
        ),
        (
            f"#define K {KERNEL.replace('GROWN', '')}\n",
            "there is no kernel in it: __global__ stands in line 1, in the macro K, and no use of it in this file "
            "makes a whole function: write the function out",
        ),
        ("__global__ void k(float *C);", "__global__ stands in line 1, and no whole function follows it"),
    ],
)
def test_that_a_file_whose_macros_hide_its_kernels_says_so(text: str, words: str) -> None:
    findings = look_at(Path("mine.cu"), text, "", 30.0, quiet)
    assert not findings.found
    assert words in findings.fault


@pytest.mark.parametrize(
    ("reason", "found"),
    [
        ("the machine does not implement cp.async.bulk.tensor.2d [%r1]", "the TMA (cp.async.bulk)"),
        (
            "the machine does not implement barrier.cluster.arrive",
            "clusters of blocks (barrier.cluster.arrive)",
        ),
        ("the machine does not implement foo.bar.f32 %f1", "it uses the instruction foo.bar.f32, which"),
        (
            "the machine does not implement mov.u32 %r1, %pm0: %pm0 is not known",
            "it uses %pm0 (mov.u32), which the PTX machine does not know; an NVIDIA GPU does",
        ),
        (
            "the machine does not implement st.f32 [%r6]: its operands cannot be read",
            "it uses the instruction st.f32, which the PTX machine does not execute: its operands cannot be read; an",
        ),
    ],
)
def test_that_instructions_are_named_by_what_they_belong_to(reason: str, found: str) -> None:
    assert found in explained(Reason(reason, FaultKind.UNSUPPORTED), Path("m.cu"), 4, "m.cu").words
    assert explained(Reason(reason, line=9), Path("m.cu"), 4, "m.cu").words == f"m.cu:9: {reason}"


@pytest.mark.parametrize(
    ("reason", "found"),
    [
        (
            Reason("it did not end within 10 s", FaultKind.TOO_SLOW, line=9),
            "m.cu:9: it did not end within 10 s; it may loop forever, or need more time",
        ),
        (Reason("what was found"), "m.cu:4: what was found"),
        (Reason("broken", place="m.cuh:2: "), "m.cuh:2: broken"),
    ],
)
def test_that_a_reason_has_its_place_in_front_once(reason: Reason, found: str) -> None:
    assert explained(reason, Path("m.cu"), 4, "m.cu").words == found
