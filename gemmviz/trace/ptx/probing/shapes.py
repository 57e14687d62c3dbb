"""The dimensions and elements of shared arrays and of variables of the module as the source declares them; PTX knows
bytes only. An array of vectors is one of their numbers: `float4 Bs[16][8]` has 16 rows of 32 numbers.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from gemmviz.catalogue.expressions import ExpressionError, evaluate_whole
from gemmviz.catalogue.kernel_functions import parts_of, plain_text

_MACRO = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)[ \t]+([^\n/]+)", re.MULTILINE)
_CONSTANTS = re.compile(r"\bconst(?:expr)?\s+(?:[\w:]+\s+){1,4}?(\w+\s*=[^;{}=]+(?:=[^;{}=]+)*);")
"""One or several in a declaration: constexpr int BM = 64, BN = 32;"""
_OF_PYTHON = re.compile(r"^([A-Za-z_]\w*)[ \t]*=[ \t]*([^\n#=]+)$", re.MULTILINE)
_PYTHON_ARRAY = (
    r"\b{name}[ \t]*=[ \t]*[\w.]*shared\.array\([ \t]*(?:shape[ \t]*=[ \t]*)?"
    r"(?P<sizes>\([^()]*\)|[^(),]+),[ \t]*(?:dtype[ \t]*=[ \t]*)?(?P<type>[\w.]+)"
)
"""An array of a Numba kernel: As = cuda.shared.array((TILE, TILE), float32)."""
_NAMED = re.compile(
    r"\btypedef\s+(?P<of>[\w \t]+?)\s+(?P<name>\w+)\s*;|\busing\s+(?P<alias>\w+)\s*=\s*(?P<like>\w+)\s*;"
)
_ALIGNED = re.compile(r"(?:__align__|alignas)\s*\([^)]*\)")
_LEFT_OUT = re.compile(rf"{_ALIGNED.pattern}|\b(?:volatile|const|struct|union|static|unsigned|signed)\b")
_BYTES = {
    **dict.fromkeys(("bool", "char", "int8_t", "uint8_t", "uchar"), 1),
    **dict.fromkeys(("short", "int16_t", "uint16_t", "ushort", "half", "__half", "__nv_bfloat16"), 2),
    **dict.fromkeys(("double", "int64_t", "uint64_t", "size_t"), 8),
}
"""Of an element whose type is not one of four bytes."""
_OF_MODULE = r"\b__(?:device|managed)__"
_WIDEST = 16
"""Bytes of the widest access of a thread."""
_FOUR_BYTES = frozenset({"int", "float", "uint", "unsigned", "int32_t", "uint32_t"})
_VECTOR = re.compile(r"(?P<of>u?(?:char|short|int|float|double)|(?:__)?half|__nv_bfloat16)(?P<count>[24])")


def shared_elements(text: str, name: str) -> int:
    """Bytes of an element of the shared array `name`: those of its type; 4 for one that is not known, and for bytes
    whose number the launch gives, which stand for something else.
    """
    of_python = re.search(_PYTHON_ARRAY.format(name=re.escape(name)), text)
    if of_python is not None:
        bits = re.search(r"\d+$", of_python["type"])
        return int(bits[0]) // 8 if bits is not None else 4
    declared = _shared(text, name)
    kind = _kind_of(text, declared["type"] if declared is not None else "")
    is_raw = declared is not None and declared["extern"] and _BYTES.get(kind) == 1
    return 4 if is_raw else _bytes_of(kind) or 4


def _shared(text: str, name: str) -> re.Match[str] | None:
    """The declaration of a shared array."""
    return re.search(rf"(?P<extern>\bextern\s+)?__shared__(?P<type>[^;=]*?)\b{re.escape(name)}\s*(?:\[|;|,)", text)


def _variable(text: str, name: str) -> re.Match[str] | None:
    """The declaration of a variable of the module."""
    plain = _ALIGNED.sub(" ", text)
    return re.search(rf"{_OF_MODULE}(?P<type>[^;={{}}()]*?)\b{re.escape(name)}\s*[\[;,={{]", plain)


def variable_elements(text: str, name: str, alignment: int) -> int:
    """Bytes of an element of the variable `name` of the module: those of its type, or where that is not known, its
    alignment, as far as one access goes.
    """
    declared = _variable(text, name)
    kind = _kind_of(text, declared["type"]) if declared is not None else ""
    return _bytes_of(kind) or min(alignment, _WIDEST)


def _kind_of(text: str, type_: str) -> str:
    """The last name of a declared type, where it is named anew ("typedef")."""
    words = _LEFT_OUT.sub(" ", type_).split()
    kind = "int64_t" if words[:2] == ["long", "long"] else words[0] if words else ""
    types = {match["name"] or match["alias"]: match["of"] or match["like"] for match in _NAMED.finditer(text)}
    for _ in types:
        kind = types.get(kind, kind)
    return kind


def _bytes_of(kind: str) -> int:
    """Bytes of a type, of a vector those of one number; 0 where it is not known."""
    vector = _VECTOR.fullmatch(kind)
    if vector is not None:
        return _BYTES.get(vector["of"], 4)
    return 4 if kind in _FOUR_BYTES else _BYTES.get(kind, 0)


def template_values(text: str, entry: str) -> tuple[tuple[str, int], ...]:
    """The names that a template gives its numbers, with the values in `entry`: BM = 32 for `mm<32, float>` of
    `template <int BM, typename T>`. () where the entry is no template.
    """
    front, bracket, given = entry.strip().removesuffix(">").partition("<")
    name = re.escape(front.rpartition("::")[2].strip())
    head = re.search(rf"\btemplate\s*<([^<>{{}};]*)>[^;{{}}]*?\b{name}\s*\(", plain_text(text)) if bracket else None
    found = []
    for declared, value in zip(parts_of(head[1]) if head else (), parts_of(given), strict=False):
        words = re.findall(r"\w+", declared.partition("=")[0])
        if words and value.strip().isdigit():
            found.append((words[-1], int(value)))
    return tuple(found)


def shared_shape(text: str, defines: Sequence[tuple[str, int]], name: str, elements: int) -> tuple[int, int]:
    """Rows and columns of the shared array `name`, the last two of its dimensions; 1 x `elements` where the source's
    words do not come to so many.
    """
    return _shape(text, defines, name, elements, "__shared__", _numbers(text, _shared(text, name)))


def variable_shape(text: str, defines: Sequence[tuple[str, int]], name: str, elements: int) -> tuple[int, int]:
    """Rows and columns of the variable `name` of the module, as `shared_shape` has them."""
    return _shape(text, defines, name, elements, _OF_MODULE, _numbers(text, _variable(text, name)))


def _numbers(text: str, declared: re.Match[str] | None) -> int:
    """How many numbers an element has as it is declared: 4 of a float4."""
    vector = _VECTOR.fullmatch(_kind_of(text, declared["type"])) if declared is not None else None
    return int(vector["count"]) if vector is not None else 1


def _shape(
    text: str, defines: Sequence[tuple[str, int]], name: str, elements: int, word: str, numbers: int
) -> tuple[int, int]:
    declared = re.search(
        rf"{word}[^;=()]*?(?:__align__\([^)]*\)[^;=()]*?)?\b{re.escape(name)}((?:\s*\[[^\]]+\])+)", text
    )
    of_python = re.search(_PYTHON_ARRAY.format(name=re.escape(name)), text)
    if declared is None and of_python is None:
        return 1, elements
    names = _names(text, dict(defines))
    written = re.findall(r"\[([^\]]+)\]", declared[1]) if declared is not None else []
    if of_python is not None:
        written = [words for words in of_python["sizes"].strip("()").split(",") if words.strip()]
    try:
        sizes = [evaluate_whole(words.strip(), names) for words in written]
    except ExpressionError:
        return 1, elements
    columns = sizes[-1] * numbers if len(sizes) > 1 else 0
    product = numbers
    for size in sizes:
        product *= size
    return (elements // columns, columns) if columns and product == elements else (1, elements)


def _names(text: str, known: dict[str, int]) -> dict[str, int]:
    """Defines, and the macros and constants of the source that can be computed from them."""
    constants = [part.partition("=")[::2] for declared in _CONSTANTS.findall(text) for part in parts_of(declared)]
    for name, words in [*_MACRO.findall(text), *constants, *_OF_PYTHON.findall(text)]:
        try:
            known.setdefault(name.strip(), evaluate_whole(words.strip().replace("/", "//"), known))
        except ExpressionError:
            continue
    return known
