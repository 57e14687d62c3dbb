"""OpenCL's built-in functions on numbers, and on vectors component by component, for a compiler of CUDA.

OpenCL C 3.0 specification, section 6.15, "Built-in Functions": mathematics, integers, common, geometric and relational
functions, copies by a work-group, and printf.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

_FLOATING_ONE = (
    "sign",
    "degrees",
    "radians",
    "sinpi",
    "cospi",
    "tanpi",
    "erfc",
    "acosh",
    "asinh",
    "atanh",
    "logb",
    "tgamma",
    "lgamma",
)
_FLOATING_TWO = (
    "step",
    "maxmag",
    "minmag",
    "powr",
    "copysign",
    "fdim",
    "nextafter",
    "remainder",
    "ldexp",
    "pown",
    "rootn",
)
_INTEGER_ONE = ("clz", "ctz", "popcount")
_INTEGER_TWO = ("abs_diff", "add_sat", "sub_sat", "hadd", "rhadd", "rotate", "mul_hi", "mul24")
_THREE = ("smoothstep", "mad_hi", "mad_sat", "mad24", "bitselect")
_TOLD_ONE = ("isnan", "isinf", "isfinite", "isnormal", "signbit")
_TOLD_TWO = (
    "isequal",
    "isnotequal",
    "isgreater",
    "isgreaterequal",
    "isless",
    "islessequal",
    "islessgreater",
    "isordered",
    "isunordered",
)
_OF_SWIZZLES = (
    *_FLOATING_ONE,
    *_INTEGER_ONE,
    *_TOLD_ONE,
    "length",
    "normalize",
    "gemmviz_abs",
    "ilogb",
)
_OF_TWO = (*_FLOATING_TWO, *_INTEGER_TWO, *_TOLD_TWO, "distance", "cross", "shuffle")
_VECTOR_PRINTF = re.compile(r"\"(?:\\.|[^\"\\\n])*%[^\"\n]*?v(?:2|3|4|8|16)(?:\\.|[^\"\\\n])*\"")


def functions_for(text: str, sizes: Sequence[int]) -> str:
    """The functions on numbers, and those on vectors of so many components."""
    parts = [_NUMBERS, _TELLING]
    if sizes:
        parts += ["".join(_of_vectors()), _GEOMETRIC, _SHUFFLES]
        parts += [f"GEMMVIZ_ONE({name})\n" for name in _OF_SWIZZLES]
        parts += [f"GEMMVIZ_TWO({name})\n" for name in _OF_TWO]
        parts += [f"GEMMVIZ_THREE({name})\n" for name in (*_THREE, "shuffle2")]
    parts += [_WORK_GROUP_COPIES, _NAMES]
    if sizes and "printf" in text and _VECTOR_PRINTF.search(text):
        parts += [_PRINT, "#define printf(...) gemmviz_print(__VA_ARGS__)\n"]
    return "".join(parts)


def _of_vectors() -> Iterator[str]:
    for name in (*_FLOATING_ONE, *_INTEGER_ONE):
        yield f"GEMMVIZ_EACH_ONE({name}, T)\n"
    yield "GEMMVIZ_EACH_ONE(ilogb, int)\n"
    yield "GEMMVIZ_EACH_ONE(gemmviz_abs, decltype(gemmviz_abs(T())))\n"
    for name in (*_FLOATING_TWO, *_INTEGER_TWO):
        yield f"GEMMVIZ_EACH_TWO({name})\n"
    for name in _THREE:
        yield f"GEMMVIZ_EACH_THREE({name})\n"
    for name in _TOLD_ONE:
        yield f"GEMMVIZ_TELL_ONE({name})\n"
    for name in _TOLD_TWO:
        yield f"GEMMVIZ_TELL_TWO({name})\n"


_NUMBERS = """
#define GEMMVIZ_FLOATING template <class T, class = typename gemmviz_opencl::only<T(0.5) != T(0)>::type> __forceinline__
#define GEMMVIZ_INTEGER template <class T, class = typename gemmviz_opencl::only<T(0.5) == T(0)>::type> __forceinline__
namespace gemmviz_opencl {
template <bool is_so> struct only {};
template <> struct only<true> { typedef int type; };
template <int bytes, bool is_signed> struct of_bytes;
template <> struct of_bytes<1, true> { typedef signed char type; };
template <> struct of_bytes<2, true> { typedef short type; };
template <> struct of_bytes<4, true> { typedef int type; };
template <> struct of_bytes<8, true> { typedef long long type; };
template <> struct of_bytes<1, false> { typedef unsigned char type; };
template <> struct of_bytes<2, false> { typedef unsigned short type; };
template <> struct of_bytes<4, false> { typedef unsigned int type; };
template <> struct of_bytes<8, false> { typedef unsigned long long type; };
template <class T> struct unsigned_of { typedef typename of_bytes<sizeof(T), false>::type type; };
}
GEMMVIZ_FLOATING T sign(T a) { return a > T(0) ? T(1) : a < T(0) ? T(-1) : a == T(0) ? a : T(0); }
GEMMVIZ_FLOATING T degrees(T a) { return T(57.295779513082320877) * a; }
GEMMVIZ_FLOATING T radians(T a) { return T(0.017453292519943295769) * a; }
GEMMVIZ_FLOATING T tanpi(T a) { return sinpi(a) / cospi(a); }
GEMMVIZ_FLOATING T step(T edge, T a) { return a < edge ? T(0) : T(1); }
GEMMVIZ_FLOATING T maxmag(T a, T b) { return fabs(a) > fabs(b) ? a : fabs(b) > fabs(a) ? b : fmax(a, b); }
GEMMVIZ_FLOATING T minmag(T a, T b) { return fabs(a) < fabs(b) ? a : fabs(b) < fabs(a) ? b : fmin(a, b); }
GEMMVIZ_FLOATING T powr(T a, T b) { return a < T(0) ? T(0) / T(0) : pow(a, b); }
GEMMVIZ_FLOATING T pown(T a, int n) { return pow(a, T(n)); }
GEMMVIZ_FLOATING T rootn(T a, int n) { return a < T(0) && n % 2 ? -pow(-a, T(1) / n) : pow(a, T(1) / n); }
GEMMVIZ_FLOATING T smoothstep(T low, T high, T a)
{ const T t = fmin(fmax((a - low) / (high - low), T(0)), T(1)); return t * t * (T(3) - T(2) * t); }
GEMMVIZ_FLOATING T fract(T a, T *whole)
{ *whole = floor(a); return fmin(a - floor(a), sizeof(T) == 4 ? T(0x1.fffffep-1f) : T(0x1.fffffffffffffp-1)); }
GEMMVIZ_FLOATING T sincos(T a, T *cosine) { *cosine = cos(a); return sin(a); }
GEMMVIZ_FLOATING T length(T a) { return fabs(a); }
GEMMVIZ_FLOATING T distance(T a, T b) { return fabs(a - b); }
GEMMVIZ_FLOATING T normalize(T a) { return sign(a); }
GEMMVIZ_INTEGER typename gemmviz_opencl::unsigned_of<T>::type gemmviz_abs(T a)
{ typedef typename gemmviz_opencl::unsigned_of<T>::type made; return a < T(0) ? made(0) - made(a) : made(a); }
GEMMVIZ_INTEGER typename gemmviz_opencl::unsigned_of<T>::type abs_diff(T a, T b)
{ typedef typename gemmviz_opencl::unsigned_of<T>::type made; return a < b ? made(b) - made(a) : made(a) - made(b); }
GEMMVIZ_INTEGER T add_sat(T a, T b)
{
    typedef typename gemmviz_opencl::unsigned_of<T>::type bits;
    const T sum = T(bits(a) + bits(b));
    if (T(-1) > T(0)) return sum < a ? T(~T(0)) : sum;
    const T top = T(bits(~bits(0)) >> 1);
    return (a < T(0)) != (b < T(0)) || (sum < T(0)) == (a < T(0)) ? sum : a < T(0) ? T(~top) : top;
}
GEMMVIZ_INTEGER T sub_sat(T a, T b)
{
    typedef typename gemmviz_opencl::unsigned_of<T>::type bits;
    const T left = T(bits(a) - bits(b));
    if (T(-1) > T(0)) return a < b ? T(0) : left;
    const T top = T(bits(~bits(0)) >> 1);
    return (a < T(0)) == (b < T(0)) || (left < T(0)) == (a < T(0)) ? left : a < T(0) ? T(~top) : top;
}
GEMMVIZ_INTEGER T hadd(T a, T b) { return T((a >> 1) + (b >> 1) + (a & b & 1)); }
GEMMVIZ_INTEGER T rhadd(T a, T b) { return T((a >> 1) + (b >> 1) + ((a | b) & 1)); }
GEMMVIZ_INTEGER T clz(T a)
{
    typedef typename gemmviz_opencl::unsigned_of<T>::type bits;
    return T(sizeof(T) == 8 ? __clzll((long long)a) : __clz((int)bits(a)) - (32 - 8 * (int)sizeof(T)));
}
GEMMVIZ_INTEGER T ctz(T a)
{
    return T(a == T(0) ? 8 * (int)sizeof(T) : sizeof(T) == 8 ? __ffsll((long long)a) - 1 : __ffs((int)a) - 1);
}
GEMMVIZ_INTEGER T popcount(T a)
{
    typedef typename gemmviz_opencl::unsigned_of<T>::type bits;
    return T(sizeof(T) == 8 ? __popcll((unsigned long long)a) : __popc((unsigned int)bits(a)));
}
GEMMVIZ_INTEGER T rotate(T a, T by)
{
    typedef typename gemmviz_opencl::unsigned_of<T>::type bits;
    const int all = 8 * sizeof(T), left = (int)by & (all - 1);
    return T(bits(bits(a) << left) | bits(left ? bits(a) >> (all - left) : 0));
}
GEMMVIZ_INTEGER T mul_hi(T a, T b)
{
    if constexpr (sizeof(T) == 8) return T(-1) < T(0) ? T(__mul64hi(a, b)) : T(__umul64hi(a, b));
    else return T(-1) < T(0) ? T((long long)a * (long long)b >> 8 * sizeof(T))
                             : T((unsigned long long)a * (unsigned long long)b >> 8 * sizeof(T));
}
GEMMVIZ_INTEGER T mad_hi(T a, T b, T c)
{ typedef typename gemmviz_opencl::unsigned_of<T>::type bits; return T(bits(mul_hi(a, b)) + bits(c)); }
GEMMVIZ_INTEGER T mad_sat(T a, T b, T c)
{
    static_assert(sizeof(T) < 8, "mad_sat on integers of 64 bits is not implemented");
    typedef typename gemmviz_opencl::unsigned_of<T>::type bits;
    if constexpr (T(-1) > T(0)) {
        const unsigned long long sum = (unsigned long long)a * b + c;
        return sum > bits(~bits(0)) ? T(~T(0)) : T(sum);
    } else {
        const long long sum = (long long)a * b + c, top = bits(~bits(0)) >> 1;
        return sum > top ? T(top) : sum < ~top ? T(~top) : T(sum);
    }
}
template <class T> __forceinline__ T bitselect(T a, T b, T from_b)
{
    typedef typename gemmviz_opencl::unsigned_of<T>::type bits;
    union { T value; bits all; } x = {a}, y = {b}, m = {from_b}, made;
    made.all = (x.all & ~m.all) | (y.all & m.all);
    return made.value;
}
static __forceinline__ short upsample(signed char high, unsigned char low) { return short(high * 256 | low); }
static __forceinline__ unsigned short upsample(unsigned char high, unsigned char low) { return high * 256 | low; }
static __forceinline__ int upsample(short high, unsigned short low) { return int((unsigned)high << 16 | low); }
static __forceinline__ unsigned int upsample(unsigned short high, unsigned short low)
{ return (unsigned)high << 16 | low; }
static __forceinline__ long long upsample(int high, unsigned int low)
{ return (long long)((unsigned long long)high << 32 | low); }
static __forceinline__ unsigned long long upsample(unsigned int high, unsigned int low)
{ return (unsigned long long)high << 32 | low; }
#define GEMMVIZ_EACH_ONE(name, made_of) template <class T, int N> __forceinline__ \\
    auto name(gemmviz_opencl::vector<T, N> a) \\
    -> decltype(::name(T()), gemmviz_opencl::vector<made_of, N>()) \\
    { \\
        gemmviz_opencl::vector<made_of, N> made; \\
        for (int i = 0; i < N; ++i) made.at[i] = ::name(a.at[i]); \\
        return made; \\
    }
#define GEMMVIZ_EACH_TWO(name) template <class T, class V, int N> __forceinline__ \\
    auto name(gemmviz_opencl::vector<T, N> a, gemmviz_opencl::vector<V, N> b) \\
    -> decltype(::name(T(), V()), gemmviz_opencl::vector<decltype(::name(T(), V())), N>()) \\
    { \\
        gemmviz_opencl::vector<decltype(::name(T(), V())), N> made; \\
        for (int i = 0; i < N; ++i) made.at[i] = ::name(a.at[i], b.at[i]); \\
        return made; \\
    } \\
    template <class T, int N> __forceinline__ \\
    auto name(T a, gemmviz_opencl::vector<T, N> b) -> decltype(::name(T(), T()), gemmviz_opencl::vector<T, N>()) \\
    { return name(gemmviz_opencl::vector<T, N>(a), b); }
#define GEMMVIZ_EACH_THREE(name) template <class T, int N> __forceinline__ \\
    auto name(gemmviz_opencl::vector<T, N> a, gemmviz_opencl::vector<T, N> b, gemmviz_opencl::vector<T, N> c) \\
    -> decltype(::name(T(), T(), T()), gemmviz_opencl::vector<T, N>()) \\
    { \\
        gemmviz_opencl::vector<T, N> made; \\
        for (int i = 0; i < N; ++i) made.at[i] = ::name(a.at[i], b.at[i], c.at[i]); \\
        return made; \\
    } \\
    template <class T, int N> __forceinline__ auto name(T a, T b, gemmviz_opencl::vector<T, N> c) \\
    -> decltype(::name(T(), T(), T()), gemmviz_opencl::vector<T, N>()) \\
    { return name(gemmviz_opencl::vector<T, N>(a), gemmviz_opencl::vector<T, N>(b), c); }
"""
_TELLING = """
GEMMVIZ_FLOATING int isnormal(T a)
{
    return isfinite(a) && fabs(a) >= (sizeof(T) == 4 ? T(1.17549435e-38f) : T(2.2250738585072014e-308));
}
#define GEMMVIZ_TELLS(name, words) GEMMVIZ_FLOATING int name(T a, T b) { return words; }
GEMMVIZ_TELLS(isequal, a == b)
GEMMVIZ_TELLS(isnotequal, a != b)
GEMMVIZ_TELLS(isgreater, a > b)
GEMMVIZ_TELLS(isgreaterequal, a >= b)
GEMMVIZ_TELLS(isless, a < b)
GEMMVIZ_TELLS(islessequal, a <= b)
GEMMVIZ_TELLS(islessgreater, a < b || a > b)
GEMMVIZ_TELLS(isordered, a == a && b == b)
GEMMVIZ_TELLS(isunordered, a != a || b != b)
#define GEMMVIZ_TELL_ONE(name) template <class T, int N> __forceinline__ \\
    gemmviz_opencl::vector<typename gemmviz_opencl::mask<T>::type, N> name(gemmviz_opencl::vector<T, N> a) \\
    { \\
        gemmviz_opencl::vector<typename gemmviz_opencl::mask<T>::type, N> made; \\
        for (int i = 0; i < N; ++i) made.at[i] = ::name(a.at[i]) ? -1 : 0; \\
        return made; \\
    }
#define GEMMVIZ_TELL_TWO(name) template <class T, int N> __forceinline__ \\
    gemmviz_opencl::vector<typename gemmviz_opencl::mask<T>::type, N> \\
    name(gemmviz_opencl::vector<T, N> a, gemmviz_opencl::vector<T, N> b) \\
    { \\
        gemmviz_opencl::vector<typename gemmviz_opencl::mask<T>::type, N> made; \\
        for (int i = 0; i < N; ++i) made.at[i] = ::name(a.at[i], b.at[i]) ? -1 : 0; \\
        return made; \\
    }
"""
_GEOMETRIC = """
template <class T, int N> __forceinline__ T length(gemmviz_opencl::vector<T, N> a) { return sqrt(dot(a, a)); }
template <class T, int N> __forceinline__
T distance(gemmviz_opencl::vector<T, N> a, gemmviz_opencl::vector<T, N> b) { return length(a - b); }
template <class T, int N> __forceinline__ gemmviz_opencl::vector<T, N> normalize(gemmviz_opencl::vector<T, N> a)
{ const T all = length(a); return all == T(0) ? a : a / all; }
template <class T, int N> __forceinline__
gemmviz_opencl::vector<T, N> cross(gemmviz_opencl::vector<T, N> a, gemmviz_opencl::vector<T, N> b)
{
    static_assert(N == 3 || N == 4, "cross takes vectors of three or four components");
    gemmviz_opencl::vector<T, N> made(T(0));
    for (int i = 0; i < 3; ++i)
        made.at[i] = a.at[(i + 1) % 3] * b.at[(i + 2) % 3] - a.at[(i + 2) % 3] * b.at[(i + 1) % 3];
    return made;
}
template <class T, int N> __forceinline__
gemmviz_opencl::vector<T, N> fract(gemmviz_opencl::vector<T, N> a, gemmviz_opencl::vector<T, N> *whole)
{
    gemmviz_opencl::vector<T, N> made;
    for (int i = 0; i < N; ++i) made.at[i] = fract(a.at[i], &whole->at[i]);
    return made;
}
"""
_SHUFFLES = """
template <class T, class C, int N, int M> __forceinline__
gemmviz_opencl::vector<T, M> shuffle(gemmviz_opencl::vector<T, N> a, gemmviz_opencl::vector<C, M> places)
{
    gemmviz_opencl::vector<T, M> made;
    for (int i = 0; i < M; ++i) made.at[i] = a.at[places.at[i] & (N - 1)];
    return made;
}
template <class T, class C, int N, int M> __forceinline__ gemmviz_opencl::vector<T, M> shuffle2(
    gemmviz_opencl::vector<T, N> a, gemmviz_opencl::vector<T, N> b, gemmviz_opencl::vector<C, M> places)
{
    gemmviz_opencl::vector<T, M> made;
    for (int i = 0; i < M; ++i) {
        const int place = places.at[i] & (2 * N - 1);
        made.at[i] = place < N ? a.at[place] : b.at[place - N];
    }
    return made;
}
"""
_WORK_GROUP_COPIES = """
typedef int gemmviz_event;
template <class T> __forceinline__
gemmviz_event async_work_group_copy(T *to, const T *from, size_t count, gemmviz_event event)
{
    const size_t all = blockDim.x * blockDim.y * blockDim.z;
    for (size_t i = get_local_linear_id(); i < count; i += all) to[i] = from[i];
    return event;
}
template <class T> __forceinline__ gemmviz_event async_work_group_strided_copy(
    T *to, const T *from, size_t count, size_t stride, gemmviz_event event)
{
    const size_t all = blockDim.x * blockDim.y * blockDim.z;
    for (size_t i = get_local_linear_id(); i < count; i += all)
        if (__isShared(to)) to[i] = from[i * stride];
        else to[i * stride] = from[i];
    return event;
}
#define event_t gemmviz_event
#define wait_group_events(count, events) ((void)(count), (void)(events), __syncthreads())
#define prefetch(from, count) ((void)(from), (void)(count))
"""
_NAMES = """
#define abs(a) gemmviz_abs(a)
#define fast_length(a) length(a)
#define fast_distance(a, b) distance(a, b)
#define fast_normalize(a) normalize(a)
"""
_PRINT = """
namespace gemmviz_opencl {
template <int... I> struct places {};
template <int N, int... I> struct first : first<N - 1, N - 1, I...> {};
template <int... I> struct first<0, I...> { typedef places<I...> type; };
template <int left, class T, int N, int... I, class... R>
__forceinline__ int print_vector(places<I...>, const char *words, vector<T, N> a, R... others);
template <int left, class A, class... R> __forceinline__ int print(const char *words, A a, R... others)
{
    if constexpr (left == 0) return ::printf(words, a, others...);
    else return print<left - 1>(words, others..., a);
}
template <int left, class T, int N, class... R> __forceinline__
int print(const char *words, vector<T, N> a, R... others)
{ return print_vector<left>(typename first<N>::type(), words, a, others...); }
template <int left, class T, int N, int... I, class... R>
__forceinline__ int print_vector(places<I...>, const char *words, vector<T, N> a, R... others)
{ return print<left - 1>(words, others..., a.at[I]...); }
}
template <class... A> __forceinline__ int gemmviz_print(const char *words, const A &...given)
{
    if constexpr (sizeof...(A) == 0) return printf(words);
    else return gemmviz_opencl::print<sizeof...(A)>(words, gemmviz_opencl::value_of(given)...);
}
"""
"""A call whose vectors are given component by component: each argument in turn moves behind the others."""
