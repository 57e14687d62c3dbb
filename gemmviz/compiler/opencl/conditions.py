"""Vectors in `condition ? a : b`, which C++ cannot have: such an expression becomes a call, on the lines where the
compiler finds that it has no meaning.

OpenCL C 3.0 specification, section 6.4.9, "Ternary Selection Operator": of a vector's components each that is negative
takes `a`, else `b`. Operands are functions without parameters, so that a number as the condition computes one only.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

_COMMENT_OR_TEXT = re.compile(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", re.DOTALL)
_DIRECTIVE = re.compile(r"^[ \t]*#(?:\\\r?\n|[^\n])*", re.MULTILINE)
_DEFINE = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(?P<name>\w+)(?P<of>\([^)\n]*\))?(?:\\\r?\n|[^\n])*", re.MULTILINE)
_WORD = re.compile(r"[A-Za-z_]\w*")
_BLANKS = " \t\r\n\\"
_TOKEN = re.compile(r"[(\[{}\])?;,]|::|:|(?<![=!<>])=(?!=)|<<=|>>=|\breturn\b")
_FAULT = re.compile(
    r"^(?P<file>[^\n(:]+)\((?P<line>\d+)\): error(?: #[\w-]+)?: "
    r"(?:expression must have bool type|operand types are incompatible)",
    re.MULTILINE,
)

CHOICES = """
namespace gemmviz_opencl {
template <class C, class T, int N> __forceinline__
vector<T, N> picked(vector<C, N> from_a, vector<T, N> a, vector<T, N> b)
{
    static_assert(sizeof(C) == sizeof(T), "the condition needs components as wide as those of the operands");
    vector<T, N> made;
    for (int i = 0; i < N; ++i) made.at[i] = typename mask<C>::type(from_a.at[i]) < 0 ? a.at[i] : b.at[i];
    return made;
}
template <class C, class T, int N> __forceinline__
vector<T, N> picked(vector<C, N> from_a, vector<T, N> a, typename same<T>::type b)
{ return picked(from_a, a, vector<T, N>(b)); }
template <class C, class T, int N> __forceinline__
vector<T, N> picked(vector<C, N> from_a, typename same<T>::type a, vector<T, N> b)
{ return picked(from_a, vector<T, N>(a), b); }
template <class C, int N, class T, class = decltype(T(0) < 1 ? 0 : 0)> __forceinline__
vector<T, N> picked(vector<C, N> from_a, T a, T b) { return picked(from_a, vector<T, N>(a), vector<T, N>(b)); }
template <class C, int N, class A, class B> __forceinline__ auto chosen(vector<C, N> from_a, A a, B b)
{ return picked(from_a, a(), b()); }
template <class T, int N, int... I, class A, class B> __forceinline__
auto chosen(const swizzle<T, N, I...> &from_a, A a, B b) { return picked(plain(from_a), a(), b()); }
template <class C, class A, class B, class = decltype(C() ? 0 : 0)> __forceinline__
auto chosen(C is_a, A a, B b) { return is_a ? a() : b(); }
}
#define gemmviz_choice(c, a, b) gemmviz_opencl::chosen(c, \\
    [&] { return gemmviz_opencl::value_of(a); }, [&] { return gemmviz_opencl::value_of(b); })
"""


@dataclass(slots=True)
class _Choice:
    """`text[start:question]`, the `?`, a first operand, the `:` at `colon` (-1: not reached), a second up to `end`."""

    start: int
    question: int
    colon: int = -1
    end: int = -1


def lines_at_fault(log: str, name: str) -> frozenset[int]:
    """The lines of the file called `name` of which a compiler's `log` says that an operand of `?:` has no meaning."""
    return frozenset(int(match["line"]) for match in _FAULT.finditer(log) if match["file"].endswith(name))


def with_choices(text: str, lines: Collection[int]) -> str:
    """A text in which each `c ? a : b` that touches one of the lines is a call; with those of all macros where one of
    the lines names a macro. Lines stay what they are.
    """
    quiet = _COMMENT_OR_TEXT.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)
    macros = list(_DEFINE.finditer(quiet))
    plain = _DIRECTIVE.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), quiet)
    found = [one for one in _choices(plain, 0, len(plain)) if set(_lines_of(one, quiet)) & set(lines)]
    every = quiet.splitlines()
    named = {word for line in lines if line <= len(every) for word in _WORD.findall(every[line - 1])}
    if named & {match["name"] for match in macros}:
        found += [
            one for match in macros for one in _choices(quiet, match.end("of" if match["of"] else "name"), match.end())
        ]
    edits = [
        edit
        for one in found
        for edit in (
            (one.start, 0, "gemmviz_choice("),
            (one.question, 1, ","),
            (one.colon, 1, ","),
            (one.end, 0, ")"),
        )
    ]
    for at, length, words in sorted(edits, key=lambda edit: (edit[0], edit[2] != ")"), reverse=True):
        text = text[:at] + words + text[at + length :]
    return text


def _lines_of(one: _Choice, text: str) -> range:
    """The lines, from 1, that a choice lies on."""
    first = text.count("\n", 0, one.start) + 1
    return range(first, first + text.count("\n", one.start, one.end) + 1)


def _choices(text: str, start: int, end: int) -> Iterator[_Choice]:
    """Every `c ? a : b` in `text[start:end]`, which has neither comments nor literals."""
    begins, waiting = [_from(text, start)], [list[_Choice]()]
    for match in _TOKEN.finditer(text, start, end):
        sign, at = match[0], match.start()
        if sign == "?":
            waiting[-1].append(_Choice(begins[-1], at))
        elif sign == ":":
            while waiting[-1] and waiting[-1][-1].colon >= 0:
                yield _ended(waiting[-1].pop(), text, at)
            if waiting[-1]:
                waiting[-1][-1].colon = at
        elif sign == "::":
            continue
        elif sign in "([{":
            begins.append(at)
            waiting.append([])
        elif sign in ")]},;":
            while waiting[-1]:
                one = waiting[-1].pop()
                if one.colon >= 0:
                    yield _ended(one, text, at)
            if sign in ")]}" and len(begins) > 1:
                begins.pop()
                waiting.pop()
                if sign != "}":
                    continue
        begins[-1] = _from(text, match.end())
    while waiting[-1]:
        one = waiting[-1].pop()
        if one.colon >= 0:
            yield _ended(one, text, end)


def _from(text: str, at: int) -> int:
    """The first character from a place on that is no blank."""
    while at < len(text) and text[at] in _BLANKS:
        at += 1
    return at


def _ended(one: _Choice, text: str, end: int) -> _Choice:
    while text[end - 1] in _BLANKS:
        end -= 1
    one.end = end
    return one
