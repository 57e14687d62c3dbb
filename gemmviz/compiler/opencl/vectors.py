"""OpenCL's vectors for a compiler of CUDA: structures with components, halves and swizzles.

OpenCL C 3.0 specification, section 6.3.7, "Vector Components". A vector is copied as a whole, by the copy that the
compiler makes of every plain structure, so that a load or a store of one is one access. A swizzle of several components
is an object over the vector's own memory, which becomes a vector where it is read, and sets the components that it
names where it is assigned to. There are thousands of names of swizzles, so a source gets those that it writes.
"""

from __future__ import annotations

import re

SIZES = (2, 3, 4, 8, 16)
KINDS = (
    ("float", "float"),
    ("double", "double"),
    ("int", "int"),
    ("uint", "unsigned int"),
    ("char", "signed char"),
    ("uchar", "unsigned char"),
    ("short", "short"),
    ("ushort", "unsigned short"),
    ("long", "long long"),
    ("ulong", "unsigned long long"),
)
"""OpenCL's names of types that vectors are made of, and those of CUDA C."""
_NAME = r"[xyzw]{2,4}|[sS][0-9a-fA-F]{2,16}|even|odd"
_SWIZZLE = re.compile(rf"(?:\.|->)\s*(?P<name>{_NAME})\b")
_OF_SWIZZLE = re.compile(
    rf"(?P<dot>(?:\.|->)\s*)(?P<name>{_NAME})[ \t]*\.[ \t]*(?P<then>{_NAME}|lo|hi|[xyzw]|[sS][0-9a-fA-F])\b"
)
_SIZE = re.compile(r"[a-z]_?(16|[2348])(?:_\w+)?\b")


def vectors_for(text: str) -> str:
    """The definitions of the vectors that a source in OpenCL C may come to use, with the swizzles that it writes."""
    names = sorted({match["name"] for match in _SWIZZLE.finditer(with_single_swizzles(text))})
    structures = "".join(_structure(size, names) for size in sizes_in(text))
    return f"namespace gemmviz_opencl {{\n{_DECLARED}{structures}}}\n"


def sizes_in(text: str) -> tuple[int, ...]:
    """How many components vectors of a source may have: those that it names, and fewer, for parts of them."""
    if "##" in text or "#include" in text:  # names are put together, or stand in another file
        return SIZES
    most = max((int(match[1]) for match in _SIZE.finditer(text)), default=0)
    return tuple(size for size in SIZES if size <= most)


def with_single_swizzles(code: str) -> str:
    """Code in which a swizzle of a swizzle (`v.wzyx.xy`) is the one that names the same components (`v.wz`), and
    everything keeps its place.
    """
    at = 0
    while (match := _OF_SWIZZLE.search(code, at)) is not None:
        name = _single(match["name"], match["then"])
        if name is None or _is_declared(match["name"], code):
            at = match.start("then") - 1
            continue
        whole = (match["dot"] + name).ljust(len(match[0]))
        code, at = code[: match.start()] + whole + code[match.end() :], match.start()
    return code


def _is_declared(name: str, code: str) -> bool:
    """Whether code declares a member of that name, of which the swizzle then is."""
    return re.search(rf"[\w,][\s*]+{name}\s*[;,\[]", code) is not None


def _single(first: str, then: str) -> str | None:
    """The swizzle that is `then` of `first`; None where it takes the vector's size to know."""
    if then in {"even", "odd", "lo", "hi"}:
        if first in {"even", "odd"}:
            return None
        count = len(first) - (first[0] in "sS")
        half = count // 2
        chosen = {"even": range(0, count, 2), "odd": range(1, count, 2), "lo": range(half), "hi": range(half, count)}
        places = list(chosen[then])
    elif then[0] in "sS":
        places = [int(digit, 16) for digit in then[1:]]
    else:
        places = ["xyzw".index(letter) for letter in then]
    if first in {"even", "odd"}:
        found = [2 * place + (first == "odd") for place in places]
        return "s" + "".join(f"{place:x}" for place in found) if max(found) < max(SIZES) else None
    letters = first[1:] if first[0] in "sS" else first
    if not places or max(places) >= len(letters):
        return None
    return first[: len(first) - len(letters)] + "".join(letters[place] for place in places)


def _places(name: str, size: int) -> list[int]:
    """The components of a vector of so many that a swizzle names; none where it has not all of them."""
    if name in {"even", "odd"}:
        found = list(range(name == "odd", size, 2)) if size > 3 else []
    elif name[0] in "sS":
        found = [int(digit, 16) for digit in name[1:]]
    else:
        found = ["xyzw".index(letter) for letter in name] if size <= 4 else []
    return found if all(place < size for place in found) and len(found) in SIZES else []


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
        f"mutable swizzle<T, {size}, {', '.join(map(str, places))}> {name};"
        for name in names
        if (places := _places(name, size))
    ]
    values = ", ".join(f"v{digit}" for digit in digits)
    made = [
        "vector() = default;",
        f"GEMMVIZ_INLINE vector(T all) : at{{{', '.join(['all'] * size)}}} {{}}",
        f"GEMMVIZ_INLINE vector({values.replace('v', 'T v')}) : at{{{values}}} {{}}",
    ]
    made += [_made_of(parts) for parts in _PARTS.get(size, ())]
    rows = "\n        ".join([*views, *swizzles])
    aligned = 4 if size == 3 else size
    return (
        f"template <class T> struct alignas({aligned} * sizeof(T)) vector<T, {size}> {{\n    union {{\n"
        f"        T at[{size}];\n        {rows}\n    }};\n    " + "\n    ".join(made) + "\n};\n"
    )


_PARTS = {
    3: ((2, 1), (1, 2)),
    4: ((2, 2), (2, 1, 1), (1, 2, 1), (1, 1, 2), (3, 1), (1, 3)),
    8: ((4, 4), (2, 2, 2, 2)),
    16: ((8, 8), (4, 4, 4, 4)),
}
"""The sizes of the parts that a vector may be made of, besides single components."""


def _made_of(parts: tuple[int, ...]) -> str:
    taken = ", ".join(f"{'T' if part == 1 else f'vector<T, {part}>'} p{number}" for number, part in enumerate(parts))
    values = (
        f"p{number}{'' if part == 1 else f'.at[{component}]'}"
        for number, part in enumerate(parts)
        for component in range(part)
    )
    return f"GEMMVIZ_INLINE vector({taken}) : at{{{', '.join(values)}}} {{}}"


_SETS = "".join(
    f"    template <class B> __forceinline__ auto operator{sign}=(B b) -> decltype(set(value() {sign} b))\n"
    f"    {{ return set(value(*this) {sign} b); }}\n"
    for sign in ("+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>")
)
_DECLARED = (
    """#define GEMMVIZ_INLINE __forceinline__ constexpr
template <class T, int N> struct vector;
template <int... I> constexpr bool is_each_once()
{
    int seen = 0;
    return ((seen & 1 << I ? false : (seen |= 1 << I, true)) && ...);
}
template <class T, int N, int... I> struct swizzle {
    typedef vector<T, sizeof...(I)> value;
    T at[N];
    swizzle() = default;
    swizzle(const swizzle &) = default;
    swizzle &operator=(const swizzle &) = default;
    __forceinline__ operator value() const
    { const vector<T, N> whole = *reinterpret_cast<const vector<T, N> *>(at); return value(whole.at[I]...); }
    __forceinline__ swizzle &set(value given)
    {
        static_assert(is_each_once<I...>(), "a swizzle that is assigned to names a component twice");
        int n = 0;
        if (sizeof...(I) == N) {
            vector<T, N> whole;
            ((whole.at[I] = given.at[n++]), ...);
            *reinterpret_cast<vector<T, N> *>(at) = whole;
        } else
            ((at[I] = given.at[n++]), ...);
        return *this;
    }
    template <class B> __forceinline__ auto operator=(B &&b) -> decltype(set(value(b)))
    { return set(value(b)); }
"""
    + _SETS
    + """};
template <class T, int N> __forceinline__ vector<T, N> plain(vector<T, N> a) { return a; }
template <class T, int N, int... I> __forceinline__
vector<T, sizeof...(I)> plain(const swizzle<T, N, I...> &a) { return a; }
template <class T> __forceinline__ T value_of(T a) { return a; }
template <class T, int N, int... I> __forceinline__
vector<T, sizeof...(I)> value_of(const swizzle<T, N, I...> &a) { return a; }
"""
)
"""The copy of a swizzle is the compiler's, since only then is that of a vector. No source comes to it: members that are
`mutable` are never constant, and the assignment that is a template takes all others.
"""
