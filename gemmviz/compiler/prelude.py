"""What nvcc's host compiler brings along and NVRTC does not have: types, and headers of C that kernels include."""

from __future__ import annotations

import re

from gemmviz.compiler.opencl import translation as opencl
from gemmviz.compiler.source import Source
from gemmviz.domain.terms import Language

NAME = "gemmviz_prelude.h"

_TYPES = """
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long long uint64_t;
"""

_STD_INTEGERS = "".join(f"using ::{sign}int{bits}_t; " for sign in ("", "u") for bits in (8, 16, 32, 64))
_LIMITS = """
#define CHAR_BIT 8
#define SCHAR_MAX 127
#define UCHAR_MAX 255
#define SHRT_MAX 32767
#define USHRT_MAX 65535
#define INT_MAX 2147483647
#define INT_MIN (-INT_MAX - 1)
#define UINT_MAX 4294967295u
#define LLONG_MAX 9223372036854775807ll
#define LLONG_MIN (-LLONG_MAX - 1)
#define ULLONG_MAX 18446744073709551615ull
"""
_FLOAT = """
#define FLT_MAX 3.402823466e+38f
#define FLT_MIN 1.175494351e-38f
#define FLT_EPSILON 1.192092896e-07f
#define DBL_MAX 1.7976931348623158e+308
#define DBL_MIN 2.2250738585072014e-308
#define DBL_EPSILON 2.2204460492503131e-16
"""
_MATH = """
#ifndef INFINITY
#define INFINITY __int_as_float(0x7f800000)
#endif
#ifndef NAN
#define NAN __int_as_float(0x7fc00000)
#endif
#define M_PI 3.14159265358979323846
"""
_ASSERT = """
#undef assert
#ifdef NDEBUG
#define assert(condition) ((void)0)
#else
extern "C" __device__ void __assertfail(const char *, const char *, unsigned int, const char *, size_t);
#define assert(condition) ((condition) ? (void)0 : __assertfail(#condition, __FILE__, __LINE__, __func__, 1))
#endif
"""

_ALLOCA = """
#ifndef alloca
static __device__ __forceinline__ void *gemmviz_alloca(size_t nbytes) {
    void *memory;
    asm volatile("{.reg .b64 %%room; alloca.u64 %%room, %1, 16; cvta.local.u64 %0, %%room;}"
                 : "=l"(memory)
                 : "l"(nbytes)
                 : "memory");
    return memory;
}
#define alloca(nbytes) gemmviz_alloca(nbytes)
#define __builtin_alloca(nbytes) gemmviz_alloca(nbytes)
#endif
"""
"""What nvcc knows without a header, and NVRTC does not know at all. It is inlined with -G, too: its end would give back
what it takes.
"""

_MATH_FUNCTIONS = (
    *("abs", "acos", "asin", "atan", "atan2", "cbrt", "ceil", "copysign", "cos", "cosh", "erf", "erfc", "exp", "exp2"),
    *("expm1", "fabs", "fdim", "floor", "fma", "fmax", "fmin", "fmod", "hypot", "isfinite", "isinf", "isnan", "log"),
    *("log10", "log1p", "log2", "pow", "round", "sin", "sinh", "sqrt", "tan", "tanh", "trunc"),
)
_STD = f"""
namespace std {{
using ::size_t; using ::ptrdiff_t; {_STD_INTEGERS}
using nullptr_t = decltype(nullptr);
{" ".join(f"using ::{name};" for name in _MATH_FUNCTIONS)}
template <class T> constexpr const T &min(const T &a, const T &b) {{ return b < a ? b : a; }}
template <class T> constexpr const T &max(const T &a, const T &b) {{ return a < b ? b : a; }}
}}
"""
"""What nvcc's host compiler declares in `std` whatever a file includes, as far as device code may use it."""

_EMPTY = (
    "stdio.h",
    "cstdio",
    "stdlib.h",
    "cstdlib",
    "stddef.h",
    "cstddef",
    "string.h",
    "cstring",
    "iostream",
    "stdint.h",
    "inttypes.h",
)
HEADERS = {
    **dict.fromkeys(_EMPTY, "\n"),
    "cstdint": f"#pragma once\nnamespace std {{ {_STD_INTEGERS}}}\n",
    "alloca.h": _ALLOCA,
    "assert.h": _ASSERT,
    "cassert": _ASSERT,
    "math.h": f"#pragma once\n{_MATH}",
    "cmath": f"#pragma once\n{_MATH}",
    "limits.h": f"#pragma once\n{_LIMITS}",
    "climits": f"#pragma once\n{_LIMITS}",
    "float.h": f"#pragma once\n{_FLOAT}",
    "cfloat": f"#pragma once\n{_FLOAT}",
}
"""Headers of C and C++ by the name that a source includes."""
STD_HEADERS = {
    "algorithm": "\n",
    "type_traits": "#pragma once\n#include <cuda/std/type_traits>\nnamespace std { using namespace cuda::std; }\n",
    "limits": "#pragma once\n#include <cuda/std/limits>\nnamespace std { using cuda::std::numeric_limits; }\n",
}
"""Further ones that a person's own file may include."""


def headers_for(source: Source, types: str = "") -> dict[str, str]:
    """Headers by the name that a source includes, and the prelude, which declares `types` and defines the parameters.

    Were those given as -D, one named T would change the templates of the compiler's own headers.
    """
    names = opencl.prelude_for(source.text) if source.language is Language.OPENCL else ""
    defines = "".join(f"#define {name} {value}\n" for name, value in source.defines)
    alloca = _ALLOCA if re.search(r"\balloca\b|\b__builtin_alloca\b", source.text) else ""
    has_std = source.is_foreign and source.language is not Language.OPENCL
    std, headers = (_STD, {**HEADERS, **STD_HEADERS}) if has_std else ("", HEADERS)
    return {NAME: _TYPES + std + alloca + types + names + defines, **headers}
