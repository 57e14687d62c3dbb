"""OpenCL's conversions, reinterpretations, and loads and stores of vectors and of halves, for a compiler of CUDA.

OpenCL C 3.0 specification, sections 6.4.3, "Explicit Conversions", 6.4.4, "Reinterpreting Data As Another Type", and
6.15.7, "Vector Data Load and Store Functions".
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from gemmviz.compiler.opencl.vectors import KINDS

_KINDS = dict(KINDS)
_ROUNDINGS = {"": "-1", "_rte": "0", "_rtz": "1", "_rtp": "2", "_rtn": "3"}
"""What a rounding is called, and its number in the templates; -1 is that of the type: integers cut off."""
_CONVERT = re.compile(rf"\bconvert_({'|'.join(_KINDS)})(2|3|4|8|16)?(_sat)?(_rt[ezpn])?\b")
_HALF_WORD = re.compile(r"\b(?:half|v(?:load|store)a?_half\w*)\b")


def conversions_for(text: str, sizes: Sequence[int]) -> str:
    """The conversions that a source writes, and loads, stores and reinterpretations of vectors of so many components.

    Every conversion where names are put together or stand in another file.
    """
    wanted = {(match[1], match[2] or "", match[3] or "", match[4] or "") for match in _CONVERT.finditer(text)}
    if "##" in text or "#include" in text:
        some = ("", *map(str, sizes))
        wanted |= {(kind, n, sat, r) for kind in _KINDS for n in some for sat in ("", "_sat") for r in _ROUNDINGS}
    names = [_conversion(*one) for one in sorted(wanted)]
    names += [f"#define as_{name}(a) gemmviz_as<{c}>(gemmviz_opencl::value_of(a))\n" for name, c in KINDS]
    for size in sizes:
        names += [
            f"#define as_{name}{size}(a) gemmviz_as<gemmviz_{name}{size}>(gemmviz_opencl::value_of(a))\n"
            for name in _KINDS
        ]
        names += [
            f"#define vload{size}(i, p) gemmviz_load<{size}>(i, p)\n",
            f"#define vstore{size}(v, i, p) gemmviz_store(gemmviz_opencl::plain(v), i, p)\n",
        ]
    return _TEMPLATES + (_VECTORS if sizes else "") + "".join(names)


def halves_for(text: str, sizes: Sequence[int]) -> str:
    """The loads and stores of halves, where a source has any."""
    if not _HALF_WORD.search(text):
        return ""
    names = ["#define vload_half(i, p) __half2float((p)[i])\n", "#define vloada_half(i, p) __half2float((p)[i])\n"]
    for rounding, number in _ROUNDINGS.items():
        for a in ("", "a"):
            names.append(f"#define vstore{a}_half{rounding}(v, i, p) gemmviz_store_half<{number}>(v, i, p)\n")
            names += [
                f"#define vstore{a}_half{size}{rounding}(v, i, p) "
                f"gemmviz_store{a}_halves<{number}>(gemmviz_opencl::plain(v), i, p)\n"
                for size in sizes
            ]
    names += [f"#define vload{a}_half{n}(i, p) gemmviz_load{a}_halves<{n}>(i, p)\n" for n in sizes for a in ("", "a")]
    return _HALF + (_HALVES if sizes else "") + "".join(names)


def _conversion(kind: str, size: str, saturates: str, rounding: str) -> str:
    given = f"{_KINDS[kind]}, {_ROUNDINGS[rounding]}, {'true' if saturates else 'false'}"
    value = "gemmviz_opencl::plain(a)" if size else "a"
    return f"#define convert_{kind}{size}{saturates}{rounding}(a) gemmviz_convert<{given}>({value})\n"


_TEMPLATES = """
namespace gemmviz_opencl {
template <class T> constexpr bool is_floating = T(0.5) != T(0);
template <class T> constexpr bool is_signed = T(-1) < T(0);
template <class T> constexpr T greatest()
{ return is_signed<T> ? T((1ull << (8 * sizeof(T) - 1)) - 1) : T(~0ull); }
template <class T> constexpr T least() { return is_signed<T> ? T(1ull << (8 * sizeof(T) - 1)) : T(0); }
template <int rounding, class V> __forceinline__ V rounded(V v)
{ return rounding == 0 ? ::rint(v) : rounding == 2 ? ::ceil(v) : rounding == 3 ? ::floor(v) : ::trunc(v); }
template <class T, bool saturates, class V> __forceinline__ T as_integer(V v)
{
    if constexpr (!saturates) return T(v);
    else if constexpr (is_floating<V>)
        return v != v ? T(0) : v <= V(least<T>()) ? least<T>() : v >= V(greatest<T>()) ? greatest<T>() : T(v);
    else {
        if (v < V(0)) return !is_signed<T> ? T(0) : (long long)v < (long long)least<T>() ? least<T>() : T(v);
        return (unsigned long long)v > (unsigned long long)greatest<T>() ? greatest<T>() : T(v);
    }
}
#define GEMMVIZ_ROUND(call, v) \\
    (rounding == 1 ? call##_rz(v) : rounding == 2 ? call##_ru(v) : rounding == 3 ? call##_rd(v) : call##_rn(v))
template <class T, int rounding, class V> __forceinline__ T as_floating(V v)
{
    if constexpr (rounding < 1 || sizeof(T) > sizeof(V) || (sizeof(T) == sizeof(V) && is_floating<V>)) return T(v);
    else if constexpr (is_floating<V>) return GEMMVIZ_ROUND(__double2float, v);
    else if constexpr (sizeof(V) < 8) return GEMMVIZ_ROUND(__double2float, double(v));
    else if constexpr (sizeof(T) == 4 && is_signed<V>) return GEMMVIZ_ROUND(__ll2float, v);
    else if constexpr (sizeof(T) == 4) return GEMMVIZ_ROUND(__ull2float, v);
    else if constexpr (is_signed<V>) return GEMMVIZ_ROUND(__ll2double, v);
    else return GEMMVIZ_ROUND(__ull2double, v);
}
}
template <class T, int rounding, bool saturates, class V, class = decltype(V(0) < 1 ? 0 : 0)> __forceinline__
T gemmviz_convert(V v)
{
    if constexpr (gemmviz_opencl::is_floating<T>) return gemmviz_opencl::as_floating<T, rounding>(v);
    else if constexpr (gemmviz_opencl::is_floating<V>)
        return gemmviz_opencl::as_integer<T, saturates>(gemmviz_opencl::rounded<rounding>(v));
    else return gemmviz_opencl::as_integer<T, saturates>(v);
}
template <class T, class V> __forceinline__ T gemmviz_as(V from)
{
    static_assert(sizeof(T) == sizeof(V), "both types need as many bytes");
    union { V given; T made; } both = {from};
    return both.made;
}
"""
_VECTORS = """
namespace gemmviz_opencl {
template <class T> struct component { typedef T type; };
template <> struct component<char> { typedef signed char type; };
template <> struct component<long> { typedef long long type; };
template <> struct component<unsigned long> { typedef unsigned long long type; };
}
template <int N, class T> __forceinline__
gemmviz_opencl::vector<typename gemmviz_opencl::component<T>::type, N> gemmviz_load(size_t place, const T *from)
{
    gemmviz_opencl::vector<typename gemmviz_opencl::component<T>::type, N> made;
    for (int i = 0; i < N; ++i) made.at[i] = from[place * N + i];
    return made;
}
template <class T, int N, class V> __forceinline__
void gemmviz_store(gemmviz_opencl::vector<T, N> value, size_t place, V *to)
{
    static_assert(sizeof(T) == sizeof(V), "a vector is stored where its components have the type of the pointer");
    for (int i = 0; i < N; ++i) to[place * N + i] = value.at[i];
}
template <class T, int rounding, bool saturates, class V, int N> __forceinline__
gemmviz_opencl::vector<T, N> gemmviz_convert(gemmviz_opencl::vector<V, N> from)
{
    gemmviz_opencl::vector<T, N> made;
    for (int i = 0; i < N; ++i) made.at[i] = gemmviz_convert<T, rounding, saturates>(from.at[i]);
    return made;
}
"""
_HALF = """
namespace gemmviz_opencl {
template <int rounding> __forceinline__ __half as_half(float v) { return GEMMVIZ_ROUND(__float2half, v); }
template <int rounding> __forceinline__ __half as_half(double v)
{ return rounding < 1 ? __double2half(v) : as_half<rounding>(as_floating<float, rounding>(v)); }
}
template <int rounding, class T> __forceinline__ void gemmviz_store_half(T v, size_t place, __half *to)
{ to[place] = gemmviz_opencl::as_half<rounding>(v); }
"""
_HALVES = """
template <int N> __forceinline__ gemmviz_opencl::vector<float, N> gemmviz_load_halves(size_t place, const __half *from)
{
    gemmviz_opencl::vector<float, N> made;
    for (int i = 0; i < N; ++i) made.at[i] = __half2float(from[place * N + i]);
    return made;
}
template <int rounding, class T, int N> __forceinline__
void gemmviz_store_halves(gemmviz_opencl::vector<T, N> v, size_t place, __half *to)
{ for (int i = 0; i < N; ++i) to[place * N + i] = gemmviz_opencl::as_half<rounding>(v.at[i]); }
template <int N> __forceinline__
gemmviz_opencl::vector<float, N> gemmviz_loada_halves(size_t place, const __half *from)
{
    gemmviz_opencl::vector<float, N> made;
    if constexpr (N == 3)
        for (int i = 0; i < N; ++i) made.at[i] = __half2float(from[place * 4 + i]);
    else {
        typedef gemmviz_opencl::vector<unsigned short, N> halves;
        const halves all = *reinterpret_cast<const halves *>(from + place * N);
        for (int i = 0; i < N; ++i) made.at[i] = __half2float(__ushort_as_half(all.at[i]));
    }
    return made;
}
template <int rounding, class T, int N> __forceinline__
void gemmviz_storea_halves(gemmviz_opencl::vector<T, N> v, size_t place, __half *to)
{
    if constexpr (N == 3)
        for (int i = 0; i < N; ++i) to[place * 4 + i] = gemmviz_opencl::as_half<rounding>(v.at[i]);
    else {
        gemmviz_opencl::vector<unsigned short, N> all;
        for (int i = 0; i < N; ++i) all.at[i] = __half_as_ushort(gemmviz_opencl::as_half<rounding>(v.at[i]));
        *reinterpret_cast<gemmviz_opencl::vector<unsigned short, N> *>(to + place * N) = all;
    }
}
"""
