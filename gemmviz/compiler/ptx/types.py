"""The types of a kernel's parameters, as far as its PTX tells them: widths, what is used as an address, what as a
floating-point number.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from gemmviz.catalogue.languages.ptx import plain
from gemmviz.domain.kernels import parameter_types as types
from gemmviz.domain.kernels.parameter_types import ParameterType, ScalarType, Signature

_PARAMETER = re.compile(
    r"\.param\s+(?:\.align\s+\d+\s+)?\.(?P<kind>[a-z]+)(?P<bits>\d+)(?P<pointer>\s+\.ptr\b[^,]*?)?"
    r"\s+(?P<name>[\w$]+)(?:\[(?P<count>\d+)\])?\s*(?:,|$)"
)
_DIRECTIVE = re.compile(r"^[ \t]*\.(?:loc|file)[ \t][^\n]*", re.MULTILINE)
_STATEMENT = re.compile(r"(?:@!?[\w$%]+\s+)?(?P<opcode>[a-z][\w.:]*)\s+(?P<operands>[^;]*);")
_NAME = re.compile(r"[%\w$]+")
_ADDRESS = re.compile(r"\[\s*(?P<name>%?[\w$]+)")
_MOVES = ("mov", "cvta", "add", "sub")
_WIDE = re.compile(r"mad\.wide|mad\.lo")
_FLOATING = {
    16: (types.HALF, ("f16", "f16x2")),
    32: (types.FLOAT, ("f32", "tf32")),
    64: (types.DOUBLE, ("f64",)),
}
_WHOLE = {8: types.UNSIGNED_CHAR, 16: types.SHORT, 32: types.INT, 64: types.LONG_LONG}
_POINTER_BITS = 64
_ELEMENTS = {"f32": "float", "b32": "float", "f64": "double", "b64": "double", "b16": "half", "u16": "half"}
"""What bytes that are loaded or stored so most likely are."""


@dataclass(frozen=True, slots=True)
class _Statement:
    """An instruction: the words of its opcode, and its operands as they are written."""

    words: tuple[str, ...]
    operands: tuple[str, ...]


def signature_of_ptx(ptx: str, symbol: str) -> Signature:
    """The types of the parameters of a kernel, in their order. Where nothing tells what 64 bits are, they may be
    anything; other widths are whole numbers where nothing floating-point is done with them.
    """
    text = _DIRECTIVE.sub("", plain(ptx))
    head = re.search(rf"\.entry\s+{re.escape(symbol)}\s*\((?P<parameters>[^)]*)\)", text)
    if head is None:
        return ()
    body = tuple(_statements(_body(text, head.end())))
    return tuple(_type(match, body) for match in _PARAMETER.finditer(head["parameters"]))


def pointed_to(ptx: str, symbol: str) -> tuple[tuple[str, bool], ...]:
    """For each parameter of a kernel that is used as an address: what type its bytes are loaded or stored as, in words
    of C++ ("float"), and whether anything is stored there; ("", False) for any other.
    """
    text = _DIRECTIVE.sub("", plain(ptx))
    head = re.search(rf"\.entry\s+{re.escape(symbol)}\s*\((?P<parameters>[^)]*)\)", text)
    if head is None:
        return ()
    body = tuple(_statements(_body(text, head.end())))
    return tuple(_pointed_to(match["name"], body) for match in _PARAMETER.finditer(head["parameters"]))


def _pointed_to(parameter: str, body: tuple[_Statement, ...]) -> tuple[str, bool]:
    reached = _reached({one.operands[0] for one in body if _loads(one, parameter)}, body)
    accesses = [one for one in body if _accesses(one, reached)]
    kinds = {_ELEMENTS[one.words[-1]] for one in accesses if one.words[-1] in _ELEMENTS}
    return min(kinds, default="float" if accesses else ""), any(one.words[0] in ("st", "red") for one in accesses)


def _type(declared: re.Match[str], body: tuple[_Statement, ...]) -> ParameterType:
    bits, kind = int(declared["bits"]), declared["kind"]
    if declared["count"]:
        return ParameterType(types.other_type(f"a structure of {int(declared['count']) * bits // 8} bytes"))
    if declared["pointer"]:
        return ParameterType(types.VOID, 1)
    if kind in ("f", "bf"):
        return ParameterType(_FLOATING[bits][0])
    loaded = {one.operands[0] for one in body if _loads(one, declared["name"])}
    if bits == _POINTER_BITS and _is_address(loaded, body):
        return ParameterType(types.VOID, 1)
    return ParameterType(_scalar(loaded, body, bits))


def _scalar(loaded: set[str], body: tuple[_Statement, ...], bits: int) -> ScalarType:
    uses = [one for one in body if loaded & {name for text in one.operands[1:] for name in _NAME.findall(text)}]
    uses = [one for one in uses if one.words[:2] != ("ld", "param")]
    if not uses and bits == _POINTER_BITS:
        return types.ANY_64_BITS
    scalar, words = _FLOATING.get(bits, (None, ()))
    is_floating = scalar is not None and any(one.words[0] != "cvt" and set(one.words) & set(words) for one in uses)
    is_floating |= any(one.words[0] == "cvt" and one.words[-1] in words for one in uses)
    return scalar if is_floating and scalar is not None else _WHOLE[bits]


def _is_address(loaded: set[str], body: tuple[_Statement, ...]) -> bool:
    """Whether registers, or what is added to them, are addresses of loads or stores."""
    reached = _reached(loaded, body)
    return any(
        (one.words[0] == "cvta" and "to" in one.words and one.operands[-1] in reached) or _accesses(one, reached)
        for one in body
    )


def _reached(registers: set[str], body: tuple[_Statement, ...]) -> set[str]:
    """The registers, and those that hold them plus something."""
    reached = set(registers)
    while reached:
        grown = {
            one.operands[0]
            for one in body
            if reached & set(_sources(one)) and one.words[-1] in ("u64", "s64", "b64", "s32", "u32")
        }
        if grown <= reached:
            break
        reached |= grown
    return reached


def _accesses(one: _Statement, registers: set[str]) -> bool:
    if one.words[0] not in ("ld", "st", "atom", "red", "cp", "prefetch") or "param" in one.words:
        return False
    return any(match["name"] in registers for text in one.operands for match in _ADDRESS.finditer(text))


def _sources(one: _Statement) -> tuple[str, ...]:
    """The operands that an address may come from."""
    if one.words[0] in _MOVES:
        return one.operands[1:]
    return one.operands[3:] if _WIDE.match(".".join(one.words)) else ()


def _loads(one: _Statement, parameter: str) -> bool:
    if one.words[:2] != ("ld", "param") or len(one.operands) < 2:
        return False
    return re.fullmatch(rf"\[\s*{re.escape(parameter)}\s*(?:\+\s*0\s*)?\]", one.operands[1]) is not None


def _body(text: str, begin: int) -> str:
    start = text.find("{", begin)
    depth = 0
    for match in re.finditer(r"[{}]", text[start:]):
        depth += 1 if match[0] == "{" else -1
        if not depth:
            return text[start : start + match.end()]
    return text[start:]


def _statements(body: str) -> Iterator[_Statement]:
    for match in _STATEMENT.finditer(body):
        operands = tuple(one.strip() for one in re.split(r",(?![^{\[]*[}\]])", match["operands"]))
        yield _Statement(tuple(re.split(r"\.|::", match["opcode"])), operands)
