"""OpenCL's vectors for a compiler of CUDA: structures with components, halves, swizzles, and operators.

OpenCL C 3.0 specification, section 6.3.7, "Vector Components". A swizzle of several components is an object over the
vector's own memory, which becomes a vector where it is read and sets the components that it names where it is assigned
to. There are thousands of names of swizzles, so a source gets those that it writes.
"""

from __future__ import annotations

import re

_SWIZZLE = re.compile(r"\.\s*(?P<name>[xyzw]{2,4}|[sS][0-9a-fA-F]{2,16}|even|odd)\b")
_SIZES = (2, 3, 4, 8, 16)


def vectors_for(text: str) -> str:
    """The definitions of vectors, with the swizzles that a source in OpenCL C writes."""
    names = sorted({match["name"] for match in _SWIZZLE.finditer(text)})
    structures = "".join(_structure(size, names) for size in _SIZES)
    return f"namespace gemmviz_opencl {{\n{_DECLARED}{structures}{_OPERATORS}}}\n{_FUNCTIONS}"


def _places(name: str, size: int) -> list[int]:
    """The components of a vector of so many that a swizzle names; none where it has not all of them."""
    if name in {"even", "odd"}:
        found = list(range(name == "odd", size, 2)) if size > 3 else []
    elif name[0] in "sS":
        found = [int(digit, 16) for digit in name[1:]]
    else:
        found = ["xyzw".index(letter) for letter in name] if size <= 4 else []
    return found if all(place < size for place in found) and len(found) in _SIZES else []


def _structure(size: int, names: list[str]) -> str:
    digits = "0123456789abcdef"[:size]
    views = [f"struct {{ T {', '.join(f's{digit}' for digit in digits)}; }};"]
    if size == 16:
        views.append(f"struct {{ T first_ten[10], {', '.join(f's{digit}' for digit in 'ABCDEF')}; }};")
    if size <= 4:
        views.append(f"struct {{ T {', '.join('xyzw'[:size])}; }};")
    if size == 2:
        views += ["struct { T lo, hi; };", "struct { T even, odd; };"]
    elif size != 3:
        views.append(f"struct {{ vector<T, {size // 2}> lo, hi; }};")
    swizzles = [
        f"swizzle<T, {size}, {', '.join(map(str, places))}> {name};"
        for name in names
        if (places := _places(name, size))
    ]
    made = [
        "vector() = default;", "vector(T all) { for (T &one : at) one = all; }",
        f"vector({', '.join(f'T v{digit}' for digit in digits)}) {{ "
        + " ".join(f"at[{place}] = v{digit};" for place, digit in enumerate(digits)) + " }",
    ]  # fmt: skip
    made += [_made_of(parts) for parts in _PARTS.get(size, ())]
    if swizzles or (
        size > 3 and names
    ):  # else the compiler makes it; a member with an assignment of its own forbids that
        made.append("vector(const vector &) = default;")
        made.append("vector &operator=(const vector &other) { for (int i = 0; i < N; ++i) at[i] = other.at[i]; "
                    "return *this; }".replace("N", str(size)))  # fmt: skip
    rows = "\n        ".join([*views, *swizzles])
    aligned = 4 if size == 3 else size
    return (
        f"template <class T> struct alignas({aligned} * sizeof(T)) vector<T, {size}> {{\n    union {{\n        {rows}\n"
        f"        T at[{size}];\n    }};\n    " + "\n    ".join(made) + "\n};\n"
    )


_PARTS = {
    3: ((2, 1), (1, 2)), 4: ((2, 2), (2, 1, 1), (1, 2, 1), (1, 1, 2), (3, 1), (1, 3)),
    8: ((4, 4), (2, 2, 2, 2)), 16: ((8, 8), (4, 4, 4, 4)),
}  # fmt: skip
"""The sizes of the parts that a vector may be made of, besides single components."""


def _made_of(parts: tuple[int, ...]) -> str:
    taken = ", ".join(f"{'T' if part == 1 else f'vector<T, {part}>'} p{number}" for number, part in enumerate(parts))
    set_one_by_one, place = [], 0
    for number, part in enumerate(parts):
        for component in range(part):
            set_one_by_one.append(f"at[{place}] = p{number}{'' if part == 1 else f'.at[{component}]'};")
            place += 1
    return f"vector({taken}) {{ {' '.join(set_one_by_one)} }}"


_DECLARED = """template <class T, int N> struct vector;
template <class T, int N, int... I> struct swizzle {
    typedef vector<T, sizeof...(I)> value;
    T at[N];
    operator value() const { value made; int n = 0; ((made.at[n++] = at[I]), ...); return made; }
    swizzle &operator=(value given) { int n = 0; ((at[I] = given.at[n++]), ...); return *this; }
    swizzle &operator=(const swizzle &other) { return *this = value(other); }
    swizzle(const swizzle &) = default;
    swizzle() = default;
    template <class B> swizzle &operator+=(B b) { return *this = value(*this) + b; }
    template <class B> swizzle &operator-=(B b) { return *this = value(*this) - b; }
    template <class B> swizzle &operator*=(B b) { return *this = value(*this) * b; }
    template <class B> swizzle &operator/=(B b) { return *this = value(*this) / b; }
};
template <class T, int N> __forceinline__ vector<T, N> plain(vector<T, N> a) { return a; }
template <class T, int N, int... I> __forceinline__
vector<T, sizeof...(I)> plain(const swizzle<T, N, I...> &a) { return a; }
"""
_OPERATORS = """template <class T> struct same { typedef T type; };
#define GEMMVIZ_OPERATOR(sign) \\
    template <class T, int N> __forceinline__ vector<T, N> operator sign(vector<T, N> a, vector<T, N> b) \\
    { vector<T, N> made; for (int i = 0; i < N; ++i) made.at[i] = a.at[i] sign b.at[i]; return made; } \\
    template <class T, int N> \\
    __forceinline__ vector<T, N> operator sign(vector<T, N> a, typename same<T>::type b) \\
    { return a sign vector<T, N>(b); } \\
    template <class T, int N> \\
    __forceinline__ vector<T, N> operator sign(typename same<T>::type a, vector<T, N> b) \\
    { return vector<T, N>(a) sign b; } \\
    template <class T, int N> __forceinline__ vector<T, N> &operator sign##=(vector<T, N> &a, vector<T, N> b) \\
    { return a = a sign b; } \\
    template <class T, int N> \\
    __forceinline__ vector<T, N> &operator sign##=(vector<T, N> &a, typename same<T>::type b) \\
    { return a = a sign b; } \\
    template <class T, int N, int... I, class B> \\
    __forceinline__ auto operator sign(const swizzle<T, N, I...> &a, B b) -> vector<T, sizeof...(I)> \\
    { return plain(a) sign b; } \\
    template <class T, int N, int... I, class A> \\
    __forceinline__ auto operator sign(A a, const swizzle<T, N, I...> &b) -> vector<T, sizeof...(I)> \\
    { return a sign plain(b); } \\
    template <class T, int N, int... I, int M, int... J> __forceinline__ \\
    vector<T, sizeof...(I)> operator sign(const swizzle<T, N, I...> &a, const swizzle<T, M, J...> &b) \\
    { return plain(a) sign plain(b); }
GEMMVIZ_OPERATOR(+) GEMMVIZ_OPERATOR(-) GEMMVIZ_OPERATOR(*) GEMMVIZ_OPERATOR(/)
#undef GEMMVIZ_OPERATOR
template <class T, int N> __forceinline__ vector<T, N> operator-(vector<T, N> a)
{ for (T &one : a.at) one = -one; return a; }
template <class T, int N, int... I> __forceinline__ vector<T, sizeof...(I)> operator-(const swizzle<T, N, I...> &a)
{ return -plain(a); }
"""
_FUNCTIONS = """template <class T, int N> __forceinline__
gemmviz_opencl::vector<T, N> mad(gemmviz_opencl::vector<T, N> a, gemmviz_opencl::vector<T, N> b,
                                 gemmviz_opencl::vector<T, N> c)
{ for (int i = 0; i < N; ++i) c.at[i] = ::fma(a.at[i], b.at[i], c.at[i]); return c; }
template <class T, int N> __forceinline__
gemmviz_opencl::vector<T, N> fma(gemmviz_opencl::vector<T, N> a, gemmviz_opencl::vector<T, N> b,
                                 gemmviz_opencl::vector<T, N> c) { return mad(a, b, c); }
template <class T, int N> __forceinline__
T dot(gemmviz_opencl::vector<T, N> a, gemmviz_opencl::vector<T, N> b)
{ T sum = a.at[0] * b.at[0]; for (int i = 1; i < N; ++i) sum += a.at[i] * b.at[i]; return sum; }
static __forceinline__ float dot(float a, float b) { return a * b; }
template <class A, class B> __forceinline__ auto dot(const A &a, const B &b)
-> decltype(dot(gemmviz_opencl::plain(a), gemmviz_opencl::plain(b)))
{ return dot(gemmviz_opencl::plain(a), gemmviz_opencl::plain(b)); }
template <class A, class B, class C> __forceinline__ auto mad(const A &a, const B &b, const C &c)
-> decltype(mad(gemmviz_opencl::plain(a), gemmviz_opencl::plain(b), gemmviz_opencl::plain(c)))
{ return mad(gemmviz_opencl::plain(a), gemmviz_opencl::plain(b), gemmviz_opencl::plain(c)); }
template <class A, class B, class C> __forceinline__ auto fma(const A &a, const B &b, const C &c)
-> decltype(mad(gemmviz_opencl::plain(a), gemmviz_opencl::plain(b), gemmviz_opencl::plain(c)))
{ return mad(gemmviz_opencl::plain(a), gemmviz_opencl::plain(b), gemmviz_opencl::plain(c)); }
template <class T, class V, int N> __forceinline__
gemmviz_opencl::vector<T, N> gemmviz_convert(gemmviz_opencl::vector<V, N> from)
{ gemmviz_opencl::vector<T, N> made; for (int i = 0; i < N; ++i) made.at[i] = T(from.at[i]); return made; }
template <class T, int N> __forceinline__
gemmviz_opencl::vector<T, N> min(gemmviz_opencl::vector<T, N> a, gemmviz_opencl::vector<T, N> b)
{ for (int i = 0; i < N; ++i) a.at[i] = b.at[i] < a.at[i] ? b.at[i] : a.at[i]; return a; }
template <class T, int N> __forceinline__
gemmviz_opencl::vector<T, N> max(gemmviz_opencl::vector<T, N> a, gemmviz_opencl::vector<T, N> b)
{ for (int i = 0; i < N; ++i) a.at[i] = a.at[i] < b.at[i] ? b.at[i] : a.at[i]; return a; }
template <class A, class B> __forceinline__ auto min(const A &a, const B &b)
-> decltype(min(gemmviz_opencl::plain(a), gemmviz_opencl::plain(b)))
{ return min(gemmviz_opencl::plain(a), gemmviz_opencl::plain(b)); }
template <class A, class B> __forceinline__ auto max(const A &a, const B &b)
-> decltype(max(gemmviz_opencl::plain(a), gemmviz_opencl::plain(b)))
{ return max(gemmviz_opencl::plain(a), gemmviz_opencl::plain(b)); }
"""
