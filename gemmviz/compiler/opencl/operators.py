"""Operators and functions on OpenCL's vectors for a compiler of CUDA, component by component.

OpenCL C 3.0 specification, sections 6.4, "Operators", and 6.15, "Built-in Functions". A comparison of vectors gives
integers as wide as their components, -1 where it holds and 0 elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

_ARITHMETIC = ("+", "-", "*", "/")
_OF_INTEGERS = ("%", "&", "|", "^")
_SHIFTS = ("<<", ">>")
_COMPARISONS = ("<", ">", "<=", ">=", "==", "!=", "&&", "||")
_MASK = "typename gemmviz_opencl::mask<T>::type"
"""The components of what a comparison makes."""
_ONE = (
    "fabs",
    "sqrt",
    "rsqrt",
    "cbrt",
    "exp",
    "exp2",
    "exp10",
    "expm1",
    "log",
    "log2",
    "log10",
    "log1p",
    "sin",
    "cos",
    "tan",
    "tanh",
    "sinh",
    "cosh",
    "asin",
    "acos",
    "atan",
    "erf",
    "floor",
    "ceil",
    "round",
    "rint",
    "trunc",
)
_TWO = {
    **{name: f"::{name}(a.at[i], b.at[i])" for name in ("fmin", "fmax", "pow", "fmod", "atan2", "hypot")},
    "min": "b.at[i] < a.at[i] ? b.at[i] : a.at[i]",
    "max": "a.at[i] < b.at[i] ? b.at[i] : a.at[i]",
}
_THREE = {
    "mad": "::fma(a.at[i], b.at[i], c.at[i])",
    "fma": "::fma(a.at[i], b.at[i], c.at[i])",
    "mix": "a.at[i] + (b.at[i] - a.at[i]) * c.at[i]",
    "clamp": "c.at[i] < a.at[i] ? c.at[i] : a.at[i] < b.at[i] ? b.at[i] : a.at[i]",
}


def operators_for(sizes: Sequence[int]) -> str:
    """Operators and functions on vectors of so many components."""
    if not sizes:
        return ""
    parts = ["namespace gemmviz_opencl {\n", _TYPES]
    for size in sizes:
        parts += _operators(size)
    parts += [f"GEMMVIZ_OPERATOR({sign})\n" for sign in (*_ARITHMETIC, *_OF_INTEGERS, *_SHIFTS, *_COMPARISONS)]
    parts += [f"GEMMVIZ_ASSIGNMENT({sign})\n" for sign in (*_ARITHMETIC, *_OF_INTEGERS, *_SHIFTS)]
    parts += ["GEMMVIZ_STEP(+)\n", "GEMMVIZ_STEP(-)\n", _OF_SWIZZLES, "}\n"]
    for size in sizes:
        parts += [_function(name, "a", f"::{name}(a.at[i])", size) for name in _ONE]
        parts += [_function(name, "ab", words, size) for name, words in _TWO.items()]
        parts += [_function(name, "abc", words, size) for name, words in _THREE.items()]
        parts += [_reductions(size), _select(size)]
    parts += [f"GEMMVIZ_ONE({name})\n" for name in (*_ONE, "any", "all")]
    parts += [f"GEMMVIZ_TWO({name})\n" for name in (*_TWO, "dot")]
    parts += [f"GEMMVIZ_THREE({name})\n" for name in (*_THREE, "select")]
    parts += [_NUMBERS_BEHIND, *map(_with_number, ("mad", "fma"))]
    return _MACROS + "".join(parts)


def _with_number(name: str) -> str:
    """A function of three vectors that takes a number in the place of one, as OpenCL C widens numbers by itself."""
    vector, number = "gemmviz_opencl::vector<T, N>", "typename gemmviz_opencl::same<T>::type"
    made = ""
    for place in "abc":
        given = ", ".join(f"{number if one == place else vector} {one}" for one in "abc")
        passed = ", ".join(f"{vector}({one})" if one == place else one for one in "abc")
        made += f"template <class T, int N> __forceinline__ {vector} {name}({given}) {{ return {name}({passed}); }}\n"
    return made


def _operators(size: int) -> Iterator[str]:
    for sign in _ARITHMETIC:
        yield _function(f"operator{sign}", "ab", f"a.at[i] {sign} b.at[i]", size)
    for sign in _OF_INTEGERS:
        yield _function(f"operator{sign}", "ab", f"a.at[i] {sign} b.at[i]", size, is_of_integers=True)
    for sign in _SHIFTS:
        words = f"a.at[i] {sign} (b.at[i] & T(8 * sizeof(T) - 1))"
        yield _function(f"operator{sign}", "ab", words, size, is_of_integers=True)
    for sign in _COMPARISONS:
        yield _function(f"operator{sign}", "ab", f"a.at[i] {sign} b.at[i] ? -1 : 0", size, _MASK)
    yield _function("operator-", "a", "-a.at[i]", size)
    yield _function("operator~", "a", "~a.at[i]", size, is_of_integers=True)
    yield _function("operator!", "a", "a.at[i] ? 0 : -1", size, _MASK)


def _function(name: str, taken: str, words: str, size: int, made: str = "T", *, is_of_integers: bool = False) -> str:
    """A function or operator that makes each component, i, of its result by an expression."""
    result = f"gemmviz_opencl::vector<{made}, {size}>"
    given = ", ".join(f"gemmviz_opencl::vector<T, {size}> {one}" for one in taken)
    components = ", ".join(f"({made})({words.replace('[i]', f'[{place}]')})" for place in range(size))
    only = ", class = decltype(~T())" if is_of_integers else ""
    return f"template <class T{only}> __forceinline__ {result} {name}({given}) {{ return {result}({components}); }}\n"


def _reductions(size: int) -> str:
    vector = f"gemmviz_opencl::vector<T, {size}>"
    joined = {sign: f" {sign} ".join(f"a.at[{place}]" for place in range(size)) for sign in "|&"}
    products = ["a.at[0] * b.at[0]", *(f"sum += a.at[{place}] * b.at[{place}]" for place in range(1, size))]
    return (
        f"template <class T, class = decltype(~T())> __forceinline__\n"
        f"int any({vector} a) {{ return T({joined['|']}) < 0; }}\n"
        f"template <class T, class = decltype(~T())> __forceinline__\n"
        f"int all({vector} a) {{ return T({joined['&']}) < 0; }}\n"
        f"template <class T> __forceinline__ T dot({vector} a, {vector} b)\n"
        f"{{ T sum = {'; '.join(products)}; return sum; }}\n"
    )


def _select(size: int) -> str:
    vector = f"gemmviz_opencl::vector<T, {size}>"
    chosen = (
        f"typename gemmviz_opencl::mask<C>::type(c.at[{place}]) < 0 ? b.at[{place}] : a.at[{place}]"
        for place in range(size)
    )
    return (
        f"template <class T, class C> __forceinline__\n{vector} select({vector} a, {vector} b, "
        f"gemmviz_opencl::vector<C, {size}> c)\n{{ return {vector}({', '.join(chosen)}); }}\n"
    )


_TYPES = """template <class T> struct same { typedef T type; };
template <int bytes> struct integer;
template <> struct integer<1> { typedef signed char type; };
template <> struct integer<2> { typedef short type; };
template <> struct integer<4> { typedef int type; };
template <> struct integer<8> { typedef long long type; };
template <class T> struct mask { typedef typename integer<sizeof(T)>::type type; };
"""
_MACROS = """#define GEMMVIZ_OPERATOR(sign) \\
    template <class T, int N> __forceinline__ auto operator sign(vector<T, N> a, typename same<T>::type b) \\
    -> decltype(a sign a) { return a sign vector<T, N>(b); } \\
    template <class T, int N> __forceinline__ auto operator sign(typename same<T>::type a, vector<T, N> b) \\
    -> decltype(b sign b) { return vector<T, N>(a) sign b; } \\
    template <class T, int N, int... I, class B> __forceinline__ \\
    auto operator sign(const swizzle<T, N, I...> &a, B b) -> decltype(plain(a) sign b) { return plain(a) sign b; } \\
    template <class T, int N, int... I, class A> __forceinline__ \\
    auto operator sign(A a, const swizzle<T, N, I...> &b) -> decltype(a sign plain(b)) { return a sign plain(b); } \\
    template <class T, int N, int... I, int M, int... J> __forceinline__ \\
    auto operator sign(const swizzle<T, N, I...> &a, const swizzle<T, M, J...> &b) \\
    -> decltype(plain(a) sign plain(b)) { return plain(a) sign plain(b); }
#define GEMMVIZ_ASSIGNMENT(sign) \\
    template <class T, int N, class B> __forceinline__ vector<T, N> &operator sign##=(vector<T, N> &a, B b) \\
    { return a = a sign b; }
#define GEMMVIZ_STEP(sign) \\
    template <class T, int N, class = decltype(~T())> __forceinline__ \\
    vector<T, N> &operator sign##sign(vector<T, N> &a) { return a = a sign vector<T, N>(T(1)); } \\
    template <class T, int N, class = decltype(~T())> __forceinline__ \\
    vector<T, N> operator sign##sign(vector<T, N> &a, int) \\
    { const vector<T, N> before = a; a = a sign vector<T, N>(T(1)); return before; } \\
    template <class T, int N, int... I, class = decltype(~T())> __forceinline__ \\
    auto operator sign##sign(swizzle<T, N, I...> &a) -> decltype(plain(a)) \\
    { a = plain(a) sign vector<T, sizeof...(I)>(T(1)); return plain(a); } \\
    template <class T, int N, int... I, class = decltype(~T())> __forceinline__ \\
    auto operator sign##sign(swizzle<T, N, I...> &a, int) -> decltype(plain(a)) \\
    { const auto before = plain(a); a = before sign vector<T, sizeof...(I)>(T(1)); return before; }
#define GEMMVIZ_ONE(name) template <class T, int N, int... I> __forceinline__ \\
    auto name(const gemmviz_opencl::swizzle<T, N, I...> &a) -> decltype(name(gemmviz_opencl::plain(a))) \\
    { return name(gemmviz_opencl::plain(a)); }
#define GEMMVIZ_TWO(name) template <class T, int N> __forceinline__ \\
    auto name(gemmviz_opencl::vector<T, N> a, typename gemmviz_opencl::same<T>::type b) -> decltype(name(a, a)) \\
    { return name(a, gemmviz_opencl::vector<T, N>(b)); } \\
    template <class A, class B> __forceinline__ auto name(const A &a, const B &b) \\
    -> decltype(name(gemmviz_opencl::plain(a), gemmviz_opencl::plain(b))) \\
    { return name(gemmviz_opencl::plain(a), gemmviz_opencl::plain(b)); } \\
    template <class T, int N, int... I> __forceinline__ \\
    auto name(const gemmviz_opencl::swizzle<T, N, I...> &a, typename gemmviz_opencl::same<T>::type b) \\
    -> decltype(name(gemmviz_opencl::plain(a), b)) { return name(gemmviz_opencl::plain(a), b); }
#define GEMMVIZ_THREE(name) template <class A, class B, class C> __forceinline__ \\
    auto name(const A &a, const B &b, const C &c) \\
    -> decltype(name(gemmviz_opencl::plain(a), gemmviz_opencl::plain(b), gemmviz_opencl::plain(c))) \\
    { return name(gemmviz_opencl::plain(a), gemmviz_opencl::plain(b), gemmviz_opencl::plain(c)); }
"""
_NUMBERS_BEHIND = """template <class T, int N, class B> __forceinline__
gemmviz_opencl::vector<T, N> mix(gemmviz_opencl::vector<T, N> a, const B &b, typename gemmviz_opencl::same<T>::type c)
{ return mix(a, gemmviz_opencl::vector<T, N>(b), gemmviz_opencl::vector<T, N>(c)); }
template <class T, int N> __forceinline__
gemmviz_opencl::vector<T, N> clamp(gemmviz_opencl::vector<T, N> a, typename gemmviz_opencl::same<T>::type b,
                                   typename gemmviz_opencl::same<T>::type c)
{ return clamp(a, gemmviz_opencl::vector<T, N>(b), gemmviz_opencl::vector<T, N>(c)); }
"""
_OF_SWIZZLES = """template <class T, int N, int... I> __forceinline__ auto operator-(const swizzle<T, N, I...> &a)
-> decltype(-plain(a)) { return -plain(a); }
template <class T, int N, int... I> __forceinline__ auto operator~(const swizzle<T, N, I...> &a)
-> decltype(~plain(a)) { return ~plain(a); }
template <class T, int N, int... I> __forceinline__ auto operator!(const swizzle<T, N, I...> &a)
-> decltype(!plain(a)) { return !plain(a); }
"""
