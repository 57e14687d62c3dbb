"""OpenCL C for a compiler of CUDA: its names as macros and functions, and the rest as other text of the same length.

The functions are those of section 6.15 of the OpenCL C 3.0 specification that kernels on floats and integers use.
"""

from __future__ import annotations

import re

from gemmviz.compiler.opencl.conditions import CHOICES
from gemmviz.compiler.opencl.conversions import conversions_for, halves_for
from gemmviz.compiler.opencl.functions import functions_for
from gemmviz.compiler.opencl.local_parameters import with_local_arrays
from gemmviz.compiler.opencl.operators import operators_for
from gemmviz.compiler.opencl.vectors import KINDS, sizes_in, vectors_for, with_single_swizzles
from gemmviz.compiler.source import Source
from gemmviz.domain.terms import Language

_ADDRESS_SPACES = r"(?:__)?(?:global|local|private|constant)"
_TO_POINTER = re.compile(
    rf"\b{_ADDRESS_SPACES}\b(?=\s+(?:(?:const|volatile|unsigned|signed|restrict)\s+)*[A-Za-z_]\w*\s*(?:const\s*|volatile\s*)*\*)"
)
"""The address space of what a pointer points to: CUDA's pointers have none."""
_VECTOR_OF = re.compile(
    r"\((\s*(?:float|double|int|uint|long|ulong|char|uchar|short|ushort)(?:2|3|4|8|16)\s*)\)(?=\s*\()"
)
"""A vector made of its components, `(float4)(a, b, c, d)`."""
_HINT = re.compile(
    r"\b__attribute__\s*\(\s*\(\s*(?:reqd_work_group_size|work_group_size_hint|vec_type_hint|opencl_unroll_hint)\b"
    r"(?:[^()]|\([^()]*\))*\)\s*\)"
)
"""What OpenCL's compilers are told of a kernel or a loop; CUDA's have no such attributes."""
_WORD_FOR = {"kernel": "_ernel", "local": "_ocal", "constant": "_onstant", "global": " " * 6, "private": " " * 7}
"""Words of OpenCL C that CUDA's headers use as well, so that no macro can be called so."""
_LOCAL = re.compile(r"\b(?:__)?local\b")
_WORDS = re.compile(rf"\b(?:{'|'.join(_WORD_FOR)})\b")
_COMMENT_OR_TEXT = re.compile(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", re.DOTALL)


def opencl_as_cuda(source: Source) -> str:
    """The text of a source in OpenCL C for a compiler of CUDA, with the local memory that its entry is given.

    Raises:
        CompileError: a local parameter is given none, or another parameter is.
    """
    return as_cuda_text(with_local_arrays(source))


def with_shared_arrays(source: Source) -> str:
    """The text of a source in which arrays in local memory are called shared, as CUDA C has them."""
    if source.language is not Language.OPENCL:
        return source.text
    return _LOCAL.sub("__shared__", with_local_arrays(source))


def as_cuda_text(text: str) -> str:
    """The source with everything at its place, as far as `prelude_for` cannot make it CUDA."""
    parts: list[str] = []
    position = 0
    for match in _COMMENT_OR_TEXT.finditer(text):
        parts += [_code(text[position : match.start()]), match[0]]
        position = match.end()
    return "".join([*parts, _code(text[position:])])


def _code(code: str) -> str:
    blank = _HINT.sub(_blank, _TO_POINTER.sub(_blank, code))
    plain = _WORDS.sub(lambda match: _WORD_FOR[match[0]], blank)
    return with_single_swizzles(_VECTOR_OF.sub(lambda match: f" {match[1]} ", plain))


def _blank(match: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", match[0])


_NAMES = """
#define __kernel extern "C" __global__
#define _ernel extern "C" __global__
#define __global
#define __private
#define __local __shared__
#define _ocal __shared__
#define __constant __constant__
#define _onstant __constant__
#define __read_only const
#define restrict __restrict__
#define CLK_LOCAL_MEM_FENCE 1
#define CLK_GLOBAL_MEM_FENCE 2
#define barrier(flags) __syncthreads()
#define work_group_barrier(...) __syncthreads()
#define mem_fence(flags) __threadfence_block()
#define read_mem_fence(flags) __threadfence_block()
#define write_mem_fence(flags) __threadfence_block()
#define MAXFLOAT 3.402823466e+38f
#define HUGE_VALF __int_as_float(0x7f800000)
#define HUGE_VAL __longlong_as_double(0x7ff0000000000000ll)
#define M_PI_F 3.14159274101257f
#define M_PI_2_F 1.57079637050629f
#define M_1_PI_F 0.31830987334251f
#define M_E_F 2.71828174591064f
#define M_LN2_F 0.69314718246460f
#define M_LOG2E_F 1.44269502162933f
#define M_SQRT2_F 1.41421353816986f
#define uintptr_t size_t
#define intptr_t ptrdiff_t
#define OPENCL_VERSION 300
#define __OPENCL_VERSION__ 300
#define __OPENCL_C_VERSION__ 300
"""

_WORK_ITEMS = (
    "".join(
        f"static __forceinline__ size_t get_{name}(unsigned int d) {{ return "
        f"d == 0 ? {value.format(d='x')} : d == 1 ? {value.format(d='y')} : d == 2 ? {value.format(d='z')} : "
        f"{beyond}; }}\n"
        for name, value, beyond in (
            ("local_id", "threadIdx.{d}", 0),
            ("group_id", "blockIdx.{d}", 0),
            ("local_size", "blockDim.{d}", 1),
            ("num_groups", "gridDim.{d}", 1),
            ("enqueued_local_size", "blockDim.{d}", 1),
            ("global_id", "size_t(blockIdx.{d}) * blockDim.{d} + threadIdx.{d}", 0),
            ("global_size", "size_t(gridDim.{d}) * blockDim.{d}", 1),
        )
    )
    + """
static __forceinline__ unsigned int get_work_dim() { return 3; }
static __forceinline__ size_t get_global_offset(unsigned int) { return 0; }
static __forceinline__ size_t get_local_linear_id()
{ return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x; }
static __forceinline__ size_t get_global_linear_id()
{ return (get_global_id(2) * get_global_size(1) + get_global_id(1)) * get_global_size(0) + get_global_id(0); }
"""
)


def _names_of(size: int) -> str:
    """The names of the vectors of so many components."""
    return "".join(
        f"typedef gemmviz_opencl::vector<{c}, {size}> gemmviz_{name}{size};\n"
        f"#define {name}{size} gemmviz_{name}{size}\n"
        for name, c in KINDS
    )


_MATH = """
static __forceinline__ float mad(float a, float b, float c) { return fmaf(a, b, c); }
static __forceinline__ double mad(double a, double b, double c) { return fma(a, b, c); }
static __forceinline__ int mad24(int a, int b, int c) { return __mul24(a, b) + c; }
static __forceinline__ unsigned int mad24(unsigned int a, unsigned int b, unsigned int c)
{ return __umul24(a, b) + c; }
static __forceinline__ int mul24(int a, int b) { return __mul24(a, b); }
static __forceinline__ unsigned int mul24(unsigned int a, unsigned int b) { return __umul24(a, b); }
static __forceinline__ float dot(float a, float b) { return a * b; }
static __forceinline__ int any(int a) { return a < 0; }
static __forceinline__ int all(int a) { return a < 0; }
template <class T, class = decltype(T(0) < 1 ? T(0) : T(0))>
__forceinline__ T clamp(T a, T low, T high) { return min(max(a, low), high); }
template <class T, class = decltype(T(0) < 1 ? T(0) : T(0))>
__forceinline__ T mix(T a, T b, T part) { return a + (b - a) * part; }
template <class T, class C, class = decltype(T(0) < 1 ? C(0) : C(0))>
__forceinline__ T select(T a, T b, C from_b) { return from_b ? b : a; }
#define atomic_add(p, v) atomicAdd(p, v)
#define atomic_sub(p, v) atomicSub(p, v)
#define atomic_inc(p) atomicAdd(p, 1)
#define atomic_dec(p) atomicSub(p, 1)
#define atomic_xchg(p, v) atomicExch(p, v)
#define atomic_cmpxchg(p, a, b) atomicCAS(p, a, b)
#define atomic_min(p, v) atomicMin(p, v)
#define atomic_max(p, v) atomicMax(p, v)
#define atomic_and(p, v) atomicAnd(p, v)
#define atomic_or(p, v) atomicOr(p, v)
#define atomic_xor(p, v) atomicXor(p, v)
#define atom_add(p, v) atomicAdd(p, v)
"""


_QUICK = (
    "".join(
        f"#define {kind}_{name}(...) {name}(__VA_ARGS__)\n"
        for kind in ("native", "half")
        for name in ("sqrt", "rsqrt", "exp", "exp2", "exp10", "log", "log2", "log10", "sin", "cos", "tan", "powr")
    )
    + """
#define native_recip(a) (1.0f / (a))
#define native_divide(a, b) ((a) / (b))
#define half_recip(a) (1.0f / (a))
#define half_divide(a, b) ((a) / (b))
"""
)
"""Functions that a device may compute less precisely; here they are as precise as the others."""


def prelude_for(text: str) -> str:
    """What is included in front of a source in OpenCL C."""
    sizes = sizes_in(text)
    names = "".join(map(_names_of, sizes))
    parts = (
        *(_WORK_ITEMS, vectors_for(text), _MATH, operators_for(sizes), functions_for(text, sizes), names),
        *(conversions_for(text, sizes), halves_for(text, sizes), CHOICES if sizes else "", _QUICK, _NAMES),
    )
    return "#pragma once\n" + "".join(parts)
